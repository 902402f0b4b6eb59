#include "config.h"
#include "analyze/trace/links.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "analyze/trace/overlay.h"

static struct dump *base;
static const struct dump *d;
static struct overlay *over;

static void begin(struct mkspace *s, int n)
{
	base = space_load(s, n);
	over = overlay_new(base, &d);
}

static void end(void)
{
	overlay_free(over);
	space_close(base);
}

static void build(void)
{
	struct links_found f = { 0 };

	assert_true(links_find(d, &f, NULL));
	overlay_links(over, &f);
	assert_true(!f.edges && !f.n && !f.by_dst);
}

static void producers_reach_consumers_of_their_type_only(void **state)
{
	struct mkspace s = { 0 };
	const struct edge *e;
	uint32_t arriving[4];

	(void)state;
	space_host(&s);
	space_event(&s, "give", 100, 10);
	space_gives(&s, 7, 42);
	space_event(&s, "give to nobody", 200, 10);
	space_gives(&s, 8, 42);
	space_line(&s, 2, "worker");
	space_event(&s, "take late", 900, 10);
	space_takes(&s, 7, 42);
	space_event(&s, "take", 150, 10);
	space_takes(&s, 7, 42);
	space_event(&s, "other", 160, 10);
	space_takes(&s, 7, 43);
	begin(&s, 1);
	build();
	assert_int_equal(d->trace.nedges, 2);
	assert_int_equal(links_from(d, space_track(d, "main", 0), 0, &e), 2);
	assert_int_equal(e[0].dst_track, space_track(d, "worker", 0));
	assert_int_equal(e[0].dst, 0);
	assert_int_equal(e[1].dst, 2); /* by time: take, other, take late */
	assert_int_equal(e[0].category, 7);
	assert_int_equal(links_from(d, space_track(d, "main", 0), 1, &e), 0);
	assert_int_equal(links_to(d, space_track(d, "worker", 0), 2, arriving, 4), 1);
	assert_int_equal(d->trace.edges[arriving[0]].src, 0);
	assert_int_equal(links_to(d, space_track(d, "worker", 0), 1, arriving, 4), 0);
	build(); /* nothing is added twice */
	assert_int_equal(d->trace.nedges, 2);
	end();
}

/* An op hands work to a SparseCore of its own core. */
static void offloads_reach_their_runs(void **state)
{
	struct mkspace s = { 0 };
	const struct edge *e;

	(void)state;
	for (int core = 0; core < 2; core++) {
		space_plane(&s, 2 + core, core ? "/device:TPU:1" : "/device:TPU:0");
		space_line(&s, 3, "XLA Ops");
		space_event(&s, "gather.call-start", 100, 10);
		space_int(&s, "offload_core_id", 1);
		space_int(&s, "tc_offload_start_id", 9);
		space_plane(&s, 7 + core, core ? "/device:TPU:1 SparseCore 1" : "/device:TPU:0 SparseCore 1");
		space_line(&s, 2, core ? "Sparse Core Modules" : "Sparse Core Ops");
		space_event(&s, "run", 105, 10);
		space_int(&s, "offload_core_id", 1);
		space_int(&s, "tc_offload_start_id", 9);
	}
	begin(&s, 1);
	build();
	assert_int_equal(d->trace.nedges, 1);
	assert_int_equal(links_from(d, 2, 0, &e), 1);
	assert_int_equal(e->dst_track, 3);
	assert_int_equal(e->category, 17);
	end();
}

static void the_same_id_on_another_host_is_another_one(void **state)
{
	struct mkspace s[2] = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		space_host(&s[i]);
		space_event(&s[i], "x", 100, 10);
		(i ? space_takes : space_gives)(&s[i], 7, 1);
	}
	begin(s, 2);
	build();
	assert_int_equal(d->nhosts, 2);
	assert_int_equal(d->trace.nedges, 0);
	end();
}

static void an_id_of_everybody_ties_nobody(void **state)
{
	for (int n = 63; n <= 64; n++) {
		struct mkspace s = { 0 };

		(void)state;
		space_host(&s);
		for (int i = 0; i < 2 * n; i++) {
			space_event(&s, "x", 100 * i, 10);
			(i % 2 ? space_gives : space_takes)(&s, 1, 5);
		}
		begin(&s, 1);
		size_t problems = d->problems->n;

		build();
		assert_int_equal(d->trace.nedges, n < 64 ? n * n : 0);
		assert_int_equal(d->problems->n - problems, n < 64 ? 0 : 1);
		/* a note, because the file is not damaged */
		assert_int_equal(problems_count(d->problems, -1), 0);
		end();
	}
}

static void modules_without_a_consumer_id_go_by_their_run(void **state)
{
	struct mkspace s = { 0 };
	const struct edge *e;

	(void)state;
	for (int core = 0; core < 2; core++) {
		space_plane(&s, 1 + core, core ? "/device:TPU:1" : "/device:TPU:0");
		space_line(&s, 2, "XLA Modules");
		space_event(&s, "jit_f(1)", 1000, 100);
		space_int(&s, "run_id", 77);
	}
	space_host(&s);
	space_event(&s, "DoEnqueueProgram", 100, 10);
	space_int(&s, "run_id", 77 + (INT64_C(3) << 28)); /* the device keeps 28 bits */
	space_int(&s, "device_ordinal", 1);
	begin(&s, 1);
	build();
	assert_int_equal(d->trace.nedges, 1);
	assert_int_equal(links_from(d, space_track(d, "main", 0), 0, &e), 1);
	assert_int_equal(e->dst_track, space_track(d, "XLA Modules", 1));
	assert_int_equal(e->category, 12);
	end();
}

static void flow(struct mkspace *s, int64_t start, unsigned direction, int64_t id)
{
	space_event(s, "x", start, 5);
	space_int(s, "flow", (int64_t)(direction | (uint64_t)id << 2 | (uint64_t)5 << 58));
}

static void flows_go_from_out_to_the_next_in(void **state)
{
	struct mkspace s = { 0 };
	const struct edge *e;

	(void)state;
	space_plane(&s, 1, "/host:CPU");
	space_line(&s, 1, "a");
	flow(&s, 100, 2, 9); /* out */
	flow(&s, 900, 2, 9); /* starts a new flow */
	space_line(&s, 2, "b");
	flow(&s, 50, 1, 9);  /* arrives before anything was sent */
	flow(&s, 200, 3, 9); /* in between */
	flow(&s, 300, 1, 8); /* another flow */
	space_line(&s, 3, "c");
	flow(&s, 400, 1, 9);
	flow(&s, 950, 1, 9);
	begin(&s, 1);
	build();
	assert_int_equal(d->trace.nedges, 3);
	assert_int_equal(links_from(d, space_track(d, "a", 0), 0, &e), 1);
	assert_int_equal(e->dst_track, space_track(d, "b", 0));
	assert_int_equal(e->dst, 1);
	assert_int_equal(e->category, 5);
	assert_int_equal(links_from(d, space_track(d, "b", 0), 1, &e), 1);
	assert_int_equal(e->dst_track, space_track(d, "c", 0));
	assert_int_equal(links_from(d, space_track(d, "a", 0), 1, &e), 1);
	assert_int_equal(e->dst, 1);
	end();
}

static void found_beside_and_taken_over(void **state)
{
	struct mkspace s = { 0 };
	struct links_found f = { 0 };
	struct progress p = { 0 };
	const struct edge *e;

	(void)state;
	space_host(&s);
	space_event(&s, "give", 100, 10);
	space_gives(&s, 7, 42);
	space_event(&s, "take", 150, 10);
	space_takes(&s, 7, 42);
	begin(&s, 1);
	atomic_store(&p.cancel, true);
	assert_false(links_find(d, &f, &p));
	assert_true(!f.edges && !f.n && !f.by_dst);
	atomic_store(&p.cancel, false);
	for (int again = 0; again < 2; again++) {
		assert_true(links_find(d, &f, &p));
		assert_int_equal(f.n, 1);
		assert_int_equal(p.total, 2);
		assert_int_equal(p.bytes, 2);
		assert_int_equal(d->trace.nedges, 0); /* nothing is written to the dump */
	}
	overlay_links(over, &f);
	assert_true(!f.edges && !f.n && !f.by_dst);
	assert_int_equal(links_from(d, space_track(d, "main", 0), 0, &e), 1);
	assert_int_equal(e->dst, 1);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found_beside_and_taken_over),
		cmocka_unit_test(producers_reach_consumers_of_their_type_only),
		cmocka_unit_test(the_same_id_on_another_host_is_another_one),
		cmocka_unit_test(an_id_of_everybody_ties_nobody),
		cmocka_unit_test(modules_without_a_consumer_id_go_by_their_run),
		cmocka_unit_test(offloads_reach_their_runs),
		cmocka_unit_test(flows_go_from_out_to_the_next_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
