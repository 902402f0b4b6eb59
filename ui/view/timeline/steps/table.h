/* The table of steps, one row per step over all cores: duration of the slowest core, on which the step after
 * begins that much later, which core it was, its idle and infeed time, `!` where it is slow among those
 * shown; all by the clock in use.  Sorted by time or by a column; and the walk over what is worth a look
 * in this view (slow steps, longest idle gaps of the devices).  Idle and infeed take a scan of all ops: a job
 * (core/job.h), begun when the table is on the screen.  Open until Esc or its key.  `sc` is given once; step_table_free() frees the
 * rest. */
#ifndef VIEW_TIMELINE_STEP_TABLE_H
#define VIEW_TIMELINE_STEP_TABLE_H

#include "base/text/units.h"
#include "view/timeline/scene/scene.h"

struct step_table_job;

enum step_key { STEP_NUMBER, STEP_LONGEST, STEP_NEXT, STEP_CORE, STEP_IDLE, STEP_INFEED, STEP_KEYS };

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
	struct step_row *row;
	size_t n;    /* in the order of the key */
	double mean; /* ps, of the steps that all cores have */
	size_t nslow;
	enum time_unit unit[STEP_KEYS]; /* of numbers */
	enum step_key key;
	bool reverse;
	size_t cur, top;
	struct step_problem *problem;
	size_t nproblems;
};

void step_table_want(struct step_table *); /* rows as they are now */
unsigned step_table_toggle(struct step_table *);
/* true: the action was the table's */
bool step_table_act(struct step_table *, enum action, int count, unsigned *react);
void step_table_step(struct step_table *);
void step_table_free(struct step_table *);
void step_table_forget(struct step_table *); /* events have other times now */
void step_table_draw(struct step_table *, struct canvas *, struct rect);
int step_table_copy(struct step_table *, FILE *);                /* the row of its cursor; -1 = none */
const struct steps *step_table_steps(const struct step_table *); /* with what the ops did, if that is known */
unsigned step_table_go_to_problem(struct step_table *, int count); /* the next one behind the cursor */

#endif
