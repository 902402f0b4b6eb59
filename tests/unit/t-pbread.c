#include "config.h"
#include "base/codec/pbread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/pbuild.h"
#include "hlo.pb-c.h"
#include "memory_viewer.pb-c.h"
#include "tf_stats.pb-c.h"

static void *from_json(const ProtobufCMessageDescriptor *m, struct arena *a, const char *text, struct err *e)
{
	const struct json *j = json_parse(a, text, strlen(text), e);

	*e = (struct err){ 0 };
	assert_non_null(j);
	return pb_read_json(m, a, j, e);
}

static void json_becomes_the_message(void **state)
{
	struct arena a = { 0 };
	struct err e;
	const Pb__HloProto *p = from_json(&pb__hlo_proto__descriptor, &a,
	    "{\"hloModule\":{\"name\":\"m\\u00e9\",\"id\":\"9223372036854775807\",\"computations\":[{"
	    "\"instructions\":["
	    "{\"name\":\"a\",\"id\":-3,\"shape\":{\"elementType\":\"BF16\",\"dimensions\":[\"8\",128,\"1e3\"]"
	    ","
	    "\"isDynamicDimension\":[true,false]},\"backendConfig\":\"AQL/\",\"unknown\":[{}]}]}],"
	    "\"schedule\":{\"sequences\":{\"-5\":{\"instructionIds\":[\"1\",\"2\"]}}}},"
	    "\"buffer_assignment\":{\"heapSimulatorTraces\":[{\"wholeModuleSimulation\":true,"
	    "\"events\":[{\"kind\":\"SHARE_WITH\"},{\"kind\":1},{\"kind\":\"NEW\"}]}]}}",
	    &e);
	const Pb__HloInstructionProto *i;
	const Pb__HloScheduleProto__SequencesEntry *s;

	(void)state;
	assert_non_null(p);
	assert_string_equal(p->hlo_module->name, "m\xc3\xa9");
	assert_true(p->hlo_module->has_id && p->hlo_module->id == INT64_MAX);
	assert_false(p->hlo_module->has_entry_computation_id);
	i = p->hlo_module->computations[0]->instructions[0];
	assert_int_equal(i->id, -3);
	assert_int_equal(i->shape->element_type, 16);
	assert_int_equal(i->shape->n_dimensions, 3);
	assert_int_equal(i->shape->dimensions[2], 1000);
	assert_true(i->shape->is_dynamic_dimension[0] && !i->shape->is_dynamic_dimension[1]);
	assert_int_equal(i->backend_config.len, 3);
	assert_memory_equal(i->backend_config.data, "\1\2\xff", 3);
	s = p->hlo_module->schedule->sequences[0];
	assert_true(s->has_key && s->key == -5);
	assert_int_equal(s->value->instruction_ids[1], 2);
	assert_int_equal(p->buffer_assignment->heap_simulator_traces[0]->events[0]->kind, 2);
	assert_int_equal(p->buffer_assignment->heap_simulator_traces[0]->events[1]->kind, 1);
	assert_int_equal(p->buffer_assignment->heap_simulator_traces[0]->events[2]->kind, 0);
	arena_free(&a);
}

static void doubles_may_be_strings(void **state)
{
	struct arena a = { 0 };
	struct err e;
	const Pb__PreprocessResult *p = from_json(&pb__preprocess_result__descriptor, &a,
	    "{\"heapSizes\":[1.5,\"2.25\",\"NaN\",\"Infinity\"],\"peakHeapMib\":null,\"logicalBufferSpans\":{"
	    "\"7\":{}}}",
	    &e);

	(void)state;
	assert_non_null(p);
	assert_int_equal(p->n_heap_sizes, 4);
	assert_true(p->heap_sizes[1] == 2.25 && isnan(p->heap_sizes[2]) && isinf(p->heap_sizes[3]));
	assert_false(p->has_peak_heap_mib);
	assert_int_equal(p->logical_buffer_spans[0]->key, 7);
	assert_non_null(p->logical_buffer_spans[0]->value);
	arena_free(&a);
}

static void wrong_values_name_the_field(void **state)
{
	static const char *const bad[] = {
		"{\"hloModule\":{\"id\":\"12x\"}}",
		"{\"hloModule\":{\"id\":\"\"}}",
		"{\"hloModule\":{\"id\":1.5}}",
		"{\"hloModule\":{\"id\":{}}}",
		"{\"hloModule\":[{\"id\":1}]}",
		"{\"hloModule\":{\"name\":7,\"id\":1}}",
		"{\"hloModule\":{\"computations\":{\"id\":1}}}",
		"{\"hloModule\":{\"computations\":[{\"id\":[]}]}}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct arena a = { 0 };
		struct err e;

		assert_null(from_json(&pb__hlo_proto__descriptor, &a, bad[i], &e));
		assert_int_equal(e.status, EXIT_NOTHING);
		assert_true(strlen(e.msg) > 10);
		arena_free(&a);
	}
}

static void damage_has_a_place(void **state)
{
	struct pb table = { 0 }, record = { 0 };
	struct arena a = { 0 };
	struct err e = { 0 };
	const Pb__TfStatsTable *t;

	(void)state;
	pb_u(&record, 1, 3);
	pb_s(&record, 2, "Device");
	pb_bytes(&table, 1, record.b, record.n);
	t = pb_read(&pb__tf_stats_table__descriptor, &a, table.b, table.n, &e);
	assert_non_null(t);
	assert_string_equal(t->tf_stats_record[0]->host_or_device, "Device");
	/* cut off within the name */
	assert_null(pb_read(&pb__tf_stats_table__descriptor, &a, table.b, table.n - 2, &e));
	assert_int_equal(e.at, table.n - 2);
	/* a name that is a number: 4 = behind the keys and the rank */
	table.b[4] = 2 << 3;
	table.b[5] = 1;
	table.b[6] = 1 << 3;
	e = (struct err){ 0 };
	assert_null(pb_read(&pb__tf_stats_table__descriptor, &a, table.b, table.n, &e));
	assert_int_equal(e.at, 4);
	arena_free(&a);
	pb_free(&table);
	pb_free(&record);
}

/* A shape of nested tuples, as deep as its bytes allow. */
static void nesting_is_bounded(void **state)
{
	struct pb shape = { 0 };
	struct arena a = { 0 };
	struct err e = { 0 };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct pb outer = { 0 };

		pb_bytes(&outer, 4, shape.b, shape.n);
		pb_free(&shape);
		shape = outer;
		if (i == PB_DEPTH - 2)
			assert_non_null(pb_read(&pb__shape_proto__descriptor, &a, shape.b, shape.n, &e));
	}
	assert_null(pb_read(&pb__shape_proto__descriptor, &a, shape.b, shape.n, &e));
	assert_non_null(strstr(e.msg, "deep"));
	pb_free(&shape);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_becomes_the_message),
		cmocka_unit_test(doubles_may_be_strings),
		cmocka_unit_test(wrong_values_name_the_field),
		cmocka_unit_test(damage_has_a_place),
		cmocka_unit_test(nesting_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
