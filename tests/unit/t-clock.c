#include "config.h"
#include "analyze/trace/clock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "../lib/sametrack.h"
#include "analyze/trace/derive.h"
#include "model/lod.h"

#define MS 1000000000LL
#define RUNS 200
#define SLOPE 1.000015
#define SHIFT 70000000LL

/* Runs of a module, 10 ms each on the device: a copy-start, a copy-done of 6 ms, a fusion of 3 ms, an async
 * copy from start to done.  The plain times are the device's on a straight line; in two of three runs the
 * copy-done is late by up to 4 ms and the fusion after it is squeezed to nothing. */
static int64_t on_line(int64_t device)
{
	return llround((double)device * SLOPE) + SHIFT;
}

static void plain_of_run(int run, int64_t at, int64_t start[3], int64_t dur[3])
{
	int64_t late = run % 3 ? (run * 37 % 38) * MS / 10 : 0;

	start[0] = on_line(at);
	dur[0] = 5000;
	start[1] = on_line(at + 10000);
	dur[1] = 6 * MS + late;
	start[2] = late ? start[1] + dur[1] : on_line(at + 10000 + 6 * MS);
	dur[2] = late ? 0 : 3 * MS;
}

static struct dump *make(bool jitter)
{
	static const char *const names[3] = { "copy-start", "copy-done", "fusion" };
	static const int64_t from[3] = { 0, 10000, 10000 + 6 * MS }, length[3] = { 5000, 6 * MS, 3 * MS };
	struct mkspace s = { 0 };
	int64_t start[3], dur[3];

	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 2, "XLA Modules");
	for (int run = 0; run < RUNS; run++) {
		plain_of_run(jitter ? run : 0, 20 * MS + run * 10 * MS, start, dur);
		space_event(&s, "jit_f(1)", start[0] - 300, start[2] + dur[2] - start[0] + 300);
		space_int(&s, "_c", run);
	}
	space_line(&s, 3, "XLA Ops");
	for (int run = 0; run < RUNS; run++) {
		int64_t at = 20 * MS + run * 10 * MS;

		plain_of_run(jitter ? run : 0, at, start, dur);
		for (int i = 0; i < 3; i++) {
			space_event(&s, names[i], start[i], dur[i]);
			space_pair(&s, at + from[i], length[i]);
		}
	}
	space_line(&s, 4, "Async XLA Ops");
	for (int run = 0; run < RUNS; run++) {
		plain_of_run(jitter ? run : 0, 20 * MS + run * 10 * MS, start, dur);
		space_event(&s, "async-copy", start[0], start[1] + dur[1] - start[0]);
		space_int(&s, "_p", run);
	}
	space_line(&s, 6, "XLA TraceMe");
	space_event(&s, "barrier-cores", 123456, 789);
	return space_load(&s, 1);
}

/* With either clock, the gaps between runs are those that the timeline shows. */
static void runs_are_those_of_the_device(void **state)
{
	struct dump *d = make(true);
	struct clock_names names = clock_names_of(d);
	struct clock_run *plain, *device;
	struct track *t = &d->trace.tracks[0];
	struct clocks c;

	(void)state;
	assert_int_equal(t->role, TRACK_MODULES);
	clock_fit_all(d, &c);
	plain = clock_runs(d, &names, 0);
	clock_use(d, &c, CLOCK_DEVICE, 1);
	device = clock_runs(d, &names, 0);
	for (size_t i = 0; i < RUNS; i++) {
		assert_int_equal(plain[i].from, track_start(t, i));
		assert_int_equal(plain[i].to, track_end(t, i));
		assert_memory_equal(&plain[i], &device[i], sizeof plain[i]);
	}
	free(plain);
	free(device);
	clock_free(&c);
	space_close(d);
}

static void the_line_is_found_among_late_events(void **state)
{
	struct dump *d = make(true);
	struct clocks c;

	(void)state;
	clock_fit_all(d, &c);
	assert_int_equal(c.n, 1);
	assert_true(c.any_differs);
	assert_true(c.fit[0].differs);
	assert_true(fabs(c.fit[0].slope - SLOPE) < 1e-9);
	assert_true(llabs(c.fit[0].shift - SHIFT) < 1000);
	assert_int_equal(c.fit[0].points, RUNS * 3);
	assert_true(c.fit[0].inliers > RUNS && c.fit[0].inliers < RUNS * 3);
	assert_true(c.fit[0].residual < 1000);
	assert_true(c.fit[0].worst > 3 * MS);
	clock_free(&c);
	space_close(d);
}

static void ops_modules_and_transfers_follow_the_device(void **state)
{
	struct dump *d = make(true);
	const struct track *ops = &d->trace.tracks[space_track(d, "XLA Ops", 0)],
			   *async = &d->trace.tracks[space_track(d, "Async XLA Ops", 0)];
	const struct track *modules = &d->trace.tracks[space_track(d, "XLA Modules", 0)],
			   *me = &d->trace.tracks[space_track(d, "XLA TraceMe", 0)];
	struct clocks c;

	(void)state;
	clock_fit_all(d, &c);
	clock_use(d, &c, CLOCK_DEVICE, 2);
	assert_int_equal(c.in_use, CLOCK_DEVICE);
	assert_true(ops->device_clock && modules->device_clock && async->device_clock && !me->device_clock);
	assert_int_equal(ops->n, RUNS * 3);
	for (size_t run = 0; run < RUNS; run++) {
		int64_t at = 20 * MS + (int64_t)run * 10 * MS;

		assert_int_equal(track_dur(ops, run * 3 + 1), 6 * MS);
		assert_int_equal(track_dur(ops, run * 3 + 2), 3 * MS);
		for (size_t i = 0; i < 3; i++)
			assert_true(llabs(track_start(ops, run * 3 + i) -
					on_line(at +
					    (i == 0          ? 0
						    : i == 1 ? 10000
							     : 10000 + 6 * MS))) < 100);
		assert_int_equal(track_start(modules, run), track_start(ops, run * 3));
		assert_int_equal(track_end(modules, run), track_start(ops, run * 3 + 2) + 3 * MS);
		assert_int_equal(track_start(async, run), track_start(ops, run * 3));
		assert_int_equal(track_end(async, run), track_start(ops, run * 3 + 1) + 6 * MS);
	}
	assert_int_equal(track_start(me, 0), 123456);
	clock_free(&c);
	space_close(d);
}

static struct track copy_of(const struct track *t)
{
	struct track c = { 0 };

	assert_true(track_grow(&c, t->n));
	for (size_t i = 0; i < t->n; i++) {
		assert_true(
		    track_add(&c, track_start(t, i), track_dur(t, i), track_meta(t, i), track_args(t, i)));
		c.depth[i] = t->depth[i];
	}
	return c;
}

static void expect_copy(const struct track *t, struct track *c)
{
	same_events(t, c);
	track_free(c);
}

/* The tracks that a clock moves are those of the version; the dump and earlier versions keep theirs. */
static void going_back_gives_the_file_again(void **state)
{
	static const char *const lines[] = { "XLA Ops", "XLA Modules", "Async XLA Ops" };
	struct dump *d = make(true);
	const struct dump *v, *plain;
	struct overlay *o = overlay_new(d, &v);
	struct links_found found = { 0 };
	struct track copy[3];
	struct clocks c;
	uint8_t *class = xcalloc(d->trace.nmetas + 1, 1);
	uint32_t steps;

	(void)state;
	d->trace.meta_class = class;
	for (int i = 0; i < 3; i++)
		copy[i] = copy_of(&d->trace.tracks[space_track(d, lines[i], 0)]);
	assert_int_equal(lod_build(&d->trace.tracks[space_track(d, "XLA Ops", 0)], class), 0);
	assert_true(links_find(d, &found, NULL));
	overlay_links(o, &found);
	assert_int_equal(v->trace.nedges, RUNS);
	steps = derive_track(o, 0, TRACK_STEPS);
	assert_int_equal(steps, d->trace.ntracks);
	plain = v;

	clock_fit_all(d, &c);
	for (int again = 0; again < 2; again++) {
		const struct track *t;

		overlay_clock(o, &c, CLOCK_DEVICE, 1);
		assert_int_equal(c.in_use, CLOCK_DEVICE);
		t = v->trace.tracks;
		assert_non_null(t[space_track(d, "XLA Ops", 0)].lod);
		assert_null(t[space_track(d, "XLA Modules", 0)].lod);
		assert_int_equal(v->trace.nedges, RUNS);
		for (size_t i = 0; i < v->trace.nedges; i++) /* from the transfer of a run to its module */
			assert_int_equal(v->trace.edges[i].src, v->trace.edges[i].dst);
		for (size_t i = 0; i + 1 < RUNS; i++)
			assert_int_equal(track_start(&t[steps], i),
			    track_start(&t[space_track(d, "XLA Modules", 0)], i));
		for (size_t i = 1; i + 1 < RUNS;
		     i++) /* derived again, not moved: the next one begins where it ends */
			assert_int_equal(track_end(&t[steps], i - 1), track_start(&t[steps], i));
		assert_true(t[steps].device_clock);
		assert_int_equal(v->trace.ntracks, steps + 1);
		overlay_clock(o, &c, CLOCK_PLAIN, 1);
		assert_memory_equal(v->trace.tracks, plain->trace.tracks, (steps + 1) * sizeof *t);
		assert_memory_equal(v->trace.edges, plain->trace.edges, RUNS * sizeof *v->trace.edges);
		assert_int_equal(v->trace.events, d->trace.events);
	}
	for (int i = 0; i < 3; i++) {
		const struct track *t = &v->trace.tracks[space_track(d, lines[i], 0)];

		assert_false(t->device_clock);
		assert_ptr_equal(t->depth, d->trace.tracks[space_track(d, lines[i], 0)].depth);
		expect_copy(t, &copy[i]);
	}
	clock_free(&c);
	overlay_free(o);
	space_close(d);
}

static void equal_clocks_are_left_alone(void **state)
{
	struct dump *d = make(false); /* only drift between the clocks: the plain times are on the line */
	const struct track *ops = &d->trace.tracks[space_track(d, "XLA Ops", 0)];
	struct track copy = copy_of(ops);
	struct clocks c;

	(void)state;
	clock_fit_all(d, &c);
	assert_int_equal(c.n, 1);
	assert_false(c.any_differs);
	assert_true(fabs(c.fit[0].slope - SLOPE) < 1e-9);
	clock_use(d, &c, CLOCK_DEVICE, 1);
	assert_false(ops->device_clock);
	expect_copy(ops, &copy);
	clock_free(&c);
	space_close(d);
}

static void a_file_without_the_pair_has_one_clock(void **state)
{
	struct mkspace s = { 0 };
	struct clocks c;
	struct dump *d;

	(void)state;
	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion", 100, 10);
	d = space_load(&s, 1);
	clock_fit_all(d, &c);
	assert_int_equal(c.n, 0);
	assert_false(c.any_differs);
	clock_use(d, &c, CLOCK_DEVICE, 1);
	assert_int_equal(track_start(&d->trace.tracks[space_track(d, "XLA Ops", 0)], 0), 100);
	clock_free(&c);
	space_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_is_found_among_late_events),
		cmocka_unit_test(ops_modules_and_transfers_follow_the_device),
		cmocka_unit_test(runs_are_those_of_the_device),
		cmocka_unit_test(going_back_gives_the_file_again),
		cmocka_unit_test(equal_clocks_are_left_alone),
		cmocka_unit_test(a_file_without_the_pair_has_one_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
