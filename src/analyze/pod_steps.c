#include "config.h"
#include "analyze/pod_part.h"

#include <math.h>
#include <stdlib.h>

#define SPREAD 0.05 /* of the shortest: what is not worth a name */

static int64_t own_time(const struct step_core *c)
{
	return c->total - c->ps[METRIC_COLLECTIVES];
}

static void look_at(struct pod *p, size_t step)
{
	struct pod_step s = { .mean_us = NAN, .min_us = NAN, .max_us = NAN, .straggler = SIZE_MAX };
	int64_t least = INT64_MAX, most = -1, shortest = INT64_MAX, longest = -1;
	double sum = 0;
	size_t slowest = SIZE_MAX;

	for (size_t i = 0; i < p->cores.ncores; i++) {
		const struct step_core *c = step_core_at(&p->cores, i, step);
		int64_t own = own_time(c);

		if (c->total < 0)
			continue;
		s.cores++;
		sum += (double)c->total / 1e6;
		shortest = c->total < shortest ? c->total : shortest;
		longest = c->total > longest ? c->total : longest;
		least = own < least ? own : least;
		if (own > most) {
			most = own;
			slowest = i;
		}
	}
	if (s.cores) {
		s.mean_us = sum / (double)s.cores;
		s.min_us = (double)shortest / 1e6;
		s.max_us = (double)longest / 1e6;
	}
	if (s.cores > 1 && (double)(most - least) >= SPREAD * (double)(least > 0 ? least : 0) && most > least)
		s.straggler = slowest;
	p->step[step] = s;
}

void pod_steps(struct pod *p)
{
	p->step = xcalloc(p->cores.nsteps + 1, sizeof *p->step);
	for (size_t i = 0; i < p->cores.nsteps; i++)
		look_at(p, i);
}

double pod_share(const struct pod *p, size_t core, size_t step, enum step_metric m)
{
	const struct step_core *c = step_core_at(&p->cores, core, step);

	return c->total < 0 ? NAN : c->total ? (double)c->ps[m] / (double)c->total : 0;
}

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_of(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_number);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* The metric of all cores that have the step, ps. */
static double *values_of(const struct pod *p, size_t step, enum step_metric m, size_t *n)
{
	double *v = xcalloc(p->cores.ncores + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; i < p->cores.ncores; i++)
		if (step_core_at(&p->cores, i, step)->total >= 0)
			v[(*n)++] = (double)step_core_at(&p->cores, i, step)->ps[m];
	return v;
}

double pod_median(const struct pod *p, size_t step, enum step_metric m)
{
	size_t n;
	double *v = values_of(p, step, m, &n), median = n ? median_of(v, n) : NAN;

	free(v);
	return median;
}

double pod_z(const struct pod *p, size_t core, size_t step, enum step_metric m)
{
	const struct step_core *c = step_core_at(&p->cores, core, step);
	size_t n;
	double *v = values_of(p, step, m, &n), median, mad;

	if (!n || c->total < 0) {
		free(v);
		return NAN;
	}
	median = median_of(v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - median);
	mad = fmax(median_of(v, n), median * 0.001);
	free(v);
	return mad > 0 ? 0.6745 * ((double)c->ps[m] - median) / mad : 0;
}
