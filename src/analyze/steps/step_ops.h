/* The ops of one core and the step that each belongs to.  Which step is decided on the plain clock, where
 * the markers stand (an op belongs to the first step that it overlaps); how long it takes is the device's
 * pair where the file has it (clock_pair).  Ops are told of once they are over, what is inside before what
 * is around it; those of no step are left out.  `self` is the duration less the ops directly inside.  ps.
 * Nothing is kept of ops that stand in the file in order of time; others are sorted first.
 * The dump is only read and must stay. */
#ifndef ANALYZE_STEPS_STEP_OPS_H
#define ANALYZE_STEPS_STEP_OPS_H

#include "analyze/steps/steps.h"
#include "base/progress.h"

#define STEP_OP_NO_ID INT64_MIN

struct step_op {
	int64_t start, dur, self;
	int64_t plain_start, plain_end;
	int64_t id; /* all_reduce_unique_id of traffic, or STEP_OP_NO_ID */
	uint32_t track, meta;
	size_t event;
	size_t step; /* among the rows given */
};

/* visit: NULL begins, maybe once more: what was told before does not count.  traffic: by meta, whose id is
 * wanted; NULL: nobody's. */
struct step_ops_visitor {
	void (*visit)(void *ctx, const struct step_op *);
	void *ctx;
	const uint8_t *traffic;
};

/* rows: the steps of one core, by start; false: cancelled.  progress is told of every op read. */
bool step_ops_visit(const struct dump *, const struct step *row, size_t nrows, struct progress *,
    const struct step_ops_visitor *);
/* The same for somebody who goes over the ops of a core anyway: told of each in the order of the tracks
 * (trace_track_of()), pair as decoded, NULL: it is read here.  step_feed_op() is false as soon as the ops do
 * not stand in order of time: then nothing counts that was told, and step_ops_visit() has to do it.  Of the
 * steps of one core, at least one; the dump and the rows must stay.  A feed is one thread's at a time. */
struct step_pair {
	int64_t start, dur, id; /* clock_pair_and(); id: STEP_OP_NO_ID where there is none */
	bool known;             /* start and dur are */
};
struct step_feed;
struct step_feed *step_feed_new(const struct dump *, const struct step *row, size_t nrows,
    const struct step_ops_visitor *);
bool step_feed_asks(const struct step_feed *, uint32_t meta); /* for the id of ops of that kind */
bool step_feed_op(struct step_feed *, uint32_t track, size_t i, const struct step_pair *);
void step_feed_end(struct step_feed *);         /* that was all of them */
bool step_feed_whole(const struct step_feed *); /* it ended, and in order */
void step_feed_free(struct step_feed *);        /* NULL: nothing */

uint64_t step_ops_count(const struct dump *, uint32_t plane); /* how many there are to read */

#endif
