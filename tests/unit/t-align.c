/* Offsets of clocks from steps, and what puts one step of all hosts side by side. */
#include "config.h"

#include "analyze/align.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/units.h"
#include "../lib/mktrace.h"

/* Hosts with two cores each; their clocks ahead by `off`; `late` is added to the begin of one step of one host. */
static struct dump *sample(const int64_t *off, int hosts, int late_step, int64_t late, int first_of_last)
{
	struct mktrace m = { 0 };
	char name[32];

	for (int h = 0; h < hosts; h++) {
		snprintf(name, sizeof name, "w-%d", h);
		mk_host(&m, name);
		for (int c = 0; c < 2; c++) {
			snprintf(name, sizeof name, "/device:TPU:%d", c);
			mk_plane(&m, name);
			mk_track(&m, "Steps");
			for (int s = h == hosts - 1 ? first_of_last : 0; s < 5; s++) {
				snprintf(name, sizeof name, "%d", 100 + s);
				mk_event(&m, name,
				    100 * PS_PER_US + s * PS_PER_MS + off[h] + c * PS_PER_NS +
					(h == 1 && s == late_step ? late : 0),
				    900 * PS_PER_US);
			}
		}
	}
	return mk_done(&m);
}

static void offsets(void **state)
{
	const int64_t off[] = { 0, 3 * PS_PER_US, -70 * PS_PER_NS };
	struct dump *d = sample(off, 3, 2, 40 * PS_PER_US, 1);
	struct steps s;
	struct align_host out[3];

	(void)state;
	steps_find(d, &s, false);
	assert_int_equal(align_estimate(d, &s, out), 3);
	assert_int_equal(out[0].offset, 0);
	assert_int_equal(out[0].steps, 5);
	assert_int_equal(out[1].offset, 3 * PS_PER_US); /* one step that began late changes nothing */
	assert_int_equal(out[1].spread, 0);
	assert_int_equal(out[2].offset, -70 * PS_PER_NS);
	assert_int_equal(out[2].steps, 4); /* by number: it lacks the first */
	steps_free(&s);
	dump_close(d);
}

static void one_step(void **state)
{
	const int64_t off[] = { 0, 3 * PS_PER_US, -70 * PS_PER_NS };
	struct dump *d = sample(off, 3, 2, 40 * PS_PER_US, 3);
	struct steps s;
	int64_t shift[3], zero = 0;

	(void)state;
	steps_find(d, &s, false);
	assert_int_equal(s.v[0].id, -3); /* steps_find() counts from the first that all have */
	assert_true(align_on_step(d, &s, -1, shift, &zero));
	assert_int_equal(zero, 100 * PS_PER_US + 2 * PS_PER_MS); /* the earlier core */
	assert_int_equal(shift[0], 0);
	assert_int_equal(shift[1], -43 * PS_PER_US);
	assert_int_equal(shift[2], 0); /* it has no such step */
	assert_true(align_on_step(d, &s, 1, shift, &zero));
	assert_int_equal(shift[2], 70 * PS_PER_NS);
	assert_false(align_on_step(d, &s, 7, shift, &zero));
	steps_free(&s);
	dump_close(d);
}

static void nothing(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	struct steps s;
	struct align_host out[2];
	int64_t shift[2], zero;

	(void)state;
	mk_host(&m, "a");
	mk_host(&m, "b");
	mk_plane(&m, "/host:CPU");
	mk_track(&m, "main/1");
	mk_event(&m, "x", 0, 5);
	d = mk_done(&m);
	steps_find(d, &s, false);
	assert_int_equal(align_estimate(d, &s, out), 0);
	assert_false(out[0].known || out[1].known);
	assert_false(align_on_step(d, &s, 0, shift, &zero));
	steps_free(&s);
	dump_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offsets),
		cmocka_unit_test(one_step),
		cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
