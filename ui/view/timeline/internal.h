/* The state of the timeline, shared by its top files.  The view is made of parts, each with its own struct
 * and functions that start with the part's name; a part only knows the parts above it in this list:
 *
 *   viewport   the interval in view and the zoom; rectangles, ticks, UTC: pure arithmetic
 *   rows       which rows there are, folded, pinned, hidden, in which order
 *   scene      dump, viewport, rows, cursor, picks, open panes, times of hosts: the base of everything else
 *   search     matches of a pattern or query, the filter, hits
 *   marks      intervals and bookmarks
 *   detail     the selected event, flows between events, what held an event up
 *   steps      the table of steps, what is worth a look, hosts aligned on a step
 *   draw       strips, gutter, rows: colors, columns of rows, minimap
 *   stats      statistics of an interval, what is in view
 *
 * At the top: timeline.c opens, steps and draws everything; act.c handles actions, mouse.c the mouse; pane.c,
 * status.c, bar.c; copy.c is for y and E, place.c for what a session saves, carry.c for what goes on to a timeline of
 * more of the files.  Everything belongs to the app; for one thread; times are ps as in the model. */
#ifndef VIEW_TIMELINE_INTERNAL_H
#define VIEW_TIMELINE_INTERNAL_H

#include "core/app.h"
#include "view/timeline/detail/cause.h"
#include "view/timeline/detail/details.h"
#include "view/timeline/draw/picture.h"
#include "view/timeline/marks/marks.h"
#include "view/timeline/scene/views.h"
#include "view/timeline/search/search.h"
#include "view/timeline/stats/inview.h"
#include "view/timeline/stats/statistics.h"
#include "view/timeline/steps/lineup.h"
#include "view/timeline/steps/table.h"

/* in the plot: columns and lines; what was in view, and which row was on top, when the button was pressed */
struct drag {
	bool held, moved;
	int from, to, from_y, to_y;
	bool of_end; /* an end of the interval is moved, this one stays: */
	int64_t stays;
	struct viewport port;
	size_t top;
};

struct timeline {
	struct scene scene; /* first: scene_of() */
	struct search search;
	struct filter filter;
	struct marks marks;
	struct flows flows;
	struct details details;
	struct cause cause;
	struct step_table steps;
	struct lineup lineup;
	struct picture picture;
	struct inview inview;
	struct statistics stats;
	struct interval written; /* by E, while it writes */
	struct drag drag;
	struct scene_views views;
	bool picks_opened; /* the statistics, which close with them */
	bool fitted;
	int64_t fit_t0, fit_t1; /* interval that f fitted last */
	/* the last jump; equal jumps in a row are one entry of the history */
	enum action last;
};

_Static_assert(offsetof(struct timeline, scene) == 0, "scene_of() relies on it");

static inline struct timeline *timeline_of(const struct view *v)
{
	return v->state;
}

/* pane.c */
void timeline_draw_pane(struct timeline *, struct canvas *);

/* mouse.c, copy.c */
unsigned timeline_mouse(struct timeline *, const struct mouse *);
bool timeline_drags(const struct timeline *);
void timeline_draw_drag(const struct timeline *, struct canvas *);
/* copies what the pane shows (of the table of steps its row); -1 = nothing */
int timeline_copy(struct timeline *, FILE *);
char *timeline_names(const struct view *); /* of two or more selected events, a line each; else NULL */
void timeline_document(struct view *, struct document *);
void timeline_add(void *view, struct report *);
const char *timeline_table(const struct view *); /* the table shown in the pane */

/* place.c: what a session saves */
void timeline_save_place(const struct timeline *, struct kv *);
void timeline_restore_folds(struct timeline *, const struct kv *); /* before making the rows */
void timeline_restore_place(struct timeline *, const struct kv *); /* after making the rows */

/* carry.c: goes where timeline_carry() says, if it says something */
void timeline_arrive(struct timeline *, const struct kv *);

/* act.c; timeline.c */
/* handles all actions of the view; uses the times of the row's host */
unsigned timeline_act(struct timeline *, enum action, int count);
void timeline_show_picks(struct timeline *); /* the list and the sums of two or more selected events */

/* status.c */
void timeline_status(const struct view *, char *left, char *right, size_t size);
void timeline_find_status(const struct view *, char *buf, size_t size);
void timeline_title_right(const struct view *, char *buf, size_t size);

/* bar.c */
const struct bar_entry *timeline_bar(const struct view *, size_t *n);

#endif
