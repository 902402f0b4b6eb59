/* The ops of one core and the step that each belongs to.  The step is decided on the plain clock, like the
 * markers: an op belongs to the first step that it overlaps.  Its duration is that of the device where the
 * file has one (clock_pair).  An op is reported when it is over, after the ops inside it; ops outside of all
 * steps are left out.  `self` is the duration without the ops directly inside.  ps.  Ops that are in order of
 * time in the file need no memory; others are sorted first.  The dump is only read and must stay alive. */
#ifndef ANALYZE_STEPS_STEP_OPS_H
#define ANALYZE_STEPS_STEP_OPS_H

#include "analyze/steps/steps.h"
#include "base/progress.h"

#define STEP_OP_NO_ID INT64_MIN

struct step_op {
	int64_t start, dur, self;
	int64_t plain_start, plain_end;
	int64_t id; /* all_reduce_unique_id if `traffic` asks for it, else STEP_OP_NO_ID */
	uint32_t track, meta;
	size_t event;
	size_t step; /* index of the row among those given */
};

/* visit: called with NULL at the beginning, and perhaps once more: then everything reported so far is void.
 * traffic: by meta, nonzero where the ID is wanted; NULL: nowhere. */
struct step_ops_visitor {
	void (*visit)(void *ctx, const struct step_op *);
	void *ctx;
	const uint8_t *traffic;
};

/* rows: the steps of one core, by start.  Returns false when canceled.  The progress counts every op
 * read. */
bool step_ops_visit(const struct dump *, const struct step *row, size_t nrows, struct progress *,
    const struct step_ops_visitor *);
/* Visits the ops of row `only` alone, and reads few others. */
bool step_ops_visit_one(const struct dump *, const struct step *row, size_t nrows, size_t only,
    struct progress *, const struct step_ops_visitor *);
/* Visits for a caller that walks the ops of a core anyway: a single line of them, in order of time, each with its
 * pair.  It fills in an op when it begins, but for `self`, the plain times and the step, and passes it on when it is
 * over, with what it left to itself.  Needs at least one step, all of one core; the dump and the rows must stay alive.
 * Each feed is used by one thread. */
struct step_feed;
struct step_feed *step_feed_new(const struct dump *, const struct step *row, size_t nrows,
    const struct step_ops_visitor *);
void step_feed_enter(struct step_feed *, struct step_op *); /* finds its plain times and its step */
void step_feed_leave(struct step_feed *, const struct step_op *);
void step_feed_free(struct step_feed *); /* NULL is allowed */

uint64_t step_ops_count(const struct dump *, uint32_t plane); /* number of ops to read */

#endif
