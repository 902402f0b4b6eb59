#include "config.h"
#include "analyze/communication/communication.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkhlo.h"
#include "../lib/mkspace.h"

#define US 1000000LL

#define AR "%all-reduce.1 = f32[1024]{0} all-reduce(f32[1024]{0} %p), replica_groups={{0,1}}, to_apply=%add"
#define AR2 \
	"%all-reduce.2 = bf16[8]{0} all-reduce(f32[8]{0} %p), replica_groups=mesh['x'=1,'y'=2] {'y'}, " \
	"to_apply=%add"
#define AG \
	"%all-gather-start.1 = (bf16[512]{0}, bf16[1024]{0}) all-gather-start(bf16[512]{0} %w), " \
	"replica_groups=[1,2]<=[2]"
#define AGD \
	"%all-gather-done.1 = bf16[1024]{0} all-gather-done((bf16[512]{0}, bf16[1024]{0}) " \
	"%all-gather-start.1)"
#define AR4 "%all-reduce.4 = f32[8]{0} all-reduce(f32[8]{0} %p), replica_groups={{0,2},{1,3}}, to_apply=%add"
#define PERM "%cp.1 = f32[8]{0} collective-permute(f32[8]{0} %p), source_target_pairs={{0,1},{1,0}}"
#define CP "%copy-start.1 = (f32[8]{0:S(5)}, f32[8]{0}, u32[]) copy-start(f32[8]{0} %x)"
#define CPD "%copy-done.1 = f32[8]{0:S(5)} copy-done((f32[8]{0:S(5)}, f32[8]{0}, u32[]) %copy-start.1)"
#define FUSION "%fusion.1 = f32[8]{0} fusion(f32[8]{0} %x), kind=kLoop"

static void kind(struct mkspace *s, const char *text, const char *name, const char *category)
{
	space_op(s, text, category, 77, 1);
	space_display(s, text, name);
}

static void op(struct mkspace *s, const char *text, int64_t from, int64_t to)
{
	space_event(s, text, from * US, (to - from) * US);
}

static const char *device = "TPU v6 Lite";

static void begin_core(struct mkspace *s, int n)
{
	space_plane(s, 2 + n, n ? "/device:TPU:1" : "/device:TPU:0");
	space_plane_str(s, "device_type_string", device);
	kind(s, AR, "all-reduce.1", "all-reduce");
	space_meta_str(s, AR, "source", "a.py:7");
	kind(s, AR2, "all-reduce.2", "all-reduce");
	kind(s, AG, "all-gather-start.1", "all-gather-start");
	kind(s, AGD, "all-gather-done.1", "all-gather-done");
	kind(s, AR4, "all-reduce.4", "all-reduce");
	kind(s, PERM, "cp.1", "collective-permute");
	kind(s, CP, "copy-start.1", "copy-start");
	kind(s, CPD, "copy-done.1", "copy-done");
	kind(s, FUSION, "fusion.1", "loop fusion");
	space_line(s, 1, "Steps");
	space_event(s, "7", 0, 100 * US);
	space_event(s, "8", 100 * US, 100 * US);
	space_line(s, 3, "XLA Ops");
}

/* In each step: a gather with 20 of compute in it, of 26 and 30, that overlaps a reduction, in which core 1 waits. */
static struct dump *two_cores(void)
{
	struct mkspace s = { 0 };

	for (int core = 0; core < 2; core++) {
		begin_core(&s, core);
		for (int step = 0; step < 2; step++) {
			int64_t t = 100 * step;

			op(&s, AG, t + 10, t + 12);
			op(&s, FUSION, t + 12, t + 32);
			op(&s, AR, t + 32, t + 37 + 3 * core);
			space_int(&s, "all_reduce_unique_id", 5 + step);
			op(&s, AGD, t + 41, t + 42);
			op(&s, AR2, t + 50, t + 60);
			op(&s, AR4, t + 60, t + 61 + core);
			space_int(&s, "all_reduce_unique_id", 50 + step);
			op(&s, PERM, t + 70, t + 71);
			op(&s, CP, t + 80, t + 81);
			op(&s, CPD, t + 85, t + 86);
		}
	}
	return space_load(&s, 1);
}

static const struct comm_op *named(const struct communication *c, const char *name)
{
	for (size_t i = 0; i < c->nops; i++)
		if (slice_is(c->op[i].name, name))
			return &c->op[i];
	fail_msg("no op %s", name);
	return NULL;
}

struct made {
	struct dump *d;
	struct steps steps;
	struct core_times times;
	struct communication c;
};

static void make(struct made *m, int core, const char *step)
{
	*m = (struct made){ .d = two_cores() };
	steps_find(m->d, &m->steps);
	core_times_make(m->d, &m->steps, NULL, 2, NULL, &m->times);
	communication_make(&m->times, &(struct comm_options){ NULL, core, step, NULL }, &m->c);
}

static void drop(struct made *m)
{
	communication_free(&m->c);
	core_times_free(&m->times);
	steps_free(&m->steps);
	space_close(m->d);
}

static void ops_and_what_hides_them(void **state)
{
	const struct comm_op *o;
	struct made m;

	(void)state;
	make(&m, -1, NULL);
	assert_int_equal(m.c.nops, 5);
	o = named(&m.c, "all-gather-start.1");
	assert_true(slice_is(o->done, "all-gather-done.1"));
	assert_int_equal(o->count, 4);
	assert_int_equal(o->wall, 4 * 32 * US);
	assert_int_equal(o->hidden, 4 * 20 * US);
	assert_int_equal(o->exposed, 4 * 3 * US);
	assert_int_equal(o->wait, -1);
	assert_int_equal(o->bytes, 2048);
	assert_string_equal(o->groups, "{0,1}");
	assert_string_equal(o->axis, "y"); /* the same groups as those of all-reduce.2 */
	assert_int_equal(o->runs_partly, 4);
	assert_string_equal(o->hidden_by, "fusion.1 62 %");
	o = named(&m.c, "all-reduce.1");
	assert_int_equal(o->bytes, 4096);
	assert_int_equal(o->wait, 2 * 3 * US);
	assert_int_equal(o->exposed, 26 * US);
	assert_int_equal(o->save, 2 * 5 * US); /* neither core waits in that */
	assert_true(fabs(o->algbw - 4096. * 4 / 20e3) < 1e-9);
	assert_true(fabs(o->busbw - o->algbw) < 1e-9);
	o = named(&m.c, "cp.1");
	assert_string_equal(o->groups, "{0,1},{1,0}");
	assert_int_equal(o->group_size, 2);
	assert_string_equal(o->axis, "pairs");
	assert_int_equal(named(&m.c, "all-reduce.2")->wait, -1); /* no run is told apart */
	assert_int_equal(named(&m.c, "all-reduce.4")->wait, -1); /* of four devices, two are here */
	drop(&m);
}

/* flight = exposed + hidden + other, of unions; cores and steps add up to the sum */
static void sums_of_unions(void **state)
{
	int64_t inflight = 0, exposed = 0;
	struct made m;

	(void)state;
	make(&m, -1, NULL);
	assert_int_equal(m.c.core[0].inflight, 2 * (32 + 10 + 1 + 1) * US);
	assert_int_equal(m.c.core[0].hidden, 2 * 20 * US);
	assert_int_equal(m.c.core[0].exposed, 2 * (3 + 5 + 10 + 1 + 1) * US);
	assert_int_equal(m.c.core[0].last, 2);
	assert_int_equal(m.c.core[0].wait, 0);
	assert_int_equal(m.c.core[1].wait, 6 * US);
	assert_int_equal(m.c.core[1].first, 2);
	assert_int_equal(m.c.nsteps, 4);
	for (size_t i = 0; i < m.c.nsteps; i++) {
		const struct comm_step *s = &m.c.step[i];

		assert_int_equal(s->inflight, s->hidden + s->exposed + s->other);
		assert_int_equal(s->hidden, 20 * US);
		assert_int_equal(s->wait, s->core * 3 * US);
		inflight += s->inflight;
		exposed += s->exposed;
	}
	assert_int_equal(inflight, m.c.sum.inflight);
	assert_int_equal(exposed, m.c.sum.exposed);
	assert_int_equal(m.c.sum.inflight, m.c.sum.hidden + m.c.sum.exposed + m.c.sum.other);
	assert_int_equal(m.c.save, m.c.core[0].exposed);
	drop(&m);
}

static void copies_are_in_no_sum(void **state)
{
	struct made m;

	(void)state;
	make(&m, -1, NULL);
	assert_int_equal(m.c.ncopies, 1);
	assert_true(m.c.copy[0].to_host);
	assert_int_equal(m.c.copy[0].count, 4);
	assert_int_equal(m.c.copy[0].wall, 4 * 6 * US);
	assert_int_equal(m.c.copy[0].exposed, 4 * 2 * US);
	drop(&m);
}

static void of_a_core_or_a_step(void **state)
{
	struct made m;

	(void)state;
	make(&m, 1, NULL);
	assert_int_equal(m.c.ncores, 1);
	assert_int_equal(named(&m.c, "all-reduce.1")->count, 2);
	assert_int_equal(named(&m.c, "all-reduce.1")->wait, 6 * US); /* for core 0, which is not shown */
	drop(&m);
	make(&m, -1, "7");
	assert_int_equal(m.c.nsteps, 2);
	assert_int_equal(named(&m.c, "all-reduce.1")->count, 2);
	assert_int_equal(m.c.sum.hidden, 2 * 20 * US);
	assert_int_equal(m.c.sum.wait, 3 * US);
	drop(&m);
}

static void groups_of_ops(void **state)
{
	struct comm_group *g;
	struct made m;
	size_t n;

	(void)state;
	make(&m, -1, NULL);
	g = communication_groups(&m.c, COMM_BY_KIND, &n);
	assert_int_equal(n, 3);
	assert_string_equal(g[0].key, "all-reduce");
	assert_int_equal(g[0].count, 12);
	assert_int_equal(g[0].wait, 6 * US);
	free(g);
	g = communication_groups(&m.c, COMM_BY_SOURCE, &n);
	assert_int_equal(n, 2);
	assert_string_equal(g[0].key, "(no source)");
	assert_string_equal(g[1].key, "a.py:7");
	free(g);
	g = communication_groups(&m.c, COMM_BY_AXIS, &n);
	assert_int_equal(n, 3);
	assert_string_equal(g[0].key, "y");
	assert_int_equal(g[0].count, 12);
	free(g);
	drop(&m);
}

/* One link between two chips in a row; between the cores of one chip its own; of other chips nothing is known. */
static void peaks_of_links(void **state)
{
	struct communication c;
	struct made m;

	(void)state;
	make(&m, -1, NULL);
	assert_true(fabs(named(&m.c, "all-reduce.1")->peak - 100) < 1e-9);
	assert_true(isnan(named(&m.c, "all-reduce.4")->peak)); /* two of its devices are not here */
	assert_true(m.c.mesh.assumed);
	communication_make(&m.times, &(struct comm_options){ NULL, -1, NULL, "16x1" }, &c);
	assert_true(fabs(named(&c, "all-reduce.1")->peak - 200) < 1e-9); /* such a side is a ring */
	assert_string_equal(named(&c, "cp.1")->axis, "x");
	assert_false(c.mesh.assumed);
	communication_free(&c);
	drop(&m);
	device = "TPU7x";
	make(&m, -1, NULL);
	assert_true(fabs(named(&m.c, "all-reduce.1")->peak - 1200) < 1e-9);
	assert_string_equal(named(&m.c, "cp.1")->axis, "chip");
	drop(&m);
	device = "TPU v3";
	make(&m, -1, NULL);
	assert_true(isnan(named(&m.c, "all-reduce.1")->peak));
	drop(&m);
	device = "TPU v6 Lite";
}

/* A collective in a fusion of another kind is listed, but in no sum. */
static void fused_into_others(void **state)
{
	struct pb module = { 0 }, entry = hlo_computation("entry", 1), body = hlo_computation("body", 2),
		  proto;
	struct mkspace s = { 0 };
	struct made m = { 0 };
	const struct comm_op *o;

	(void)state;
	hlo_add(&body, hlo_new("all-gather.9", "all-gather", 11));
	hlo_add(&entry, hlo_fusion("fusion.1", 10, 2));
	pb_sub(&module, 3, &body);
	pb_sub(&module, 3, &entry);
	proto = hlo_proto(&module);
	for (int core = 0; core < 2; core++) {
		begin_core(&s, core);
		op(&s, FUSION, 10, 14);
		op(&s, FUSION, 20, 24);
		op(&s, AR, 30, 31);
	}
	space_plane(&s, 9, "/host:metadata");
	space_meta_bytes(&s, "jit_f(77)", "Hlo Proto", proto.b, proto.n);
	pb_free(&proto);
	m.d = space_load(&s, 1);
	steps_find(m.d, &m.steps);
	core_times_make(m.d, &m.steps, NULL, 2, NULL, &m.times);
	communication_make(&m.times, &(struct comm_options){ NULL, -1, NULL, NULL }, &m.c);
	o = named(&m.c, "fusion.1");
	assert_int_equal(o->kind, COMM_ALL_GATHER);
	assert_int_equal(o->mode, MODE_FUSED);
	assert_int_equal(o->count, 4);
	assert_int_equal(o->wall, 16 * US);
	assert_int_equal(o->exposed, -1);
	assert_int_equal(m.c.fused, 16 * US);
	assert_int_equal(m.c.sum.exposed, 2 * US);
	drop(&m);
}

/* What is offloaded has its own rows, and the TensorCore waits for it in the done of its own. */
static void offloaded_to_a_sparsecore(void **state)
{
	const char *start = "%all-gather.call-start = bf16[8]{0} async-start(bf16[4]{0} %w)";
	const char *done = "%all-gather.call-done = bf16[8]{0} async-done(bf16[8]{0} %all-gather.call-start)";
	const char *moves = "%all-gather.3 = bf16[8]{0} all-gather(bf16[4]{0} %w), replica_groups={{0,1}}";
	struct mkspace s = { 0 };
	struct made m = { 0 };
	const struct comm_op *o;

	(void)state;
	begin_core(&s, 0);
	kind(&s, start, "all-gather.call-start", "async-start");
	kind(&s, done, "all-gather.call-done", "async-done");
	op(&s, start, 10, 11);
	op(&s, FUSION, 11, 20);
	op(&s, done, 20, 25);
	space_plane(&s, 5, "/device:TPU:0 SparseCore 0");
	kind(&s, moves, "all-gather.3", "all-gather");
	kind(&s, FUSION, "fusion.1", "loop fusion");
	space_line(&s, 3, "Sparse Core Ops");
	op(&s, moves, 12, 24);
	op(&s, FUSION, 24, 32);
	m.d = space_load(&s, 1);
	steps_find(m.d, &m.steps);
	core_times_make(m.d, &m.steps, NULL, 2, NULL, &m.times);
	communication_make(&m.times, &(struct comm_options){ NULL, -1, NULL, NULL }, &m.c);
	assert_int_equal(m.c.nops, 2);
	o = named(&m.c, "all-gather.3");
	assert_true(o->sparse);
	assert_int_equal(o->count, 1);
	assert_int_equal(o->wall, 12 * US);
	assert_int_equal(o->exposed, -1);
	assert_int_equal(o->bytes, 16);
	o = named(&m.c, "all-gather.call-start");
	assert_false(o->sparse);
	assert_int_equal(o->exposed, 6 * US);
	assert_int_equal(o->hidden, 9 * US);
	assert_int_equal(m.c.sum.inflight, 15 * US);
	assert_int_equal(m.c.sparse.busy, 20 * US);
	assert_int_equal(m.c.sparse.both, 13 * US);
	assert_true(fabs(communication_sparse_share(&m.c) - 13. / 15) < 1e-9);
	communication_free(&m.c);
	communication_make(&m.times, &(struct comm_options){ NULL, -1, "7", NULL }, &m.c);
	assert_int_equal(m.c.nops, 1); /* markers are the TensorCore's */
	assert_int_equal(m.c.sparse.busy, -1);
	drop(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ops_and_what_hides_them),
		cmocka_unit_test(sums_of_unions),
		cmocka_unit_test(copies_are_in_no_sum),
		cmocka_unit_test(of_a_core_or_a_step),
		cmocka_unit_test(groups_of_ops),
		cmocka_unit_test(peaks_of_links),
		cmocka_unit_test(fused_into_others),
		cmocka_unit_test(offloaded_to_a_sparsecore),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
