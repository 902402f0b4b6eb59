/* What each kind of op took in each step of one core, as a digest keeps it (DigestRuns in data/proto/digest.proto).
 * digest_ops_free() frees.  left_out: they are too many (DIGEST_RUNS), so there are none. */
#ifndef ANALYZE_STEPS_DIGEST_RUNS_H
#define ANALYZE_STEPS_DIGEST_RUNS_H

#include "analyze/device/digest.h"
#include "analyze/steps/steps.h"

struct digest_op {
	uint32_t meta;
	/* from the begin of its step: of the first run in a step that is no warm-up, if there is one */
	int64_t start, dur;
	size_t rank;    /* of that step; SIZE_MAX: none yet */
	uint32_t *runs; /* by step */
	int64_t *self;  /* likewise, ps */
};

struct digest_ops {
	struct digest_op *v;
	size_t n, cap, nsteps;
	bool left_out;
};

/* row: the steps of one core, by start */
void digest_ops_make(const struct dump *, const struct step *row, size_t nrows, struct digest_ops *);
/* Fills in all but the steps.  place: by meta, its number in the digest. */
void digest_ops_put(const struct dump *, const struct digest_ops *, const uint32_t *place, struct arena *,
    Pb__DigestRuns *);
void digest_ops_free(struct digest_ops *);

#endif
