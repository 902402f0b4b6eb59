#include "config.h"
#include "view/pod/pod.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/robust.h"

#define M(metric) (1u << METRIC_##metric)

const struct pod_tab pod_tab[POD_TABS] = {
	{ KIND_MATMUL, 0 },
	{ KIND_COMPUTE, 0 },
	{ KIND_COLLECTIVE, 0 },
	{ KIND_SEND_RECV, M(SEND) | M(RECV) },
	{ KIND_COPY, 0 },
	{ KIND_INFEED, M(INFEED) | M(SPARSECORE_WAIT) },
	{ KIND_OUTFEED, M(OUTFEED) },
	{ KIND_HOST_TRANSFER, M(HOST_TRANSFER) },
	{ KIND_IDLE, M(IDLE) },
};

#undef M

const char *pod_view_tab_name(int tab)
{
	return kind_info[pod_tab[tab].kind].name;
}

double pod_view_tab_ps(const struct step_core *c, int tab)
{
	double sum = 0;

	if (!pod_tab[tab].metrics)
		sum = (double)c->kind[pod_tab[tab].kind];
	if (pod_tab[tab].kind == KIND_COMPUTE)
		sum += (double)c->kind[KIND_ANY_COMPUTE];
	if (tab == TAB_COLLECTIVES)
		sum -= (double)(c->ps[METRIC_SEND] + c->ps[METRIC_RECV]);
	for (int m = 0; m < METRIC_COUNT; m++)
		if (pod_tab[tab].metrics & 1u << m)
			sum += (double)c->ps[m];
	return sum;
}

int pod_view_largest_tab(const struct step_cores *c)
{
	double sum[POD_TABS] = { 0 };
	int most = 0;

	for (size_t i = 0; i < c->ncores * c->nsteps; i++)
		for (int t = 0; t < POD_TABS && c->v[i].total >= 0 && step_cores_counts(c, i % c->nsteps);
		     t++)
			sum[t] += pod_view_tab_ps(&c->v[i], t);
	for (int t = 1; t < POD_TABS; t++)
		most = sum[t] > sum[most] ? t : most;
	return most;
}

struct ranked {
	double value;
	uint32_t core;
};

/* Largest first; equal ones in their order. */
VEC_ORDER(by_value, struct ranked, DOWN(value) UP(core));

static double median_of(const struct ranked *v, size_t n)
{
	return !n ? NAN : n % 2 ? v[n / 2].value : (v[n / 2 - 1].value + v[n / 2].value) / 2;
}

static void rank_cores(struct pod_stats *s, struct ranked *v, size_t n, size_t ncores)
{
	qsort(v, n, sizeof *v, by_value);
	for (size_t i = 0; i < ncores; i++)
		s->rank[i] = UINT32_MAX;
	for (size_t i = 0; i < n; i++) {
		s->order[i] = v[i].core;
		s->rank[v[i].core] = (uint32_t)i;
	}
	s->n = n;
	s->median = median_of(v, n);
	s->high = n ? v[0].value : NAN;
	s->low = n ? v[n - 1].value : NAN;
	for (size_t i = 0; i < n; i++)
		v[i].value = fabs(v[i].value - s->median);
	qsort(v, n, sizeof *v, by_value);
	s->mad = median_of(v, n);
}

static void add_core(struct pod_stats *s, const struct step_core *c)
{
	for (int t = 0; t < POD_TABS; t++) {
		double ps = pod_view_tab_ps(c, t);

		s->sum[t] += ps;
		s->least[t] = fmin(s->least[t], ps);
		s->most[t] = fmax(s->most[t], ps);
	}
	s->sum_total += (double)c->total;
	s->least_total = fmin(s->least_total, (double)c->total);
	s->most_total = fmax(s->most_total, (double)c->total);
}

/* Median of a tab, or of the whole step. */
static double median_ps(const struct pod *p, size_t step, int tab, struct ranked *v)
{
	size_t n = 0;

	for (size_t i = 0; i < p->cores.ncores && step < p->cores.nsteps; i++) {
		const struct step_core *c = step_core_at(&p->cores, i, step);

		if (c->total >= 0)
			v[n++] = (struct ranked){ tab < 0 ? (double)c->total : pod_view_tab_ps(c, tab),
				(uint32_t)i };
	}
	qsort(v, n, sizeof *v, by_value);
	return median_of(v, n);
}

/* NaN: unknown on all cores */
static double median_sync(const struct pod *p, size_t step, struct ranked *v)
{
	size_t n = 0;

	for (size_t i = 0; i < p->cores.ncores && step < p->cores.nsteps; i++) {
		const struct step_core *c = step_core_at(&p->cores, i, step);

		if (c->total >= 0 && c->sync >= 0)
			v[n++] = (struct ranked){ (double)c->sync, (uint32_t)i };
	}
	qsort(v, n, sizeof *v, by_value);
	return median_of(v, n);
}

void pod_view_stats_make(struct pod_stats *s, const struct pod *p, size_t step, int tab)
{
	size_t ncores = p->cores.ncores, n = 0;
	struct ranked *v = xcalloc(ncores + 1, sizeof *v);

	pod_view_stats_free(s);
	s->value = xcalloc(ncores + 1, sizeof *s->value);
	s->order = xcalloc(ncores + 1, sizeof *s->order);
	s->rank = xcalloc(ncores + 1, sizeof *s->rank);
	s->least_total = s->most_total = NAN;
	for (int t = 0; t < POD_TABS; t++)
		s->least[t] = s->most[t] = NAN;
	for (size_t i = 0; i < ncores; i++) {
		const struct step_core *c = step < p->cores.nsteps ? step_core_at(&p->cores, i, step) : NULL;

		s->value[i] = NAN;
		if (!c || c->total < 0)
			continue;
		s->value[i] = c->total ? pod_view_tab_ps(c, tab) / (double)c->total : 0;
		v[n++] = (struct ranked){ s->value[i], (uint32_t)i };
		add_core(s, c);
	}
	rank_cores(s, v, n, ncores);
	for (int t = 0; t < POD_TABS; t++)
		s->usual[t] = s->most[t] > 0 ? median_ps(p, step, t, v) : n ? 0 : NAN;
	s->usual_total = median_ps(p, step, -1, v);
	s->usual_sync = median_sync(p, step, v);
	free(v);
}

void pod_view_stats_free(struct pod_stats *s)
{
	free(s->value);
	free(s->order);
	free(s->rank);
	*s = (struct pod_stats){ .n = 0 };
}

double pod_view_stats_z(const struct pod_stats *s, double value)
{
	return robust_z(&(struct robust){ s->median, s->mad }, value);
}
