#include "config.h"

#include "view/timeline/steps/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/robust.h"
#include "core/results.h"

/* --- making --- */

static int by_step(const void *a, const void *b)
{
	const struct step *x = *(const struct step *const *)a, *y = *(const struct step *const *)b;
	int c;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if ((c = strcmp(x->number, y->number)))
		return c;
	if (x->host != y->host)
		return x->host - y->host;
	return x->core != y->core ? x->core - y->core : (x > y) - (x < y);
}

VEC_ORDER(by_time, struct step_row, UP(from) UP(worst->id));

/* Time to the next step of its core, by the clock in use; -1: there is none. */
static int64_t to_next(const struct scene *sc, const struct steps *all, const struct step *s)
{
	const struct step *next = s + 1;
	int64_t from, after, end;

	if (next == all->v + all->n || next->host != s->host || next->core != s->core)
		return -1;
	steps_span(s, sc->cap->dump, &from, &end);
	steps_span(next, sc->cap->dump, &after, &end);
	return after < from ? -1 : after - from;
}

static void add_core(const struct scene *sc, struct step_row *r, const struct steps *all,
    const struct step *s)
{
	int64_t from, to;

	steps_span(s, sc->cap->dump, &from, &to);
	from += scene_shift_of(sc, s->plane);
	to += scene_shift_of(sc, s->plane);
	if (!r->cores++ || s->dur > r->worst->dur) {
		r->worst = s;
		r->from = from;
		r->to = to;
		r->interval = to_next(sc, all, s);
	}
}

/* Is it slow among the steps that are shown? */
static void find_slow(struct step_table *p)
{
	double *v = xcalloc(p->n + 1, sizeof *v);
	struct robust all;

	for (size_t i = 0; i < p->n; i++)
		v[i] = (double)p->row[i].worst->dur;
	all = robust_of(v, p->n);
	p->nslow = 0;
	for (size_t i = 0; i < p->n; i++)
		p->nslow += p->row[i].slow = steps_slow(&all, p->row[i].worst->dur);
	free(v);
}

static void find_mean(struct step_table *p)
{
	size_t most = 0, n = 0;

	p->mean = 0;
	for (size_t i = 0; i < p->n; i++)
		most = p->row[i].cores > most ? p->row[i].cores : most;
	for (size_t i = 0; i < p->n; i++)
		if (p->row[i].cores == most)
			p->mean += ((double)p->row[i].worst->dur - p->mean) / (double)++n;
}

static void drop_rows(struct step_table *p)
{
	sheet_keep(&p->sheet);
	sheet_set(&p->sheet, NULL);
	table_free(&p->table);
	free(p->row);
	p->row = NULL;
	p->n = 0;
	p->made = p->problems_made = false;
}

static void make_rows(struct step_table *p)
{
	const struct steps *s = &p->sc->view->cap->steps;
	const struct step **v = xcalloc(s->n + 1, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (p->sc->host < 0 || s->v[i].host == p->sc->host)
			v[n++] = &s->v[i];
	qsort(v, n, sizeof *v, by_step);
	drop_rows(p);
	p->row = xcalloc(n + 1, sizeof *p->row);
	for (size_t i = 0; i < n; i++) {
		if (!i || v[i]->id != v[i - 1]->id || strcmp(v[i]->number, v[i - 1]->number))
			p->n++;
		add_core(p->sc, &p->row[p->n - 1], s, v[i]);
	}
	free(v);
	find_slow(p);
	find_mean(p);
	qsort(p->row, p->n, sizeof *p->row, by_time);
	step_table_fill(p);
	p->host = p->sc->host;
	p->times = p->sc->changes.times;
	p->made = true;
}

/* The row of a step; the first one if it is not in the table. */
static size_t row_of(const struct step_table *p, const struct step *s)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->row[i].worst->id == s->id && !strcmp(p->row[i].worst->number, s->number))
			return i;
	return 0;
}

/* The last step that begins at or before the cursor, else the first one, on the core of the cursor's row. */
static size_t row_at(const struct step_table *p)
{
	const struct steps *all = &p->sc->view->cap->steps;
	const struct rows_node *node =
	    p->sc->cursor.row < p->sc->rows.nvis ? scene_node(p->sc, p->sc->cursor.row) : NULL;
	uint32_t track = node ? scene_steps_track(p->sc, node) : ROWS_NONE;
	int64_t at = p->sc->cursor.at + p->sc->port.shift, begin, end, from = 0;
	const struct step *v = NULL, *best;
	size_t n = 0;

	if (node && !(n = scene_runs(p->sc, node, &v)))
		n = steps_of_plane(all, p->sc->cap->dump,
		    track == ROWS_NONE ? node->plane : scene_track(p->sc, track)->plane, &v);
	if (!n) {
		v = all->v;
		n = all->n;
	}
	best = v;
	for (size_t i = 0; i < n; i++) {
		steps_span(&v[i], p->sc->cap->dump, &begin, &end);
		begin += scene_shift_of(p->sc, v[i].plane);
		if (!i || (from > at ? begin < from : begin <= at && begin > from)) {
			best = &v[i];
			from = begin;
		}
	}
	return row_of(p, best);
}

void step_table_want(struct step_table *p)
{
	if (!p->made || p->host != p->sc->host || p->times != p->sc->changes.times)
		make_rows(p);
}

void step_table_step(struct step_table *p)
{
	struct app *app = p->sc->view->app;
	enum step_source source = p->sc->view->cap->steps.source;

	if (!p->sc->open[PANE_STEPS] || (source != STEPS_LINE && source != STEPS_MODULES) ||
	    !result_get(app, RESULT_STEPS) || result_serial(app, RESULT_STEPS) == p->serial)
		return;
	p->serial = result_serial(app, RESULT_STEPS);
	make_rows(p);
}

void step_table_forget(struct step_table *p)
{
	drop_rows(p);
	free(p->problem);
	p->problem = NULL;
	p->nproblems = 0;
	p->serial = 0;
}

void step_table_close(struct step_table *p)
{
	step_table_forget(p);
	sheet_free(&p->sheet);
}

/* --- keys --- */

unsigned step_table_toggle(struct step_table *p)
{
	step_table_want(p);
	if (!p->sc->open[PANE_STEPS] && !p->n) {
		app_say(p->sc->view->app, "no steps in this capture");
		return REACT_REDRAW;
	}
	p->sc->open[PANE_STEPS] = !p->sc->open[PANE_STEPS];
	if (p->sc->open[PANE_STEPS]) {
		sheet_show(&p->sheet, row_at(p));
		p->sc->pane_most[PANE_STEPS] = p->n < PANE_STEPS_MOST ? (int)p->n + TABLE_FRAME + 1 : 0;
		p->sc->open[PANE_CHAIN] = false;
	}
	scene_keep_visible(p->sc);
	return REACT_REDRAW;
}

static void go_to_step(struct step_table *p, const struct step_row *r)
{
	uint32_t track = r->worst->track;

	if (track < p->sc->rows.ntracks && p->sc->rows.node_of[track] != ROWS_NONE) {
		scene_open_sections(p->sc, p->sc->rows.node_of[track]);
		rows_open_to(&p->sc->rows, p->sc->rows.node_of[track]);
		rows_show(&p->sc->rows);
		p->sc->cursor.row = rows_find(&p->sc->rows, p->sc->rows.v[p->sc->rows.node_of[track]].id);
	}
	viewport_fit(&p->sc->port, r->from - p->sc->port.shift, r->to - p->sc->port.shift);
	p->sc->cursor.at = r->from - p->sc->port.shift;
	cursor_leave_selection(p->sc);
	scene_keep_visible(p->sc);
}

static void next_slow(struct step_table *p, int dir, int count)
{
	struct list *l = &p->sheet.list;

	if (!p->nslow) {
		app_say(p->sc->view->app, "no slow steps");
		return;
	}
	for (count = (int)((size_t)(count - 1) % p->nslow) + 1; count > 0; count -= step_table_here(p)->slow)
		l->at = (l->at + (dir < 0 ? l->n - 1 : 1)) % l->n;
	list_fit(l, l->rows);
}

const struct step_row *step_table_here(const struct step_table *p)
{
	return sheet_here(&p->sheet);
}

bool step_table_act(struct step_table *p, enum action a, int count, unsigned *react)
{
	if (!p->sc->open[PANE_STEPS])
		return false;
	step_table_want(p);
	*react = REACT_REDRAW;
	switch (a) {
	case ACT_PAGE_UP:
	case ACT_UP:
	case ACT_PAGE_DOWN:
	case ACT_DOWN:
	case ACT_TOP:
	case ACT_BOTTOM:
	case ACT_SORT_REVERSE:
		sheet_act(&p->sheet, a, count);
		return true;
	case ACT_SORT_NEXT:
	case ACT_SORT_PREV:
		sheet_keep(&p->sheet);
		for (int i = 0; i < count; i++)
			sheet_act(&p->sheet, a, 1);
		sheet_return(&p->sheet); /* stay on the same step */
		return true;
	case ACT_SAME_NEXT:
		next_slow(p, 1, count);
		return true;
	case ACT_SAME_PREV:
		next_slow(p, -1, count);
		return true;
	case ACT_OPEN:
		if (step_table_here(p))
			go_to_step(p, step_table_here(p));
		return true;
	case ACT_BACK:
		p->sc->open[PANE_STEPS] = false;
		scene_keep_visible(p->sc);
		return true;
	default:
		return false;
	}
}
