#include "config.h"
#include "analyze/steps/digest_runs.h"

#include <stdlib.h>

#include "analyze/steps/step_ops.h"
#include "base/clamp.h"
#include "base/robust.h"

struct taker {
	struct digest_ops *out;
	const struct step *row;
	bool warms_up;  /* the first step does */
	uint32_t *slot; /* by meta: op + 1 */
};

static void forget(struct digest_ops *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->v[i].runs);
		free(r->v[i].self);
	}
	r->n = 0;
}

static struct digest_op *run_of(struct taker *t, const struct step_op *o)
{
	struct digest_ops *r = t->out;

	if (t->slot[o->meta])
		return &r->v[t->slot[o->meta] - 1];
	r->left_out |= (r->n + 1) * r->nsteps > DIGEST_RUNS;
	if (r->left_out)
		return NULL;
	VEC_ADD(r->v, r->n, r->cap,
	    (struct digest_op){ .meta = o->meta,
		.rank = SIZE_MAX,
		.runs = xcalloc(r->nsteps + 1, sizeof(uint32_t)),
		.self = xcalloc(r->nsteps + 1, sizeof(int64_t)) });
	t->slot[o->meta] = (uint32_t)r->n;
	return &r->v[r->n - 1];
}

static bool is_earlier(const struct digest_op *x, size_t rank, int64_t start, int64_t dur)
{
	if (rank != x->rank)
		return rank < x->rank;
	return start != x->start ? start < x->start : dur > x->dur;
}

static void take_op(void *ctx, const struct step_op *o)
{
	struct taker *t = ctx;
	struct digest_op *x;
	int64_t start;
	size_t rank;

	if (!o) {
		for (size_t i = 0; i < t->out->n; i++)
			t->slot[t->out->v[i].meta] = 0;
		forget(t->out);
		return;
	}
	if (!(x = run_of(t, o)))
		return;
	x->runs[o->step]++;
	x->self[o->step] = add_clamped(x->self[o->step], o->self);
	start = sub_clamped(o->start, t->row[o->step].start);
	rank = o->step || !t->warms_up ? o->step : t->out->nsteps;
	if (is_earlier(x, rank, start, o->dur)) {
		x->rank = rank;
		x->start = start;
		x->dur = o->dur;
	}
}

/* as in a comparison (tpuscope(7), DIFF) */
static bool warms_up(const struct step *row, size_t n)
{
	double *dur = xcalloc(n + 1, sizeof *dur), median;

	for (size_t i = 0; i < n; i++)
		dur[i] = (double)row[i].dur;
	median = robust_median(dur, n);
	free(dur);
	return n > 2 && (double)row[0].dur > STEPS_WARM * median;
}

void digest_ops_make(const struct dump *d, const struct step *row, size_t nrows, struct digest_ops *r)
{
	struct taker t = { r, row, warms_up(row, nrows), xcalloc(d->trace.nmetas + 1, sizeof *t.slot) };

	*r = (struct digest_ops){ .nsteps = nrows };
	step_ops_visit(d, row, nrows, NULL, &(struct step_ops_visitor){ .visit = take_op, .ctx = &t });
	if (r->left_out)
		forget(r);
	free(t.slot);
}

void digest_ops_put(const struct dump *d, const struct digest_ops *r, const uint32_t *place, struct arena *a,
    Pb__DigestRuns *m)
{
	m->has_left_out = m->left_out = r->left_out;
	m->n_kind = m->n_program = m->n_start = m->n_duration = r->n;
	m->n_runs = m->n_self = r->n * (r->left_out ? 0 : r->nsteps);
	m->kind = arena_alloc(a, (r->n + 1) * sizeof *m->kind);
	m->program = arena_alloc(a, (r->n + 1) * sizeof *m->program);
	m->start = arena_alloc(a, (r->n + 1) * sizeof *m->start);
	m->duration = arena_alloc(a, (r->n + 1) * sizeof *m->duration);
	m->runs = arena_alloc(a, (m->n_runs + 1) * sizeof *m->runs);
	m->self = arena_alloc(a, (m->n_runs + 1) * sizeof *m->self);
	for (size_t i = 0; i < r->n; i++) {
		const struct digest_op *x = &r->v[i];
		int64_t program = 0;

		stat_meta_int(d, x->meta, "program_id", &program);
		m->kind[i] = place[x->meta];
		m->program[i] = (uint64_t)program;
		m->start[i] = x->start;
		m->duration[i] = x->dur;
		for (size_t k = 0; k < r->nsteps; k++) {
			m->runs[i * r->nsteps + k] = x->runs[k];
			m->self[i * r->nsteps + k] = x->self[k];
		}
	}
}

void digest_ops_free(struct digest_ops *r)
{
	forget(r);
	free(r->v);
}
