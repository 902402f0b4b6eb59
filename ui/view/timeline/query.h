/* Events picked by a query (analyze/events/query.h), for a search and for the filter: found in slices, then asked
 * one by one.  A struct tl_matches of zeroes is empty; tl_matches_end() empties it.  `find` is complete when
 * `working` is false.  The filter dims what does not match and lasts until its text is empty; the search uses
 * the same for texts that are queries.  One thread. */
#ifndef VIEW_TIMELINE_QUERY_H
#define VIEW_TIMELINE_QUERY_H

#include "analyze/events/find.h"
#include "analyze/events/query.h"
#include "core/input/action.h"

struct tl;

struct tl_matches {
	char *text;
	struct query *query;
	struct query_run *run; /* while it works */
	struct find *find;
	bool working;
	uint32_t *tracks;
	size_t ntracks;
	uint32_t *slot;
	size_t nslot; /* track → place in find.tracks, UINT32_MAX */
};

/* a pattern or a query */
int tl_matches_begin(struct tl *, struct tl_matches *, const char *text, struct err *);
bool tl_matches_step(struct tl *, struct tl_matches *, int budget_ms); /* more to do? */
void tl_matches_end(struct tl_matches *);
int tl_matches_percent(const struct tl_matches *);

static inline bool tl_matches_slot(const struct tl_matches *m, uint32_t track, size_t *k)
{
	*k = track < m->nslot ? m->slot[track] : UINT32_MAX;
	return *k != UINT32_MAX;
}

int tl_filter(struct tl *, const char *text, struct err *); /* "" ends it; hits so far, -1 = err */
/* Esc: ends it; false: something else is to be left first */
bool tl_filter_leave(struct tl *);
void tl_filter_again(struct tl *); /* the rows or their events are others */
bool tl_filter_step(struct tl *, int budget_ms);
/* to the longest event of the search, else of the filter, else of the selected name, on the track of the row;
 * from there to the next longest */
unsigned tl_move_longest(struct tl *, int count);

#endif
