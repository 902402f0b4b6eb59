/* What is drawn above the pane: strips over the whole run, gutter, rows.  It is drawn from the scene and from
 * what is kept here, so that a frame only computes what is new.  `sc`, `search` and `lineup` are set once, by
 * picture_open(); picture_close() frees the rest. */
#ifndef VIEW_TIMELINE_PICTURE_H
#define VIEW_TIMELINE_PICTURE_H

#include "view/timeline/draw/cells.h"
#include "view/timeline/draw/minimap.h"
#include "view/timeline/steps/lineup.h"

enum gutter_number { GUTTER_BUSY, GUTTER_COLLECTIVE, GUTTER_EVENTS, GUTTER_NUMBERS };

struct picture {
	struct scene *sc;
	struct search *search;
	const struct lineup *lineup;
	struct colors colors;
	struct counters counters;
	struct subset subset;
	struct cells cells;
	struct minimap map;
	enum gutter_number number; /* in the gutter */
};

void picture_open(struct picture *, struct scene *, struct search *, const struct filter *,
    const struct lineup *);
void picture_close(struct picture *);
void picture_draw(struct picture *, struct canvas *);

#endif
