/* The table of steps, one row per step over all cores: duration on the slowest core, time to its next step,
 * which core it is, how it differs from the median step, and `!` if it is slow among those shown; all by the clock
 * in use.  Sorted by time until another order is chosen.  Also goes through what is worth a look in this view
 * (slow steps, longest idle gaps of the devices).  What the core did comes from RESULT_STEPS, asked for
 * when the table is on the screen.  Open until Esc or its key.  The screen, copies and
 * exports have the columns of steps.def.  `sc` is set once, then call step_table_open(). */
#ifndef VIEW_TIMELINE_STEP_TABLE_H
#define VIEW_TIMELINE_STEP_TABLE_H

#include "view/timeline/scene/scene.h"
#include "widget/sheet/sheet.h"

struct step_row {
	const struct step *worst; /* the step on the slowest core */
	int64_t from, to;         /* on that core */
	int64_t interval;         /* to the start of its next step, -1 = last step */
	size_t cores;
	bool slow;
};

struct step_problem {
	int64_t from, to;
	uint32_t track;
	size_t event;
	bool gap;
	const struct step_row *step;
};

struct step_table {
	struct scene *sc;
	bool made, problems_made;
	bool below;           /* statistics cover it: Esc there returns to it */
	int host;             /* host of these rows */
	unsigned times;       /* scene.changes.times when they were made */
	unsigned long serial; /* of RESULT_STEPS that the table has; 0: none yet */
	struct step_row *row; /* by time */
	size_t n;
	double mean; /* ps, of the steps that are on all cores */
	size_t nslow;
	struct table table; /* of the rows */
	struct sheet sheet;
	struct step_problem *problem;
	size_t nproblems;
};

extern const struct schema step_table_schema;

void step_table_open(struct step_table *);
void step_table_close(struct step_table *);
void step_table_want(struct step_table *);                         /* makes the current rows */
const struct step_row *step_table_here(const struct step_table *); /* the row under its cursor, NULL = none */
unsigned step_table_toggle(struct step_table *);
/* true: the table handled the action */
bool step_table_act(struct step_table *, enum action, int count, unsigned *react);
void step_table_step(struct step_table *);
void step_table_forget(struct step_table *); /* for when events have other times */
void step_table_draw(struct step_table *, struct canvas *, struct rect);
int step_table_copy(struct step_table *, FILE *); /* copies the row under its cursor; -1 = none */
unsigned step_table_go_to_problem(struct step_table *, int count); /* goes to the next one after the cursor */

#endif
