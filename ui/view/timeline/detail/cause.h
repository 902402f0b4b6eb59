/* The pane that says what held the selected event (or the step at the cursor) up: analyze/events/chain.h.  Open
 * until Esc or its key; made again when something else is selected.  Up and down go from line to line, Enter to
 * the event that a line speaks of.  `sc` and `flows` are given once; cause_forget() frees the rest. */
#ifndef VIEW_TIMELINE_CAUSE_H
#define VIEW_TIMELINE_CAUSE_H

#include "analyze/events/chain.h"
#include "view/timeline/detail/flows.h"

struct cause {
	struct scene *sc;
	struct flows *flows;
	bool made;
	bool chosen; /* what it is to be made for; made when arrows are known */
	uint32_t track;
	size_t event;            /* of what it was made for */
	const struct step *step; /* it was made for a step */
	bool utc;                /* its times are */
	bool of_table;           /* for a step of the table, whatever is selected: there Esc goes back to */
	struct chain chain;
	size_t cur, top;
};

unsigned cause_toggle(struct cause *);
unsigned cause_of_step(struct cause *, const struct step *); /* in place of the table of steps */
/* true: the action was the pane's */
bool cause_act(struct cause *, enum action, int count, unsigned *react);
void cause_forget(struct cause *); /* events have other places now */
void cause_draw(struct cause *, struct canvas *, struct rect);
int cause_copy(const struct cause *, FILE *); /* all the lines; -1 = not made */

#endif
