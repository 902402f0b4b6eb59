/* Results that a screen asks for: those that one thread makes are made side by side. */
#include "config.h"

#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "analyze/pod/pod.h"

static struct dump *sample(void)
{
	struct mktrace m = { 0 };

	mk_host(&m, "w-0");
	for (int c = 0; c < 2; c++) {
		mk_plane(&m, c ? "/device:TPU:1" : "/device:TPU:0");
		mk_track(&m, "Steps");
		for (int i = 0; i < 3; i++)
			mk_event(&m, &"7\0008\0009"[2 * i], i * 1000 * PS_PER_US, 900 * PS_PER_US);
		mk_track(&m, "XLA Ops");
		for (int i = 0; i < 3; i++)
			mk_event(&m, "dot.3", i * 1000 * PS_PER_US, (400 + 100 * c) * PS_PER_US);
	}
	return mk_done(&m);
}

static bool there(enum result k)
{
	return capture_has(app.cap, k);
}

/* All that findings need is there, as when each is made alone. */
static void side_by_side(void **state)
{
	(void)state;
	view_begin(sample(), 24, 80, false);
	results_forget(&app);
	assert_false(there(RESULT_POD));
	assert_null(result_get(&app, RESULT_FINDINGS));
	finish();
	for (int k = 0; k < RESULT_COUNT; k++)
		assert_true(there((enum result)k) || !(capture_needs(app.cap, RESULT_FINDINGS) & 1u << k));
	assert_int_equal(((const struct pod *)capture_has(app.cap, RESULT_POD))->cores.ncores, 2);
	view_end();
}

/* When one of a row is forgotten before its job ran, what needs another of the row is not made without it. */
static void a_row_is_stopped_as_a_whole(void **state)
{
	static const enum result forgotten[] = { RESULT_INPUT, RESULT_MEMORY_PROFILE, RESULT_POD,
		RESULT_TRIAGE, RESULT_OVERVIEW };

	(void)state;
	view_begin(sample(), 24, 80, false);
	for (size_t i = 0; i < sizeof forgotten / sizeof *forgotten; i++) {
		results_forget(&app);
		result_get(&app, RESULT_FINDINGS);
		result_get(&app, RESULT_POD_BESIDE);
		result_get(&app, RESULT_MEMORY_BESIDE);
		results_renew(&app, forgotten[i]);
		finish();
		assert_false(there(RESULT_POD_BESIDE));
		result_get(&app, RESULT_FINDINGS);
		result_get(&app, RESULT_POD_BESIDE);
		result_get(&app, RESULT_MEMORY_BESIDE);
		finish();
		assert_true(there(RESULT_FINDINGS) && there(RESULT_POD) && there(RESULT_POD_BESIDE));
		assert_true(there(RESULT_MEMORY_BESIDE) && there(forgotten[i]));
	}
	view_end();
}

/* Of a large capture the first findings come first, unless all are there: then nobody waits for them. */
static void findings_of_a_large_capture(void **state)
{
	struct trace *t;

	(void)state;
	view_begin(sample(), 24, 80, false);
	t = (struct trace *)&app.cap->base->trace;
	t->events += CAPTURE_LARGE;
	results_forget(&app);
	result_get(&app, RESULT_FINDINGS);
	finish();
	assert_false(there(RESULT_FIRST_FINDINGS));
	assert_non_null(result_findings(&app));
	assert_ptr_equal(result_findings(&app), capture_has(app.cap, RESULT_FINDINGS));
	results_forget(&app);
	assert_null(result_findings(&app));
	while (!there(RESULT_FIRST_FINDINGS))
		finish();
	assert_non_null(result_findings(&app));
	finish();
	result_findings(&app);
	finish();
	assert_ptr_equal(result_findings(&app), capture_has(app.cap, RESULT_MENDED));
	t->events -= CAPTURE_LARGE;
	view_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(a_row_is_stopped_as_a_whole),
		cmocka_unit_test(findings_of_a_large_capture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
