/* The rows of the timeline: their order, what is folded, and what is kept when they are made again. */
#include "config.h"

#include "view/timeline/rows/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "../lib/mktrace.h"

static struct rows rows;
static struct capture *cap;

/* Rows on screen, one per line: indent, fold mark, name, ×members. */
static const char *listed(void)
{
	static char out[8192];
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; i < rows.nvis; i++) {
		const struct rows_node *v = &rows.v[rows.vis[i]];

		n += (size_t)snprintf(out + n, sizeof out - n, "%*s%s%.*s", v->level * 2, "",
		    v->foldable ? v->folded ? "+" : "-" : "", (int)v->len, v->name);
		if (v->members > 1)
			n += (size_t)snprintf(out + n, sizeof out - n, " x%u", v->members);
		n += (size_t)snprintf(out + n, sizeof out - n, "\n");
	}
	return out;
}

static uint32_t node(const char *name)
{
	for (uint32_t i = 0; i < rows.n; i++)
		if (rows.v[i].len == strlen(name) && !memcmp(rows.v[i].name, name, rows.v[i].len))
			return i;
	fail_msg("no row \"%s\"", name);
	return ROWS_NONE;
}

static void core(struct mktrace *m, const char *name)
{
	mk_plane(m, name);
	mk_track(m, "XLA Ops");
	mk_event(m, "while.1", 100, 800);
	mk_event(m, "fusion.1", 100, 300);
	mk_event(m, "fusion.2", 500, 300);
	mk_track(m, "XLA Modules");
	mk_event(m, "jit_f(1)", 100, 800);
	mk_track(m, "Steps");
	mk_event(m, "7", 90, 900);
	mk_track(m, "Overlay");
}

static void threads(struct mktrace *m)
{
	static const char *const names[] = { "pool/1", "main/7", "pool/12", "idle/3", "pool/2" };

	mk_plane(m, "/host:CPU");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		mk_track(m, names[i]);
		mk_event(m, "Execute", 10, *names[i] == 'i' ? 1 : 100);
		if (*names[i] == 'm')
			mk_event(m, "Inner", 20, 10);
	}
}

static void build(struct dump *d, int host)
{
	if (!cap)
		cap = capture_of(d, 1);
	cap->scope.host = host;
	rows_build(&rows, cap);
}

static void teardown_dump(void)
{
	rows_free(&rows);
	capture_close(cap);
	cap = NULL;
}

static void one_host(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;

	(void)state;
	mk_host(&m, "a-host-with-a-long-name");
	threads(&m);
	core(&m, "/device:TPU:10");
	core(&m, "/device:TPU:2");
	core(&m, "/device:TPU:2 SparseCore 1");
	mk_plane(&m, "#Chip HBM 0");
	mk_track(&m, "busy");
	mk_event(&m, "x", 5, 5);
	mk_plane(&m, "/host:metadata");
	d = mk_done(&m);
	build(d, -1);
	assert_string_equal(listed(),
	    "-TPU:2\n"
	    "  XLA Modules\n"
	    "  -XLA Ops\n"
	    "    depth 1\n"
	    "+TPU:2 SparseCore 1\n"
	    "+TPU:10\n"
	    "+Chip HBM 0\n"
	    "-host x5\n"
	    "  +main\n"
	    "  +pool x3\n"
	    "  idle\n");
	assert_int_equal(rows.ndevice, 2);
	assert_int_equal(rows.events, d->trace.events);
	teardown_dump();
}

/* Too many cores for a screen: the hosts are folded. */
static void many_hosts(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	char name[32];

	(void)state;
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "w-%d", i);
		mk_host(&m, name);
		for (int k = 0; k < 30; k++) {
			snprintf(name, sizeof name, "/device:TPU:%d", k);
			core(&m, name);
		}
	}
	d = mk_done(&m);
	build(d, -1);
	assert_string_equal(listed(), "+w-0\n+w-1\n+w-2\n");
	teardown_dump();
}

static void several_hosts(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	char name[16];

	(void)state;
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "w-%d", i);
		mk_host(&m, name);
		core(&m, "/device:TPU:0");
		threads(&m);
	}
	d = mk_done(&m);
	build(d, -1);
	/* open with folded cores, so that all cores are seen side by side */
	assert_string_equal(listed(),
	    "-w-0\n  +TPU:0\n  +host x5\n-w-1\n  +TPU:0\n  +host x5\n-w-2\n  +TPU:0\n  +host x5\n");
	assert_int_not_equal(rows.v[node("w-1")].steps, ROWS_NONE);
	rows_fold(&rows, node("w-0"), true);
	rows_show(&rows);
	assert_string_equal(listed(), "+w-0\n-w-1\n  +TPU:0\n  +host x5\n-w-2\n  +TPU:0\n  +host x5\n");
	build(d, 1); /* one host chosen */
	assert_string_equal(listed(),
	    "-TPU:0\n  XLA Modules\n  -XLA Ops\n    depth 1\n-host x5\n  +main\n  +pool x3\n  idle\n");
	assert_int_equal(rows.events, d->trace.events / 3);
	teardown_dump();
}

static void lanes(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;

	(void)state;
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "Async XLA Ops");
	for (int i = 0; i < 5; i++)
		mk_event(&m, "copy-start", 10 * i, 100);
	mk_track(&m, "XLA Ops");
	for (int i = 0; i < 2; i++)
		mk_event(&m, "fusion", 10 * i, 100);
	d = mk_done(&m);
	build(d, -1);
	assert_string_equal(listed(), "-TPU:0\n  -XLA Ops\n    \xe2\x89\x88 lane 2\n  +Async XLA Ops\n");
	rows_fold(&rows, node("Async XLA Ops"), false);
	rows_show(&rows);
	assert_string_equal(listed(),
	    "-TPU:0\n  -XLA Ops\n    \xe2\x89\x88 lane 2\n  -Async XLA Ops\n    lane 2\n    +lanes 3-5\n");
	rows_fold(&rows, node("lanes 3-5"), false);
	rows_show(&rows);
	assert_string_equal(listed(),
	    "-TPU:0\n  -XLA Ops\n    \xe2\x89\x88 lane 2\n  -Async XLA Ops\n    "
	    "lane 2\n    -lanes 3-5\n      lane 3\n      lane 4\n      lane 5\n");
	teardown_dump();
}

static void folds_survive(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	uint64_t id;
	size_t place;

	(void)state;
	core(&m, "/device:TPU:0");
	core(&m, "/device:TPU:1");
	threads(&m);
	d = mk_done(&m);
	build(d, -1);
	rows_fold(&rows, node("TPU:0"), true);
	rows_fold(&rows, node("TPU:1"), false);
	rows_fold(&rows, node("pool"), false);
	build(d, -1);
	assert_string_equal(listed(),
	    "+TPU:0\n-TPU:1\n  XLA Modules\n  -XLA Ops\n    depth 1\n-host x5\n  "
	    "+main\n  -pool x3\n    1\n    2\n    12\n  idle\n");
	id = rows.v[node("pool")].id;
	rows_fold(&rows, node("host"), true);
	build(d, -1);
	place = rows_find(&rows, id); /* hidden now: finds the section around it */
	assert_int_equal(rows.vis[place], node("host"));
	teardown_dump();
}

static void rows_of_events(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	uint32_t ops, at;

	(void)state;
	core(&m, "/device:TPU:0");
	core(&m, "/device:TPU:1");
	ops = m.track - 3;
	d = mk_done(&m);
	build(d, -1);
	at = rows_of_event(&rows, &d->trace, ops, 1); /* inside the while loop, in a folded core */
	assert_int_equal(rows.v[at].kind, NODE_ROW);
	assert_int_equal(rows.v[at].row, 1);
	assert_false(rows.v[rows.v[rows.v[at].parent].parent].folded);
	assert_int_equal(rows.vis[rows_find(&rows, rows.v[at].id)], at);
	at = rows_of_event(&rows, &d->trace, ops, 0);
	assert_int_equal(rows.v[at].kind, NODE_TRACK);
	/* an empty line has no row */
	assert_int_equal(rows_of_event(&rows, &d->trace, m.track, 0), ROWS_NONE);
	teardown_dump();
}

static void unions(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	uint32_t host, pool;

	(void)state;
	threads(&m);
	d = mk_done(&m);
	build(d, -1);
	pool = node("pool"); /* few events: united at once */
	assert_int_not_equal(rows.v[pool].track, ROWS_NONE);
	assert_int_equal(cap->dump->trace.tracks[rows.v[pool].track].n, 1);
	host = node("host");
	assert_true(rows_want_union(&rows, host));
	assert_false(rows_want_union(&rows, node("idle")));
	assert_true(rows_make_union(&rows, cap, host));
	assert_false(rows_want_union(&rows, host));
	build(d, -1); /* made only once */
	assert_false(rows_want_union(&rows, node("host")));
	assert_int_not_equal(rows.v[node("host")].track, ROWS_NONE);
	teardown_dump();
}

static void counters(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	char name[24];

	(void)state;
	core(&m, "/device:TPU:0");
	mk_counter(&m, "HBM in use", "bytes", 5, 1e9);
	mk_plane(&m, "#Chip 0");
	for (int i = 0; i < 6; i++) {
		snprintf(name, sizeof name, "link %d", i);
		mk_counter(&m, name, "", 5, 1);
	}
	d = mk_done(&m);
	build(d, -1);
	rows_fold(&rows, node("Chip 0"), false);
	rows_show(&rows);
	assert_string_equal(listed(),
	    "-TPU:0\n  XLA Modules\n  -XLA Ops\n    depth 1\n  HBM in use\n-Chip 0\n  +counters\n");
	assert_int_equal(rows.v[node("counters")].end - node("counters"), 7);
	assert_int_equal(rows.v[node("counters")].members, 0); /* the row has no tracks */
	assert_false(rows_want_union(&rows, node("counters")));
	rows_fold(&rows, node("counters"), false);
	rows_show(&rows);
	assert_int_equal(rows.nvis, 13);
	teardown_dump();
}

static void nothing(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d = mk_done(&m);

	(void)state;
	build(d, -1);
	assert_int_equal(rows.nvis, 0);
	assert_int_equal(rows_find(&rows, 1), 0);
	teardown_dump();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_host),
		cmocka_unit_test(several_hosts),
		cmocka_unit_test(many_hosts),
		cmocka_unit_test(lanes),
		cmocka_unit_test(folds_survive),
		cmocka_unit_test(rows_of_events),
		cmocka_unit_test(unions),
		cmocka_unit_test(counters),
		cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
