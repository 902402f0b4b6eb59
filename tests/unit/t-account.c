/* The step account: parts add up to the markers, whatever the capture. */
#include "config.h"
#include "analyze/account/account.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkpod.h"
#include "capture/results.h"

static int64_t sum_of(const struct account_parts *p)
{
	int64_t sum = p->overhang;

	for (int k = 0; k <= KIND_IDLE; k++)
		sum += p->kind[k];
	return sum;
}

static double known(double v)
{
	return isnan(v) ? 0 : v;
}

static void parts_add_up(void **state)
{
	for (int hosts = 1; hosts <= 3; hosts++) {
		struct capture *c = capture_of(pod_load(hosts), 1);
		const struct account *a = capture_get(c, RESULT_ACCOUNT, NULL, NULL);
		const struct step_cores *s = &a->of->cores;

		(void)state;
		assert_true(a->nsteps > 0);
		for (size_t i = 0; i < s->ncores * s->nsteps; i++) {
			struct account_parts p = account_parts_of(&s->v[i]);

			if (p.total >= 0)
				assert_int_equal(sum_of(&p), p.total);
		}
		for (size_t i = 0; i < a->nsteps; i++) {
			const struct account_step *x = &a->step_of[i];
			double sum = x->overhang;

			for (int k = 0; k < KIND_COUNT; k++)
				sum += known(x->ms[k]);
			assert_float_equal(sum, x->core_time, 1e-9 * x->core_time);
			assert_true(x->step >= x->core_time * (1 - 1e-12));
		}
		capture_close(c);
	}
}

/* Core time is the mean of the cores, a step as long as its longest core. */
static void two_times_have_two_names(void **state)
{
	struct capture *c = capture_of(pod_load(2), 1);
	const struct account *a = capture_get(c, RESULT_ACCOUNT, NULL, NULL);
	const struct step_cores *s = &a->of->cores;

	(void)state;
	for (size_t i = 0; i < a->nsteps; i++) {
		size_t at = a->of->step[i].step;
		double longest = 0, sum = 0, n = 0;

		for (size_t k = 0; k < s->ncores; k++) {
			double ms = (double)step_core_at(s, k, at)->total / 1e9;

			if (ms < 0)
				continue;
			longest = fmax(longest, ms);
			sum += ms;
			n++;
		}
		assert_float_equal(a->step_of[i].step, longest, 1e-12);
		assert_float_equal(a->step_of[i].core_time, sum / n, 1e-12);
	}
	assert_float_equal(a->step, facts_number(&a->of->summary, "steptime_ms_average"), 1e-9);
	capture_close(c);
}

static void no_core_is_no_step(void **state)
{
	struct step_core c = { .total = -1 };

	(void)state;
	assert_int_equal(account_parts_of(&c).total, -1);
	assert_int_equal(account_none.nsteps, 0);
}

/* What ops take beyond the end of the marker is said, so that the parts still add up. */
static void ops_beyond_the_marker_are_told(void **state)
{
	struct step_core c = { .total = 100, .kind = { [KIND_MATMUL] = 90, [KIND_COPY] = 30 }, .sync = -1 };
	struct account_parts p = account_parts_of(&c);

	(void)state;
	assert_int_equal(p.overhang, -20);
	assert_int_equal(p.wait, -1);
	assert_int_equal(sum_of(&p), 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_add_up),
		cmocka_unit_test(two_times_have_two_names),
		cmocka_unit_test(no_core_is_no_step),
		cmocka_unit_test(ops_beyond_the_marker_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
