/* Diff: the capture on the screen against its base (--against, :against).  The verdict stays above the pages (u): the
 * waterfall, what changed, ops, buffers, findings, environment, what made them unlike, steps; all but the waterfall are
 * sheets.  Shows RESULT_DIFF (analyze/diff) and computes nothing. */
#ifndef VIEW_DIFF_DIFF_H
#define VIEW_DIFF_DIFF_H

#include "capture/compare.h"
#include "core/view.h"
#include "view/frame.h"
#include "widget/sheet/sheet.h"
#include "widget/tabs.h"

enum diff_page {
	PAGE_WATERFALL,
	PAGE_CHANGES,
	PAGE_OPS,
	PAGE_MEMORY,
	PAGE_FINDINGS,
	PAGE_ENVIRONMENT,
	PAGE_COMPARABLE,
	PAGE_STEPS,
	DIFF_PAGES
};

struct diff_page_info {
	const char *name;
	enum diff_table table;
	const char *form; /* columns of its sheet, NULL: all */
	const char *key;  /* columns that name a row */
	const char *key2; /* NULL: one is enough */
};
extern const struct diff_page_info diff_pages[DIFF_PAGES];

struct diff_view {
	struct frame frame;
	const struct compared *x; /* NULL: not ready */
	enum diff_page page;
	struct sheet sheet[DIFF_PAGES]; /* the first is not used */
	struct table fall;              /* the waterfall, folded */
	struct list list;               /* its rows */
	struct tabs tabs;
};

const struct table *diff_view_table(const struct diff_view *);
size_t diff_view_row(struct view *);                                              /* SIZE_MAX: none */
struct rect diff_view_above(struct view *, struct canvas *, struct rect);         /* above.c */
void diff_view_fall(struct view *, struct canvas *, struct rect);                 /* fall.c */
int diff_view_card(struct view *, struct canvas *, struct rect, enum frame_card); /* card.c */

#endif
