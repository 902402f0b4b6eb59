#include "config.h"

#include "view/timeline/tl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/links.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "core/job.h"

enum { MARKS = 64 };

/* --- finding them --- */

struct tl_flow_job {
	struct tl *t;
	struct links_found found;
};

static void find(void *ctx, struct progress *progress)
{
	struct tl_flow_job *j = ctx;

	links_find(j->t->scene.dump, &j->found, progress);
}

static void found(struct app *app, void *ctx)
{
	struct tl_flow_job *j = ctx;

	(void)app;
	links_adopt(j->t->scene.dump, &j->found);
	j->t->flow.known = true;
	j->t->flow.job = NULL;
}

static void drop(void *ctx)
{
	struct tl_flow_job *j = ctx;

	links_found_free(&j->found);
	free(j);
}

void tl_find_links(struct tl *t)
{
	struct tl_flow_job *j;

	if (t->flow.known || t->flow.job)
		return;
	j = t->flow.job = xcalloc(1, sizeof *j);
	j->t = t;
	jobs_add_idle(t->scene.view->app, &(struct job){ "finding arrows", find, found, drop, j });
}

bool tl_want_links(struct tl *t)
{
	tl_find_links(t);
	if (!t->flow.known)
		jobs_await(t->scene.view->app, t->flow.job);
	return t->flow.known;
}

void tl_flow_free(struct tl *t)
{
	jobs_drop(t->scene.view->app, t->flow.job);
	t->flow.job = NULL;
}

/* --- jumps that wait for them --- */

unsigned tl_flow_wait(struct tl *t, enum action a, int count)
{
	t->flow.wanted = a;
	t->flow.count = count;
	t->flow.keys = t->scene.view->app->keys;
	return REACT_REDRAW;
}

bool tl_flow_waits(const struct tl *t)
{
	return t->flow.wanted != ACT_NONE && t->flow.keys == t->scene.view->app->keys;
}

enum action tl_flow_due(struct tl *t)
{
	enum action a = tl_flow_waits(t) ? t->flow.wanted : ACT_NONE;

	if (!t->flow.known)
		return ACT_NONE;
	t->flow.wanted = ACT_NONE;
	return a;
}

/* --- jumps --- */

/* The other end of the nth flow of an event. */
static struct find_pos far_end(const struct tl *t, int dir, uint32_t track, size_t event, size_t nth)
{
	const struct edge *e;
	uint32_t *in;
	struct find_pos to;

	if (dir > 0) {
		links_from(t->scene.dump, track, event, &e);
		return (struct find_pos){ e[nth].dst_track, e[nth].dst };
	}
	in = xcalloc(nth + 1, sizeof *in);
	links_to(t->scene.dump, track, event, in, nth + 1);
	e = &t->scene.dump->trace.edges[in[nth]];
	to = (struct find_pos){ e->src_track, e->src };
	free(in);
	return to;
}

/* The same key again, and nothing else was done since. */
static bool goes_on(const struct tl *t, int dir)
{
	const struct tl_flow *f = &t->flow;

	return f->dir == dir && f->n > 1 && t->scene.cursor.selected &&
	    t->scene.cursor.track == f->to_track && t->scene.cursor.event == f->to_event &&
	    t->last == (dir > 0 ? ACT_FLOW_NEXT : ACT_FLOW_PREV);
}

static bool begin_flow(struct tl *t, int dir)
{
	struct tl_flow *f = &t->flow;
	const struct edge *e;

	f->n = dir > 0 ? links_from(t->scene.dump, f->track, f->event, &e)
		       : links_to(t->scene.dump, f->track, f->event, NULL, 0);
	if (!f->n) {
		app_message(t->scene.view->app, false,
		    dir > 0 ? "No flow leaves this event" : "No flow arrives at this event");
		return false;
	}
	f->dir = dir;
	f->nth = f->n - 1; /* the first one comes next */
	return true;
}

unsigned tl_move_flow(struct tl *t, int dir, int count)
{
	struct tl_flow *f = &t->flow;
	const char *ends = dir > 0 ? "consumers" : "producers";
	enum action again = dir > 0 ? ACT_FLOW_NEXT : ACT_FLOW_PREV;
	char key[32];
	struct find_pos to;
	bool on = goes_on(t, dir), there;

	if (!on && !cursor_from_event(&t->scene, &f->track, &f->event)) {
		app_message(t->scene.view->app, false, "No event under the cursor");
		return REACT_REDRAW;
	}
	f->dir = on ? dir : 0;
	if (!tl_want_links(t))
		return tl_flow_wait(t, again, count);
	if (!on && !begin_flow(t, dir))
		return REACT_REDRAW;
	f->nth = (f->nth + (size_t)count) % f->n;
	to = far_end(t, dir, f->track, f->event, f->nth);
	there = cursor_go_to_event(&t->scene, to.track, to.i);
	if (!there)
		cursor_select(&t->scene, f->track, f->event);
	f->to_track = t->scene.cursor.track;
	f->to_event = t->scene.cursor.event;
	if (!there && f->n > 1)
		app_message(t->scene.view->app, false,
		    "%zu of %zu %s is on a host that is not shown, %s again: next", f->nth + 1, f->n, ends,
		    scene_key(&t->scene, again, key, sizeof key));
	else if (!there)
		app_message(t->scene.view->app, false, "The other end is on a host that is not shown");
	else if (f->n > 1)
		app_message(t->scene.view->app, false, "%zu of %zu %s, %s again: next", f->nth + 1, f->n,
		    ends, scene_key(&t->scene, again, key, sizeof key));
	return REACT_REDRAW;
}

/* --- saying them --- */

static void end_text(const struct tl *t, uint32_t track, size_t event, char *buf, size_t size)
{
	const struct strtab *str = &t->scene.dump->str;
	const struct track *k = scene_track(&t->scene, track);
	strid name = t->scene.dump->trace.metas[k->meta[event]].name,
	      plane = t->scene.dump->trace.planes[k->plane].name;
	bool device = t->scene.dump->trace.planes[k->plane].kind != PLANE_HOST;
	strid where = device ? plane : k->name;
	const char *s = strtab_str(str, where);
	int len = (int)strtab_len(str, where), n = (int)strtab_len(str, name);

	if (device && len > 8 && !memcmp(s, "/device:", 8)) {
		s += 8;
		len -= 8;
	}
	snprintf(buf, size, "%.*s (%.*s)", n > 80 ? 80 : n, strtab_str(str, name), len > 40 ? 40 : len, s);
}

bool tl_flow_nth(struct tl *t, uint32_t track, size_t event, size_t nth, int *dir, char *buf, size_t size)
{
	const struct edge *out;
	uint32_t in[MARKS];
	size_t n = links_from(t->scene.dump, track, event, &out), m;
	const struct track *k = scene_track(&t->scene, track), *other;
	const struct edge *e;
	char name[160], lag[48];
	int64_t by;

	if (nth < n) {
		e = &out[nth];
		*dir = 1;
	} else {
		m = links_to(t->scene.dump, track, event, in, MARKS);
		if (nth - n >= (m < MARKS ? m : MARKS))
			return false;
		e = &t->scene.dump->trace.edges[in[nth - n]];
		*dir = -1;
	}
	other = scene_track(&t->scene, *dir > 0 ? e->dst_track : e->src_track);
	end_text(t, *dir > 0 ? e->dst_track : e->src_track, *dir > 0 ? e->dst : e->src, name, sizeof name);
	by = other->start[*dir > 0 ? e->dst : e->src] + scene_shift_of(&t->scene, other->plane) -
	    k->start[event] - scene_shift_of(&t->scene, k->plane);
	snprintf(buf, size, "%s %s, %s%s", *dir > 0 ? "to" : "from", name, by >= 0 ? "+" : "",
	    units_time(lag, sizeof lag, by, scene_ascii(&t->scene)));
	return true;
}

void tl_flow_text(struct tl *t, uint32_t track, size_t event, char *buf, size_t size)
{
	const struct edge *out;
	uint32_t in[MARKS];
	size_t n = links_from(t->scene.dump, track, event, &out),
	       m = links_to(t->scene.dump, track, event, in, MARKS);
	const struct edge *e = m ? &t->scene.dump->trace.edges[in[0]] : NULL;
	bool ascii = scene_ascii(&t->scene);
	char name[160];

	*buf = '\0';
	if (n) {
		end_text(t, out->dst_track, out->dst, name, sizeof name);
		snprintf(buf, size, "%s %s", ascii ? "->" : "\xe2\x86\x92", name);
		if (n > 1)
			snprintf(buf + strlen(buf), size - strlen(buf), ", %zu more", n - 1);
	}
	if (e) {
		end_text(t, e->src_track, e->src, name, sizeof name);
		snprintf(buf + strlen(buf), size - strlen(buf), "%s%s %s", n ? "   " : "",
		    ascii ? "<-" : "\xe2\x86\x90", name);
		if (m > 1)
			snprintf(buf + strlen(buf), size - strlen(buf), ", %zu more", m - 1);
	}
}

/* One mark per row: where something arrives and leaves, what leaves. */
static void draw_mark(struct tl *t, struct canvas *cv, uint32_t track, bool leaves)
{
	struct rect plot = t->scene.lay.plot;
	uint32_t node = track < t->scene.rows.ntracks ? t->scene.rows.node_of[track] : ROWS_NONE, sign;
	size_t place;

	if (node == ROWS_NONE)
		return;
	place = rows_find(&t->scene.rows, t->scene.rows.v[node].id);
	for (int i = 0; i < plot.h; i++) {
		if (scene_place(&t->scene, i) != place)
			continue;
		sign = leaves ? '>' : '<';
		if (!scene_ascii(&t->scene))
			sign = leaves ? 0x2192 : 0x2190;
		canvas_put(cv, plot.y + i, plot.x + t->scene.port.w, sign, ROLE_MARK, ATTR_BOLD);
		return;
	}
}

void tl_draw_flow_marks(struct tl *t, struct canvas *cv)
{
	const struct edge *out;
	uint32_t in[MARKS];
	size_t n, m;

	if (!t->scene.cursor.selected || !t->flow.known || t->search.find ||
	    t->scene.cursor.event >= scene_track(&t->scene, t->scene.cursor.track)->n)
		return;
	m = links_to(t->scene.dump, t->scene.cursor.track, t->scene.cursor.event, in, MARKS);
	for (size_t i = 0; i < m && i < MARKS; i++)
		draw_mark(t, cv, t->scene.dump->trace.edges[in[i]].src_track, false);
	n = links_from(t->scene.dump, t->scene.cursor.track, t->scene.cursor.event, &out);
	for (size_t i = 0; i < n && i < MARKS; i++)
		draw_mark(t, cv, out[i].dst_track, true);
}
