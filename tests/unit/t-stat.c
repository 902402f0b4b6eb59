#include "config.h"
#include "model/stat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/dump.h"

static const struct stat_value values[] = {
	{ .name = "i", .name_id = 1, .name_len = 1, .type = STAT_INT, .i = -7, .u = (uint64_t)-7, .d = -7 },
	{ .name = "u", .name_id = 2, .name_len = 1, .type = STAT_UINT, .i = 9, .u = 9, .d = 9 },
	{ .name = "d", .name_len = 1, .type = STAT_DOUBLE, .d = 2.5 },
	{ .name = "s", .name_len = 1, .type = STAT_STR, .s = "some text", .n = 9 },
	{ .name = "n", .name_len = 1, .type = STAT_STR, .s = "0042", .n = 4 },
	{ .name = "x", .name_len = 1, .type = STAT_STR, .s = "-1.25e2", .n = 7 },
	{ .name = "h", .name_len = 1, .type = STAT_STR, .s = "12 apples", .n = 9 },
	{ .name = "i", .name_id = 1, .name_len = 1, .type = STAT_INT, .i = 1000 },
};

static void tell(stat_fn *fn, void *ctx)
{
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (!fn(ctx, &values[i]))
			return;
}

static void event(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	(void)d;
	(void)t;
	(void)i;
	tell(fn, ctx);
}

static void meta(const struct dump *d, uint32_t m, stat_fn *fn, void *ctx)
{
	(void)d;
	(void)m;
	tell(fn, ctx);
}

static const struct stat_reader reader = { .event = event, .meta = meta, .plane = meta };

static void integers_of_any_value(void **state)
{
	static const struct {
		struct stat_value v;
		int64_t want;
	} cases[] = {
		{ { .type = STAT_INT, .i = -7 }, -7 },
		{ { .type = STAT_DOUBLE, .d = 2.5 }, 2 },
		{ { .type = STAT_DOUBLE, .d = 1e300 }, INT64_MAX },
		{ { .type = STAT_DOUBLE, .d = -INFINITY }, INT64_MIN },
		{ { .type = STAT_DOUBLE, .d = NAN }, 0 },
		{ { .type = STAT_STR, .s = "42 and more", .n = 2 }, 42 },
		{ { .type = STAT_STR, .s = "99999999999999999999", .n = 20 }, INT64_MAX },
		{ { .type = STAT_STR, .s = "", .n = 0 }, 0 },
		{ { .type = STAT_BYTES, .s = "\0\1", .n = 2 }, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(stat_integer(&cases[i].v), cases[i].want);
}

static int setup(void **state)
{
	struct dump *d = dump_new();
	struct file f = { .path = (char *)(uintptr_t) "x", .stats = &reader };
	struct evmeta m = { .len = 1 };
	struct plane p = { .file = 0 };

	dump_add_file(d, &f);
	trace_add_meta(&d->trace, &m);
	m.len = 0;
	trace_add_meta(&d->trace, &m);
	trace_add_plane(&d->trace, &p);
	*state = d;
	return 0;
}

static int teardown(void **state)
{
	dump_close(*state);
	return 0;
}

static void integers(void **state)
{
	const struct dump *d = *state;
	int64_t i = 5;

	assert_true(stat_meta_int(d, 0, "i", &i));
	assert_int_equal(i, -7); /* the first of the name */
	assert_true(stat_meta_int(d, 0, "u", &i));
	assert_int_equal(i, 9);
	assert_true(stat_plane_int(d, 0, "n", &i)); /* a number written as text */
	assert_int_equal(i, 42);
	i = 5;
	assert_false(stat_plane_int(d, 0, "d", &i));
	assert_false(stat_plane_int(d, 0, "h", &i));
	assert_false(stat_plane_int(d, 0, "x", &i));
	assert_false(stat_plane_int(d, 0, "ii", &i));
	assert_int_equal(i, 5);
}

static void integers_of_an_event(void **state)
{
	static const strid names[] = { 2, 7, 1 };
	const struct dump *d = *state;
	struct track t = { .file = 0 };
	int64_t v[3] = { 5, 5, 5 };

	assert_true(track_grow(&t, 2) && track_add(&t, 0, 0, 0, 1) && track_add(&t, 0, 0, 0, 0));
	assert_int_equal(stats_event_ints(d, &t, 0, names, 3, v), 1u << 0 | 1u << 2);
	assert_int_equal(v[0], 9);
	assert_int_equal(v[1], 5);
	assert_int_equal(v[2], -7);
	assert_int_equal(stats_event_ints(d, &t, 1, names, 3, v), 0); /* the file has no more about it */
	assert_int_equal(stats_event_ints(d, &t, 2, names, 3, v), 0);
	track_free(&t);
}

static void doubles(void **state)
{
	const struct dump *d = *state;
	double v = 1;

	assert_true(stat_meta_double(d, 0, "d", &v));
	assert_true(v == 2.5);
	assert_true(stat_meta_double(d, 0, "i", &v));
	assert_true(v == -7);
	assert_true(stat_plane_double(d, 0, "x", &v));
	assert_true(v == -125);
	assert_false(stat_plane_double(d, 0, "s", &v));
	assert_true(v == -125);
}

static void texts(void **state)
{
	const struct dump *d = *state;
	char buf[16] = "before";

	assert_false(stat_meta_str(d, 0, "i", buf, sizeof buf));
	assert_false(stat_meta_str(d, 0, "", buf, sizeof buf));
	assert_string_equal(buf, "before");
	assert_true(stat_meta_str(d, 0, "s", buf, sizeof buf));
	assert_string_equal(buf, "some text");
	assert_true(stat_plane_str(d, 0, "s", buf, 5)); /* cut */
	assert_string_equal(buf, "some");
}

static bool count(void *ctx, const struct stat_value *v)
{
	(void)v;
	return ++*(int *)ctx < 3;
}

static void who_has_no_stats_has_none(void **state)
{
	const struct dump *d = *state;
	struct track derived = { .file = -1, .n = 1 }, t = { .file = 0, .n = 1 };
	int n = 0;

	stats_of_event(d, &derived, 0, count, &n);
	stats_of_event(d, &t, 1, count, &n);
	stats_of_meta(d, 1, count, &n); /* none in the file */
	stats_of_meta(d, 2, count, &n);
	stats_of_plane(d, 1, count, &n);
	assert_int_equal(n, 0);
	stats_of_plane(d, 0, count, &n);
	assert_int_equal(n, 3); /* stopped */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),
		cmocka_unit_test(integers_of_an_event),
		cmocka_unit_test(doubles),
		cmocka_unit_test(texts),
		cmocka_unit_test(who_has_no_stats_has_none),
		cmocka_unit_test(integers_of_any_value),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
