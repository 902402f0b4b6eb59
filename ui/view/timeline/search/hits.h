/* The hits of a search over all tracks, longest first, and their names: two sheets, with the columns of
 * hits.def and names.def, which are also exported.  HITS_MOST hits are listed; they are found in slices.
 * Call hit_list_open() once, and hit_list_forget() whenever the hits or their times change. */
#ifndef VIEW_TIMELINE_HITS_H
#define VIEW_TIMELINE_HITS_H

#include "analyze/events/find.h"
#include "widget/sheet/sheet.h"

struct scene;
struct search;
struct window_name;

enum { HITS_MOST = 1000 };

struct hit_list {
	struct scene *sc;
	/* a heap with the shortest first until it is complete, then sorted with the longest first */
	struct find_pos *v;
	size_t n, looked; /* looked: tracks searched so far */
	bool complete, named;
	struct sheet hits, names;
	struct table hit_table, name_table;
	struct find_pos here; /* the current hit */
	bool follow;          /* the list scrolls to it when it is drawn */
};

extern const struct schema hit_list_schema, hit_names_schema;

void hit_list_open(struct hit_list *, struct scene *);
void hit_list_close(struct hit_list *);
void hit_list_forget(struct hit_list *);
bool hit_list_step(struct hit_list *, const struct find *, int budget_ms); /* more to do? */
/* makes the table of names, which must stay valid while listed; NULL: not known yet */
void hit_list_name(struct hit_list *, const struct window_name *const *, size_t n);
void hit_list_here(struct hit_list *, struct find_pos, bool follow);
/* is a listed before b? */
bool hit_longer(const struct scene *, struct find_pos a, struct find_pos b);

#endif
