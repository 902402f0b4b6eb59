#include "config.h"
#include "analyze/diff/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "result/reasons.h"

#define OFFSETTING .01 /* of the step, up and down */

static bool offsets(const struct comparison *c)
{
	double up = 0, down = 0;

	for (size_t i = 0; i < c->nchanges; i++) {
		up += c->change[i].delta > 0 ? c->change[i].delta : 0;
		down -= c->change[i].delta < 0 ? c->change[i].delta : 0;
	}
	return c->d->verdict == VERDICT_SAME && fmin(up, down) >= OFFSETTING * c->value[BASE];
}

static size_t count_steps(const struct comparison *c, int which)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n[which]; i++)
		n += c->v[c->first[which] + i]->nsteps;
	return n;
}

static double delta_percent(const struct comparison *c)
{
	return c->d->base ? 100 * ((double)c->d->new - (double)c->d->base) / (double)c->d->base : NAN;
}

/* what no verdict can be without: the reason of the verdict and what made it */
static void say_fatal(const struct comparison *c, char *buf, size_t size)
{
	const struct table *t = &c->d->table[DIFF_COMPARABILITY];
	enum reason r = reason_named(c->d->reason);
	struct slice a = { "", 0 }, b = { "", 0 };
	int n = snprintf(buf, size, "not comparable%s: %s", isnan(c->scale) ? "" : " per step",
	    r < REASONS ? reason_info(r)->meaning : "");

	for (size_t i = 0; i < t->nrows && !a.n; i++)
		if (slice_is(table_str(t, i, 0), c->d->reason)) {
			a = table_str(t, i, 2);
			b = table_str(t, i, 3);
		}
	if (a.n || b.n)
		n += snprintf(buf + n, size - (size_t)n, ": %.*s → %.*s", (int)(a.n < 80 ? a.n : 80),
		    a.n ? a.s : "", (int)(b.n < 60 ? b.n : 60), b.n ? b.s : "");
	if (!isnan(c->per_example))
		snprintf(buf + n, size - (size_t)n, "; per example %.2f %% %s", fabs(c->per_example),
		    c->per_example < 0 ? "faster" : "slower");
}

static void say_memory(const struct comparison *c, char *buf, size_t size)
{
	int64_t a = c->v[0]->memory_peak, b = c->v[c->first[NEW]]->memory_peak;
	char base[32], new[32], delta[32];

	snprintf(buf, size, "memory alone, no steps: peak %s → %s  %s%s",
	    units_bytes(base, sizeof base, (double)a), units_bytes(new, sizeof new, (double)b),
	    b > a       ? "+"
		: b < a ? "-"
			: "",
	    units_bytes(delta, sizeof delta, fabs((double)(b - a))));
}

static int say_offsetting(const struct comparison *c, char *buf, size_t size)
{
	const struct change *x;
	char t[32];
	int n = snprintf(buf, size, "same, but offsetting:");

	for (size_t i = 0; i < c->nchanges && i < 2; i++) {
		struct slice name = { "", 0 };

		x = &c->change[i];
		if (x->unit)
			name = x->unit->name[x->unit->op[NEW] ? NEW : BASE];
		n += snprintf(buf + n, size - (size_t)n, "%s %s%s %.*s", i ? "," : "",
		    x->delta > 0 ? "+" : "", units_time(t, sizeof t, (int64_t)x->delta, false),
		    (int)(name.n < 60 ? name.n : 60), name.n ? name.s : x->kind);
	}
	return n;
}

static void say_limits(const struct comparison *c, char *buf, size_t size)
{
	if (c->runs)
		snprintf(buf, size, "between %zu and %zu runs", c->n[BASE], c->n[NEW]);
	else
		snprintf(buf, size, "two captures, not two runs");
}

static void say_verdict(const struct comparison *c, char *buf, size_t size)
{
	const struct diff *d = c->d;
	char base[32], new[32], delta[32], limits[64];
	int n;

	say_limits(c, limits, sizeof limits);
	n = d->verdict == VERDICT_SAME && offsets(c) ? say_offsetting(c, buf, size)
						     : snprintf(buf, size, "%s", verdict_name(d->verdict));
	n += snprintf(buf + n, size - (size_t)n, "  step %s → %s  %s%s  %+.2f %%",
	    units_time(base, sizeof base, d->base, false), units_time(new, sizeof new, d->new, false),
	    d->new > d->base ? "+" : "", units_time(delta, sizeof delta, d->new - d->base, false),
	    delta_percent(c));
	if (c->interval.known)
		n += snprintf(buf + n, size - (size_t)n,
		    "  (%+.2f … %+.2f %%, margin %g %%; %zu and %zu steps)", d->low, d->high, d->margin,
		    count_steps(c, BASE), count_steps(c, NEW));
	else
		n += snprintf(buf + n, size - (size_t)n,
		    "  (no interval: %zu and %zu steps count as %zu and %zu; capture 12)",
		    count_steps(c, BASE), count_steps(c, NEW), c->interval.count[BASE],
		    c->interval.count[NEW]);
	for (size_t i = 0; i < c->n[BASE] + c->n[NEW]; i++)
		if (c->v[i]->loose) {
			n += snprintf(buf + n, size - (size_t)n, "  ops matched by name only");
			break;
		}
	snprintf(buf + n, size - (size_t)n, "  %s", limits);
}

static void add_memory(const struct comparison *c, struct facts *f)
{
	int64_t a = c->v[0]->memory_peak, b = c->v[c->first[NEW]]->memory_peak;

	if (a < 0 || b < 0)
		facts_null(f, "memory_delta_bytes");
	else
		facts_int(f, "memory_delta_bytes", b - a);
}

static void add_times(const struct comparison *c, struct facts *f)
{
	const struct diff *d = c->d;
	bool known = !c->fatal && !c->memory_alone;

	facts_known(f, "step_time_base_ps", d->base ? d->base : -1);
	facts_known(f, "step_time_new_ps", d->new ? d->new : -1);
	if (known)
		facts_int(f, "delta_ps", d->new - d->base);
	else
		facts_null(f, "delta_ps");
	facts_num(f, "delta_percent", known ? delta_percent(c) : NAN);
	facts_num(f, "ci_low_percent", known ? d->low : NAN);
	facts_num(f, "ci_high_percent", known ? d->high : NAN);
	facts_num(f, "effect", known ? c->interval.effect : NAN);
}

void make_summary(struct comparison *c)
{
	struct facts *f = &c->d->summary;
	char text[600];

	if (!isnan(c->scale))
		c->per_example = 100 * (c->value[NEW] / c->scale / c->value[BASE] - 1);
	if (c->fatal)
		say_fatal(c, text, sizeof text);
	else if (c->memory_alone)
		say_memory(c, text, sizeof text);
	else
		say_verdict(c, text, sizeof text);
	facts_str(f, "verdict", verdict_name(c->d->verdict));
	facts_bool(f, "comparable", !c->fatal);
	facts_bool(f, "same_program", c->same_program);
	facts_str(f, "between", c->runs ? "runs" : "steps");
	facts_int(f, "captures_base", (int64_t)c->n[BASE]);
	facts_int(f, "captures_new", (int64_t)c->n[NEW]);
	facts_int(f, "steps_base", (int64_t)count_steps(c, BASE));
	facts_int(f, "steps_new", (int64_t)count_steps(c, NEW));
	facts_int(f, "effective_base", (int64_t)c->interval.count[BASE]);
	facts_int(f, "effective_new", (int64_t)c->interval.count[NEW]);
	add_times(c, f);
	facts_num(f, "margin_percent", c->d->margin);
	facts_bool(f, "offsetting", offsets(c));
	facts_num(f, "matched_time_percent", c->op_time > 0 ? 100 * c->matched / c->op_time : NAN);
	facts_num(f, "scale", isnan(c->scale) ? c->o->scale : c->scale);
	facts_num(f, "per_example_delta_percent", c->per_example);
	add_memory(c, f);
	facts_bool(f, "failed", c->d->held > 0);
	facts_str(f, "text", text);
}
