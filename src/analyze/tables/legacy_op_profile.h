/* The op profile that a profiler left as *.op_profile.json (tpuscope(7), OP PROFILE), as the tree that
 * captures give.  Old files tell fractions: `time` of the root, `flops` of what the chip can do in the whole
 * time, and `memoryBandwidth`; newer ones raw times, FLOPs and bytes beside the fractions.  A node with
 * metrics.time is of the old kind.  A number that is missing where others stand is 0, as proto3 JSON leaves
 * zeros out; one that no node has is not known.  The tree points into the file's JSON, which must stay open;
 * the caller frees (opprofile_free). */
#ifndef ANALYZE_TABLES_LEGACY_OP_PROFILE_H
#define ANALYZE_TABLES_LEGACY_OP_PROFILE_H

#include "analyze/ops/profile.h"
#include "model/toolfile.h"

/* The tree by `*group`, with or without idle time; a file that does not have it gives the nearest it has and
 * says which.  -1: the file has none. */
int legacy_op_profile(const struct toolfile *, enum op_group *group, bool *with_idle, struct opprofile *,
    struct err *);

#endif
