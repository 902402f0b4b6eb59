#include "config.h"
#include "view/pod/pod.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/pod/own.h"
#include "base/mem.h"
#include "base/robust.h"

const enum time_kind pod_tab[POD_TABS] = { KIND_MATMUL, KIND_COMPUTE, KIND_COLLECTIVE, KIND_SEND_RECV,
	KIND_COPY, KIND_INFEED, KIND_OUTFEED, KIND_HOST_TRANSFER, KIND_IDLE };

/* Where matmuls and other compute are not told apart, all of it is compute. */
enum time_kind pod_view_kind(const struct pod_view *v, int tab)
{
	if (tab == TAB_OWN)
		return KIND_MATMUL;
	return tab == TAB_COMPUTE && v->pod->cores.no_kinds ? KIND_ANY_COMPUTE : pod_tab[tab];
}

const char *pod_view_tab_name(const struct pod_view *v, int tab)
{
	return tab == TAB_OWN ? "own work" : kind_info[pod_view_kind(v, tab)].name;
}

double pod_view_ps(const struct pod_view *v, size_t core, int tab)
{
	return tab == TAB_OWN ? v->stats.own[core] : pod_view_tab_ps(pod_view_core_step(v, core), tab);
}

void pod_view_tabs_ps(const struct step_core *c, double ps[POD_TABS])
{
	struct account_parts p = account_parts_of(c, 0);

	for (int t = 0; t < POD_TABS; t++)
		ps[t] = (double)p.kind[pod_tab[t]];
	ps[TAB_COMPUTE] += (double)p.kind[KIND_ANY_COMPUTE];
	ps[TAB_COLLECTIVES] -= ps[TAB_SEND_RECV];
}

double pod_view_tab_ps(const struct step_core *c, int tab)
{
	double ps[POD_TABS];

	pod_view_tabs_ps(c, ps);
	return ps[tab];
}

int pod_view_largest_tab(const struct step_cores *c)
{
	double sum[POD_TABS] = { 0 };
	int most = 0;

	for (size_t i = 0; i < c->ncores * c->nsteps; i++) {
		double ps[POD_TABS];

		if (c->v[i].total < 0 || !step_cores_counts(c, i % c->nsteps))
			continue;
		pod_view_tabs_ps(&c->v[i], ps);
		for (int t = 0; t < POD_TABS; t++)
			sum[t] += ps[t];
	}
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

static void add_core(struct pod_stats *s, const struct step_core *c, double own)
{
	double ps[POD_METRICS];

	pod_view_tabs_ps(c, ps);
	ps[TAB_OWN] = own;
	for (int t = 0; t < POD_METRICS; t++) {
		s->sum[t] += ps[t];
		s->least[t] = fmin(s->least[t], ps[t]);
		s->most[t] = fmax(s->most[t], ps[t]);
	}
	s->sum_total += (double)c->total;
	s->least_total = fmin(s->least_total, (double)c->total);
	s->most_total = fmax(s->most_total, (double)c->total);
}

/* Median of a tab, or of the whole step. */
static double median_ps(const struct pod *p, const struct pod_stats *s, size_t step, int tab,
    struct ranked *v)
{
	size_t n = 0;

	for (size_t i = 0; i < p->cores.ncores && step < p->cores.nsteps; i++) {
		const struct step_core *c = step_core_at(&p->cores, i, step);

		if (c->total >= 0)
			v[n++] = (struct ranked){ tab < 0 ? (double)c->total
				    : tab == TAB_OWN      ? s->own[i]
							  : pod_view_tab_ps(c, tab),
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
	s->own = xcalloc(ncores + 1, sizeof *s->own);
	pod_own_times(&p->cores, step, s->own);
	s->order = xcalloc(ncores + 1, sizeof *s->order);
	s->rank = xcalloc(ncores + 1, sizeof *s->rank);
	s->least_total = s->most_total = NAN;
	for (int t = 0; t < POD_METRICS; t++)
		s->least[t] = s->most[t] = NAN;
	for (size_t i = 0; i < ncores; i++) {
		const struct step_core *c = step < p->cores.nsteps ? step_core_at(&p->cores, i, step) : NULL;

		s->value[i] = NAN;
		if (!c || c->total < 0)
			continue;
		s->value[i] =
		    c->total ? (tab == TAB_OWN ? s->own[i] : pod_view_tab_ps(c, tab)) / (double)c->total : 0;
		v[n++] = (struct ranked){ s->value[i], (uint32_t)i };
		add_core(s, c, s->own[i]);
	}
	rank_cores(s, v, n, ncores);
	for (int t = 0; t < POD_METRICS; t++)
		s->usual[t] = s->most[t] > 0 ? median_ps(p, s, step, t, v) : n ? 0 : NAN;
	s->usual_total = median_ps(p, s, step, -1, v);
	s->usual_sync = median_sync(p, step, v);
	free(v);
}

void pod_view_stats_free(struct pod_stats *s)
{
	free(s->value);
	free(s->own);
	free(s->order);
	free(s->rank);
	*s = (struct pod_stats){ .n = 0 };
}

double pod_view_stats_z(const struct pod_stats *s, double value)
{
	return robust_z(&(struct robust){ s->median, s->mad }, value);
}
