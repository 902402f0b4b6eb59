/* Columns of time and the ruler over them: zooming keeps the cursor's column, panning never changes what a
 * column spans, ticks are round and never touch. */
#include "config.h"

#include "view/timeline/viewport/utc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "../lib/mktrace.h"
#include "base/text/units.h"
#include "base/text/utf8.h"

static int64_t below(int64_t n)
{
	return (int64_t)rnd((uint64_t)n);
}

/* --- columns --- */

static void zoom_steps(void **state)
{
	static const int64_t want[] = { 1, 2, 3, 4, 6, 8, 10, 14, 20, 28, 40, 56, 75, 100, 140, 200, 280, 400,
		560, 750, 1000 };
	int64_t c = 1;

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		assert_int_equal(c, want[i]);
		c = viewport_zoom_step(c, 1);
	}
	for (size_t i = sizeof want / sizeof *want; i-- > 1;)
		assert_int_equal(viewport_zoom_step(want[i], -1), want[i - 1]);
	assert_int_equal(viewport_zoom_step(1, -1), 1);
	assert_int_equal(viewport_zoom_step(1134000000000, -1), 1000000000000);
	assert_int_equal(viewport_zoom_step(1134000000000, 1), 1400000000000);
	for (c = 1; c < TRACE_TIME_MAX / 8; c = viewport_zoom_step(c, 1))
		assert_true(viewport_zoom_step(c, 1) > c && viewport_zoom_step(c, 1) <= 2 * c);
}

static void floors(void **state)
{
	(void)state;
	assert_int_equal(floor_div(7, 2), 3);
	assert_int_equal(floor_div(-7, 2), -4);
	assert_int_equal(floor_div(-8, 2), -4);
	assert_int_equal(floor_div(0, 5), 0);
}

static void whole_run_fits(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t first =
			    below(3) ? below(1000000) - 500000 : below(TRACE_TIME_MAX) - TRACE_TIME_MAX / 2,
			span = below(4) ? below(1000000) : below(TRACE_TIME_MAX / 2);
		struct viewport g;

		viewport_init(&g, first, first + span, 1 + (int)below(300));
		if (viewport_begin(&g) > first || (g.w > 1 && viewport_end(&g) < first + span) || g.c < 1)
			fail_msg("%lld + %lld in %d columns of %lld from %lld", (long long)first,
			    (long long)span, g.w, (long long)g.c, (long long)viewport_begin(&g));
	}
}

static struct viewport grid(int64_t first, int64_t last, int w, int64_t c, int64_t k)
{
	struct viewport g;

	viewport_init(&g, first, last, w);
	g.c = c;
	g.k = k;
	g.whole = false;
	return g;
}

static void zoom_keeps_the_column(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct viewport g = grid(0, 1000000000, 100, 1000000, 400), before;
		int64_t cursor;

		viewport_zoom(&g, 500000000, 1 + (int)below(20));
		cursor = viewport_begin(&g) + below(viewport_end(&g) - viewport_begin(&g));
		before = g;
		viewport_zoom(&g, cursor, (int)below(9) - 4);
		if (!g.whole && viewport_column(&g, cursor) != viewport_column(&before, cursor) &&
		    viewport_begin(&g) > g.first - g.c * 40 && viewport_end(&g) < g.last + g.c * 40)
			fail_msg("column %d became %d", viewport_column(&before, cursor),
			    viewport_column(&g, cursor));
	}
}

static void zoom_has_ends(void **state)
{
	struct viewport g;

	(void)state;
	viewport_init(&g, 0, 98645110000000, 87);
	assert_true(g.whole);
	assert_int_equal(g.c, 1133851839081);
	viewport_zoom(&g, 19500538689510, 1000);
	assert_int_equal(g.c, 1);
	assert_true(viewport_begin(&g) <= 19500538689510 && 19500538689510 < viewport_end(&g));
	viewport_zoom(&g, 19500538689510, -1000);
	assert_true(g.whole);
	assert_int_equal(g.c, 1133851839081);
}

static void pan_moves_by_columns(void **state)
{
	struct viewport g = grid(0, 1000000, 100, 100, 3000), before = g;

	(void)state;
	viewport_pan(&g, 12);
	assert_int_equal(viewport_begin(&g), viewport_begin(&before) + 1200);
	assert_int_equal(viewport_begin(&g) % g.c, 0);
	viewport_pan(&g, -12);
	assert_int_equal(g.k, before.k);
	viewport_pan(&g, INT64_MAX / 2); /* half a view stays on the run */
	assert_true(viewport_begin(&g) < 1000000 && viewport_begin(&g) >= 1000000 - 5100);
	viewport_pan(&g, -(INT64_MAX / 2));
	assert_true(viewport_end(&g) > 0 && viewport_begin(&g) >= -5000);
}

static void reveal_moves_little(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct viewport g = grid(0, 100000, 50, 10, 100 + below(9000)), before = g;
		int64_t t0 = below(96000), t1 = t0 + below(below(3) ? 400 : 3000);
		bool in = t0 >= viewport_begin(&g) && t1 <= viewport_end(&g);

		viewport_reveal(&g, t0, t1);
		assert_int_equal(g.c, before.c);
		if (in)
			assert_int_equal(g.k, before.k);
		else if (t1 - t0 <= 490 && (viewport_begin(&g) > t0 || viewport_end(&g) < t1))
			fail_msg("%lld … %lld is not in the view", (long long)t0, (long long)t1);
		else if (t0 >= viewport_end(&g) || t1 + g.c <= viewport_begin(&g))
			fail_msg("nothing of %lld … %lld is in the view", (long long)t0, (long long)t1);
	}
}

/* From event to event, each two columns long: the view scrolls once per half screen. */
static void few_moves_pan(void **state)
{
	struct viewport g = grid(0, 100000, 50, 10, 0);
	int pans = 0;

	(void)state;
	for (int64_t t = 0; t < 90000; t += 20) {
		int64_t k = g.k;

		viewport_reveal(&g, t, t + 20);
		pans += g.k != k;
	}
	assert_in_range(pans, 1, 90000 / (10 * g.w / 2) + 1);
}

static void fit_shows_all_of_it(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct viewport g;
		int64_t t0 = below(1000000000), t1 = t0 + below(1000000);

		viewport_init(&g, 0, 1001000000, 20 + (int)below(280));
		viewport_fit(&g, t0, t1);
		if (viewport_begin(&g) > t0 || viewport_end(&g) < t1)
			fail_msg("%lld … %lld shows %lld … %lld", (long long)t0, (long long)t1,
			    (long long)viewport_begin(&g), (long long)viewport_end(&g));
		assert_true(g.c == 1 || g.c * g.w < 3 * (t1 - t0) + 100 * g.w);
	}
}

static void odd_runs(void **state)
{
	struct viewport g;

	(void)state;
	viewport_init(&g, 0, 0, 100); /* an empty run */
	assert_int_equal(g.c, 1);
	viewport_zoom(&g, 0, 5);
	viewport_zoom(&g, 0, -5);
	viewport_pan(&g, 1000);
	assert_true(viewport_end(&g) > 0);
	assert_int_equal(viewport_span(&g) >= 1, 1);
	viewport_init(&g, -TRACE_TIME_MAX, TRACE_TIME_MAX, 1);
	viewport_pan(&g, 5);
	viewport_init(&g, -TRACE_TIME_MAX, TRACE_TIME_MAX, 300);
	viewport_pan(&g, -1000);
	viewport_zoom(&g, -TRACE_TIME_MAX, 3);
	viewport_fit(&g, -TRACE_TIME_MAX, TRACE_TIME_MAX);
	assert_true(viewport_end(&g) > viewport_begin(&g));
}

/* --- ticks --- */

static int cols_of(const char *s)
{
	return utf8_cols(s, strlen(s));
}

static void ticks_never_touch(void **state)
{
	struct tick tick[TICKS_MAX];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t c = 1 + below(below(2) ? 1000 : INT64_C(2000000000000)),
			first = below(3) ? 0 : -c * 1000;
		struct viewport g = grid(first, c * 100000, 10 + (int)below(290), c, below(90000));
		int n = ticks_make(&g, below(2), tick, TICKS_MAX);
		int64_t step = n > 1 ? tick[1].t - tick[0].t : 0;

		for (int k = 0; k < n; k++) {
			assert_true(tick[k].x >= 0 && tick[k].x < g.w);
			assert_int_equal(viewport_column(&g, tick[k].t), tick[k].x);
			if (k && tick[k].x - tick[k - 1].x < cols_of(tick[k - 1].text) + 2)
				fail_msg("\"%s\" touches \"%s\" (%d, %d)", tick[k - 1].text, tick[k].text,
				    tick[k - 1].x, tick[k].x);
			if (k &&
			    (tick[k].t - tick[k - 1].t != step || !strcmp(tick[k].text, tick[k - 1].text)))
				fail_msg("after \"%s\" comes \"%s\"", tick[k - 1].text, tick[k].text);
		}
		if (step && units_step_125(step) != step)
			fail_msg("a tick every %lld ps", (long long)step);
	}
}

static void ticks_as_designed(void **state)
{
	static const char *const whole[] = { "0 s", "20 s", "40 s", "60 s", "80 s" };
	struct tick tick[TICKS_MAX];
	struct viewport g;
	char text[64];

	(void)state;
	viewport_init(&g, 0, 98645110000000, 87);
	assert_int_equal(ticks_make(&g, false, tick, TICKS_MAX), 5);
	for (int i = 0; i < 5; i++)
		assert_string_equal(tick[i].text, whole[i]);
	ticks_moment(&g, 19500538689510, false, text, sizeof text);
	assert_string_equal(text, "19.50 s");
	g = grid(0, 36610000000, 87, 10 * PS_PER_US, 956);
	assert_int_equal(ticks_make(&g, false, tick, TICKS_MAX), 5);
	assert_string_equal(tick[0].text, "9.6 ms");
	assert_string_equal(tick[2].text, "10.0 ms");
	ticks_moment(&g, 9705000000, false, text, sizeof text);
	assert_string_equal(text, "9.7050 ms");
	g = grid(0, 36610000000, 87, 100, 0);
	ticks_moment(&g, 1234, true, text, sizeof text);
	assert_string_equal(text, "1.234 ns");
	g = grid(0, 36610000000, 87, 10 * PS_PER_US / 100, 0);
	ticks_make(&g, true, tick, TICKS_MAX);
	assert_string_equal(tick[1].text, "2 us");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zoom_steps),
		cmocka_unit_test(floors),
		cmocka_unit_test(whole_run_fits),
		cmocka_unit_test(zoom_keeps_the_column),
		cmocka_unit_test(zoom_has_ends),
		cmocka_unit_test(pan_moves_by_columns),
		cmocka_unit_test(reveal_moves_little),
		cmocka_unit_test(few_moves_pan),
		cmocka_unit_test(fit_shows_all_of_it),
		cmocka_unit_test(odd_runs),
		cmocka_unit_test(ticks_never_touch),
		cmocka_unit_test(ticks_as_designed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
