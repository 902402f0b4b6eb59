/* The timeline from inside: what its files share.  Nothing but ui/view/timeline.c, ui/view/tl_*.c and
 * their tests includes this.
 *
 *   timeline   background work, search, places             tl_act     what the keys do
 *   tl_nav     cursor, selection, jumps
 *   layout  rectangles, a pure function of the size      viewport    columns of time: zoom, pan, fit; pure
 *   rows    rows, folding; nodes, tl_threads: which rows a dump has
 *   cells   what each column of a row holds, kept while it stays in view; tl_counter: the same of counters
 *   tl_draw    the rows · tl_gutter: names and numbers · tl_ruler: ticks (pure), ruler, minimap, hit strip
 *   mark    intervals, bookmarks, selections; tl_pick, tl_mark_draw, statistics: see mark.h
 *   pane    what is in view · tl_detail: one event · tl_hits: a search
 *   tl_status  status and title line · tl_bar: key bar
 *   tl_mouse   click, wheel, drag · tl_copy: what y and E give away
 *   tl_place   what is kept from session to session
 *
 * Times are ps as in the model.  A column k of a grid spans [k·c, (k+1)·c), k counted from time 0, so
 * that a pan by whole columns never changes what a column shows.  Rows depend on the file and on what is
 * folded, never on the view.  Everything here belongs to struct tl (the view's state), which belongs to
 * the app; one thread. */
#ifndef VIEW_TIMELINE_TL_H
#define VIEW_TIMELINE_TL_H

#include "core/app.h"
#include "core/input/prompt.h"
#include "view/timeline/detail/cause.h"
#include "view/timeline/detail/details.h"
#include "view/timeline/detail/flows.h"
#include "view/timeline/draw/picture.h"
#include "view/timeline/marks/marks.h"
#include "view/timeline/rows/rows.h"
#include "view/timeline/scene/scene.h"
#include "view/timeline/search/search.h"
#include "view/timeline/stats/inview.h"
#include "view/timeline/stats/statistics.h"
#include "view/timeline/steps/lineup.h"
#include "view/timeline/steps/table.h"
#include "view/timeline/viewport/layout.h"
#include "view/timeline/viewport/ticks.h"
#include "view/timeline/viewport/utc.h"
#include "view/timeline/viewport/viewport.h"

struct tl;

/* --- everything --- */

/* a drag in the plot: columns, and the first column there was */
struct tl_mouse {
	bool held;
	int from, to;
	int64_t k;
};

struct tl {
	struct scene scene;
	struct picture picture;
	struct search search;
	struct inview inview;
	bool memory_done; /* counters of HBM in use were looked for */
	struct details details;
	bool fitted;
	int64_t fit_t0, fit_t1; /* what f fitted last */
	struct flows flows;
	struct filter filter;
	struct step_table steps;
	struct cause cause;
	struct lineup lineup;
	struct tl_mouse mouse;
	struct marks marks;
	struct statistics stats;
	/* the jump done last: equal ones in a row are one place of the history */
	enum action last;
};

_Static_assert(offsetof(struct tl, scene) == 0, "scene_of() relies on it");

static inline struct tl *tl_of(const struct view *v)
{
	return v->state;
}

/* pane.c, tl_detail.c, tl_hits.c */
void tl_draw_pane(struct tl *, struct canvas *);

/* tl_mouse.c, tl_copy.c */
unsigned tl_mouse(struct tl *, const struct mouse *);
bool tl_mouse_drags(const struct tl *);
void tl_mouse_draw(const struct tl *, struct canvas *);
/* what the pane shows: of the table of steps its row; -1 = nothing */
int tl_copy(struct tl *, FILE *);
void tl_export(struct tl *, struct report *);
const char *tl_export_table(const struct tl *); /* the one in the pane */

/* tl_place.c: what is kept from session to session */
void tl_place_save(const struct tl *, struct kv *);
void tl_place_folds(struct tl *, const struct kv *);   /* before the rows are made */
void tl_place_restore(struct tl *, const struct kv *); /* after that */

/* tl_act.c; timeline.c */
/* all of the view's; the times of the host of the row are in use */
unsigned tl_act(struct tl *, enum action, int count);

/* tl_status.c */
void tl_status(const struct view *, char *left, char *right, size_t size);
void tl_find_status(const struct view *, char *buf, size_t size);
void tl_title_right(const struct view *, char *buf, size_t size);

/* tl_bar.c */
const struct bar_entry *tl_bar(const struct view *, size_t *n);

#endif
