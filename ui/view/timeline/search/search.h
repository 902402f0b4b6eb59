/* A search: its hits, the current one, those around it, and their sums by name.  Patterns and queries are looked
 * for in slices; while a query works `find` is NULL.  `sc` is given once; search_end() frees the rest. */
#ifndef VIEW_TIMELINE_SEARCH_H
#define VIEW_TIMELINE_SEARCH_H

#include "analyze/interval/window.h"
#include "view/timeline/search/filter.h"

enum {
	SEARCH_AROUND = 40, /* hits before and behind the current one */
	SEARCH_SKIP = 512   /* events of a block */
};

struct search_row {
	uint64_t rank;
	struct find_pos pos;
};

struct search {
	struct scene *sc;
	struct find *find; /* NULL = no search */
	char *pattern;
	struct find_pos at; /* current hit */
	uint64_t rank;
	uint32_t *strip;
	int strip_w; /* hits per column of the whole run */
	uint32_t *tracks;
	size_t ntracks;
	struct window names;
	bool names_begun, names_done;
	/* those of the names that match, by total time */
	const struct window_name **sorted;
	size_t nsorted;
	uint8_t *name_hit;
	size_t name_hit_n; /* by strid */
	struct search_row around[SEARCH_AROUND];
	int naround, here;
	uint8_t **skip;
	size_t nskip;            /* per track, made when first asked for */
	size_t nmeta;            /* kinds of events there were when it was made */
	struct matches match;    /* of a query: while it works, `find` is NULL */
	struct window_name *own; /* what is sorted then: the hits alone */
	bool longest_on;         /* search_move_longest() went to it last */
	struct find_pos longest;
};

/* dir 0: a new pattern, NULL ends it; else to the next or previous hit.  Hits, -1: cannot */
int search_find(struct search *, const struct regex *, int dir);
void search_end(struct search *);
void search_again(struct search *);   /* on the rows there are now */
void search_realign(struct search *); /* events have other times on the screen */
void search_here(struct search *,
    struct find_pos);                             /* a hit becomes the current one, however it was reached */
bool search_step(struct search *, int budget_ms); /* more to do? */
/* per block of SEARCH_SKIP events: 0 = no hit in it; NULL: not known */
const uint8_t *search_skip(struct search *, uint32_t track);
void search_draw(struct search *, struct canvas *, struct rect); /* the pane of hits */
/* to the longest event of the search, else of the filter, else of the selected name, on the track of the row;
 * from there to the next longest */
unsigned search_move_longest(struct search *, const struct filter *);

static inline bool search_on(const struct search *s)
{
	return s->find || s->match.working;
}

static inline bool search_is_hit(const struct search *s, uint32_t meta)
{
	return meta < s->nmeta && s->find->name_hit[meta];
}

/* an event, by name or by query */
static inline bool search_has(const struct search *s, const struct track *k, size_t i)
{
	size_t slot;

	if (!s->find->bits)
		return search_is_hit(s, k->meta[i]);
	return matches_slot(&s->match, (uint32_t)(k - s->sc->dump->trace.tracks), &slot) &&
	    find_holds(s->find, k, slot, i);
}

#endif
