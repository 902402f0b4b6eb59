/* Whether the result that a profiler left (model/toolfile.h) takes the place of a capture. */
#ifndef ANALYZE_OVERVIEW_LEGACY_CHOICE_H
#define ANALYZE_OVERVIEW_LEGACY_CHOICE_H

#include "analyze/ops/opdb.h"
#include "model/toolfile.h"

/* The first file of that kind, when the dump has no ops of its own to count with those options; NULL: count
 * them.  `more`: how many others there are. */
const struct toolfile *legacy_instead(const struct dump *, enum file_kind, const struct opdb_options *,
    size_t *more);

#endif
