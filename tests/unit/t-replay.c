/* The replay of the steps, on a pod whose times are known: of 1 ms, core 1 of host w-1 takes 420 us before the
 * all-reduce, the others 300 us; it ends at 600 us on all of them, and 100 us are a fusion. */
#include "config.h"
#include "analyze/replay/replay.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/mkpod.h"
#include "analyze/findings/findings.h"
#include "base/file/embedded.h"
#include "capture/results.h"

#define US 1e6

static const struct replay *replay_of(struct capture *c)
{
	return capture_get(c, RESULT_REPLAY, NULL, NULL);
}

static struct prediction predicted(const struct replay *r, const char *text)
{
	struct err err = { 0 };
	struct change *c = change_parse(r, text, &err);
	struct prediction p;

	assert_non_null(c);
	p = replay_predict(r, c);
	change_free(c);
	return p;
}

static void expect_saving(const struct replay *r, const char *change, double us)
{
	struct prediction p = predicted(r, change);

	assert_float_equal(p.save, us * US, 1);
	assert_float_equal(p.step, (1000 - us) * US, 1);
}

/* Without a change every step is repeated; parts add up to each marker, rows of the path to the steps. */
static void expect_exact(const struct replay *r, double within)
{
	double path = 0, steps = 0;

	assert_true(r->nsteps > 0 && !r->stuck);
	for (size_t i = 0; i < r->nsteps; i++) {
		double longest = 0;

		for (size_t k = 0; k < r->ncores; k++) {
			const struct border *b = &r->core[k].border[i];

			assert_int_equal(replay_time(r, k, i), b->to - b->from);
			for (int p = 0; p < SPENT_PARTS; p++)
				assert_true(replay_parts(r, k, i)[p] >= 0);
			longest = fmax(longest, (double)(b->to - b->from));
		}
		assert_float_equal(r->step[i], longest, 0);
		assert_true(fabs(r->unchanged[i] - r->step[i]) <= within * r->step[i]);
		assert_true(r->light[i] <= r->step[i]);
		steps += r->used[i] ? r->step[i] : 0;
	}
	for (size_t i = 0; i < r->path.n; i++)
		path += r->path.v[i].ps;
	assert_float_equal(path, steps, 1e-9 * steps);
}

static void without_a_change_it_is_exact(void **state)
{
	const struct embedded *e = embedded_find("simulated-v5e-4chip.xplane.pb.gz");
	struct load_options options = { .threads = 1 };
	struct err err = { 0 };
	struct capture *c;

	(void)state;
	for (int hosts = 1; hosts <= 3; hosts++) {
		c = capture_of(pod_load(hosts), 1);
		expect_exact(replay_of(c), 1e-12);
		capture_close(c);
	}
	c = capture_of(load_memory(e->bytes, e->size, e->name, &options, &err), 1);
	expect_exact(replay_of(c), 0.005);
	capture_close(c);
}

static void a_mend_saves_what_is_known(void **state)
{
	struct capture *c = capture_of(pod_load(2), 1);
	const struct replay *r = replay_of(c);

	(void)state;
	assert_true(r->waits_known);
	expect_saving(r, "core:w-1/1=median", 120);
	expect_saving(r, "cores=median", 120);
	expect_saving(r, "core:w-0/0=median", 0); /* it is the median */
	expect_saving(r, "op:conv*0.5", 210);
	expect_saving(r, "op:fusion=0", 100);
	expect_saving(r, "transfer:all-reduce*=0", 180);
	expect_saving(r, "core:w-1/1=median,op:fusion=0,transfer:all-reduce.1*0.5", 310);
	expect_saving(r, "op:no-such-op=0", 0);
	capture_close(c);
}

/* Selections of one kind of op are applied in their order, by name or by pattern. */
static void changes_of_one_op_follow_each_other(void **state)
{
	struct capture *c = capture_of(pod_load(2), 1);
	const struct replay *r = replay_of(c);
	double light = predicted(r, "op:fusion=roofline").save;

	(void)state;
	expect_saving(r, "op:fus*ion*0.5,op:fusion*0.5", 75);
	assert_true(light > 99 * US && light <= 100 * US);
	assert_float_equal(predicted(r, "op:fusion*0.5,op:fus*=roofline").save, light, 1);
	assert_float_equal(predicted(r, "op:fus*=roofline,op:fusion*0.5").save, 50 * US + light / 2, 1);
	capture_close(c);
}

/* The straggler is waited for in both steps. */
static void the_path_follows_who_came_last(void **state)
{
	struct capture *c = capture_of(pod_load(2), 1);
	const struct replay *r = replay_of(c);
	size_t rows = 0;

	(void)state;
	assert_int_equal(r->path.near_ties, 0);
	for (size_t i = 0; i < r->path.n; i++)
		if (r->path.v[i].what == PATH_TRANSFER) {
			assert_int_equal(r->path.v[i].core, 3);
			assert_float_equal(r->path.v[i].ps, 360 * US, 1);
			rows++;
		}
	assert_int_equal(rows, 1);
	capture_close(c);
}

/* One op runs through 60 steps and the times between them: each step is all its own. */
static void an_op_may_last_many_steps(void **state)
{
	struct mkspace s = { 0 };
	struct capture *c;
	const struct replay *r;

	(void)state;
	space_plane(&s, 2, "/device:TPU:0");
	pod_kinds(&s, 2);
	space_line(&s, 1, "Steps");
	for (int i = 0; i < 60; i++)
		space_event(&s, "marker", 100 * POD_US * i, 90 * POD_US);
	space_line(&s, 2, "XLA Modules");
	space_event(&s, "jit_step(77)", 0, 6000 * POD_US);
	space_line(&s, 3, "XLA Ops");
	pod_op(&s, "conv", 0, 6000 * POD_US);
	space_end(&s, 0);
	c = capture_of(space_load(&s, 1), 1);
	r = replay_of(c);
	expect_exact(r, 1e-12);
	for (size_t i = 0; i < r->path.n; i++)
		if (r->path.v[i].what == PATH_OP)
			assert_float_equal(r->path.v[i].ps, 90 * US * (double)replay_count(r, r->used), 1);
		else
			assert_float_equal(r->path.v[i].ps, 0, 0);
	capture_close(c);
}

static void a_word_that_is_no_change(void **state)
{
	static const char *const bad[] = { "nonsense:1", "op:conv", "op:conv*x", "op:=0", "core:w-1/9=median",
		"idle:never=0", "transfer:*=roofline" };
	struct capture *c = capture_of(pod_load(1), 1);

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err err = { 0 };

		assert_null(change_parse(replay_of(c), bad[i], &err));
		assert_non_null(strstr(err.msg, bad[i]));
	}
	capture_close(c);
}

/* Findings say the saving of their mend; together they save no more than there is. */
static void findings_say_what_they_save(void **state)
{
	struct capture *c = capture_of(pod_load(4), 1);
	const struct findings *f = capture_get(c, RESULT_MENDED, NULL, NULL);
	bool straggler = false;

	(void)state;
	assert_float_equal(f->whole, 1000 * US, 1);
	assert_true(f->joint > 0 && f->joint <= f->first && f->first < f->whole);
	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->v[i];

		assert_true(isnan(x->save) || x->save <= f->whole);
		assert_true(!i || f->v[i - 1].severity <= x->severity);
		if (i && f->v[i - 1].severity == x->severity && !isnan(x->save))
			assert_true(f->v[i - 1].save >= x->save);
		if (strcmp(x->id, "straggler_core"))
			continue;
		straggler = true;
		assert_string_equal(x->mend, "core:w-1/1=median");
		assert_float_equal(x->save, 120 * US, 1);
		assert_false(x->at_most);
		assert_non_null(strstr(x->evidence, "mended: 880 µs, saves 120 µs (12.0 %)"));
	}
	assert_true(straggler);
	capture_close(c);
}

/* The groups name four devices, two are here: what needs their waits is not known, the rest is. */
static void where_cores_are_missing(void **state)
{
	const char *own = pod_groups;
	struct capture *c;
	const struct replay *r;

	(void)state;
	pod_groups = "[1,4]<=[4]";
	c = capture_of(pod_load(1), 1);
	pod_groups = own;
	r = replay_of(c);
	expect_exact(r, 1e-12);
	assert_false(r->waits_known);
	assert_true(isnan(predicted(r, "cores=median").save));
	assert_true(isnan(predicted(r, "hide:*").save));
	assert_true(isnan(predicted(r, "transfer:all-reduce*=0").save));
	expect_saving(r, "op:fusion=0", 100);
	capture_close(c);
}

/* Ops that a finding before has are its own: the others say where they stand. */
static void an_op_stands_in_one_finding(void **state)
{
	struct capture *c = capture_of(pod_load(1), 1);
	struct finding v[3] = { { .id = "memory_bound", .evidence = "a", .proof.members = "conv\nfusion" },
		{ .id = "padding", .evidence = "b", .proof.members = "fusion\nall-reduce.1" },
		{ .id = "tiny_ops", .evidence = "c", .proof.members = "conv\nall-reduce.1\nfusion" } };
	struct finding_check check[] = { { .id = "memory_bound", .label = "Memory bound ops" },
		{ .id = "padding", .label = "Padding" } };
	struct findings f = { .v = v, .n = 3, .check = check, .nchecks = 2 };

	(void)state;
	findings_refer(c->base, &f);
	assert_string_equal(v[0].evidence, "a");
	assert_string_equal(v[1].evidence, "b; 1 of its ops also in Memory bound ops");
	assert_string_equal(v[2].evidence,
	    "c; 2 of its ops also in Memory bound ops; 1 of its ops also in Padding");
	arena_free(&f.text);
	capture_close(c);
}

/* The first findings need no pieces of time, those of a huge capture neither pieces nor savings. */
static void what_findings_of_a_large_capture_need(void **state)
{
	const unsigned pieces = 1u << RESULT_CORE_TIMES | 1u << RESULT_COMMUNICATION | 1u << RESULT_IDLE,
		       replay = 1u << RESULT_REPLAY;
	const struct {
		uint64_t events;
		size_t tracks;
		bool large;
		unsigned pieces, replay;
	} cases[] = { { 2000000, 20000, false, pieces, replay }, { 2000001, 1, true, pieces, replay },
		{ 20000000, 1, true, pieces, replay }, { 20000001, 1, true, 0, 0 },
		{ 1, 20001, true, 0, 0 } };
	struct capture *c = capture_of(pod_load(1), 1);
	struct trace own = c->base->trace, *t = (struct trace *)&c->base->trace;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		t->events = cases[i].events;
		t->ntracks = cases[i].tracks;
		assert_int_equal(capture_is_large(c), cases[i].large);
		assert_int_equal(capture_needs(c, RESULT_FIRST_FINDINGS) & pieces, 0);
		assert_int_equal(capture_needs(c, RESULT_FINDINGS) & pieces, cases[i].pieces);
		assert_int_equal(capture_needs(c, RESULT_MENDED) & replay, cases[i].replay);
		assert_true(capture_needs(c, RESULT_IDLE) & 1u << RESULT_CORE_TIMES);
		assert_true(capture_needs(c, RESULT_LEVERS) & replay);
	}
	*t = own;
	capture_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_change_it_is_exact),
		cmocka_unit_test(a_mend_saves_what_is_known),
		cmocka_unit_test(changes_of_one_op_follow_each_other),
		cmocka_unit_test(the_path_follows_who_came_last),
		cmocka_unit_test(an_op_may_last_many_steps),
		cmocka_unit_test(a_word_that_is_no_change),
		cmocka_unit_test(findings_say_what_they_save),
		cmocka_unit_test(where_cores_are_missing),
		cmocka_unit_test(an_op_stands_in_one_finding),
		cmocka_unit_test(what_findings_of_a_large_capture_need),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
