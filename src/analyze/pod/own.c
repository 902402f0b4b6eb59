#include "config.h"
#include "analyze/pod/own.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/robust.h"

/* How long a core worked, came late and waited, in a step or as the mean of its steps, ps. */
struct parts {
	double busy, late, waits;
};

static void add_parts(struct parts *p, const struct step_core *x)
{
	double waits = (double)x->ps[METRIC_COLLECTIVES] + (double)x->ps[METRIC_SEND] +
	    (double)x->ps[METRIC_RECV],
	       late =
		   (double)x->ps[METRIC_IDLE] + (double)x->ps[METRIC_INFEED] + (double)x->ps[METRIC_OUTFEED];

	p->busy += (double)x->total - waits - late;
	/* All leave a collective together: who idles after the last one and waits less in it began late.  Cores that
	 * exchange data in pairs end when they are done, and the first of them is not the one that others wait for. */
	p->late += late - (x->sync < 0 ? (double)x->tail : 0);
	p->waits += waits;
}

static struct parts parts_of(const struct step_cores *s, size_t core, size_t step)
{
	size_t from = step == SIZE_MAX ? 0 : step, to = step == SIZE_MAX ? s->nsteps : step + 1, n = 0;
	struct parts p = { 0, 0, 0 };

	for (size_t i = from; i < to; i++) {
		const struct step_core *x = step_core_at(s, core, i);

		if (x->total <= 0)
			continue;
		add_parts(&p, x);
		n++;
	}
	return n ? (struct parts){ p.busy / (double)n, p.late / (double)n, p.waits / (double)n }
		 : (struct parts){ NAN, NAN, NAN };
}

/* With two hosts, half of the cores may be late: then the median must be one of the other half. */
static double middle_of(double *v, size_t n, bool upper)
{
	robust_median(v, n); /* sorts */
	return n ? v[upper ? n / 2 : (n - 1) / 2] : NAN;
}

void pod_own_times(const struct step_cores *s, size_t step, double *own)
{
	struct parts *p = xcalloc(s->ncores + 1, sizeof *p);
	double *late = xcalloc(s->ncores + 1, sizeof *late), *waits = xcalloc(s->ncores + 1, sizeof *waits);
	double usual, waited;
	size_t n = 0;

	for (size_t i = 0; i < s->ncores; i++) {
		p[i] = parts_of(s, i, step);
		if (isnan(p[i].busy))
			continue;
		late[n] = p[i].late;
		waits[n++] = p[i].waits;
	}
	usual = middle_of(late, n, false);
	waited = middle_of(waits, n, true);
	for (size_t i = 0; i < s->ncores; i++)
		own[i] = p[i].busy + fmax(0, fmin(p[i].late - usual, waited - p[i].waits));
	free(p);
	free(late);
	free(waits);
}

static double mean_step(const struct step_cores *c)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < c->ncores * c->nsteps; i++)
		if (c->v[i].total > 0) {
			sum += (double)c->v[i].total;
			n++;
		}
	return sum / n;
}

double pod_own_mean(const struct step_cores *c, size_t core, double *own, double *median)
{
	double *v = xcalloc(c->ncores + 1, sizeof *v);
	size_t n = 0;

	pod_own_times(c, SIZE_MAX, v);
	*own = v[core];
	for (size_t i = 0; i < c->ncores; i++)
		if (!isnan(v[i]))
			v[n++] = v[i];
	*median = robust_median(v, n);
	free(v);
	return mean_step(c);
}

double pod_own_host(const struct step_cores *c, int host, double *own, double *other)
{
	double *v = xcalloc(c->ncores + 1, sizeof *v), least = INFINITY, most = 0, *mean;
	size_t n = 0;

	mean = xcalloc(c->ncores + 1, sizeof *mean);
	pod_own_times(c, SIZE_MAX, v);
	*own = NAN;
	for (size_t i = 0, end; i < c->ncores; i = end) {
		double sum = 0, cores = 0, low = INFINITY, high = 0;

		for (end = i; end < c->ncores && c->core[end].host == c->core[i].host; end++) {
			if (isnan(v[end]))
				continue;
			sum += v[end];
			cores++;
			low = fmin(low, v[end]);
			high = fmax(high, v[end]);
		}
		if (c->core[i].host == host && cores) {
			*own = sum / cores;
			least = low;
		} else if (cores) {
			mean[n++] = sum / cores;
			most = fmax(most, high);
		}
	}
	*other = robust_median(mean, n);
	free(v);
	free(mean);
	return n && least > most ? mean_step(c) : NAN;
}
