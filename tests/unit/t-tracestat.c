#include "config.h"
#include "analyze/events/tracestat.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"

enum { COUNT, TOTAL, SELF, MIN, MEAN, MAX, P50, P99, SHARE };

static const struct trace_filter everything = { .from = INT64_MIN, .to = INT64_MAX, .core = -1 };

/* Two cores: a while of 1000 with 10 fusions of 10, 20 … 100 inside, every 2000; core 1 has one such run,
 * core 0 two. */
static struct dump *make(void)
{
	struct mkspace s = { 0 };

	for (int core = 0; core < 2; core++) {
		space_plane(&s, 1 + core, core ? "/device:TPU:1" : "/device:TPU:0");
		space_line(&s, 1, "Steps");
		for (int run = 0; run < 2 - core; run++)
			space_event(&s, "marker", 2000 * run, 1500);
		space_line(&s, 3, "XLA Ops");
		for (int run = 0; run < 2 - core; run++) {
			space_event(&s, "while", 2000 * run, 1000);
			for (int i = 0; i < 10; i++)
				space_event(&s, "fusion", 2000 * run + 100 * i, 10 * (i + 1));
			space_event(&s, "copy", 2000 * run + 1600, 5);
		}
	}
	space_plane(&s, 9, "/host:CPU");
	space_line(&s, 1, "thread");
	space_event(&s, "work", 10, 7000);
	space_line(&s, 2, "thread");
	space_event(&s, "work", 20, 1000);
	return space_load(&s, 1);
}

static const struct cell *row_of(const struct table *t, const char *first)
{
	for (size_t i = 0; i < t->nrows; i++)
		if (t->cells[i * t->ncolumns].n == strlen(first) &&
		    !memcmp(t->cells[i * t->ncolumns].s, first, strlen(first)))
			return t->cells + i * t->ncolumns + (t->ncolumns - SHARE - 1);
	return NULL;
}

static void totals_by_name(void **state)
{
	struct dump *d = make();
	struct table t;
	uint64_t matched;
	const struct cell *c;

	(void)state;
	tracestat(d, NULL, &everything, GROUP_NAME, &t, &matched);
	assert_int_equal(matched, 3 * 12 + 3 + 2);
	assert_int_equal(t.nrows, 5);
	assert_memory_equal(t.cells[0].s, "work", 4); /* largest total first */
	c = row_of(&t, "fusion");
	assert_int_equal(c[COUNT].u.i, 30);
	assert_int_equal(c[TOTAL].u.i, 3 * 550);
	assert_int_equal(c[SELF].u.i, 3 * 550);
	assert_int_equal(c[MIN].u.i, 10);
	assert_int_equal(c[MAX].u.i, 100);
	assert_float_equal(c[MEAN].u.d, 55, 1e-12);
	assert_int_equal(c[P50].u.i, 50); /* 15th of 30 */
	assert_int_equal(c[P99].u.i, 100);
	c = row_of(&t, "while");
	assert_int_equal(c[TOTAL].u.i, 3000);
	assert_int_equal(c[SELF].u.i, 3 * 450);
	double share = 0;

	for (size_t i = 0; i < t.nrows; i++)
		share += t.cells[i * t.ncolumns + 1 + SHARE].u.d;
	assert_float_equal(share, 1, 1e-12);
	table_free(&t);
	space_close(d);
}

static void tracks_with_one_name_are_one_row(void **state)
{
	struct dump *d = make();
	struct table t;
	uint64_t matched;

	(void)state;
	tracestat(d, NULL, &everything, GROUP_TRACK, &t, &matched);
	assert_int_equal(t.nrows, 5); /* Steps and Ops of two cores, "thread" */
	assert_memory_equal(t.cells[2].s, "thread", 6);
	assert_int_equal(t.cells[3 + COUNT].u.i, 2);
	assert_int_equal(t.cells[3 + TOTAL].u.i, 8000);
	table_free(&t);
	space_close(d);
}

static void totals_by_step_and_what_is_in_none(void **state)
{
	struct trace_filter f = everything;
	struct dump *d = make();
	struct err e = { 0 };
	struct regex *ops = regex_new("XLA Ops", REGEX_AS_WRITTEN, &e);
	struct steps steps;
	struct table t;
	uint64_t matched;

	(void)state;
	f.track = ops;
	steps_find(d, &steps);
	tracestat(d, &steps, &f, GROUP_STEP, &t, &matched);
	assert_int_equal(matched, 36);
	assert_int_equal(t.nrows, 3);
	assert_int_equal(row_of(&t, "0")[COUNT].u.i, 22); /* both cores */
	assert_int_equal(row_of(&t, "1")[COUNT].u.i, 11);
	assert_int_equal(t.cells[2 * t.ncolumns].type, CELL_NULL);
	assert_int_equal(t.cells[2 * t.ncolumns + 1 + COUNT].u.i, 3);
	table_free(&t);

	f.step = "1";
	tracestat(d, &steps, &f, GROUP_NAME, &t, &matched);
	assert_int_equal(matched, 11);
	table_free(&t);
	steps_free(&steps);
	regex_free(ops);
	space_close(d);
}

static uint64_t count(const struct dump *d, const struct trace_filter *f)
{
	struct trace_pick pick;
	uint64_t n;

	tracestat_pick_init(&pick, d, NULL, f);
	n = tracestat_pick_count(&pick);
	tracestat_pick_free(&pick);
	return n;
}

static void filters(void **state)
{
	struct dump *d = make();
	struct trace_filter f = everything;
	struct err e = { 0 };
	struct regex *name = regex_new("^(copy|while)$", REGEX_AS_WRITTEN, &e);
	struct trace_pick pick;
	struct trace_walk w;
	uint32_t ops = space_track(d, "XLA Ops", 0);

	(void)state;
	assert_int_equal(count(d, &f), 41);
	f.core = 1;
	assert_int_equal(count(d, &f), 13);
	f.name = name;
	assert_int_equal(count(d, &f), 2);
	f.core = -1;
	assert_int_equal(count(d, &f), 6);
	f.from = 2500; /* overlaps [from, to): the second while still runs */
	f.to = 3600;
	assert_int_equal(count(d, &f), 1);
	f.to = 3601;
	assert_int_equal(count(d, &f), 2);
	f.from = 3000; /* ends exactly there: not included */
	assert_int_equal(count(d, &f), 1);
	f.host = "nobody";
	assert_int_equal(count(d, &f), 0);

	f = everything;
	f.name = name;
	tracestat_pick_init(&pick, d, NULL, &f);
	tracestat_walk_begin(&w, &pick, ops);
	for (int run = 0; run < 2; run++) {
		assert_int_equal(track_start(w.track, w.i), 2000 * run);
		tracestat_walk_next(&w);
		assert_int_equal(track_start(w.track, w.i), 2000 * run + 1600);
		tracestat_walk_next(&w);
	}
	assert_int_equal(w.i, w.track->n);
	tracestat_pick_free(&pick);
	regex_free(name);
	space_close(d);
}

static void self_leaves_out_children_that_do_not_pass(void **state)
{
	struct dump *d = make();
	struct trace_filter f = everything;
	struct err e = { 0 };
	struct regex *name = regex_new("while", REGEX_AS_WRITTEN, &e);
	struct table t;
	uint64_t matched;

	(void)state;
	f.name = name;
	tracestat(d, NULL, &f, GROUP_NAME, &t, &matched);
	assert_int_equal(matched, 3);
	assert_int_equal(row_of(&t, "while")[SELF].u.i, 3 * 450);
	table_free(&t);
	regex_free(name);
	space_close(d);
}

static void ranks_are_nearest_ranks(void **state)
{
	struct mkspace s = { 0 };
	struct dump *d;
	struct table t;
	uint64_t matched;

	(void)state;
	space_plane(&s, 1, "/host:CPU");
	space_line(&s, 1, "a");
	for (int i = 0; i < 1000; i++) /* 1 … 1000 in a mixed order */
		space_event(&s, "x", 2000 * i, 1 + i * 7919 % 1000);
	d = space_load(&s, 1);
	tracestat(d, NULL, &everything, GROUP_NAME, &t, &matched);
	assert_int_equal(row_of(&t, "x")[P50].u.i, 500);
	assert_int_equal(row_of(&t, "x")[P99].u.i, 990);
	assert_int_equal(row_of(&t, "x")[MIN].u.i, 1);
	assert_int_equal(row_of(&t, "x")[MAX].u.i, 1000);
	table_free(&t);
	space_close(d);
}

/* Sums the parts inside [from, to) of the events with a name, or of all. */
static int64_t parts(const struct dump *d, const char *name, int64_t from, int64_t to, int64_t *n)
{
	int64_t sum = 0;

	*n = 0;
	for (uint32_t k = 0; k < d->trace.ntracks; k++) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; i < t->n; i++) {
			int64_t a = track_start(t, i), b = track_end(t, i);

			if (b <= from || a >= to ||
			    (name && !slice_is(dump_text(d, d->trace.metas[track_meta(t, i)].name), name)))
				continue;
			sum += (b < to ? b : to) - (a > from ? a : from);
			++*n;
		}
	}
	return sum;
}

static void is_sum(const struct table *t, const char *first, int64_t n, int64_t sum)
{
	const struct cell *c = row_of(t, first);

	assert_true(!c == !n);
	assert_int_equal(c ? c[COUNT].u.i : 0, n);
	assert_int_equal(c ? c[TOTAL].u.i : 0, sum);
}

static void intervals_count_the_parts_inside(void **state)
{
	static const char *const names[] = { "marker", "while", "fusion", "copy", "work" };
	struct dump *d = make();
	struct trace_filter f = everything;
	struct err e = { 0 };
	struct regex *any = regex_new(".", REGEX_AS_WRITTEN, &e);
	struct table t;
	uint64_t matched;
	int64_t n, sum;

	(void)state;
	for (f.from = 0; f.from < 7200; f.from += 130)
		for (f.to = f.from + 1; f.to < 7200; f.to += 450)
			for (int filtered = 0; filtered < 2; filtered++) {
				f.name = filtered ? any : NULL;
				tracestat(d, NULL, &f, GROUP_NAME, &t, &matched);
				for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
					sum = parts(d, names[i], f.from, f.to, &n);
					is_sum(&t, names[i], n, sum);
				}
				table_free(&t);
				parts(d, NULL, f.from, f.to, &n);
				assert_int_equal(matched, n);
				tracestat(d, NULL, &f, GROUP_TRACK, &t, &matched);
				assert_int_equal(matched, n);
				table_free(&t);
			}
	regex_free(any);
	space_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_by_name),
		cmocka_unit_test(tracks_with_one_name_are_one_row),
		cmocka_unit_test(totals_by_step_and_what_is_in_none),
		cmocka_unit_test(filters),
		cmocka_unit_test(self_leaves_out_children_that_do_not_pass),
		cmocka_unit_test(intervals_count_the_parts_inside),
		cmocka_unit_test(ranks_are_nearest_ranks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
