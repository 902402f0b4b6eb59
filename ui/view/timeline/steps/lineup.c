#include "config.h"

#include "view/timeline/steps/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/findings/findings.h"
#include "base/clamp.h"
#include "base/sort.h"
#include "base/text/units.h"
#include "core/results.h"
#include "model/lod.h"
#include "result/rules.h"

enum { CORES_LEAST = 3 };

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

/* Fewer cores have no straggler, so that the findings are not asked for. */
static void ask_findings(struct lineup *l)
{
	const struct rows *rows = &l->sc->rows;
	const struct findings *f =
	    l->sc->view->part != PART_ALL || rows->threads_only || rows->ndevice < CORES_LEAST
	    ? NULL
	    : result_when_idle(l->sc->view->app, RESULT_FINDINGS);
	unsigned long made = f ? result_serial(l->sc->view->app, RESULT_FINDINGS) : 0;

	if (made == l->findings)
		return;
	l->findings = made;
	l->slow_host = l->slow_core = -1;
	for (size_t i = 0; f && i < f->n; i++) {
		const struct finding *one = &f->v[i];

		if (strcmp(one->id, "straggler_core") && strcmp(one->id, "straggler_host"))
			continue;
		l->slow_host = one->proof.host;
		l->slow_core = one->proof.core;
	}
	l->sc->view->stale = true;
}

bool lineup_step(struct lineup *a)
{
	ask_findings(a);
	if (a->estimated || a->sc->cap->dump->nhosts < 2)
		return false;
	a->host = xcalloc(a->sc->cap->dump->nhosts, sizeof *a->host);
	align_estimate(a->sc->cap->dump, &a->sc->view->cap->steps, a->host);
	a->estimated = a->sc->view->stale = true;
	return true;
}

void lineup_free(struct lineup *l)
{
	free(l->shift);
	free(l->sc->shift.plane);
	free(l->core);
	free(l->host);
	*l = (struct lineup){ .sc = l->sc,
		.findings = l->findings,
		.slow_host = l->slow_host,
		.slow_core = l->slow_core };
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
	const struct trace *r = &a->sc->cap->dump->trace;
	int64_t at = a->sc->cursor.at, from = viewport_begin(&a->sc->port);

	a->sc->shift.plane = xcalloc(r->nplanes + 1, sizeof *a->sc->shift.plane);
	for (size_t i = 0; i < r->nplanes; i++) {
		int host = r->planes[i].host;

		a->sc->shift.plane[i] =
		    trace_clip((host >= 0 && (size_t)host < a->sc->cap->dump->nhosts ? a->shift[host] : 0) -
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

	if (ops == ROWS_NONE || !scene_track(l->sc, ops)->lod)
		return;
	steps_span(s, l->sc->cap->dump, &from, &to);
	lod_sum(scene_track(l->sc, ops), l->sc->cap->dump->trace.meta_class, from, to, busy);
	*c = (struct lineup_core){ .plane = s->plane, .collective = busy[CLASS_COLLECTIVE] };
	for (int k = 0; k < CLASS_COUNT; k++)
		c->own = add_clamped(c->own, k == CLASS_COLLECTIVE || k == CLASS_WAIT ? 0 : busy[k]);
	l->n++;
}

static void measure_cores(struct lineup *a)
{
	const struct steps *s = &a->sc->view->cap->steps;
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
	a->straggler = a->n > 2 &&
	    a->core[a->slowest].ratio >= 1 + rule_limit(rule_named("straggler_core"), "spread") / 100;
	free(own);
}

static const struct step *step_here(struct scene *sc)
{
	uint32_t plane = sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row)->plane : UINT32_MAX;
	const struct step *s;

	if (plane == UINT32_MAX)
		return NULL;
	s = steps_at(&sc->view->cap->steps, sc->cap->dump, plane, sc->cursor.at);
	if (s && s->core >= 0)
		return s;
	for (size_t i = 0; i < sc->rows.ndevice; i++) { /* a row without steps uses those of the first core */
		s = steps_at(&sc->view->cap->steps, sc->cap->dump, scene_track(sc, sc->rows.device[i])->plane,
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
		app_say(app, "No longer aligned; each host uses its own clock");
		return REACT_REDRAW;
	}
	s = step_here(l->sc);
	if (!s) {
		app_say(app, "no step under the cursor");
		return REACT_REDRAW;
	}
	lineup_forget(l);
	l->shift = xcalloc(l->sc->cap->dump->nhosts + 1, sizeof *l->shift);
	if (!align_on_step(l->sc->cap->dump, &l->sc->cap->steps, s->id, l->shift, &l->sc->shift.zero)) {
		app_say(app, "no step of a core under the cursor");
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

/* The straggler: its host, and its core or -1 for the whole host. */
static bool straggler_of(const struct lineup *l, int *host, int *core)
{
	const struct plane *p;

	if (!l->sc->shift.on) {
		*host = l->slow_host;
		*core = l->slow_core;
		return l->findings && l->slow_host >= 0;
	}
	if (!l->straggler)
		return false;
	p = &l->sc->cap->dump->trace.planes[l->core[l->slowest].plane];
	*host = p->host;
	*core = p->core;
	return true;
}

void lineup_mark(const struct lineup *l, const struct rows_node *v, bool brief, char *buf, size_t size)
{
	const struct plane *p = &l->sc->cap->dump->trace.planes[v->plane];
	int host, core;

	*buf = '\0';
	if (!straggler_of(l, &host, &core) || p->host != host)
		return;
	if (v->kind == NODE_DEVICE && p->kind == PLANE_TPU && p->core == core)
		snprintf(buf, size, brief ? " !" : " ! slowest");
	else if (v->kind == NODE_HOST && core < 0)
		snprintf(buf, size, brief ? " !" : " ! slowest");
	else if (v->kind == NODE_HOST)
		snprintf(buf, size, brief ? " !" : " ! TPU:%d", core);
}

void lineup_tail(const struct lineup *a, const struct rows_node *v, bool brief, char *buf, size_t size)
{
	int host = a->sc->cap->dump->trace.planes[v->plane].host;
	char time[48];
	int64_t ps;

	if (v->kind != NODE_HOST || host < 0)
		return;
	ps = a->sc->shift.on ? a->shift[host] : a->host && a->host[host].known ? a->host[host].offset : 0;
	if (!ps)
		return;
	lineup_time(time, sizeof time, ps, scene_ascii(a->sc));
	if (brief && strchr(time, '.')) /* "-163.751 ns": " -163 ns" */
		memmove(strchr(time, '.'), strchr(time, ' '), strlen(strchr(time, ' ')) + 1);
	if (brief && !a->sc->shift.on) /* without the word nobody knows what the time is */
		*buf = '\0';
	else
		snprintf(buf, size, "%s%s", a->sc->shift.on ? " " : " clock ", time);
}
