/* LLO: the kernels of LLO dumps (RESULT_LLO): two dumps compared where two are open; the list of kernels; and of the
 * one that is chosen what limits it, its bundles, loops, source lines, transfers and memory.  All pages but that of
 * the kernel are sheets.  A schedule and no measurement, which each page says. */
#ifndef VIEW_LLO_LLO_H
#define VIEW_LLO_LLO_H

#include "analyze/llo/llo.h"
#include "core/view.h"
#include "view/frame.h"
#include "widget/sheet/sheet.h"
#include "widget/tabs.h"

enum llo_page {
	LLO_PAGE_COMPARE,
	LLO_PAGE_KERNELS,
	LLO_PAGE_KERNEL,
	LLO_PAGE_BUNDLES,
	LLO_PAGE_LOOPS,
	LLO_PAGE_LINES,
	LLO_PAGE_DMA,
	LLO_PAGE_MEMORY,
	LLO_PAGES
};

struct llo_view {
	struct frame frame;
	const struct llo *l; /* NULL: not ready */
	enum llo_page page;
	size_t kernel; /* index in l->v */
	struct table table[LLO_PAGES];
	struct sheet sheet[LLO_PAGES];
	struct schema bundles; /* its columns, with those of the units, and its form are the table's */
	bool opened;           /* the sheet of bundles is */
	char want[REF_TEXT_MAX];
	struct tabs tabs;
};

const struct llo_kernel *llo_view_kernel(const struct llo_view *); /* NULL: there is none */
void llo_view_draw(struct view *, struct canvas *, struct rect);   /* draw.c: the page of the kernel */
int llo_view_card(struct view *, struct canvas *, struct rect, enum frame_card); /* card.c */

#endif
