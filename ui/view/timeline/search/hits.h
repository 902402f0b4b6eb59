/* The hits of a search over all tracks, the longest first, and their names: two sheets, with the columns of
 * hits.def and names.def, which are exported, too.  HITS_MOST hits are listed; which those are is found out in
 * slices.  hit_list_open() once; hit_list_forget() whenever hits, or their times, are others. */
#ifndef VIEW_TIMELINE_HITS_H
#define VIEW_TIMELINE_HITS_H

#include "analyze/events/find.h"
#include "view/timeline/scene/scene.h"
#include "widget/sheet.h"

struct search;
struct window_name;

enum { HITS_MOST = 1000 };

struct hit_list {
	struct scene *sc;
	struct find_pos *v; /* a heap until it is complete, the shortest first; then the longest first */
	size_t n, looked;   /* tracks of the search that were looked at */
	bool complete, named;
	struct sheet hits, names;
	struct table hit_table, name_table;
	struct find_pos here; /* the current hit */
	bool follow;          /* the list scrolls to it when it is drawn */
};

void hit_list_open(struct hit_list *, struct scene *);
void hit_list_close(struct hit_list *);
void hit_list_forget(struct hit_list *);
bool hit_list_step(struct hit_list *, const struct find *, int budget_ms); /* more to do? */
/* those of the names, which stay while they are listed; NULL: not known yet */
void hit_list_name(struct hit_list *, const struct window_name *const *, size_t n);
void hit_list_here(struct hit_list *, struct find_pos, bool follow);
/* a is listed before b */
bool hit_longer(const struct scene *, struct find_pos a, struct find_pos b);

#endif
