/* Rows that the file does not hold but its stats imply (tpuscope(7), TRACKS), made per core when somebody
 * unfolds them: steps from repeats of the longest module, framework ops (tf_op), name scope (tf_op split at
 * '/', nested), source (file:line).  A derived track is a normal track with file = -1 and kinds of its own
 * (evmeta.full = the whole path); it is appended to trace.tracks (so indices stay), classified and indexed
 * when the dump is.  The expand rule is XProf's: an event is extended when the next op has the same key and
 * the gap is not more than twice what it lasts so far; the next run of a module begins anew; nothing is
 * shrunk.  Derived tracks never appear in `report info|trace` and not in trace.events.  Owner thread only;
 * pointers into trace.tracks and trace.metas move. */
#ifndef ANALYZE_TRACE_DERIVE_H
#define ANALYZE_TRACE_DERIVE_H

#include "model/dump.h"

/* TRACK_STEPS, TRACK_FRAMEWORK, TRACK_SCOPE, TRACK_SOURCE.  The one that the file holds or that was made
 * before, if there is one; made anew in its place when the clock of the ops was changed since.  UINT32_MAX
 * when there is nothing to derive. */
uint32_t derive_track(struct dump *, uint32_t plane, enum track_role);

/* One row for several threads: the union of their working time (innermost event not a wait), flat, kind =
 * CLASS_HOST; waiting of all of them is the rest.  For folded thread groups; a new track at every call,
 * UINT32_MAX when none of them ever works. */
uint32_t derive_union(struct dump *, const uint32_t *tracks, size_t n, const char *name);

/* Memory in use per allocator from its events on the host (MemoryAllocation, MemoryDeallocation:
 * bytes_reserved + bytes_allocated), in bytes, on the device's plane where there is one: "HBM in use" of a
 * device, "memory in use (NAME)" of a named allocator. Returns how many counters were added. */
size_t derive_memory_counters(struct dump *);

#endif
