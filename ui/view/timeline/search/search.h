/* A search: its hits, the current one, the longest of them, and their sums by name.  Patterns and queries are
 * searched in slices; while a query is running, `find` is NULL.  Call search_open() once; search_end() ends
 * the search. */
#ifndef VIEW_TIMELINE_SEARCH_H
#define VIEW_TIMELINE_SEARCH_H

#include "analyze/interval/window.h"
#include "view/timeline/search/filter.h"
#include "view/timeline/search/hits.h"

struct search {
	struct scene *sc;
	struct find *find; /* NULL = no search */
	char *pattern;
	struct find_pos at; /* current hit */
	uint64_t rank;
	uint32_t *strip;
	int strip_w; /* hits per column of the whole run */
	struct window names;
	bool names_begun, names_done;
	/* the names that match, by total time */
	const struct window_name **sorted;
	size_t nsorted;
	uint8_t *name_hit;
	size_t name_hit_n; /* by strid */
	struct hit_list list;
	size_t nmeta; /* number of event kinds when it was made */
	struct matches
	    match; /* of a query; while it is running, `find` is NULL; then its slots are those of `find` */
	bool longest_on; /* the last move was search_move_longest() */
	struct find_pos longest;
};

void search_open(struct search *, struct scene *);
void search_close(struct search *);
/* dir 0: a new pattern, NULL ends the search; else goes to the next or previous hit.  Returns hits, -1 =
 * cannot */
int search_find(struct search *, const struct regex *, int dir);
void search_again(struct search *);   /* repeats the search on the current rows */
void search_realign(struct search *); /* after times on the screen have changed */
/* makes a hit the current one, however it was reached; follow: the list scrolls to it */
void search_here(struct search *, struct find_pos, bool follow);
bool search_step(struct search *, int budget_ms);                /* more to do? */
void search_draw(struct search *, struct canvas *, struct rect); /* draws the pane of hits */
/* scrolls by pages, sorts by columns; false, ACT_PASS: the pane is not shown */
bool search_scroll(struct search *, int pages);
unsigned search_sort(struct search *, enum action, int count);
/* computes everything for the lists at once: the tables "hits" and "hit_names" */
void search_finish(struct search *);
/* goes to the longest event of the search, else of the filter, else of the selected name, on all tracks; when
 * repeated, to the next longest */
unsigned search_move_longest(struct search *, const struct filter *);

static inline bool search_on(const struct search *s)
{
	return s->find || s->match.working;
}

#endif
