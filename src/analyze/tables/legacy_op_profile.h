/* The op profile that a profiler left as *.op_profile.json (tpuscope(7), OP PROFILE), as the same tree that
 * captures give.  Old files have fractions: `time` of the root, `flops` of what the chip could do in the
 * whole time, and `memoryBandwidth`.  Newer files also have raw times, FLOPs and bytes.  A node with
 * metrics.time is of the old kind.  A number that a node lacks while others have it is 0, because proto3 JSON
 * leaves out zeros; a number that no node has is unknown.  The tree points into the file's JSON, which must
 * stay open; the caller frees (opprofile_free). */
#ifndef ANALYZE_TABLES_LEGACY_OP_PROFILE_H
#define ANALYZE_TABLES_LEGACY_OP_PROFILE_H

#include "analyze/ops/profile.h"
#include "model/toolfile.h"

/* Makes the tree by `*group`, with or without idle time.  If the file does not have that one, takes the
 * nearest one and changes *group and *with_idle accordingly.  Returns -1 when the file has none. */
int legacy_op_profile(const struct toolfile *, enum op_group *group, bool *with_idle, struct opprofile *,
    struct err *);

#endif
