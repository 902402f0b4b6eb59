/* Causes of idle time: inside of runs by what waits or is in flight, outside by what the host did; they add up. */
#include "config.h"
#include "analyze/idle/idle.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"

#define US 1000000LL

#define AG "%ag-start.1 = (bf16[8]{0}, bf16[16]{0}) all-gather-start(bf16[8]{0} %w), dimensions={0}"
#define AGD "%ag-done.1 = bf16[16]{0} all-gather-done((bf16[8]{0}, bf16[16]{0}) %ag-start.1)"
#define CP "%copy-start.1 = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(f32[8]{0} %x)"
#define CPD "%copy-done.1 = f32[8]{0} copy-done((f32[8]{0}, f32[8]{0}, u32[]) %copy-start.1)"
#define FUSION "%fusion.1 = f32[8]{0} fusion(f32[8]{0} %x), kind=kLoop"

/* Times of the device are 1000 us ahead of the host's. */
static void op(struct mkspace *s, const char *text, int64_t from, int64_t to)
{
	space_event(s, text, from * US, (to - from) * US);
	space_pair(s, (from + 1000) * US, (to - from) * US);
}

static void kind(struct mkspace *s, const char *text, const char *name, const char *category)
{
	space_op(s, text, category, 77, 1);
	space_display(s, text, name);
}

static void device(struct mkspace *s)
{
	space_plane(s, 2, "/device:TPU:0");
	kind(s, AG, "ag-start.1", "all-gather-start");
	kind(s, AGD, "ag-done.1", "all-gather-done");
	kind(s, CP, "copy-start.1", "copy-start");
	kind(s, CPD, "copy-done.1", "copy-done");
	kind(s, FUSION, "fusion.1", "loop fusion");
	space_line(s, 1, "Steps");
	op(s, "7", 0, 90);
	op(s, "8", 250, 400);
	space_line(s, 2, "XLA Modules");
	space_event(s, "jit_f(77)", 0, 90 * US);
	space_event(s, "jit_f(77)", 250 * US, 150 * US);
	space_takes(s, 12, 5);
	space_line(s, 6, "XLA TraceMe");
	space_event(s, "barrier-cores", 0, 10 * US);
	space_event(s, "dependency-wait", 15 * US, 3 * US);
	space_line(s, 3, "XLA Ops");
	op(s, FUSION, 20, 90);
	op(s, AG, 260, 261);
	op(s, CP, 270, 271);
	op(s, FUSION, 280, 290);
	op(s, AGD, 300, 301);
	op(s, CPD, 320, 321);
	op(s, FUSION, 330, 400);
}

/* The launch comes from another thread. */
static void host(struct mkspace *s)
{
	space_host(s);
	space_event(s, "train", 0, 500 * US);
	space_event(s, "PjitFunction(f)", 100 * US, 90 * US);
	space_event(s, "TransferToDevice", 110 * US, 10 * US);
	space_event(s, "Execute", 150 * US, 10 * US);
	space_gives(s, 3, 9);
	space_line(s, 2, "worker");
	space_event(s, "Run", 180 * US, 40 * US);
	space_takes(s, 3, 9);
	space_event(s, "DoEnqueueProgram", 200 * US, 10 * US);
	space_gives(s, 12, 5);
}

struct made {
	struct dump *dump;
	struct steps steps;
	struct core_times times;
	struct idle idle;
};

static void make(struct mkspace *s, const char *step, struct made *m)
{
	m->dump = space_load(s, 1);
	steps_find(m->dump, &m->steps);
	core_times_make(m->dump, &m->steps, NULL, 1, NULL, &m->times);
	idle_make(&m->times, &(struct idle_options){ .core = -1, .step = step }, &m->idle);
}

static void end(struct made *m)
{
	idle_free(&m->idle);
	core_times_free(&m->times);
	steps_free(&m->steps);
	space_close(m->dump);
}

static void check(const struct idle_core *c, const int64_t want[IDLE_CAUSES])
{
	int64_t sum = 0;

	for (int i = 0; i < IDLE_CAUSES; i++) {
		if (c->cause[i] != want[i] * US)
			fail_msg("%s: %lld", idle_cause_id[i], (long long)c->cause[i]);
		sum += c->cause[i];
	}
	assert_int_equal(sum, c->idle);
}

static void every_cause(void **state)
{
	static const int64_t all[IDLE_CAUSES] = { [IDLE_OTHER_CORES] = 10,
		[IDLE_DEPENDENCY] = 3,
		[IDLE_COMMUNICATION] = 9 + 9 + 10,
		[IDLE_DMA] = 19,
		[IDLE_IN_RUN] = 7 + 10 + 9,
		[IDLE_INPUT] = 10,
		[IDLE_LAUNCH] = 110,
		[IDLE_BETWEEN] = 40 };
	static const int64_t
	    second[IDLE_CAUSES] = { [IDLE_COMMUNICATION] = 28, [IDLE_DMA] = 19, [IDLE_IN_RUN] = 19 };
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	device(&s);
	host(&s);
	make(&s, NULL, &m);
	assert_int_equal(m.idle.ncores, 1);
	assert_int_equal(m.idle.nsteps, 2);
	check(&m.idle.core[0], all);
	check(&m.idle.step[1], second);
	assert_int_equal(m.idle.core[0].window, 400 * US);
	assert_int_equal(m.idle.core[0].overlap, 0);
	assert_int_equal(m.idle.gap[0].cause, IDLE_LAUNCH);
	end(&m);
}

/* What the launching thread did: the call is named, not the step around it. */
static void what_the_host_did(void **state)
{
	struct mkspace s = { 0 };
	struct table t;
	struct made m;

	(void)state;
	device(&s);
	host(&s);
	make(&s, NULL, &m);
	idle_launches_table(&m.idle, &t);
	assert_int_equal(t.nrows, 4);
	assert_true(slice_is(cell_text(table_get(&t, 0, "event")), "PjitFunction(f)"));
	assert_true(slice_is(cell_text(table_get(&t, 0, "thread")), "main"));
	assert_true(table_number(&t, 0, "time_us") == 70);
	assert_true(slice_is(cell_text(table_get(&t, 1, "event")), "train"));
	assert_true(table_number(&t, 1, "time_us") == 30);
	table_free(&t);
	end(&m);
}

static void one_step(void **state)
{
	static const int64_t
	    first[IDLE_CAUSES] = { [IDLE_OTHER_CORES] = 10, [IDLE_DEPENDENCY] = 3, [IDLE_IN_RUN] = 7 };
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	device(&s);
	host(&s);
	make(&s, "7", &m);
	assert_int_equal(m.idle.nsteps, 1);
	check(&m.idle.core[0], first);
	check(&m.idle.sum, first);
	assert_int_equal(m.idle.sum.window, 90 * US);
	assert_int_equal(m.idle.core[0].infeed, -1); /* not known of a step */
	assert_int_equal(m.idle.core[0].overlap, -1);
	end(&m);
}

/* Without markers the runs of several programs are steps, and all those of one program have its name. */
static void steps_of_one_name(void **state)
{
	struct mkspace s = { 0 };
	struct made m;
	int64_t window = 0;

	(void)state;
	space_plane(&s, 2, "/device:TPU:0");
	kind(&s, FUSION, "fusion.1", "loop fusion");
	space_line(&s, 2, "XLA Modules");
	for (int i = 0; i < 9; i++)
		space_event(&s, i % 4 ? "jit_decode(2)" : "jit_prefill(1)", 100 * i * US, 90 * US);
	space_line(&s, 3, "XLA Ops");
	for (int i = 0; i < 9; i++)
		space_event(&s, FUSION, 100 * i * US, 80 * US);
	make(&s, "jit_decode", &m);
	assert_int_equal(m.idle.nsteps, 6);
	for (size_t i = 0; i < m.idle.nsteps; i++)
		window += m.idle.step[i].window;
	assert_int_equal(m.idle.ncores, 1);
	assert_int_equal(m.idle.core[0].window, window);
	assert_int_equal(m.idle.sum.window, window);
	end(&m);
}

/* Nothing says who launched, or there are no programs. */
static void what_is_not_known(void **state)
{
	static const int64_t want[IDLE_CAUSES] = { [IDLE_OTHER_CORES] = 10,
		[IDLE_DEPENDENCY] = 3,
		[IDLE_COMMUNICATION] = 28,
		[IDLE_DMA] = 19,
		[IDLE_IN_RUN] = 26,
		[IDLE_UNKNOWN] = 160 };
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	device(&s);
	make(&s, NULL, &m);
	check(&m.idle.core[0], want);
	assert_int_equal(m.idle.nlaunches, 0);
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cause),
		cmocka_unit_test(what_the_host_did),
		cmocka_unit_test(one_step),
		cmocka_unit_test(steps_of_one_name),
		cmocka_unit_test(what_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
