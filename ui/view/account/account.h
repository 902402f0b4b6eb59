/* Account and What if, two views of the tab Overview, on RESULT_REPLAY (analyze/replay).
 * Account: the parts of the step with its roofs, by part, core, step, op and on the critical path (u), each a sheet;
 * the card says what mending saves, and who decides the step.
 * What if: the standard changes and those of findings, of which Space takes some at once; what they save together,
 * and each on top, is replayed in the background. */
#ifndef VIEW_ACCOUNT_ACCOUNT_H
#define VIEW_ACCOUNT_ACCOUNT_H

#include "analyze/findings/findings.h"
#include "analyze/replay/replay.h"
#include "core/input/prompt.h"
#include "core/view.h"
#include "view/pages.h"
#include "widget/sheet/sheet.h"

enum account_page { ACCOUNT_PARTS, ACCOUNT_CORES, ACCOUNT_STEPS, ACCOUNT_OPS, ACCOUNT_PATH, ACCOUNT_PAGES };

struct account_view {
	struct pages pages;
	const struct replay *r; /* NULL: not ready */
};

/* above.c: where the step goes in one bar, what is light of it, and the pages; returns the rest of the area */
struct rect account_above(struct view *, struct canvas *, struct rect);
/* card.c */
int account_card(struct view *, struct canvas *, struct rect, enum frame_card);

/* A row of What if. */
struct whatif_row {
	const char *id, *text; /* of the standard change, or of a finding */
	char *change;
	bool at_most, on;
	double save, more, whole; /* ps: alone, and on top of what is on; NaN: not known */
};

struct whatif_view {
	struct frame frame;
	const struct replay *r;
	struct whatif_row *v;
	size_t n, cap;
	struct table table;
	struct sheet sheet;
	struct whatif_job *job;  /* that is under way */
	struct prediction joint; /* of what is on; NaN: not known yet */
	struct history past;
	char *wanted; /* rows that are on in another session, or that a finding asks for: ids, one a line */
};

/* whatif_card.c */
int whatif_card(struct view *, struct canvas *, struct rect, enum frame_card);
struct rect whatif_above(struct view *, struct canvas *, struct rect);

#endif
