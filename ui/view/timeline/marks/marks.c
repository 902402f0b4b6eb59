#include "config.h"

#include "view/timeline/marks/marks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/digit.h"
#include "base/text/units.h"
#include "core/overlay.h"

/* --- the list --- */

struct mark *marks_current(const struct marks *m)
{
	return m->at ? (struct mark *)&m->v[m->at - 1] : NULL;
}

int marks_find(const struct marks *m, const char *name)
{
	for (int i = 0; i < m->n; i++)
		if (!strcmp(m->v[i].name, name))
			return i;
	return -1;
}

static void remove_mark(struct marks *m, int i)
{
	memmove(&m->v[i], &m->v[i + 1], (size_t)(m->n - i - 1) * sizeof *m->v);
	m->n--;
	m->at = m->at == i + 1 ? 0 : m->at - (m->at > i + 1);
}

int64_t marks_shift(const struct marks *m, const struct mark *v)
{
	return scene_shift_of(m->sc, v->plane) - m->sc->port.shift;
}

/* Adds a mark that moves along with the host of the cursor's row; if there are too many, the oldest is
 * removed. */
static struct mark *add_mark(struct marks *m, const char *name)
{
	struct mark *v;
	int same = name ? marks_find(m, name) : -1;

	if (same >= 0)
		remove_mark(m, same);
	if (m->n == MARKS_MAX)
		remove_mark(m, 0);
	v = &m->v[m->n++];
	*v = (struct mark){ .plane = m->sc->cursor.row < m->sc->rows.nvis
		    ? scene_node(m->sc, m->sc->cursor.row)->plane
		    : UINT32_MAX };
	snprintf(v->name, sizeof v->name, "%s", name ? name : "");
	return v;
}

static void name_automatically(struct marks *m, struct mark *v)
{
	char name[24];

	do
		snprintf(name, sizeof name, "%s %d", v->interval ? "interval" : "place", ++m->named);
	while (marks_find(m, name) >= 0);
	snprintf(v->name, sizeof v->name, "%s", name);
}

void marks_free(struct marks *m)
{
	history_free(&m->names);
	*m = (struct marks){ .sc = m->sc };
}

/* --- intervals --- */

void marks_set(struct marks *m, int64_t t0, int64_t t1, const char *name)
{
	struct mark *v = add_mark(m, name);

	v->interval = true;
	v->t0 = (t0 < t1 ? t0 : t1) - marks_shift(m, v);
	v->t1 = (t0 < t1 ? t1 : t0) - marks_shift(m, v);
	v->cursor = v->t0;
	if (!name)
		name_automatically(m, v);
	m->at = m->n;
	m->moves_begin = false;
}

void marks_gap(struct marks *m, int64_t from, int64_t to)
{
	marks_set(m, from, to, "gap");
	cursor_unselect(m->sc);
	m->sc->cursor.at = from + (to - from) / 2;
	scene_keep_visible(m->sc);
}

static void show_interval(struct marks *m, const char *what)
{
	const struct mark *v = marks_current(m);
	char time[48];

	if (v)
		app_say(m->sc->view->app, "%s %s: %s", what, v->name,
		    units_time_exact(time, sizeof time, v->t1 - v->t0, scene_ascii(m->sc)));
}

void marks_move(struct marks *m, int64_t a, int64_t b)
{
	struct mark *v = marks_current(m);

	if (!v)
		return;
	v->t0 = (a < b ? a : b) - marks_shift(m, v);
	v->t1 = (a < b ? b : a) - marks_shift(m, v);
}

void marks_clear(struct marks *m)
{
	if (m->at) {
		remove_mark(m, m->at - 1);
		app_say(m->sc->view->app, "mark cleared");
	}
}

static bool is_interval(const struct marks *m, const struct mark *v, int64_t t0, int64_t t1)
{
	return v->interval && v->t0 + marks_shift(m, v) == t0 && v->t1 + marks_shift(m, v) == t1;
}

unsigned marks_toggle(struct marks *m)
{
	const struct mark *v = marks_current(m);
	int64_t t0, t1;

	if (!picks_span(m->sc, true, &t0, &t1)) {
		if (!v) {
			app_say(m->sc->view->app, "nothing to mark: no event under the cursor");
			return REACT_REDRAW;
		}
		t0 = v->t0 + marks_shift(m, v);
		t1 = v->t1 + marks_shift(m, v);
	}
	for (int i = 0; i < m->n; i++) {
		if (!is_interval(m, &m->v[i], t0, t1))
			continue;
		if (m->at == i + 1) {
			remove_mark(m, i);
			app_say(m->sc->view->app, "mark cleared");
		} else {
			m->at = i + 1;
			show_interval(m, "selected");
		}
		return REACT_REDRAW;
	}
	marks_set(m, t0, t1, NULL);
	show_interval(m, "marked");
	return REACT_REDRAW;
}

/* Moves an end to the next edges of the row, or by columns if there are none. */
static int64_t next_end(const struct marks *m, int64_t from, int dir, int count)
{
	int64_t first = m->sc->port.first - m->sc->port.shift, last = m->sc->port.last - m->sc->port.shift;
	bool any = false;

	for (; count > 0; count--) {
		int64_t to;

		if (!cursor_edge(m->sc, from, dir, &to))
			break;
		from = to;
		any = true;
	}
	if (!any)
		from = viewport_time(&m->sc->port,
		    floor_div(from + m->sc->port.shift, m->sc->port.c) - m->sc->port.k + dir * count);
	return from < first ? first : from > last ? last : from;
}

unsigned marks_move_end(struct marks *m, int dir, int count)
{
	struct mark *v = marks_current(m);
	int64_t *end, to;

	if (!v) {
		marks_set(m, m->sc->cursor.at, m->sc->cursor.at, NULL);
		v = marks_current(m);
		m->moves_begin = dir < 0;
	}
	end = m->moves_begin ? &v->t0 : &v->t1;
	to = next_end(m, *end + marks_shift(m, v), dir, count);
	if (to == *end + marks_shift(m, v))
		app_say(m->sc->view->app, "the run %s here", dir < 0 ? "starts" : "ends");
	*end = to - marks_shift(m, v);
	if (v->t0 > v->t1) { /* the ends passed each other */
		int64_t swap = v->t0;

		v->t0 = v->t1;
		v->t1 = swap;
		m->moves_begin = !m->moves_begin;
	}
	viewport_reveal(&m->sc->port, to, to + 1);
	m->sc->cursor.at = to;
	scene_keep_visible(m->sc);
	return REACT_REDRAW;
}

unsigned marks_other_end(struct marks *m)
{
	m->moves_begin = !m->moves_begin;
	app_say(m->sc->view->app, "now moving the %s of the interval", m->moves_begin ? "start" : "end");
	return REACT_REDRAW;
}

/* --- bookmarks --- */

/* "step 100 + 6.205 ms", else the time. */
static void name_of_place(const struct marks *m, char *buf, size_t size)
{
	char step[128] = "", time[40];
	int64_t at = m->sc->cursor.at + m->sc->port.shift;

	cursor_step(m->sc, &at, step, sizeof step);
	snprintf(buf, size, "%.40s%s%s", step, *step ? " + " : "", units_time(time, sizeof time, at, true));
}

static uint64_t row_here(const struct marks *m)
{
	return m->sc->cursor.row < m->sc->rows.nvis ? scene_node(m->sc, m->sc->cursor.row)->id : 0;
}

void marks_bookmark(struct marks *m, const char *name)
{
	char automatic[64];
	struct mark *v;

	name_of_place(m, automatic, sizeof automatic);
	if (!*name)
		name = marks_find(m, automatic) < 0 ? automatic : NULL;
	v = add_mark(m, name);
	v->t0 = viewport_begin(&m->sc->port) - marks_shift(m, v);
	v->t1 = viewport_end(&m->sc->port) - marks_shift(m, v);
	v->cursor = m->sc->cursor.at - marks_shift(m, v);
	v->row = row_here(m);
	if (!name)
		name_automatically(m, v);
	app_say(m->sc->view->app, "bookmark: %s", v->name);
	m->sc->view->stale = true;
}

unsigned marks_ask(struct marks *m, void (*done)(struct view *, const char *name))
{
	char automatic[64], hint[120];

	for (int i = 0; i < m->n; i++) {
		struct mark *v = &m->v[i];

		if (v->interval || v->cursor + marks_shift(m, v) != m->sc->cursor.at || v->row != row_here(m))
			continue;
		app_say(m->sc->view->app, "bookmark %s removed", v->name);
		remove_mark(m, i);
		return REACT_REDRAW;
	}
	name_of_place(m, automatic, sizeof automatic);
	snprintf(hint, sizeof hint, "name of the bookmark; Enter alone: %s", automatic);
	app_ask(m->sc->view->app, '\'', "", hint, &m->names, done);
	return REACT_REDRAW;
}

/* --- going to a mark --- */

bool marks_go(struct marks *m, int i)
{
	const struct mark *v;
	struct ref before = m->sc->view->ops->here(m->sc->view),
		   to = { .kind = REF_TIME, .track = ROWS_NONE, .file = -1 };
	int64_t by;

	if (i < 0 || i >= m->n)
		return false;
	v = &m->v[i];
	app_remember(m->sc->view->app, &before);
	cursor_unselect(m->sc);
	to.row = v->row;
	to.exact = !v->interval;
	by = scene_shift_of(m->sc, v->plane) - scene_ref_shift(m->sc, &to);
	to.t0 = v->t0 + by;
	to.t1 = v->t1 > v->t0 ? v->t1 + by : to.t0;
	to.at = v->cursor + by;
	if (v->interval)
		m->at = i + 1;
	m->sc->view->ops->show(m->sc->view, &to);
	m->sc->cursor.at = v->cursor + marks_shift(m, v);
	scene_keep_visible(m->sc);
	m->sc->view->stale = true;
	return true;
}

unsigned marks_menu(struct marks *m, void (*on_pick)(struct app *, int))
{
	struct menu_item item[MARKS_MAX];
	char note[MARKS_MAX][48];
	int n = m->n;

	if (!n) {
		app_say(m->sc->view->app, "no marks yet: m marks an interval, M sets a bookmark");
		return REACT_REDRAW;
	}
	for (int i = 0; i < n; i++) {
		const struct mark *v = &m->v[i];

		if (v->interval)
			units_time(note[i], sizeof note[i], v->t1 - v->t0, scene_ascii(m->sc));
		else
			scene_time_exact(m->sc, v->cursor + scene_shift_of(m->sc, v->plane), note[i],
			    sizeof note[i]);
		item[i] = (struct menu_item){ (char)(i < 26 ? 'a' + i : 0), v->name, note[i], NULL };
	}
	app_menu(m->sc->view->app, "marks and bookmarks", item, n, m->at ? m->at - 1 : n - 1, on_pick);
	return REACT_REDRAW;
}

/* --- commands, Esc --- */

static void name_interval(struct marks *m, const char *name)
{
	struct mark *v = marks_current(m);
	int64_t t0, t1;
	int same = marks_find(m, name);

	if (picks_span(m->sc, true, &t0, &t1) && (!v || !is_interval(m, v, t0, t1))) {
		marks_set(m, t0, t1, name);
	} else if (!v) {
		app_error(m->sc->view->app, "nothing to mark: no event under the cursor");
		return;
	} else {
		if (same >= 0 && same != m->at - 1)
			remove_mark(m, same);
		v = marks_current(m);
		snprintf(v->name, sizeof v->name, "%s", name);
	}
	show_interval(m, "marked");
}

/* "10ms 12ms", "15:03:20 15:03:21": from when to when; false: not two times. */
static bool mark_times(struct marks *m, const char *arg)
{
	char word[2][64];
	struct err e = { .at = ERR_NOWHERE };
	struct ref at[2];
	int end = 0;

	if (sscanf(arg, "%63s %63s %n", word[0], word[1], &end) != 2 || arg[end])
		return false;
	for (int i = 0; i < 2; i++) {
		if (!is_digit(*word[i]) || word[i][strspn(word[i], "0123456789")] == '\0')
			return false;
		if (scene_goto(m->sc, word[i], &at[i], &e)) {
			app_error(m->sc->view->app, "%s", e.msg);
			return true;
		}
		if (at[i].kind != REF_TIME)
			return false;
	}
	marks_set(m, at[0].t0 - m->sc->port.shift, at[1].t0 - m->sc->port.shift, NULL);
	viewport_reveal(&m->sc->port, at[0].t0 - m->sc->port.shift, at[1].t0 - m->sc->port.shift);
	show_interval(m, "marked");
	return true;
}

bool marks_command(struct marks *m, const char *name, const char *arg)
{
	if (!*arg)
		return false;
	if (!strcmp(name, "mark") && mark_times(m, arg))
		return true;
	if (!strcmp(name, "mark"))
		name_interval(m, arg);
	else if (!strcmp(name, "bookmark"))
		marks_bookmark(m, arg);
	else if (!strcmp(name, "unmark") && marks_find(m, arg) >= 0)
		remove_mark(m, marks_find(m, arg));
	else if (!strcmp(name, "unmark"))
		app_error(m->sc->view->app, "no mark or bookmark named '%s'", arg);
	else if (strcmp(name, "goto") || !marks_go(m, marks_find(m, arg)))
		return false;
	return true;
}

void marks_words(const struct marks *m, const char *command, void (*offer)(void *, const char *), void *ctx)
{
	if (strcmp(command, "goto") && strcmp(command, "unmark"))
		return;
	for (int i = 0; i < m->n; i++)
		offer(ctx, m->v[i].name);
}

/* --- saved in a session: "i t0 t1 cursor row plane name" --- */

void marks_save(const struct marks *m, struct kv *kv)
{
	for (int i = 0; i < m->n; i++) {
		const struct mark *v = &m->v[i];

		kv_putf(kv, "mark", "%c %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64 " %" PRIu32 " %s",
		    v->interval ? 'i' : 'b', v->t0, v->t1, v->cursor, v->row, v->plane, v->name);
	}
	if (m->at)
		kv_put_int(kv, "mark-at", m->at);
}

static bool is_valid(int64_t time)
{
	return time >= -TRACE_TIME_MAX && time <= TRACE_TIME_MAX;
}

void marks_restore(struct marks *m, const struct kv *kv)
{
	const char *s;
	int64_t at = 0;

	for (size_t i = 0; (s = kv_next(kv, "mark", &i));) {
		struct mark r = { .row = 0 }, *v;
		char kind;
		int name = 0;

		if (sscanf(s, "%c %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNu64 " %" SCNu32 " %n", &kind,
			&r.t0, &r.t1, &r.cursor, &r.row, &r.plane, &name) != 6 ||
		    !name || !s[name] || !is_valid(r.t0) || !is_valid(r.t1) || !is_valid(r.cursor) ||
		    r.t1 < r.t0)
			continue;
		v = add_mark(m, s + name);
		r.interval = kind == 'i';
		memcpy(r.name, v->name, sizeof r.name);
		*v = r;
	}
	if (kv_get_int(kv, "mark-at", &at) && at > 0 && at <= m->n && m->v[at - 1].interval)
		m->at = (int)at;
}
