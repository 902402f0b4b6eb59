/* The pane of statistics: of two or more selected events, else of the marked interval, else of what is in view; by
 * name and by track, of the selected tracks, else of all cores or, where the core of the cursor runs nothing, of the
 * threads of its host. Made in slices; the old ones stay until the new interval has something to show.  Names are of
 * the events that pass the filter; busy time and gaps are of all events.  `sc`, `marks` and `filter` are set once,
 * then call statistics_open().  The screen, copies and exports have the columns of names.def and tracks.def. */
#ifndef VIEW_TIMELINE_STATISTICS_H
#define VIEW_TIMELINE_STATISTICS_H

#include "analyze/interval/interval.h"
#include "view/timeline/marks/marks.h"
#include "view/timeline/search/filter.h"
#include "widget/sheet/sheet.h"

struct statistics {
	struct scene *sc;
	const struct marks *marks;
	const struct filter *filter;
	unsigned shown_filter, next_filter; /* filter->changes when they were begun */
	unsigned shown_picks, next_picks;   /* and picks.changes */
	bool by_track;
	/* threads of the host, in place of the cores: the core of the cursor runs nothing in the interval */
	uint32_t *thread;
	size_t nthreads;             /* 0: it runs something */
	struct interval shown, next; /* next: of a new interval, until it has something to show */
	bool has, working;
	struct sheet names, tracks;
	struct table name_table, track_table;
	bool made; /* the tables of `shown` are made */
};

extern const struct schema statistics_name_schema, statistics_track_schema;

void statistics_open(struct statistics *);
void statistics_close(struct statistics *);
void statistics_forget(struct statistics *);  /* drops the sums, because events have other times */
unsigned statistics_key(struct statistics *); /* opens the pane, then switches between names and tracks */
bool statistics_step(struct statistics *, int budget_ms);         /* more to do? */
void statistics_act(struct statistics *, enum action, int count); /* sorts */
bool statistics_scroll(struct statistics *, int pages);           /* false: not open */
void statistics_draw(struct statistics *, struct canvas *, struct rect);
void statistics_status(struct statistics *, char *left, char *right, size_t size);
int statistics_copy(struct statistics *, FILE *); /* both tables, tab separated; -1 = not open */
/* statistics of any interval on the given tracks, of the first `most` names; the caller frees them */
void statistics_name_table(const struct scene *, const struct window *, size_t ntracks, size_t most,
    struct table *);
void statistics_track_table(const struct scene *, const struct interval *, struct table *);
/* only events that pass the filter count, if it is on; before the first step */

#endif
