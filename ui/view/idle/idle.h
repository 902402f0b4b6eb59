/* Idle, a page of the tab Overview: why cores are idle.  Above, the causes as bars; below, the longest pieces of idle
 * time with their causes, what hosts did while cores waited for launches, the cores, and the steps (u), each a sheet
 * with a card of its row.  Shows RESULT_IDLE (analyze/idle). */
#ifndef VIEW_IDLE_IDLE_H
#define VIEW_IDLE_IDLE_H

#include "analyze/idle/idle.h"
#include "core/view.h"
#include "view/pages.h"

enum idle_page { IDLE_LONGEST, IDLE_LAUNCHES, IDLE_CORES, IDLE_STEPS, IDLE_PAGES };

struct idle_view {
	struct pages pages;
	const struct idle *v; /* NULL: not ready */
};

int idle_card(struct view *, struct canvas *, struct rect, enum frame_card); /* draw.c */
struct rect idle_above(struct view *, struct canvas *, struct rect);

#endif
