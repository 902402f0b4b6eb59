#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <string.h>

#include "base/text/units.h"

#define HOST_TIMES \
	2 /* a host is named as the cause if its cores wait this much longer than those of any other */

/* Returns what the host spends most of its input time on: the row of the breakdown with the largest share;
 * NULL: none. */
static const char *host_work(struct rule_work *w, struct finding *f)
{
	const struct table *t = w->in->input ? &w->in->input->breakdown : NULL;
	int category = t ? table_column(t, "category") : -1, time = t ? table_column(t, "time_us") : -1;
	const struct input_category_info *info = input_category_info;
	const char *most = NULL;
	double best = 0;

	for (size_t i = 0; category >= 0 && time >= 0 && i < t->nrows; i++) {
		const struct cell *c = t->cells + i * t->ncolumns;

		for (size_t k = 0; k < INPUT_CATEGORIES; k++) {
			if (c[time].type != CELL_NUM || !(c[time].u.d > 0) ||
			    !slice_is(cell_text(&c[category]), info[k].id))
				continue;
			if (f)
				rule_detail(w, f, info[k].name, "%s in all", rule_time(w, c[time].u.d * 1e6));
			if (c[time].u.d > best) {
				best = c[time].u.d;
				most = info[k].id;
			}
		}
	}
	return most;
}

/* Computes the distribution of a metric over cores and steps, and the mean over steps of each step's worst
 * core. */
bool rule_spread(const struct rule_work *w, enum step_metric m, double above, struct rule_spread *s)
{
	const struct step_cores *c = w->cores;

	*s = (struct rule_spread){ .lowest = INFINITY, .highest = -1 };
	for (size_t i = 0; c && i < c->nsteps; i++) {
		double worst = -1;
		size_t core = 0;

		for (size_t k = 0; k < c->ncores; k++) {
			const struct step_core *x = step_core_at(c, k, i);
			double share = x->total > 0 ? (double)x->ps[m] / (double)x->total : -1;

			if (share < 0)
				continue;
			core = share > worst ? k : core;
			worst = share > worst ? share : worst;
			s->lowest = share < s->lowest ? share : s->lowest;
		}
		if (worst < 0)
			continue;
		if (worst > s->highest) {
			s->highest = worst;
			s->worst_step = i;
			s->worst_core = core;
		}
		s->mean_worst += worst;
		s->above += worst * 100 >= above;
		s->steps++;
	}
	if (s->steps)
		s->mean_worst /= (double)s->steps;
	return s->steps > 0;
}

const char *rule_range(struct rule_work *w, const struct rule_spread *s)
{
	bool cores = w->cores->ncores > 1, steps = s->steps > 1;

	if (!cores && !steps)
		return "";
	return rule_say(w, "; %.1f – %.1f %% over %s%s%s", s->lowest * 100, s->highest * 100,
	    steps ? "steps" : "", steps && cores ? " and " : "", cores ? "cores" : "");
}

void rule_at_worst(struct rule_work *w, struct finding *f, const struct rule_spread *s)
{
	const struct step_core_info *core = &w->cores->core[s->worst_core];

	rule_at_step_of(w, f, step_cores_label(w->cores, s->worst_step), core->host, core->core);
}

/* Returns a part of the steps in captures without a TPU, as the views show it: of the steps of the first host,
 * whose parts they are. */
static double generic(const struct rule_work *w, const char *column)
{
	const struct overview *o = w->in->overview;
	double step = o ? rule_mean_of(&o->steps, "stepTimeMs") : NAN;

	return step > 0 ? rule_mean_of(&o->steps, column) / step : NAN;
}

/* If it is not known whether steps wait for input, says why. */
static bool input_is_hidden(struct rule_work *w)
{
	char text[160];

	overview_hidden_text(w->in->overview, text, sizeof text);
	if (*text)
		rule_unknown(w, "%s", text);
	return *text;
}

/* "; on HOST 30.1 µs, on the others 1.2 µs": where the input of one host is the cause; "" otherwise. */
static const char *say_host(struct rule_work *w)
{
	const struct step_cores *c = w->cores;
	size_t hosts = w->in->dump ? w->in->dump->nhosts : 0, most = 0, n = 0;
	double *sum = xcalloc(2 * hosts + 1, sizeof *sum), *cells = sum + hosts, others = 0;
	const char *text = "";

	for (size_t i = 0; c && i < c->ncores * c->nsteps; i++) {
		size_t host = (size_t)c->core[i / c->nsteps].host;

		if (host >= hosts || c->v[i].total <= 0)
			continue;
		sum[host] += (double)c->v[i].ps[METRIC_INFEED];
		cells[host]++;
	}
	for (size_t i = 0; i < hosts; i++)
		sum[i] = cells[i] > 0 ? sum[i] / cells[i] : 0;
	for (size_t i = 0; i < hosts; i++)
		most = sum[i] > sum[most] ? i : most;
	for (size_t i = 0; i < hosts; i++) {
		others = i != most && sum[i] > others ? sum[i] : others;
		n += cells[i] > 0;
	}
	if (n > 1 && sum[most] > HOST_TIMES * others)
		text = rule_say(w, "; on %s %s, on %s %s: it is the input of this host",
		    rule_host(w, (int)most), rule_time(w, sum[most]),
		    n == 2 ? "the other" : "the others at most", rule_time(w, others));
	free(sum);
	return text;
}

static void input_of_cores(struct rule_work *w, double share)
{
	struct rule_spread s;
	struct finding *f = rule_raise(w, share * 100, share, host_work(w, NULL));
	double step = rule_fact(w, "steptime_ms_average"), idle = w->share[METRIC_IDLE] * 100;
	bool has = rule_spread(w, METRIC_INFEED, w->rule->at[SEVERITY_HIGH], &s);

	if (f || input_is_hidden(w))
		;
	else if (!(share > 0))
		rule_checked(w, idle < .05 ? "0.0 %%" : "0 – %.1f %%", idle);
	else
		rule_checked(w, "%.1f %%", share * 100);
	if (!f)
		return;
	step = step > 0 ? step : w->step_ps / (double)PS_PER_MS;
	step *= (double)PS_PER_MS;
	if (has && s.highest > 0) {
		f->evidence = rule_say(w, "%s of %s per step%s%s", rule_time(w, share * step),
		    rule_time(w, step), rule_range(w, &s), say_host(w));
		rule_at_worst(w, f, &s);
		rule_detail(w, f, "Worst core of each step", "%.1f %%", s.mean_worst * 100);
		rule_detail(w, f, "Mean of the cores", "%.1f %%", w->share[METRIC_INFEED] * 100);
		rule_detail(w, f, "Steps above the threshold", "%zu of %zu", s.above, s.steps);
	} else {
		f->evidence =
		    rule_say(w, "%s of %s per step: the host prepares input while the device is idle",
			rule_time(w, share * step), rule_time(w, step));
	}
	host_work(w, f);
}

static const char *no_host_steps(const struct rule_work *w)
{
	return w->in->dump && w->in->dump->trace.ntracks ? "no steps: no host thread has step events"
							 : rule_no_ops(w);
}

/* Uses the results that a profiler left in place of a trace. */
static void of_results(struct rule_work *w)
{
	const struct overview *o = w->in->overview;
	const struct facts *in = w->in->input ? &w->in->input->summary : NULL;
	const char *class = in ? facts_text(in, "input_class") : "";
	double share = rule_fact(w, "infeed_percent_average") / 100, least;
	struct finding *f;

	if (isnan(share) && in)
		share = facts_number(in, "infeed_percent_average") / 100;
	if (isnan(share) && in)
		share = facts_number(in, "input_percent") / 100;
	if (isnan(share) && in)
		share = facts_number(in, "infeed_time_ms_avg") / facts_number(in, "steptime_ms_average");
	least = !strcmp(class, "high")   ? w->rule->at[SEVERITY_HIGH]
	    : !strcmp(class, "moderate") ? w->rule->at[SEVERITY_MEDIUM]
					 : 0; /* the verdict of the result holds */
	if (isnan(share) && !(least > 0)) {
		rule_unknown(w, "%s", o && o->file ? "the results do not say" : no_host_steps(w));
		return;
	}
	if (!(share > 0) && !(least > 0) && o && o->file && !o->steps.nrows) {
		rule_unknown(w, "no steps in the profiler's result");
		return;
	}
	if (!(share > 0) && !(least > 0) && input_is_hidden(w))
		return;
	if (!(f = rule_raise(w, fmax(share * 100, least), share, host_work(w, NULL)))) {
		rule_checked(w, "%.1f %%", share * 100);
		return;
	}
	f->evidence = isnan(share)
	    ? rule_say(w, "the profiler's result calls the program %s input bound",
		  strcmp(class, "high") ? "moderately" : "highly")
	    : rule_say(w, "%.1f %% of the step time waits for input, by the profiler's result", share * 100);
	host_work(w, f);
}

static void no_infeed(struct rule_work *w)
{
	if (rule_no_steps(w))
		rule_unknown(w, "%s", rule_no_steps(w));
	else
		input_of_cores(w, 0);
}

void rule_input_bound(struct rule_work *w)
{
	double share = rule_fact(w, "infeed_percent_average") / 100;
	struct finding *f;
	struct rule_spread s;

	if (w->in->overview && w->in->overview->tpu && !w->in->overview->file) {
		/* from pseudo steps */
		if (isnan(share) && rule_spread(w, METRIC_INFEED, 0, &s) && s.highest > 0)
			share = s.mean_worst;
		if (!isnan(share))
			input_of_cores(w, share);
		else
			no_infeed(w);
		return;
	}
	if (w->in->overview && !w->in->overview->file && input_is_hidden(w))
		return;
	share = generic(w, "infeedTimeMs");
	if (isnan(share)) {
		of_results(w);
		return;
	}
	if (input_is_hidden(w))
		return;
	if (!(share > 0) && rule_is_foreign(w)) {
		rule_unknown(w, "%s", rule_foreign);
		return;
	}
	if (!(f = rule_raise(w, share * 100, share, host_work(w, NULL)))) {
		rule_checked(w, "%.1f %%", share * 100);
		return;
	}
	f->evidence = rule_say(w, "%s of %s per step wait for or copy input",
	    rule_time(w, rule_mean_of(&w->in->overview->steps, "infeedTimeMs") * (double)PS_PER_MS),
	    rule_time(w, rule_mean_of(&w->in->overview->steps, "stepTimeMs") * (double)PS_PER_MS));
	host_work(w, f);
}

static void simple(struct rule_work *w, double share, const char *what)
{
	struct finding *f;

	if (isnan(share)) {
		rule_unknown(w, "%s",
		    w->in->overview && !w->in->overview->tpu && !w->in->overview->file ? no_host_steps(w)
			: rule_no_steps(w)                                             ? rule_no_steps(w)
										       : "not stated");
		return;
	}
	if (!(share > 0) && rule_is_foreign(w))
		rule_unknown(w, "%s", rule_foreign);
	else if ((f = rule_raise(w, share * 100, share, NULL)))
		f->evidence = rule_say(w, "%.1f %% of %s %s", share * 100,
		    *w->whole ? w->whole : "the step time", what);
	else
		rule_checked(w, "%.1f %%", share * 100);
}

void rule_output_bound(struct rule_work *w)
{
	if (w->in->overview && !w->in->overview->tpu && !w->in->overview->file &&
	    !rule_has_plane(w, PLANE_GPU))
		return; /* there is no device that would */
	if (w->in->overview && !w->in->overview->tpu)
		simple(w, generic(w, "outfeedTimeMs"), "sends results to the host");
	else
		simple(w, w->share[METRIC_OUTFEED],
		    "is outfeed: the device waits until the host takes its results");
}

void rule_sparsecore(struct rule_work *w)
{
	if (w->share[METRIC_SPARSECORE_WAIT] > 0)
		simple(w, w->share[METRIC_SPARSECORE_WAIT], "waits for the SparseCore");
}

void rule_kernel_launch(struct rule_work *w)
{
	if (w->in->overview && !w->in->overview->tpu && rule_has_plane(w, PLANE_GPU))
		simple(w, generic(w, "kernelLaunchTimeMs"), "launches kernels");
}

void rule_all_others(struct rule_work *w)
{
	const char *cut = rule_cut(w, "events that explain it may be missing");

	if (w->in->overview && !w->in->overview->tpu && cut)
		rule_unknown(w, "%s", cut);
	else if (w->in->overview && !w->in->overview->tpu)
		simple(w, fmin(generic(w, "otherTimeMs"), rule_unseen(w)),
		    "is neither compute, input, output nor compiling: Python, waits, I/O, or work that was "
		    "not "
		    "traced");
}

void rule_eager(struct rule_work *w)
{
	double percent = rule_fact(w, "device_op_time_eager_percent");
	struct finding *f;

	if (isnan(percent) || !w->in->overview->file)
		return; /* traces do not say which ops are eager */
	if ((f = rule_raise(w, percent, percent / 100, NULL)))
		f->evidence =
		    rule_say(w, "ops that ran eagerly take %.1f %% of the device's op time", percent);
	else
		rule_checked(w, "%.1f %%", percent);
}
