/* Tracks that the file does not have but its stats imply (tpuscope(7), TRACKS), made per core when the user
 * unfolds them: steps from the runs of a program (step_program.h), framework ops (tf_op), name scopes (tf_op split at
 * '/', nested), source lines (file:line).  A derived track is a normal track with file = -1 and kinds of its own
 * (evmeta.full = the whole path), in an overlay (overlay.h).  It is classified and indexed if the dump is.  Events are
 * merged as in XProf: the next op with the same key extends an event if the gap is at most twice the event's length so
 * far; each run of a module begins new events; nothing is ever shortened.  Derived tracks are not part of
 * trace.events. */
#ifndef ANALYZE_TRACE_DERIVE_H
#define ANALYZE_TRACE_DERIVE_H

#include "analyze/trace/overlay.h"

/* Returns the track with the role TRACK_STEPS, TRACK_FRAMEWORK, TRACK_SCOPE or TRACK_SOURCE: the one in the
 * file or one made before, if there is one.  UINT32_MAX: nothing to derive it from. */
uint32_t derive_track(struct overlay *, uint32_t plane, enum track_role);

/* Makes one track for a group of threads that is folded: the union of their working time, where the innermost
 * event is not a wait.  It is flat, of kind CLASS_HOST; in the gaps all threads wait.  Each call makes a new
 * track.  UINT32_MAX when none of them ever works. */
uint32_t derive_union(struct overlay *, const uint32_t *tracks, size_t n, const char *name);

/* While a dump is prepared: makes counters of the memory in use from the events of the allocators on the host
 * (MemoryAllocation, MemoryDeallocation: bytes_reserved + bytes_allocated), in bytes.  A counter is on the plane of
 * its device if there is one: "HBM in use" for a device, "memory in use (NAME)" for a named allocator.  Returns how
 * many counters were added. */
size_t derive_memory_counters(struct dump *);
/* Likewise, of each plane that says that events were dropped: a counter "dropped_traces", from its first event on. */
void derive_dropped_counters(struct dump *);

#endif
