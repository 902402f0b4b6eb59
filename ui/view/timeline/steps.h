/* The table of steps, one row per step over all cores: duration of the slowest core, on which the step after
 * begins that much later, which core it was, its idle and infeed time, `!` where it is slow among those
 * shown; all by the clock in use.  Sorted by time or by a column; and the walk over what is worth a look
 * in this view (slow steps, longest idle gaps of the devices).  Idle and infeed take a scan of all ops: a job
 * (core/job.h), begun when the table is on the screen.  Open until Esc or its key; belongs to struct tl. */
#ifndef VIEW_TIMELINE_STEPS_H
#define VIEW_TIMELINE_STEPS_H

#include "analyze/steps/steps.h"
#include "base/text/units.h"
#include "core/input/action.h"
#include "core/paint/canvas.h"

struct tl;
struct rows_node;
struct tl_steps_job;

enum tl_step_key { STEP_NUMBER, STEP_LONGEST, STEP_NEXT, STEP_CORE, STEP_IDLE, STEP_INFEED, STEP_KEYS };

struct tl_step_row {
	const struct step *worst; /* the longest core's */
	int64_t from, to;         /* of that core */
	int64_t interval;         /* to the begin of its next one, -1 = last step */
	size_t cores;
	bool slow;
};

struct tl_problem {
	int64_t from, to;
	uint32_t track;
	size_t event;
	bool gap;
	const struct tl_step_row *step;
};

struct tl_step_table {
	bool made, with_ops, problems_made;
	bool below;               /* statistics took its place: Esc there comes back to it */
	int host;                 /* whose rows these are */
	struct steps own;         /* with_ops */
	struct tl_steps_job *job; /* while it is made */
	struct tl_step_row *row;
	size_t n;    /* in the order of the key */
	double mean; /* ps, of the steps that all cores have */
	size_t nslow;
	enum time_unit unit[STEP_KEYS]; /* of numbers */
	enum tl_step_key key;
	bool reverse;
	size_t cur, top;
	struct tl_problem *problem;
	size_t nproblems;
};

unsigned tl_steps_toggle(struct tl *);
/* true: the action was the table's */
bool tl_steps_act(struct tl *, enum action, int count, unsigned *react);
void tl_steps_step(struct tl *);
void tl_steps_free(struct tl *);
void tl_steps_forget(struct tl *);                                    /* events have other times now */
void tl_steps_want(struct tl *);                                      /* rows as they are now */
bool tl_steps_falls(const struct tl_step_table *);                    /* the largest first */
int64_t tl_steps_value(const struct tl_step_row *, enum tl_step_key); /* a number, ps; -1: not known */
void tl_draw_steps(struct tl *, struct canvas *, struct rect);
unsigned tl_move_problem(struct tl *, int count);

#endif
