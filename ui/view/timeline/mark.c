#include "config.h"

#include "view/timeline/tl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "core/overlay.h"

/* --- the list --- */

struct tl_mark *tl_mark_current(const struct tl *t)
{
	return t->marks.at ? (struct tl_mark *)&t->marks.v[t->marks.at - 1] : NULL;
}

int tl_mark_find(const struct tl *t, const char *name)
{
	for (int i = 0; i < t->marks.n; i++)
		if (!strcmp(t->marks.v[i].name, name))
			return i;
	return -1;
}

static void remove_mark(struct tl *t, int i)
{
	struct tl_marks *m = &t->marks;

	memmove(&m->v[i], &m->v[i + 1], (size_t)(m->n - i - 1) * sizeof *m->v);
	m->n--;
	m->at = m->at == i + 1 ? 0 : m->at - (m->at > i + 1);
}

int64_t tl_mark_shift(const struct tl *t, const struct tl_mark *v)
{
	return scene_shift_of(&t->scene, v->plane) - t->scene.port.shift;
}

/* Room for one more: the oldest goes when there are too many.  It goes along with the host of the cursor's
 * row. */
static struct tl_mark *add_mark(struct tl *t, const char *name)
{
	struct tl_marks *m = &t->marks;
	struct tl_mark *v;
	int same = name ? tl_mark_find(t, name) : -1;

	if (same >= 0)
		remove_mark(t, same);
	if (m->n == TL_MARKS_MAX)
		remove_mark(t, 0);
	v = &m->v[m->n++];
	*v = (struct tl_mark){ .plane = t->scene.cursor.row < t->scene.rows.nvis
		    ? scene_node(&t->scene, t->scene.cursor.row)->plane
		    : UINT32_MAX };
	snprintf(v->name, sizeof v->name, "%s", name ? name : "");
	return v;
}

static void name_automatically(struct tl *t, struct tl_mark *v)
{
	char name[24];

	do
		snprintf(name, sizeof name, "%s %d", v->interval ? "interval" : "place", ++t->marks.named);
	while (tl_mark_find(t, name) >= 0);
	snprintf(v->name, sizeof v->name, "%s", name);
}

void tl_marks_forget(struct tl *t)
{
	t->scene.picks.n = t->scene.picks.ntracks = 0;
	tl_stats_free(t);
}

void tl_marks_free(struct tl *t)
{
	tl_stats_free(t);
	free(t->scene.picks.v);
	free(t->scene.picks.track);
	history_free(&t->marks.names);
	t->marks = (struct tl_marks){ .n = 0 };
}

/* --- intervals --- */

void tl_mark_set(struct tl *t, int64_t t0, int64_t t1, const char *name)
{
	struct tl_mark *v = add_mark(t, name);

	v->interval = true;
	v->t0 = (t0 < t1 ? t0 : t1) - tl_mark_shift(t, v);
	v->t1 = (t0 < t1 ? t1 : t0) - tl_mark_shift(t, v);
	v->cursor = v->t0;
	if (!name)
		name_automatically(t, v);
	t->marks.at = t->marks.n;
	t->marks.moves_begin = false;
}

static void tell_interval(struct tl *t, const char *what)
{
	const struct tl_mark *v = tl_mark_current(t);
	char time[48];

	app_message(t->scene.view->app, false, "%s %s: %s", what, v->name,
	    units_time_exact(time, sizeof time, v->t1 - v->t0, scene_ascii(&t->scene)));
}

static bool is_interval(const struct tl *t, const struct tl_mark *v, int64_t t0, int64_t t1)
{
	return v->interval && v->t0 + tl_mark_shift(t, v) == t0 && v->t1 + tl_mark_shift(t, v) == t1;
}

unsigned tl_mark_toggle(struct tl *t)
{
	const struct tl_mark *v = tl_mark_current(t);
	int64_t t0, t1;

	if (!picks_span(&t->scene, &t0, &t1)) {
		if (!v) {
			app_message(t->scene.view->app, false, "Nothing to mark: no event under the cursor");
			return REACT_REDRAW;
		}
		t0 = v->t0 + tl_mark_shift(t, v);
		t1 = v->t1 + tl_mark_shift(t, v);
	}
	for (int i = 0; i < t->marks.n; i++) {
		if (!is_interval(t, &t->marks.v[i], t0, t1))
			continue;
		if (t->marks.at == i + 1) {
			remove_mark(t, i);
			app_message(t->scene.view->app, false, "Mark cleared");
		} else {
			t->marks.at = i + 1;
			tell_interval(t, "again");
		}
		return REACT_REDRAW;
	}
	tl_mark_set(t, t0, t1, NULL);
	tell_interval(t, "marked");
	return REACT_REDRAW;
}

/* An end goes to the next edge of the row, and where the row has none, by columns. */
static int64_t next_end(const struct tl *t, int64_t from, int dir, int count)
{
	int64_t first = t->scene.port.first - t->scene.port.shift,
		last = t->scene.port.last - t->scene.port.shift;
	bool any = false;

	for (; count > 0; count--) {
		int64_t to;

		if (!cursor_edge(&t->scene, from, dir, &to))
			break;
		from = to;
		any = true;
	}
	if (!any)
		from = viewport_time(&t->scene.port,
		    floor_div(from + t->scene.port.shift, t->scene.port.c) - t->scene.port.k + dir * count);
	return from < first ? first : from > last ? last : from;
}

unsigned tl_mark_move(struct tl *t, int dir, int count)
{
	struct tl_mark *v = tl_mark_current(t);
	int64_t *end, to;

	if (!v) {
		tl_mark_set(t, t->scene.cursor.at, t->scene.cursor.at, NULL);
		v = tl_mark_current(t);
		t->marks.moves_begin = dir < 0;
	}
	end = t->marks.moves_begin ? &v->t0 : &v->t1;
	to = next_end(t, *end + tl_mark_shift(t, v), dir, count);
	if (to == *end + tl_mark_shift(t, v))
		app_message(t->scene.view->app, false, "The run %s here", dir < 0 ? "begins" : "ends");
	*end = to - tl_mark_shift(t, v);
	if (v->t0 > v->t1) { /* they passed each other */
		int64_t swap = v->t0;

		v->t0 = v->t1;
		v->t1 = swap;
		t->marks.moves_begin = !t->marks.moves_begin;
	}
	viewport_reveal(&t->scene.port, to, to + 1);
	t->scene.cursor.at = to;
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

/* --- bookmarks --- */

/* "step 100 + 6.205 ms", else the time. */
static void name_of_place(const struct tl *t, char *buf, size_t size)
{
	char step[128] = "", time[40];
	int64_t at = t->scene.cursor.at + t->scene.port.shift;

	cursor_step(&t->scene, &at, step, sizeof step);
	snprintf(buf, size, "%.40s%s%s", step, *step ? " + " : "", units_time(time, sizeof time, at, true));
}

static uint64_t row_here(const struct tl *t)
{
	return t->scene.cursor.row < t->scene.rows.nvis ? scene_node(&t->scene, t->scene.cursor.row)->id : 0;
}

void tl_mark_bookmark(struct tl *t, const char *name)
{
	char automatic[64];
	struct tl_mark *v;

	name_of_place(t, automatic, sizeof automatic);
	if (!*name)
		name = tl_mark_find(t, automatic) < 0 ? automatic : NULL;
	v = add_mark(t, name);
	v->t0 = viewport_begin(&t->scene.port) - tl_mark_shift(t, v);
	v->t1 = viewport_end(&t->scene.port) - tl_mark_shift(t, v);
	v->cursor = t->scene.cursor.at - tl_mark_shift(t, v);
	v->row = row_here(t);
	if (!name)
		name_automatically(t, v);
	app_message(t->scene.view->app, false, "Bookmark: %s", v->name);
	t->scene.view->stale = true;
}

static void name_typed(struct view *v, const char *name)
{
	tl_mark_bookmark(tl_of(v), name);
}

unsigned tl_mark_ask(struct tl *t)
{
	char automatic[64], hint[120];

	for (int i = 0; i < t->marks.n; i++) {
		struct tl_mark *v = &t->marks.v[i];

		if (v->interval || v->cursor + tl_mark_shift(t, v) != t->scene.cursor.at ||
		    v->row != row_here(t))
			continue;
		app_message(t->scene.view->app, false, "Bookmark %s taken away", v->name);
		remove_mark(t, i);
		return REACT_REDRAW;
	}
	name_of_place(t, automatic, sizeof automatic);
	snprintf(hint, sizeof hint, "name of the bookmark; Enter alone: %s", automatic);
	app_ask(t->scene.view->app, '\'', "", hint, &t->marks.names, name_typed);
	return REACT_REDRAW;
}

/* --- going there --- */

bool tl_mark_go(struct tl *t, int i)
{
	const struct tl_mark *v;
	struct ref before = t->scene.view->ops->here(t->scene.view),
		   to = { .kind = REF_TIME, .track = ROWS_NONE, .file = -1 };
	int64_t by;

	if (i < 0 || i >= t->marks.n)
		return false;
	v = &t->marks.v[i];
	app_remember(t->scene.view->app, &before);
	cursor_unselect(&t->scene);
	to.row = v->row;
	to.exact = !v->interval;
	by = scene_shift_of(&t->scene, v->plane) - scene_ref_shift(&t->scene, &to);
	to.t0 = v->t0 + by;
	to.t1 = v->t1 > v->t0 ? v->t1 + by : to.t0;
	to.at = v->cursor + by;
	if (v->interval)
		t->marks.at = i + 1;
	t->scene.view->ops->show(t->scene.view, &to);
	t->scene.cursor.at = v->cursor + tl_mark_shift(t, v);
	scene_keep_visible(&t->scene);
	t->scene.view->stale = true;
	return true;
}

static void picked(struct app *app, int i)
{
	struct view *v = app_view(app, "timeline");

	if (v && v->opened)
		tl_mark_go(tl_of(v), i);
}

unsigned tl_mark_menu(struct tl *t)
{
	struct menu_item item[TL_MARKS_MAX];
	char note[TL_MARKS_MAX][48];
	int n = t->marks.n;

	if (!n) {
		app_message(t->scene.view->app, false,
		    "No marks yet: m marks an interval, M sets a bookmark");
		return REACT_REDRAW;
	}
	for (int i = 0; i < n; i++) {
		const struct tl_mark *v = &t->marks.v[i];

		if (v->interval)
			units_time(note[i], sizeof note[i], v->t1 - v->t0, scene_ascii(&t->scene));
		else
			scene_time_exact(&t->scene, v->cursor + scene_shift_of(&t->scene, v->plane), false,
			    note[i], sizeof note[i]);
		item[i] = (struct menu_item){ (char)(i < 26 ? 'a' + i : 0), v->name, note[i] };
	}
	app_menu(t->scene.view->app, "marks and bookmarks", item, n, t->marks.at ? t->marks.at - 1 : n - 1,
	    picked);
	return REACT_REDRAW;
}

/* --- commands, Esc --- */

static void name_interval(struct tl *t, const char *name)
{
	struct tl_mark *v = tl_mark_current(t);
	int64_t t0, t1;
	int same = tl_mark_find(t, name);

	if (picks_span(&t->scene, &t0, &t1) && (!v || !is_interval(t, v, t0, t1))) {
		tl_mark_set(t, t0, t1, name);
	} else if (!v) {
		app_message(t->scene.view->app, true, "nothing to mark: no event under the cursor");
		return;
	} else {
		if (same >= 0 && same != t->marks.at - 1)
			remove_mark(t, same);
		v = tl_mark_current(t);
		snprintf(v->name, sizeof v->name, "%s", name);
	}
	tell_interval(t, "marked");
}

bool tl_mark_command(struct tl *t, const char *name, const char *arg)
{
	if (!*arg)
		return false;
	if (!strcmp(name, "mark"))
		name_interval(t, arg);
	else if (!strcmp(name, "bookmark"))
		tl_mark_bookmark(t, arg);
	else if (!strcmp(name, "unmark") && tl_mark_find(t, arg) >= 0)
		remove_mark(t, tl_mark_find(t, arg));
	else if (!strcmp(name, "unmark"))
		app_message(t->scene.view->app, true, "no mark or bookmark is called %s", arg);
	else if (strcmp(name, "goto") || !tl_mark_go(t, tl_mark_find(t, arg)))
		return false;
	return true;
}

void tl_mark_words(const struct tl *t, const char *command, void (*offer)(void *, const char *), void *ctx)
{
	if (strcmp(command, "goto") && strcmp(command, "unmark"))
		return;
	for (int i = 0; i < t->marks.n; i++)
		offer(ctx, t->marks.v[i].name);
}

bool tl_mark_leave(struct tl *t)
{
	if (t->scene.open[PANE_STATS]) {
		t->scene.open[PANE_STATS] = false;
		tl_stats_free(t);
	} else if ((t->scene.picks.n || t->scene.picks.ntracks) && !search_on(&t->search)) {
		t->scene.picks.n = t->scene.picks.ntracks = 0;
		cursor_unselect(&t->scene);
	} else {
		return false;
	}
	return true;
}

/* --- kept between sessions: "i t0 t1 cursor row plane name" --- */

void tl_mark_save(const struct tl *t, struct kv *kv)
{
	for (int i = 0; i < t->marks.n; i++) {
		const struct tl_mark *v = &t->marks.v[i];

		kv_putf(kv, "mark", "%c %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64 " %" PRIu32 " %s",
		    v->interval ? 'i' : 'b', v->t0, v->t1, v->cursor, v->row, v->plane, v->name);
	}
	if (t->marks.at)
		kv_put_int(kv, "mark-at", t->marks.at);
}

static bool sane(int64_t time)
{
	return time >= -TRACE_TIME_MAX && time <= TRACE_TIME_MAX;
}

void tl_mark_restore(struct tl *t, const struct kv *kv)
{
	const char *s;
	int64_t at = 0;

	for (size_t i = 0; (s = kv_next(kv, "mark", &i));) {
		struct tl_mark r = { .row = 0 }, *v;
		char kind;
		int name = 0;

		if (sscanf(s, "%c %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNu64 " %" SCNu32 " %n", &kind,
			&r.t0, &r.t1, &r.cursor, &r.row, &r.plane, &name) != 6 ||
		    !name || !s[name] || !sane(r.t0) || !sane(r.t1) || !sane(r.cursor) || r.t1 < r.t0)
			continue;
		v = add_mark(t, s + name);
		r.interval = kind == 'i';
		memcpy(r.name, v->name, sizeof r.name);
		*v = r;
	}
	if (kv_get_int(kv, "mark-at", &at) && at > 0 && at <= t->marks.n && t->marks.v[at - 1].interval)
		t->marks.at = (int)at;
}
