#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/robust.h"
#include "model/lod.h"

static void idle_of_file(struct rule_work *w, double idle)
{
	bool steps = !isnan(idle);
	struct finding *f;

	if (!steps)
		idle = rule_fact(w, "device_idle_time_percent") / 100;
	if (isnan(idle)) {
		rule_unknown(w, "the results do not say");
		return;
	}
	if (!(f = rule_raise(w, idle * 100, idle, NULL))) {
		rule_checked(w, "%.1f %%", idle * 100);
		return;
	}
	f->evidence = steps
	    ? rule_say(w, "no op runs for %s of %s per step, by the profiler's result",
		  rule_time(w, idle * w->step_ps), rule_time(w, w->step_ps))
	    : rule_say(w, "no op runs for %.1f %% of the traced time, by the profiler's result", idle * 100);
}

static const struct track *line_of_core(const struct dump *d, uint32_t plane, enum track_role role)
{
	for (uint32_t i = UINT32_MAX; (i = trace_track_of(&d->trace, plane, i)) < d->trace.ntracks;)
		if (d->trace.tracks[i].role == role && d->trace.tracks[i].n)
			return &d->trace.tracks[i];
	return NULL;
}

/* Returns the part of [from, to) in which a program runs.  *at: the first run that may reach into it; runs are
 * sorted by start. */
static double running(const struct track *t, size_t *at, int64_t from, int64_t to)
{
	double sum = 0;
	int64_t end = from;

	while (*at < t->n && track_end(t, *at) <= from)
		++*at;
	for (size_t i = *at; i < t->n && track_start(t, i) < to; i++) {
		int64_t a = track_start(t, i) > end ? track_start(t, i) : end, b = track_end(t, i);

		b = b < to ? b : to;
		sum += b > a ? (double)(b - a) : 0;
		end = b > end ? b : end;
	}
	return sum;
}

/* Returns the share of the steps in which no program runs on the core; NaN: not known. */
static double between_programs(const struct rule_work *w)
{
	const struct steps *s = w->in->steps;
	const struct track *runs = NULL;
	double total = 0, outside = 0;
	uint32_t plane = UINT32_MAX;
	size_t at = 0;

	for (size_t i = 0; i < s->n && !rule_stopped(w); i++) {
		const struct step *x = &s->v[i];

		if (x->core < 0 || x->dur <= 0)
			continue;
		if (x->plane != plane) {
			plane = x->plane;
			runs = line_of_core(w->in->dump, plane, TRACK_MODULES);
			at = 0;
		}
		if (!runs)
			return NAN;
		total += (double)x->dur;
		outside += (double)x->dur - running(runs, &at, x->start, x->start + x->dur);
	}
	return total > 0 ? outside / total : NAN;
}

/* In the worst step, the longest time in which no op runs is what the finding refers to. */
static void at_longest_gap(struct rule_work *w, struct finding *f, const struct rule_spread *s)
{
	const struct dump *d = w->in->dump;
	const char *label = step_cores_label(w->cores, s->worst_step);
	uint32_t plane = w->cores->core[s->worst_core].plane;
	const struct track *ops = line_of_core(d, plane, TRACK_OPS);
	const struct step *step;
	struct lod_gaps gaps;
	int64_t from, to;

	rule_at_worst(w, f, s);
	for (size_t i = ops ? steps_of_plane(w->in->steps, d, plane, &step) : 0; i-- > 0;) {
		if (!steps_is(&step[i], label))
			continue;
		steps_span(&step[i], d, &from, &to);
		lod_gaps(ops, from, to, &gaps);
		if (gaps.longest > 0)
			rule_at_gap(f, &d->trace.planes[plane], gaps.at, gaps.at + gaps.longest);
		return;
	}
}

static void say_idle(struct rule_work *w, struct finding *f, double idle, double step, double between)
{
	struct rule_spread s;

	rule_spread(w, METRIC_IDLE, w->rule->at[SEVERITY_HIGH], &s);
	f->evidence = rule_say(w, "no op runs for %s of %s core time per step%s", rule_time(w, idle * step),
	    rule_time(w, step), rule_range(w, &s));
	if (!isnan(between))
		f->evidence = rule_say(w, "%s; %.0f %% of it between programs", f->evidence,
		    100 * fmin(1, between / w->share[METRIC_IDLE]));
	f->evidence = rule_say(w, "%s%s", f->evidence, rule_idle_cause(w));
	if (!isnan(between))
		f->title = between > w->share[METRIC_IDLE] / 2 ? "Device idle between programs"
							       : "Device idle inside its programs";
	at_longest_gap(w, f, &s);
	rule_detail(w, f, "Mean of the cores", "%.1f %%", idle * 100);
	rule_detail(w, f, "Steps above the threshold", "%zu of %zu", s.above, s.steps);
	if (w->share[METRIC_INFEED] > 0)
		rule_detail(w, f, "Infeed", "%.1f %%", w->share[METRIC_INFEED] * 100);
}

/* Returns the share of the median step, where late steps raise the mean: what the device waits for in them is another
 * finding. */
static double typical_idle(const struct rule_work *w, double *step_ps)
{
	const struct step_cores *c = w->cores;
	double *v = xcalloc(2 * c->nsteps + 1, sizeof *v), *step = v + c->nsteps, median;
	size_t n = 0;

	for (size_t s = 0; s < c->nsteps; s++) {
		double idle = 0, total = 0, cores = 0;

		for (size_t i = 0; i < c->ncores && step_cores_counts(c, s); i++) {
			const struct step_core *x = step_core_at(c, i, s);

			idle += x->total > 0 ? (double)x->ps[METRIC_IDLE] : 0;
			total += x->total > 0 ? (double)x->total : 0;
			cores += x->total > 0;
		}
		if (!(total > 0))
			continue;
		v[n] = idle / total;
		step[n++] = total / cores;
	}
	median = robust_median(v, n);
	if (median < w->share[METRIC_IDLE])
		*step_ps = robust_median(step, n);
	free(v);
	return fmin(median, w->share[METRIC_IDLE]);
}

/* Without step markers, the time between programs is reported by module_gaps instead. */
void rule_host_overhead(struct rule_work *w)
{
	double step = w->step_ps, idle = w->cores ? typical_idle(w, &step) : w->share[METRIC_IDLE], between;
	struct finding *f;

	if (w->in->overview && w->in->overview->file) {
		idle_of_file(w, idle);
		return;
	}
	if (w->cores && w->in->steps && w->in->steps->source != STEPS_LINE)
		return;
	if (!w->cores || isnan(idle)) {
		if (!w->in->overview || w->in->overview->tpu || rule_no_times(w))
			rule_unknown(w, "%s", rule_no_steps(w) ? rule_no_steps(w) : "not stated");
		return;
	}
	between = between_programs(w);
	f = rule_raise(w, idle * 100, idle,
	    isnan(between)                            ? NULL
		: between > w->share[METRIC_IDLE] / 2 ? rule_between_key(w)
						      : "inside");
	if (f)
		say_idle(w, f, idle, step, between);
	else
		rule_checked(w, "%.1f %%", idle * 100);
}
