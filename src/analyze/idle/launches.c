#include "config.h"
#include "analyze/idle/internal.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"

struct found {
	struct idle_launch *v;
	size_t n, cap;
	size_t waits;
	struct nest *nests; /* by track */
	uint32_t *touched;  /* the tracks of the core at hand */
	size_t ntouched, touched_cap;
};

/* A walk over a thread in order of time: the events around the moment, the outermost first, and the next one. */
struct nest {
	size_t *v, n, cap;
	size_t next;
	int64_t at;
	bool touched;
};

static void leave_until(const struct track *t, struct nest *s, int64_t time)
{
	while (s->n && track_end(t, s->v[s->n - 1]) <= time)
		s->n--;
}

static strid name_of(const struct dump *d, const struct track *t, size_t event)
{
	return d->trace.metas[track_meta(t, event)].name;
}

/* A call of a compiled function is what people know; else the outermost event that is not of something larger, which
 * begins before the wait and ends after it, like a step. */
static strid top_of(const struct dump *d, const struct track *t, const struct nest *s,
    const struct span *wait)
{
	size_t i = 0;

	for (size_t k = 0; k < s->n; k++)
		if (slice_begins(dump_text(d, name_of(d, t, s->v[k])), "PjitFunction"))
			return name_of(d, t, s->v[k]);
	while (i + 1 < s->n && track_start(t, s->v[i]) < wait->from && track_end(t, s->v[i]) > wait->to)
		i++;
	return s->n ? name_of(d, t, s->v[i]) : 0;
}

static void add_part(struct found *f, const struct dump *d, uint32_t track, const struct nest *s,
    const struct span *wait, int64_t from, int64_t to)
{
	const struct track *t = &d->trace.tracks[track];

	if (to > from)
		VEC_ADD(f->v, f->n, f->cap,
		    (struct idle_launch){ track, top_of(d, t, s, wait),
			s->n ? name_of(d, t, s->v[s->n - 1]) : 0, to - from, 1, f->waits });
}

static void walk_to(const struct track *t, struct nest *s, int64_t time)
{
	for (; s->next < t->n && track_start(t, s->next) < time; s->next++) {
		leave_until(t, s, track_start(t, s->next));
		VEC_ADD(s->v, s->n, s->cap, s->next);
	}
	leave_until(t, s, time);
	s->at = time;
}

/* Cuts the wait by the innermost event of the thread.  Waits come in order of time. */
static void cut_wait(struct found *f, const struct dump *d, uint32_t track, const struct span *wait,
    struct nest *s)
{
	const struct track *t = &d->trace.tracks[track];

	if (s->at < wait->from)
		walk_to(t, s, wait->from);
	while (s->at < wait->to) {
		int64_t next = s->n ? track_end(t, s->v[s->n - 1]) : wait->to;

		if (s->next < t->n && track_start(t, s->next) < next)
			next = track_start(t, s->next);
		next = next < wait->to ? next : wait->to;
		add_part(f, d, track, s, wait, s->at, next);
		walk_to(t, s, next);
		for (; s->next < t->n && track_start(t, s->next) == next && next < wait->to; s->next++)
			VEC_ADD(s->v, s->n, s->cap, s->next);
		leave_until(t, s, next);
	}
}

static const struct cut_run *run_after(const struct cut_core *c, int64_t time)
{
	size_t i;

	BISECT(i, c->nruns, c->run[i].from <= time);
	return i < c->nruns ? &c->run[i] : NULL;
}

static void take_gap(struct found *f, const struct core_times *t, const struct core_time *c,
    const struct time_gap *g)
{
	const struct span wait = { sub_clamped(g->from, g->shift), sub_clamped(g->to, g->shift) };
	const struct cut_run *run = run_after(&c->cut, wait.from);
	uint32_t track = run ? launches_thread(t->launches, run) : CUT_NONE;

	if (track != CUT_NONE) {
		if (!f->nests[track].touched)
			VEC_ADD(f->touched, f->ntouched, f->touched_cap, track);
		f->nests[track].touched = true;
		cut_wait(f, t->dump, track, &wait, &f->nests[track]);
	}
	f->waits++;
}

VEC_ORDER(by_event, struct idle_launch, UP(track) UP(top) UP(low));
VEC_ORDER(by_event_and_wait, struct idle_launch, UP(track) UP(top) UP(low) UP(wait));
VEC_ORDER(by_top_and_wait, struct idle_launch, UP(top) UP(wait));
VEC_ORDER(by_time, struct idle_launch, DOWN(time) UP(track) UP(top) UP(low));

static struct idle_host_event find_host_event(struct found *f)
{
	struct idle_host_event most = { .waits = 0 };

	VEC_SORT(f->v, f->n, by_top_and_wait);
	for (size_t a = 0, b; a < f->n; a = b) {
		struct idle_host_event x = { .waits = 0 };

		for (b = a; b < f->n && f->v[b].top == f->v[a].top; b++) {
			x.time = add_clamped(x.time, f->v[b].time);
			x.waits += b == a || f->v[b].wait != f->v[b - 1].wait;
		}
		if (!f->v[a].top || x.time <= most.time)
			continue;
		most = x;
		most.name = f->v[a].top;
	}
	return most;
}

static void sum_up(struct found *f)
{
	size_t n = 0;

	VEC_SORT(f->v, f->n, by_event_and_wait);
	for (size_t i = 0; i < f->n; i++) {
		if (n && !by_event(&f->v[n - 1], &f->v[i])) {
			f->v[n - 1].time = add_clamped(f->v[n - 1].time, f->v[i].time);
			f->v[n - 1].count += f->v[n - 1].wait != f->v[i].wait;
			f->v[n - 1].wait = f->v[i].wait;
		} else {
			f->v[n++] = f->v[i];
		}
	}
	f->n = n;
	VEC_SORT(f->v, f->n, by_time);
}

/* Each core walks from the beginning over the threads that launch for it. */
static void take_core(struct found *f, const struct core_times *t, const struct core_time *c)
{
	for (size_t i = 0; i < f->ntouched; i++) {
		struct nest *s = &f->nests[f->touched[i]];

		s->n = s->next = 0;
		s->at = INT64_MIN;
		s->touched = false;
	}
	f->ntouched = 0;
	for (size_t i = 0; i < c->noutside; i++)
		if (c->outside[i].time == PIECE_LAUNCH || c->outside[i].time == PIECE_INPUT)
			take_gap(f, t, c, &c->outside[i]);
}

void idle_find_launches(const struct core_times *t, const struct idle_options *o, struct idle *v)
{
	const size_t tracks = t->dump->trace.ntracks;
	struct found f = { .nests = xcalloc(tracks + 1, sizeof *f.nests) };

	for (size_t i = 0; i < tracks; i++)
		f.nests[i].at = INT64_MIN;
	for (size_t i = 0; i < t->ncores; i++)
		if (o->core < 0 || t->core[i].core == o->core)
			take_core(&f, t, &t->core[i]);
	for (size_t i = 0; i < tracks; i++)
		free(f.nests[i].v);
	free(f.nests);
	free(f.touched);
	v->host = find_host_event(&f);
	sum_up(&f);
	v->launch = f.v;
	v->nlaunches = f.n;
}
