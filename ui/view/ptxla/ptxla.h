/* What PyTorch/XLA says about itself (analyze/ptxla/ptxla.h, RESULT_PTXLA): pages with a table each, of which those
 * that have rows are shown: metrics by unit, counters, reports one after the other, compilations
 * and executions by line of code, cause and graph, what is not lowered, saved graphs.  Metrics and counters are those
 * of the last report of each process, or of the report that was chosen.  The card says what the row means, what to do,
 * and for metrics and counters how they went from report to report.  ptxla.c is the view and its keys, pages.c fills
 * the tables, card.c is the card. */
#ifndef VIEW_PTXLA_PTXLA_H
#define VIEW_PTXLA_PTXLA_H

#include "analyze/ptxla/tables/tables.h"
#include "core/view.h"
#include "view/frame.h"
#include "widget/tabs.h"

enum { PTXLA_PAGES = 14 };
extern const enum ptxla_table ptxla_view_pages[PTXLA_PAGES];
extern const char *const ptxla_view_titles[PTXLA_PAGES];

struct ptxla_view {
	struct frame frame;
	const struct ptxla *x;    /* a result, requested again for each drawing; NULL = not ready */
	size_t page;              /* index in ptxla_view_pages */
	size_t report;            /* SIZE_MAX: the last of each process */
	size_t rows[PTXLA_PAGES]; /* of each page */
	struct table table;       /* the one shown */
	size_t *of, nof;          /* of metrics and counters: their indexes, row by row */
	struct ptxla_group_row *groups;
	size_t ngroups;
	struct sheet sheet[PTXLA_PAGES];
	char want[REF_TEXT_MAX]; /* row that a jump named; "": none */
	struct tabs tabs;
};

/* pages.c */
void ptxla_view_fill(struct ptxla_view *);
void ptxla_view_drop(struct ptxla_view *);
void ptxla_view_count(struct ptxla_view *); /* rows of all pages, and the page to begin with */
struct sheet *ptxla_view_sheet(struct view *);
/* Goes to the page and row of a metric, counter, line of code or graph; false: there is none. */
bool ptxla_view_find(struct ptxla_view *, const char *name);
size_t ptxla_view_row(const struct ptxla_view *); /* SIZE_MAX: none */

/* card.c */
int ptxla_view_card(struct view *, struct canvas *, struct rect, enum frame_card);

#endif
