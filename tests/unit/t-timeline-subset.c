/* What a search and the filter leave of a row: its share of each column and its color, on rows of their own,
 * on a folded track, on a group of threads; and that it is shown for tracks too large for one frame. */
#include "config.h"

#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "base/text/regex.h"

#define US PS_PER_US

static void filter(const char *text)
{
	struct err err = { .at = ERR_NOWHERE };

	assert_true(view_timeline.filter(&view, text, &err) >= 0);
	finish();
	look();
}

static void search(const char *text)
{
	struct regex *re = query_regex(text, NULL);

	assert_true(view_timeline.find(&view, re, 0) > 0);
	finish();
	look();
	regex_free(re);
}

/* Columns of `c` ps from time 0 on. */
static void columns(int64_t c)
{
	tl()->scene.port.whole = false;
	tl()->scene.port.c = c;
	tl()->scene.port.k = 0;
	look();
}

static const struct cells_column *row_of(const char *name)
{
	for (size_t i = 0; i < tl()->scene.rows.nvis; i++)
		if (!strncmp(scene_node(&tl()->scene, i)->name, name, strlen(name)))
			return cells_row(&tl()->picture.cells, tl()->scene.rows.vis[i]);
	return NULL;
}

/* Per 100 us: 60 us of matmul, 25 us of a collective, 5 us of a copy. */
static struct dump *mixed(size_t n)
{
	struct mktrace m = { 0 };

	mk_host(&m, "w-0");
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	for (size_t i = 0; i < n; i++) {
		int64_t at = (int64_t)i * 100 * US;

		mk_event(&m, "convolution.1", at, 60 * US);
		mk_event(&m, "all-reduce.2", at + 60 * US, 25 * US);
		mk_event(&m, "copy.3", at + 90 * US, 5 * US);
	}
	return mk_done(&m);
}

static void expect(const struct cells_column *c, int class, int eighths)
{
	assert_true(c->hit && !c->dim && !c->big);
	assert_int_equal(c->class, class);
	assert_int_equal(c->eighths, eighths);
}

static void share_and_color_of_hits(void **state)
{
	(void)state;
	view_begin(mixed(400), 40, 120, false);
	columns(1000 * US);
	assert_int_equal(row_of("XLA Ops")[3].class, CLASS_MATMUL);
	assert_int_equal(row_of("XLA Ops")[3].eighths, 7);
	filter("all-reduce");
	expect(&row_of("XLA Ops")[3], CLASS_COLLECTIVE, 2);
	filter("cat=collective dur>30us"); /* none of them */
	assert_true(row_of("XLA Ops")[3].dim);
	filter("convolution|copy");
	expect(&row_of("XLA Ops")[3], CLASS_MATMUL, 5);
	search("copy"); /* both: what passes the filter and is a hit */
	expect(&row_of("XLA Ops")[3], CLASS_COPY, 0);
	filter("");
	expect(&row_of("XLA Ops")[3], CLASS_COPY, 0);
	view_timeline.find(&view, NULL, 0);
	look();
	assert_false(row_of("XLA Ops")[3].hit);
	assert_int_equal(row_of("XLA Ops")[3].class, CLASS_MATMUL);
	view_end();
}

/* Zoomed in, what is left keeps its bar and the rest is dim. */
static void bars_stay(void **state)
{
	const struct cells_column *c;

	(void)state;
	view_begin(mixed(400), 40, 120, false);
	filter("all-reduce");
	columns(5 * US);
	c = row_of("XLA Ops");
	assert_true(c[3].dim && c[13].hit);
	assert_int_equal(c[13].big, 2);
	view_end();
}

/* A track with too many events for one frame is drawn in full until its subset is made. */
static void large_tracks(void **state)
{
	struct err err = { .at = ERR_NOWHERE };

	(void)state;
	view_begin(mixed(40000), 40, 120, false);
	columns(1000 * US);
	assert_true(view_timeline.filter(&view, "all-reduce", &err) > 0);
	while (filter_step(&tl()->filter, 10))
		;
	look();
	assert_false(row_of("XLA Ops")[3].hit || row_of("XLA Ops")[3].dim);
	assert_int_equal(row_of("XLA Ops")[3].class, CLASS_MATMUL);
	finish();
	look();
	expect(&row_of("XLA Ops")[3], CLASS_COLLECTIVE, 2);
	view_end();
}

/* Time of column x in which a hit is open: all of them for row -1, else those of a row. */
static int64_t open_time(const struct track *k, strid name, int row, int64_t t0, int64_t t1)
{
	const struct trace *trace = &app.cap->dump->trace;
	int64_t sum = 0;

	for (int64_t t = t0; t < t1; t += US) {
		bool open = false;

		for (size_t i = 0; i < k->n && track_start(k, i) <= t; i++)
			open |= trace->metas[track_meta(k, i)].name == name && track_end(k, i) > t &&
			    (row < 0 || track_row(k, i) == row);
		sum += open ? US : 0;
	}
	return sum;
}

static void check_columns(const struct track *k, strid name, int row, const struct cells_column *c)
{
	for (int x = 0; x < 60; x++) {
		int64_t busy = open_time(k, name, row, x * 20 * US, (x + 1) * 20 * US);

		assert_int_equal(c[x].hit, busy > 0);
		assert_int_equal(c[x].dim, !busy);
		if (busy && !c[x].big)
			assert_int_equal(c[x].eighths, 8 * busy / (20 * US));
	}
}

/* Nested and overlapping events, some of which have hits inside and around them. */
static void agrees_with_the_events(void **state)
{
	static const char *const names[] = { "alpha", "beta", "gamma" };

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct mktrace m = { 0 };
		const struct track *k;
		uint32_t track, node;
		strid name;

		mk_host(&m, "w-0");
		mk_plane(&m, "/device:TPU:0");
		track = mk_track(&m, round % 2 ? "Async XLA Ops" : "XLA Ops");
		for (int i = 0; i < 100; i++)
			mk_event(&m, names[rnd(3)], (int64_t)rnd(1150) * US,
			    (int64_t)(1 + rnd(round % 2 ? 40 : 9)) * US);
		view_begin(mk_done(&m), 60, 120, false);
		k = &app.cap->dump->trace.tracks[track];
		name = strtab_find(&app.cap->dump->str, "beta", 4);
		filter("^beta$");
		columns(20 * US);
		node = tl()->scene.rows.node_of[track];
		for (int folded = 1; folded >= 0; folded--) {
			rows_fold(&tl()->scene.rows, node, folded);
			rows_show(&tl()->scene.rows);
			tl()->scene.changes.rows++;
			look();
			for (uint32_t i = node; i < tl()->scene.rows.v[node].end; i++) {
				const struct rows_node *v = &tl()->scene.rows.v[i];
				const struct cells_column *c = cells_row(&tl()->picture.cells, i);
				struct rows_source s = rows_source(v);

				if (c && s.track == track && s.rows == 1)
					check_columns(k, name, k->rows > 1 ? s.row : -1, c);
			}
		}
		view_end();
	}
}

/* A group of threads shows what is left of all of them. */
static void groups_of_threads(void **state)
{
	struct mktrace m = { 0 };

	(void)state;
	mk_host(&m, "w-0");
	mk_plane(&m, "/host:CPU");
	for (int i = 0; i < 3; i++) {
		char name[32];

		snprintf(name, sizeof name, "pool/%d", i);
		mk_track(&m, name);
		for (int j = 0; j < 100; j++) {
			mk_event(&m, "work", j * 100 * US, 90 * US);
			mk_event(&m, "find me", j * 100 * US + i * 20 * US, 10 * US);
		}
	}
	view_begin(mk_done(&m), 40, 120, false);
	columns(1000 * US);
	assert_non_null(row_of("pool"));
	filter("find me");
	expect(&row_of("pool")[3], CLASS_HOST, 2);
	view_end();
}

/* Of all that the minimap, the gutter and the table sum up, only what passes the filter is left. */
static void sums(void **state)
{
	const struct minimap *map;
	double all[CLASS_COUNT] = { 0 };

	(void)state;
	view_begin(mixed(100), 40, 120, true);
	assert_true(shown("  90.0|")); /* of 100 times 100 us, and busy for 90 us of each */
	map = &tl()->picture.map;
	filter("all-reduce");
	for (int x = 0; x < map->port.w; x++)
		for (int c = 0; c < CLASS_COUNT; c++)
			all[c] += map->busy[x * CLASS_COUNT + c];
	assert_true(all[CLASS_COLLECTIVE] == 100 * 25 * US);
	assert_true(all[CLASS_MATMUL] == 0 && all[CLASS_COPY] == 0);
	assert_true(shown("& busy %"));
	assert_true(shown("  25.0|"));
	assert_int_equal(tl()->inview.shown.nnames, 1);
	assert_int_equal(tl()->inview.shown.class_ps[CLASS_COLLECTIVE], 100 * 25 * US);
	act(ACT_BACK);
	assert_true(shown("  90.0|"));
	assert_int_equal(tl()->inview.shown.nnames, 3);
	view_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums),
		cmocka_unit_test(share_and_color_of_hits),
		cmocka_unit_test(bars_stay),
		cmocka_unit_test(large_tracks),
		cmocka_unit_test(agrees_with_the_events),
		cmocka_unit_test(groups_of_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
