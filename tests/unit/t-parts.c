/* The parts of a step are one account with its kinds of time: of every capture they add up to the markers, and the
 * kinds that bars and tables of steps show are sums of them. */
#include "config.h"

#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "../lib/mkpod.h"
#include "analyze/diff/side.h"
#include "analyze/overview/overview.h"
#include "analyze/replay/replay.h"
#include "base/file/embedded.h"
#include "capture/compare.h"
#include "capture/results.h"
#include "load/load.h"

static size_t captures, cells, falls;

/* Pieces of ops that overlap without one being in the other are shorter than their self times, which XProf's rules
 * count; steps of runs of programs begin and end elsewhere. */
static bool may_differ(struct capture *c)
{
	const struct core_times *t = capture_get(c, RESULT_CORE_TIMES, NULL, NULL);

	for (size_t k = 0; k < t->ncores; k++) {
		int64_t ops = 0;

		for (int p = 0; p < PIECE_IDLE; p++)
			ops += t->core[k].cut.sum.ps[p];
		if (ops != t->core[k].cut.self)
			return true;
	}
	return c->steps.source != STEPS_LINE;
}

static int64_t part_sum(const int64_t *part, enum time_kind kind)
{
	int64_t sum = 0;

	for (int p = 0; p < SPENT_PARTS; p++)
		if (p != SPENT_OVERHANG && spent_info[p].kind == kind)
			sum += part[p];
	return sum;
}

static void expect_kinds(const int64_t *part, const struct step_core *c, int64_t marker)
{
	const int64_t wait = account_parts_of(c, 0).wait;
	static const enum time_kind kinds[] = { KIND_MATMUL, KIND_COLLECTIVE, KIND_COPY, KIND_IO };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		assert_int_equal(part_sum(part, kinds[i]), c->kind[kinds[i]]);
	assert_int_equal(part_sum(part, KIND_COMPUTE), c->kind[KIND_COMPUTE] + c->kind[KIND_ANY_COMPUTE]);
	assert_int_equal(part[SPENT_WAIT], wait < 0 ? 0 : wait);
	if (marker == c->total)
		assert_int_equal(part_sum(part, KIND_IDLE), c->ps[METRIC_IDLE]);
	cells++;
}

static const struct step_core *cell_of(const struct step_cores *s, const struct replay_core *c,
    struct slice name)
{
	char *step = xasprintf("%.*s", (int)name.n, name.s);
	const size_t at = step_cores_named(s, step);

	free(step);
	for (size_t k = 0; k < s->ncores && at != SIZE_MAX; k++)
		if (s->core[k].host == c->host && s->core[k].core == c->core)
			return step_core_at(s, k, at);
	return NULL;
}

/* Ops of the step before, and those that last beyond the end, count whole where they begin in tables of steps. */
static bool has_overhang(const struct replay *r, size_t core, size_t step)
{
	return replay_parts(r, core, step)[SPENT_OVERHANG] || step + 1 == r->nsteps ||
	    replay_parts(r, core, step + 1)[SPENT_OVERHANG];
}

/* What a comparison says of the capture: the rows of its waterfall are sums of the parts of the same steps. */
static void expect_fall(struct capture *c, const struct replay *r)
{
	static const enum part_kind fall[] = {
#define PART(id, name, kind, fall, meaning) PART_##fall,
#include "analyze/pieces/parts.def"
#undef PART
	};
	struct err err = { 0 };
	struct side *s = capture_side(c, &(struct side_options){ .core = -1, .threads = 1 }, &err);
	int64_t sum[PARTS] = { 0 }, own[PARTS] = { 0 };

	assert_non_null(s);
	own[PART_IDLE] = s->idle;
	for (size_t i = 0; i < s->nops; i++) {
		own[s->op[i].kind] += s->op[i].self - s->op[i].wait;
		own[PART_COMM_WAIT] += s->op[i].wait;
	}
	for (size_t i = 0; i < r->nsteps; i++)
		for (size_t k = 0; k < r->ncores && r->used[i]; k++)
			for (int p = 0; p < SPENT_PARTS; p++)
				sum[fall[p]] += replay_parts(r, k, i)[p];
	if (s->nsteps == r->nsteps && s->nused == replay_count(r, r->used)) {
		for (int p = 0; p < PARTS; p++)
			if (p != PART_IDLE || fabs(s->mean - replay_mean(r, r->step, r->used)) < 1e-9)
				assert_int_equal(own[p], sum[p]);
		falls++;
	}
	capture_side_free(s);
}

static void expect_parts(struct capture *c)
{
	const struct replay *r;
	const struct overview *o;
	bool differs, overhang = false;

	capture_prepare(c, CLOCK_PLAIN, NULL);
	r = capture_get(c, RESULT_REPLAY, NULL, NULL);
	o = capture_get(c, RESULT_OVERVIEW, NULL, NULL);
	differs = may_differ(c);
	captures += r->nsteps > 0;
	for (size_t k = 0; k < r->ncores; k++)
		for (size_t i = 0; i < r->nsteps; i++) {
			const struct border *b = &r->core[k].border[i];
			const int64_t *part = replay_parts(r, k, i);
			const struct step_core *own =
			    cell_of(&o->cores, &r->core[k], dump_text(c->base, b->name));
			int64_t sum = 0;

			for (int p = 0; p < SPENT_PARTS; p++) {
				assert_true(part[p] >= 0);
				sum += part[p];
			}
			assert_int_equal(sum, b->to - b->from);
			overhang |= part[SPENT_OVERHANG] > 0;
			if (own && !differs && own->total >= 0 && !has_overhang(r, k, i))
				expect_kinds(part, own, b->to - b->from);
		}
	if (!differs && !overhang && r->nsteps)
		expect_fall(c, r);
	capture_close(c);
}

static void of_own_samples(void **state)
{
	static const char *const names[] = { "simulated-v5e-4chip.xplane.pb.gz" };

	(void)state;
	for (int hosts = 1; hosts <= 3; hosts++)
		expect_parts(capture_of(pod_load(hosts), 1));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct embedded *e = embedded_find(names[i]);
		struct load_options options = { .threads = 1 };
		struct err err = { 0 };

		expect_parts(capture_of(load_memory(e->bytes, e->size, e->name, &options, &err), 1));
	}
	assert_true(cells > 0);
}

/* A logdir is opened as a whole, and captures beside it one by one. */
static int open_capture(const char *path, const struct stat *st, int type, struct FTW *at)
{
	const char *name = path + at->base, *paths[] = { path };
	const bool file = type == FTW_F && strstr(name, ".xplane.pb") && !strstr(path, "/plugins/");
	struct load_options options = { .threads = 1 };
	struct err err = { 0 };
	char *inside = xasprintf("%s/plugins", path);
	struct dump *d;

	(void)st;
	if ((file || (type == FTW_D && !access(inside, R_OK))) && !strstr(path, "/hostile/") &&
	    (d = load_paths(paths, 1, &options, NULL, &err)))
		expect_parts(capture_of(d, 1));
	free(inside);
	return 0;
}

static void of_shared_captures(void **state)
{
	char *data = xasprintf("%s/../shared/data", getenv("top_srcdir") ? getenv("top_srcdir") : ".");

	(void)state;
	if (access(data, R_OK)) {
		free(data);
		skip();
	}
	captures = cells = falls = 0;
	assert_int_equal(nftw(data, open_capture, 16, FTW_PHYS), 0);
	print_message("%zu captures, %zu steps of cores, %zu waterfalls\n", captures, cells, falls);
	assert_true(captures > 20 && cells > 500 && falls > 20);
	free(data);
}

/* The kind of a group is that in which it was found, whatever the op is called. */
static void a_group_is_of_its_kind(void **state)
{
	static const char *const categories[] = { "", "copy", "copy-start", "async-done", "all-reduce",
		"send", "host send", "infeed", "outfeed", "sparsecorev0 infeed", "loop fusion",
		"convolution" };

	(void)state;
	for (int k = 0; k < KIND_OPS; k++)
		for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
			const struct slice category = slice_of(categories[i]);
			const enum work_group g = work_group_of((enum time_kind)k, category, category,
			    op_role_of(category, category));

			assert_int_equal(spent_info[group_part[g]].kind,
			    k == KIND_ANY_COMPUTE ? KIND_COMPUTE : k);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_is_of_its_kind),
		cmocka_unit_test(of_own_samples),
		cmocka_unit_test(of_shared_captures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
