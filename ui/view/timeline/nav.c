#include "config.h"

#include "view/timeline/tl.h"

#include "core/job.h"
#include "model/lod.h"

static int64_t clamp64(int64_t v, int64_t lo, int64_t hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

static bool in_rows(const struct track *k, size_t i, struct rows_source s)
{
	int row = track_row(k, i);

	return s.row < 0 || (row >= s.row && row < s.row + s.rows);
}

/* --- what is where --- */

bool tl_event_at(const struct tl *t, struct rows_source s, int64_t at, size_t *event)
{
	const struct track *k;
	uint32_t found = 0;
	int from, to;

	if (s.track == ROWS_NONE || !scene_track(&t->scene, s.track)->lod)
		return false;
	k = scene_track(&t->scene, s.track);
	from = s.row < 0 ? 0 : s.row;
	to = s.row < 0 ? k->rows : s.row + s.rows;
	for (int r = from; r < to; r++) {
		uint32_t open = lod_open(k, r, at);

		if (open > found)
			found = open;
		if (!open && s.row < 0 && !k->lane) /* a nest: nothing is open deeper down */
			break;
	}
	*event = found ? found - 1 : 0;
	return found;
}

/* The event that covers most of the cursor's column. */
static bool event_in_column(const struct tl *t, struct rows_source s, size_t *event)
{
	const struct track *k = scene_track(&t->scene, s.track);
	struct lod_cell cell[TRACK_ROWS_MAX + 1];
	int from = s.row < 0 ? 0 : s.row, rows = s.row < 0 ? k->rows : s.rows,
	    x = viewport_column(&t->scene.port, t->scene.cursor.at);
	int64_t most = -1;

	if (!k->lod || !k->n || rows < 1 || from + rows > k->rows)
		return false;
	lod_columns(k, t->scene.dump->trace.meta_class, viewport_time(&t->scene.port, x), t->scene.port.c, 1,
	    from, rows, cell);
	for (int r = 0; r < rows; r++)
		if (cell[r].big && cell[r].big_len >= most) {
			most = cell[r].big_len;
			*event = cell[r].big - 1;
		}
	return most >= 0;
}

bool tl_event_here(const struct tl *t, size_t *event, uint32_t *track)
{
	struct rows_source s;

	if (t->scene.cursor.row >= t->scene.rows.nvis)
		return false;
	s = rows_source(scene_node(&t->scene, t->scene.cursor.row));
	*track = s.track;
	return s.track != ROWS_NONE &&
	    (tl_event_at(t, s, t->scene.cursor.at, event) || event_in_column(t, s, event));
}

uint32_t tl_steps_track(const struct tl *t, const struct rows_node *v)
{
	const struct rows *r = &t->scene.rows;

	for (const struct rows_node *p = v;; p = &r->v[p->parent]) {
		if (p->steps != ROWS_NONE)
			return p->steps;
		if (p->parent == ROWS_NONE)
			break;
	}
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].steps != ROWS_NONE)
			return r->v[i].steps;
	return ROWS_NONE;
}

/* --- selection --- */

/* The cursor goes into the event, where that is in its column. */
static void enter_event(struct tl *t, const struct track *k, size_t event)
{
	int64_t shift = scene_shift_of(&t->scene, k->plane) - t->scene.port.shift,
		from = k->start[event] + shift, last = k->dur[event] > 0 ? from + k->dur[event] - 1 : from,
		to = clamp64(t->scene.cursor.at, from, last);

	if (viewport_column(&t->scene.port, to) == viewport_column(&t->scene.port, t->scene.cursor.at))
		t->scene.cursor.at = to;
}

void tl_select(struct tl *t, uint32_t track, size_t event)
{
	t->scene.cursor.selected = true;
	t->scene.cursor.track = track;
	t->scene.cursor.event = event;
	t->full_top = 0;
	enter_event(t, scene_track(&t->scene, track), event);
}

void tl_unselect(struct tl *t)
{
	t->scene.cursor.selected = t->scene.cursor.full = false;
}

bool tl_cursor_in(const struct tl *t, uint32_t track, size_t event)
{
	const struct track *k = scene_track(&t->scene, track);
	int64_t at = t->scene.cursor.at + t->scene.port.shift - scene_shift_of(&t->scene, k->plane);

	return event < k->n && at >= k->start[event] &&
	    (at < k->start[event] + k->dur[event] || at == k->start[event]);
}

void tl_cursor_to(struct tl *t, int64_t from, int64_t to)
{
	viewport_reveal(&t->scene.port, from, to);
	t->scene.cursor.at = from;
	tl_leave_selection(t);
	tl_keep_visible(t);
}

void tl_leave_selection(struct tl *t)
{
	if (t->scene.cursor.selected && !tl_cursor_in(t, t->scene.cursor.track, t->scene.cursor.event))
		tl_unselect(t);
}

/* The row of the cursor stays on screen, the cursor inside the view. */
void tl_keep_visible(struct tl *t)
{
	size_t h, pins;

	tl_relayout(t);
	h = t->scene.lay.plot.h > 0 ? (size_t)t->scene.lay.plot.h : 1;
	pins = scene_pins(&t->scene);
	if (t->scene.cursor.row >= t->scene.rows.nvis)
		t->scene.cursor.row = t->scene.rows.nvis ? t->scene.rows.nvis - 1 : 0;
	if (t->scene.cursor.row >= pins && t->scene.cursor.row < t->scene.cursor.top + pins)
		t->scene.cursor.top = t->scene.cursor.row - pins;
	if (t->scene.cursor.row >= t->scene.cursor.top + h)
		t->scene.cursor.top = t->scene.cursor.row - h + 1;
	if (t->scene.cursor.top + h > t->scene.rows.nvis)
		t->scene.cursor.top = t->scene.rows.nvis > h ? t->scene.rows.nvis - h : 0;
	t->scene.cursor.at =
	    clamp64(t->scene.cursor.at, viewport_begin(&t->scene.port), viewport_end(&t->scene.port) - 1);
}

void tl_rebuild(struct tl *t)
{
	struct app *app = t->scene.view->app;
	uint64_t id =
	    t->scene.cursor.row < t->scene.rows.nvis ? scene_node(&t->scene, t->scene.cursor.row)->id : 0;
	size_t above = t->scene.cursor.row -
	    (t->scene.cursor.top < t->scene.cursor.row ? t->scene.cursor.top : t->scene.cursor.row);

	jobs_pause(app); /* rows may be derived */
	rows_build(&t->scene.rows, t->scene.dump, &app->steps, app->host);
	t->scene.changes.rows++;
	t->scene.cursor.row = rows_find(&t->scene.rows, id);
	t->scene.cursor.top = t->scene.cursor.row > above ? t->scene.cursor.row - above
							  : 0; /* it stays where it was on the screen */
	if (t->scene.host != app->host) {
		t->scene.host = app->host;
		t->scene.changes.times++;
	}
}

/* The cursor goes to the event, the view only if it is not there. */
static void show_event(struct tl *t, uint32_t track, size_t event)
{
	const struct track *k = scene_track(&t->scene, track);
	bool inside = t->scene.shift.inside;

	scene_enter(&t->scene, k->plane); /* its host may be another one */
	tl_select(t, track, event);
	viewport_reveal(&t->scene.port, k->start[event], k->start[event] + k->dur[event]);
	t->scene.cursor.at = k->start[event];
	tl_keep_visible(t);
	if (!inside)
		scene_leave(&t->scene);
}

/* A section that opens has rows to be made first. */
void tl_open_sections(struct tl *t, uint32_t node)
{
	bool opened = false;

	for (uint32_t i = node; i != ROWS_NONE; i = t->scene.rows.v[i].parent)
		opened |= t->scene.rows.v[i].kind == NODE_DEVICE && t->scene.rows.v[i].folded;
	if (opened) {
		rows_open_to(&t->scene.rows, node);
		tl_rebuild(t);
	}
}

bool tl_goto_event(struct tl *t, uint32_t track, size_t event)
{
	uint32_t node = track < t->scene.rows.ntracks ? t->scene.rows.node_of[track] : ROWS_NONE;

	if (node == ROWS_NONE || event >= scene_track(&t->scene, track)->n)
		return false;
	tl_open_sections(t, node);
	node = rows_of_event(&t->scene.rows, &t->scene.dump->trace, track, event);
	if (node == ROWS_NONE)
		return false;
	t->scene.cursor.row = rows_find(&t->scene.rows, t->scene.rows.v[node].id);
	show_event(t, track, event);
	return true;
}

/* The selection stays where it is: what is under the cursor there is Enter's, or h's and l's, to choose. */
void tl_move_row(struct tl *t, long by)
{
	long to = (long)t->scene.cursor.row + by, last = (long)t->scene.rows.nvis - 1;

	to = to > last ? last : to;
	t->scene.cursor.row = to < 0 ? 0 : (size_t)to;
	tl_keep_visible(t);
}

/* --- along a row --- */

static bool next_in_rows(const struct track *k, struct rows_source s, size_t *i, int dir)
{
	if (dir > 0) {
		for (; *i < k->n; ++*i)
			if (in_rows(k, *i, s))
				return true;
		return false;
	}
	for (; *i < k->n; --*i) /* wraps below 0 */
		if (in_rows(k, *i, s))
			return true;
	return false;
}

static unsigned move_sample(struct tl *t, int counter, int dir, int count)
{
	const struct counter *c = &t->scene.dump->trace.counters[counter];
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (dir > 0 ? c->t[mid] <= t->scene.cursor.at : c->t[mid] < t->scene.cursor.at)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (dir > 0 ? lo >= c->n : !lo)
		return REACT_NONE;
	lo = dir > 0 ? lo + (size_t)(count - 1) : lo > (size_t)count ? lo - (size_t)count : 0;
	lo = lo < c->n ? lo : c->n - 1;
	tl_cursor_to(t, c->t[lo], c->t[lo] + 1);
	return REACT_REDRAW;
}

/* Of the row: the event that begins at the cursor, else the one around it. */
static bool event_at_cursor(const struct tl *t, struct rows_source s, size_t *event)
{
	const struct track *k = scene_track(&t->scene, s.track);

	for (size_t i = track_lower(k, t->scene.cursor.at); i < k->n && k->start[i] == t->scene.cursor.at;
	     i++)
		if (in_rows(k, i, s)) {
			*event = i;
			return true;
		}
	return tl_event_at(t, s, t->scene.cursor.at, event);
}

/* With nothing selected on the row the event at the cursor is the first one to go to, either way. */
unsigned tl_move_event(struct tl *t, int dir, int count)
{
	const struct rows_node *v =
	    t->scene.cursor.row < t->scene.rows.nvis ? scene_node(&t->scene, t->scene.cursor.row) : NULL;
	struct rows_source s = v ? rows_source(v) : (struct rows_source){ ROWS_NONE, -1, 1 };
	const struct track *k;
	size_t i, found = SIZE_MAX;

	if (v && rows_shows_counter(v))
		return move_sample(t, v->counter, dir, count);
	if (s.track == ROWS_NONE || !scene_track(&t->scene, s.track)->n) {
		app_message(t->scene.view->app, false, "No events on this row");
		return REACT_REDRAW;
	}
	k = scene_track(&t->scene, s.track);
	if (t->scene.cursor.selected && t->scene.cursor.track == s.track && t->scene.cursor.event < k->n &&
	    in_rows(k, t->scene.cursor.event, s) && tl_cursor_in(t, s.track, t->scene.cursor.event))
		i = t->scene.cursor.event + (size_t)dir;
	else if (!event_at_cursor(t, s, &i))
		i = dir > 0 ? track_lower(k, t->scene.cursor.at + 1) : track_lower(k, t->scene.cursor.at) - 1;
	else if (tl_picked(t, s.track, i)) /* taken already */
		i += (size_t)dir;
	for (; count > 0 && next_in_rows(k, s, &i, dir); count--) {
		found = i;
		i += (size_t)dir;
	}
	if (found == SIZE_MAX) {
		app_message(t->scene.view->app, false,
		    dir > 0 ? "No later event on this row" : "No earlier event on this row");
		return REACT_REDRAW;
	}
	show_event(t, s.track, found);
	return REACT_REDRAW;
}

bool tl_from_event(const struct tl *t, uint32_t *track, size_t *event)
{
	if (t->scene.cursor.selected) {
		*track = t->scene.cursor.track;
		*event = t->scene.cursor.event;
		return true;
	}
	return tl_event_here(t, event, track);
}

unsigned tl_move_same(struct tl *t, int dir, int count)
{
	const struct evmeta *metas = t->scene.dump->trace.metas;
	const struct track *k;
	uint32_t track;
	size_t event, found = SIZE_MAX;
	strid name;

	if (!tl_from_event(t, &track, &event)) {
		app_message(t->scene.view->app, false, "No event under the cursor");
		return REACT_REDRAW;
	}
	k = scene_track(&t->scene, track);
	name = metas[k->meta[event]].name;
	for (size_t i = event + (size_t)dir; i < k->n && count > 0; i += (size_t)dir)
		if (metas[k->meta[i]].name == name) {
			found = i;
			count--;
		}
	if (found == SIZE_MAX)
		app_message(t->scene.view->app, false, "No %s event of this name on this track",
		    dir > 0 ? "later" : "earlier");
	else if (!tl_goto_event(t, track, found))
		show_event(t, track, found);
	return REACT_REDRAW;
}

/* A step of the row: one of the runs of a folded core, else an event of the track. */
static void step_span(const struct tl *t, const struct step *runs, uint32_t track, size_t i, int64_t *from,
    int64_t *to)
{
	if (runs) {
		steps_span(&runs[i], t->scene.dump, from, to);
		return;
	}
	*from = scene_track(&t->scene, track)->start[i];
	*to = *from + scene_track(&t->scene, track)->dur[i];
}

/* The first one that begins at this time or later. */
static size_t step_lower(const struct tl *t, const struct step *runs, uint32_t track, size_t n, int64_t at)
{
	size_t i = 0;
	int64_t from, to;

	if (!runs)
		return track_lower(scene_track(&t->scene, track), at);
	for (; i < n; i++) {
		step_span(t, runs, track, i, &from, &to);
		if (from >= at)
			break;
	}
	return i;
}

unsigned tl_move_step(struct tl *t, int dir, int count)
{
	const struct rows_node *v =
	    t->scene.cursor.row < t->scene.rows.nvis ? scene_node(&t->scene, t->scene.cursor.row) : NULL;
	uint32_t track = v ? tl_steps_track(t, v) : ROWS_NONE;
	const struct step *runs = NULL;
	size_t n = v ? tl_steps_folded(t, v, &runs) : 0, i;
	int64_t from, to;

	if (!n && track != ROWS_NONE)
		n = scene_track(&t->scene, track)->n;
	if (!n) {
		app_message(t->scene.view->app, false, "No steps in this capture");
		return REACT_REDRAW;
	}
	scene_enter(&t->scene, runs ? runs->plane : scene_track(&t->scene, track)->plane);
	i = step_lower(t, runs, track, n, dir > 0 ? t->scene.cursor.at + 1 : t->scene.cursor.at) - (dir < 0);
	if (i >= n) {
		app_message(t->scene.view->app, false,
		    dir > 0 ? "This is the last step" : "This is the first step");
		return REACT_REDRAW;
	}
	if (dir > 0)
		i = i + (size_t)(count - 1) < n ? i + (size_t)(count - 1) : n - 1;
	else
		i = i >= (size_t)(count - 1) ? i - (size_t)(count - 1) : 0;
	step_span(t, runs, track, i, &from, &to);
	tl_cursor_to(t, from, to);
	return REACT_REDRAW;
}
