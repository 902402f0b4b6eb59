/* The pane that explains what held up the selected event (or the step at the cursor): analyze/events/chain.h.
 * It is open until Esc or its key, and made again when something else is selected.  Up and down move between
 * lines, Enter goes to the event of a line.  `sc`, `flows` and `marks` are set once; cause_forget() frees the rest. */
#ifndef VIEW_TIMELINE_CAUSE_H
#define VIEW_TIMELINE_CAUSE_H

#include "analyze/events/chain.h"
#include "view/timeline/detail/flows.h"
#include "view/timeline/marks/marks.h"

struct cause {
	struct scene *sc;
	struct flows *flows;
	struct marks *marks;
	bool made;
	bool chosen; /* what to make it for is known; made when flows are known */
	uint32_t track;
	size_t event;            /* the event it was made for */
	const struct step *step; /* the step it was made for, else NULL */
	bool utc;                /* its times are UTC */
	bool of_table; /* for a step of the table, independent of the selection; Esc returns to the table */
	struct chain chain;
	size_t cur, top;
};

unsigned cause_toggle(struct cause *);
unsigned cause_of_step(struct cause *, const struct step *); /* in place of the table of steps */
/* true: the pane handled the action */
bool cause_act(struct cause *, enum action, int count, unsigned *react);
void cause_forget(struct cause *); /* for when events have moved */
void cause_draw(struct cause *, struct canvas *, struct rect);
int cause_copy(const struct cause *, FILE *); /* all lines; -1 = not made */

#endif
