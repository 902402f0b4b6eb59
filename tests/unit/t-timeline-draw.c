/* What the timeline draws: the bar of the selected event, the lines of its details, times of the day. */
#include "config.h"

#include "../lib/mkspace.h"
#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "base/text/regex.h"
#include "base/text/units.h"

#define US PS_PER_US

/* Each op begins in the column where the previous one ends. */
static struct dump *sample(void)
{
	struct mktrace m = { 0 };

	mk_host(&m, "w-0");
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	mk_event(&m, "fusion.1", 0, 20500 * US);
	mk_event(&m, "copy-start.1", 20500 * US, 25000 * US);
	mk_event(&m, "while.38", 45500 * US, 30000 * US);
	mk_event(&m, "copy-done", 75500 * US, 11000 * US);
	return mk_done(&m);
}

/* A column is a millisecond. */
static void begin(bool mono)
{
	view_begin(sample(), 40, 120, mono);
	tl()->scene.port.whole = false;
	tl()->scene.port.c = 1000 * US;
	tl()->scene.port.k = 0;
	act(ACT_DOWN);
	act(ACT_OPEN);
}

/* The name of the selected bar is moved inside its brackets, and nothing of the old name remains. */
static void selected_bar(void **state)
{
	(void)state;
	begin(true);
	assert_true(shown("[fusion.1====="));
	act(ACT_RIGHT);
	assert_true(shown("[copy-start.1============]"));
	act(ACT_RIGHT);
	assert_true(shown("[while.38---------------------]"));
	act(ACT_RIGHT);
	assert_true(shown("[copy-done"));
	assert_false(shown("copy-donee"));
	act(ACT_BACK);
	assert_true(shown("copy-start.1===="));
	view_end();
}

/* A long HLO text takes two lines, and what bounds the op is shown in full. */
static void details(void **state)
{
	static const char hlo[] = "%fusion.1 = bf16[8,512,768]{2,1,0} fusion(bf16[8,511,16000] %fusion.155, "
				  "bf16[16000,768] %copy-done.5, bf16[16000,768] %copy-done.6)";
	struct mkspace s = { 0 };
	struct dump *d;

	(void)state;
	space_plane(&s, 1, "/device:TPU:0");
	space_plane_double(&s, "peak_teraflops_per_second", 400);
	space_plane_double(&s, "peak_hbm_bw_gigabytes_per_second", 1000);
	space_meta_int(&s, hlo, "flops", 2000000000);
	space_meta_int(&s, hlo, "bytes_accessed", 4000000);
	pb_s(&s.meta_pb[0], 4, "fusion.1"); /* the name to show */
	space_line(&s, 3, "XLA Ops");
	space_event(&s, hlo, 0, 10 * US);
	d = space_load(&s, 1);
	view_begin(d, 40, 120, false);
	act(ACT_DOWN);
	act(ACT_OPEN);
	assert_true(shown("ridge 400.0: compute bound"));
	assert_true(shown("\n HLO       bf16[8,512,768] fusion("));
	assert_true(shown("\n           %copy-done.6)"));
	view_close();
	space_close(d);
}

static void day(const char *utc)
{
	struct err err = { .at = ERR_NOWHERE };

	settings_set(&app.settings, SET_TIME, utc, SET_BY_USER, &err);
}

/* A pane that is open when times of day become known. */
static void utc_of_a_gap(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;

	(void)state;
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	mk_event(&m, "first", 0, 5 * US);
	mk_event(&m, "second", 9 * US, 5 * US);
	d = mk_done(&m);
	d->start_unix_ns = 1790003000000000000; /* 15:03:20 */
	view_begin(d, 40, 120, false);
	act(ACT_DOWN);
	view_timeline.act(&view, ACT_RIGHT, 2);
	act(ACT_CHAIN);
	assert_true(shown("gap 4.000 \xc2\xb5s before second: 5.000000 \xc2\xb5s to 9.000000 \xc2\xb5s"));
	day("utc");
	assert_true(shown("before second: 15:03:20.000005000000 UTC to 15:03:20.000009000000 UTC"));
	day("relative");
	assert_true(shown("before second: 5.000000 \xc2\xb5s to 9"));
	view_end();
}

/* All moments on the timeline are times of day; durations are unchanged. */
static void utc(void **state)
{
	struct err err = { .at = ERR_NOWHERE };
	struct regex *re = regex_new("copy", REGEX_SMART_CASE, &err);
	struct dump *d = sample();

	(void)state;
	d->start_unix_ns = 1790003000123456789; /* 15:03:20.123456789 */
	view_begin(d, 40, 120, false);
	act(ACT_DOWN);
	act(ACT_OPEN);
	act(ACT_RIGHT);
	assert_true(shown("start     20.500000000 ms"));
	day("utc");
	assert_true(shown("start     15:03:20.143956789000 UTC"));
	assert_true(shown("end       15:03:20.168956789000 UTC"));
	assert_true(shown("25.000 ms"));
	resize(24, 80);
	assert_true(shown("start 15:03:20.143956789000"));
	act(ACT_OPEN);
	assert_true(shown("2026-09-21 15:03:20.143956789000 UTC"));
	act(ACT_BACK);
	act(ACT_MARK);
	act(ACT_STATISTICS);
	assert_true(shown("15:03:20.143956789000  to  15:03:20.168956789000 UTC"));
	act(ACT_BACK);
	for (int wide = 0; wide < 2; wide++) {
		resize(wide ? 40 : 24, wide ? 120 : 80);
		view_timeline.find(&view, re, 0);
		finish();
		assert_true(shown("start UTC"));
		assert_true(shown("  15:03:20.143956789  "));
		assert_true(shown("  15:03:20.198956789  "));
		assert_true(shown("copy-start.1"));
	}
	day("relative");
	assert_true(shown("20.500000"));
	regex_free(re);
	view_end();
}

/* Long times are shown in full. */
static void narrow_start(void **state)
{
	struct mktrace m = { 0 };

	(void)state;
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	mk_event(&m, "first", 0, 5 * US);
	mk_event(&m, "copy-start.2", 19500543144963, 6250);
	view_begin(mk_done(&m), 24, 80, false);
	act(ACT_DOWN);
	view_timeline.act(&view, ACT_RIGHT, 2);
	assert_true(shown("start 19.500543144963 s"));
	view_end();
}

/* A folded host shows the mean of its cores, and what a filter leaves of them; hosts are told apart by the ends
 * of their names. */
static void folded_host(void **state)
{
	struct mktrace m = { 0 };
	struct err err = { .at = ERR_NOWHERE };
	const struct cells_column *c;
	char name[64];

	(void)state;
	for (int host = 0; host < 3; host++) {
		snprintf(name, sizeof name, "a-long-name-of-a-slice-w-%d", host);
		mk_host(&m, name);
		for (int core = 0; core < 2; core++) {
			snprintf(name, sizeof name, "/device:TPU:%d", core);
			mk_plane(&m, name);
			mk_track(&m, "XLA Ops");
			for (int i = 0; i < 100; i++) {
				mk_event(&m, "convolution.1", i * 100 * US, (core ? 50 : 0) * US);
				mk_event(&m, "all-reduce.1", i * 100 * US + 50 * US, 50 * US);
			}
		}
	}
	view_begin(mk_done(&m), 24, 80, false);
	assert_true(shown("slice-w-0"));
	assert_true(shown("slice-w-2"));
	tl()->scene.cursor.row = 0;
	act(ACT_FOLD);
	tl()->scene.port.whole = false;
	tl()->scene.port.c = 1000 * US;
	tl()->scene.port.k = 0;
	look();
	c = cells_row(&tl()->picture.cells, tl()->scene.rows.vis[0]);
	assert_int_equal(c[3].class, CLASS_COLLECTIVE);
	assert_int_equal(c[3].eighths, 6); /* 75 % */
	assert_true(view_timeline.filter(&view, "convolution", &err) > 0);
	finish();
	look();
	c = cells_row(&tl()->picture.cells, tl()->scene.rows.vis[0]);
	assert_true(c[3].hit && !c[3].dim);
	assert_int_equal(c[3].class, CLASS_MATMUL);
	assert_int_equal(c[3].eighths, 2); /* 25 % */
	view_end();
}

static uint32_t sign_at(int row, int col)
{
	const struct rect *plot = &tl()->scene.lay.plot;

	return canvas.cells[(size_t)(plot->y + row) * (size_t)canvas.cols + (size_t)(plot->x + col)].ch;
}

static int row_shown(uint32_t track)
{
	return (int)rows_find(&tl()->scene.rows, tl()->scene.rows.v[tl()->scene.rows.node_of[track]].id);
}

/* A flow whose ends are in view is a line along the row of its source, over empty cells only, and across the rows
 * to its end; where an end is not, the end of its row is marked. */
static void flow_lines(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	uint32_t top, middle, bottom;

	(void)state;
	mk_host(&m, "w-0");
	mk_plane(&m, "/host:CPU");
	top = mk_track(&m, "main/1");
	for (int i = 0; i < 9; i++)
		mk_event(&m, "enqueue", 10000 * US + i * 1000 * US, 500 * US);
	middle = mk_track(&m, "other/2");
	mk_event(&m, "work", 0, 60000 * US);
	bottom = mk_track(&m, "worker/3");
	for (int i = 0; i < 9; i++)
		mk_event(&m, "run", 40000 * US + i * 1000 * US, 500 * US);
	d = mk_done(&m);
	VEC_ADD(d->trace.edges, d->trace.nedges, d->trace.edges_cap,
	    (struct edge){ .src_track = top, .src = 8, .dst_track = bottom, .dst = 0 });
	view_begin(d, 40, 120, true);
	tl()->scene.port.whole = false;
	tl()->scene.port.c = 1000 * US;
	tl()->scene.port.k = 0;
	cursor_go_to_event(&tl()->scene, top, 8);
	finish();
	look();
	assert_int_equal(sign_at(row_shown(middle), 40), '|');
	assert_int_equal(sign_at(row_shown(bottom), tl()->scene.port.w), '>');
	act(ACT_LEFT);
	look();
	assert_int_not_equal(sign_at(row_shown(middle), 40), '|');
	act(ACT_RIGHT);
	tl()->scene.port.k = -50; /* its end is beyond the edge */
	look();
	assert_int_not_equal(sign_at(row_shown(middle), 90), '|');
	assert_int_equal(sign_at(row_shown(bottom), tl()->scene.port.w), '>');
	tl()->scene.port.k = 0;
	act(ACT_FLOW_NEXT);
	look();
	assert_int_equal(row_shown(middle), row_shown(top) + 1);
	assert_int_equal(sign_at(row_shown(top), 30), '-');
	assert_int_equal(sign_at(row_shown(top), 17), 'H'); /* what is there stays */
	assert_int_equal(sign_at(row_shown(middle), 40), '|');
	act(ACT_RIGHT);
	look();
	assert_int_not_equal(sign_at(row_shown(middle), 40), '|');
	view_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(selected_bar),
		cmocka_unit_test(details),
		cmocka_unit_test(utc),
		cmocka_unit_test(utc_of_a_gap),
		cmocka_unit_test(narrow_start),
		cmocka_unit_test(folded_host),
		cmocka_unit_test(flow_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
