/* What a user puts onto the timeline, and the tools to do it with.
 *
 *   marks       intervals with a name, one of them current (its ends move), and bookmarks; both in one list
 *   picks       events selected together (Space); tracks that the statistics are limited to
 *   edges       begins and ends of the events of a row: where ends and the cursor of the timing tool snap to
 *   statistics  of the current interval, else of what is in view: the pane of `i` (tl_stats.h)
 *
 * Included by view/timeline/tl.h alone.  Times ps; t1 is the first moment behind an interval.  Marks are times and
 * outlive a change of clock or host; picks name events, so tl_marks_forget() drops them.  tl_marks_free()
 * frees all. */
#ifndef VIEW_TIMELINE_MARK_H
#define VIEW_TIMELINE_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/interval/interval.h"
#include "core/config/kv.h"
#include "core/input/prompt.h"
#include "core/paint/canvas.h"
#include "view/timeline/scene/cursor.h"

struct tl;

enum { TL_MARKS_MAX = 60 };

struct tl_mark {
	char name[64];
	bool interval;
	uint32_t plane; /* whose times these are; UINT32_MAX = no host's */
	int64_t t0, t1; /* the interval; of a bookmark: what was in view */
	int64_t cursor;
	uint64_t row; /* bookmark: id of the node */
};

struct tl_stats {
	bool by_track, reverse;
	int by_name_key, by_track_key; /* columns sorted by */
	size_t top;
	struct interval shown, next; /* next: of another interval, until it has something to show */
	bool has, working;
	uint32_t *order;
	size_t norder; /* names, then tracks, in the order shown */
	bool sorted;
	size_t rows; /* in sight, for a page */
};

struct tl_marks {
	struct tl_mark v[TL_MARKS_MAX];
	int n;
	int at;           /* current interval + 1, 0 = none */
	int named;        /* automatic names given so far */
	bool moves_begin; /* which end of it moves */
	struct tl_stats stats;
	struct history names; /* typed for bookmarks */
};

/* tl_mark.c */
/* from its times to those the cursor is in now (tl_align.h) */
int64_t tl_mark_shift(const struct tl *, const struct tl_mark *);
void tl_marks_forget(struct tl *); /* events and tracks are not what they were */
void tl_marks_free(struct tl *);
struct tl_mark *tl_mark_current(const struct tl *); /* NULL = no interval */
/* a new current interval, in times as the cursor is; name NULL = automatic */
void tl_mark_set(struct tl *, int64_t t0, int64_t t1, const char *name);
unsigned tl_mark_toggle(struct tl *); /* m */
/* the end that moves, from edge to edge; makes an interval if there is none */
unsigned tl_mark_move(struct tl *, int dir, int count);
/* M: a bookmark, under a name to be typed; the same place again takes it away */
unsigned tl_mark_ask(struct tl *);
void tl_mark_bookmark(struct tl *, const char *name); /* "" = an automatic name */
unsigned tl_mark_menu(struct tl *);
bool tl_mark_go(struct tl *, int i);
int tl_mark_find(const struct tl *, const char *name); /* -1 */
/* :mark, :unmark, :bookmark, :goto NAME; false = not one of these */
bool tl_mark_command(struct tl *, const char *name, const char *arg);
/* what may stand behind :goto and :unmark */
void tl_mark_words(const struct tl *, const char *command, void (*offer)(void *, const char *), void *ctx);
/* Esc: statistics, then all that is selected is put away, an interval stays (m takes it away); false =
 * nothing was there */
bool tl_mark_leave(struct tl *);
void tl_mark_save(const struct tl *, struct kv *);
void tl_mark_restore(struct tl *, const struct kv *);

/* tl_mark_draw.c */
void tl_mark_draw(struct tl *, struct canvas *); /* over rows, gutter and ruler */

/* tl_stats.c, tl_stats_draw.c */
unsigned tl_stats_key(struct tl *);             /* i: opens, then by name or by track */
bool tl_stats_step(struct tl *, int budget_ms); /* more to do? */
void tl_stats_free(struct tl *);
void tl_stats_sort(struct tl *, int by, bool reverse); /* by: columns further; reverse: turn round */
bool tl_stats_scroll(struct tl *, int pages);          /* false: not open */
void tl_stats_draw(struct tl *, struct canvas *, struct rect);
void tl_stats_status(const struct tl *, char *left, char *right, size_t size);
int tl_stats_copy(struct tl *, FILE *); /* both tables, tab separated; -1 = not open */

#endif
