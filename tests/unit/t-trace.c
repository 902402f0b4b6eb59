#include "config.h"
#include "model/dump.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mktrace.h"

static void columns_grow_and_keep(void **state)
{
	struct track t = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < 5000; i++) {
		assert_true(track_grow(&t, i + 1));
		assert_true(track_add(&t, (int64_t)i * 7, (int64_t)i, (uint32_t)i,
		    i < 3000 ? i : UINT64_C(3) << 32 | i));
	}
	assert_true(t.cap < 3 * t.n);
	track_trim(&t);
	assert_int_equal(t.cap, t.n);
	for (size_t i = 0; i < t.n; i++)
		assert_true(track_start(&t, i) == (int64_t)i * 7 && track_dur(&t, i) == (int64_t)i &&
		    track_meta(&t, i) == i);
	assert_int_equal(track_args(&t, 2999), 2999);
	assert_true(track_args(&t, 3000) == (UINT64_C(3) << 32 | 3000));
	assert_false(track_grow(&t, SIZE_MAX / 4)); /* refused without losing anything */
	assert_int_equal(t.cap, t.n);
	assert_int_equal(track_start(&t, 4999), 4999 * 7);
	track_free(&t);
}

static void lower_bound(void **state)
{
	struct track t = { .n = 0 };
	const int64_t start[] = { -5, 0, 0, 10, 20 };

	(void)state;
	assert_int_equal(track_lower(&t, 0), 0);
	assert_true(track_grow(&t, 5));
	for (size_t i = 0; i < 5; i++)
		assert_true(track_add(&t, start[i], 0, 0, 0));
	assert_int_equal(track_lower(&t, INT64_MIN), 0);
	assert_int_equal(track_lower(&t, -5), 0);
	assert_int_equal(track_lower(&t, 0), 1);
	assert_int_equal(track_lower(&t, 1), 3);
	assert_int_equal(track_lower(&t, 20), 4);
	assert_int_equal(track_lower(&t, 21), 5);
	track_free(&t);
}

static void plane_kinds(void **state)
{
	static const struct {
		const char *name;
		enum plane_kind kind;
		int core, sub;
	} cases[] = {
		{ "/device:TPU:0", PLANE_TPU, 0, -1 },
		{ "/device:TPU:127", PLANE_TPU, 127, -1 },
		{ "/device:TPU:3 SparseCore 1", PLANE_SPARSECORE, 3, 1 },
		{ "/device:TPU:3 SparseCore Tile 12", PLANE_SPARSECORE, 3, 12 },
		{ "/device:TPU:3 else", PLANE_OTHER, 3, -1 },
		{ "/device:TPU:99999999999", PLANE_OTHER, 999999999, -1 },
		{ "/device:GPU:7", PLANE_GPU, 7, -1 },
		{ "/device:CUSTOM:MOSAIC:1", PLANE_CUSTOM, -1, -1 },
		{ "/custom:x", PLANE_CUSTOM, -1, -1 },
		{ "#Chip 2 HBM", PLANE_CHIP, 2, -1 },
		{ "/host:CPU", PLANE_HOST, -1, -1 },
		{ "/host:CPU [17]", PLANE_HOST, -1, -1 },
		{ "/host:metadata", PLANE_META, -1, -1 },
		{ "Task Environment", PLANE_META, -1, -1 },
		{ "Syscalls", PLANE_HOST, -1, -1 },
		{ "Syscalls2", PLANE_OTHER, -1, -1 },
		{ "", PLANE_OTHER, -1, -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int core, sub;

		assert_int_equal(plane_kind_of(cases[i].name, strlen(cases[i].name), &core, &sub),
		    cases[i].kind);
		assert_int_equal(core, cases[i].core);
		assert_int_equal(sub, cases[i].sub);
	}
}

static void track_roles(void **state)
{
	(void)state;
	assert_int_equal(track_role_of("XLA Ops", 7), TRACK_OPS);
	assert_int_equal(track_role_of("XLA Ops", 6), TRACK_OTHER);
	assert_int_equal(track_role_of("Async XLA Ops", 13), TRACK_ASYNC);
	assert_int_equal(track_role_of("_counters_", 10), TRACK_COUNTERS);
	assert_int_equal(track_role_of("", 0), TRACK_OTHER);
}

static void counters(void **state)
{
	struct counter c = { .track = -1 };

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_int_equal(counter_add(&c, i, (i * 37) % 100 - 20), 0);
	assert_int_equal(c.n, 100);
	assert_true(c.min == -20 && c.max == 79);
	assert_true(c.t[99] == 99 && c.v[1] == 17);
	free(c.t);
	free(c.v);
}

static void spans_leave_out_what_is_derived(void **state)
{
	struct dump *d = dump_new();
	struct track t = { .file = 0, .n = 3, .untimed = 2, .first = -5, .last = 10 };

	(void)state;
	trace_span(&d->trace);
	assert_true(d->trace.first == 0 && d->trace.last == -1 && d->trace.events == 0);
	trace_add_track(&d->trace, &t);
	t = (struct track){ .file = -1, .n = 7, .first = 2, .last = 20 };
	trace_add_track(&d->trace, &t);
	t = (struct track){ .file = 0, .last = -1 };
	trace_add_track(&d->trace, &t);
	trace_span(&d->trace);
	assert_int_equal(d->trace.events, 5);
	assert_true(d->trace.first == -5 && d->trace.last == 20);
	dump_close(d);
}

static void problems_are_counted(void **state)
{
	struct problems *p = problems_new();

	(void)state;
	problem_add(p, PROBLEM_WARN, 0, 30, 2, "times %d", 1);
	problem_add(p, PROBLEM_WARN, 0, 20, 3, "times %d", 1);
	problem_add(p, PROBLEM_WARN, 1, 20, 1, "times %d", 1);
	problem_add(p, PROBLEM_NOTE, 1, ERR_NOWHERE, 9, "only a note");
	assert_int_equal(p->n, 3);
	assert_int_equal(p->v[0].count, 5);
	assert_int_equal(p->v[0].at, 20);
	assert_int_equal(problems_count(p, 0), 5);
	assert_int_equal(problems_count(p, 1), 1);
	assert_int_equal(problems_count(p, -1), 6);
	for (int i = 0; i < 2 * PROBLEM_MAX; i++)
		problem_add(p, PROBLEM_WARN, 2, 0, 1, "number %d", i);
	assert_int_equal(p->n, PROBLEM_MAX);
	assert_int_equal(problems_count(p, -1), 6 + 2 * PROBLEM_MAX);
	problems_free(p);
}

static void damage_is_not_lost_among_notes(void **state)
{
	struct dump *d = dump_new();

	(void)state;
	dump_add_file(d, &(struct file){ .path = (char[]){ "a" } });
	for (int i = 0; i < 2 * PROBLEM_MAX; i++)
		problem_add(d->problems, PROBLEM_NOTE, 0, 0, 1, "note %d", i);
	problem_add(d->problems, PROBLEM_WARN, 0, 0, 1, "odd");
	assert_int_equal(dump_status(d), EXIT_OK);
	problem_add(d->problems, PROBLEM_DAMAGE, 0, 0, 1, "broken");
	assert_int_equal(d->problems->n, PROBLEM_MAX);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	assert_int_equal(problems_count(d->problems, 0), 2);
	dump_close(d);
}

/* A sample that is not a number says nothing about the others. */
static void counters_without_numbers(void **state)
{
	struct counter c = { 0 };

	(void)state;
	assert_int_equal(counter_add(&c, 0, NAN), 0);
	assert_int_equal(counter_add(&c, 1, 3), 0);
	assert_int_equal(counter_add(&c, 2, NAN), 0);
	assert_int_equal(counter_add(&c, 3, -1), 0);
	assert_true(c.min < 0 && c.max > 2);
	free(c.t);
	free(c.v);
}

static void dump_keeps_copies(void **state)
{
	struct dump *d = dump_new();
	char path[] = "/somewhere/h0.xplane.pb";
	struct file f = { .path = path, .kind = FILE_XSPACE, .host = -1 };

	(void)state;
	assert_int_equal(dump_status(d), EXIT_NOTHING);
	assert_int_equal(dump_add_file(d, &f), 0);
	memset(path, 'x', sizeof path - 1);
	assert_string_equal(d->files[0].path, "/somewhere/h0.xplane.pb");
	assert_string_equal(d->files[0].base, "h0.xplane.pb");
	assert_int_equal(dump_host(d, "h0", 2), 0);
	assert_int_equal(dump_host(d, "h1", 2), 1);
	assert_int_equal(dump_host(d, "h0", 2), 0);
	strtab_ref(&d->str, "h2, in a file", 2);
	assert_int_equal(dump_host(d, "h2", 2), 2); /* its name is a C string all the same */
	assert_string_equal(strtab_str(&d->str, d->hosts[2].name), "h2");
	assert_int_equal(dump_status(d), EXIT_OK);
	problem_add(d->problems, PROBLEM_WARN, 0, 0, 1, "odd");
	assert_int_equal(dump_status(d), EXIT_OK);
	problem_add(d->problems, PROBLEM_DAMAGE, 0, 0, 1, "broken");
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	dump_close(d);
	dump_close(NULL);
}

static void every_kind_has_names(void **state)
{
	(void)state;
	for (int k = 0; k < FILE_KIND_COUNT; k++) {
		assert_non_null(file_kind_name((enum file_kind)k));
		assert_non_null(file_kind_label((enum file_kind)k));
		for (int j = 0; j < k; j++)
			assert_string_not_equal(file_kind_name((enum file_kind)k),
			    file_kind_name((enum file_kind)j));
	}
	assert_string_equal(file_kind_name(FILE_XSPACE), "xspace");
	assert_string_equal(file_kind_name(FILE_CHROME_JSON), "chrome_trace");
}

/* XSpaces are loaded together, and records become one. */
static void every_kind_that_opens_has_a_loader(void **state)
{
	static const bool loads[FILE_KIND_COUNT] = {
#define LOADER(id, function) [FILE_##id] = true,
#include "model/file_kinds.def"
	};

	(void)state;
	for (int k = 0; k < FILE_KIND_COUNT; k++)
		assert_int_equal(loads[k],
		    k == FILE_TEXT ||
			(file_kind_opens((enum file_kind)k) && file_kind_info[k].family != FILES_CAPTURE));
}

static void kinds_by_name(void **state)
{
	static const struct {
		const char *name;
		enum file_kind kind;
		size_t stem;
	} names[] = {
		{ "vm.xplane.pb", FILE_XSPACE, 2 },
		{ "vm.XPLANE.riegeli", FILE_RIEGELI, 2 },
		{ "vm.trace.json", FILE_CHROME_JSON, 2 },
		{ "vm.sstable", FILE_TRACE_TABLE, 2 },
		{ "vm.json", FILE_UNKNOWN, 7 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t stem;

		assert_int_equal(file_kind_named(slice_of(names[i].name), &stem), names[i].kind);
		assert_int_equal(stem, names[i].stem);
	}
}

/* Columns of some 26 MB, which moved several times on the way. */
static void large_columns_keep(void **state)
{
	const size_t n = 1000 * 1000;
	struct track t = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < n; i++) {
		assert_true(track_grow(&t, i + 1) && track_add(&t, (int64_t)i, (int64_t)i, (uint32_t)i, i));
		t.depth[i] = (uint8_t)i;
	}
	for (size_t i = 0; i < n; i++)
		assert_true(track_start(&t, i) == (int64_t)i && track_dur(&t, i) == (int64_t)i &&
		    track_meta(&t, i) == i && track_args(&t, i) == i && t.depth[i] == (uint8_t)i);
	track_free(&t);
}

struct plain {
	int64_t start, dur;
	uint32_t meta;
	uint64_t at;
};

/* numbers of any length, and all that are longer than a column is at first */
static struct plain any_event(size_t i)
{
	const int bits = i < 300 ? 30 : 63;

	return (struct plain){ .start = (int64_t)rnd(UINT64_C(1) << (1 + rnd((uint64_t)bits))) - 500,
		.dur = (int64_t)rnd(UINT64_C(1) << (1 + rnd((uint64_t)bits))),
		.meta = (uint32_t)rnd(UINT64_C(1) << (1 + rnd(i < 300 ? 14 : 32))),
		.at = rnd(UINT64_C(1) << (1 + rnd((uint64_t)bits))) };
}

static void expect_events(const struct track *t, const struct plain *v, size_t n)
{
	assert_int_equal(t->n, n);
	for (size_t i = 0; i < n; i++) {
		assert_true(track_start(t, i) == v[i].start && track_dur(t, i) == v[i].dur);
		assert_true(track_meta(t, i) == v[i].meta && track_args(t, i) == v[i].at);
		assert_int_equal(t->depth[i], i % 200);
	}
}

static void columns_get_as_wide_as_their_numbers(void **state)
{
	enum { N = 1000 };
	static struct plain v[N];

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct track t = { 0 };

		for (size_t i = 0; i < N; i++) {
			v[i] = any_event(i);
			assert_true(track_grow(&t, i + 1));
			assert_true(track_add(&t, v[i].start, v[i].dur, v[i].meta, v[i].at));
			t.depth[i] = (uint8_t)(i % 200);
			if (i == 299) /* few bytes are enough for small numbers */
				assert_int_equal(t.start.more.width + t.dur.width + t.meta.width +
					t.args.more.width,
				    15);
		}
		expect_events(&t, v, N);
		for (int k = 0; k < 500; k++) {
			size_t i = rnd(N);

			v[i] = any_event(N);
			track_set_time(&t, i, v[i].start, v[i].dur);
			track_set_meta(&t, i, v[i].meta);
			track_set_args(&t, i, v[i].at);
		}
		expect_events(&t, v, N);
		track_free(&t);
	}
}

/* Times of days and places in a file of terabytes need few bytes where neighbors are near, in any order. */
static void near_numbers_need_few_bytes(void **state)
{
	enum { N = 1000 };
	static struct plain v[N], back[N];
	static uint64_t room[N];
	static uint32_t order[N];

	(void)state;
	for (int down = 0; down < 2; down++) {
		struct track t = { 0 };

		for (size_t i = 0; i < N; i++) {
			const size_t k = down ? N - 1 - i : i;

			v[i] = (struct plain){ .start = (INT64_C(1) << 58) + (int64_t)k * 1000000,
				.dur = (int64_t)k,
				.meta = (uint32_t)k,
				.at = (UINT64_C(1) << 42) + k * 900 };
			assert_true(
			    track_grow(&t, i + 1) && track_add(&t, v[i].start, v[i].dur, v[i].meta, v[i].at));
			t.depth[i] = (uint8_t)(i % 200);
		}
		expect_events(&t, v, N);
		for (size_t i = 0; i < N; i++) {
			order[i] = (uint32_t)(N - 1 - i);
			back[i] = v[N - 1 - i];
		}
		track_reorder(&t, order, room);
		expect_events(&t, back, N);
		assert_int_equal(t.start.more.width, 5);
		assert_int_equal(t.args.more.width, 2);
		track_free(&t);
	}
}

/* any order of any numbers, also when columns get wider in the middle */
static void reorders_any_numbers(void **state)
{
	enum { N = 700 };
	static struct plain v[N], want[N];
	static uint64_t room[N];
	static uint32_t order[N];

	(void)state;
	for (int round = 0; round < 50; round++) {
		struct track t = { 0 };

		for (size_t i = 0; i < N; i++) {
			const bool far = round % 2 && i % 64 == 9; /* one of a step */

			v[i] = any_event(far ? N : 0);
			if (!far)
				v[i].at &= 0xffff;
			assert_true(
			    track_grow(&t, i + 1) && track_add(&t, v[i].start, v[i].dur, v[i].meta, v[i].at));
			t.depth[i] = (uint8_t)(i % 200);
			order[i] = (uint32_t)i;
		}
		for (size_t i = N; i-- > 1;) {
			const size_t k = rnd(i + 1);
			const uint32_t swap = order[i];

			order[i] = order[k];
			order[k] = swap;
		}
		for (size_t i = 0; i < N; i++)
			want[i] = v[order[i]];
		track_reorder(&t, order, room);
		expect_events(&t, want, N);
		track_free(&t);
	}
}

static void nothing_stays_of_room_that_was_not_needed(void **state)
{
	struct track t = { 0 };

	(void)state;
	assert_true(track_grow(&t, 1000));
	track_trim(&t);
	assert_int_equal(t.cap, 0);
	assert_true(track_grow(&t, 1) && track_add(&t, -7, 3, 70000, 0));
	assert_true(track_start(&t, 0) == -7 && track_dur(&t, 0) == 3 && track_meta(&t, 0) == 70000);
	track_free(&t);
}

static void expect_shifted(int64_t start, int64_t by, int64_t want)
{
	struct track t = { 0 };

	assert_true(track_grow(&t, 3) && track_add(&t, start, 7, 0, 0) && track_add(&t, start + 1, 0, 0, 0));
	track_shift(&t, by);
	assert_true(track_start(&t, 0) == want && track_dur(&t, 0) == 7);
	assert_true(track_start(&t, 1) == (want < INT64_MAX ? want + 1 : want));
	assert_true(track_add(&t, -want, 0, 0, 0) && track_start(&t, 2) == -want);
	track_free(&t);
}

static void starts_shift(void **state)
{
	(void)state;
	expect_shifted(0, -5, -5);
	expect_shifted(INT64_C(1792000000000000000), -INT64_C(1792000000000000000), 0);
	expect_shifted(-1000000000000000, INT64_C(1) << 60, (INT64_C(1) << 60) - 1000000000000000);
	expect_shifted(INT64_MAX - 9, 100, INT64_MAX);
	expect_shifted(INT64_MIN + 100, 1, INT64_MIN + 101);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_columns_keep),
		cmocka_unit_test(columns_grow_and_keep),
		cmocka_unit_test(columns_get_as_wide_as_their_numbers),
		cmocka_unit_test(near_numbers_need_few_bytes),
		cmocka_unit_test(reorders_any_numbers),
		cmocka_unit_test(nothing_stays_of_room_that_was_not_needed),
		cmocka_unit_test(starts_shift),
		cmocka_unit_test(lower_bound),
		cmocka_unit_test(plane_kinds),
		cmocka_unit_test(track_roles),
		cmocka_unit_test(counters),
		cmocka_unit_test(spans_leave_out_what_is_derived),
		cmocka_unit_test(problems_are_counted),
		cmocka_unit_test(damage_is_not_lost_among_notes),
		cmocka_unit_test(counters_without_numbers),
		cmocka_unit_test(dump_keeps_copies),
		cmocka_unit_test(every_kind_has_names),
		cmocka_unit_test(every_kind_that_opens_has_a_loader),
		cmocka_unit_test(kinds_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
