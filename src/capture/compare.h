/* Captures compared (analyze/diff): what a comparison needs of one, and the comparison.  A side owns its texts, so its
 * capture may be closed before the other one is opened.  The caller frees what it gets.  A side is made in the thread
 * that owns the capture. */
#ifndef CAPTURE_COMPARE_H
#define CAPTURE_COMPARE_H

#include "analyze/diff/diff.h"
#include "capture/capture.h"

/* RESULT_DIFF: the capture, whatever part of it is chosen, against its base */
struct compared {
	struct side side;
	struct diff diff;
};
/* RESULT_DELTAS: columns beside HLO_TABLE and the tables of FRAMEWORK (diff_delta_schema), with the same rows */
struct deltas {
	struct table ops, framework[2];
};

/* Free it with capture_side_free().  NULL with err: canceled. */
struct side *capture_side(struct capture *, const struct side_options *, struct err *);
void capture_side_free(struct side *); /* NULL is allowed */
/* As diff_make() and diff_sweep(): of one new side that may be several captures, or of several against the base. */
int capture_diff(const struct side *const *base, size_t nbase, const struct side *const *new, size_t nnew,
    bool sweep, const struct diff_options *, struct diff *, struct err *);

#endif
