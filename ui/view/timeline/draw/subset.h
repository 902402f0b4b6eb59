/* The events that a search and the filter leave, as tracks of their own: a row draws their share of a column
 * and their classes from an index of these events alone, as it draws all events from the index of its track.
 * Subsets are made row by row, those of visible rows first: small ones when a frame needs them, others in
 * subset_step().  They are forgotten when hits, times or the meaning of colors change.  What it is made from
 * is set once; subset_free() frees the rest.  For one thread. */
#ifndef VIEW_TIMELINE_SUBSET_H
#define VIEW_TIMELINE_SUBSET_H

#include "view/timeline/draw/colors.h"
#include "view/timeline/search/search.h"

struct subset_track;

struct subset {
	struct scene *sc;
	const struct search *search;
	const struct filter *filter;
	const struct colors *colors;
	/* by track: those of its rows and, when it is drawn as one row, of all of it; NULL: not made */
	struct subset_track **v;
	size_t n;
	unsigned hits, times; /* changes of the scene when they were made */
	const uint8_t *classes;
	size_t nclasses;
	unsigned made; /* in subset_step() so far */
};

void subset_free(struct subset *);
static inline bool subset_on(const struct subset *s)
{
	return s->search->find || filter_on(s->filter);
}
/* Returns what is left of a row whose source is a track, with the classes of its index: its rows have the numbers of
 * those of the track or, when the source is all rows, are nested anew.  It is the track itself when all its events are
 * left, and NULL when that is not known yet.  at_once: made even if that takes a while. */
const struct track *subset_of(struct subset *, const struct rows_node *, struct rows_source, bool at_once);
/* Returns the events of all rows of a track that pass the filter, nested anew: the track itself when all do, else a
 * track made in `room`, which the caller frees; NULL: not known, or nothing.  The time grows with the events. */
const struct track *subset_passed(const struct subset *, uint32_t track, struct track *room);
/* is the event of the row's track left? */
bool subset_has(const struct subset *, uint32_t track, size_t event);
bool subset_step(struct subset *); /* makes one of a visible row; more to do? */

#endif
