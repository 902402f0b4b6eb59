#include "config.h"

#include "view/timeline/search/internal.h"

#include <stdlib.h>

#include "base/text/units.h"

struct longest {
	const struct scene *sc;
	const struct find *find;
	const struct matches *match; /* NULL: events of `name` */
	strid name;
	bool after; /* only what comes after this one in order of length */
	int64_t after_dur;
	struct find_pos after_at;
	bool any;
	int64_t dur;
	struct find_pos at;
};

static bool longer(int64_t dur, struct find_pos at, int64_t than, struct find_pos other)
{
	if (dur != than)
		return dur > than;
	return at.track != other.track ? at.track < other.track : at.i < other.i;
}

static void look_through(struct longest *l, uint32_t track)
{
	const struct track *k = scene_track(l->sc, track);
	size_t slot = 0;

	if (l->find && l->find->bits && !matches_slot(l->match, track, &slot))
		return;
	for (size_t i = 0; i < k->n; i++) {
		struct find_pos at = { track, i };

		if (l->any && k->dur[i] < l->dur)
			continue;
		if (l->find ? !find_holds(l->find, k, slot, i)
			    : l->sc->dump->trace.metas[k->meta[i]].name != l->name)
			continue;
		if (l->after && !longer(l->after_dur, l->after_at, k->dur[i], at))
			continue;
		if (!l->any || longer(k->dur[i], at, l->dur, l->at)) {
			l->any = true;
			l->dur = k->dur[i];
			l->at = at;
		}
	}
}

/* Tracks of a row: its own, those of its threads, the ops of a section. */
static void look_through_row(struct longest *l, const struct rows_node *v)
{
	const struct rows *r = &l->sc->rows;

	if (v->members)
		for (uint32_t i = 0; i < v->members; i++)
			look_through(l, r->member[v->member + i]);
	else if (v->kind == NODE_DEVICE && v->track != ROWS_NONE)
		look_through(l, v->track);
	else if (rows_source(v).track != ROWS_NONE)
		look_through(l, rows_source(v).track);
}

static void look_everywhere(struct longest *l)
{
	size_t n;
	uint32_t *tracks = scene_tracks(l->sc, &n);

	for (size_t i = 0; i < n; i++)
		look_through(l, tracks[i]);
	free(tracks);
}

unsigned search_move_longest(struct search *se, const struct filter *f)
{
	const struct rows_node *v =
	    se->sc->cursor.row < se->sc->rows.nvis ? scene_node(se->sc, se->sc->cursor.row) : NULL;
	struct longest l = { .sc = se->sc,
		.after = se->longest_on && se->sc->cursor.selected &&
		    se->sc->cursor.track == se->longest.track && se->sc->cursor.event == se->longest.i };
	bool elsewhere = false;
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

		l.name =
		    se->sc->dump->trace.metas[k->meta[se->sc->cursor.selected ? se->sc->cursor.event : event]]
			.name;
	}
	if (!v || (!l.find && !l.name)) {
		app_message(se->sc->view->app, false,
		    "Search or select something first: L goes to the longest of it");
		return REACT_REDRAW;
	}
	if (l.after) {
		l.after_at = se->longest;
		l.after_dur = scene_track(se->sc, se->longest.track)->dur[se->longest.i];
	}
	look_through_row(&l, v);
	if (!l.any && !l.after) {
		look_everywhere(&l);
		elsewhere = l.any;
	}
	if (!l.any || !cursor_go_to_event(se->sc, l.at.track, l.at.i)) {
		app_message(se->sc->view->app, false,
		    l.after ? "This was the shortest of this track" : "No such event");
		return REACT_REDRAW;
	}
	if (se->find)
		search_here(se, l.at);
	se->longest = l.at;
	se->longest_on = true;
	app_message(se->sc->view->app, false, "%s %s: %s", l.after ? "Next longest" : "Longest",
	    elsewhere ? "of all tracks (none on that row)" : "on this track",
	    units_time(time, sizeof time, l.dur, scene_ascii(se->sc)));
	return REACT_REDRAW;
}
