#include "config.h"
#include "analyze/scopes/scopes.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"

#define US 1000000LL

static void check_fold(const char *tf_op, const char *want)
{
	struct slice raw[PATH_PARTS], out[PATH_PARTS];
	size_t n = scope_path(slice_of(tf_op), raw), k = scope_fold(raw, n, out), len = 0;
	char text[400] = "";

	for (size_t i = 0; i < k; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%.*s", i ? " " : "", (int)out[i].n,
		    out[i].s);
	assert_string_equal(text, want);
}

static void paths(void **state)
{
	char deep[600] = "";

	(void)state;
	check_fold("jit(train_step)/transpose(jvp())/while/body/closed_call/checkpoint/attn/neg",
	    "train_step attn neg");
	check_fold("jit(f)/jvp(net/block)/bhd,bthd->bht/dot_general:",
	    "f net block bhd,bthd->bht dot_general");
	check_fold("jit(f)/branch_12_fun/while", "f while");
	check_fold("jit(f)/branch_x_fun/a:b:c", "f branch_x_fun a");
	check_fold("custom_jvp(relu)/x", "relu x");
	check_fold("vmap(transpose(jvp(x)))//y:", "x y");
	check_fold("", "");
	check_fold("a)/b", "a) b");
	for (int i = 0; i < 100; i++)
		strcat(deep, "a/");
	check_fold("jvp()", "");
	assert_int_equal(scope_path(slice_of(deep), (struct slice[PATH_PARTS]){ 0 }), PATH_PARTS);
}

static void check_phase(const char *tf_op, const char *text, enum scope_phase want)
{
	struct slice raw[PATH_PARTS];
	size_t n = scope_path(slice_of(tf_op), raw);

	if (scope_phase_of(raw, n, slice_of(text)) != want)
		fail_msg("%s", tf_op);
}

static void phases(void **state)
{
	(void)state;
	check_phase("jit(f)/jvp(x)/mul", "", PHASE_FORWARD);
	check_phase("jit(f)/vmap(transpose(jvp(x)))/mul", "", PHASE_BACKWARD);
	check_phase("jit(f)/transpose(jvp())/checkpoint/attn/neg", "", PHASE_BACKWARD);
	check_phase("jit(f)/transpose(jvp())/checkpoint/rematted_computation/attn/neg", "", PHASE_RECOMPUTE);
	check_phase("jit(f)/jvp(x)/mul", "%fusion.3.remat2 = f32[8] fusion(%x)", PHASE_RECOMPUTE);
	check_phase("jit(f)/jvp(x)/mul", "%fusion.3 = f32[8] fusion(%y.remat)", PHASE_FORWARD);
	check_phase("jit(f)/custom_jvp(relu)/max", "", PHASE_OTHER);
}

struct made {
	struct dump *d;
	struct steps steps;
	struct core_times times;
	struct scopes s;
};

static void kind(struct mkspace *s, const char *name, const char *tf_op, const char *source)
{
	space_op(s, name, "loop fusion", 7, 1);
	space_meta_int(s, name, "flops", 1000);
	if (tf_op)
		space_meta_str(s, name, "tf_op", tf_op);
	if (source)
		space_meta_str(s, name, "source", source);
}

/* Two cores: a 10 and 20, b 30 in a loop of 40, and 5 without a scope, after a gap of 15. */
static void make(struct made *m, enum scope_tree tree, int core)
{
	struct mkspace s = { 0 };

	for (int i = 0; i < 2; i++) {
		space_plane(&s, 2 + i, i ? "/device:TPU:1" : "/device:TPU:0");
		space_plane_double(&s, "peak_teraflops_per_second", 1);
		kind(&s, "a", "jit(f)/jvp(net)/a/mul:", "m.py:7");
		kind(&s, "w", "jit(f)/jvp(net)/while:", "m.py:9");
		kind(&s, "b", "jit(f)/transpose(jvp(net))/while/body/b/mul:", "m.py:9");
		kind(&s, "c", NULL, NULL);
		space_line(&s, 3, "XLA Ops");
		space_event(&s, "a", 0, (10 + 10 * i) * US);
		space_event(&s, "w", 30 * US, 40 * US);
		space_event(&s, "b", 35 * US, 30 * US);
		space_event(&s, "c", 85 * US, 5 * US);
	}
	m->d = space_load(&s, 1);
	steps_find(m->d, &m->steps);
	core_times_make(m->d, &m->steps, NULL, 2, NULL, &m->times);
	const struct scopes_options o = { .tree = tree, .core = core };

	scopes_make(&m->times, &o, &m->s);
	scopes_spread(&m->times, &o, &m->s);
}

static void drop(struct made *m)
{
	scopes_free(&m->s);
	core_times_free(&m->times);
	steps_free(&m->steps);
	space_close(m->d);
}

static const struct name_scope *named(const struct scopes *s, const char *path)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->v[i].path, path))
			return &s->v[i];
	fail_msg("no scope %s", path);
	return NULL;
}

static void trees_add_up(void **state)
{
	const struct name_scope *x;
	int64_t gap = 0, time = 0;
	struct made m;

	(void)state;
	make(&m, SCOPES_FOLDED, -1);
	x = named(&m.s, "f/net");
	assert_int_equal(x->sum.time, 2 * 40 * US + 30 * US);
	assert_int_equal(x->sum.phase[PHASE_BACKWARD], 60 * US);
	assert_int_equal(x->sum.phase[PHASE_FORWARD], 50 * US);
	assert_int_equal(x->sum.gap, (20 + 10) * US);
	assert_int_equal(named(&m.s, "f/net/while")->sum.time, 20 * US);
	assert_int_equal(named(&m.s, "f/net/b/mul")->sum.self, 60 * US);
	x = named(&m.s, "f/net/a");
	assert_int_equal(x->core_min, 10 * US);
	assert_int_equal(x->core_max, 20 * US);
	assert_int_equal(m.s.no_scope, 10 * US);
	for (size_t i = 0; i < m.s.n; i++)
		if (m.s.v[i].parent == UINT32_MAX) {
			gap += m.s.v[i].sum.gap;
			time += m.s.v[i].sum.time;
		} else {
			assert_true(m.s.v[i].parent < i && i < m.s.v[m.s.v[i].parent].end);
		}
	assert_int_equal(time, m.s.sum.time);
	assert_int_equal(gap, (20 + 10 + 30) * US);
	/* a loop with ops in it has no rate of its own */
	assert_int_equal(named(&m.s, "f/net/while")->sum.rated, 0);
	assert_int_equal(m.s.nops, 4);
	drop(&m);
}

static void of_one_core_and_by_source(void **state)
{
	struct made m;

	(void)state;
	make(&m, SCOPES_SOURCE, 1);
	assert_int_equal(m.s.cores, 1);
	assert_int_equal(named(&m.s, "m.py:9")->sum.time, 40 * US);
	assert_int_equal(named(&m.s, "m.py:7")->sum.time, 20 * US);
	assert_int_equal(named(&m.s, "m.py")->sum.time, 60 * US);
	assert_int_equal(named(&m.s, "(no source)")->sum.time, 5 * US);
	drop(&m);
}

/* An op across the border of two steps counts in both. */
static void spread_over_steps(void **state)
{
	const struct name_scope *x;
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	space_plane(&s, 2, "/device:TPU:0");
	kind(&s, "a", "jit(f)/a/mul:", NULL);
	kind(&s, "b", "jit(f)/b/mul:", NULL);
	space_line(&s, 1, "Steps");
	space_event(&s, "7", 0, 100 * US);
	space_event(&s, "8", 100 * US, 100 * US);
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "a", 10 * US, 10 * US);
	space_event(&s, "b", 40 * US, 5 * US);
	space_event(&s, "a", 90 * US, 30 * US);
	m.d = space_load(&s, 1);
	steps_find(m.d, &m.steps);
	core_times_make(m.d, &m.steps, NULL, 2, NULL, &m.times);
	scopes_make(&m.times, &(struct scopes_options){ .core = -1 }, &m.s);
	assert_int_equal(m.s.cells, 0); /* not known yet */
	scopes_spread(&m.times, &(struct scopes_options){ .core = -1 }, &m.s);
	assert_int_equal(m.s.cells, 2);
	x = named(&m.s, "f/a/mul");
	assert_int_equal(x->step_min, 20 * US);
	assert_int_equal(x->step_max, 20 * US);
	x = named(&m.s, "f/b");
	assert_int_equal(x->step_min, 0);
	assert_int_equal(x->step_max, 5 * US);
	x = named(&m.s, "f");
	assert_int_equal(x->step_sum, 45 * US);
	assert_int_equal(x->step_max, 25 * US);
	drop(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths),
		cmocka_unit_test(phases),
		cmocka_unit_test(trees_add_up),
		cmocka_unit_test(of_one_core_and_by_source),
		cmocka_unit_test(spread_over_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
