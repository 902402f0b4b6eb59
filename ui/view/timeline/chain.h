/* The pane that says what held the selected event (or the step at the cursor) up: analyze/events/chain.h.  Open
 * until Esc or its key; made again when something else is selected.  Up and down go from line to line, Enter
 * to the event that a line speaks of. */
#ifndef VIEW_TIMELINE_CHAIN_H
#define VIEW_TIMELINE_CHAIN_H

#include "analyze/events/chain.h"
#include "core/input/action.h"
#include "core/paint/canvas.h"

struct tl;

struct tl_chain {
	bool made;
	bool chosen; /* what it is to be made for; made when arrows are known */
	uint32_t track;
	size_t event;            /* of what it was made for */
	const struct step *step; /* it was made for a step */
	bool utc;                /* its times are */
	bool of_table;           /* that of the table's cursor, whatever is selected */
	struct chain chain;
	size_t cur, top;
};

unsigned tl_chain_toggle(struct tl *);
/* true: the action was the pane's */
bool tl_chain_act(struct tl *, enum action, int count, unsigned *react);
void tl_chain_forget(struct tl *);                         /* events have other places now */
void tl_chain_title(const struct tl *, char *buf, size_t); /* when it is made */
void tl_draw_chain(struct tl *, struct canvas *, struct rect);

#endif
