/* Scopes, a page of the tab Ops: the time of ops as a tree of the program's name scopes, or of its source (u), with the
 * phases of training, rates and gaps, and a card of a scope with its ops.  Shows RESULT_SCOPES (analyze/scopes). */
#ifndef VIEW_SCOPES_SCOPES_H
#define VIEW_SCOPES_SCOPES_H

#include "analyze/scopes/scopes.h"
#include "core/view.h"
#include "view/frame.h"
#include "widget/sheet/sheet.h"

struct scopes_view {
	struct frame frame;
	const struct scopes *s; /* NULL: not ready */
	struct table table;     /* in the order of the tree: a row is a scope */
	struct sheet sheet;
	uint32_t *parent; /* by row */
	uint64_t *key;
};

int scopes_card(struct view *, struct canvas *, struct rect, enum frame_card); /* card.c */

#endif
