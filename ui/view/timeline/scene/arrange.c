#include "config.h"

#include "view/timeline/scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVABLE = 5000 }; /* rows of a section with more cannot be moved by the user */

static struct rows_node *node_at_cursor(struct scene *sc)
{
	return sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row) : NULL;
}

/* The track of a row: all rows of a track are pinned, hidden and moved together. */
static uint32_t whole_track(const struct scene *sc, uint32_t node)
{
	while ((sc->rows.v[node].kind == NODE_ROW || sc->rows.v[node].kind == NODE_LANES) &&
	    sc->rows.v[node].parent != ROWS_NONE)
		node = sc->rows.v[node].parent;
	return node;
}

static void drop_id(struct tracks_ids *s, uint64_t id)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->v[i] != id)
			s->v[n++] = s->v[i];
	s->n = n;
}

static void add_id(struct tracks_ids *s, uint64_t id)
{
	VEC_ADD(s->v, s->n, s->cap, id);
}

/* Makes the rows again; the cursor stays on its node. */
static void show_rows(struct scene *sc, uint64_t id)
{
	rows_show(&sc->rows);
	sc->cursor.row = rows_find(&sc->rows, id);
	scene_keep_visible(sc);
}

/* --- pin, hide --- */

/* Unpins the row, or the pinned section that it is in. */
static unsigned toggle_pin(struct scene *sc)
{
	struct tracks_ids *s = &sc->rows.tracks.pinned;
	uint32_t node;
	uint64_t id;

	if (!node_at_cursor(sc))
		return REACT_NONE;
	node = whole_track(sc, sc->rows.vis[sc->cursor.row]);
	for (uint32_t i = node; i != ROWS_NONE; i = sc->rows.v[i].parent)
		if (tracks_has(s, sc->rows.v[i].id)) {
			drop_id(s, sc->rows.v[i].id);
			show_rows(sc, sc->rows.v[node].id);
			app_say(sc->view->app, "no longer pinned: %.*s",
			    (int)(sc->rows.v[i].len < 80 ? sc->rows.v[i].len : 80), sc->rows.v[i].name);
			return REACT_REDRAW;
		}
	id = sc->rows.v[node].id;
	for (uint32_t i = node + 1; i < sc->rows.v[node].end; i++)
		drop_id(s, sc->rows.v[i].id);
	add_id(s, id);
	show_rows(sc, id);
	if (sc->rows.tracks.npin > scene_pins(sc))
		app_say(sc->view->app, "%zu rows are pinned; only the first %zu stay on top",
		    sc->rows.tracks.npin, scene_pins(sc));
	else
		app_say(sc->view->app, "pinned: %.*s   p again: unpin",
		    (int)(sc->rows.v[node].len < 80 ? sc->rows.v[node].len : 80), sc->rows.v[node].name);
	return REACT_REDRAW;
}

static unsigned hide_row(struct scene *sc)
{
	size_t place = sc->cursor.row;
	uint32_t node;

	if (!node_at_cursor(sc))
		return REACT_NONE;
	node = whole_track(sc, sc->rows.vis[sc->cursor.row]);
	drop_id(&sc->rows.tracks.pinned, sc->rows.v[node].id);
	add_id(&sc->rows.tracks.hidden, sc->rows.v[node].id);
	rows_show(&sc->rows);
	if (!sc->rows.nvis) {
		drop_id(&sc->rows.tracks.hidden, sc->rows.v[node].id);
		rows_show(&sc->rows);
		app_say(sc->view->app, "the last row cannot be hidden");
	} else {
		app_say(sc->view->app, "hidden: %.*s   * shows all again",
		    (int)(sc->rows.v[node].len < 80 ? sc->rows.v[node].len : 80), sc->rows.v[node].name);
	}
	sc->cursor.row = place < sc->rows.nvis ? place : sc->rows.nvis - 1;
	scene_keep_visible(sc);
	return REACT_REDRAW;
}

static unsigned show_all(struct scene *sc)
{
	struct tracks *k = &sc->rows.tracks;
	uint64_t id = node_at_cursor(sc) ? node_at_cursor(sc)->id : 0;
	size_t n = k->hidden.n;

	k->hidden.n = 0;
	if (k->filter) {
		arrange_filter(sc, "");
		return REACT_REDRAW;
	}
	show_rows(sc, id);
	app_say(sc->view->app, n ? "all tracks are shown" : "no track is hidden");
	return REACT_REDRAW;
}

/* --- move, sort --- */

static void swap_ids(uint64_t *a, uint64_t *b)
{
	uint64_t was = *a;

	*a = *b;
	*b = was;
}

static bool move_pinned(struct scene *sc, uint64_t id, int dir)
{
	struct tracks_ids *s = &sc->rows.tracks.pinned;
	size_t i = 0;

	while (i < s->n && s->v[i] != id)
		i++;
	if (i == s->n || (dir < 0 ? !i : i + 1 >= s->n))
		return false;
	swap_ids(&s->v[i], &s->v[dir < 0 ? i - 1 : i + 1]);
	return true;
}

static bool on_screen(const struct scene *sc, uint32_t node)
{
	const struct tracks *k = &sc->rows.tracks;
	uint64_t id = sc->rows.v[node].id;

	return !tracks_has(&k->hidden, id) && !tracks_has(&k->pinned, id) && (!k->keep || k->keep[node]);
}

/* Stores the current order of all siblings with the node moved past the next visible one. */
static bool move_sibling(struct scene *sc, uint32_t node, int dir)
{
	struct tracks_ids *order = &sc->rows.tracks.order;
	const struct rows_node *v = sc->rows.v;
	uint32_t parent = v[node].parent, from = parent == ROWS_NONE ? 0 : parent + 1,
		 to = parent == ROWS_NONE ? (uint32_t)sc->rows.n : v[parent].end;
	struct tracks_ids all = { 0 };
	size_t at = 0, other;

	for (uint32_t i = from; i < to; i = v[i].end) {
		if (i == node)
			at = all.n;
		add_id(&all, i);
	}
	for (other = at + (size_t)dir; other < all.n && !on_screen(sc, (uint32_t)all.v[other]);
	     other += (size_t)dir)
		;
	if (other >= all.n || all.n > MOVABLE) {
		free(all.v);
		return false;
	}
	for (; at != other; at += (size_t)dir)
		swap_ids(&all.v[at], &all.v[at + (size_t)dir]);
	for (size_t i = 0; i < all.n; i++) {
		drop_id(order, v[all.v[i]].id);
		add_id(order, v[all.v[i]].id);
	}
	free(all.v);
	return true;
}

static unsigned move_row(struct scene *sc, int dir, int count)
{
	bool moved = false;

	for (; count > 0 && node_at_cursor(sc); count--) {
		uint32_t node = whole_track(sc, sc->rows.vis[sc->cursor.row]);
		uint64_t id = sc->rows.v[node].id;

		if (sc->cursor.row < sc->rows.tracks.npin ? !move_pinned(sc, id, dir)
							  : !move_sibling(sc, node, dir))
			break;
		scene_rebuild(sc);
		sc->cursor.row = rows_find(&sc->rows, id);
		moved = true;
	}
	scene_keep_visible(sc);
	if (!moved)
		app_say(sc->view->app,
		    dir < 0 ? "already the first of its section" : "already the last of its section");
	return REACT_REDRAW;
}

static int sort_sections(struct scene *sc, const char *how)
{
	if (!tracks_set_sort(&sc->rows.tracks, how))
		return -1;
	sc->rows.tracks.order.n = 0;
	scene_rebuild(sc);
	scene_keep_visible(sc);
	sc->view->stale = true;
	app_say(sc->view->app, "Sections by %s%s",
	    !strcmp(how, "file")        ? "position in the machine"
		: !strcmp(how, "busy")  ? "busy time, longest first"
		: !strcmp(how, "count") ? "events, most first"
					: "name",
	    strcmp(how, "file") ? "; threads stay after cores" : "");
	return 0;
}

/* --- filter --- */

void arrange_filter(struct scene *sc, const char *pattern)
{
	struct tracks *k = &sc->rows.tracks;
	struct app *app = sc->view->app;
	struct err err = { .at = ERR_NOWHERE };
	struct regex *re = *pattern ? regex_new(pattern, REGEX_SMART_CASE, &err) : NULL;
	uint64_t id = node_at_cursor(sc) ? node_at_cursor(sc)->id : 0;

	if (*pattern && !re) {
		app_error(app, "%s", err.msg);
		return;
	}
	regex_free(k->filter);
	k->filter = re;
	k->shut.n = 0;
	scene_rebuild(sc);
	if (!sc->rows.nvis || regex_too_expensive(re, &err)) {
		bool expensive = regex_too_expensive(re, &err);

		regex_free(k->filter);
		k->filter = NULL;
		scene_rebuild(sc);
		sc->cursor.row = rows_find(&sc->rows, id);
		if (expensive)
			app_error(app, "%s", err.msg);
		else
			app_say(app, "no track matches %s", pattern);
	} else if (re) {
		app_say(app, "%zu of %zu tracks   t and Enter shows all", k->shown, k->all);
	}
	scene_keep_visible(sc);
	sc->view->stale = true;
}

static void filter_typed(struct view *v, const char *typed)
{
	arrange_filter(scene_of(v), typed);
}

static unsigned ask_filter(struct scene *sc)
{
	const struct tracks *k = &sc->rows.tracks;

	app_ask(sc->view->app, '~', k->filter ? regex_pattern(k->filter) : "",
	    "tracks whose names match (PCRE2); empty: all", &sc->filters, filter_typed);
	return REACT_REDRAW;
}

/* --- all of it --- */

unsigned arrange_act(struct scene *sc, enum action a, int count)
{
	switch (a) {
	case ACT_PIN:
		return toggle_pin(sc);
	case ACT_HIDE:
		return hide_row(sc);
	case ACT_SHOW_ALL:
		return show_all(sc);
	case ACT_TRACK_UP:
		return move_row(sc, -1, count);
	case ACT_TRACK_DOWN:
		return move_row(sc, 1, count);
	case ACT_FILTER_TRACKS:
		return ask_filter(sc);
	default:
		return ACT_PASS;
	}
}

int arrange_command(struct scene *sc, const char *name, const char *arg)
{
	if (!strcmp(name, "sort")) {
		if (sort_sections(sc, arg))
			app_error(sc->view->app, "usage: :sort file|name|busy|count");
	} else if (!strcmp(name, "show") && !strcmp(arg, "all")) {
		show_all(sc);
	} else if (!strcmp(name, "tracks")) {
		arrange_filter(sc, arg);
	} else {
		return -1;
	}
	return 0;
}

void arrange_status(const struct scene *sc, char *buf, size_t size)
{
	const struct tracks *k = &sc->rows.tracks;
	size_t n = 0;

	*buf = '\0';
	if (k->filter)
		n = (size_t)snprintf(buf, size, "%zu of %zu tracks", k->shown, k->all);
	if (k->hidden.n && n < size)
		snprintf(buf + n, size - n, "%s%zu hidden", n ? ", " : "", k->hidden.n);
}
