/* Arrows between events (tpuscope(7), ARROWS): producer/consumer pairs (_p,_pt → _c,_ct[,_pid]), flow stats
 * (direction, ID, category bits), host launch → device module by (low 28 bits of run_id, core), and the
 * file's own edges.  Matching is by the whole tuple and per host.  An ID that 64 producers and 64 consumers
 * use is skipped and counted.  Every event's stats have to be read: links_find() makes all arrows, including
 * those of the file, and only reads the dump: any thread.  overlay_links() (overlay.h) takes them over into the
 * dump that is shown.  Repeating both changes nothing. */
#ifndef ANALYZE_TRACE_LINKS_H
#define ANALYZE_TRACE_LINKS_H

#include "base/progress.h"
#include "model/dump.h"

struct links_found {
	struct edge *edges;
	size_t n, cap;
	uint32_t *by_dst;
	size_t skipped; /* IDs skipped because too many events share them */
};

/* Returns false when canceled; then nothing is kept.  Frees the result of an earlier run, so the struct must
 * begin zeroed. */
bool links_find(const struct dump *, struct links_found *, struct progress *);
void links_found_free(struct links_found *);
/* Sorts arrows, removes duplicates and makes by_dst: after event indices have changed.  false: canceled. */
bool links_order(struct links_found *, const struct progress *);
/* edges that leave an event; they are contiguous */
size_t links_from(const struct dump *, uint32_t track, size_t i, const struct edge **first);
/* indices of the edges that arrive at an event */
size_t links_to(const struct dump *, uint32_t track, size_t i, uint32_t *edges, size_t max);

#endif
