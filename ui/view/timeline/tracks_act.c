#include "config.h"

#include "view/timeline/tl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVABLE = 5000 }; /* rows of a section with more have no order by hand */

static struct rows_node *current(struct tl *t)
{
	return t->scene.cursor.row < t->scene.rows.nvis ? scene_node(&t->scene, t->scene.cursor.row) : NULL;
}

/* The track that a row belongs to: rows of a track are pinned, hidden and moved with it. */
static uint32_t whole_track(const struct tl *t, uint32_t node)
{
	while ((t->scene.rows.v[node].kind == NODE_ROW || t->scene.rows.v[node].kind == NODE_LANES) &&
	    t->scene.rows.v[node].parent != ROWS_NONE)
		node = t->scene.rows.v[node].parent;
	return node;
}

static void drop(struct tracks_ids *s, uint64_t id)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->v[i] != id)
			s->v[n++] = s->v[i];
	s->n = n;
}

static void add(struct tracks_ids *s, uint64_t id)
{
	VEC_PUSH(s->v, s->n, s->cap);
	s->v[s->n++] = id;
}

/* Rows again; the cursor stays on the node. */
static void show(struct tl *t, uint64_t id)
{
	rows_show(&t->scene.rows);
	t->scene.cursor.row = rows_find(&t->scene.rows, id);
	scene_keep_visible(&t->scene);
}

/* --- pin, hide --- */

/* A row inside a pinned section is unpinned with that. */
static unsigned pin(struct tl *t)
{
	struct tracks_ids *s = &t->scene.rows.tracks.pinned;
	uint32_t node;
	uint64_t id;

	if (!current(t))
		return REACT_NONE;
	node = whole_track(t, t->scene.rows.vis[t->scene.cursor.row]);
	for (uint32_t i = node; i != ROWS_NONE; i = t->scene.rows.v[i].parent)
		if (tracks_has(s, t->scene.rows.v[i].id)) {
			drop(s, t->scene.rows.v[i].id);
			show(t, t->scene.rows.v[node].id);
			app_message(t->scene.view->app, false, "No longer pinned: %.*s",
			    (int)(t->scene.rows.v[i].len < 80 ? t->scene.rows.v[i].len : 80),
			    t->scene.rows.v[i].name);
			return REACT_REDRAW;
		}
	id = t->scene.rows.v[node].id;
	for (uint32_t i = node + 1; i < t->scene.rows.v[node].end; i++)
		drop(s, t->scene.rows.v[i].id);
	add(s, id);
	show(t, id);
	if (t->scene.rows.tracks.npin > scene_pins(&t->scene))
		app_message(t->scene.view->app, false,
		    "%zu rows are pinned: the first %zu stay, the others scroll", t->scene.rows.tracks.npin,
		    scene_pins(&t->scene));
	else
		app_message(t->scene.view->app, false, "Pinned on top: %.*s   p again: unpin",
		    (int)(t->scene.rows.v[node].len < 80 ? t->scene.rows.v[node].len : 80),
		    t->scene.rows.v[node].name);
	return REACT_REDRAW;
}

static unsigned hide(struct tl *t)
{
	size_t place = t->scene.cursor.row;
	uint32_t node;

	if (!current(t))
		return REACT_NONE;
	node = whole_track(t, t->scene.rows.vis[t->scene.cursor.row]);
	drop(&t->scene.rows.tracks.pinned, t->scene.rows.v[node].id);
	add(&t->scene.rows.tracks.hidden, t->scene.rows.v[node].id);
	rows_show(&t->scene.rows);
	if (!t->scene.rows.nvis) {
		drop(&t->scene.rows.tracks.hidden, t->scene.rows.v[node].id);
		rows_show(&t->scene.rows);
		app_message(t->scene.view->app, false, "The last row stays");
	} else {
		app_message(t->scene.view->app, false, "Hidden: %.*s   * shows all again",
		    (int)(t->scene.rows.v[node].len < 80 ? t->scene.rows.v[node].len : 80),
		    t->scene.rows.v[node].name);
	}
	t->scene.cursor.row = place < t->scene.rows.nvis ? place : t->scene.rows.nvis - 1;
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

static unsigned show_all(struct tl *t)
{
	struct tracks *k = &t->scene.rows.tracks;
	uint64_t id = current(t) ? current(t)->id : 0;
	size_t n = k->hidden.n;

	k->hidden.n = 0;
	if (k->filter) {
		tl_tracks_filter(t, "");
		return REACT_REDRAW;
	}
	show(t, id);
	app_message(t->scene.view->app, false, n ? "All tracks are shown" : "No track is hidden");
	return REACT_REDRAW;
}

/* --- move, sort --- */

static void swap(uint64_t *a, uint64_t *b)
{
	uint64_t was = *a;

	*a = *b;
	*b = was;
}

static bool move_pinned(struct tl *t, uint64_t id, int dir)
{
	struct tracks_ids *s = &t->scene.rows.tracks.pinned;
	size_t i = 0;

	while (i < s->n && s->v[i] != id)
		i++;
	if (i == s->n || (dir < 0 ? !i : i + 1 >= s->n))
		return false;
	swap(&s->v[i], &s->v[dir < 0 ? i - 1 : i + 1]);
	return true;
}

static bool on_screen(const struct tl *t, uint32_t node)
{
	const struct tracks *k = &t->scene.rows.tracks;
	uint64_t id = t->scene.rows.v[node].id;

	return !tracks_has(&k->hidden, id) && !tracks_has(&k->pinned, id) && (!k->keep || k->keep[node]);
}

/* All siblings in their order now, and the node behind or before the next one that is shown. */
static bool move_sibling(struct tl *t, uint32_t node, int dir)
{
	struct tracks_ids *order = &t->scene.rows.tracks.order;
	const struct rows_node *v = t->scene.rows.v;
	uint32_t parent = v[node].parent, from = parent == ROWS_NONE ? 0 : parent + 1,
		 to = parent == ROWS_NONE ? (uint32_t)t->scene.rows.n : v[parent].end;
	struct tracks_ids all = { 0 };
	size_t at = 0, other;

	for (uint32_t i = from; i < to; i = v[i].end) {
		if (i == node)
			at = all.n;
		add(&all, i);
	}
	for (other = at + (size_t)dir; other < all.n && !on_screen(t, (uint32_t)all.v[other]);
	     other += (size_t)dir)
		;
	if (other >= all.n || all.n > MOVABLE) {
		free(all.v);
		return false;
	}
	for (; at != other; at += (size_t)dir)
		swap(&all.v[at], &all.v[at + (size_t)dir]);
	for (size_t i = 0; i < all.n; i++) {
		drop(order, v[all.v[i]].id);
		add(order, v[all.v[i]].id);
	}
	free(all.v);
	return true;
}

static unsigned move(struct tl *t, int dir, int count)
{
	bool moved = false;

	for (; count > 0 && current(t); count--) {
		uint32_t node = whole_track(t, t->scene.rows.vis[t->scene.cursor.row]);
		uint64_t id = t->scene.rows.v[node].id;

		if (t->scene.cursor.row < t->scene.rows.tracks.npin ? !move_pinned(t, id, dir)
								    : !move_sibling(t, node, dir))
			break;
		scene_rebuild(&t->scene);
		t->scene.cursor.row = rows_find(&t->scene.rows, id);
		moved = true;
	}
	scene_keep_visible(&t->scene);
	if (!moved)
		app_message(t->scene.view->app, false,
		    dir < 0 ? "This is the first of its section" : "This is the last of its section");
	return REACT_REDRAW;
}

static int sort(struct tl *t, const char *how)
{
	if (!tracks_set_sort(&t->scene.rows.tracks, how))
		return -1;
	t->scene.rows.tracks.order.n = 0;
	scene_rebuild(&t->scene);
	scene_keep_visible(&t->scene);
	t->scene.view->stale = true;
	app_message(t->scene.view->app, false, "Sections by %s%s",
	    !strcmp(how, "file")        ? "their place in the machine"
		: !strcmp(how, "busy")  ? "time at work, longest first"
		: !strcmp(how, "count") ? "events, most first"
					: "name",
	    strcmp(how, "file") ? "; threads stay behind cores" : "");
	return 0;
}

/* --- filter --- */

void tl_tracks_filter(struct tl *t, const char *pattern)
{
	struct tracks *k = &t->scene.rows.tracks;
	struct app *app = t->scene.view->app;
	struct err err = { .at = ERR_NOWHERE };
	struct regex *re = *pattern ? regex_new(pattern, true, &err) : NULL;
	uint64_t id = current(t) ? current(t)->id : 0;

	if (*pattern && !re) {
		app_message(app, true, "%s", err.msg);
		return;
	}
	regex_free(k->filter);
	k->filter = re;
	k->shut.n = 0;
	scene_rebuild(&t->scene);
	if (!t->scene.rows.nvis) {
		regex_free(k->filter);
		k->filter = NULL;
		scene_rebuild(&t->scene);
		t->scene.cursor.row = rows_find(&t->scene.rows, id);
		app_message(app, false, "No track matches %s", pattern);
	} else if (re) {
		app_message(app, false, "%zu of %zu tracks   t and Enter on an empty line: all", k->shown,
		    k->all);
	}
	scene_keep_visible(&t->scene);
	t->scene.view->stale = true;
}

static void filter_typed(struct view *v, const char *typed)
{
	tl_tracks_filter(tl_of(v), typed);
}

static unsigned ask_filter(struct tl *t)
{
	const struct tracks *k = &t->scene.rows.tracks;

	app_ask(t->scene.view->app, '~', k->filter ? regex_pattern(k->filter) : "",
	    "tracks whose names match (PCRE2); empty: all", &t->filters, filter_typed);
	return REACT_REDRAW;
}

/* --- all of it --- */

unsigned tl_tracks_act(struct tl *t, enum action a, int count)
{
	switch (a) {
	case ACT_PIN:
		return pin(t);
	case ACT_HIDE:
		return hide(t);
	case ACT_SHOW_ALL:
		return show_all(t);
	case ACT_TRACK_UP:
		return move(t, -1, count);
	case ACT_TRACK_DOWN:
		return move(t, 1, count);
	case ACT_FILTER_TRACKS:
		return ask_filter(t);
	case ACT_TIME_UTC:
		return scene_toggle_utc(&t->scene);
	case ACT_ALIGN:
		return tl_align_toggle(t);
	case ACT_COLOUR:
		return tl_colour_next(t);
	default:
		return ACT_PASS;
	}
}

int tl_tracks_command(struct tl *t, const char *name, const char *arg)
{
	if (!strcmp(name, "sort")) {
		if (sort(t, arg))
			app_message(t->scene.view->app, true, "sort by what: file, name, busy, count");
	} else if (!strcmp(name, "show") && !strcmp(arg, "all")) {
		show_all(t);
	} else if (!strcmp(name, "colour")) {
		if (tl_colour_set(t, arg))
			app_message(t->scene.view->app, true,
			    "colour by what: category, utilisation, name, step");
	} else if (!strcmp(name, "tracks")) {
		tl_tracks_filter(t, arg);
	} else {
		return -1;
	}
	return 0;
}

void tl_tracks_status(const struct tl *t, char *buf, size_t size)
{
	const struct tracks *k = &t->scene.rows.tracks;
	size_t n = 0;

	*buf = '\0';
	if (k->filter)
		n = (size_t)snprintf(buf, size, "%zu of %zu tracks", k->shown, k->all);
	if (k->hidden.n && n < size)
		snprintf(buf + n, size - n, "%s%zu hidden", n ? ", " : "", k->hidden.n);
}
