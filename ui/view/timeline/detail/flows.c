#include "config.h"

#include "view/timeline/detail/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/links.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "core/job.h"

/* flows of an event that are marked, and those of them that may be drawn as lines */
enum { MARKS = 64, LINES_MOST = 8 };

/* --- finding flows --- */

struct flows_job {
	struct flows *f;
	const struct dump *dump;
	struct links_found found;
};

static void find_flows(void *ctx, struct progress *progress)
{
	struct flows_job *j = ctx;

	links_find(j->dump, &j->found, progress);
}

static void flows_found(struct app *app, void *ctx)
{
	struct flows_job *j = ctx;

	(void)app;
	overlay_links(j->f->sc->cap->overlay, &j->found);
	j->f->known = true;
	j->f->job = NULL;
}

static void drop_flows(void *ctx)
{
	struct flows_job *j = ctx;

	links_found_free(&j->found);
	free(j);
}

void flows_find(struct flows *f)
{
	struct flows_job *j;

	if (f->known || f->job || f->sc->view->part != PART_ALL)
		return;
	j = f->job = xcalloc(1, sizeof *j);
	j->f = f;
	j->dump = f->sc->cap->dump;
	jobs_add_idle(f->sc->view->app,
	    &(struct job){ "finding flows", find_flows, flows_found, drop_flows, j });
}

bool flows_want(struct flows *f)
{
	flows_find(f);
	if (f->job)
		jobs_await(f->sc->view->app, f->job);
	return f->known;
}

void flows_free(struct flows *f)
{
	jobs_drop(f->sc->view->app, f->job);
	f->job = NULL;
}

/* --- jumps that wait for flows --- */

static unsigned flows_wait(struct flows *f, enum action a, int count)
{
	f->wanted = a;
	f->count = count;
	f->keys = f->sc->view->app->keys;
	return REACT_REDRAW;
}

bool flows_waits(const struct flows *f)
{
	return f->wanted != ACT_NONE && f->keys == f->sc->view->app->keys;
}

enum action flows_due(struct flows *f)
{
	enum action a = flows_waits(f) ? f->wanted : ACT_NONE;

	if (!f->known)
		return ACT_NONE;
	f->wanted = ACT_NONE;
	return a;
}

/* --- jumps --- */

/* The other end of the nth flow of an event. */
static struct find_pos far_end(const struct flows *f, int dir, uint32_t track, size_t event, size_t nth)
{
	const struct edge *e;
	uint32_t *in;
	struct find_pos to;

	if (dir > 0) {
		links_from(f->sc->cap->dump, track, event, &e);
		return (struct find_pos){ e[nth].dst_track, e[nth].dst };
	}
	in = xcalloc(nth + 1, sizeof *in);
	links_to(f->sc->cap->dump, track, event, in, nth + 1);
	e = &f->sc->cap->dump->trace.edges[in[nth]];
	to = (struct find_pos){ e->src_track, e->src };
	free(in);
	return to;
}

/* Is the last jump being continued, with nothing else selected since? */
static bool is_continued(const struct flows *f, int dir)
{
	return f->dir == dir && f->n > 1 && f->sc->cursor.selected && f->sc->cursor.track == f->to_track &&
	    f->sc->cursor.event == f->to_event;
}

static bool begin_flow(struct flows *f, int dir)
{
	const struct edge *e;

	f->n = dir > 0 ? links_from(f->sc->cap->dump, f->track, f->event, &e)
		       : links_to(f->sc->cap->dump, f->track, f->event, NULL, 0);
	if (!f->n) {
		app_say(f->sc->view->app,
		    dir > 0 ? "no flow leaves this event" : "no flow arrives at this event");
		return false;
	}
	f->dir = dir;
	f->nth = f->n - 1; /* the first one is next */
	return true;
}

unsigned flows_move(struct flows *f, int dir, int count, bool repeated)
{
	const char *ends = dir > 0 ? "consumers" : "producers";
	enum action again = dir > 0 ? ACT_FLOW_NEXT : ACT_FLOW_PREV;
	char key[32];
	struct find_pos to;
	bool on = repeated && is_continued(f, dir), there;

	if (!on && !cursor_from_event(f->sc, &f->track, &f->event)) {
		app_say(f->sc->view->app, "no event under the cursor");
		return REACT_REDRAW;
	}
	f->dir = on ? dir : 0;
	if (!flows_want(f))
		return flows_wait(f, again, count);
	if (!on && !begin_flow(f, dir))
		return REACT_REDRAW;
	f->nth = (f->nth + (size_t)count) % f->n;
	to = far_end(f, dir, f->track, f->event, f->nth);
	there = cursor_go_to_event(f->sc, to.track, to.i);
	if (!there)
		cursor_select(f->sc, f->track, f->event);
	f->to_track = f->sc->cursor.track;
	f->to_event = f->sc->cursor.event;
	if (!there && f->n > 1)
		app_say(f->sc->view->app, "%zu of %zu %s is on a hidden host; %s again: next", f->nth + 1,
		    f->n, ends, scene_key(f->sc, again, key, sizeof key));
	else if (!there)
		app_say(f->sc->view->app, "the other end is on a hidden host");
	else if (f->n > 1)
		app_say(f->sc->view->app, "%zu of %zu %s; %s again: next", f->nth + 1, f->n, ends,
		    scene_key(f->sc, again, key, sizeof key));
	return REACT_REDRAW;
}

/* --- describing flows --- */

static void end_text(const struct scene *sc, uint32_t track, size_t event, char *buf, size_t size)
{
	const struct strtab *str = &sc->cap->dump->str;
	const struct track *k = scene_track(sc, track);
	strid name = sc->cap->dump->trace.metas[track_meta(k, event)].name,
	      plane = sc->cap->dump->trace.planes[k->plane].name;
	bool device = sc->cap->dump->trace.planes[k->plane].kind != PLANE_HOST;
	struct slice where = strtab_text(str, device ? plane : k->name);
	int n = (int)strtab_len(str, name);

	if (device)
		where = plane_label(where);
	snprintf(buf, size, "%.*s (%.*s)", n > 80 ? 80 : n, strtab_str(str, name),
	    (int)(where.n > 40 ? 40 : where.n), where.s);
}

bool flows_nth(struct flows *f, uint32_t track, size_t event, size_t nth, int *dir, char *buf, size_t size)
{
	const struct edge *out;
	uint32_t in[MARKS];
	size_t n = links_from(f->sc->cap->dump, track, event, &out), m;
	const struct track *k = scene_track(f->sc, track), *other;
	const struct edge *e;
	char name[160], lag[48];
	int64_t by;

	if (nth < n) {
		e = &out[nth];
		*dir = 1;
	} else {
		m = links_to(f->sc->cap->dump, track, event, in, MARKS);
		if (nth - n >= (m < MARKS ? m : MARKS))
			return false;
		e = &f->sc->cap->dump->trace.edges[in[nth - n]];
		*dir = -1;
	}
	other = scene_track(f->sc, *dir > 0 ? e->dst_track : e->src_track);
	end_text(f->sc, *dir > 0 ? e->dst_track : e->src_track, *dir > 0 ? e->dst : e->src, name,
	    sizeof name);
	by = track_start(other, *dir > 0 ? e->dst : e->src) + scene_shift_of(f->sc, other->plane) -
	    track_start(k, event) - scene_shift_of(f->sc, k->plane);
	snprintf(buf, size, "%s %s, %s%s", *dir > 0 ? "to" : "from", name, by >= 0 ? "+" : "",
	    units_time(lag, sizeof lag, by, scene_ascii(f->sc)));
	return true;
}

void flows_text(struct flows *f, uint32_t track, size_t event, char *buf, size_t size)
{
	const struct edge *out;
	uint32_t in[MARKS];
	size_t n = links_from(f->sc->cap->dump, track, event, &out),
	       m = links_to(f->sc->cap->dump, track, event, in, MARKS);
	const struct edge *e = m ? &f->sc->cap->dump->trace.edges[in[0]] : NULL;
	bool ascii = scene_ascii(f->sc);
	char name[160];

	*buf = '\0';
	if (n) {
		end_text(f->sc, out->dst_track, out->dst, name, sizeof name);
		snprintf(buf, size, "%s %s", ascii ? "->" : "\xe2\x86\x92", name);
		if (n > 1)
			snprintf(buf + strlen(buf), size - strlen(buf), ", %zu more", n - 1);
	}
	if (e) {
		end_text(f->sc, e->src_track, e->src, name, sizeof name);
		snprintf(buf + strlen(buf), size - strlen(buf), "%s%s %s", n ? "   " : "",
		    ascii ? "<-" : "\xe2\x86\x90", name);
		if (m > 1)
			snprintf(buf + strlen(buf), size - strlen(buf), ", %zu more", m - 1);
	}
}

/* --- drawing --- */

/* The row of the screen that shows a track, or what is folded around it; -1: none. */
static int row_of_track(const struct scene *sc, uint32_t track)
{
	uint32_t node = track < sc->rows.ntracks ? sc->rows.node_of[track] : ROWS_NONE;
	size_t place = node == ROWS_NONE ? SIZE_MAX : rows_find(&sc->rows, sc->rows.v[node].id);

	for (int i = 0; node != ROWS_NONE && i < sc->lay.plot.h; i++)
		if (scene_place(sc, i) == place)
			return i;
	return -1;
}

/* One mark per row: an arrow out if any flow leaves, else an arrow in. */
static void draw_mark(struct scene *sc, struct canvas *cv, uint32_t track, bool leaves)
{
	struct rect plot = sc->lay.plot;
	int row = row_of_track(sc, track);
	uint32_t sign = leaves ? '>' : '<';

	if (!scene_ascii(sc))
		sign = leaves ? 0x2192 : 0x2190;
	if (row >= 0)
		canvas_put(cv, plot.y + row, plot.x + sc->port.w, sign, ROLE_MARK, ATTR_BOLD);
}

/* The column in which an event begins, on the screen or one beside it. */
static int column_of(struct scene *sc, uint32_t track, size_t event)
{
	const struct track *k = scene_track(sc, track);

	return viewport_column(&sc->port, track_start(k, event) + scene_shift_of(sc, k->plane));
}

static void draw_line_cell(struct canvas *cv, int y, int x, enum glyph g, enum role role)
{
	canvas_glyph(cv, y, x, g, role, 0);
	canvas_late_cell(cv, y, x);
}

/* Draws a flow whose ends are both in view: along the row of its source, where that is empty, then straight to
 * the row of its end, in the colors of what it crosses. */
static bool draw_line(struct scene *sc, struct canvas *cv, const struct edge *e)
{
	struct rect plot = sc->lay.plot;
	int from = row_of_track(sc, e->src_track), to = row_of_track(sc, e->dst_track);
	int x0 = column_of(sc, e->src_track, e->src), x = column_of(sc, e->dst_track, e->dst);
	int step = from < to ? 1 : -1;

	if (from < 0 || to < 0 || from == to || x0 < 0 || x0 >= sc->port.w || x < 0 || x >= sc->port.w)
		return false;
	for (int i = x0 < x ? x0 + 1 : x; i <= (x0 < x ? x : x0 - 1); i++)
		if (cv->cells[(size_t)(plot.y + from) * (size_t)cv->cols + (size_t)(plot.x + i)].ch == ' ')
			draw_line_cell(cv, plot.y + from, plot.x + i, GLYPH_DASH, ROLE_MARK);
	for (int y = from + step; y != to; y += step) {
		const struct canvas_cell *c =
		    &cv->cells[(size_t)(plot.y + y) * (size_t)cv->cols + (size_t)(plot.x + x)];

		draw_line_cell(cv, plot.y + y, plot.x + x, GLYPH_VLINE,
		    c->ch == ' ' && c->role == ROLE_TEXT ? ROLE_MARK : (enum role)c->role);
	}
	return true;
}

/* Was it followed to get to the selection? */
static bool was_followed(const struct flows *f, const struct edge *e)
{
	bool back = f->dir < 0;

	return f->dir && f->to_track == f->sc->cursor.track && f->to_event == f->sc->cursor.event &&
	    (back ? e->dst_track : e->src_track) == f->track && (back ? e->dst : e->src) == f->event &&
	    (back ? e->src_track : e->dst_track) == f->to_track && (back ? e->src : e->dst) == f->to_event;
}

/* Marks the rows of the other ends.  A line is drawn where it is in view, in any case for the flow that was followed;
 * lines beyond the first few would hide what they cross. */
static void draw_flow(struct flows *f, struct canvas *cv, const struct edge *e, bool leaves, int *lines)
{
	draw_mark(f->sc, cv, leaves ? e->dst_track : e->src_track, leaves);
	if (*lines < LINES_MOST || was_followed(f, e))
		*lines += draw_line(f->sc, cv, e);
}

void flows_draw(struct flows *f, struct canvas *cv)
{
	const struct edge *out;
	uint32_t in[MARKS];
	size_t n, m;
	int lines = 0;

	if (!f->sc->cursor.selected || !f->known || f->sc->open[PANE_HITS] ||
	    f->sc->cursor.event >= scene_track(f->sc, f->sc->cursor.track)->n)
		return;
	m = links_to(f->sc->cap->dump, f->sc->cursor.track, f->sc->cursor.event, in, MARKS);
	n = links_from(f->sc->cap->dump, f->sc->cursor.track, f->sc->cursor.event, &out);
	for (size_t i = 0; i < m && i < MARKS; i++)
		draw_flow(f, cv, &f->sc->cap->dump->trace.edges[in[i]], false, &lines);
	for (size_t i = 0; i < n && i < MARKS; i++)
		draw_flow(f, cv, &out[i], true, &lines);
}
