/* The selected event: a pane with the most important facts, or a page with everything known.  It is looked up
 * when it is shown; statistics over all occurrences of an op, which may take long, are computed after the
 * screen was drawn.  `sc` and `flows` are set once; details_free() frees the rest. */
#ifndef VIEW_TIMELINE_DETAILS_H
#define VIEW_TIMELINE_DETAILS_H

#include "analyze/events/detail.h"
#include "view/timeline/detail/flows.h"

struct details {
	struct scene *sc;
	struct flows *flows;
	struct detail d;
	bool has, all_done; /* all_done: its occurrences are counted */
	uint32_t track;     /* the event shown */
	size_t event;
	int top, lines; /* of the page: first visible line, number of lines */
	unsigned of;    /* cursor.chosen that `top` belongs to: another event starts at its top */
};

void details_free(struct details *);
bool details_step(struct details *); /* more to do? */
void details_draw(struct details *, struct canvas *, struct rect);
void details_draw_page(struct details *, struct canvas *);
void details_text(struct details *, FILE *); /* the text of the page */
int details_top(const struct details *);     /* first visible line of the page */
void details_scroll(struct details *, long by);

#endif
