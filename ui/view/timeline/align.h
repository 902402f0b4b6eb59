/* Hosts side by side: `=` moves the times of each host, on the screen alone, so that the step under the
 * cursor begins on all of them at once, at 0, and opens a table of what each core did in it.  The model keeps
 * its times; what is kept here of times (marks, the places of the history) is a time of a plane, so that it
 * stays with what it was put on.
 *
 * A time on the screen is a time of a plane plus tl_align_shift() of that plane: 0 while hosts are not
 * aligned.  Grid, cursor, ruler, bounds of the run and of what is in view are times on the screen, but for
 * one thing: while the rows of a host are made, drawn or moved along, grid.shift is what its times are moved
 * by, and grid and cursor speak in times of that host: tl_align_enter ... tl_align_leave.  So cursor +
 * grid.shift is the cursor on the screen everywhere.  Analyses of several hosts are given
 * tl_align_shifts(). */
#ifndef VIEW_TIMELINE_ALIGN_H
#define VIEW_TIMELINE_ALIGN_H

#include "analyze/events/host_align.h"
#include "core/paint/canvas.h"

struct tl;
struct rows_node;

struct tl_align_core {
	uint32_t plane;
	int64_t own, collective; /* own: all but collectives and waits, copies too */
	double ratio;            /* own to the median core's */
};

struct tl_align {
	bool estimated;
	int64_t id;
	char name[160];
	int64_t *shift; /* by host, against the first one with the step */
	struct tl_align_core *core;
	size_t n; /* in order of hosts and cores */
	int64_t median;
	size_t slowest;
	bool straggler;          /* the slowest stands out */
	struct align_host *host; /* estimated offsets; NULL before */
};

unsigned tl_align_toggle(struct tl *);
bool tl_align_step(struct tl *); /* estimates the offsets of the clocks, once */
void tl_align_free(struct tl *);
void tl_align_forget(struct tl *);                /* events have other times now */
void tl_align_enter(struct tl *, uint32_t plane); /* UINT32_MAX: no host's */
void tl_align_enter_row(struct tl *);             /* of the cursor */
void tl_align_leave(struct tl *);
int64_t tl_align_shift(const struct tl *, uint32_t plane); /* UINT32_MAX: of what belongs to no host */
const int64_t *tl_align_shifts(const struct tl *);         /* the same by plane, NULL = none */
void tl_align_bounds(const struct tl *, int64_t *first, int64_t *last); /* of all events, on the screen */
/* Behind names in the gutter: "+46.250 ns" of a host that is moved; how far its clock seems to be ahead while
 * none is; "! slowest".  brief: "+46 ns". */
void tl_align_tail(const struct tl *, const struct rows_node *, bool brief, char *buf, size_t size);
const char *tl_align_host(const struct tl *, int host, size_t *len); /* "w-1" of "sim-tpu-v4-w-1" */
void tl_draw_align(struct tl *, struct canvas *, struct rect);

#endif
