#include "config.h"
#include "analyze/pod/internal.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/pod/own.h"
#include "base/mem.h"
#include "result/rules.h"

/* spread: share of the shortest time */
static void look_at(struct pod *p, size_t step, double spread)
{
	struct pod_step s = { .mean_us = NAN, .min_us = NAN, .max_us = NAN, .straggler = SIZE_MAX };
	int64_t shortest = INT64_MAX, longest = -1;
	double sum = 0, least = INFINITY, most = -1, *own = xcalloc(p->cores.ncores + 1, sizeof *own);
	size_t slowest = SIZE_MAX;

	pod_own_times(&p->cores, step, own);
	for (size_t i = 0; i < p->cores.ncores; i++) {
		const struct step_core *c = step_core_at(&p->cores, i, step);

		if (c->total < 0)
			continue;
		s.cores++;
		sum += (double)c->total / 1e6;
		shortest = c->total < shortest ? c->total : shortest;
		longest = c->total > longest ? c->total : longest;
		least = own[i] < least ? own[i] : least;
		if (own[i] > most) {
			most = own[i];
			slowest = i;
		}
	}
	free(own);
	if (s.cores) {
		s.mean_us = sum / (double)s.cores;
		s.min_us = (double)shortest / 1e6;
		s.max_us = (double)longest / 1e6;
	}
	/* a smaller spread names no straggler */
	if (s.cores > 1 && most > least && most - least >= spread * fmax(least, 0))
		s.straggler = slowest;
	p->step[step] = s;
}

const char *pod_bottleneck(const struct pod *p, size_t core, size_t step)
{
	return p->bottleneck ? p->bottleneck[core * p->cores.nsteps + step] : NULL;
}

void pod_steps(struct pod *p)
{
	double spread = rule_limit(rule_named("straggler_core"), "spread") / 100;

	p->step = xcalloc(p->cores.nsteps + 1, sizeof *p->step);
	for (size_t i = 0; i < p->cores.nsteps; i++)
		look_at(p, i, spread);
}
