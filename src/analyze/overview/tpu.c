#include "config.h"
#include "analyze/overview/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/framework/host_events.h"
#include "base/clamp.h"

#define MS 1e9

struct tpu_step {
	const char *number;
	struct slice name;
	const struct overview_step *step;
};

#define SCHEMA tpu
#define SCHEMA_ROW struct tpu_step
#define SCHEMA_DEF "analyze/overview/steps_tpu.def"
#include "result/schema_def.h"

const struct schema overview_tpu_schema = { SCHEMA_COLUMNS(tpu_columns) };

/* One core in one step as XProf counts it: the step lasts as long as on the slowest core of the host. */
struct share {
	int64_t total, infeed, rest;
	bool there;
};

/* How long the host of a step fed it: by (host, group). */
struct feeding {
	int host;
	int64_t group, ps;
};
struct feedings {
	struct feeding *v;
	size_t n, cap;
};

static void add_feeding(void *ctx, const struct host_event *e)
{
	struct feedings *f = ctx;

	if (e->type != TIME_WAIT_INPUT && e->type != TIME_HOST_TO_DEVICE)
		return;
	VEC_ADD(f->v, f->n, f->cap,
	    (struct feeding){ .host = e->host, .group = e->group, .ps = sub_clamped(e->end, e->start) });
}

VEC_ORDER(by_group, struct feeding, UP(host) UP(group));

static void sum_feedings(struct feedings *f)
{
	size_t n = 0;

	VEC_SORT(f->v, f->n, by_group);
	for (size_t i = 0; i < f->n; i++)
		if (n && !by_group(&f->v[n - 1], &f->v[i]))
			f->v[n - 1].ps = add_clamped(f->v[n - 1].ps, f->v[i].ps);
		else
			f->v[n++] = f->v[i];
	f->n = n;
}

static bool has_infeed(const struct opdb *db)
{
	for (size_t i = 0; i < db->n; i++)
		if (slice_is(db->v[i].category, "infeed") ||
		    slice_is(db->v[i].category, "sparsecorev0 infeed"))
			return true;
	return false;
}

static int64_t busy_of(const struct step_core *c)
{
	int64_t sum = -c->nameless;

	for (size_t m = 0; m < METRIC_COUNT; m++)
		if (m != METRIC_IDLE)
			sum = add_clamped(sum, c->ps[m]);
	return sum;
}

/* Cores a to b - 1 are those of one host. */
static void share_host(const struct step_cores *s, size_t step, size_t a, size_t b, struct share *share)
{
	int64_t longest = 0;

	for (size_t i = a; i < b; i++) {
		int64_t total = step_core_at(s, i, step)->total;

		longest = total > longest ? total : longest;
	}
	for (size_t i = a; i < b; i++) {
		const struct step_core *c = step_core_at(s, i, step);

		share[i] = (struct share){ .total = longest,
			.infeed = c->ps[METRIC_INFEED],
			.there = c->total >= 0 };
		share[i].rest = sub_clamped(longest, busy_of(c));
	}
}

static size_t host_end(const struct step_cores *s, size_t a)
{
	size_t b = a;

	while (b < s->ncores && s->core[b].host == s->core[a].host)
		b++;
	return b;
}

static void details(const struct step_cores *s, const struct share *share, size_t a, size_t b,
    struct overview_step *o)
{
	int64_t shortest = INT64_MAX, most = 0;
	double n = 0, all_reduce = 0;
	size_t step = o->step;

	*o = (struct overview_step){ .step = step,
		.compute = INFINITY,
		.infeed_min = INFINITY,
		.infeed_core = SIZE_MAX };
	for (size_t i = a; i < b; i++) {
		const struct step_core *c = step_core_at(s, i, step);
		const struct share *x = &share[i];
		int64_t wait, apart, out = c->ps[METRIC_OUTFEED], transfer = c->ps[METRIC_HOST_TRANSFER];
		double percent = 100.0 * safe_div((double)x->infeed, (double)x->total);

		if (!x->there)
			continue;
		wait = add_clamped(add_clamped(x->infeed, out), add_clamped(transfer, x->rest));
		wait = add_clamped(wait, c->ps[METRIC_SPARSECORE_WAIT]);
		shortest = x->total < shortest ? x->total : shortest;
		o->longest = fmax(o->longest, (double)x->total / MS);
		o->compute = fmin(o->compute, (double)sub_clamped(x->total, wait) / MS);
		apart = add_clamped(add_clamped(x->rest, x->infeed), add_clamped(out, transfer));
		apart = add_clamped(apart, add_clamped(c->ps[METRIC_MEGACORE_WAIT], c->async_done));
		o->active += (double)sub_clamped(x->total, apart);
		o->outfeed += (double)out;
		o->transfer = fmax(o->transfer, (double)transfer / MS);
		o->infeed_avg += percent;
		o->infeed_min = fmin(o->infeed_min, percent);
		o->infeed_max = fmax(o->infeed_max, percent);
		if (x->infeed && x->infeed >= most) { /* of equal ones the last, as in XProf */
			most = x->infeed;
			o->infeed_core = i;
		}
		if (c->sync >= 0)
			all_reduce = fmax(all_reduce, (double)add_clamped(c->sync, c->sync_compute));
		n++;
	}
	o->all_reduce = all_reduce / MS;
	o->infeed = (double)most / MS;
	o->outfeed /= n * MS;
	o->active /= n * MS;
	o->infeed_avg /= n;
	o->idle = fmax(0, (double)shortest / MS - (o->compute + o->infeed + o->outfeed));
}

static int64_t feeding_of(const struct feedings *f, const struct step_cores *s, size_t step, size_t a,
    size_t b)
{
	for (size_t i = a; i < b && f->n; i++) {
		struct feeding key = { .host = s->core[i].host, .group = step_core_at(s, i, step)->group };
		const struct feeding *found = bsearch(&key, f->v, f->n, sizeof key, by_group);

		if (found)
			return found->ps;
	}
	return 0;
}

/* If no op waits for input, the part of the idle time during which the host was feeding the step counts as
 * waiting for input. */
static void charge_host(const struct step_cores *s, const struct feedings *f, size_t step,
    struct share *share, int64_t *charged)
{
	for (size_t a = 0, b; a < s->ncores; a = b) {
		struct overview_step o = { .step = step };
		int64_t fed;
		double ratio;

		b = host_end(s, a);
		fed = feeding_of(f, s, step, a, b);
		if (fed <= 0)
			continue;
		details(s, share, a, b, &o);
		ratio = fmin(1, safe_div((double)fed / MS, o.idle));
		for (size_t i = a; i < b; i++) {
			if (share[i].rest <= 0)
				continue;
			share[i].infeed = from_double((double)share[i].rest * ratio);
			share[i].rest = sub_clamped(share[i].rest, share[i].infeed);
			charged[i * s->nsteps + step] = share[i].infeed;
		}
	}
}

static void add_row(const struct overview_build *b, const struct overview_step *o)
{
	const struct step_cores *s = &b->out->cores;

	table_add(&b->out->steps,
	    &(struct tpu_step){ s->step[o->step].number, { s->step[o->step].name, s->step[o->step].name_len },
		o });
}

static void find_feedings(const struct overview_build *b, struct feedings *f)
{
	if (has_infeed(b->ops) || !b->out->cores.nsteps)
		return;
	host_events(b->dump, b->steps->groups, b->options->host, b->options->progress, add_feeding, f);
	sum_feedings(f);
}

void overview_tpu_columns(struct table *t)
{
	table_begin(t, &overview_tpu_schema);
}

/* If no step is on all cores, takes those that some cores have. */
void overview_tpu_steps(struct overview_build *b)
{
	const struct overview_options *o = b->options;
	struct step_cores *s = &b->out->cores;
	struct feedings f = { 0 };
	struct share *share;

	overview_tpu_columns(&b->out->steps);
	if ((b->out->cores_lent = b->ops->cores != NULL))
		*s = *b->ops->cores;
	else
		step_cores_build(b->dump, b->steps, o->host, o->core, o->threads, o->progress, s);
	if (progress_canceled(o->progress))
		return;
	find_feedings(b, &f);
	if (f.n)
		b->out->fed = xcalloc(s->ncores * s->nsteps + 1, sizeof *b->out->fed);
	share = xcalloc(s->ncores + 1, sizeof *share);
	b->out->step = xcalloc(s->nsteps + 1, sizeof *b->out->step);
	for (size_t step = 0; step < s->nsteps; step++) {
		struct overview_step *x = &b->out->step[b->out->nsteps];

		if (!step_cores_counts(s, step))
			continue;
		for (size_t k = 0; k < s->ncores; k = host_end(s, k))
			share_host(s, step, k, host_end(s, k), share);
		if (f.n)
			charge_host(s, &f, step, share, b->out->fed);
		x->step = step;
		details(s, share, 0, s->ncores, x);
		add_row(b, x);
		b->out->nsteps++;
	}
	free(share);
	free(f.v);
}

void overview_tpu_facts(struct overview_build *b)
{
	static const struct {
		const char *id;
		size_t at;
	} means[] = {
		{ "active_steptime_ms_average", offsetof(struct overview_step, active) },
		{ "tc_active_ms_average", offsetof(struct overview_step, active) },
		{ "tc_compute_ms_average", offsetof(struct overview_step, compute) },
		{ "tc_idle_ms_average", offsetof(struct overview_step, idle) },
		{ "tc_infeed_ms_average", offsetof(struct overview_step, infeed) },
		{ "tc_outfeed_ms_average", offsetof(struct overview_step, outfeed) },
		{ "host_transfer_ms_average", offsetof(struct overview_step, transfer) },
	};
	struct overview *o = b->out;
	double *v = xcalloc(o->nsteps + 1, sizeof *v);
	bool known = o->nsteps > 0 && !o->cores.several;
	struct summary s;

	for (size_t k = 0; k < sizeof means / sizeof *means; k++) {
		for (size_t i = 0; i < o->nsteps; i++)
			memcpy(&v[i], (const char *)&o->step[i] + means[k].at, sizeof *v);
		overview_put(o, means[k].id, overview_summary(v, o->nsteps).avg, known);
	}
	facts_null(&o->summary, "scv0_compute_ms_average"); /* 0 in XProf, which does not measure it */
	facts_null(&o->summary, "scv0_infeed_ms_average");
	for (size_t i = 0; i < o->nsteps; i++)
		v[i] = o->step[i].infeed_max;
	s = overview_summary(v, o->nsteps);
	overview_put(o, "infeed_percent_average", s.avg, known);
	overview_put(o, "infeed_percent_standard_deviation", s.sd, known && o->nsteps > 1);
	overview_put(o, "infeed_percent_minimum", s.min, known);
	overview_put(o, "infeed_percent_maximum", s.max, known);
	free(v);
}

struct host_steps overview_tpu_host(const struct overview *o, int host)
{
	const struct step_cores *s = &o->cores;
	struct host_steps h = { 0 };

	for (size_t k = 0; k < o->nsteps; k++) {
		double longest = -1, percent = 0;

		for (size_t i = 0; i < s->ncores; i++) {
			const struct step_core *c = step_core_at(s, i, o->step[k].step);

			if (s->core[i].host == host && c->total >= 0)
				longest = fmax(longest, (double)c->total);
		}
		for (size_t i = 0; i < s->ncores && longest > 0; i++)
			if (s->core[i].host == host)
				percent = fmax(percent,
				    100.0 * (double)step_core_at(s, i, o->step[k].step)->ps[METRIC_INFEED] /
					longest);
		if (longest < 0)
			continue;
		h.steps++;
		h.avg_ms += longest / MS;
		h.infeed_avg += percent;
	}
	h.avg_ms /= h.steps ? (double)h.steps : 1;
	h.infeed_avg /= h.steps ? (double)h.steps : 1;
	return h;
}
