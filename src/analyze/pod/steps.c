#include "config.h"
#include "analyze/pod/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/clamp.h"

#define SPREAD 0.05 /* share of the shortest time; a smaller spread names no straggler */

/* Without what may be a wait for other cores. */
static int64_t own_time(const struct step_core *c)
{
	int64_t waits =
	    add_clamped(c->ps[METRIC_COLLECTIVES], add_clamped(c->ps[METRIC_SEND], c->ps[METRIC_RECV]));

	return sub_clamped(c->total, waits);
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

const char *pod_bottleneck(const struct pod *p, size_t core, size_t step)
{
	return p->bottleneck ? p->bottleneck[core * p->cores.nsteps + step] : NULL;
}

void pod_steps(struct pod *p)
{
	p->step = xcalloc(p->cores.nsteps + 1, sizeof *p->step);
	for (size_t i = 0; i < p->cores.nsteps; i++)
		look_at(p, i);
}
