#include "config.h"

#include "view/timeline/stats/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- which interval, which tracks --- */

bool statistics_interval(const struct statistics *st, int64_t *t0, int64_t *t1)
{
	const struct mark *v = marks_current(st->marks);
	int64_t a = viewport_begin(&st->sc->port) + st->sc->port.shift,
		b = viewport_end(&st->sc->port) + st->sc->port.shift;

	if (v) {
		*t0 = v->t0 + scene_shift_of(st->sc, v->plane);
		*t1 = v->t1 + scene_shift_of(st->sc, v->plane);
		return true;
	}
	*t0 = a > st->sc->port.first ? a : st->sc->port.first;
	*t1 = b < st->sc->port.last ? b : st->sc->port.last;
	return false;
}

const uint32_t *statistics_tracks(const struct statistics *st, size_t *n)
{
	*n = st->sc->picks.ntracks ? st->sc->picks.ntracks : st->sc->rows.ndevice;
	return st->sc->picks.ntracks ? st->sc->picks.track : st->sc->rows.device;
}

bool statistics_current(const struct statistics *st, const struct interval *v)
{
	int64_t t0, t1;
	size_t n;
	const uint32_t *track = statistics_tracks(st, &n);

	statistics_interval(st, &t0, &t1);
	if (v->t0 != t0 || v->t1 != (t1 > t0 ? t1 : t0) || v->ntracks != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (v->tracks[i].track != track[i])
			return false;
	return true;
}

static int64_t begin_of(const struct scene *sc, const struct step *s, int64_t *end)
{
	int64_t from, by = scene_shift_of(sc, s->plane);

	steps_span(s, sc->dump, &from, end);
	*end += by;
	return from + by;
}

/* Of a row that begins with the interval: the row that it ends with, on that core; NULL. */
static const struct step *last_of(const struct scene *sc, const struct step *first, int64_t t1)
{
	const struct steps *all = &sc->view->app->steps;
	int64_t end;

	for (const struct step *s = first; s < all->v + all->n; s++) {
		if (s->host != first->host || s->core != first->core)
			break;
		if (s > first && begin_of(sc, s, &end) == t1)
			return s - 1;
		begin_of(sc, s, &end);
		if (end == t1)
			return s;
	}
	return NULL;
}

void statistics_steps(const struct statistics *st, int64_t t0, int64_t t1, char *buf, size_t size)
{
	const struct steps *all = &st->sc->view->app->steps;
	const struct step *last = NULL;
	size_t i = 0, n;
	int64_t end;
	bool runs = all->source == STEPS_MODULES;
	int module = (int)strcspn(all->module, "(");

	*buf = '\0';
	for (; i < all->n; i++)
		if (begin_of(st->sc, &all->v[i], &end) == t0 && (last = last_of(st->sc, &all->v[i], t1)))
			break;
	if (!last)
		return;
	n = (size_t)(last - &all->v[i]) + 1;
	snprintf(buf, size, "%zu %s%s%s%.*s (%s%s%s)", n, runs ? "run" : "step", n > 1 ? "s" : "",
	    runs ? " of " : "", runs ? (module < 24 ? module : 24) : 0, all->module, all->v[i].label,
	    n > 2       ? " to "
		: n > 1 ? ", "
			: "",
	    n > 1 ? last->label : "");
}

/* --- slices --- */

void statistics_free(struct statistics *s)
{
	if (s->has)
		interval_free(&s->shown);
	if (s->working)
		interval_free(&s->next);
	free(s->order);
	s->order = NULL;
	s->norder = 0;
	s->has = s->working = s->sorted = false;
}

static void begin_next(struct statistics *s)
{
	int64_t t0, t1;
	size_t n;
	const uint32_t *track = statistics_tracks(s, &n);

	if (s->working)
		interval_free(&s->next);
	statistics_interval(s, &t0, &t1);
	interval_begin(&s->next, s->sc->dump, track, n, t0, t1);
	s->next.shift = scene_shifts(s->sc);
	s->working = true;
}

bool statistics_step(struct statistics *s, int budget_ms)
{
	bool more, ranks, whole;

	if (!s->sc->open[PANE_STATS] || s->sc->cursor.full)
		return false;
	if (s->has && statistics_current(s, &s->shown)) {
		if (s->working)
			interval_free(&s->next);
		s->working = false;
		ranks = s->shown.has_ranks;
		whole = s->shown.has_union;
		more = interval_step(&s->shown, budget_ms);
		if (s->shown.has_ranks == ranks && s->shown.has_union == whole)
			return more;
	} else {
		if (!s->working || !statistics_current(s, &s->next))
			begin_next(s);
		more = interval_step(&s->next, budget_ms);
		if (!s->next.has_tracks)
			return more;
		if (s->has)
			interval_free(&s->shown);
		s->shown = s->next;
		s->next = (struct interval){ 0 };
		s->has = true;
		s->working = false;
	}
	s->sorted = false;
	s->sc->view->stale = true;
	return more;
}

/* --- order --- */

struct by {
	const struct scene *sc;
	const struct interval *v;
	int key;
	bool reverse;
};

int64_t statistics_name_value(const struct window_name *w, int key)
{
	switch (key) {
	case N_COUNT:
		return (int64_t)w->count;
	case N_TOTAL:
		return w->total;
	case N_MEAN:
		return w->count ? w->total / (int64_t)w->count : 0;
	case N_MIN:
		return w->min;
	case N_MAX:
		return w->max;
	case N_P50:
		return w->p50;
	case N_P99:
		return w->p99;
	default:
		return w->self;
	}
}

int64_t statistics_track_value(const struct interval *v, const struct interval_track *r, int key)
{
	switch (key) {
	case T_EVENTS:
		return (int64_t)r->events;
	case T_BUSY:
	case T_PERCENT:
		return r->busy;
	case T_GAPS:
		return (int64_t)r->gaps;
	case T_GAP:
		return v->t1 - v->t0 - r->busy;
	case T_AT:
		return r->at;
	default:
		return r->longest;
	}
}

static int compare_text(const struct strtab *str, strid a, strid b)
{
	size_t n = strtab_len(str, a), m = strtab_len(str, b);
	int c = memcmp(strtab_str(str, a), strtab_str(str, b), n < m ? n : m);

	return c ? c : (n > m) - (n < m);
}

/* Numbers from above, names from A; equal ones as they came. */
static int name_order(const void *pa, const void *pb, void *ctx)
{
	const struct by *by = ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	const struct window_name *x = &by->v->window.names[a], *y = &by->v->window.names[b];
	int c;

	if (by->key == N_NAME)
		c = compare_text(&by->sc->dump->str, x->name, y->name);
	else
		c = (statistics_name_value(x, by->key) < statistics_name_value(y, by->key)) -
		    (statistics_name_value(x, by->key) > statistics_name_value(y, by->key));
	c = by->reverse ? -c : c;
	return c ? c : (a > b) - (a < b);
}

static int track_order(const void *pa, const void *pb, void *ctx)
{
	const struct by *by = ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int64_t x = statistics_track_value(by->v, &by->v->tracks[a], by->key),
		y = statistics_track_value(by->v, &by->v->tracks[b], by->key);
	int c = by->key == T_TRACK ? 0 : (x < y) - (x > y);

	c = by->reverse ? -c : c;
	return c ? c : by->key == T_TRACK && by->reverse ? (a < b) - (a > b) : (a > b) - (a < b);
}

/* order: names, behind them tracks. */
void statistics_arrange(struct statistics *s)
{
	size_t names = s->shown.window.nnames, tracks = s->shown.ntracks;
	struct by by = { s->sc, &s->shown, s->by_name_key, s->reverse && !s->by_track };

	if (s->sorted)
		return;
	s->order = xrealloc(s->order, names + tracks + 1, sizeof *s->order);
	s->norder = names + tracks;
	for (size_t i = 0; i < names; i++)
		s->order[i] = (uint32_t)i;
	for (size_t i = 0; i < tracks; i++)
		s->order[names + i] = (uint32_t)i;
	qsort_r(s->order, names, sizeof *s->order, name_order, &by);
	by.key = s->by_track_key;
	by.reverse = s->reverse && s->by_track;
	qsort_r(s->order + names, tracks, sizeof *s->order, track_order, &by);
	s->sorted = true;
}

void statistics_sort(struct statistics *s, int by, bool reverse)
{
	int *key = s->by_track ? &s->by_track_key : &s->by_name_key, n = s->by_track ? T_KEYS : N_KEYS;

	*key = (*key + by % n + n) % n;
	s->reverse = reverse ? !s->reverse : s->reverse && !by;
	s->sorted = false;
	s->top = 0;
}

unsigned statistics_key(struct statistics *s)
{
	if (s->sc->open[PANE_STATS]) {
		s->by_track = !s->by_track;
	} else {
		s->sc->open[PANE_STATS] = true;
		s->by_track = false;
		s->by_name_key = N_SELF;
		s->by_track_key = T_TRACK;
	}
	s->reverse = s->sorted = false;
	s->top = 0;
	scene_keep_visible(s->sc);
	return REACT_REDRAW;
}

size_t statistics_lines(const struct statistics *s)
{
	return !s->has ? 0 : s->by_track ? s->shown.ntracks : s->shown.window.nnames;
}

bool statistics_scroll(struct statistics *s, int pages)
{
	size_t n = statistics_lines(s), page = s->rows ? s->rows : 1, last = n > page ? n - page : 0;

	if (!s->sc->open[PANE_STATS])
		return false;
	for (; pages < 0 && s->top; pages++)
		s->top = s->top > page ? s->top - page : 0;
	for (; pages > 0 && s->top < last; pages--)
		s->top = s->top + page < last ? s->top + page : last;
	return true;
}
