/* What is wrong, ranked: where the step goes in one line, the findings, a card of the one selected, what was
 * checked and held nothing, what the capture cannot tell.  The line comes from the overview and is there
 * before the findings are.  findings.c is the view, findings_draw.c the list and what stands around it,
 * findings_step.c the line, findings_card.c the card.  Both results are asked for whenever something is
 * drawn or done (frame_ready); the finding selected is found again by its id and proof. */
#ifndef VIEW_FINDINGS_FINDINGS_H
#define VIEW_FINDINGS_FINDINGS_H

#include "analyze/findings/findings.h"
#include "base/text/regex.h"
#include "core/view.h"
#include "view/overview/overview.h"
#include "widget/frame.h"

/* Where things stand; rectangles without rows are not there. */
struct findings_place {
	struct rect step, list, notes;
	bool legend, head;
};

struct findings_view {
	struct frame frame;
	const struct findings *set;  /* NULL while it is computed */
	unsigned long made_overview; /* which making of the result the model is of */
	struct overview_view model;  /* of the steps; model.o NULL while they are added up */
	size_t *order;               /* of those that pass the filter: list.n */
	struct list list;
	int list_end; /* column behind the list, as drawn last */
	int lines;    /* rows of a finding: 3 with evidence and a blank, 2 without, 1 */
	bool by_cost; /* else by severity first */
	struct regex *filter;
	struct regex_scratch *scratch; /* of the search, while it is drawn */
	char *key;                     /* of the one selected; NULL = none yet */
	struct findings_place place;
};

/* in any of its texts */
bool findings_view_match(const struct finding *, const struct regex *, struct regex_scratch *);
const struct finding *findings_view_here(const struct findings_view *); /* NULL = none */

/* findings_step.c: where the mean step goes */
void findings_view_step_draw(const struct overview_view *, struct canvas *, struct rect, bool legend);

/* findings_card.c */
int findings_view_card(struct view *, struct canvas *, struct rect, enum frame_card);
/* what it costs, of the step or of the peak; -1 = not known */
double findings_view_share(const struct finding *);
void findings_view_cost(const struct finding *, char *buf, size_t size); /* "35.9 %", "1.2 GiB", "" */
const char *findings_view_mark(enum severity);                           /* "!!" */
enum role findings_view_role(enum severity);
void findings_view_text(const struct finding *, FILE *); /* title, evidence, advice */

/* findings_draw.c */
struct frame_place findings_view_divide(struct view *, struct rect);
void findings_view_draw(struct view *, struct canvas *, struct rect);
void findings_view_draw_nothing(struct view *, struct canvas *,
    struct rect); /* but the step, if it is there */

#endif
