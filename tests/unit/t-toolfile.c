#include "config.h"
#include "model/toolfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hlo.pb-c.h"
#include "load/load.h"
#include "memory_viewer.pb-c.h"
#include "overview.pb-c.h"
#include "pod.pb-c.h"
#include "tf_stats.pb-c.h"

#define CORPUS "tests/fuzz/corpus/"

static struct dump *load(const char *path, struct err *e)
{
	char *full = xasprintf("%s/" CORPUS "%s", getenv("top_srcdir"), path);
	const char *const paths[] = { full };
	struct dump *d = load_paths(paths, 1, NULL, NULL, e);

	free(full);
	return d;
}

static struct dump *opened(const char *path, enum file_kind kind)
{
	struct err e;
	struct dump *d = load(path, &e);

	assert_non_null(d);
	assert_int_equal(d->files[0].kind, kind);
	assert_int_equal(d->ntools, 1);
	assert_ptr_equal(toolfile_find(d, kind, NULL, NULL), &d->tools[0]);
	assert_null(toolfile_find(d, kind == FILE_OVERVIEW ? FILE_OP_PROFILE : FILE_OVERVIEW, NULL, NULL));
	assert_int_equal(dump_status(d), EXIT_OK);
	return d;
}

static struct dump *from_text(const char *name, const char *text, struct err *e)
{
	return load_memory(text, strlen(text), name, NULL, e);
}

static void tables_are_found_by_columns(void **state)
{
	struct dump *d = opened("tool-json/input-pipeline.json", FILE_INPUT_PIPELINE);
	const struct json *j = d->tools[0].json, *host = datatable_find(j, "opName"),
			  *step = datatable_find(j, "stepnum"), *v;

	(void)state;
	assert_non_null(host);
	assert_non_null(step);
	assert_ptr_not_equal(host, step);
	assert_null(datatable_find(j, "severity"));
	assert_int_equal(datatable_column(step, "infeedTimeMs"), 1);
	assert_int_equal(datatable_column(step, "opName"), -1);
	assert_true(json_number(datatable_cell(datatable_rows(step), 1), 0) == 0.5);
	assert_null(datatable_cell(datatable_rows(step), 3));
	assert_null(datatable_cell(datatable_rows(step), -1));
	assert_null(datatable_cell(NULL, 0));
	assert_null(datatable_rows(NULL));
	assert_null(datatable_property(step, "nothing"));
	v = datatable_property(step, "summary_conclusion");
	assert_string_equal(html_text(&d->tools[0].arena, v->s, v->len),
	    "Look at this page (https://example.org/x?a=1&amp;b=2)");
	dump_close(d);
}

static void html_becomes_text(void **state)
{
	static const char *const cases[][2] = {
		{ "plain", "plain" },
		{ "a &lt;b&gt; &amp; c&nbsp;d &#65;&#x42; &#; &bogus; &", "a <b> & c d AB &#; &bogus; &" },
		{ "one<br>two<p>three</p> <b>four</b>", "one two three four" },
		{ "<a href=\"u\">text</a>.", "text (u)." },
		{ "<A HREF='u' target=x>text</A>", "text (u)" },
		{ "<a target=x href=u>text</a>", "text (u)" },
		{ "<a href=\"u\">u</a>", "u" },
		{ "<a name=x>text</a>", "text" },
		{ "<a href=\"u\">not closed", "not closed (u)" },
		{ "<a href=\"u", "<a href=\"u" },
		{ "1 < 2 > 0", "1 < 2 > 0" },
		{ "1<", "1<" },
		{ "<b>one</b> <two <three", "one <two <three" },
		{ "", "" },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(html_text(&a, cases[i][0], strlen(cases[i][0])), cases[i][1]);
	arena_free(&a);
}

static void memory_is_one_form(void **state)
{
	struct dump *d = opened("tool-json/hlo-memory.json", FILE_MEMORY_VIEWER);
	const Pb__HloProto *h = toolfile_message(&d->tools[0], &pb__hlo_proto__descriptor);
	const Pb__PreprocessResult *p;

	(void)state;
	assert_non_null(h);
	assert_null(toolfile_message(&d->tools[0], &pb__preprocess_result__descriptor));
	assert_int_equal(h->buffer_assignment->logical_buffers[0]->size, 1048576);
	assert_string_equal(h->buffer_assignment->logical_buffers[0]->defined_at->instruction_name, "a");
	assert_int_equal(h->hlo_module->computations[0]->instructions[0]->shape->element_type,
	    PB__PRIMITIVE_TYPE__TUPLE);
	dump_close(d);
	d = opened("tool-json/preprocessed-memory.json", FILE_MEMORY_VIEWER);
	p = toolfile_message(&d->tools[0], &pb__preprocess_result__descriptor);
	assert_non_null(p);
	assert_int_equal(p->n_logical_buffer_spans, 2);
	assert_true(p->max_heap[0]->logical_buffer_size_mib == 1.5);
	dump_close(d);
}

static void pods_of_both_ages(void **state)
{
	struct dump *d = opened("tool-json/pod-new.json", FILE_POD_VIEWER);
	const Pb__PodViewerDatabase *v = toolfile_message(&d->tools[0], &pb__pod_viewer_database__descriptor);
	const Pb__PodStatsDatabase *s;
	const Pb__PodStatsMap *step;

	(void)state;
	assert_non_null(v);
	step = v->pod_stats_sequence->pod_stats_map[0];
	assert_int_equal(step->pod_stats_per_core[0]->key, 3);
	assert_int_equal(step->pod_stats_per_core[0]->value->n_step_breakdown_us, 2);
	assert_true(step->channel_db[0]->data_size == 12345678901u);
	dump_close(d);
	d = opened("tool-json/pod-old.json", FILE_POD_VIEWER);
	assert_null(d->tools[0].message);
	assert_non_null(json_get(d->tools[0].json, "podStatsSequence"));
	dump_close(d);
	d = opened("tool-pb/pod-stats.pb", FILE_POD_VIEWER);
	s = toolfile_message(&d->tools[0], &pb__pod_stats_database__descriptor);
	assert_int_equal(s->n_pod_stats_record, 2);
	assert_true(s->pod_stats_record[1]->step_breakdown_us[0]->value == 4.5);
	dump_close(d);
}

static void protobufs_are_known_by_content(void **state)
{
	struct dump *d = opened("tool-pb/overview.pb", FILE_OVERVIEW);
	const Pb__OverviewPage *o = toolfile_message(&d->tools[0], &pb__overview_page__descriptor);
	const Pb__InputPipelineAnalysisResult *i;
	const Pb__TfStatsDatabase *t;

	(void)state;
	assert_true(o->analysis->mxu_utilization_percent == 40);
	assert_string_equal(o->run_environment->device_type, "TPU v4");
	dump_close(d);
	d = opened("tool-pb/input-pipeline.pb", FILE_INPUT_PIPELINE);
	i = toolfile_message(&d->tools[0], &pb__input_pipeline_analysis_result__descriptor);
	assert_true(i->step_time_summary->average == 9.5);
	assert_string_equal(i->step_details[0]->type_url,
	    "type.googleapis.com/tensorflow.profiler.PerTpuStepDetails");
	dump_close(d);
	d = opened("tool-pb/framework-ops.pb", FILE_FRAMEWORK_OPS);
	t = toolfile_message(&d->tools[0], &pb__tf_stats_database__descriptor);
	assert_int_equal(t->with_idle->n_tf_stats_record, 3);
	dump_close(d);
}

static void damage_is_told_with_its_place(void **state)
{
	static const char cut[] = "{\"byCategory\":{\"name\":\"x\",\"children\":[{]}}";
	struct err e;

	(void)state;
	assert_null(from_text("h.op_profile.json", cut, &e));
	assert_int_equal(e.at, strchr(cut, ']') - cut);
	assert_null(from_text("h.op_profile.json", "{\"byCategory\":{", &e));
	assert_int_equal(e.at, 15);
	assert_null(from_text("h.op_profile.json", "{\"byCategory\":[{\"name\":\"a\"}]}", &e));
	assert_non_null(strstr(e.msg, "its main part is missing or in the wrong place"));
	assert_null(from_text("h.memory_viewer.json", "{\"hloModule\":{\"id\":\"no number\"}}", &e));
	assert_non_null(strstr(e.msg, "id"));
	assert_null(from_text("h.pod_stats.pb", "\x0a\x7f\x0a\x01h", &e));
	assert_int_equal(e.at, 5);
}

static void hosts_are_in_names(void **state)
{
	struct err e;
	struct dump *d = from_text("10.0.0.1.op_profile.json", "{\"simulated\":true,\"byCategory\":{}}", &e);
	size_t more;

	(void)state;
	assert_non_null(d);
	assert_true(d->simulated);
	assert_non_null(toolfile_find(d, FILE_OP_PROFILE, "10.0.0.1", &more));
	assert_int_equal(more, 0);
	assert_null(toolfile_find(d, FILE_OP_PROFILE, "10.0.0.2", NULL));
	dump_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_found_by_columns),
		cmocka_unit_test(html_becomes_text),
		cmocka_unit_test(memory_is_one_form),
		cmocka_unit_test(pods_of_both_ages),
		cmocka_unit_test(protobufs_are_known_by_content),
		cmocka_unit_test(damage_is_told_with_its_place),
		cmocka_unit_test(hosts_are_in_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
