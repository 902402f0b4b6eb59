/* What is wrong, ranked: where the step goes in one line, the findings, a card of the one selected, what was
 * checked and held nothing, what the capture cannot tell.  The line comes from the overview and is there
 * before the findings are.  findings.c is the view, findings_draw.c the list and what stands around it,
 * findings_step.c the line, findings_card.c the card.  Both results are asked for whenever something is
 * drawn or done (findings_sync); the finding selected is found again by its id and proof. */
#ifndef VIEW_FINDINGS_FINDINGS_H
#define VIEW_FINDINGS_FINDINGS_H

#include "analyze/findings/findings.h"
#include "base/text/regex.h"
#include "core/view.h"
#include "view/overview/overview.h"
#include "widget/list.h"

struct findings_view {
	const struct findings *set;        /* NULL while it is computed */
	unsigned long made, made_overview; /* which making of the results these are */
	struct overview_view model;        /* of the steps; model.o NULL while they are added up */
	size_t *order;                     /* of those that pass the filter: list.n */
	struct list list;
	int list_end; /* column behind the list, as drawn last */
	int lines;    /* rows of a finding: 3 with evidence and a blank, 2 without, 1 */
	bool by_cost; /* else by severity first */
	struct regex *filter;
	const struct regex *find;
	struct regex_scratch *scratch; /* of `find`, while it is drawn */
	size_t hits, hit;
	char *key; /* of the one selected; NULL = none yet */
	bool full; /* the card has the whole area */
	int scroll, card_lines;
};

bool findings_sync(struct view *); /* false: the findings are not there yet */
/* in any of its texts */
bool findings_match(const struct finding *, const struct regex *, struct regex_scratch *);
const struct finding *findings_here(const struct findings_view *); /* NULL = none */

/* findings_step.c: where the mean step goes */
void findings_step_draw(const struct overview_view *, struct canvas *, struct rect, bool legend);

/* findings_card.c */
/* else below */
void findings_card(struct findings_view *, const struct dump *, struct canvas *, struct rect, bool beside);
/* what it costs, of the step or of the peak; -1 = not known */
double findings_share(const struct finding *);
void findings_cost(const struct finding *, char *buf, size_t size); /* "35.9 %", "1.2 GiB", "" */
const char *findings_mark(enum severity);                           /* "!!" */
enum role findings_role(enum severity);
void findings_text(const struct finding *, FILE *); /* title, evidence, advice */

/* findings_draw.c */
void findings_draw(struct view *, struct canvas *);

#endif
