#include "config.h"

#include "view/timeline/tl.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

enum { AT_ONCE_MS = 10 }; /* a filter that takes no longer is there with the next frame */

/* --- events that match --- */

void tl_matches_end(struct tl_matches *m)
{
	find_free(m->find);
	query_unbind(m->run);
	query_free(m->query);
	free(m->text);
	free(m->tracks);
	free(m->slot);
	memset(m, 0, sizeof *m);
}

static bool track_passes(void *run, uint32_t track)
{
	return query_track(run, track);
}

static bool passes(void *run, uint32_t track, size_t i)
{
	return query_event(run, track, i);
}

int tl_matches_begin(struct tl *t, struct tl_matches *m, const char *text, struct err *e)
{
	struct regex *re = NULL;
	bool is_query = query_meant(text);

	tl_matches_end(m);
	if (is_query ? !(m->query = query_new(text, e)) : !(re = regex_new(text, true, e)))
		return -1;
	m->text = xstrdup(text);
	m->tracks = scene_tracks(&t->scene, &m->ntracks);
	m->nslot = t->scene.dump->trace.ntracks;
	m->slot = xcalloc(m->nslot + 1, sizeof *m->slot);
	memset(m->slot, 0xff, m->nslot * sizeof *m->slot);
	for (size_t k = 0; k < m->ntracks; k++)
		m->slot[m->tracks[k]] = (uint32_t)k;
	if (is_query) {
		m->run = query_bind(m->query, t->scene.dump, &t->scene.view->app->steps);
		m->find = find_begin(t->scene.dump, m->tracks, m->ntracks, track_passes, passes, m->run);
	} else {
		m->find = find_names(t->scene.dump, re, m->tracks, m->ntracks);
		regex_free(re);
	}
	m->working = true;
	return 0;
}

bool tl_matches_step(struct tl *t, struct tl_matches *m, int budget_ms)
{
	if (!m->working || find_more(m->find, t->scene.dump, budget_ms))
		return m->working;
	m->working = false;
	query_unbind(m->run);
	query_free(m->query);
	m->run = NULL;
	m->query = NULL;
	return false;
}

int tl_matches_percent(const struct tl_matches *m)
{
	return m->find && m->find->total ? (int)(100 * m->find->looked / m->find->total) : 0;
}

/* --- the filter --- */

static void filter_message(struct tl *t)
{
	char a[32], b[32], hint[128];
	const struct find *f = t->filter.find;

	if (!f->hits)
		app_message(t->scene.view->app, false, "&%.200s: no event matches%s; Esc ends it",
		    t->filter.text, query_hint(t->filter.text, hint, sizeof hint));
	else
		app_message(t->scene.view->app, false,
		    "&%.200s: %s of %s events keep their colour; Esc ends it", t->filter.text,
		    units_count(a, sizeof a, f->hits), units_count(b, sizeof b, t->scene.rows.events));
}

int tl_filter(struct tl *t, const char *text, struct err *e)
{
	struct tl_matches m = { 0 };

	if (*text && tl_matches_begin(t, &m, text, e))
		return -1;
	tl_matches_end(&t->filter);
	t->filter = m;
	t->scene.changes.hits++;
	t->scene.view->stale = true;
	if (!*text)
		return 0;
	if (!tl_matches_step(t, &t->filter, AT_ONCE_MS))
		filter_message(t);
	return t->filter.find->hits > INT_MAX ? INT_MAX : (int)t->filter.find->hits;
}

bool tl_filter_leave(struct tl *t)
{
	if (!t->filter.find || t->scene.cursor.selected || t->search.find || t->search.match.working)
		return false;
	tl_filter(t, "", NULL);
	return true;
}

void tl_filter_again(struct tl *t)
{
	char *text;

	if (!t->filter.find)
		return;
	text = xstrdup(t->filter.text);
	tl_filter(t, text, NULL);
	free(text);
}

bool tl_filter_step(struct tl *t, int budget_ms)
{
	if (!t->filter.working)
		return false;
	t->scene.view->stale = true;
	if (tl_matches_step(t, &t->filter, budget_ms))
		return true;
	t->scene.changes.hits++;
	filter_message(t);
	return false;
}

/* --- the longest --- */

struct longest {
	const struct tl *t;
	const struct find *find;
	const struct tl_matches *match; /* NULL: events of `name` */
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
	const struct track *k = scene_track(&l->t->scene, track);
	size_t slot = 0;

	if (l->find && l->find->bits && !tl_matches_slot(l->match, track, &slot))
		return;
	for (size_t i = 0; i < k->n; i++) {
		struct find_pos at = { track, i };

		if (l->any && k->dur[i] < l->dur)
			continue;
		if (l->find ? !find_holds(l->find, k, slot, i)
			    : l->t->scene.dump->trace.metas[k->meta[i]].name != l->name)
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
	const struct rows *r = &l->t->scene.rows;

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
	uint32_t *tracks = scene_tracks(&l->t->scene, &n);

	for (size_t i = 0; i < n; i++)
		look_through(l, tracks[i]);
	free(tracks);
}

unsigned tl_move_longest(struct tl *t, int count)
{
	const struct rows_node *v =
	    t->scene.cursor.row < t->scene.rows.nvis ? scene_node(&t->scene, t->scene.cursor.row) : NULL;
	struct longest l = { .t = t,
		.after = t->longest_on && t->scene.cursor.selected &&
		    t->scene.cursor.track == t->longest.track && t->scene.cursor.event == t->longest.i };
	bool elsewhere = false;
	uint32_t track;
	size_t event;
	char time[48];

	(void)count;
	if (t->search.find) {
		l.find = t->search.find;
		l.match = &t->search.match;
	} else if (t->filter.find && !t->filter.working) {
		l.find = t->filter.find;
		l.match = &t->filter;
	} else if (t->scene.cursor.selected || cursor_event(&t->scene, &event, &track)) {
		const struct track *k =
		    scene_track(&t->scene, t->scene.cursor.selected ? t->scene.cursor.track : track);

		l.name = t->scene.dump->trace
			     .metas[k->meta[t->scene.cursor.selected ? t->scene.cursor.event : event]]
			     .name;
	}
	if (!v || (!l.find && !l.name)) {
		app_message(t->scene.view->app, false,
		    "Search or select something first: L goes to the longest of it");
		return REACT_REDRAW;
	}
	if (l.after) {
		l.after_at = t->longest;
		l.after_dur = scene_track(&t->scene, t->longest.track)->dur[t->longest.i];
	}
	look_through_row(&l, v);
	if (!l.any && !l.after) {
		look_everywhere(&l);
		elsewhere = l.any;
	}
	if (!l.any || !cursor_go_to_event(&t->scene, l.at.track, l.at.i)) {
		app_message(t->scene.view->app, false,
		    l.after ? "This was the shortest of this track" : "No such event");
		return REACT_REDRAW;
	}
	if (t->search.find)
		tl_hit_here(t, l.at);
	t->longest = l.at;
	t->longest_on = true;
	app_message(t->scene.view->app, false, "%s %s: %s", l.after ? "Next longest" : "Longest",
	    elsewhere ? "of all tracks (none on that row)" : "on this track",
	    units_time(time, sizeof time, l.dur, scene_ascii(&t->scene)));
	return REACT_REDRAW;
}

/* --- parent, child, longest child --- */
