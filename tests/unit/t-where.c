#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/where.h"

static struct dump *dump;
static strid fusion, dot;

static int setup(void **state)
{
	(void)state;
	dump = dump_new();
	fusion = strtab_addz(&dump->str, "fusion.33");
	dot = strtab_addz(&dump->str, "dot step 3");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	dump_close(dump);
	return 0;
}

static void gives(const char *where, const char *view, enum ref_kind kind, struct where *w)
{
	assert_int_equal(where_parse(where, dump, NULL, w), 0);
	assert_string_equal(w->view, view);
	assert_int_equal(w->ref.kind, kind);
}

/* People know hosts by their names; one host needs none. */
static void test_hosts(void **state)
{
	struct where w;

	(void)state;
	dump_host(dump, "w-0", 3);
	gives("pod:core 0:5", "pod", REF_CORE, &w);
	assert_string_equal(w.text, "core 5");
	dump_host(dump, "w-1", 3);
	gives("pod:core 1:5", "pod", REF_CORE, &w);
	assert_string_equal(w.text, "core 5 of w-1");
	gives("timeline:step train 7 core 0:2", "timeline", REF_STEP, &w);
	assert_string_equal(w.text, "step train 7 core 2 of w-0");
	assert_string_equal(w.ref.text, "train 7");
	gives("pod:core 9:5", "pod", REF_CORE, &w); /* a host that there is not */
	assert_string_equal(w.text, "core 9:5");
}

static void test_kinds(void **state)
{
	struct where w;

	(void)state;
	gives("ops:fusion.33", "ops", REF_OP, &w);
	assert_int_equal(w.ref.name, fusion);
	assert_int_equal(w.ref.program, 0);
	assert_string_equal(w.text, "fusion.33");
	gives("roofline:op dot step 3", "roofline", REF_OP, &w);
	assert_int_equal(w.ref.name, dot);
	assert_string_equal(w.text, "dot step 3");
	gives("input:step 3", "input", REF_STEP, &w);
	assert_string_equal(w.ref.text, "3");
	assert_string_equal(w.text, "step 3");
	assert_int_equal(w.ref.host, -1);
	assert_int_equal(w.ref.core, -1);
	gives("timeline:step train 7 core 1:5", "timeline", REF_STEP, &w);
	assert_string_equal(w.ref.text, "train 7");
	assert_int_equal(w.ref.host, 1);
	assert_int_equal(w.ref.core, 5);
	gives("pod:core 0:5", "pod", REF_CORE, &w);
	assert_int_equal(w.ref.host, 0);
	assert_int_equal(w.ref.core, 5);
	gives("pod:core 12", "pod", REF_CORE, &w);
	assert_int_equal(w.ref.host, -1);
	assert_int_equal(w.ref.core, 12);
	gives("ops:module jit_step", "ops", REF_MODULE, &w);
	assert_string_equal(w.ref.text, "jit_step");
	gives("pod:channel 12", "pod", REF_CHANNEL, &w);
	assert_string_equal(w.ref.text, "12");
	assert_string_equal(w.text, "channel 12");
	gives("pod:collective all-reduce.2", "pod", REF_COLLECTIVE, &w);
	assert_string_equal(w.ref.text, "all-reduce.2");
	gives("memory:buffer heap 1", "memory", REF_BUFFER, &w);
	assert_string_equal(w.ref.text, "heap 1");
	assert_int_equal(w.ref.program, 0);
	gives("memory:buffer fusion.1{0} module jit_f(2)(17)", "memory", REF_BUFFER, &w);
	assert_string_equal(w.ref.text, "fusion.1{0}");
	assert_int_equal(w.ref.program, 17);
	gives("memory:buffer heap 1 module 18", "memory", REF_BUFFER, &w);
	assert_int_equal(w.ref.program, 18);
	gives("memory:", "memory", REF_NONE, &w);
	gives("memory", "memory", REF_NONE, &w);
	assert_string_equal(w.text, "");
}

/* The view is still told, so that one can go there. */
static void refuses(const char *where, const char *view)
{
	struct where w;

	assert_int_equal(where_parse(where, dump, NULL, &w), -1);
	assert_string_equal(w.view, view);
	assert_int_equal(w.ref.kind, REF_NONE);
}

static void test_what_is_not_there(void **state)
{
	(void)state;
	refuses("ops:fusion.34", "ops");
	refuses("pod:core x", "pod");
	refuses("pod:core 1:", "pod");
	refuses("pod:core 1:2:3", "pod");
	refuses("pod:core -1", "pod");
	refuses("pod:core 99999999999999999999", "pod");
	refuses("timeline:step ", "timeline");
	refuses("timeline:step 3 core 1:", "timeline");
	refuses("timeline:track TPU:0 XLA Ops", "timeline");
	refuses("ops:module ", "ops");
	refuses("pod:channel ", "pod");
	refuses("pod:collective ", "pod");
	refuses("", "");
	refuses(":step 3", "");
	refuses("a view of a name longer than any view has:step 3", "");
}

/* The name that the tables show, and of several programs the one that takes most. */
static void test_ops_of_a_database(void **state)
{
	struct op op[3] = { { .name = dot, .program = 1 }, { .name = fusion, .program = 7 },
		{ .name = fusion, .program = 8 } };
	struct opdb db = { .v = op, .n = 3 };
	struct where w;

	(void)state;
	assert_int_equal(where_parse("ops:fusion.33", dump, &db, &w), 0);
	assert_int_equal(w.ref.name, fusion);
	assert_true(w.ref.program == 7);
	assert_int_equal(where_parse("ops:fusion.34", dump, &db, &w), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_what_is_not_there),
		cmocka_unit_test(test_ops_of_a_database),
		cmocka_unit_test(test_hosts),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
