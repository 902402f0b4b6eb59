/* Communication, a page of the tab Pod: what collectives and transfers cost, how much of it compute hides, and
 * how much is waiting for other cores.  Pages by op, kind, axis, source line and scope, and of cores, steps and
 * local copies (u), each a sheet with a card of its row.  Shows RESULT_COMMUNICATION (analyze/communication). */
#ifndef VIEW_COMMUNICATION_COMMUNICATION_H
#define VIEW_COMMUNICATION_COMMUNICATION_H

#include "analyze/communication/communication.h"
#include "core/view.h"
#include "view/pages.h"

enum comm_page {
	PAGE_OPS,
	PAGE_KINDS,
	PAGE_AXES,
	PAGE_SOURCES,
	PAGE_SCOPES,
	PAGE_CORES,
	PAGE_STEPS,
	PAGE_COPIES,
	COMM_PAGES
};

struct communication_view {
	struct pages pages;
	const struct communication *c; /* NULL: not ready */
};

int communication_card(struct view *, struct canvas *, struct rect, enum frame_card); /* card.c */
struct rect communication_above(struct view *, struct canvas *, struct rect);         /* above.c */

#endif
