#include "config.h"
#include "analyze/findings/internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/clock.h"
#include "analyze/trace/program_runs.h"
#include "base/robust.h"
#include "base/text/digit.h"
#include "base/text/units.h"

#define PROGRAMS_SAID 4 /* of those that take most time */
#define LATE_MADS 5     /* a step is late if it takes this much more than the median, and … */
#define LATE_SHARE 0.02
#define LOOK_EVERY 65536 /* events between two checks for cancellation */

/* the longest gap: it ends at `before`, when the next program of the track begins */
struct gaps {
	double span, gap, longest;
	int64_t before;
	uint32_t track;
	size_t n;
};

/* Gaps in the steps, and all others: before the first step of a core and after its last one. */
struct gaps_by_place {
	struct gaps in, out;
	size_t planes;
};

static void add_gap(struct gaps *g, uint32_t track, const struct clock_run *v, int64_t gap)
{
	if (gap > 0) {
		g->gap += (double)gap;
		g->n++;
	}
	if ((double)gap > g->longest) {
		g->longest = (double)gap;
		g->before = v->from;
		g->track = track;
	}
}

/* The run that is the first step of a core, and the one where its last step ends; false: no run on this line is a
 * step. */
static bool stepped_runs(const struct steps *s, uint32_t track, const struct clock_run *v, size_t n,
    size_t *first, size_t *last)
{
	size_t a = 0, b = s ? s->n : 0;

	if (!s || s->source != STEPS_MODULES)
		return false;
	while (a < b && s->v[a].track != track)
		a++;
	while (b > a && s->v[b - 1].track != track)
		b--;
	if (a == b)
		return false;
	for (size_t i = 0; i < n; i++) {
		*first = v[i].event == s->v[a].event ? i : *first;
		*last =
		    v[i].event == (s->v[b - 1].to_next ? s->v[b - 1].next : s->v[b - 1].event) ? i : *last;
	}
	return true;
}

/* Adds the gaps between the end of what ran so far and the next start. */
static void add_gaps(struct rule_work *w, uint32_t track, const struct clock_run *v, size_t n,
    struct gaps_by_place *g)
{
	size_t first = 0, last = n;
	bool steps = stepped_runs(w->in->steps, track, v, n, &first, &last);
	int64_t end = v[0].from;

	for (size_t i = 0; i < n; i++) {
		struct gaps *to = steps && (i <= first || i > last) ? &g->out : &g->in;
		int64_t until = v[i].to > end ? v[i].to : end;

		if (i % LOOK_EVERY == 0 && rule_stopped(w))
			return;
		add_gap(to, track, &v[i], v[i].from - end);
		to = steps && i != first && (i < first || i >= last) ? &g->out : &g->in;
		to->span += (double)(until - (v[i].from > end ? v[i].from : end));
		end = until;
	}
}

/* "; 30.7 µs before jit_decode of 110 µs, …" for several programs */
static const char *say_programs(struct rule_work *w)
{
	size_t n;
	struct program_runs *v = program_runs(w->in->dump, PLANE_TPU, NULL, -1, &n);
	const char *text = "";

	for (size_t i = 0; i < n && i < PROGRAMS_SAID; i++) {
		struct slice name = slice_before(dump_text(w->in->dump, v[i].name), "(");

		if (v[i].gaps)
			text = rule_say(w, "%s%s %s before %.*s of %s", text, *text ? "," : ";",
			    rule_time(w, v[i].gap), (int)name.n, name.s, rule_time(w, v[i].mean));
	}
	free(v);
	return text;
}

static void say_gaps(struct rule_work *w, struct finding *f, const struct gaps *g, double span, size_t planes)
{
	const struct trace *r = &w->in->dump->trace;

	f->evidence =
	    rule_say(w, "no program runs for %s of %s per core: %zu gap%s on %zu core%s, mean %s, longest %s",
		rule_time(w, g->gap / (double)planes), rule_time(w, span / (double)planes), g->n,
		g->n == 1 ? "" : "s", planes, planes == 1 ? "" : "s",
		rule_time(w, g->gap / (double)(g->n ? g->n : 1)), rule_time(w, g->longest));
	if (w->in->steps && w->in->steps->programs.n > 1)
		f->evidence = rule_say(w, "%s%s", f->evidence, say_programs(w));
	f->evidence = rule_say(w, "%s%s", f->evidence, rule_idle_cause(w));
	if (w->cores)
		rule_detail(w, f, "Idle time of the steps", "%.1f %%", 100 * w->share[METRIC_IDLE]);
	rule_at_gap(f, &r->planes[r->tracks[g->track].plane], g->before - (int64_t)g->longest, g->before);
}

static bool find_gaps(struct rule_work *w, struct gaps_by_place *g)
{
	const struct dump *d = w->in->dump;
	struct clock_names names = clock_names_of(d);
	bool *looked =
	    xcalloc(d->trace.nplanes + 1, sizeof *looked); /* a core runs its programs on one track */

	for (uint32_t k = 0; k < d->trace.ntracks; k++) {
		const struct track *t = &d->trace.tracks[k];
		struct clock_run *run;

		if (t->role != TRACK_MODULES || d->trace.planes[t->plane].kind != PLANE_TPU || t->n < 2 ||
		    looked[t->plane])
			continue;
		looked[t->plane] = true;
		run = clock_runs(d, &names, k);
		add_gaps(w, k, run, t->n, g);
		free(run);
		g->planes++;
	}
	free(looked);
	g->in.span += g->in.gap;
	g->out.span += g->out.gap;
	return g->in.span + g->out.span > 0;
}

/* Idle time in the steps is a part of the steps, as on the bar of the mean step; what lies before and after them is
 * a part of the time from the first run to the last. */
void rule_module_gaps(struct rule_work *w)
{
	struct gaps_by_place g = { { .longest = -1 }, { .longest = -1 }, 0 };
	double inside, outside;
	struct finding *f;

	if (!w->in->dump || (w->in->steps && w->in->steps->source == STEPS_LINE))
		return;
	if (!find_gaps(w, &g)) {
		if (rule_has_plane(w, PLANE_TPU))
			rule_unknown(w, "no two runs of a program on a core");
		return;
	}
	inside = g.in.span > 0 ? g.in.gap / g.in.span : 0;
	outside = g.out.gap / (g.in.span + g.out.span);
	if ((f = rule_raise(w, 100 * inside, inside, rule_between_key(w)))) {
		say_gaps(w, f, &g.in, g.in.span, g.planes);
		if (g.out.gap > 0)
			rule_detail(w, f, "Before and after the steps", "%s more per core",
			    rule_time(w, g.out.gap / (double)g.planes));
	} else if ((f = rule_raise(w, 100 * outside, outside, "outside"))) {
		f->title = "Device idle before or after the steps";
		f->severity = SEVERITY_LOW;
		say_gaps(w, f, &g.out, g.in.span + g.out.span, g.planes);
	} else {
		rule_checked(w, "%.1f %%", 100 * inside);
	}
}

struct program {
	strid name;
	struct slice base; /* without the ID */
};

static int by_base(const void *a, const void *b)
{
	const struct program *x = a, *y = b;
	int c = slice_order(x->base, y->base);

	if (c)
		return c;
	return (x->name > y->name) - (x->name < y->name);
}

/* Returns the length of the part of "jit_f(123)" before the ID; 0 when there is none. */
static size_t base_length(const char *s, size_t n)
{
	size_t i = n;

	if (!n || s[n - 1] != ')')
		return 0;
	for (i = n - 1; i && isdigit((unsigned char)s[i - 1]); i--)
		;
	return i > 1 && i < n - 1 && s[i - 1] == '(' ? i - 1 : 0;
}

/* Returns the names of all modules that ran, each once. */
static struct program *programs_of(struct rule_work *w, size_t *n)
{
	const struct dump *d = w->in->dump;
	bool *seen = xcalloc(d->trace.nmetas + 1, sizeof *seen);
	struct program *v = NULL;
	size_t found = 0, cap = 0, kept = 0;

	for (size_t k = 0; k < d->trace.ntracks; k++) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; t->role == TRACK_MODULES && i < t->n; i++) {
			strid name = d->trace.metas[track_meta(t, i)].name;
			struct slice base = dump_text(d, name);

			if (i % LOOK_EVERY == 0 && rule_stopped(w))
				break;
			if (seen[track_meta(t, i)])
				continue;
			seen[track_meta(t, i)] = true;
			if (!(base.n = base_length(base.s, base.n)))
				continue;
			VEC_ADD(v, found, cap, (struct program){ name, base });
		}
	}
	free(seen);
	VEC_SORT(v, found, by_base);
	for (size_t i = 0; i < found; i++) /* event kinds differ per core, names do not */
		if (!kept || v[kept - 1].name != v[i].name)
			v[kept++] = v[i];
	*n = kept;
	return v;
}

void rule_recompiled(struct rule_work *w)
{
	const struct program *most = NULL;
	struct program *v;
	size_t n, best = 0, several = 0;
	struct finding *f;

	if (!w->in->dump || !(v = programs_of(w, &n)))
		return;
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && slice_same(v[k].base, v[i].base); k++)
			;
		several += k - i > 1;
		if (k - i > best) {
			best = k - i;
			most = &v[i];
		}
	}
	f = best > 1 ? rule_raise(w, (double)best, NAN, NULL) : NULL;
	if (f) {
		if (several == 1)
			f->evidence = rule_say(w, "%zu different programs named %.*s ran", best,
			    (int)most->base.n, most->base.s);
		else
			f->evidence = rule_say(w,
			    "%zu different programs named %.*s ran; %zu names have several programs", best,
			    (int)most->base.n, most->base.s, several);
	} else if (n) {
		rule_checked(w, best > 1 ? "%zu programs, at most %zu of a name" : "%zu, no name used twice",
		    n, best);
	} else {
		rule_unknown(w, "%s", rule_no_ops(w) ? rule_no_ops(w) : "no runs of programs on the devices");
	}
	free(v);
}

static bool is_compile(const char *s, size_t n)
{
	static const char *const names[] = { "BackendCompile", "backend_compile", "XlaCompile",
		"CompileAndLoad", "::Compile", "compile_or_get_cached", "TpuCompile" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (memmem(s, n, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Returns the compile time of the thread that compiled longest, because threads may compile at the same
 * time. */
static double compile_time(struct rule_work *w, const bool *kind, size_t *runs, strid *longest)
{
	const struct dump *d = w->in->dump;
	double most = 0;

	for (size_t k = 0; k < d->trace.ntracks; k++) {
		const struct track *t = &d->trace.tracks[k];
		int64_t end = INT64_MIN, most_dur = -1;
		double sum = 0;
		strid name = 0;
		size_t n = 0;

		if (d->trace.planes[t->plane].kind != PLANE_HOST)
			continue;
		for (size_t i = 0; i < t->n; i++) {
			if (i % LOOK_EVERY == 0 && rule_stopped(w))
				return most;
			if (!kind[track_meta(t, i)] || track_start(t, i) < end)
				continue;
			end = track_end(t, i);
			sum += (double)track_dur(t, i);
			n++;
			if (track_dur(t, i) > most_dur) {
				most_dur = track_dur(t, i);
				name = d->trace.metas[track_meta(t, i)].name;
			}
		}
		if (sum > most) {
			most = sum;
			*longest = name;
			*runs = n;
		}
	}
	return most;
}

void rule_compile(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	double span = d ? (double)(d->trace.last - d->trace.first) : 0, time = 0;
	size_t runs = 0;
	strid longest = 0;
	bool *kind, any = false;
	struct finding *f;
	const char *cut;

	if (!rule_has_events(w, PLANE_HOST) || !(span > 0)) {
		cut = rule_cut(w, "no plane of a host could be read");
		rule_unknown(w, "%s", rule_no_times(w) ? rule_no_times(w) : cut ? cut : "no plane of a host");
		return;
	}
	kind = xcalloc(d->trace.nmetas + 1, sizeof *kind);
	for (size_t i = 0; i < d->trace.nmetas; i++) {
		strid name = d->trace.metas[i].name;

		kind[i] = is_compile(strtab_str(&d->str, name), strtab_len(&d->str, name));
		any |= kind[i];
	}
	if (any)
		time = w->compiled = compile_time(w, kind, &runs, &longest);
	free(kind);
	if ((f = rule_raise(w, 100 * time / span, time / span, NULL))) {
		f->evidence = rule_say(w, "%s of %s traced: a host thread compiled %zu time%s",
		    rule_time(w, time), rule_time(w, span), runs, runs == 1 ? "" : "s");
		rule_at_name(w, f, longest);
	} else if (any)
		rule_checked(w, "%.1f %% of the time traced", 100 * time / span);
	else if (rule_is_foreign(w))
		rule_unknown(w, "%s", rule_foreign);
	else
		rule_checked(w, "no compilation seen");
}

/* Counts the steps at the start that take much longer than the median. */
static size_t warm_of(const struct rule_work *w, double *median)
{
	double *v = xcalloc(w->nsteps + 1, sizeof *v);
	double much = rule_limit(w->rule, "times");
	size_t n = 0;

	for (size_t i = 0; i < w->nsteps; i++)
		v[i] = (double)w->step[i].dur;
	*median = robust_median(v, w->nsteps);
	free(v);
	while (n < w->nsteps / 2 && (double)w->step[n].dur >= much * *median)
		n++;
	return w->nsteps >= 4 && *median > 0 ? n : 0;
}

/* Says why steps cannot be compared with each other. */
static void too_few_steps(struct rule_work *w, size_t n)
{
	const struct overview *o = w->in->overview;

	if (n)
		rule_unknown(w, n == 1 ? "one step: too few" : "%zu steps: too few", n);
	else if (o && !o->tpu && !o->file && w->in->dump && w->in->dump->trace.ntracks)
		rule_unknown(w, "no steps: no host thread has step events");
	else
		rule_unknown(w, "%s", rule_no_steps(w) ? rule_no_steps(w) : "no steps");
}

/* Returns the number that the program itself gave the step, "train 346"; -1: it gave none. */
static int64_t number_by_program(const struct step *s)
{
	struct slice name = s->core < 0 ? slice_of(s->number) : (struct slice){ s->name, s->name_len };
	size_t at = name.n;
	int64_t number = 0;

	while (at && is_digit(name.s[at - 1]))
		at--;
	if (at == name.n || name.n - at > 15 || !at || name.s[at - 1] != ' ')
		return -1;
	for (; at < name.n; at++)
		number = 10 * number + (name.s[at] - '0');
	return number;
}

/* Steps of a job that runs for long do not warm up, unless it compiles once more. */
static bool runs_for_long(const struct rule_work *w)
{
	return !(w->compiled > 0) && number_by_program(w->step[0].longest) > 1;
}

void rule_warm_steps(struct rule_work *w)
{
	double median, worst = 0;
	size_t n = warm_of(w, &median);
	struct finding *f;

	if (w->in->overview && w->in->overview->file)
		return;
	if (w->nsteps < 4) {
		too_few_steps(w, w->nsteps);
		return;
	}
	for (size_t i = 0; i < n; i++)
		worst = (double)w->step[i].dur > worst ? (double)w->step[i].dur : worst;
	if (!n || runs_for_long(w) || !(f = rule_raise(w, worst / median, NAN, NULL))) {
		rule_checked(w, "first step %.2f× the median%s", (double)w->step[0].dur / median,
		    n ? ", in a job that runs for long" : "");
		return;
	}
	f->evidence = rule_say(w,
	    "the first %sof %zu steps take%s %s, the median is %s (%.1f×); averages over all steps include "
	    "%s",
	    n > 1 ? rule_say(w, "%zu ", n) : "", w->nsteps, n > 1 ? " up to" : "s", rule_time(w, worst),
	    rule_time(w, median), worst / median, n > 1 ? "them" : "it");
	rule_at_step(w, f, w->step[0].longest->label);
}

/* Uses the steps that a profiler left. */
static void varies_of_file(struct rule_work *w)
{
	const struct table *t = &w->in->overview->steps;
	int at = table_column(t, "stepTimeMs");
	size_t n = at < 0 ? 0 : t->nrows;
	double *v = xcalloc(n + 1, sizeof *v), mean, sd;
	struct summary s;
	struct finding *f;
	bool cut;

	for (size_t i = 0; i < n; i++) {
		const struct cell *c = &t->cells[i * t->ncolumns + (size_t)at];

		v[i] = c->type == CELL_NUM ? c->u.d * (double)PS_PER_MS : NAN;
	}
	s = overview_summary(v, n ? n - 1 : 0);
	cut = w->in->overview->tpu && n > 3 && v[n - 1] < s.min; /* see end_of_whole() */
	s = cut ? s : overview_summary(v, n);
	free(v);
	mean = s.avg;
	sd = s.sd;
	if (n < 3 || !(mean > 0) || isnan(sd)) {
		too_few_steps(w, n);
		return;
	}
	if (!(f = rule_raise(w, 100 * sd / mean, NAN, NULL))) {
		rule_checked(w, cut ? "sd %.1f %% over %zu of %zu steps" : "sd %.1f %% of the mean",
		    100 * sd / mean, n - 1, n);
		return;
	}
	f->evidence = rule_say(w, "%s – %s, sd %s (%.1f %%) over %s of the profiler's result",
	    rule_time(w, s.min), rule_time(w, s.max), rule_time(w, sd), 100 * sd / mean,
	    rule_say(w, cut ? "%zu of %zu steps (the last may be cut)" : "%zu steps", n - cut, n));
	rule_detail(w, f, "Mean of the steps", "%s", rule_time(w, mean));
}

/* Returns the end of the steps whose length is known: the last one may be cut, or end with its program where
 * all others end where the next one begins.  Then it is too short, never too long. */
static size_t end_of_whole(const struct rule_work *w, double median)
{
	const struct rule_step *last = w->nsteps ? &w->step[w->nsteps - 1] : NULL;

	return w->nsteps - (last && last->longest->open && (double)last->dur < median);
}

/* Says which steps are compared: "6 steps", or "4 of 6 steps (the last may be cut)". */
static const char *compared(struct rule_work *w, size_t from, size_t to)
{
	bool cut = to < w->nsteps;

	if (!from && !cut)
		return rule_say(w, "%zu steps", w->nsteps);
	return rule_say(w, "%zu of %zu steps (%s%s%s)", to - from, w->nsteps, from ? "without warm-up" : "",
	    from && cut ? "; " : "", cut ? "the last may be cut" : "");
}

/* What late steps cost: how much the mean of the steps is above a typical one, for those that are far from it. */
static double rare_of(const struct rule_step *s, size_t n)
{
	double *v = xcalloc(n + 1, sizeof *v), sum = 0, all = 0;
	struct robust r;

	for (size_t i = 0; i < n; i++)
		v[i] = (double)s[i].dur;
	r = robust_of(v, n);
	free(v);
	for (size_t i = 0; i < n; i++) {
		double more = (double)s[i].dur - r.median;

		sum += more > fmax(LATE_MADS * r.mad, LATE_SHARE * r.median) ? more : 0;
		all += (double)s[i].dur;
	}
	return sum > 0 ? sum / all : NAN;
}

/* Steps at the start that warm up are a finding of their own. */
void rule_step_varies(struct rule_work *w)
{
	double median, sum = 0, squares = 0, mean, sd;
	size_t from = warm_of(w, &median), to = end_of_whole(w, median), n = to - from, slow = 0;
	const struct rule_step *lowest, *highest;
	struct finding *f;

	if (w->in->overview && w->in->overview->file) {
		varies_of_file(w);
		return;
	}
	if (n < 3) {
		too_few_steps(w, w->nsteps);
		return;
	}
	lowest = highest = &w->step[from];
	for (const struct rule_step *s = lowest; s < w->step + to; s++) {
		sum += (double)s->dur;
		lowest = s->dur < lowest->dur ? s : lowest;
		highest = s->dur > highest->dur ? s : highest;
		slow += s->longest->slow;
	}
	mean = sum / (double)n;
	for (size_t i = from; i < to; i++)
		squares += ((double)w->step[i].dur - mean) * ((double)w->step[i].dur - mean);
	sd = sqrt(squares / (double)(n - 1));
	if (!(mean > 0))
		return;
	if (!(f = rule_raise(w, 100 * sd / mean, rare_of(w->step + from, n), NULL))) {
		rule_checked(w, n < w->nsteps ? "sd %.1f %% over %zu of %zu steps" : "sd %.1f %% of the mean",
		    100 * sd / mean, n, w->nsteps);
		return;
	}
	f->evidence = rule_say(w, "%s – %s, sd %s (%.1f %%) over %s; slowest step %s%s",
	    rule_time(w, (double)lowest->dur), rule_time(w, (double)highest->dur), rule_time(w, sd),
	    100 * sd / mean, compared(w, from, to), highest->longest->label,
	    slow ? rule_say(w, ", %zu slow", slow) : "");
	rule_at_step(w, f, highest->longest->label);
	rule_detail(w, f, "Mean of the steps", "%s", rule_time(w, mean));
	rule_detail(w, f, "Fastest step", "%s", lowest->longest->label);
}
