/* Does what the allocator of a device holds grow from step to step? */
#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/robust.h"

/* What a device holds at most in each step, or in each part of the capture where steps are not known. */
struct growth {
	const struct memory_device *device;
	double *most;
	size_t n, cap;
	double per_step, left; /* median growth, bytes; what was free at the last peak */
	bool steps;
};

#define PARTS 8
#define LEAST 4    /* steps */
#define STEADY 0.5 /* a step grows if it grows by this part of the median or more */

static void add_most(struct growth *g, const struct memory_device *k)
{
	int64_t step = -1, first = k->n ? k->v[0].t : 0,
		part = k->n ? (k->v[k->n - 1].t - first) / PARTS + 1 : 1;

	for (size_t i = 0; i < k->n; i++)
		g->steps |= k->v[i].step >= 0;
	for (size_t i = 0; i < k->n; i++) {
		const struct memory_event *e = &k->v[i];
		int64_t of = g->steps ? e->step : (e->t - first) / part;

		if (!e->known || of < 0 || of < step)
			continue;
		if (of != step)
			VEC_ADD(g->most, g->n, g->cap, 0);
		step = of;
		g->most[g->n - 1] = fmax(g->most[g->n - 1], (double)memprof_event_use(e));
	}
}

/* It grows if the second half of the steps does, in all of them but one: at the start, a job fills its memory. */
static bool grows(struct growth *g)
{
	double *d = xcalloc(g->n + 1, sizeof *d);
	size_t from = g->n / 2, flat = 0;

	for (size_t i = 1; i < g->n; i++)
		d[i - 1] = g->most[i] - g->most[i - 1];
	g->per_step = g->n >= LEAST ? robust_median(d, g->n - 1) : 0;
	free(d);
	for (size_t i = from; i < g->n && i; i++)
		flat += g->most[i] - g->most[i - 1] < STEADY * g->per_step;
	return g->per_step > 0 && flat <= 1;
}

static struct growth growth_of(const struct memory_device *k)
{
	struct growth g = { .device = k };

	add_most(&g, k);
	if (!grows(&g))
		g.per_step = 0;
	g.left = g.n ? fmax(0, (double)k->capacity - g.most[g.n - 1]) : NAN;
	free(g.most);
	return g;
}

void rule_memory_grows(struct rule_work *w)
{
	const struct memory_profile *p = w->in->profile;
	struct growth worst = { .left = NAN };
	struct finding *f;
	size_t looked = 0, most = 0;

	for (size_t i = 0; p && i < p->ndevices; i++) {
		struct growth g = p->device[i].capacity > 0 ? growth_of(&p->device[i]) : worst;

		looked += g.n >= LEAST;
		most = g.n > most ? g.n : most;
		if (g.per_step > 0 && (!worst.device || g.left / g.per_step < worst.left / worst.per_step))
			worst = g;
	}
	if (!p || !p->ndevices)
		rule_unknown(w, "no events of an allocator in this input");
	if (!looked && most)
		rule_unknown(w,
		    most == 1 ? "one step with events of an allocator: too few"
			      : "%zu steps with events of an allocator: too few",
		    most);
	if (!looked)
		return;
	if (!worst.device || !(f = rule_raise(w, 100 * worst.per_step / fmax(worst.left, 1), NAN, NULL))) {
		rule_checked(w, "no device holds more in each step");
		return;
	}
	f->evidence = rule_say(w,
	    "memory %s: %s more in each %s, %zu of them; %s are free, enough for %.0f more",
	    worst.device->name, rule_bytes(w, worst.per_step), worst.steps ? "step" : "eighth of the capture",
	    worst.n, rule_bytes(w, worst.left), floor(worst.left / worst.per_step));
}
