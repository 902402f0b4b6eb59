/* Collectives by what the pieces of time say: what asynchronous ones hide, and which axis uses little of its links. */
#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/communication/communication.h"
#include "base/clamp.h"

/* What part of the core time of the steps it is; NaN: there are none. */
static double step_part(const struct rule_work *w, double ps)
{
	const struct communication *c = w->in->communication;

	return w->cores && c->steps ? ps / ((double)(c->steps * c->ncores) * w->step_ps) : NAN;
}

static int64_t cost_of(const struct comm_op *o)
{
	return o->exposed - (o->wait > 0 ? o->wait : 0);
}

static void at_comm_op(struct rule_work *w, struct finding *f, const struct comm_op *o)
{
	strid name = strtab_find(&w->in->dump->str, o->name.s, o->name.n);

	if (name != UINT32_MAX)
		rule_at_name(w, f, name);
}

/* Ops are in the order of what is exposed. */
static const char *say_largest(struct rule_work *w, struct finding *f)
{
	const struct communication *c = w->in->communication;
	double steps = (double)(c->steps ? c->steps * c->ncores : 1);
	const char *text = "";
	int n = 0;

	for (size_t i = 0; i < c->nops && n < (int)rule_limit(w->rule, "named"); i++) {
		const struct comm_op *o = &c->op[i];

		if (o->mode != MODE_ASYNC || o->exposed <= 0)
			continue;
		if (!n++)
			at_comm_op(w, f, o);
		text = rule_say(w, "%s%s%.*s %s", text, *text ? ", " : "",
		    (int)(o->name.n < 100 ? o->name.n : 100), o->name.s,
		    rule_time(w, (double)o->exposed / steps));
	}
	return text;
}

/* Some begin early, but the core waits for them all the same. */
void rule_collectives_serial(struct rule_work *w)
{
	const struct communication *c = w->in->communication;
	double exposed = 0, flight = 0, hidden = 0, part;
	struct finding *f;

	if (!c || !c->ncores)
		return;
	for (size_t i = 0; i < c->nops; i++) {
		if (c->op[i].mode != MODE_ASYNC)
			continue;
		exposed += (double)c->op[i].exposed;
		flight += (double)c->op[i].wall;
		hidden += (double)c->op[i].hidden;
	}
	if (!(flight > 0))
		return;
	part = step_part(w, exposed);
	if (isnan(part)) {
		rule_unknown(w, "%s", rule_no_steps(w) ? rule_no_steps(w) : "no steps");
		return;
	}
	f = 100 * hidden < rule_limit(w->rule, "hidden") * flight
	    ? rule_raise(w, 100 * part, fmin(part, (double)c->save / (double)c->steps / w->step_ps), NULL)
	    : NULL;
	if (!f) {
		rule_checked(w, "%.0f %% hidden, %.1f %% of the step exposed", 100 * hidden / flight,
		    100 * part);
		return;
	}
	f->evidence = rule_say(w,
	    "%.0f %% of the time in flight is hidden; the core sits in them for %.1f %% of the step: %s per "
	    "step",
	    100 * hidden / flight, 100 * part, say_largest(w, f));
}

/* Ops of one axis, whose messages are large enough to fill a link. */
struct axis {
	const struct comm_op *first;
	double time, weighted; /* without waiting; with the part of the peak */
};

static int by_axis(const void *a, const void *b)
{
	return strcmp((*(const struct comm_op *const *)a)->groups,
	    (*(const struct comm_op *const *)b)->groups);
}

static size_t ops_of_axes(const struct rule_work *w, const struct comm_op **v)
{
	const struct communication *c = w->in->communication;
	size_t n = 0;

	for (size_t i = 0; i < c->nops; i++)
		if (c->op[i].mode == MODE_SYNC && c->op[i].groups && c->op[i].busbw > 0 &&
		    c->op[i].peak > 0 && (double)c->op[i].bytes >= rule_limit(w->rule, "bytes"))
			v[n++] = &c->op[i];
	VEC_SORT(v, n, by_axis);
	return n;
}

static struct axis slowest_axis(const struct comm_op **v, size_t n)
{
	struct axis worst = { 0 };

	for (size_t a = 0, b; a < n; a = b) {
		struct axis x = { .first = v[a] };

		for (b = a; b < n && !by_axis(&v[a], &v[b]); b++) {
			x.time += (double)cost_of(v[b]);
			x.weighted += (double)cost_of(v[b]) * v[b]->busbw / v[b]->peak;
		}
		if (!worst.first || x.time - x.weighted > worst.time - worst.weighted)
			worst = x;
	}
	return worst;
}

void rule_slow_axis(struct rule_work *w)
{
	const struct communication *c = w->in->communication;
	const struct comm_op **v;
	struct axis x;
	struct finding *f;
	double percent, part;

	if (!c || !c->nops)
		return;
	v = xcalloc(c->nops + 1, sizeof *v);
	x = slowest_axis(v, ops_of_axes(w, v));
	free(v);
	if (!x.first)
		return;
	percent = 100 * x.weighted / x.time;
	part = step_part(w, x.time);
	f = percent < rule_limit(w->rule, "percent")
	    ? rule_raise(w, 100 * part, part * (1 - percent / 100), NULL)
	    : NULL;
	if (!f) {
		rule_checked(w, "%s: %.0f %% of the peak of its links",
		    x.first->axis ? x.first->axis : "groups", percent);
		return;
	}
	f->evidence =
	    rule_say(w, "%s uses %.0f %% of what its links carry (%.0f GB/s), for %.1f %% of the step%s",
		x.first->axis ? x.first->axis : "one", percent, x.first->peak, 100 * part,
		c->mesh.assumed
		    ? rule_say(w, "; a mesh of %dx%dx%d chips is assumed", c->mesh.x, c->mesh.y, c->mesh.z)
		    : "");
	at_comm_op(w, f, x.first);
	rule_detail(w, f, "Groups", "%.200s", *x.first->groups ? x.first->groups : "all devices");
}
