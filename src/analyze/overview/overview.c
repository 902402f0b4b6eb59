#include "config.h"
#include "analyze/overview/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/classify.h"
#include "analyze/framework/ops.h"
#include "analyze/ops/roofline.h"
#include "analyze/overview/environment.h"
#include "analyze/overview/internal.h"
#include "analyze/steps/duty_cycle.h"
#include "analyze/trace/program_runs.h"
#include "base/clamp.h"
#include "model/toolfile.h"
#include "result/advice.h"

void overview_begin(struct overview *o)
{
	*o = (struct overview){ 0 };
	table_begin(&o->top_ops, &overview_top_schema);
	table_begin(&o->hosts, &overview_hosts_schema);
	table_begin(&o->programs, &overview_programs_schema);
	table_begin_texts(&o->warnings);
	advice_init(&o->recommendations);
}

struct summary overview_summary(const double *v, size_t n)
{
	struct summary s = { 0 };
	double squares = 0;

	for (size_t i = 0; i < n; i++) {
		s.avg += v[i] / (double)n;
		s.min = !i || v[i] < s.min ? v[i] : s.min;
		s.max = !i || v[i] > s.max ? v[i] : s.max;
	}
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - s.avg) * (v[i] - s.avg);
	s.sd = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	return s;
}

void overview_put(struct overview *o, const char *id, double v, bool known)
{
	facts_num(&o->summary, id, known ? v : NAN);
}

const char *const overview_number_id[OVERVIEW_NUMBERS] = {
#define NUMBER(name, id) id,
#include "analyze/overview/numbers.def"
#undef NUMBER
};

void overview_read_numbers(struct overview *o)
{
	for (int i = 0; i < OVERVIEW_NUMBERS; i++)
		o->number[i] = facts_number(&o->summary, overview_number_id[i]);
}

/* What is collected before the summary, which has the order of the report. */
struct gathered {
	struct overview_build b;
	struct duty_cycle duty;
	size_t cores, hosts;
	bool gpu, host_plane;
};

static bool is_host_wanted(const struct overview_build *b, int host)
{
	return !b->options->host || (host >= 0 && dump_host_is(b->dump, host, b->options->host));
}

static void count_planes(struct gathered *g)
{
	const struct dump *d = g->b.dump;
	int core = g->b.options->core;

	for (size_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];

		if (!is_host_wanted(&g->b, p->host))
			continue;
		g->cores += p->kind == PLANE_TPU && (core < 0 || p->core == core);
		g->gpu |= p->kind == PLANE_GPU;
		g->host_plane |= p->kind == PLANE_HOST;
	}
	for (size_t i = 0; i < d->nhosts; i++)
		g->hosts += is_host_wanted(&g->b, (int)i);
	g->b.out->tpu = g->cores > 0;
}

/* Returns a share of idle time in percent; NaN: nothing was traced. */
static double idle_percent(int64_t busy, int64_t total)
{
	return total > 0 ? 100.0 * (1 - (double)busy / (double)total) : NAN;
}

static double share_percent(double part, double whole)
{
	return 100.0 * safe_div(part, whole);
}

static double occurrences(const struct framework_table *t)
{
	double sum = 0;

	for (size_t i = 0; i < t->n; i++)
		sum += (double)t->v[i].sum.occurrences;
	return sum;
}

static bool runs_ops(const struct framework_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (!framework_is_idle(&t->v[i]))
			return true;
	return false;
}

/* JAX's own threads have names that look like ops by accident.  Only ops of TensorFlow, tf.data and transfers
 * say what a host thread did. */
static bool host_idle_known(const struct framework_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct slice type = t->v[i].type;

		if (t->v[i].sum.self > 0 && !framework_is_idle(&t->v[i]) && type.n && type.s[0] >= 'A' &&
		    type.s[0] <= 'Z')
			return true;
	}
	return false;
}

static void put_times(struct gathered *g)
{
	struct overview *o = g->b.out;
	const struct opdb *db = g->b.ops;
	const struct framework_table *h = &g->b.out->host_ops->host;
	double device = occurrences(&g->b.out->host_ops->device), host = occurrences(h),
	       duty = duty_percent(&g->duty.all);
	bool device_traced = o->tpu || g->gpu, known = device_traced && host_idle_known(h);
	/* converted traces may have lost what makes events of the host ops; kernels of a GPU are no ops */
	bool placed = device + host > 0 && (!dump_has_converted(g->b.dump) || host > 0) &&
	    (!g->gpu || runs_ops(&o->host_ops->device));

	facts_num(&o->summary, "device_duty_cycle_percent", duty);
	/* cores that ran nothing that is known did not idle for sure */
	overview_put(o, "device_idle_time_percent", idle_percent(db->op_time, db->total), db->op_time > 0);
	o->xprof_host_idle = device_traced ? idle_percent(h->op_time, h->total) : NAN;
	overview_put(o, "host_idle_time_percent", o->xprof_host_idle, known);
	facts_bool(&o->summary, "host_idle_known", known);
	overview_put(o, "device_tf_op_percent", share_percent(device, device + host), placed);
	overview_put(o, "host_tf_op_percent", share_percent(host, device + host), placed);
	overview_put(o, "device_op_time_eager_percent", 0, db->op_time > 0 && device > 0);
	overview_put(o, "host_op_time_eager_percent", 0, known);
}

/* Adds the mean over the hosts that state it. */
static void put_utilization(struct gathered *g, const char *id, const char *stat)
{
	const struct dump *d = g->b.dump;
	double sum = 0, v;
	size_t n = 0;

	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];

		if (p->kind != PLANE_HOST || !is_host_wanted(&g->b, p->host) ||
		    !stat_plane_double(d, i, stat, &v))
			continue;
		sum += v;
		n++;
	}
	overview_put(g->b.out, id, safe_div(sum, (double)n), n > 0);
}

static double *step_times(const struct overview *o)
{
	double *v = xcalloc(o->steps.nrows + 1, sizeof *v);
	int column = table_column(&o->steps, "stepTimeMs");

	for (size_t i = 0; i < o->steps.nrows; i++)
		v[i] = o->steps.cells[i * o->steps.ncolumns + (size_t)column].u.d;
	return v;
}

static void put_steps(struct overview_build *b)
{
	struct overview *o = b->out;
	double *v = o->longest ? o->longest : step_times(o);
	struct summary s = overview_summary(v, o->steps.nrows);
	bool known = o->steps.nrows > 0 && !o->cores.several;

	overview_put(o, "steptime_ms_average", s.avg, known);
	overview_put(o, "steptime_ms_standard_deviation", s.sd, known && o->steps.nrows > 1);
	overview_put(o, "steptime_ms_minimum", s.min, known);
	overview_put(o, "steptime_ms_maximum", s.max, known);
	if (v != o->longest)
		free(v);
}

/* Adds the rates of the whole program against the peaks of its chip; null if the file lacks the numbers or
 * the chip is not known. */
static void put_rates(struct gathered *g)
{
	const struct opdb *db = g->b.ops;
	struct facts *f = &g->b.out->summary;
	struct opsum all;
	struct roof roof;
	struct roof_use use;
	bool flops = db->n && db->peaks.tflops > 0, bytes = db->n && db->peaks.bw[PEAK_HBM] > 0, model;

	roof_program(db, true, &all);
	roof_of(&all, &db->peaks, &roof);
	roof_use(&roof, &db->peaks, &use);
	model = flops && all.model_flops > 0 && all.time > 0;
	flops = flops && all.flops > 0 && all.time > 0;
	bytes = bytes && all.bytes > 0 && all.time > 0 && !all.no_spaces;
	facts_num(f, "mfu_percent", model ? 100 * roof.model_rate / (db->peaks.tflops * 1e3) : NAN);
	facts_num(f, "flops_utilization_percent", flops ? 100 * use.compute : NAN);
	facts_num(f, "hbm_bandwidth_utilization_percent",
	    bytes ? 100 * opsum_hbm_only(&all) / ((double)all.time / 1e3) / db->peaks.bw[PEAK_HBM] : NAN);
	facts_num(f, "roofline_efficiency_percent", flops && bytes ? 100 * use.efficiency : NAN);
}

/* What no property of XProf says: where the steps come from, and how much of them no op runs. */
static void put_own_steps(struct gathered *g)
{
	struct overview *o = g->b.out;
	struct account a;

	overview_account(o, -1, &a);
	facts_str(&o->summary, "step_source", steps_source_name(g->b.steps->source));
	facts_num(&o->summary, "step_idle_percent", o->tpu ? 100 * account_idle(&a) : NAN);
	facts_num(&o->summary, "core_time_ms_average", o->tpu && !a.several ? a.core_time : NAN);
	account_free(&a);
}

static void put_devices(struct gathered *g)
{
	struct facts *f = &g->b.out->summary;
	const char *device = g->b.ops->peaks.device;

	facts_int(f, "device_core_count", (int64_t)g->cores);
	facts_int(f, "host_count", (int64_t)g->hosts);
	facts_int(f, "task_count", (int64_t)g->hosts);
	facts_str(f, "device_type", g->cores ? *device ? device : "TPU" : g->gpu ? "GPU" : "CPU");
}

/* all: ps, of all programs, with the gaps before them */
struct overview_program {
	const struct dump *dump;
	const struct program_runs *runs;
	double all;
};

#define SCHEMA top
#define SCHEMA_ROW struct overview_top
#define SCHEMA_DEF "analyze/overview/top_ops.def"
#include "result/schema_def.h"

#define SCHEMA host
#define SCHEMA_ROW struct overview_host
#define SCHEMA_DEF "analyze/overview/hosts.def"
#include "result/schema_def.h"

#define SCHEMA program
#define SCHEMA_ROW struct overview_program
#define SCHEMA_DEF "analyze/overview/programs.def"
#include "result/schema_def.h"

const struct schema overview_programs_schema = { SCHEMA_COLUMNS(program_columns) };
const struct schema overview_top_schema = { SCHEMA_COLUMNS(top_columns) };
const struct schema overview_hosts_schema = { SCHEMA_COLUMNS(host_columns) };

/* The kind of time that most of a framework op's self time is, from its ops; `of` is by kind of event. */
static enum time_kind kind_of_top(const struct gathered *g, const uint8_t *of, struct slice want)
{
	const struct dump *d = g->b.dump;
	int64_t self[KIND_COUNT] = { 0 };
	enum time_kind most = KIND_COUNT;

	for (size_t i = 0; i < g->b.ops->n; i++) {
		const struct op *o = &g->b.ops->v[i];
		struct slice name = dump_text(d, o->name), type;
		enum time_kind kind;

		if (o->provenance.n)
			framework_parse(o->provenance, &name, &type);
		if (o->sparse || o->meta >= d->trace.nmetas || !slice_same(name, want))
			continue;
		kind = kind_of_op(of[o->meta], d->trace.metas[o->meta].category);
		self[kind] = add_clamped(self[kind], o->sum.self);
		if (most == KIND_COUNT || self[kind] > self[most])
			most = kind;
	}
	return most;
}

static void put_top(struct gathered *g)
{
	const struct framework_table *t = &g->b.out->host_ops->device;
	const struct dump *d = g->b.dump;
	uint8_t *made = d->trace.meta_class ? NULL : classes_of(d);
	struct overview *o = g->b.out;
	double sum = 0;

	o->top = xcalloc(OVERVIEW_TOP, sizeof *o->top);
	for (size_t i = 0; i < t->n && o->ntop < OVERVIEW_TOP; i++) {
		const struct framework_row *r = &t->v[i];
		double share = safe_div((double)r->sum.self, (double)t->op_time);
		double flops = r->sum.flops > 0 ? r->sum.flops : NAN;

		if (framework_is_idle(r))
			continue;
		sum += share;
		o->top[o->ntop] = (struct overview_top){ r->type, r->name, share, sum,
			safe_div(flops, (double)r->sum.time / 1e3),
			kind_of_top(g, made ? made : d->trace.meta_class, r->name) };
		table_add(&o->top_ops, &o->top[o->ntop++]);
	}
	free(made);
}

/* Returns the steps of a host without a TPU. */
static struct host_steps generic_host(const struct overview_build *b, int host)
{
	struct host_steps h = { 0 };

	for (size_t i = 0; i < b->steps->n; i++) {
		if (b->steps->v[i].host != host || b->steps->v[i].core >= 0)
			continue;
		h.steps++;
		h.avg_ms += (double)b->steps->v[i].dur / 1e9;
	}
	h.avg_ms /= h.steps ? (double)h.steps : 1;
	return h;
}

static void put_programs(struct gathered *g)
{
	const struct overview_options *o = g->b.options;
	size_t n;
	struct program_runs *v = program_runs(g->b.dump, PLANE_TPU, o->host, o->core, &n);
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += v[i].time + v[i].gap_time;
	for (size_t i = 0; i < n; i++)
		table_add(&g->b.out->programs, &(struct overview_program){ g->b.dump, &v[i], all });
	free(v);
}

static void put_host(struct gathered *g, int host)
{
	const struct dump *d = g->b.dump;
	struct overview *o = g->b.out;
	struct overview_host h = { .dump = d,
		.host = host,
		.tpu = o->tpu,
		.several = o->cores.several,
		.steps = o->tpu ? overview_tpu_host(o, host) : generic_host(&g->b, host),
		.duty = duty_percent(&g->duty.host[host]) };

	for (uint32_t i = 0; i < d->trace.nplanes; i++)
		h.cores += d->trace.planes[i].host == host && d->trace.planes[i].kind == PLANE_TPU &&
		    (g->b.options->core < 0 || d->trace.planes[i].core == g->b.options->core);
	for (size_t i = 0; i < g->b.ops->planes; i++) {
		const struct op_plane *p = &g->b.ops->plane[i];

		if (d->trace.planes[p->plane].host != host)
			continue;
		h.total = add_clamped(h.total, p->total);
		h.busy = add_clamped(h.busy, p->op_time);
	}
	h.idle = h.busy > 0 ? idle_percent(h.busy, h.total) : NAN;
	o->host[o->nhosts++] = h;
	table_add(&o->hosts, &h);
}

static void put_hosts(struct gathered *g)
{
	g->b.out->host = xcalloc(g->b.dump->nhosts + 1, sizeof *g->b.out->host);
	for (size_t i = 0; i < g->b.dump->nhosts; i++)
		if (is_host_wanted(&g->b, (int)i))
			put_host(g, (int)i);
}

/* Warns of cores that have ops or modules but no step. */
static void warn_cores(struct gathered *g)
{
	const struct dump *d = g->b.dump;
	const struct step_cores *s = &g->b.out->cores;
	bool *with = xcalloc(d->trace.nplanes + 1, sizeof *with); /* by plane: it has steps */
	size_t without = 0;
	int first = 0;

	for (size_t k = 0; k < s->ncores; k++)
		with[s->core[k].plane] = true;
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		bool has = p->kind != PLANE_TPU || !is_host_wanted(&g->b, p->host) ||
		    (g->b.options->core >= 0 && p->core != g->b.options->core);

		if (!has && !with[i] && !without++)
			first = p->core;
	}
	free(with);
	if (without && s->ncores)
		table_say(&g->b.out->warnings,
		    "%zu of %zu cores (core %d%s) %s no steps: left out of the numbers per step", without,
		    g->cores, first, without > 1 ? ", …" : "", without == 1 ? "has" : "have");
}

static void warn_times(struct overview *o)
{
	const struct step_cores *s = &o->cores;
	size_t over = 0;

	for (size_t i = 0; i < s->ncores * s->nsteps; i++) {
		const struct step_core *c = &s->v[i];
		double sum = 0;

		for (size_t m = 0; m < METRIC_COUNT; m++)
			sum += (double)c->ps[m];
		over += c->total >= 0 && sum > 1.001 * (double)c->total + 1e6;
	}
	if (over)
		table_say(&o->warnings,
		    "in %zu of %zu steps of single cores the ops took longer than the step: the clock jumps, "
		    "or "
		    "times overlap",
		    over, s->ncores * s->nsteps);
}

static void warn_steps(struct gathered *g)
{
	const struct steps *s = g->b.steps;
	struct overview *o = g->b.out;

	if (s->source == STEPS_NONE)
		table_say(&o->warnings,
		    "no steps: the capture has no step markers, no device modules and no host steps");
	else if (o->tpu && s->programs.n > 1)
		table_say(&o->warnings,
		    "no step markers, and %s alternate: each run is shown by itself, to the next one",
		    s->module);
	else if (o->tpu && s->source == STEPS_MODULES)
		table_say(&o->warnings,
		    "no step markers: steps from program runs, each from the start of a run of %.*s to the "
		    "next",
		    (int)strcspn(s->module, "("), s->module);
	else if (o->tpu && s->source == STEPS_HOST)
		table_say(&o->warnings, "no step markers on the device: no numbers per step");
	if (s->unlinked)
		table_say(&o->warnings,
		    "%" PRIu64 " step markers are left out, as in XProf: no traced host step launched them",
		    s->unlinked);
	if (o->cores.left_out)
		table_say(&o->warnings, "%" PRIu64 " steps that few of the %zu cores have are left out",
		    o->cores.left_out, o->cores.ncores);
	if (o->cores.incomplete && o->cores.incomplete < o->cores.nsteps)
		table_say(&o->warnings, "%" PRIu64 " of %zu steps %s not on all cores and left out",
		    o->cores.incomplete, o->cores.nsteps, o->cores.incomplete == 1 ? "is" : "are");
	else if (o->cores.incomplete)
		table_say(&o->warnings,
		    "no step is on all cores: each step counts with the cores that have it");
}

static void warn(struct gathered *g)
{
	const struct op_peaks *p = &g->b.ops->peaks;
	struct overview *o = g->b.out;

	warn_steps(g);
	warn_cores(g);
	warn_times(o);
	if (!g->host_plane)
		table_say(&o->warnings, "no host plane: the work of host threads is unknown");
	if (o->tpu && !g->b.ops->n)
		table_say(&o->warnings, "no TPU ops: times and rates of the device are unknown");
	if (o->tpu && p->assumed)
		table_say(&o->warnings,
		    "the capture does not state the peaks of %s: %.1f TFLOP/s and %.1f GB/s of HBM are "
		    "assumed",
		    p->device, p->tflops, p->bw[PEAK_HBM]);
	else if (o->tpu && (!(p->tflops > 0) || !(p->bw[PEAK_HBM] > 0)))
		table_say(&o->warnings,
		    "the peaks of the chip are unknown, and so are utilizations; set them with --peaks");
}

void overview_build(const struct dump *d, const struct steps *steps, const struct opdb *ops,
    const struct overview_options *options, struct overview *o)
{
	struct gathered g = { .b = { .dump = d, .steps = steps, .ops = ops, .options = options, .out = o } };

	overview_begin(o);
	count_planes(&g);
	o->own_steps = o->tpu && steps->source == STEPS_MODULES;
	o->own_ids = o->own_steps && !dump_has_converted(d);
	if (o->tpu)
		overview_tpu_steps(&g.b);
	else
		overview_generic_steps(&g.b);
	duty_cycle(d, options->host, options->core, options->threads, options->progress, &g.duty);
	o->host_ops = xcalloc(1, sizeof *o->host_ops);
	o->ninput_tracks = d->trace.ntracks;
	o->input_tracks = xcalloc(o->ninput_tracks + 1, 1);
	framework_ops(d, ops,
	    &(struct framework_host_options){ .host = options->host,
		.ran = input_note_track,
		.ctx = o->input_tracks },
	    o->host_ops);
	put_times(&g);
	put_utilization(&g, "mxu_utilization_percent", "matrix_unit_utilization_percent");
	put_utilization(&g, "hbm_utilization_percent", "hbm_utilization_percent");
	facts_null(&o->summary, "flop_rate_utilization_relative_to_roofline");
	facts_null(&o->summary, "memory_bw_utilization_relative_to_hw_limit");
	put_steps(&g.b);
	put_rates(&g);
	put_own_steps(&g);
	put_devices(&g);
	if (o->tpu)
		overview_tpu_facts(&g.b);
	else
		overview_generic_facts(&g.b);
	put_top(&g);
	overview_read_numbers(o);
	put_hosts(&g);
	put_programs(&g);
	environment_build(d, ops, options->host, &o->environment);
	warn(&g);
	duty_free(&g.duty);
}

void overview_make(const struct dump *d, const struct steps *steps, const struct opdb *ops,
    const struct overview_options *options, struct overview *o)
{
	const struct toolfile *file = ops->n ? NULL : toolfile_find(d, FILE_OVERVIEW, options->host, NULL);

	file = file ? file : input_toolfile(d, options->host);
	if (file)
		overview_from_toolfile(file, o);
	else
		overview_build(d, steps, ops, options, o);
}

/* Returns the index among the steps of the cores; SIZE_MAX: only the table has it. */
static size_t step_of_row(const struct overview *o, size_t row)
{
	size_t at = row < o->nsteps ? o->step[row].step : row;

	return at < o->cores.nsteps ? at : SIZE_MAX;
}

/* For steps of a host, XProf's number is not what they are called; their name is. */
const char *overview_step_label(const struct overview *o, const struct table *t, size_t row, char number[64])
{
	size_t at = step_of_row(o, row);
	int name = o->tpu || o->file ? -1 : table_column(t, "step_name");
	int column = name >= 0 ? name : table_column(t, "stepnum");
	const struct cell *c;

	if (at != SIZE_MAX)
		return step_cores_label(&o->cores, at);
	number[0] = 0;
	if (row < t->nrows && column >= 0) {
		c = &t->cells[row * t->ncolumns + (size_t)column];
		snprintf(number, 64, "%.*s", (int)(c->n < 64 ? c->n : 63), c->type == CELL_STR ? c->s : "");
	}
	return number;
}

size_t overview_step_named(const struct overview *o, const struct table *t, const char *text)
{
	size_t n = t->nrows ? t->nrows : o->cores.nsteps;
	char number[64];

	for (size_t i = 0; i < n; i++) {
		size_t at = step_of_row(o, i);

		if (at != SIZE_MAX ? step_cores_is(&o->cores, at, text)
				   : !strcmp(overview_step_label(o, t, i, number), text))
			return i;
	}
	return SIZE_MAX;
}

void overview_label_steps(const struct overview *o, struct table *t)
{
	int column = table_column(t, "stepnum");
	char number[64];

	for (size_t i = 0; i < t->nrows && column >= 0 && !o->file; i++)
		t->cells[i * t->ncolumns + (size_t)column] =
		    table_text(t, overview_step_label(o, t, i, number));
}

void overview_free(struct overview *o)
{
	facts_free(&o->summary);
	table_free(&o->steps);
	table_free(&o->top_ops);
	table_free(&o->environment);
	table_free(&o->hosts);
	table_free(&o->programs);
	table_free(&o->warnings);
	table_free(&o->recommendations);
	if (!o->cores_lent)
		step_cores_free(&o->cores);
	if (o->host_ops)
		framework_free(o->host_ops);
	free(o->host_ops);
	free(o->fed);
	free(o->top);
	free(o->host);
	free(o->longest);
	free(o->input_tracks);
	free(o->step);
	*o = (struct overview){ 0 };
}
