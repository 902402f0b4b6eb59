#include "config.h"

#include "view/timeline/tl.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"
#include "model/lod.h"

/* --- events and tracks selected together --- */

/* The selected event, else the one under the cursor. */
static bool event_meant(const struct tl *t, uint32_t *track, size_t *event)
{
	if (t->scene.cursor.selected) {
		*track = t->scene.cursor.track;
		*event = t->scene.cursor.event;
		return true;
	}
	return tl_event_here(t, event, track) && scene_track(&t->scene, *track)->file >= 0;
}

static bool put_track(struct tl *t, uint32_t track)
{
	struct picks *m = &t->scene.picks;

	for (size_t i = 0; i < m->ntracks; i++)
		if (m->track[i] == track) {
			m->track[i] = m->track[--m->ntracks];
			return false;
		}
	VEC_PUSH(m->track, m->ntracks, m->track_cap);
	m->track[m->ntracks++] = track;
	return true;
}

/* Of a section all tracks inside; of a group its threads. */
static void put_tracks_of(struct tl *t, uint32_t node, size_t *added, size_t *taken)
{
	const struct rows_node *v = &t->scene.rows.v[node];

	if (v->kind == NODE_TRACK || v->kind == NODE_ROW || v->kind == NODE_LANES) {
		*(put_track(t, v->track) ? added : taken) += 1;
		return;
	}
	for (uint32_t i = 0; i < v->members; i++)
		*(put_track(t, t->scene.rows.member[v->member + i]) ? added : taken) += 1;
	for (uint32_t i = node + 1; !v->members && i < v->end; i++)
		if (t->scene.rows.v[i].kind == NODE_TRACK && !t->scene.rows.v[i].thin)
			*(put_track(t, t->scene.rows.v[i].track) ? added : taken) += 1;
	if (v->kind == NODE_DEVICE && v->end == node + 1 && v->track != ROWS_NONE) /* folded, not built */
		*(put_track(t, v->track) ? added : taken) += 1;
}

unsigned tl_pick_track(struct tl *t)
{
	size_t added = 0, taken = 0;

	if (t->scene.cursor.row < t->scene.rows.nvis)
		put_tracks_of(t, t->scene.rows.vis[t->scene.cursor.row], &added, &taken);
	if (!added && !taken)
		app_message(t->scene.view->app, false, "No events on this row");
	else if (!t->scene.picks.ntracks)
		app_message(t->scene.view->app, false, "Statistics: all cores again");
	else
		app_message(t->scene.view->app, false, "Statistics: %zu %s (%zu added, %zu taken away)",
		    t->scene.picks.ntracks, t->scene.picks.ntracks == 1 ? "track" : "tracks", added, taken);
	return REACT_REDRAW;
}

static size_t pick_of(const struct picks *m, uint32_t track, size_t event)
{
	size_t i = 0;

	while (i < m->n && (m->v[i].track != track || m->v[i].event != event))
		i++;
	return i;
}

bool tl_picked(const struct tl *t, uint32_t track, size_t event)
{
	return pick_of(&t->scene.picks, track, event) < t->scene.picks.n;
}

unsigned tl_pick_toggle(struct tl *t)
{
	struct picks *m = &t->scene.picks;
	uint32_t track;
	size_t event, i;

	if (!event_meant(t, &track, &event))
		return tl_pick_track(t);
	i = pick_of(m, track, event);
	if (i < m->n) {
		m->v[i] = m->v[--m->n];
		return REACT_REDRAW;
	}
	VEC_PUSH(m->v, m->n, m->cap);
	m->v[m->n++] = (struct pick){ track, event };
	return REACT_REDRAW;
}

/* On the screen. */
static int64_t begin_of(const struct tl *t, uint32_t track, size_t event)
{
	return scene_track(&t->scene, track)->start[event] +
	    scene_shift_of(&t->scene, scene_track(&t->scene, track)->plane);
}

bool tl_span_selected(const struct tl *t, int64_t *t0, int64_t *t1)
{
	const struct picks *m = &t->scene.picks;
	uint32_t track;
	size_t event;

	*t0 = INT64_MAX;
	*t1 = INT64_MIN;
	for (size_t i = 0; i <= m->n; i++) {
		const struct track *k;
		int64_t from;

		if (i < m->n) {
			track = m->v[i].track;
			event = m->v[i].event;
		} else if ((m->n && !t->scene.cursor.selected) || !event_meant(t, &track, &event)) {
			break;
		}
		k = scene_track(&t->scene, track);
		from = begin_of(t, track, event) - t->scene.port.shift;
		*t0 = from < *t0 ? from : *t0;
		*t1 = from + k->dur[event] > *t1 ? from + k->dur[event] : *t1;
	}
	return *t0 <= *t1;
}

/* --- edges --- */

static bool in_rows(const struct track *k, size_t i, struct rows_source s)
{
	int row = track_row(k, i);

	return s.row < 0 || (row >= s.row && row < s.row + s.rows);
}

/* The end nearest to `than` in the direction away from it, of events open at `at`; bounds: (at, limit). */
static bool open_end(const struct track *k, struct rows_source s, int64_t at, int dir, int64_t limit,
    int64_t *edge, size_t *event)
{
	int from = s.row < 0 ? 0 : s.row, to = s.row < 0 ? k->rows : s.row + s.rows;
	bool any = false;

	for (int r = from; r < to; r++) {
		uint32_t o = lod_open(k, r, at);
		int64_t end = o ? k->start[o - 1] + k->dur[o - 1] : 0;

		if (!o || end <= at || end >= limit || (any && (dir > 0 ? end >= *edge : end <= *edge)))
			continue;
		*edge = end;
		*event = o - 1;
		any = true;
	}
	return any;
}

struct edge_at {
	int64_t t;
	size_t event;
	bool end;
};

static bool find_edge(const struct tl *t, int64_t from, int dir, struct edge_at *out)
{
	struct rows_source s = t->scene.cursor.row < t->scene.rows.nvis
	    ? rows_source(scene_node(&t->scene, t->scene.cursor.row))
	    : (struct rows_source){ ROWS_NONE, 0, 1 };
	const struct track *k = s.track != ROWS_NONE ? scene_track(&t->scene, s.track) : NULL;
	size_t i;
	int64_t end;
	bool any;

	if (!k || !k->lod || !k->n)
		return false;
	i = track_lower(k, dir > 0 ? from + 1 : from) - (dir < 0);
	while (i < k->n && !in_rows(k, i, s)) /* wraps below 0 */
		i += (size_t)dir;
	any = i < k->n;
	if (any)
		*out = (struct edge_at){ k->start[i], i, false };
	if (dir > 0) {
		if (open_end(k, s, from, 1, any ? out->t : INT64_MAX, &end, &i)) {
			*out = (struct edge_at){ end, i, true };
			any = true;
		}
	} else if (any && open_end(k, s, out->t, -1, from, &end, &i)) {
		*out = (struct edge_at){ end, i, true };
	}
	return any;
}

bool tl_edge(const struct tl *t, int64_t from, int dir, int64_t *edge)
{
	struct edge_at e;

	if (!find_edge(t, from, dir, &e))
		return false;
	*edge = e.t;
	return true;
}

unsigned tl_move_edge(struct tl *t, int dir, int count)
{
	bool any = false;

	for (int64_t to; count > 0 && tl_edge(t, t->scene.cursor.at, dir, &to); count--) {
		t->scene.cursor.at = to;
		any = true;
	}
	if (!any) {
		app_message(t->scene.view->app, false,
		    dir > 0 ? "No later edge on this row" : "No earlier edge on this row");
		return REACT_REDRAW;
	}
	viewport_reveal(&t->scene.port, t->scene.cursor.at, t->scene.cursor.at + 1);
	tl_keep_visible(t);
	return REACT_REDRAW;
}

/* --- what the status line says of it --- */

const char *tl_tool_name(const struct tl *t)
{
	static const char *const names[] = { [CURSOR_SELECTS] = "",
		[CURSOR_PANS] = "pan",
		[CURSOR_ZOOMS] = "zoom",
		[CURSOR_TIMES] = "timing" };

	return names[t->scene.cursor.tool];
}

static void name_of(const struct tl *t, const struct track *k, size_t event, char *buf, size_t size)
{
	strid name = t->scene.dump->trace.metas[k->meta[event]].name;
	const char *s = strtab_str(&t->scene.dump->str, name);

	snprintf(buf, size, "%.*s", (int)utf8_fit(s, strtab_len(&t->scene.dump->str, name), 24), s);
}

/* "3.1 µs after copy.1 ends". */
static void edge_text(const struct tl *t, int dir, char *buf, size_t size)
{
	struct edge_at e;
	char name[128], time[40];

	*buf = '\0';
	if (!find_edge(t, t->scene.cursor.at, dir, &e))
		return;
	name_of(t, scene_track(&t->scene, rows_source(scene_node(&t->scene, t->scene.cursor.row)).track),
	    e.event, name, sizeof name);
	units_time(time, sizeof time, dir > 0 ? e.t - t->scene.cursor.at : t->scene.cursor.at - e.t,
	    scene_ascii(&t->scene));
	snprintf(buf, size, "   %s %s %s %s", time, dir > 0 ? "before" : "after", name,
	    e.end ? "ends" : "begins");
}

/* Two events: what lies between them; more: what they span. */
static void picks_text(const struct tl *t, char *buf, size_t size)
{
	const struct pick *p = t->scene.picks.v, *q = p + 1;
	char a[128], b[128], time[48];
	int64_t t0, t1, gap;

	if (t->scene.picks.n != 2) {
		tl_span_selected(t, &t0, &t1);
		units_time_exact(time, sizeof time, t1 - t0, scene_ascii(&t->scene));
		snprintf(buf, size, "%zu %s selected, %s from first to last", t->scene.picks.n,
		    t->scene.picks.n == 1 ? "event" : "events", time);
		return;
	}
	if (begin_of(t, p->track, p->event) > begin_of(t, q->track, q->event)) {
		q = p;
		p = t->scene.picks.v + 1;
	}
	gap = begin_of(t, q->track, q->event) - begin_of(t, p->track, p->event) -
	    scene_track(&t->scene, p->track)->dur[p->event];
	name_of(t, scene_track(&t->scene, p->track), p->event, a, sizeof a);
	name_of(t, scene_track(&t->scene, q->track), q->event, b, sizeof b);
	units_time_exact(time, sizeof time, gap < 0 ? -gap : gap, scene_ascii(&t->scene));
	snprintf(buf, size,
	    gap < 0 ? "%s overlap: end of %s, begin of %s" : "%s gap: end of %s to begin of %s", time, a, b);
}

bool tl_mark_status(const struct tl *t, char *left, char *right, size_t size)
{
	char time[48], before[200], after[200];

	(void)right;
	if (t->scene.open[PANE_STATS]) {
		tl_stats_status(t, left, right, size);
		return true;
	}
	if (t->scene.picks.n) {
		picks_text(t, left, size);
		*right = '\0';
		return true;
	}
	if (t->scene.cursor.tool != CURSOR_TIMES)
		return false;
	edge_text(t, -1, before, sizeof before);
	edge_text(t, 1, after, sizeof after);
	scene_time_exact(&t->scene, t->scene.cursor.at + t->scene.port.shift, false, time, sizeof time);
	snprintf(left, size, "timing %s%s%s", time, before, after);
	*right = '\0';
	return true;
}
