/* The screen of the chips: a thread asks the servers (chips_watch.c) and says what it heard in the first part of the
 * struct, under the lock; the rest belongs to the screen (chips.c, chips_draw.c, chips_card.c). */
#ifndef JOB_CHIPS_H
#define JOB_CHIPS_H

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "core/worker.h"
#include "job/internal.h"
#include "job/past.h"
#include "live/chips.h"
#include "widget/sheet/sheet.h"

/* What is kept of a device. */
struct chip_past {
	int server, device;
	struct past duty, used; /* percent, GiB */
};

struct watching {
	struct overlay base;
	struct servers servers;
	struct metrics *metrics; /* of the thread */
	struct worker thread;
	bool allow_remote;
	int interval_ms;
	_Atomic bool end, pause, wants_cores;
	pthread_cond_t wish; /* one of these changed */
	const char *root;    /* of the files that say what this machine has, see live/local.h */

	pthread_mutex_t lock; /* of what follows */
	struct readings readings;
	struct chips chips;
	struct core_status *core;
	size_t ncores, asked, moments; /* moments: of the past, one each interval */
	int64_t moment;                /* when the last one was; of now_ms() */
	struct chip_past **past;       /* by server and device */
	size_t npast, cappast;
	time_t since;        /* what is the case began then */
	time_t lost;         /* the servers did not answer from then on, the last time; 0 = they always did */
	bool answers, heard; /* heard: they did, at some time */
	struct local_chips local; /* of this machine, if it is asked */
	int64_t looked;           /* when that was read; of now_ms() */
	char why[500];            /* there are no readings, or not all */

	/* of the screen */
	struct sheet sheet, cores;
	struct table table, core_table;
	size_t drawn; /* how often they had been asked for what the tables say */
	bool on_cores, full;
	int scroll, lines, rows; /* of the full card */
};

/* chips_watch.c */
void chips_wish(struct watching *, _Atomic bool *, bool); /* changes one of the wishes of the screen */
void chips_watch(void *);                                 /* run of the thread */
const struct chip_past *chips_past(const struct watching *, const struct chip *); /* NULL: none */
/* The processes that have a device open; false: nobody that can be seen. */
bool chips_owner(const struct watching *, int device, char *buf, size_t size);

/* chips_draw.c */
void chips_open_sheets(struct watching *);
void chips_close_sheets(struct watching *);
void chips_draw(struct overlay *, struct canvas *, struct rect);
struct sheet *chips_sheet(struct watching *); /* the one on the screen */

/* chips_card.c: what is known of the device under the cursor; returns the row below */
int chips_card(const struct watching *, struct canvas *, struct rect, bool wide);

#endif
