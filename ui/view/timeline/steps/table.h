/* The table of steps, one row per step over all cores: duration of the slowest core, on which the step after
 * begins that much later, which core it was, its idle and infeed time, `!` where it is slow among those
 * shown; all by the clock in use.  By time until another order is chosen; and the walk over what is worth a
 * look in this view (slow steps, longest idle gaps of the devices).  Idle and infeed take a scan of all ops: a job
 * (core/job.h), begun when the table is on the screen.  Open until Esc or its key.  The screen, what is copied and
 * what is exported have the columns of steps.def.  `sc` is given once, then step_table_open(). */
#ifndef VIEW_TIMELINE_STEP_TABLE_H
#define VIEW_TIMELINE_STEP_TABLE_H

#include "view/timeline/scene/scene.h"
#include "widget/sheet.h"

struct step_table_job;

struct step_row {
	const struct step *worst; /* the longest core's */
	int64_t from, to;         /* of that core */
	int64_t interval;         /* to the begin of its next one, -1 = last step */
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
	bool made, with_ops, problems_made;
	bool below;                 /* statistics took its place: Esc there comes back to it */
	int host;                   /* whose rows these are */
	unsigned times;             /* scene.changes.times that they were made at */
	struct steps own;           /* with_ops */
	struct step_table_job *job; /* while it is made */
	struct step_row *row;       /* by time */
	size_t n;
	double mean; /* ps, of the steps that all cores have */
	size_t nslow;
	struct table table; /* of the rows */
	struct sheet sheet;
	struct step_problem *problem;
	size_t nproblems;
};

void step_table_open(struct step_table *);
void step_table_close(struct step_table *);
void step_table_want(struct step_table *);                         /* rows as they are now */
const struct step_row *step_table_here(const struct step_table *); /* under its cursor; NULL: none */
unsigned step_table_toggle(struct step_table *);
/* true: the action was the table's */
bool step_table_act(struct step_table *, enum action, int count, unsigned *react);
void step_table_step(struct step_table *);
void step_table_forget(struct step_table *); /* events have other times now */
void step_table_draw(struct step_table *, struct canvas *, struct rect);
int step_table_copy(struct step_table *, FILE *);                /* the row of its cursor; -1 = none */
const struct steps *step_table_steps(const struct step_table *); /* with what the ops did, if that is known */
unsigned step_table_go_to_problem(struct step_table *, int count); /* the next one behind the cursor */

#endif
