#include "config.h"

#include "view/timeline/steps/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

enum {
	GAPS = 10,       /* number of longest idle gaps that are listed */
	GAP_SHARE = 1000 /* part of the run: shorter gaps are ignored */
};

struct gaps {
	struct step_problem v[GAPS];
	size_t n;
	int64_t least;
};

static int64_t length_of(const struct step_problem *p)
{
	return p->to - p->from;
}

/* Cores are often idle together: of gaps that overlap only the longest is kept. */
static void add_gap(struct gaps *g, const struct step_problem *p)
{
	size_t at;

	for (size_t i = 0; i < g->n; i++)
		if (g->v[i].from < p->to && p->from < g->v[i].to) {
			if (length_of(&g->v[i]) >= length_of(p))
				return;
			memmove(&g->v[i], &g->v[i + 1], (--g->n - i) * sizeof *g->v);
			i--;
		}
	for (at = g->n; at > 0 && length_of(&g->v[at - 1]) < length_of(p); at--)
		if (at < GAPS)
			g->v[at] = g->v[at - 1];
	if (at < GAPS) {
		g->v[at] = *p;
		g->n += g->n < GAPS;
	}
	if (g->n == GAPS && length_of(&g->v[GAPS - 1]) > g->least)
		g->least = length_of(&g->v[GAPS - 1]);
}

static void find_gaps(struct gaps *g, const struct scene *sc, uint32_t track)
{
	const struct track *k = scene_track(sc, track);
	int64_t end = k->n ? track_start(k, 0) : 0, by = scene_shift_of(sc, k->plane);

	for (size_t i = 0; i < k->n; i++) {
		if (track_start(k, i) - end > g->least)
			add_gap(g,
			    &(struct step_problem){ end + by, track_start(k, i) + by, track, i, true, NULL });
		if (track_end(k, i) > end)
			end = track_end(k, i);
	}
}

VEC_ORDER(by_time, struct step_problem, UP(from) UP(gap));

static void make_problems(struct step_table *p)
{
	struct gaps g = { .least = (p->sc->port.last - p->sc->port.first) / GAP_SHARE };

	for (size_t i = 0; !p->sc->rows.threads_only && i < p->sc->rows.ndevice; i++)
		if (p->sc->cap->dump->trace.planes[scene_track(p->sc, p->sc->rows.device[i])->plane].kind ==
			PLANE_TPU &&
		    p->sc->rows.coarse[i] < 0)
			find_gaps(&g, p->sc, p->sc->rows.device[i]);
	free(p->problem);
	p->problem = xcalloc(p->n + g.n + 1, sizeof *p->problem);
	p->nproblems = 0;
	for (size_t i = 0; i < p->n; i++)
		if (p->row[i].slow)
			p->problem[p->nproblems++] = (struct step_problem){ p->row[i].from, p->row[i].to,
				p->row[i].worst->track, 0, false, &p->row[i] };
	for (size_t i = 0; i < g.n; i++)
		p->problem[p->nproblems++] = g.v[i];
	qsort(p->problem, p->nproblems, sizeof *p->problem, by_time);
	p->problems_made = true;
}

static void show_problem(struct step_table *st, size_t i)
{
	const struct step_problem *p = &st->problem[i];
	bool ascii = scene_ascii(st->sc);
	char time[48], mean[48];

	units_time(time, sizeof time, length_of(p), ascii);
	if (p->gap)
		app_say(st->sc->view->app, "%zu of %zu: idle for %s (o explains why)", i + 1, st->nproblems,
		    time);
	else
		app_say(st->sc->view->app, "%zu of %zu: slow step %s, %s; mean %s", i + 1, st->nproblems,
		    p->step->worst->label, time, units_time(mean, sizeof mean, (int64_t)st->mean, ascii));
}

static void go_to_problem(struct step_table *st, size_t i)
{
	const struct step_problem *p = &st->problem[i];

	if (p->gap) {
		cursor_go_to_event(st->sc, p->track, p->event);
	} else {
		cursor_unselect(st->sc);
		sheet_show(&st->sheet, (size_t)(p->step - st->row));
		if (p->track < st->sc->rows.ntracks && st->sc->rows.node_of[p->track] != ROWS_NONE)
			st->sc->cursor.row =
			    rows_find(&st->sc->rows, st->sc->rows.v[st->sc->rows.node_of[p->track]].id);
	}
	viewport_fit(&st->sc->port, p->from - st->sc->port.shift, p->to - st->sc->port.shift);
	st->sc->cursor.at = p->from - st->sc->port.shift;
	scene_keep_visible(st->sc);
	show_problem(st, i);
}

unsigned step_table_go_to_problem(struct step_table *p, int count)
{
	size_t i = 0;

	step_table_want(p);
	if (!p->problems_made)
		make_problems(p);
	if (!p->nproblems)
		return ACT_PASS;
	while (i < p->nproblems && p->problem[i].from <= p->sc->cursor.at + p->sc->port.shift)
		i++;
	go_to_problem(p, (i + (size_t)(count > 0 ? count - 1 : 0)) % p->nproblems);
	return REACT_REDRAW;
}
