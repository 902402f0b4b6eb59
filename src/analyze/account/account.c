#include "config.h"
#include "analyze/account/account.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"

#define MS 1e9

const struct account account_none;

struct account_parts account_parts_of(const struct step_core *c)
{
	struct account_parts p = { .total = c->total, .wait = -1 };
	int64_t sum = 0;

	if (c->total < 0)
		return p;
	for (int k = 0; k < KIND_OPS; k++)
		sum = add_clamped(sum, p.kind[k] = c->kind[k]);
	sum = add_clamped(sum, p.kind[KIND_IDLE] = c->ps[METRIC_IDLE]);
	p.wait = c->sync;
	p.overhang = sub_clamped(p.total, sum);
	assert(add_clamped(sum, p.overhang) == p.total);
	return p;
}

/* --- steps of cores --- */

/* Adds a core's parts; returns the infeed that was measured, in ms. */
static double add_cell(const struct step_core *c, struct account_step *s)
{
	struct account_parts p = account_parts_of(c);

	for (int k = 0; k <= KIND_IDLE; k++)
		s->ms[k] += (double)p.kind[k] / MS;
	s->overhang += (double)p.overhang / MS;
	s->wait += p.wait < 0 ? NAN : (double)p.wait / MS;
	s->core_time += (double)p.total / MS;
	s->step = fmax(s->step, (double)p.total / MS);
	s->cores++;
	return (double)c->ps[METRIC_INFEED] / MS;
}

static double step_of_cores(const struct step_cores *c, size_t at, int one, struct account_step *s)
{
	double infeed = 0, n;

	for (size_t k = 0; k < c->ncores; k++)
		if (step_core_at(c, k, at)->total >= 0 && (one < 0 || c->core[k].core == one))
			infeed += add_cell(step_core_at(c, k, at), s);
	n = s->cores ? (double)s->cores : NAN;
	for (int k = 0; k <= KIND_IDLE && s->cores; k++)
		s->ms[k] /= n;
	s->overhang /= n;
	s->wait /= n;
	s->core_time = s->cores ? s->core_time / n : 0;
	s->name = c->step[at].name;
	s->name_len = c->step[at].name_len;
	return s->cores ? infeed / n : 0;
}

/* Where no op waits for input, part of the idle time is the host's wait for it, as in the table of steps. */
static void take_host_wait(const struct overview_step *x, double infeed, struct account_step *s)
{
	double wait = x->infeed_avg / 100 * s->core_time;

	if (!(infeed > 0) && wait > 0) {
		wait = fmin(wait, s->ms[KIND_IDLE]);
		s->ms[KIND_HOST_WAIT] += wait;
		s->ms[KIND_IDLE] -= wait;
	}
}

static void make_tpu_step(const struct account *a, int one, bool hidden, size_t i, struct account_step *s)
{
	const struct overview *o = a->of;
	const struct overview_step *x = i < o->nsteps ? &o->step[i] : NULL;
	double infeed = step_of_cores(&o->cores, x ? x->step : i, one, s);

	if (!x || one >= 0)
		return;
	take_host_wait(x, infeed, s);
	if (!hidden) {
		s->wait_min = x->infeed_min / 100;
		s->wait_max = x->infeed_max / 100;
	}
}

/* --- steps of a table --- */

static const struct overview_part of_file[] = {
	{ KIND_ANY_COMPUTE, { "tcComputeTimeMs" } },
	{ KIND_SPARSECORE, { "scv0ComputeTimeMs", "scv0InfeedTimeMs" } },
	{ KIND_IO, { "tcInfeedTimeMs", "tcOutfeedTimeMs", "hostTransferTimeMs" } },
	{ KIND_IDLE, { "tcIdleTimeMs" } },
};

static void make_row(const struct overview *o, size_t row, struct account_step *s)
{
	const struct overview_part *part = o->tpu ? of_file : overview_parts;
	size_t n = o->tpu ? sizeof of_file / sizeof *of_file : OVERVIEW_PARTS;
	double input = table_number(&o->steps, row, o->tpu ? "tcInfeedTimeMs" : "infeedTimeMs");

	for (size_t k = 0; k < n; k++)
		for (int i = 0; i < 3 && part[k].column[i]; i++)
			s->ms[part[k].kind] += fmax(0, table_number(&o->steps, row, part[k].column[i]));
	s->step = s->core_time = table_number(&o->steps, row, "stepTimeMs");
	s->wait = s->overhang = NAN;
	s->wait_min = s->wait_max = s->core_time > 0 ? input / s->core_time : NAN;
}

/* --- all of them --- */

/* The rows of the table or, if there are none, the runs of a program that were counted as steps. */
static void make_steps(struct account *a, int one)
{
	const struct overview *o = a->of;
	bool hidden = !isnan(overview_hidden_input(o)), of_rows = !o->tpu || o->file;

	a->nsteps = o->steps.nrows || of_rows ? o->steps.nrows : o->cores.nsteps;
	a->step_of = xcalloc(a->nsteps + 1, sizeof *a->step_of);
	a->number = xcalloc(a->nsteps + 1, sizeof *a->number);
	for (size_t i = 0; i < a->nsteps; i++) {
		struct account_step *s = &a->step_of[i];

		s->number = overview_step_label(o, &o->steps, i, a->number[i]);
		s->wait_min = s->wait_max = NAN;
		if (of_rows)
			make_row(o, i, s);
		else
			make_tpu_step(a, one, hidden, i, s);
	}
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

static bool is_told_of_cores(const struct overview *o, int k)
{
	return k == KIND_ANY_COMPUTE                ? o->cores.no_kinds
	    : k == KIND_MATMUL || k == KIND_COMPUTE ? !o->cores.no_kinds
						    : k <= KIND_IDLE;
}

/* Is that kind measured at all?  If not, it is not known, whatever its sum is. */
static bool is_told(const struct overview *o, int k)
{
	bool told = false;

	if (o->tpu && !o->file)
		return is_told_of_cores(o, k);
	for (size_t i = 0; o->tpu && i < sizeof of_file / sizeof *of_file; i++)
		told |= of_file[i].kind == (enum time_kind)k;
	for (size_t i = 0; !o->tpu && i < OVERVIEW_PARTS; i++)
		told |= overview_parts[i].kind == (enum time_kind)k;
	return told;
}

static void forget_untold(struct account *a)
{
	for (int k = 0; k < KIND_COUNT; k++) {
		if (is_told(a->of, k))
			continue;
		a->ms[k] = NAN;
		for (size_t i = 0; i < a->nsteps; i++)
			a->step_of[i].ms[k] = NAN;
	}
}

/* Kinds in the order of views: that of the enum for cores, that of the parts elsewhere. */
static void make_kinds(struct account *a)
{
	for (size_t i = 0; !a->of->tpu && i < OVERVIEW_PARTS; i++)
		if (a->ms[overview_parts[i].kind] > 0)
			a->kind[a->nkinds++] = overview_parts[i].kind;
	for (size_t i = 0; a->of->tpu && a->of->file && i < sizeof of_file / sizeof *of_file; i++)
		if (a->ms[of_file[i].kind] > 0)
			a->kind[a->nkinds++] = of_file[i].kind;
	for (int k = 0; a->of->tpu && !a->of->file && k <= KIND_IDLE; k++)
		if (a->ms[k] > 0)
			a->kind[a->nkinds++] = (enum time_kind)k;
}

static void make_core(const struct step_cores *s, size_t k, bool hidden, struct account_core *c)
{
	double n;

	*c = (struct account_core){ .host = s->core[k].host, .core = s->core[k].core };
	for (size_t i = 0; i < s->nsteps; i++) {
		const struct step_core *x = step_core_at(s, k, i);

		if (x->total < 0)
			continue;
		c->steps++;
		c->core_time += (double)x->total / MS;
		c->idle += (double)x->ps[METRIC_IDLE] / MS;
		c->input += (double)x->ps[METRIC_INFEED] / MS;
		c->collective += (double)x->ps[METRIC_COLLECTIVES] / MS;
	}
	n = c->steps ? (double)c->steps : NAN;
	c->busy = (c->core_time - c->idle - c->input - c->collective) / n;
	c->core_time /= n;
	c->idle /= n;
	c->input = hidden ? NAN : c->input / n;
	c->collective /= n;
}

void account_make(const struct overview *o, int core, struct account *a)
{
	bool hidden = !isnan(overview_hidden_input(o));

	*a = (struct account){ .of = o, .ncores = o->cores.ncores };
	make_steps(a, core);
	make_means(a);
	make_kinds(a);
	forget_untold(a);
	a->core = xcalloc(a->ncores + 1, sizeof *a->core);
	for (size_t k = 0; k < a->ncores; k++)
		make_core(&o->cores, k, hidden, &a->core[k]);
}

void account_free(struct account *a)
{
	free(a->step_of);
	free(a->number);
	free(a->core);
	*a = (struct account){ .of = NULL };
}

size_t account_slowest(const struct account *a)
{
	size_t slowest = 0;

	for (size_t i = 1; i < a->nsteps; i++)
		if (a->step_of[i].step > a->step_of[slowest].step)
			slowest = i;
	return slowest;
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
