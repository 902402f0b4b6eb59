#include "config.h"
#include "analyze/overview/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/overview/environment.h"
#include "analyze/overview/input_pipeline.h"
#include "analyze/tables/legacy_table.h"
#include "overview.pb-c.h"
#include "result/advice.h"

/* The summary in the order of overview_build().  has, at: offsets in the analysis part of a message. */
#define AT(member) \
	offsetof(Pb__OverviewPageAnalysis, has_##member), offsetof(Pb__OverviewPageAnalysis, member)

static const struct {
	const char *id;
	size_t has, at;
} facts_before_steps[] = {
	{ "device_duty_cycle_percent", AT(device_duty_cycle_percent) },
	{ "device_idle_time_percent", AT(device_idle_time_percent) },
	{ "host_idle_time_percent", AT(host_idle_time_percent) },
	{ "device_tf_op_percent", AT(device_tf_op_percent) },
	{ "host_tf_op_percent", AT(host_tf_op_percent) },
	{ "device_op_time_eager_percent", AT(device_op_time_eager_percent) },
	{ "host_op_time_eager_percent", AT(host_op_time_eager_percent) },
	{ "mxu_utilization_percent", AT(mxu_utilization_percent) },
	{ "hbm_utilization_percent", AT(hbm_utilization_percent) },
	{ "flop_rate_utilization_relative_to_roofline",
	    AT(flop_rate_utilization_relative_to_roofline_percent) },
	{ "memory_bw_utilization_relative_to_hw_limit",
	    AT(memory_bw_utilization_relative_to_hw_limit_percent) },
};

static const char *const steps[] = { "steptime_ms_average", "steptime_ms_standard_deviation",
	"steptime_ms_minimum", "steptime_ms_maximum" };
static const char *const ours[] = { "mfu_percent", "flops_utilization_percent",
	"hbm_bandwidth_utilization_percent", "roofline_efficiency_percent" };
static const char *const counts[] = { "device_core_count", "host_count", "task_count" };
static const struct {
	const char *id, *old;
} of_tpu[] = {
	{ "active_steptime_ms_average", NULL },
	{ "tc_active_ms_average", NULL },
	{ "tc_compute_ms_average", "compute_ms_average" },
	{ "tc_idle_ms_average", "idle_ms_average" },
	{ "tc_infeed_ms_average", "input_ms_average" },
	{ "tc_outfeed_ms_average", NULL },
	{ "host_transfer_ms_average", NULL },
	{ "scv0_compute_ms_average", NULL },
	{ "scv0_infeed_ms_average", NULL },
	{ "infeed_percent_average", NULL },
	{ "infeed_percent_standard_deviation", NULL },
	{ "infeed_percent_minimum", NULL },
	{ "infeed_percent_maximum", NULL },
};

/* What a profiler leaves at 0 when it did not measure it; and, unless NULL, what is then 0, too. */
static const struct {
	const char *id, *with;
} unfilled[] = {
	{ "device_duty_cycle_percent", "device_idle_time_percent" },
	{ "device_idle_time_percent", "device_duty_cycle_percent" },
	{ "device_tf_op_percent", "host_tf_op_percent" },
	{ "host_tf_op_percent", "device_tf_op_percent" },
	{ "device_op_time_eager_percent", "device_tf_op_percent" },
	{ "host_op_time_eager_percent", "host_tf_op_percent" },
	{ "mxu_utilization_percent", NULL },
	{ "hbm_utilization_percent", NULL },
	{ "flop_rate_utilization_relative_to_roofline", NULL },
	{ "memory_bw_utilization_relative_to_hw_limit", NULL },
	{ "steptime_ms_average", NULL },
	{ "steptime_ms_standard_deviation", "steptime_ms_average" },
	{ "steptime_ms_minimum", NULL },
	{ "steptime_ms_maximum", "steptime_ms_average" },
};

#define COUNT(v) (sizeof(v) / sizeof *(v))

enum {
#define COLUMN(id, ...) TOP_##id,
#include "analyze/overview/top_ops.def"
#undef COLUMN
};

struct reader {
	const struct json *top, *steps, *environment; /* the tables */
	const Pb__OverviewPage *page;
	const struct input_pipeline *in;
	struct overview *out;
};

/* Returns the number that a text begins with ("70.3%", "8 (Replica count = 8, …)"), or NaN. */
static double leading_number(const struct json *v)
{
	char text[32];
	size_t n;
	char *end;
	double d;

	if (!v || (v->type != JSON_STRING && v->type != JSON_NUMBER))
		return NAN;
	n = v->len < sizeof text - 1 ? v->len : sizeof text - 1;
	memcpy(text, v->s, n);
	text[n] = '\0';
	n = strspn(text, "+-.0123456789eE");
	text[n] = '\0';
	d = strtod(text, &end);
	return end == text ? NAN : d;
}

static double property(const struct json *table, const char *id, const char *old)
{
	double v = leading_number(datatable_property(table, id));

	return isnan(v) && old ? leading_number(datatable_property(table, old)) : v;
}

static void add_analysis(struct reader *r)
{
	const Pb__OverviewPageAnalysis *a = r->page ? r->page->analysis : NULL;
	struct facts *f = &r->out->summary;

	for (size_t i = 0; i < COUNT(facts_before_steps); i++) {
		double v = property(r->top, facts_before_steps[i].id, NULL);
		protobuf_c_boolean has = false;

		if (a)
			memcpy(&has, (const char *)a + facts_before_steps[i].has, sizeof has);
		if (has)
			memcpy(&v, (const char *)a + facts_before_steps[i].at, sizeof v);
		if (strcmp(facts_before_steps[i].id, "host_idle_time_percent") != 0) {
			facts_num(f, facts_before_steps[i].id, v);
			continue;
		}
		v = v > 0 && v < 99.95 ? v : NAN; /* XProf prints 100 for what it does not know */
		facts_num(f, facts_before_steps[i].id, v);
		facts_bool(f, "host_idle_known", !isnan(v));
	}
}

static double of_input(const struct reader *r, const char *id, const char *old)
{
	double v = facts_number(&r->in->summary, id);

	return isnan(v) ? property(r->steps, id, old) : v;
}

static void add_environment(struct reader *r)
{
	const Pb__OverviewPageRunEnvironment *e = r->page ? r->page->run_environment : NULL;
	const double n[COUNT(counts)] = { e ? e->device_core_count : NAN, e ? e->host_count : NAN,
		e ? e->task_count : NAN };
	const struct json *type = datatable_property(r->environment, "device_type");
	struct facts *f = &r->out->summary;

	for (size_t i = 0; i < COUNT(counts); i++) {
		double v = e ? n[i] : property(r->environment, counts[i], NULL);

		if (v >= 0 && v < 1e15)
			facts_int(f, counts[i], (int64_t)v);
		else
			facts_null(f, counts[i]);
	}
	facts_str(f, "device_type", e ? e->device_type : type && type->type == JSON_STRING ? type->s : NULL);
	environment_init(&r->out->environment);
	if (e)
		environment_add(&r->out->environment, "is_training", e->is_training ? "yes" : "no");
	for (const struct json *p = json_get(r->environment, "p") ? json_get(r->environment, "p")->child
								  : NULL;
	     p; p = p->next)
		if (p->type == JSON_STRING && p->key && p->len)
			environment_add(&r->out->environment, p->key, p->s);
}

static void add_top(struct reader *r)
{
	const Pb__OverviewPageAnalysis *a = r->page ? r->page->analysis : NULL;
	struct table *t = &r->out->top_ops;

	if (r->top)
		legacy_rows(t, r->top);
	for (size_t i = 0; a && i < a->n_top_device_ops; i++) {
		const Pb__OverviewTfOp *o = a->top_device_ops[i];

		table_add(t,
		    &(struct overview_top){ slice_of(o->category), slice_of(o->name), o->self_time_fraction,
			o->cumulative_time_fraction, o->flop_rate, KIND_COUNT });
	}
	r->out->top = xcalloc(t->nrows + 1, sizeof *r->out->top);
	for (size_t i = 0; i < t->nrows; i++)
		r->out->top[r->out->ntop++] = (struct overview_top){ cell_text(table_at(t, i, TOP_category)),
			cell_text(table_at(t, i, TOP_operation)),
			cell_number(table_at(t, i, TOP_selfTimePercent)),
			cell_number(table_at(t, i, TOP_cumulativeTimePercent)),
			cell_number(table_at(t, i, TOP_flopRate)), KIND_COUNT };
}

static void recommend(struct overview *o, const char *s, size_t n)
{
	struct arena arena = { 0 };
	const char *text = s && n ? html_text(&arena, s, n) : "";

	if (*text)
		advice_add(&o->recommendations, "profiler", "", text, "", "");
	arena_free(&arena);
}

/* Adds what the profiler advised, in its own words. */
static void add_recommendations(struct reader *r, const struct json *table)
{
	static const char *const names[] = { "statement", "output_statement", "bc_statement", "crs_statement",
		"tc_idle_statement", "kernel_launch_statement", "all_other_statement",
		"device_collectives_statement", "precision_statement" };
	const Pb__OverviewPageRecommendation *a = r->page ? r->page->recommendation : NULL;
	const char *const text[] = { a ? a->statement : NULL, a ? a->output_statement : NULL,
		a ? a->tf_function_statement_html : NULL, a ? a->eager_statement_html : NULL,
		a ? a->outside_compilation_statement_html : NULL };

	for (size_t i = 0; i < COUNT(names); i++) {
		const struct json *v = datatable_property(table, names[i]);

		if (v && v->type == JSON_STRING)
			recommend(r->out, v->s, v->len);
	}
	for (size_t i = 0; i < COUNT(text); i++)
		recommend(r->out, text[i], text[i] ? strlen(text[i]) : 0);
}

static void add_generic(struct reader *r)
{
	static const char *const parts[] = { "device_compute", "device_to_device", "device_collectives",
		"host_compute", "kernel_launch", "infeed", "outfeed", "compile", "other" };

	for (size_t i = 0; i < r->in->summary.n; i++)
		for (size_t k = 0; k < COUNT(parts); k++) {
			const struct fact *f = &r->in->summary.v[i];
			size_t n = strlen(parts[k]);

			if (!strncmp(f->id, parts[k], n) && !strncmp(f->id + n, "_time_ms_", 9))
				facts_num(&r->out->summary, f->id, facts_number(&r->in->summary, f->id));
		}
}

static bool is_zero(const struct overview *o, const char *id)
{
	return facts_number(&o->summary, id) == 0;
}

static void forget(struct overview *o, const char *id)
{
	for (size_t i = 0; i < o->summary.n; i++)
		if (!strcmp(o->summary.v[i].id, id))
			o->summary.v[i].v = cell_null();
}

/* What the profiler did not fill in is not known. */
static void forget_unfilled(struct overview *o)
{
	bool no_steps = is_zero(o, "steptime_ms_average"), is[COUNT(unfilled)];

	for (size_t i = 0; i < COUNT(unfilled); i++)
		is[i] = is_zero(o, unfilled[i].id) && (!unfilled[i].with || is_zero(o, unfilled[i].with));
	for (size_t i = 0; i < COUNT(unfilled); i++)
		if (is[i])
			forget(o, unfilled[i].id);
	for (size_t i = 0; i < COUNT(of_tpu) && no_steps; i++)
		forget(o, of_tpu[i].id);
}

void overview_from_toolfile(const struct toolfile *file, struct overview *o)
{
	struct input_pipeline in;
	struct reader r = { .out = o,
		.in = &in,
		.page = toolfile_message(file, &pb__overview_page__descriptor),
		.top = datatable_find(file->json, "selfTimePercent"),
		.steps = datatable_find(file->json, "stepnum"),
		.environment = datatable_find(file->json, "host_id") };

	overview_begin(o);
	o->file = file;
	input_from_toolfile(file, &in);
	o->tpu = table_column(&in.device, "tcComputeTimeMs") >= 0;
	add_analysis(&r);
	for (size_t i = 0; i < COUNT(steps); i++)
		facts_num(&o->summary, steps[i], of_input(&r, steps[i], NULL));
	for (size_t i = 0; i < COUNT(ours); i++)
		facts_null(&o->summary, ours[i]);
	add_environment(&r);
	for (size_t i = 0; o->tpu && i < COUNT(of_tpu); i++)
		facts_num(&o->summary, of_tpu[i].id, of_input(&r, of_tpu[i].id, of_tpu[i].old));
	if (!o->tpu)
		add_generic(&r);
	forget_unfilled(o);
	overview_read_numbers(o);
	add_top(&r);
	add_recommendations(&r, datatable_find(file->json, "tip_type"));
	for (size_t i = 0; i < in.warnings.nrows; i++)
		table_say(&o->warnings, "%.*s", (int)in.warnings.cells[i].n, in.warnings.cells[i].s);
	o->steps = in.device;
	in.device = (struct table){ 0 };
	input_pipeline_free(&in);
}
