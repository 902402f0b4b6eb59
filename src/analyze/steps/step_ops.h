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
/* Visits for a caller that walks the ops of a core anyway.  It passes each op, in the order of the tracks
 * (trace_track_of()), with the pair as decoded, or NULL to have it read here.  step_feed_op() returns false
 * as soon as the ops are not in order of time: then everything reported is void, and step_ops_visit() has to
 * be used.  Needs at least one step, all of one core; the dump and the rows must stay alive.  Each feed is
 * used by one thread. */
struct step_pair {
	int64_t start, dur, id; /* as from clock_pair_and(); id: STEP_OP_NO_ID if there is none */
	bool known;             /* start and dur are known */
};
struct step_feed;
struct step_feed *step_feed_new(const struct dump *, const struct step *row, size_t nrows,
    const struct step_ops_visitor *);
bool step_feed_asks(const struct step_feed *, uint32_t meta); /* Does it need the ID of ops of that kind? */
bool step_feed_op(struct step_feed *, uint32_t track, size_t i, const struct step_pair *);
void step_feed_end(struct step_feed *);         /* to be called after the last op */
bool step_feed_whole(const struct step_feed *); /* it ended, and all ops were in order */
void step_feed_free(struct step_feed *);        /* NULL is allowed */

uint64_t step_ops_count(const struct dump *, uint32_t plane); /* number of ops to read */

#endif
