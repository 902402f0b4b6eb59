#include "config.h"
#include "analyze/pieces/cut.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "analyze/pieces/hlo_line.h"

#define US 1000000LL
#define MANY 64

#define AR "%all-reduce.1 = f32[1024]{0} all-reduce(f32[1024]{0} %p), replica_groups={{0,1}}, to_apply=%add"
#define AG \
	"%all-gather-start.1 = (bf16[512]{0}, bf16[1024]{0}) all-gather-start(bf16[512]{0} %w), " \
	"dimensions={0}"
#define AGD \
	"%all-gather-done.1 = bf16[1024]{0} all-gather-done((bf16[512]{0}, bf16[1024]{0}) " \
	"%all-gather-start.1)"
#define RS "%reduce-scatter-start.2 = ((f32[8]{0}), f32[4]{0}) async-start(f32[8]{0} %g), calls=%wrapped"
#define RSD "%reduce-scatter-done.2 = f32[4]{0} async-done(((f32[8]{0}), f32[4]{0}) %reduce-scatter-start.2)"
#define CP "%copy-start.1 = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(f32[8]{0} %x)"
#define CPD "%copy-done.1 = f32[8]{0} copy-done((f32[8]{0}, f32[8]{0}, u32[]) %copy-start.1)"
#define WHILE "%while.1 = (f32[8]{0}) while((f32[8]{0}) %t), condition=%c, body=%b"
#define FUSION "%fusion.1 = f32[8]{0} fusion(f32[8]{0} %x), kind=kLoop"
#define INFEED "%infeed.1 = (f32[8]{0}) infeed(token[] %a)"

/* What the visitor was told. */
struct told {
	struct {
		char name[32];
		enum comm_kind kind;
		int64_t wall, self, hidden;
		bool unpaired;
	} flight[MANY];
	struct {
		uint32_t step;
		bool end;
	} border[MANY];
	size_t nflights, npieces, begins, nborders;
	int64_t cursor; /* where the last piece ended */
	bool gapless;
	const struct dump *dump;
};

static void begin(void *ctx)
{
	struct told *t = ctx;

	*t = (struct told){ .begins = t->begins + 1, .cursor = INT64_MIN, .gapless = true, .dump = t->dump };
}

static void take_piece(void *ctx, const struct cut_piece *p)
{
	struct told *t = ctx;

	t->gapless &= t->cursor == INT64_MIN || t->cursor == p->from;
	t->cursor = p->to;
	t->npieces++;
}

static void take_flight(void *ctx, const struct cut_flight *f)
{
	struct told *t = ctx;
	const struct slice name = dump_text(t->dump, t->dump->trace.metas[f->start->meta].name);

	assert_true(t->nflights < MANY);
	snprintf(t->flight[t->nflights].name, 32, "%.*s", (int)name.n, name.s);
	t->flight[t->nflights].kind = f->role.kind;
	t->flight[t->nflights].wall = f->end.time - f->start->begin.time;
	t->flight[t->nflights].self = f->self;
	t->flight[t->nflights].hidden = f->end.compute - f->start->begin.compute;
	t->flight[t->nflights++].unpaired = f->unpaired;
}

static void take_step(void *ctx, uint32_t step, bool end)
{
	struct told *t = ctx;

	assert_true(t->nborders < MANY);
	t->border[t->nborders].step = step;
	t->border[t->nborders++].end = end;
}

static void cut(struct dump *d, struct told *t, struct cut_core *core, struct steps *steps)
{
	struct cut_ops *ops = cut_ops_read(d);
	size_t n;
	uint32_t *plane = cut_planes(d, NULL, &n);

	*t = (struct told){ .dump = d };
	*core = (struct cut_core){ .plane = plane[0] };
	assert_int_equal(n, 1);
	steps_find(d, steps);
	cut_core(ops, core, steps->v, steps->n, NULL,
	    &(struct cut_visitor){ begin, take_piece, NULL, take_flight, t, take_step });
	assert_true(core->whole);
	assert_true(t->gapless);
	free(plane);
	cut_ops_free(ops);
}

static void check_sum(const struct cut_core *c)
{
	int64_t sum = 0;

	for (size_t i = 0; i < PIECE_CLASSES; i++)
		sum += c->sum.ps[i];
	assert_int_equal(sum, c->last - c->first);
}

static void kind(struct mkspace *s, const char *text, const char *name, const char *category)
{
	space_op(s, text, category, 77, 1);
	space_display(s, text, name);
}

/* Times of the device are 1000 us ahead of the host's. */
static void op(struct mkspace *s, const char *text, int64_t from, int64_t to)
{
	space_event(s, text, (from - 10) * US, (to - from) * US);
	space_pair(s, (from + 990) * US, (to - from) * US);
}

static void lines_beside(struct mkspace *s)
{
	space_plane(s, 2, "/device:TPU:0");
	kind(s, AR, "all-reduce.1", "all-reduce");
	kind(s, AG, "all-gather-start.1", "all-gather-start");
	kind(s, AGD, "all-gather-done.1", "all-gather-done");
	kind(s, RS, "reduce-scatter-start.2", "async-start");
	kind(s, RSD, "reduce-scatter-done.2", "async-done");
	kind(s, CP, "copy-start.1", "copy-start");
	kind(s, CPD, "copy-done.1", "copy-done");
	kind(s, WHILE, "while.1", "while");
	kind(s, FUSION, "fusion.1", "loop fusion");
	kind(s, INFEED, "infeed.1", "infeed");
	space_line(s, 1, "Steps");
	space_event(s, "7", 90 * US, 200 * US);
	space_pair(s, 1090 * US, 200 * US);
	space_event(s, "8", 290 * US, 30 * US);
	space_pair(s, 1290 * US, 30 * US);
	space_line(s, 2, "XLA Modules");
	space_event(s, "jit_f(77)", 90 * US, 132 * US);
	space_event(s, "jit_f(77)", 290 * US, 30 * US);
	space_line(s, 6, "XLA TraceMe");
	space_event(s, "barrier-cores", 90 * US, 10 * US);
	space_event(s, "dependency-wait", 120 * US, 3 * US);
	space_line(s, 3, "XLA Ops");
}

static void ops_of_two_runs(struct mkspace *s)
{
	op(s, AR, 110, 130);
	op(s, AG, 133, 134);
	op(s, FUSION, 134, 150);
	op(s, FUSION, 152, 160);
	op(s, AGD, 160, 165);
	op(s, CP, 165, 166);
	op(s, CPD, 168, 170);
	op(s, WHILE, 170, 230);
	op(s, RS, 172, 173);
	op(s, FUSION, 173, 190);
	op(s, RSD, 190, 192);
	op(s, RS, 200, 201);
	op(s, FUSION, 201, 215);
	op(s, RSD, 215, 216);
	op(s, FUSION, 300, 310);
	op(s, INFEED, 310, 320);
	op(s, AR, 320, 330);
}

static void check_two_runs(const struct told *t, const struct cut_core *c)
{
	static const int64_t want[PIECE_CLASSES] = { [PIECE_COMPUTE] = 16 + 8 + 55 + 10,
		[PIECE_COMM] = 20 + 6 + 5 + 10,
		[PIECE_COPY] = 3,
		[PIECE_IO] = 10,
		[PIECE_OTHER_CORES] = 10,
		[PIECE_DEPENDENCY] = 3,
		[PIECE_IN_RUN] = 2 + 2 + 2,
		[PIECE_UNKNOWN] = 68 };

	for (size_t i = 0; i < PIECE_CLASSES; i++)
		if (c->sum.ps[i] != want[i] * US)
			fail_msg("class %zu: %lld", i, (long long)c->sum.ps[i]);
	check_sum(c);
	assert_int_equal(c->first, 1090 * US);
	assert_int_equal(c->last, 1320 * US);
	assert_int_equal(c->self, (230 - 17 - 70) * US);
	assert_int_equal(t->nflights, 6);
	assert_string_equal(t->flight[1].name, "all-gather-start.1");
	assert_int_equal(t->flight[1].kind, COMM_ALL_GATHER);
	assert_int_equal(t->flight[1].wall, 32 * US);
	assert_int_equal(t->flight[1].hidden, 24 * US);
	assert_int_equal(t->flight[1].self, 6 * US);
	assert_int_equal(t->flight[2].kind, COMM_COPY);
	assert_int_equal(t->flight[3].wall, 20 * US);
	assert_int_equal(t->flight[3].hidden, 17 * US);
	assert_int_equal(t->flight[4].wall, 16 * US);
}

static void pieces_flights_and_steps(void **state)
{
	struct mkspace s = { 0 };
	struct cut_core core;
	struct steps steps;
	struct told t;
	struct dump *d;

	(void)state;
	lines_beside(&s);
	ops_of_two_runs(&s);
	d = space_load(&s, 1);
	cut(d, &t, &core, &steps);
	check_two_runs(&t, &core);
	assert_int_equal(t.begins, 1);
	assert_int_equal(steps.n, 2);
	assert_int_equal(core.step[0].from, 1090 * US);
	assert_int_equal(core.step[1].from, core.step[0].to);
	assert_int_equal(core.step[0].at_to.ps[PIECE_COMPUTE], 79 * US);
	assert_int_equal(core.step[1].at_to.ps[PIECE_COMPUTE] - core.step[1].at_from.ps[PIECE_COMPUTE],
	    10 * US);
	assert_int_equal(core.step[0].at_to.ps[PIECE_UNKNOWN], 68 * US);
	cut_core_free(&core);
	steps_free(&steps);
	space_close(d);
}

/* On the clock of the host, the second op seems to begin first. */
static void ops_out_of_order(void **state)
{
	struct mkspace s = { 0 };
	struct cut_core core;
	struct steps steps;
	struct told t;
	struct dump *d;

	(void)state;
	lines_beside(&s);
	ops_of_two_runs(&s);
	op(&s, FUSION, 400, 410);
	space_event(&s, FUSION, 389 * US, 5 * US);
	space_pair(&s, 1410 * US, 5 * US);
	d = space_load(&s, 1);
	cut(d, &t, &core, &steps);
	assert_int_equal(t.begins, 2);
	assert_int_equal(t.nflights, 6);
	assert_int_equal(core.sum.ps[PIECE_COMPUTE], (89 + 15) * US);
	check_sum(&core);
	cut_core_free(&core);
	steps_free(&steps);
	space_close(d);
}

static void what_has_no_partner(void **state)
{
	struct mkspace s = { 0 };
	struct cut_core core;
	struct steps steps;
	struct told t;
	struct dump *d;

	(void)state;
	lines_beside(&s);
	op(&s, AGD, 100, 110);
	op(&s, AG, 120, 121);
	op(&s, FUSION, 121, 130);
	d = space_load(&s, 1);
	cut(d, &t, &core, &steps);
	assert_int_equal(t.nflights, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_true(t.flight[i].unpaired);
		assert_int_equal(t.flight[i].hidden, 0);
		assert_int_equal(t.flight[i].wall, t.flight[i].self);
	}
	cut_core_free(&core);
	steps_free(&steps);
	space_close(d);
}

/* The piece that began first keeps the time; each op has its own time all the same. */
static void ops_that_overlap(void **state)
{
	struct mkspace s = { 0 };
	struct cut_core core;
	struct steps steps;
	struct told t;
	struct dump *d;

	(void)state;
	lines_beside(&s);
	op(&s, FUSION, 100, 120);
	op(&s, AR, 110, 140);
	d = space_load(&s, 1);
	cut(d, &t, &core, &steps);
	assert_int_equal(core.sum.ps[PIECE_COMPUTE], 20 * US);
	assert_int_equal(core.sum.ps[PIECE_COMM], 20 * US);
	assert_int_equal(core.self, 50 * US);
	check_sum(&core);
	cut_core_free(&core);
	steps_free(&steps);
	space_close(d);
}

/* A step that takes no time ends after it has begun: what runs then is not its. */
static void a_step_of_no_time(void **state)
{
	struct mkspace s = { 0 };
	struct cut_core core;
	struct steps steps;
	struct told t;
	struct dump *d;

	(void)state;
	space_plane(&s, 2, "/device:TPU:0");
	space_line(&s, 1, "Steps");
	space_event(&s, "1", 0, 100 * US);
	space_event(&s, "2", 100 * US, 0);
	space_event(&s, "3", 150 * US, 100 * US);
	space_line(&s, 3, "XLA Ops");
	space_event(&s, FUSION, 0, 90 * US);
	space_event(&s, FUSION, 120 * US, 10 * US);
	space_event(&s, FUSION, 160 * US, 90 * US);
	d = space_load(&s, 1);
	cut(d, &t, &core, &steps);
	assert_int_equal(steps.n, 3);
	assert_int_equal(t.nborders, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(t.border[i].step, i / 2);
		assert_int_equal(t.border[i].end, i % 2);
	}
	assert_int_equal(core.step[1].from, 100 * US);
	assert_int_equal(core.step[1].to, 100 * US);
	cut_core_free(&core);
	steps_free(&steps);
	space_close(d);
}

/* Each run of a program is a step: its times are those of the host's clock. */
static void steps_without_a_line(void **state)
{
	struct mkspace s = { 0 };
	struct cut_core core;
	struct steps steps;
	struct told t;
	struct dump *d;

	(void)state;
	space_plane(&s, 2, "/device:TPU:0");
	kind(&s, FUSION, "fusion.1", "loop fusion");
	space_line(&s, 2, "XLA Modules");
	for (int i = 0; i < 3; i++)
		space_event(&s, "jit_f(77)", (10 + 100 * i) * US, 60 * US);
	space_line(&s, 3, "XLA Ops");
	for (int i = 0; i < 3; i++)
		op(&s, FUSION, 25 + 100 * i, 75 + 100 * i);
	d = space_load(&s, 1);
	cut(d, &t, &core, &steps);
	assert_int_equal(steps.n, 2);
	for (size_t i = 0; i < steps.n; i++) {
		assert_int_equal(core.step[i].at_to.ps[PIECE_COMPUTE] -
			core.step[i].at_from.ps[PIECE_COMPUTE],
		    50 * US);
	}
	assert_int_equal(core.step[0].from, core.first);
	assert_int_equal(core.step[1].from, steps.v[1].start + 1000 * US);
	cut_core_free(&core);
	steps_free(&steps);
	space_close(d);
}

static void check_role(const char *name, const char *category, enum comm_kind kind, enum op_part part,
    enum piece_class time)
{
	struct op_role r = op_role_of(slice_of(name), slice_of(category));

	if (r.kind != kind || r.part != part || r.time != time)
		fail_msg("%s, %s: %d %d %d", name, category, r.kind, r.part, r.time);
}

static void roles(void **state)
{
	(void)state;
	check_role("x", "all-reduce fusion", COMM_ALL_REDUCE, PART_SYNC, PIECE_COMM);
	check_role("x", "all-reduce-scatter fusion", COMM_REDUCE_SCATTER, PART_SYNC, PIECE_COMM);
	check_role("x", "ragged-all-to-all-done", COMM_RAGGED_ALL_TO_ALL, PART_DONE, PIECE_COMM);
	check_role("send.1", "send", COMM_SEND, PART_START, PIECE_COMM);
	check_role("r", "host recv-done", COMM_HOST_RECV, PART_DONE, PIECE_COMM);
	check_role("r", "recv-update", COMM_NONE, PART_SYNC, PIECE_COMPUTE);
	check_role("all-gather.3.call-start", "async-start", COMM_COPY, PART_START, PIECE_COPY);
	check_role("all-gather.call-start.3", "async-start", COMM_ALL_GATHER, PART_START, PIECE_COMM);
	check_role("all-to-all-update.12", "async-update", COMM_ALL_TO_ALL, PART_UPDATE, PIECE_COMM);
	check_role("slice-done.1", "async-done", COMM_COPY, PART_DONE, PIECE_COPY);
	check_role("async-collective-done.1", "custom fusion", COMM_ASYNC, PART_DONE, PIECE_COMM);
	check_role("copy.1", "copy", COMM_NONE, PART_SYNC, PIECE_COMPUTE);
	check_role("i", "sparsecorev0 infeed wait", COMM_NONE, PART_SYNC, PIECE_IO);
	check_role("w", "while", COMM_NONE, PART_SYNC, PIECE_COMPUTE);
}

static void lines_of_hlo(void **state)
{
	struct hlo_line l = hlo_line_of(slice_of(RSD));
	struct slice last = hlo_line_last_operand(&l);

	(void)state;
	assert_true(slice_is(l.shape, "f32[4]{0}"));
	assert_true(slice_is(l.opcode, "async-done"));
	assert_true(slice_is(last, "reduce-scatter-start.2"));
	l = hlo_line_of(slice_of(AG));
	assert_true(slice_is(l.shape, "(bf16[512]{0}, bf16[1024]{0})"));
	assert_true(slice_is(l.attributes, ", dimensions={0}"));
	l = hlo_line_of(slice_of("%x = f32[8"));
	assert_int_equal(l.opcode.n + l.operands.n + l.attributes.n, 0);
	assert_int_equal(hlo_line_of(slice_of("name")).shape.n, 0);
}

/* An op that hides a collective carries it: the done names that op, and the start by its number alone. */
static void fused_collectives_have_both_ends(void **state)
{
	static const char *const
	    start = "%async-collective-start.4 = (f32[8]{0}, f32[16]{0}) fusion(f32[8]{0} %p), "
		    "kind=kCustom, calls=%fused_computation.8",
	    *const hides = "%fusion.17 = (f32[4]{0}, f32[8]{0}, f32[16]{0}) fusion(f32[4]{0} %q, f32[8]{0} "
			   "%async-collective-start.4#0), kind=kOutput, calls=%fused_computation.9",
	    *const done = "%async-collective-done.4 = f32[16]{0} fusion(%fusion.17#1, %fusion.17#2), "
			  "kind=kCustom, calls=%fused_computation.10";
	struct mkspace s = { 0 };
	struct cut_core core;
	struct steps steps;
	struct told t;
	struct dump *d;

	(void)state;
	lines_beside(&s);
	kind(&s, start, "async-collective-start.4", "async-start");
	kind(&s, hides, "fusion.17", "loop fusion");
	kind(&s, done, "async-collective-done.4", "async-done");
	op(&s, start, 110, 111);
	op(&s, hides, 111, 130);
	op(&s, done, 130, 132);
	d = space_load(&s, 1);
	cut(d, &t, &core, &steps);
	assert_int_equal(t.nflights, 1);
	assert_string_equal(t.flight[0].name, "async-collective-start.4");
	assert_false(t.flight[0].unpaired);
	assert_int_equal(t.flight[0].wall, 22 * US);
	assert_int_equal(t.flight[0].hidden, 19 * US);
	cut_core_free(&core);
	steps_free(&steps);
	space_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_flights_and_steps),
		cmocka_unit_test(fused_collectives_have_both_ends),
		cmocka_unit_test(ops_out_of_order),
		cmocka_unit_test(what_has_no_partner),
		cmocka_unit_test(ops_that_overlap),
		cmocka_unit_test(a_step_of_no_time),
		cmocka_unit_test(steps_without_a_line),
		cmocka_unit_test(roles),
		cmocka_unit_test(lines_of_hlo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
