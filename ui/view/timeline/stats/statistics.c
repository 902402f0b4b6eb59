#include "config.h"

#include "view/timeline/stats/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* --- which interval, which tracks --- */

bool statistics_picked(const struct statistics *st)
{
	return st->sc->picks.n > 1;
}

bool statistics_interval(const struct statistics *st, int64_t *t0, int64_t *t1)
{
	const struct mark *v = marks_current(st->marks);
	int64_t a = viewport_begin(&st->sc->port) + st->sc->port.shift,
		b = viewport_end(&st->sc->port) + st->sc->port.shift;

	if (statistics_picked(st)) {
		picks_span(st->sc, false, t0, t1);
		*t0 += st->sc->port.shift;
		*t1 += st->sc->port.shift;
		return false;
	}
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
	if (st->nthreads) { /* the host's, or those of the selected events */
		*n = st->nthreads;
		return st->thread;
	}
	*n = st->sc->picks.ntracks ? st->sc->picks.ntracks : st->sc->rows.ndevice;
	return st->sc->picks.ntracks ? st->sc->picks.track : st->sc->rows.device;
}

bool statistics_current(const struct statistics *st, const struct interval *v)
{
	int64_t t0, t1;
	size_t n;
	const uint32_t *track = statistics_tracks(st, &n);

	if ((v == &st->next ? st->next_filter : st->shown_filter) != st->filter->changes ||
	    (v == &st->next ? st->next_picks : st->shown_picks) != st->sc->picks.changes)
		return false;
	statistics_interval(st, &t0, &t1);
	if (v->t0 != t0 || v->t1 != (t1 > t0 ? t1 : t0) || v->ntracks != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (v->tracks[i].track != track[i])
			return false;
	return true;
}

/* --- what the host did while a core runs nothing --- */

/* Does an event of the track overlap the time?  Events that contain others come before them. */
static bool runs_in(const struct track *k, int64_t t0, int64_t t1)
{
	size_t i = track_lower(k, t0);

	if (i < k->n && track_start(k, i) < t1)
		return true;
	for (i = i ? i - 1 : SIZE_MAX; i < k->n; i = track_parent(k, i))
		if (track_start(k, i) + track_dur(k, i) > t0)
			return true;
	return false;
}

static bool core_is_idle(const struct scene *sc, uint32_t plane, int64_t t0, int64_t t1)
{
	const struct trace *t = &sc->cap->dump->trace;
	int64_t shift = scene_shift_of(sc, plane);
	bool has_ops = false;

	for (size_t i = 0; i < t->ntracks; i++) {
		if (t->tracks[i].plane != plane || t->tracks[i].role != TRACK_OPS)
			continue;
		has_ops = true;
		if (runs_in(&t->tracks[i], t0 - shift, t1 - shift))
			return false;
	}
	return has_ops;
}

/* Chooses the tracks of the selected events, which are in their order. */
static void choose_picked(struct statistics *s)
{
	const struct picks *p = &s->sc->picks;

	s->thread = xrealloc(s->thread, p->n + 1, sizeof *s->thread);
	for (size_t i = 0; i < p->n; i++)
		if (!s->nthreads || s->thread[s->nthreads - 1] != p->v[i].track)
			s->thread[s->nthreads++] = p->v[i].track;
}

/* Chooses the threads of the core's host, or none where it runs something in the interval. */
static void choose_threads(struct statistics *s)
{
	const struct scene *sc = s->sc;
	const struct trace *t = &sc->cap->dump->trace;
	const struct rows_node *node = sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row) : NULL;
	int64_t t0, t1;

	s->nthreads = 0;
	if (statistics_picked(s)) {
		choose_picked(s);
		return;
	}
	statistics_interval(s, &t0, &t1);
	if (sc->picks.ntracks || !node || node->plane >= t->nplanes || t1 <= t0 ||
	    !plane_runs_ops(t->planes[node->plane].kind) || !core_is_idle(sc, node->plane, t0, t1))
		return;
	s->thread = xrealloc(s->thread, t->ntracks + 1, sizeof *s->thread);
	for (size_t i = 0; i < t->ntracks; i++) {
		const struct plane *p = &t->planes[t->tracks[i].plane];

		if (p->kind == PLANE_HOST && p->host == t->planes[node->plane].host &&
		    t->tracks[i].file >= 0 && t->tracks[i].n) /* not what is computed of them */
			s->thread[s->nthreads++] = (uint32_t)i;
	}
}

static int64_t begin_of(const struct scene *sc, const struct step *s, int64_t *end)
{
	int64_t from, by = scene_shift_of(sc, s->plane);

	steps_span(s, sc->cap->dump, &from, end);
	*end += by;
	return from + by;
}

/* If the row begins with the interval, returns the row on the same core that ends with it, else NULL. */
static const struct step *last_of(const struct scene *sc, const struct step *first, int64_t t1)
{
	const struct steps *all = &sc->view->cap->steps;
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
	const struct steps *all = &st->sc->view->cap->steps;
	const struct step *last = NULL, *first = NULL; /* first of its core that begins with the interval */
	size_t i = 0, n;
	int64_t end;
	bool runs = all->source == STEPS_MODULES;
	int module = (int)strcspn(all->module, "(");

	*buf = '\0';
	for (; i < all->n; i++) {
		const struct step *s = &all->v[i];

		if ((first && first->host == s->host && first->core == s->core) ||
		    begin_of(st->sc, s, &end) != t0)
			continue;
		first = s;
		if ((last = last_of(st->sc, s, t1)))
			break;
	}
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

void statistics_forget(struct statistics *s)
{
	statistics_drop_tables(s);
	if (s->has)
		interval_free(&s->shown);
	if (s->working)
		interval_free(&s->next);
	s->has = s->working = false;
}

void statistics_close(struct statistics *s)
{
	statistics_forget(s);
	free(s->thread);
	sheet_free(&s->names);
	sheet_free(&s->tracks);
}

static void begin_next(struct statistics *s)
{
	int64_t t0, t1;
	size_t n;
	const uint32_t *track = statistics_tracks(s, &n);

	if (s->working)
		interval_free(&s->next);
	statistics_interval(s, &t0, &t1);
	interval_begin(&s->next, s->sc->cap->dump, track, n, t0, t1);
	s->next.window.shift = scene_shifts(s->sc);
	filter_apply(s->filter, &s->next.window);
	if (statistics_picked(s))
		picks_apply(s->sc, &s->next.window);
	s->next_filter = s->filter->changes;
	s->next_picks = s->sc->picks.changes;
	s->working = true;
}

bool statistics_step(struct statistics *s, int budget_ms)
{
	bool more, ranks, whole;

	if (!s->sc->open[PANE_STATS] || s->sc->cursor.full)
		return false;
	choose_threads(s);
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
		statistics_drop_tables(s);
		if (s->has)
			interval_free(&s->shown);
		s->shown = s->next;
		s->shown_filter = s->next_filter;
		s->shown_picks = s->next_picks;
		s->next = (struct interval){ 0 };
		s->has = true;
		s->working = false;
	}
	statistics_drop_tables(s);
	s->sc->view->stale = true;
	return more;
}

/* --- keys --- */

struct sheet *statistics_sheet(struct statistics *s)
{
	return s->by_track ? &s->tracks : &s->names;
}

void statistics_act(struct statistics *s, enum action a, int count)
{
	statistics_want(s);
	for (int i = 0; i < count; i++)
		sheet_act(statistics_sheet(s), a, 1);
}

unsigned statistics_key(struct statistics *s)
{
	if (s->sc->open[PANE_STATS]) {
		s->by_track = !s->by_track;
	} else {
		s->sc->open[PANE_STATS] = true;
		s->by_track = false;
		sheet_sort(&s->names, "self_ps", true);
		sheet_sort(&s->tracks, NULL, true);
	}
	s->names.list.top = s->names.list.at = s->tracks.list.top = s->tracks.list.at = 0;
	scene_keep_visible(s->sc);
	return REACT_REDRAW;
}

bool statistics_scroll(struct statistics *s, int pages)
{
	if (!s->sc->open[PANE_STATS])
		return false;
	sheet_scroll(statistics_sheet(s), pages);
	return true;
}
