/* What is wrong, ranked: where the step goes in one line, the findings, a card of the selected one, what was
 * checked without a finding, what the capture cannot show.  The line comes from the overview and is shown
 * before the findings are ready.  findings.c is the view, draw.c the list and the notes, step.c the line,
 * card.c the card.  Both results are requested whenever something is drawn or done (frame_ready); the
 * selected finding is found again by its id and proof. */
#ifndef VIEW_FINDINGS_FINDINGS_H
#define VIEW_FINDINGS_FINDINGS_H

#include "analyze/account/account.h"
#include "analyze/findings/findings.h"
#include "base/text/regex.h"
#include "core/view.h"
#include "view/frame.h"

/* Layout; rectangles without rows are not shown. */
struct findings_place {
	struct rect step, list, notes;
	bool legend, head, mended;
};

struct findings_view {
	struct frame frame;
	const struct findings *set; /* NULL while it is computed */
	size_t *order;              /* indices of those that match the filter: list.n */
	struct list list;
	int list_end; /* column after the list, as last drawn */
	int lines;    /* rows of a finding: more than 3 with what to do, 3 with evidence and an empty row, 2
		       * with evidence, 1 without */
	bool checks;  /* the card is about what was checked */
	bool by_cost; /* else by severity, then cost */
	struct regex *filter;
	struct regex_scratch *scratch; /* for matching the search while drawing */
	char *key;                     /* of the selected finding; NULL = none yet */
	struct findings_place place;
};

/* is the pattern in any of its texts? */
bool findings_view_match(const struct finding *, const struct regex *, struct regex_scratch *);
const struct finding *findings_view_here(const struct findings_view *); /* NULL = none */

/* step.c: where the mean step goes, and what mending saves; NULL: not known yet */
void findings_view_mended(const struct findings *, struct canvas *, struct rect);
void findings_view_step_draw(const struct account *, struct canvas *, struct rect, bool legend);

/* card.c */
int findings_view_card(struct view *, struct canvas *, struct rect, enum frame_card);
/* share of the step or of the peak; -1 = not known */
const char *findings_view_mark(enum severity); /* "!!" */
enum role findings_view_role(enum severity);
void findings_view_text(const struct finding *, FILE *); /* title, evidence, advice */

/* checks.c: what became of the rules, below the list and as a card */
int findings_view_check_rows(const struct findings *);
void findings_view_checks(const struct findings *, struct canvas *, struct rect);
int findings_view_checks_card(const struct findings *, struct canvas *, struct rect); /* the row below */

/* draw.c */
struct frame_place findings_view_divide(struct view *, struct rect);
void findings_view_draw(struct view *, struct canvas *, struct rect);
/* only the step, if it is ready */
void findings_view_draw_nothing(struct view *, struct canvas *, struct rect);

#endif
