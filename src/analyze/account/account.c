#include "config.h"
#include "analyze/account/account.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"

#define MS 1e9

const struct account account_none;

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Metrics go by the category of an op, kinds also by its name: what only its name tells counts as infeed. */
static void cut_kinds(const struct step_core *c, int64_t kind[KIND_COUNT])
{
	int64_t io = c->kind[KIND_IO];

	kind[KIND_OUTFEED] = smaller(io, c->ps[METRIC_OUTFEED]);
	io = sub_clamped(io, kind[KIND_OUTFEED]);
	kind[KIND_HOST_TRANSFER] = smaller(io, c->ps[METRIC_HOST_TRANSFER]);
	kind[KIND_INFEED] = sub_clamped(io, kind[KIND_HOST_TRANSFER]);
	kind[KIND_SEND_RECV] =
	    smaller(c->kind[KIND_COLLECTIVE], add_clamped(c->ps[METRIC_SEND], c->ps[METRIC_RECV]));
}

struct account_parts account_parts_of(const struct step_core *c, int64_t fed)
{
	struct account_parts p = { .total = c->total, .wait = -1 };
	int64_t sum = 0;

	if (c->total < 0)
		return p;
	memcpy(p.kind, c->kind, sizeof c->kind);
	p.kind[KIND_HOST_WAIT] = smaller(c->ps[METRIC_IDLE], fed);
	p.kind[KIND_IDLE] = c->ps[METRIC_IDLE] - p.kind[KIND_HOST_WAIT];
	for (int k = 0; k <= KIND_IDLE; k++)
		sum = add_clamped(sum, p.kind[k]);
	p.wait = c->others ? -1 : c->sync;
	p.overhang = sub_clamped(p.total, sum);
	if (add_clamped(sum, p.overhang) != p.total) /* only times that are damage cannot be added up */
		return (struct account_parts){ .total = -1, .wait = -1 };
	cut_kinds(c, p.kind);
	return p;
}

/* --- steps of any kind --- */

void account_begin(struct account *a, size_t n)
{
	*a = (struct account){ .nsteps = n,
		.step_of = xcalloc(n + 1, sizeof *a->step_of),
		.number = xcalloc(n + 1, sizeof *a->number) };
}

static void make_means(struct account *a)
{
	double n = a->nsteps ? (double)a->nsteps : NAN;

	for (size_t i = 0; i < a->nsteps; i++) {
		const struct account_step *s = &a->step_of[i];

		a->step += s->step / n;
		a->core_time += (s->core_time > 0 ? s->core_time : 0) / n;
		a->overhang += s->overhang / n;
		for (int k = 0; k < KIND_COUNT; k++)
			a->ms[k] += s->ms[k] / n;
	}
	if (!a->nsteps)
		a->step = a->core_time = a->overhang = NAN;
}

/* A kind that was not measured is unknown, even where its sum is 0. */
static void forget_kind(struct account *a, enum time_kind k)
{
	a->ms[k] = NAN;
	for (size_t i = 0; i < a->nsteps; i++)
		a->step_of[i].ms[k] = NAN;
}

void account_end(struct account *a, const enum time_kind *told, size_t n)
{
	bool has[KIND_COUNT] = { false };

	make_means(a);
	for (size_t i = 0; i < n; i++) {
		has[told[i]] = true;
		if (a->ms[told[i]] > 0)
			a->kind[a->nkinds++] = told[i];
	}
	for (int k = 0; k < KIND_COUNT; k++)
		if (!has[k])
			forget_kind(a, (enum time_kind)k);
}

void account_free(struct account *a)
{
	free(a->step_of);
	free(a->number);
	free(a->core);
	*a = (struct account){ .nsteps = 0 };
}

size_t account_slowest(const struct account *a)
{
	size_t slowest = 0;

	for (size_t i = 1; i < a->nsteps; i++)
		if (a->step_of[i].step > a->step_of[slowest].step)
			slowest = i;
	return slowest;
}

double account_idle(const struct account *a)
{
	return a->core_time > 0 ? (a->ms[KIND_IDLE] + a->ms[KIND_HOST_WAIT]) / a->core_time : NAN;
}

/* --- steps of cores --- */

struct cells {
	const struct step_cores *cores;
	const int64_t *fed;
};

static struct account_parts parts_at(const struct cells *c, size_t core, size_t step)
{
	return account_parts_of(step_core_at(c->cores, core, step),
	    c->fed ? c->fed[core * c->cores->nsteps + step] : 0);
}

static void add_cell(const struct account_parts *p, struct account_step *s)
{
	for (int k = 0; k < KIND_COUNT; k++)
		s->ms[k] += (double)p->kind[k] / MS;
	s->overhang += (double)p->overhang / MS;
	s->wait += p->wait < 0 ? NAN : (double)p->wait / MS;
	s->core_time += (double)p->total / MS;
	s->step = fmax(s->step, (double)p->total / MS);
	s->cores++;
}

static void make_step(const struct cells *c, size_t at, int one, struct account_step *s)
{
	double n;

	for (size_t k = 0; k < c->cores->ncores; k++) {
		struct account_parts p = parts_at(c, k, at);

		if (p.total >= 0 && (one < 0 || c->cores->core[k].core == one))
			add_cell(&p, s);
	}
	n = s->cores ? (double)s->cores : NAN;
	for (int k = 0; k < KIND_COUNT && s->cores; k++)
		s->ms[k] /= n;
	s->overhang /= n;
	s->wait /= n;
	s->core_time = s->cores ? s->core_time / n : 0;
	s->number = step_cores_label(c->cores, at);
	s->name = c->cores->step[at].name;
	s->name_len = c->cores->step[at].name_len;
	s->wait_min = s->wait_max = NAN;
}

static void make_core(const struct cells *c, size_t k, struct account_core *a)
{
	double n;

	*a = (struct account_core){ .host = c->cores->core[k].host, .core = c->cores->core[k].core };
	for (size_t i = 0; i < c->cores->nsteps; i++) {
		struct account_parts p = parts_at(c, k, i);

		if (p.total < 0 || !step_cores_counts(c->cores, i))
			continue;
		a->steps++;
		a->core_time += (double)p.total / MS;
		a->idle += (double)p.kind[KIND_IDLE] / MS;
		a->host_wait += (double)p.kind[KIND_HOST_WAIT] / MS;
		a->infeed += (double)p.kind[KIND_INFEED] / MS;
		a->collective += (double)(p.kind[KIND_COLLECTIVE] - p.kind[KIND_SEND_RECV]) / MS;
	}
	n = a->steps ? (double)a->steps : NAN;
	a->busy = (a->core_time - a->idle - a->host_wait - a->infeed - a->collective) / n;
	a->core_time /= n;
	a->idle /= n;
	a->host_wait /= n;
	a->infeed /= n;
	a->collective /= n;
}

/* Whether matmuls are told from other compute: of some ops, of all, of none. */
static bool is_told(const struct step_cores *s, enum time_kind k, double ms)
{
	if (ms > 0)
		return true;
	return k == KIND_ANY_COMPUTE ? s->no_kinds : (k != KIND_MATMUL && k != KIND_COMPUTE) || !s->no_kinds;
}

void account_of_cores(const struct step_cores *s, const int64_t *fed, int core, struct account *a)
{
	enum time_kind told[KIND_IDLE + 1];
	struct cells c = { s, fed };
	size_t n = 0;

	for (size_t i = 0; i < s->nsteps; i++)
		n += step_cores_counts(s, i);
	account_begin(a, n);
	n = 0;
	for (size_t i = 0; i < s->nsteps; i++)
		if (step_cores_counts(s, i))
			make_step(&c, i, core, &a->step_of[n++]);
	for (int k = 0; k <= KIND_IDLE; k++)
		told[k] = (enum time_kind)k;
	account_end(a, told, KIND_IDLE + 1);
	for (int k = 0; k <= KIND_IDLE; k++)
		if (!is_told(s, (enum time_kind)k, a->ms[k]))
			forget_kind(a, (enum time_kind)k);
	a->source = s->source;
	a->several = s->several;
	a->step = s->several ? NAN : a->step;
	a->ncores = s->ncores;
	a->core = xcalloc(s->ncores + 1, sizeof *a->core);
	for (size_t k = 0; k < s->ncores; k++)
		make_core(&c, k, &a->core[k]);
}

/* --- tables --- */

static struct cell part_of(const struct account_step *s, enum time_kind k)
{
	return cell_num(s->ms[k]);
}

struct account_core_row {
	const struct account_core *core;
	const struct dump *dump;
};

#define SCHEMA steps
#define SCHEMA_ROW struct account_step
#define SCHEMA_DEF "analyze/account/steps.def"
#include "result/schema_def.h"

#define SCHEMA cores
#define SCHEMA_ROW struct account_core_row
#define SCHEMA_DEF "analyze/account/cores.def"
#include "result/schema_def.h"

const struct schema account_steps_schema = { SCHEMA_COLUMNS(steps_columns) },
		    account_cores_schema = { SCHEMA_COLUMNS(cores_columns) };

void account_steps_table(const struct account *a, struct table *t)
{
	table_begin(t, &account_steps_schema);
	for (size_t i = 0; i < a->nsteps; i++)
		table_add(t, &a->step_of[i]);
}

void account_cores_table(const struct account *a, const struct dump *d, struct table *t)
{
	table_begin(t, &account_cores_schema);
	for (size_t i = 0; i < a->ncores; i++)
		table_add(t, &(struct account_core_row){ &a->core[i], d });
}
