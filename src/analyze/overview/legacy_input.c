#include "config.h"
#include "analyze/overview/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/tables/legacy_table.h"
#include "base/codec/pbread.h"
#include "overview.pb-c.h"

#define COUNT(v) (sizeof(v) / sizeof *(v))

/* Facts about steps and their offsets in the message. */
struct place {
	const char *id;
	size_t summary, value;
};

#define SUMMARY(id, type, member, value) \
	{ \
		id, offsetof(type, member), offsetof(Pb__StepSummary, value) \
	}
#define RESULT(id, member, value) SUMMARY(id, Pb__InputPipelineAnalysisResult, member, value)
#define TPU(id, member) SUMMARY(id, Pb__TpuStepTimeBreakdown, member, average)
#define GENERIC(id, member) \
	SUMMARY(id "_avg", Pb__GenericStepTimeBreakdown, member, average), \
	    SUMMARY(id "_sdv", Pb__GenericStepTimeBreakdown, member, standard_deviation)

static const struct place of_steps[] = {
	RESULT("steptime_ms_average", step_time_summary, average),
	RESULT("steptime_ms_standard_deviation", step_time_summary, standard_deviation),
	RESULT("steptime_ms_minimum", step_time_summary, minimum),
	RESULT("steptime_ms_maximum", step_time_summary, maximum),
};

static const struct place of_infeed[] = {
	RESULT("infeed_percent_average", input_percent_summary, average),
	RESULT("infeed_percent_standard_deviation", input_percent_summary, standard_deviation),
	RESULT("infeed_percent_minimum", input_percent_summary, minimum),
	RESULT("infeed_percent_maximum", input_percent_summary, maximum),
};

static const struct place of_tpu[] = {
	TPU("active_steptime_ms_average", active_step_time_ms_summary),
	TPU("tc_active_ms_average", tc_active_ms_summary),
	TPU("tc_compute_ms_average", tc_compute_ms_summary),
	TPU("tc_idle_ms_average", tc_idle_ms_summary),
	TPU("tc_infeed_ms_average", tc_infeed_ms_summary),
	TPU("tc_outfeed_ms_average", tc_outfeed_ms_summary),
	TPU("host_transfer_ms_average", host_transfer_ms_summary),
	TPU("scv0_compute_ms_average", scv0_compute_ms_summary),
	TPU("scv0_infeed_ms_average", scv0_infeed_ms_summary),
};

static const struct place of_generic[] = {
	GENERIC("device_compute_time_ms", device_compute_ms_summary),
	GENERIC("device_to_device_time_ms", device_to_device_ms_summary),
	GENERIC("device_collectives_time_ms", device_collectives_ms_summary),
	GENERIC("host_compute_time_ms", host_compute_ms_summary),
	GENERIC("kernel_launch_time_ms", host_prepare_ms_summary),
	GENERIC("infeed_time_ms", input_ms_summary),
	GENERIC("outfeed_time_ms", output_ms_summary),
	GENERIC("compile_time_ms", host_compile_ms_summary),
	GENERIC("other_time_ms", unknown_time_ms_summary),
};

static void add_from(struct facts *f, const struct place *v, size_t n, const void *message)
{
	for (size_t i = 0; i < n; i++) {
		const Pb__StepSummary *s = NULL;
		double value = NAN;

		if (message)
			memcpy(&s, (const char *)message + v[i].summary, sizeof s);
		if (s)
			memcpy(&value, (const char *)s + v[i].value, sizeof value);
		facts_num(f, v[i].id, value);
	}
}

static void add_properties(struct facts *f, const struct place *v, size_t n, const struct json *table)
{
	for (size_t i = 0; i < n; i++)
		facts_num(f, v[i].id, json_number(datatable_property(table, v[i].id), NAN));
}

/* XProf's verdict is a sentence: "… HIGHLY input-bound because 35.9% of …". */
static void add_verdict(struct input_pipeline *p, const char *s, size_t n)
{
	static const struct {
		const char *word, *class;
	} v[] = {
		{ "HIGHLY", "high" },
		{ "MODERATELY", "moderate" },
		{ "POTENTIALLY", "potential" },
		{ "NOT input-bound", "none" },
	};
	double share = input_percent(&p->device);
	const char *class = "unknown", *at = n ? memchr(s, '%', n) : NULL, *from = at;
	char number[32];

	for (size_t i = 0; i < COUNT(v) && n; i++)
		if (memmem(s, n, v[i].word, strlen(v[i].word))) {
			class = v[i].class;
			break;
		}
	while (from && from > s && strchr("0123456789.", from[-1]) && from[-1])
		from--;
	facts_str(&p->summary, "input_class", class);
	if (from == at || at - from >= (ptrdiff_t)sizeof number) {
		facts_null(&p->summary, "input_conclusion_percent");
	} else {
		struct json j = { .type = JSON_NUMBER, .s = from, .len = (size_t)(at - from) };

		facts_num(&p->summary, "input_conclusion_percent", json_number(&j, NAN));
	}
	/* where no steps tell it, the average or the sentence does */
	if (isnan(share))
		share = facts_number(&p->summary, "infeed_percent_average");
	if (isnan(share) && strcmp(class, "potential") != 0)
		share = facts_number(&p->summary, "input_conclusion_percent");
	facts_num(&p->summary, "input_percent", share);
}

static struct cell *cell_of(struct table *t, const char *id)
{
	int column = table_column(t, id);

	return column < 0 ? NULL : &t->cells[(t->nrows - 1) * t->ncolumns + (size_t)column];
}

static void put_number(struct table *t, const char *id, double v)
{
	struct cell *c = cell_of(t, id);

	if (c && isfinite(v))
		/* XProf's smallest number, which means "none yet" */
		*c = cell_num(v < 1e-300 && v > 0 ? 0 : v);
}

static void put_if_none(struct table *t, const char *id, const struct json *v)
{
	struct cell *c = cell_of(t, id);

	if (c && c->type == CELL_NULL)
		put_number(t, id, json_number(v, NAN));
}

/* The last row, if it has no value, is the sum of the others. */
static void put_step_time(struct table *t)
{
	static const char *const tpu[] = { "tcComputeTimeMs", "tcInfeedTimeMs", "tcOutfeedTimeMs",
		"tcIdleTimeMs" };
	struct cell *step = cell_of(t, "stepTimeMs");
	double sum = 0;

	if (!step || step->type != CELL_NULL)
		return;
	for (size_t i = 0; i < COUNT(tpu); i++) {
		struct cell *c = cell_of(t, tpu[i]);

		sum += c && c->type == CELL_NUM ? c->u.d : 0;
	}
	if (sum > 0)
		*step = cell_num(sum);
}

/* Columns had other names in earlier versions. */
static void device_from_json(const struct json *table, struct table *t)
{
	static const struct {
		const char *id, *names[3];
	} v[] = {
		{ "tcComputeTimeMs", { "tcComputeTimeMs", "computeTimeMs", "noninfeedTimeMs" } },
		{ "tcInfeedTimeMs", { "tcInfeedTimeMs", "inputTimeMs", "infeedTimeMs" } },
		{ "tcIdleTimeMs", { "tcIdleTimeMs", "idleTimeMs", NULL } },
	};
	const struct json *row = datatable_rows(table);
	size_t n;

	legacy_rows(t, table);
	n = t->nrows;
	for (t->nrows = 1; t->nrows <= n && row; t->nrows++, row = row->next) {
		for (size_t i = 0; i < t->ncolumns; i++) {
			struct cell *c = &t->cells[(t->nrows - 1) * t->ncolumns + i];

			if (c->type == CELL_NUM)
				put_number(t, t->columns[i].id, c->u.d);
		}
		for (size_t i = 0; i < COUNT(v); i++)
			for (size_t k = 0; k < COUNT(v[i].names) && v[i].names[k]; k++)
				put_if_none(t, v[i].id,
				    datatable_cell(row, datatable_column(table, v[i].names[k])));
		put_step_time(t);
	}
	t->nrows = n;
}

/* XProf has steps as columns: one row with their numbers, one with names of cores. */
static void cores_from_json(const struct json *table, struct table *t)
{
	const struct json *numbers = datatable_rows(table), *names = numbers ? numbers->next : NULL;
	const struct json *a = json_get(numbers, "c"), *b = json_get(names, "c");

	input_max_infeed_columns(t);
	/* the first is the title of the row */
	a = a && a->type == JSON_ARRAY && a->child ? a->child->next : NULL;
	b = b && b->type == JSON_ARRAY && b->child ? b->child->next : NULL;
	for (; a; a = a->next, b = b ? b->next : NULL) {
		struct cell name = legacy_cell(json_get(b, "v"), COL_STRING);
		bool unknown = slice_is(cell_text(&name), "unknown");

		input_max_infeed_add(t, legacy_cell(json_get(a, "v"), COL_STRING),
		    unknown ? cell_null() : name);
	}
}

static void parts_from_json(const struct json *table, struct table *t)
{
	double us[INPUT_CATEGORIES];
	bool known[INPUT_CATEGORIES];

	for (int i = 0; i < INPUT_CATEGORIES; i++) {
		char id[64];

		snprintf(id, sizeof id, "%s_us", input_category_info[i].id);
		us[i] = json_number(datatable_property(table, id), NAN);
		known[i] = isfinite(us[i]);
		us[i] = known[i] ? us[i] : 0;
	}
	input_breakdown(us, known, t);
}

static void warnings_from_json(const struct json *table, struct input_pipeline *p)
{
	int column = datatable_column(table, "message");

	for (const struct json *row = datatable_rows(table); row && column >= 0; row = row->next) {
		const struct json *v = datatable_cell(row, column);

		if (v && v->type == JSON_STRING)
			table_say(&p->warnings, "%s", html_text(&p->warnings.text, v->s, v->len));
	}
}

static void from_json(const struct json *j, struct input_pipeline *p)
{
	const struct json *steps = datatable_find(j, "stepnum"), *ops = datatable_find(j, "opName"), *v;
	bool generic = datatable_column(steps, "hostComputeTimeMs") >= 0 ||
	    datatable_column(steps, "deviceComputeTimeMs") >= 0;

	(generic ? overview_generic_columns : overview_tpu_columns)(&p->device);
	device_from_json(steps, &p->device);
	add_properties(&p->summary, of_steps, COUNT(of_steps), steps);
	if (generic) {
		add_properties(&p->summary, of_generic, COUNT(of_generic), steps);
	} else {
		add_properties(&p->summary, of_infeed, COUNT(of_infeed), steps);
		add_properties(&p->summary, of_tpu, COUNT(of_tpu), steps);
	}
	v = datatable_property(steps, "hardware_type");
	facts_str(&p->summary, "hardware_type", v && v->type == JSON_STRING ? v->s : NULL);
	v = datatable_property(steps, "input_conclusion");
	v = v ? v : datatable_property(steps, "summary_conclusion");
	v = v ? v : datatable_property(datatable_find(j, "tip_type"), "statement"); /* of an overview */
	add_verdict(p, v && v->type == JSON_STRING ? v->s : "", v && v->type == JSON_STRING ? v->len : 0);
	cores_from_json(datatable_find(j, "index"), &p->max_infeed_core);
	input_host_columns(&p->host_ops);
	legacy_rows(&p->host_ops, ops);
	parts_from_json(ops, &p->breakdown);
	warnings_from_json(datatable_find(j, "severity"), p);
}

/* Returns the message inside if it is of that type; it belongs to the arena. */
static const void *unpack_any(const Pb__Any *any, const ProtobufCMessageDescriptor *d, struct arena *arena)
{
	const char *name = any && any->type_url ? strrchr(any->type_url, '.') : NULL;
	struct err e = { 0 };

	if (!name || strcmp(name + 1, d->short_name) || !any->has_value)
		return NULL;
	return pb_read(d, arena, any->value.data, any->value.len, &e);
}

static void add_tpu_step(struct input_pipeline *p, const Pb__PerTpuStepDetails *s)
{
	struct table *t = &p->device;
	char number[24];

	snprintf(number, sizeof number, "%d", (int)s->step_number);
	table_row(t);
	*cell_of(t, "stepnum") = table_text(t, number);
	input_max_infeed_add(&p->max_infeed_core, table_text(t, number),
	    table_text(&p->max_infeed_core, s->max_infeed_time_core_name));
	put_number(t, "tcComputeTimeMs", s->tc_compute_time_ms);
	put_number(t, "scv0ComputeTimeMs", s->scv0_compute_time_ms);
	put_number(t, "scv0InfeedTimeMs", s->scv0_infeed_time_ms);
	put_number(t, "tcInfeedTimeMs", s->tc_infeed_time_ms);
	put_number(t, "tcOutfeedTimeMs", s->tc_outfeed_time_ms);
	put_number(t, "tcIdleTimeMs", s->tc_idle_time_ms);
	put_number(t, "hostTransferTimeMs", s->host_transfer_ms);
	put_number(t, "infeedPercentAverage", s->infeed_percent_average);
	put_number(t, "infeedPercentMin", s->infeed_percent_minimum);
	put_number(t, "infeedPercentMax", s->infeed_percent_maximum);
	put_step_time(t);
}

static void add_generic_step(struct table *t, const Pb__PerGenericStepDetails *s)
{
	char number[24];

	snprintf(number, sizeof number, "%d", (int)s->step_number);
	const char *name = s->step_name && *s->step_name ? s->step_name : number;

	table_row(t);
	*cell_of(t, "stepnum") = table_text(t, name);
	put_number(t, "deviceComputeTimeMs", s->device_compute_ms);
	put_number(t, "deviceToDeviceTimeMs", s->device_to_device_ms);
	put_number(t, "deviceCollectivesTimeMs", s->device_collectives_ms);
	put_number(t, "hostComputeTimeMs", s->host_compute_ms);
	put_number(t, "kernelLaunchTimeMs", s->host_prepare_ms);
	put_number(t, "infeedTimeMs", s->host_wait_input_ms + s->host_to_device_ms);
	put_number(t, "outfeedTimeMs", s->output_ms);
	put_number(t, "compileTimeMs", s->host_compile_ms);
	put_number(t, "otherTimeMs", s->unknown_time_ms);
	put_number(t, "stepTimeMs", s->step_time_ms);
}

static void steps_from_message(const Pb__InputPipelineAnalysisResult *r, struct input_pipeline *p,
    struct arena *arena)
{
	const void *generic =
	    unpack_any(r->step_time_breakdown, &pb__generic_step_time_breakdown__descriptor, arena);
	const void *tpu = unpack_any(r->step_time_breakdown, &pb__tpu_step_time_breakdown__descriptor, arena);

	(generic ? overview_generic_columns : overview_tpu_columns)(&p->device);
	add_from(&p->summary, of_steps, COUNT(of_steps), r);
	if (generic) {
		add_from(&p->summary, of_generic, COUNT(of_generic), generic);
	} else {
		add_from(&p->summary, of_infeed, COUNT(of_infeed), r);
		add_from(&p->summary, of_tpu, COUNT(of_tpu), tpu);
	}
	for (size_t i = 0; i < r->n_step_details; i++) {
		const Pb__Any *any = r->step_details[i];
		const void *step;

		if (generic && (step = unpack_any(any, &pb__per_generic_step_details__descriptor, arena)))
			add_generic_step(&p->device, step);
		else if (!generic && (step = unpack_any(any, &pb__per_tpu_step_details__descriptor, arena)))
			add_tpu_step(p, step);
	}
}

static const char *statement_of(const Pb__InputPipelineAnalysisRecommendation *r, struct arena *arena)
{
	const Pb__Any *any = r ? r->bottleneck_analysis : NULL;
	const Pb__TpuBottleneckAnalysis *tpu =
	    unpack_any(any, &pb__tpu_bottleneck_analysis__descriptor, arena);
	const Pb__BottleneckAnalysis *generic = unpack_any(any, &pb__bottleneck_analysis__descriptor, arena);
	const char *s = tpu ? tpu->input_statement : generic ? generic->input_statement : NULL;

	return s ? s : "";
}

static void ops_from_message(const Pb__InputPipelineAnalysisResult *r, struct table *t)
{
	for (size_t i = 0; i < r->n_input_op_details; i++) {
		const Pb__InputOpDetails *o = r->input_op_details[i];
		struct input_op row = { slice_of(o->op_name), o->count <= INT64_MAX ? (int64_t)o->count : -1,
			o->time_in_ms, o->time_in_percent / 100, o->self_time_in_ms,
			o->self_time_in_percent / 100, slice_of(o->category) };

		input_host_add(t, &row);
	}
}

static void from_message(const Pb__InputPipelineAnalysisResult *r, struct input_pipeline *p)
{
	const Pb__InputTimeBreakdown *b = r->input_time_breakdown;
	const double us[INPUT_CATEGORIES] = {
		[INPUT_ENQUEUE] = b ? b->enqueue_us : 0,
		[INPUT_PREPROCESSING] = b ? b->preprocessing_us : 0,
		[INPUT_ADVANCED_READ] = b ? b->advanced_file_read_us : 0,
		[INPUT_DEMANDED_READ] = b ? b->demanded_file_read_us : 0,
		[INPUT_OTHER] = b ? b->unclassified_non_enqueue_us : 0,
	};
	static const bool nothing[INPUT_CATEGORIES];
	const char *statement;
	struct arena arena = { 0 };

	input_max_infeed_columns(&p->max_infeed_core);
	steps_from_message(r, p, &arena);
	facts_str(&p->summary, "hardware_type",
	    r->hardware_type && *r->hardware_type ? r->hardware_type : NULL);
	statement = statement_of(r->recommendation, &arena);
	add_verdict(p, statement, strlen(statement));
	input_host_columns(&p->host_ops);
	ops_from_message(r, &p->host_ops);
	input_breakdown(us, b ? NULL : nothing, &p->breakdown);
	arena_free(&arena);
}

const struct toolfile *input_toolfile(const struct dump *d, const char *host)
{
	const struct toolfile *t = toolfile_alone(d, FILE_INPUT_PIPELINE, host, NULL);

	return t ? t : toolfile_alone(d, FILE_OVERVIEW, host, NULL);
}

void input_from_toolfile(const struct toolfile *file, struct input_pipeline *p)
{
	const Pb__InputPipelineAnalysisResult *r =
	    toolfile_message(file, &pb__input_pipeline_analysis_result__descriptor);

	const Pb__OverviewPage *page = toolfile_message(file, &pb__overview_page__descriptor);

	r = r || !page ? r : page->input_analysis; /* an overview contains one, as do its tables */
	input_begin(p);
	p->file = file;
	if (r)
		from_message(r, p);
	else
		from_json(file->json, p);
	if (!p->device.nrows)
		table_say(&p->warnings,
		    isnan(facts_number(&p->summary, "input_percent"))
			? "the file has no steps: how long the device waits for input is unknown"
			: "the file has no steps, only averages over them");
	input_recommend(p, !strcmp(facts_text(&p->summary, "hardware_type"), "GPU") ? "gpu xla" : NULL);
}
