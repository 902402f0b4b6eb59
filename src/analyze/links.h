/* Arrows between events (trace.md §2.4): producer/consumer pairs (_p,_pt → _c,_ct[,_pid]), flow stats
 * (direction, id, category bits), host launch → device module by (run_id low 28 bits, core), and the
 * file's own edges.  Keyed on the tuple itself, per host; an id used by 64 producers and 64 consumers is
 * skipped and reported as a problem. Made lazily (it reads every event's stats).  The arrows are added to
 * those of the file in trace.edges, sorted by source, with edge_by_dst; doing it again changes nothing.
 * Owner thread. */
#ifndef ANALYZE_LINKS_H
#define ANALYZE_LINKS_H

#include "base/progress.h"
#include "model/dump.h"

void links_build(struct dump *, struct progress *);
/* sorts trace.edges, drops repeated ones, makes edge_by_dst: after the indices in them changed */
void links_index(struct trace *);
/* edges leaving an event: contiguous */
size_t links_from(const struct dump *, uint32_t track, size_t i, const struct edge **first);
/* indices of edges arriving */
size_t links_to(const struct dump *, uint32_t track, size_t i, uint32_t *edges, size_t max);

#endif
