/* Two captures open at once: each answers for itself, whatever happens to the other. */
#include "config.h"
#include "capture/results.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/mkpod.h"
#include "analyze/findings/findings.h"
#include "analyze/ops/opdb.h"
#include "analyze/overview/overview.h"
#include "analyze/pod/pod.h"
#include "capture/compare.h"

struct both {
	struct capture *one, *two; /* pods of one and of three hosts */
};

static int open_both(void **state)
{
	struct both *b = malloc(sizeof *b);

	b->one = capture_of(pod_load(1), 1);
	b->two = capture_of(pod_load(3), 1);
	*state = b;
	return 0;
}

static int close_both(void **state)
{
	struct both *b = *state;

	capture_close(b->one);
	capture_close(b->two);
	free(b);
	return 0;
}

static size_t cores_of(struct capture *c)
{
	const struct overview *o = capture_get(c, RESULT_OVERVIEW, NULL, NULL);

	return o->cores.ncores;
}

static void each_answers_for_itself(void **state)
{
	struct both *b = *state;
	const struct opdb *ops[2];

	assert_int_equal(cores_of(b->one), 2);
	assert_int_equal(cores_of(b->two), 6);
	ops[0] = capture_get(b->one, RESULT_OPS, NULL, NULL);
	ops[1] = capture_get(b->two, RESULT_OPS, NULL, NULL);
	assert_ptr_not_equal(ops[0], ops[1]);
	assert_true(ops[1]->op_time > 2 * ops[0]->op_time);
	assert_non_null(capture_get(b->one, RESULT_FINDINGS, NULL, NULL));
	assert_null(capture_has(b->two, RESULT_FINDINGS));
	assert_ptr_equal(capture_get(b->one, RESULT_OPS, NULL, NULL), ops[0]); /* it is kept */
}

static void a_scope_is_of_one_capture(void **state)
{
	struct both *b = *state;
	const struct overview *other = capture_get(b->two, RESULT_OVERVIEW, NULL, NULL);

	capture_get(b->one, RESULT_OVERVIEW, NULL, NULL);
	b->one->scope.core = 1;
	capture_forget(b->one, 1u << RESULT_OPS | result_users(RESULT_OPS));
	assert_null(capture_has(b->one, RESULT_OVERVIEW));
	assert_int_equal(cores_of(b->one), 1);
	assert_ptr_equal(capture_has(b->two, RESULT_OVERVIEW), other);
	assert_int_equal(cores_of(b->two), 6);
}

static void one_outlives_the_other(void **state)
{
	struct both *b = *state;
	const struct pod *pod = capture_get(b->two, RESULT_POD, NULL, NULL);
	const struct findings *findings = capture_get(b->two, RESULT_FINDINGS, NULL, NULL);

	capture_get(b->one, RESULT_FINDINGS, NULL, NULL);
	capture_close(b->one);
	b->one = NULL;
	assert_int_equal(cores_of(b->two), 6);
	assert_ptr_equal(capture_get(b->two, RESULT_POD, NULL, NULL), pod);
	assert_true(findings->n > 0);
	assert_true(*findings->v[0].title);
}

/* A finding that one of the captures could not have, because of its size, is no difference. */
static void findings_that_both_can_have_are_compared(void **state)
{
	const struct side_options o = { .core = -1, .threads = 1 };
	const struct diff_options plain = { .margin = NAN, .scale = NAN };
	static const struct side_finding found = { "collectives_serial", "low", "", COST_TIME, NAN };
	struct err err = { 0 };
	struct capture *c[2];
	struct side *s[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		c[i] = capture_of(pod_load(1), 1);
		s[i] = capture_side(c[i], &o, &err);
		assert_true(s[i]->has_findings && s[i]->has_pieces);
		s[i]->nfindings = 0;
	}
	free(s[1]->finding);
	s[1]->finding = malloc(sizeof found);
	s[1]->finding[s[1]->nfindings++] = found;
	for (int pieces = 0; pieces < 2; pieces++) {
		const struct side *base = s[0], *new = s[1];
		struct diff d;

		s[0]->has_pieces = pieces;
		assert_int_equal(capture_diff(&base, 1, &new, 1, false, &plain, &d, &err), 0);
		assert_int_equal(d.table[DIFF_FINDINGS].nrows, pieces);
		diff_free(&d);
	}
	for (int i = 0; i < 2; i++) {
		capture_side_free(s[i]);
		capture_close(c[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_answers_for_itself, open_both, close_both),
		cmocka_unit_test_setup_teardown(a_scope_is_of_one_capture, open_both, close_both),
		cmocka_unit_test_setup_teardown(one_outlives_the_other, open_both, close_both),
		cmocka_unit_test(findings_that_both_can_have_are_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
