#include "config.h"
#include "analyze/ops/runs.h"

#include <stdlib.h>

#include "analyze/ops/internal.h"
#include "analyze/trace/clock.h"
#include "base/clamp.h"

static uint32_t program_of(struct op_runs *r, const struct dump *d, strid name, size_t *cap)
{
	struct op_program p = { .module = name };
	size_t n;

	if (op_program_split(dump_text(d, name), &n, &p.id))
		p.module = 0;
	else if (!name)
		p.module = OP_NO_MODULE;
	VEC_PUSH(r->program, r->nprograms, *cap);
	r->program[r->nprograms] = p;
	return (uint32_t)r->nprograms++;
}

static int by_start(const void *a, const void *b)
{
	const struct op_run *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static bool is_runs(const struct track *t, uint32_t plane)
{
	return t->plane == plane && t->role == TRACK_MODULES && t->file >= 0;
}

/* Programs by the kind of their runs, counted from 1. */
static uint32_t *programs_by_kind(const struct dump *d, uint32_t plane, struct op_runs *r)
{
	uint32_t *of = xcalloc(d->trace.nmetas + 1, sizeof *of);
	size_t cap = 0;

	VEC_PUSH(r->program, r->nprograms, cap);
	r->program[r->nprograms++] = (struct op_program){ .module = OP_NO_MODULE };
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; is_runs(t, plane) && i < t->n; i++)
			if (!of[t->meta[i]])
				of[t->meta[i]] = program_of(r, d, d->trace.metas[t->meta[i]].name, &cap);
	}
	return of;
}

static bool read_runs(const struct dump *d, uint32_t plane, const uint32_t *of, bool device,
    struct op_runs *r)
{
	struct clock_names names = clock_names_of(d);
	size_t cap = 0;

	r->n = 0;
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; is_runs(t, plane) && i < t->n; i++) {
			int64_t from, dur;

			if (!device)
				clock_plain(d, t, i, &from, &dur);
			else if (!clock_pair(d, &names, t, i, &from, &dur))
				return false;
			VEC_PUSH(r->v, r->n, cap);
			r->v[r->n++] = (struct op_run){ from, add_clamped(from, dur), of[t->meta[i]] };
		}
	}
	return true;
}

void op_runs_find(const struct dump *d, uint32_t plane, struct op_runs *r)
{
	uint32_t *of;

	*r = (struct op_runs){ 0 };
	of = programs_by_kind(d, plane, r);
	r->device = read_runs(d, plane, of, true, r);
	if (!r->device) {
		free(r->v);
		r->v = NULL;
		read_runs(d, plane, of, false, r);
	}
	if (r->n)
		qsort(r->v, r->n, sizeof *r->v, by_start);
	free(of);
}

/* The run that began last before it, if it lasts until then. */
uint32_t op_runs_program(const struct op_runs *r, int64_t at)
{
	size_t a = 0, b = r->n;

	while (a < b) {
		size_t m = a + (b - a) / 2;

		if (r->v[m].from <= at)
			a = m + 1;
		else
			b = m;
	}
	return a && at < r->v[a - 1].to ? r->v[a - 1].program : 0;
}

void op_runs_free(struct op_runs *r)
{
	free(r->v);
	free(r->program);
	*r = (struct op_runs){ 0 };
}
