#include "config.h"

#include "view/timeline/steps/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/text/units.h"
#include "model/lod.h"

#define STANDS_OUT 1.05 /* times the median, from which a core is called a straggler */

/* Keeps what the cursor's row shows: `at`, the cursor, and `from`, the start of the view, are times of its
 * host. */
static void hold_row(struct scene *sc, int64_t at, int64_t from)
{
	scene_measure(sc);
	scene_enter_row(sc);
	sc->cursor.at = at;
	if (sc->port.whole)
		viewport_whole(&sc->port);
	else
		sc->port.k = floor_div(from + sc->port.shift, sc->port.c);
	scene_leave(sc);
}

bool lineup_step(struct lineup *a)
{
	if (a->estimated || a->sc->dump->nhosts < 2)
		return false;
	a->host = xcalloc(a->sc->dump->nhosts, sizeof *a->host);
	align_estimate(a->sc->dump, &a->sc->view->app->steps, a->host);
	a->estimated = a->sc->view->stale = true;
	return true;
}

void lineup_free(struct lineup *l)
{
	free(l->shift);
	free(l->sc->shift.plane);
	free(l->core);
	free(l->host);
	*l = (struct lineup){ .sc = l->sc };
	memset(&l->sc->shift, 0, sizeof l->sc->shift);
	l->sc->open[PANE_ALIGN] = false;
}

void lineup_forget(struct lineup *l)
{
	int64_t at, from;

	scene_enter_row(l->sc);
	at = l->sc->cursor.at;
	from = viewport_begin(&l->sc->port);
	scene_leave(l->sc);
	lineup_free(l);
	l->sc->changes.times++;
	hold_row(l->sc, at, from);
}

/* From now on times count from the start of the step; a host without the step is shifted like the first
 * one. */
static void turn_on(struct lineup *a)
{
	const struct trace *r = &a->sc->dump->trace;
	int64_t at = a->sc->cursor.at, from = viewport_begin(&a->sc->port);

	a->sc->shift.plane = xcalloc(r->nplanes + 1, sizeof *a->sc->shift.plane);
	for (size_t i = 0; i < r->nplanes; i++) {
		int host = r->planes[i].host;

		a->sc->shift.plane[i] =
		    trace_clip((host >= 0 && (size_t)host < a->sc->dump->nhosts ? a->shift[host] : 0) -
			a->sc->shift.zero);
	}
	a->sc->shift.on = a->sc->open[PANE_ALIGN] = true;
	a->sc->changes.times++;
	hold_row(a->sc, at, from);
}

/* --- what each core did in the step --- */

static uint32_t ops_of(const struct scene *sc, uint32_t plane)
{
	for (size_t i = 0; i < sc->rows.ndevice; i++)
		if (scene_track(sc, sc->rows.device[i])->plane == plane)
			return sc->rows.device[i];
	return ROWS_NONE;
}

static void add_core(struct lineup *l, const struct step *s)
{
	struct lineup_core *c = &l->core[l->n];
	uint32_t ops = ops_of(l->sc, s->plane);
	int64_t busy[CLASS_COUNT], from, to;

	if (ops == ROWS_NONE || !scene_track(l->sc, ops)->n ||
	    (!scene_track(l->sc, ops)->lod &&
		lod_build(scene_track(l->sc, ops), l->sc->dump->trace.meta_class)))
		return;
	steps_span(s, l->sc->dump, &from, &to);
	lod_sum(scene_track(l->sc, ops), l->sc->dump->trace.meta_class, from, to, busy);
	*c = (struct lineup_core){ .plane = s->plane, .collective = busy[CLASS_COLLECTIVE] };
	for (int k = 0; k < CLASS_COUNT; k++)
		c->own += k == CLASS_COLLECTIVE || k == CLASS_WAIT ? 0 : busy[k];
	l->n++;
}

static void measure_cores(struct lineup *a)
{
	const struct steps *s = &a->sc->view->app->steps;
	int64_t *own;

	a->core = xcalloc(s->n + 1, sizeof *a->core);
	a->n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].id == a->id && s->v[i].core >= 0)
			add_core(a, &s->v[i]);
	own = xcalloc(a->n + 1, sizeof *own);
	a->slowest = 0;
	for (size_t i = 0; i < a->n; i++) {
		own[i] = a->core[i].own;
		if (own[i] > a->core[a->slowest].own)
			a->slowest = i;
	}
	qsort(own, a->n, sizeof *own, sort_by_int64);
	a->median =
	    a->n ? a->n % 2 ? own[a->n / 2] : own[a->n / 2 - 1] + (own[a->n / 2] - own[a->n / 2 - 1]) / 2 : 0;
	for (size_t i = 0; i < a->n; i++)
		a->core[i].ratio = a->median ? (double)a->core[i].own / (double)a->median : 0;
	a->straggler = a->n > 2 && a->core[a->slowest].ratio >= STANDS_OUT;
	free(own);
}

static const struct step *step_here(struct scene *sc)
{
	uint32_t plane = sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row)->plane : UINT32_MAX;
	const struct step *s;

	if (plane == UINT32_MAX)
		return NULL;
	s = steps_at(&sc->view->app->steps, sc->dump, plane, sc->cursor.at);
	if (s && s->core >= 0)
		return s;
	for (size_t i = 0; i < sc->rows.ndevice; i++) { /* a row without steps uses those of the first core */
		s = steps_at(&sc->view->app->steps, sc->dump, scene_track(sc, sc->rows.device[i])->plane,
		    sc->cursor.at);
		if (s && s->core >= 0)
			return s;
	}
	return NULL;
}

unsigned lineup_toggle(struct lineup *l)
{
	struct app *app = l->sc->view->app;
	const struct step *s;
	bool was = l->sc->shift.on;

	if (was) {
		lineup_forget(l);
		scene_keep_visible(l->sc);
		app_message(app, false, "No longer aligned; each host uses its own clock");
		return REACT_REDRAW;
	}
	s = step_here(l->sc);
	if (!s) {
		app_message(app, false, "No step under the cursor");
		return REACT_REDRAW;
	}
	lineup_forget(l);
	l->shift = xcalloc(l->sc->dump->nhosts + 1, sizeof *l->shift);
	if (!align_on_step(l->sc->dump, &app->steps, s->id, l->shift, &l->sc->shift.zero)) {
		app_message(app, false, "No step of a core under the cursor");
		return REACT_REDRAW;
	}
	l->id = s->id;
	scene_step_title(l->sc, s, l->name, sizeof l->name);
	measure_cores(l);
	turn_on(l);
	cursor_unselect(l->sc);
	scene_keep_visible(l->sc);
	l->sc->view->stale = true;
	return REACT_REDRAW;
}

/* --- names --- */

char *lineup_time(char *buf, size_t size, int64_t ps, bool ascii)
{
	char time[40];

	snprintf(buf, size, "%s%s", ps < 0 ? "-" : "+",
	    units_time(time, sizeof time, ps < 0 ? -ps : ps, ascii));
	return buf;
}

void lineup_tail(const struct lineup *a, const struct rows_node *v, bool brief, char *buf, size_t size)
{
	int host = a->sc->dump->trace.planes[v->plane].host;
	char time[48];
	int64_t ps;

	if (v->kind == NODE_DEVICE && a->sc->shift.on && a->straggler &&
	    a->core[a->slowest].plane == v->plane)
		snprintf(buf, size, "  ! slowest");
	if (v->kind != NODE_HOST || host < 0)
		return;
	ps = a->sc->shift.on ? a->shift[host] : a->host && a->host[host].known ? a->host[host].offset : 0;
	if (!ps)
		return;
	lineup_time(time, sizeof time, ps, scene_ascii(a->sc));
	if (brief && strchr(time, '.')) /* "-163.751 ns": " -163 ns" */
		memmove(strchr(time, '.'), strchr(time, ' '), strlen(strchr(time, ' ')) + 1);
	snprintf(buf, size, "%s%s", a->sc->shift.on || brief ? " " : " clock ", time);
}
