#include "config.h"

#include "view/timeline/search/internal.h"

#include <stdlib.h>

#include "base/text/units.h"

struct longest {
	const struct scene *sc;
	const struct find *find;
	const struct matches *match; /* NULL: events of `name` */
	strid name;
	bool after; /* only events that are shorter than this one */
	struct find_pos after_at;
	bool any;
	struct find_pos at;
};

static void look_through(struct longest *l, uint32_t track)
{
	const struct track *k = scene_track(l->sc, track);
	size_t slot = 0;

	if (l->find && l->find->bits && !matches_slot(l->match, track, &slot))
		return;
	for (size_t i = 0; i < k->n; i++) {
		struct find_pos at = { track, i };

		if (l->any && track_dur(k, i) < track_dur(scene_track(l->sc, l->at.track), l->at.i))
			continue;
		if (l->find ? !find_holds(l->find, k, slot, i)
			    : l->sc->cap->dump->trace.metas[track_meta(k, i)].name != l->name)
			continue;
		if (l->after && !hit_longer(l->sc, l->after_at, at))
			continue;
		if (!l->any || hit_longer(l->sc, at, l->at)) {
			l->any = true;
			l->at = at;
		}
	}
}

static void look_everywhere(struct longest *l)
{
	size_t n;
	uint32_t *tracks = scene_tracks(l->sc, l->find, &n);

	for (size_t i = 0; i < n; i++)
		look_through(l, tracks[i]);
	free(tracks);
}

unsigned search_move_longest(struct search *se, const struct filter *f)
{
	struct longest l = { .sc = se->sc,
		.after = se->longest_on && se->sc->cursor.selected &&
		    se->sc->cursor.track == se->longest.track && se->sc->cursor.event == se->longest.i };
	uint32_t track;
	size_t event;
	char time[48];

	if (se->find) {
		l.find = se->find;
		l.match = &se->match;
	} else if (filter_on(f)) {
		l.find = f->match.find;
		l.match = &f->match;
	} else if (se->sc->cursor.selected || cursor_event(se->sc, &event, &track)) {
		const struct track *k =
		    scene_track(se->sc, se->sc->cursor.selected ? se->sc->cursor.track : track);

		l.name = se->sc->cap->dump->trace
			     .metas[track_meta(k, se->sc->cursor.selected ? se->sc->cursor.event : event)]
			     .name;
	}
	if (!l.find && !l.name) {
		app_say(se->sc->view->app, "Search or select an event first; L goes to the longest one");
		return REACT_REDRAW;
	}
	l.after_at = se->longest;
	look_everywhere(&l);
	if (!l.any || !cursor_go_to_event(se->sc, l.at.track, l.at.i)) {
		app_say(se->sc->view->app, l.after ? "already at the shortest" : "no such event");
		return REACT_REDRAW;
	}
	if (se->find)
		search_here(se, l.at, true);
	se->longest = l.at;
	se->longest_on = true;
	app_say(se->sc->view->app, "%s of all tracks: %s", l.after ? "next longest" : "longest",
	    units_time(time, sizeof time, track_dur(scene_track(se->sc, l.at.track), l.at.i),
		scene_ascii(se->sc)));
	return REACT_REDRAW;
}
