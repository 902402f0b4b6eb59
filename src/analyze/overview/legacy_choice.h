/* Decides whether a result that a profiler left (model/toolfile.h) takes the place of a capture. */
#ifndef ANALYZE_OVERVIEW_LEGACY_CHOICE_H
#define ANALYZE_OVERVIEW_LEGACY_CHOICE_H

#include "analyze/ops/opdb.h"
#include "model/toolfile.h"

/* Returns the first file of that kind if the dump has no ops of its own under those options; NULL: use the
 * ops.  *more: how many other such files there are. */
const struct toolfile *legacy_instead(const struct dump *, enum file_kind, const struct opdb_options *,
    size_t *more);

#endif
