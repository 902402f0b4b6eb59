#include "config.h"
#include "analyze/ops/runs.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/ops/internal.h"
#include "analyze/trace/clock.h"
#include "base/bisect.h"
#include "base/clamp.h"

static bool read_id(const char *s, size_t n, uint64_t *id)
{
	*id = 0;
	for (size_t i = 0; i < n; i++)
		if (s[i] < '0' || s[i] > '9' || __builtin_mul_overflow(*id, 10, id) ||
		    __builtin_add_overflow(*id, (uint64_t)(s[i] - '0'), id))
			return false;
	return n > 0;
}

/* "jit_f(123)": what is before the last parenthesis, and the number in it */
static bool op_program_split(struct slice t, size_t *name, uint64_t *id)
{
	const char *open = t.n && t.s[t.n - 1] == ')' ? memrchr(t.s, '(', t.n) : NULL;

	if (!open)
		return false;
	*name = (size_t)(open - t.s);
	return read_id(open + 1, t.n - *name - 2, id);
}

static void add_program(uint64_t **v, size_t *n, size_t *cap, uint64_t id)
{
	for (size_t i = 0; i < *n; i++)
		if ((*v)[i] == id)
			return;
	VEC_ADD(*v, *n, *cap, id);
}

/* May it be a module, or a run of one? */
static bool is_of_programs(const struct dump *d, const struct evmeta *m)
{
	enum plane_kind kind = m->plane == UINT32_MAX ? PLANE_OTHER : d->trace.planes[m->plane].kind;

	return kind == PLANE_META || kind == PLANE_TPU ||
	    (m->plane == UINT32_MAX && m->file >= 0 && file_is_converted(&d->files[m->file]));
}

uint64_t *op_programs(const struct dump *d, const char *module, size_t *n)
{
	size_t len = strlen(module), cap = 0;
	uint64_t *v = NULL, id, asked;
	bool number = read_id(module, len, &asked);

	*n = 0;
	for (size_t i = 0; i < d->trace.nmetas; i++) {
		const struct evmeta *m = &d->trace.metas[i];
		struct slice t = dump_text(d, m->name);
		size_t name;

		if (!is_of_programs(d, m) || !op_program_split(t, &name, &id))
			continue;
		if ((number && id == asked) || ((t.n == len || name == len) && !memcmp(t.s, module, len)))
			add_program(&v, n, &cap, id);
	}
	if (number && !*n)
		add_program(&v, n, &cap, asked); /* no module has that ID, but ops may */
	return v;
}

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

VEC_ORDER(by_start, struct op_run, UP(from) UP(to));

static bool is_runs(const struct track *t, uint32_t plane)
{
	return t->plane == plane && t->role == TRACK_MODULES && t->file >= 0;
}

/* Programs by the kind of their runs, counted from 1. */
static uint32_t *programs_by_kind(const struct dump *d, uint32_t plane, struct op_runs *r)
{
	uint32_t *of = xcalloc(d->trace.nmetas + 1, sizeof *of);
	size_t cap = 0;

	VEC_ADD(r->program, r->nprograms, cap, (struct op_program){ .module = OP_NO_MODULE });
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; is_runs(t, plane) && i < t->n; i++)
			if (!of[track_meta(t, i)])
				of[track_meta(t, i)] =
				    program_of(r, d, d->trace.metas[track_meta(t, i)].name, &cap);
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
			VEC_ADD(r->v, r->n, cap,
			    (struct op_run){ from, add_clamped(from, dur), of[track_meta(t, i)] });
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
	VEC_SORT(r->v, r->n, by_start);
	free(of);
}

/* The run that began last before it, if it lasts until then. */
uint32_t op_runs_program(const struct op_runs *r, int64_t at)
{
	const struct op_run *run;

	BISECT_LAST(run, r->v, r->n, run->from <= at);
	return run && at < run->to ? run->program : 0;
}

void op_runs_free(struct op_runs *r)
{
	free(r->v);
	free(r->program);
	*r = (struct op_runs){ 0 };
}
