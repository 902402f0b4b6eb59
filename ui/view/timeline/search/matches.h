/* Events matched by a pattern or a query, for a search or for the filter: found in slices, then tested one by
 * one. A zeroed struct matches is empty; matches_end() empties it.  `find` is complete when `working` is
 * false.  For one thread. */
#ifndef VIEW_TIMELINE_MATCHES_H
#define VIEW_TIMELINE_MATCHES_H

#include "analyze/events/find.h"
#include "analyze/events/query.h"

struct scene;

struct matches {
	char *text;
	struct query *query;
	struct query_run *run; /* while it works */
	struct find *find;
	bool working;
	bool expensive; /* a pattern reached its limit: why says so, and hits may be missing */
	struct err why;
	uint32_t *tracks;
	size_t ntracks;
	uint32_t *slot;
	size_t nslot; /* index in find.tracks of each track, UINT32_MAX = none */
};

int matches_begin(struct scene *, struct matches *, const char *text, struct err *);
bool matches_step(struct scene *, struct matches *, int budget_ms); /* more to do? */
void matches_end(struct matches *);
int matches_percent(const struct matches *);

static inline bool matches_slot(const struct matches *m, uint32_t track, size_t *k)
{
	*k = track < m->nslot ? m->slot[track] : UINT32_MAX;
	return *k != UINT32_MAX;
}

#endif
