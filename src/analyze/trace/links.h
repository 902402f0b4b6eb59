/* Arrows between events (tpuscope(7), ARROWS): producer/consumer pairs (_p,_pt → _c,_ct[,_pid]), flow stats
 * (direction, id, category bits), host launch → device module by (run_id low 28 bits, core), and the file's
 * own edges.  Keyed on the tuple itself, per host; an id used by 64 producers and 64 consumers is skipped
 * and reported as a problem.  It reads every event's stats, so it comes in two parts: links_find() makes
 * all arrows there are, those of the file among them, and only reads the dump: any thread, while nobody
 * writes to the dump.  links_adopt() puts them into trace.edges, sorted by source, with edge_by_dst: owner
 * thread, at once. Doing it again changes nothing. */
#ifndef ANALYZE_TRACE_LINKS_H
#define ANALYZE_TRACE_LINKS_H

#include "base/progress.h"
#include "model/dump.h"

struct links_found {
	struct edge *edges;
	size_t n, cap;
	uint32_t *by_dst;
	size_t skipped; /* ids that tie nothing together */
};

/* false: cancelled, nothing is kept.  Frees what an earlier run left: begin with zeroes. */
bool links_find(const struct dump *, struct links_found *, struct progress *);
void links_adopt(struct dump *, struct links_found *); /* empties it */
void links_found_free(struct links_found *);
/* sorts trace.edges, drops repeated ones, makes edge_by_dst: after the indices in them changed */
void links_index(struct trace *);
/* edges leaving an event: contiguous */
size_t links_from(const struct dump *, uint32_t track, size_t i, const struct edge **first);
/* indices of edges arriving */
size_t links_to(const struct dump *, uint32_t track, size_t i, uint32_t *edges, size_t max);

#endif
