/* The selected event: a pane of what is worth knowing of it, or a page of all that is known.  It is looked up
 * when it is shown; how all occurrences of an op do is counted once the screen is drawn, where that takes long.
 * `sc` and `flows` are given once; details_free() frees the rest. */
#ifndef VIEW_TIMELINE_DETAILS_H
#define VIEW_TIMELINE_DETAILS_H

#include "analyze/events/detail.h"
#include "view/timeline/detail/flows.h"

struct details {
	struct scene *sc;
	struct flows *flows;
	struct detail d;
	bool has, all_done; /* all_done: its occurrences are counted */
	uint32_t track;     /* of which event it is */
	size_t event;
	int top, lines; /* of the page: first one in sight, how many */
	unsigned of;    /* cursor.chosen that top is of: another event begins at its top */
};

void details_free(struct details *);
bool details_step(struct details *); /* more to do? */
void details_draw(struct details *, struct canvas *, struct rect);
void details_draw_page(struct details *, struct canvas *);
void details_text(struct details *, FILE *); /* what the page says */
int details_top(const struct details *);     /* first line of the page in sight */
void details_scroll(struct details *, long by);

#endif
