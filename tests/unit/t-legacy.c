#include "config.h"
#include "analyze/tables/legacy_op_profile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyze/overview/input_pipeline.h"
#include "analyze/overview/overview.h"
#include "analyze/tables/legacy_framework.h"
#include "analyze/tables/ops.h"
#include "load/load.h"

static struct dump *load(const char *path)
{
	char *full = xasprintf("%s/%s", getenv("top_srcdir"), path);
	const char *const paths[] = { full };
	struct err e;
	struct dump *d = load_paths(paths, 1, NULL, NULL, &e);

	free(full);
	assert_non_null(d);
	return d;
}

static bool named(const struct op_node *x, const char *name)
{
	return x->name.n == strlen(name) && !memcmp(x->name.s, name, x->name.n);
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-12;
}

static void old_files_tell_fractions(void **state)
{
	struct dump *d = load("tests/fuzz/corpus/tool-json/op-profile-old.json");
	enum op_group by = GROUP_PROGRAM;
	bool idle = true;
	struct opprofile p;
	struct op_node *matrix, *dot, *fusion;
	struct op_use u;
	struct err e;

	(void)state;
	assert_int_equal(legacy_op_profile(&d->tools[0], &by, &idle, &p, &e), 0);
	assert_int_equal(by, GROUP_CATEGORY); /* the only one in the file */
	assert_true(idle);
	assert_int_equal(p.knows, KNOWS_FLOPS | KNOWS_HBM);
	assert_int_equal(p.root->n, 2);
	matrix = p.root->child[0];
	assert_int_equal(matrix->kind, NODE_CATEGORY);
	dot = matrix->child[0];
	fusion = matrix->child[1];
	assert_int_equal(dot->kind, NODE_OP);
	opprofile_use(&p, dot, &u);
	assert_true(near(u.share, 0.5) && near(u.flops, 0.3));
	assert_true(near(u.wasted, 0.5 * (1 - 0.6))); /* utilization = flops / time */
	assert_true(u.bandwidth[0] == 0 && isnan(u.bandwidth[1]) && isnan(u.bytes[0]));
	assert_int_equal(dot->ndims, 3);
	assert_int_equal(dot->dim[0].size, 200);
	assert_int_equal(dot->dim[0].padded, 256);
	assert_string_equal(dot->dim[1].semantics, "batch");
	assert_int_equal(dot->dim[2].alignment, 0);
	assert_null(dot->dim[2].semantics);
	opprofile_use(&p, fusion, &u);
	assert_true(near(u.wasted, 0)); /* the full memory bandwidth */
	assert_int_equal(fusion->child[0]->kind, NODE_PART);
	opprofile_use(&p, fusion->child[0], &u);
	assert_true(isnan(u.share) && isnan(u.wasted));
	opprofile_free(&p);
	dump_close(d);
}

static void new_files_tell_times(void **state)
{
	struct dump *d = load("tests/fuzz/corpus/tool-json/op-profile-new.json");
	enum op_group by = GROUP_PROGRAM;
	bool idle = true;
	struct opprofile p;
	struct op_node *program, *group;
	struct op_use u;
	struct err e;

	(void)state;
	assert_int_equal(legacy_op_profile(&d->tools[0], &by, &idle, &p, &e), 0);
	assert_int_equal(p.knows, KNOWS_FLOPS | KNOWS_HBM | KNOWS_TIME | KNOWS_COUNT | KNOWS_ALL_COUNTS);
	program = p.root->child[0];
	assert_int_equal(program->kind, NODE_PROGRAM);
	assert_true(named(program, "jit_f(7)"));
	assert_int_equal(program->sum.time, 3000000);
	assert_int_equal(p.root->child[1]->kind, NODE_IDLE);
	assert_null(p.root->child[1]->op);
	group = program->child[0]->child[0];
	assert_int_equal(group->kind, NODE_DUPLICATES);
	assert_true(named(group, "fusion.1")); /* the reader adds "and more" to the name */
	assert_true(group->op->program == UINT64_MAX);
	assert_true(slice_is(group->op->source, "model.py:7"));
	assert_true(slice_is(group->op->category, "loop fusion"));
	opprofile_use(&p, group, &u);
	assert_true(near(u.share, 0.75) && near(u.bandwidth[1], 0.5) && near(u.bytes[1], 2e6));
	assert_true(near(u.wasted, 0.75 * (1 - 0.25 / 0.75)));
	assert_int_equal(group->sum.occurrences, 4);
	opprofile_free(&p);
	by = GROUP_PROVENANCE; /* the file has it only without idle time */
	assert_int_equal(legacy_op_profile(&d->tools[0], &by, &idle, &p, &e), 0);
	assert_int_equal(by, GROUP_PROVENANCE);
	assert_false(idle);
	opprofile_free(&p);
	dump_close(d);
}

static void framework_ops_of_both_forms(void **state)
{
	struct dump *d = load("tests/fuzz/corpus/tool-pb/framework-ops.pb");
	struct table t;
	const struct cell *c;

	(void)state;
	assert_true(legacy_framework_ops(&d->tools[0], true, &t));
	assert_int_equal(t.nrows, 3);
	c = t.cells + t.ncolumns;
	assert_memory_equal(c[table_column(&t, "operation")].s, "model/dense/MatMul", 18);
	assert_true(c[table_column(&t, "total_self_time")].u.d == 60);
	assert_true(c[table_column(&t, "device_total_self_time_percent")].u.d == 0.3);
	assert_int_equal(c[table_column(&t, "model_flop_rate")].type, CELL_NULL);
	table_free(&t);
	assert_true(legacy_framework_ops(&d->tools[0], false, &t));
	assert_int_equal(t.nrows, 1);
	table_free(&t);
	dump_close(d);
	d = load("tests/fuzz/corpus/tool-json/framework-ops.json");
	assert_true(legacy_framework_ops(&d->tools[0], true, &t));
	assert_int_equal(t.nrows, 4);
	assert_true(t.cells[table_column(&t, "total_self_time")].u.d == 12.5);
	assert_int_equal(t.cells[table_column(&t, "bound_by")].type, CELL_NULL);
	assert_int_equal(t.cells[t.ncolumns + (size_t)table_column(&t, "occurrences")].type, CELL_NULL);
	table_free(&t);
	assert_true(legacy_framework_ops(&d->tools[0], false, &t));
	assert_int_equal(t.nrows, 1);
	table_free(&t);
	dump_close(d);
}

static void rates_that_nobody_measured(void **state)
{
	static const char text[] =
	    "[{\"cols\":[{\"id\":\"host_or_device\"},{\"id\":\"operation\"},{\"id\":\"measured_flop_rate\"},"
	    "{\"id\":\"measured_memory_bw\"},{\"id\":\"operational_intensity\"}],\"rows\":["
	    "{\"c\":[{\"v\":\"Device\"},{\"v\":\"a\"},{\"v\":0},{\"v\":0},{\"v\":0}]},"
	    "{\"c\":[{\"v\":\"Device\"},{\"v\":\"b\"},{\"v\":0},{\"v\":2.5},{\"v\":0}]}]}]";
	static const char *const path = "t-legacy.framework_op_stats.json";
	static const char *const rates[] = { "measured_flop_rate", "measured_memory_bw",
		"operational_intensity" };
	FILE *f = fopen(path, "wb");
	struct dump *d;
	struct table t;
	struct err e;

	(void)state;
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, sizeof text - 1, f), sizeof text - 1);
	assert_int_equal(fclose(f), 0);
	d = load_paths(&path, 1, NULL, NULL, &e);
	assert_non_null(d);
	assert_int_equal(d->ntools, 1);
	assert_true(legacy_framework_ops(&d->tools[0], true, &t));
	assert_int_equal(t.nrows, 2);
	for (size_t i = 0; i < 3; i++) {
		size_t at = (size_t)table_column(&t, rates[i]);

		assert_int_equal(t.cells[at].type, CELL_NULL);
		/* the bytes are known, so 0 FLOPs means none */
		assert_int_equal(t.cells[t.ncolumns + at].type, CELL_NUM);
	}
	table_free(&t);
	dump_close(d);
	unlink(path);
}

static void instead_of_a_capture(void **state)
{
	struct dump *d = load("tests/fuzz/corpus/tool-json/overview.json");
	size_t more = 7;

	(void)state;
	assert_ptr_equal(toolfile_alone(d, FILE_OVERVIEW, NULL, &more), &d->tools[0]);
	assert_int_equal(more, 0);
	assert_ptr_equal(input_toolfile(d, NULL), &d->tools[0]); /* it has the steps, too */
	assert_null(toolfile_alone(d, FILE_FRAMEWORK_OPS, NULL, &more));
	d->files[0].kind = FILE_XSPACE;
	d->files[0].events = 1;
	assert_null(toolfile_alone(d, FILE_XSPACE, NULL, &more)); /* a capture has events */
	d->files[0].kind = FILE_OVERVIEW;
	dump_close(d);
}

static void expect_same(const struct opprofile *pa, const struct op_node *a, const struct opprofile *pb,
    const struct op_node *b)
{
	struct op_use x, y;

	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->name.n, b->name.n);
	assert_memory_equal(a->name.s, b->name.s, a->name.n);
	assert_int_equal(a->sum.time, b->sum.time);
	assert_int_equal(a->sum.normalized, b->sum.normalized);
	if (a->kind != NODE_ROOT && a->kind != NODE_PROGRAM && a->kind != NODE_PROVENANCE)
		assert_int_equal(a->sum.occurrences, b->sum.occurrences);
	opprofile_use(pa, a, &x);
	opprofile_use(pb, b, &y);
	assert_true(near(x.share, y.share) && near(x.flops, y.flops) && near(x.uncapped, y.uncapped));
	assert_true(near(x.wasted, y.wasted));
	for (int i = 0; i < 3; i++)
		assert_true(near(x.bandwidth[i], y.bandwidth[i]) && near(x.bytes[i], y.bytes[i]));
	if (a->kind == NODE_OP) /* only the file has parts of fusions */
		return;
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++)
		expect_same(pa, a->child[i], pb, b->child[i]);
}

/* The profiler's own results next to the capture. */
static void files_and_captures_agree(void **state)
{
	static const char *const files[] = { "program", "category", "provenance" };
	char *there = xasprintf("%s/../shared/data/ops-golden", getenv("top_srcdir"));
	struct opdb_options o = { .core = -1, .threads = 1 };
	bool absent = access(there, R_OK) != 0;
	struct dump *d;
	struct opdb db;

	(void)state;
	free(there);
	if (absent)
		skip();
	d = load("../shared/data/ops-golden/synA");
	opdb_build(d, &o, &db);
	for (int i = 0; i < 6; i++) {
		enum op_group by = (enum op_group)(i / 2), asked = by;
		bool idle = i % 2, asked_idle = idle;
		char *path = xasprintf("../shared/data/ops-golden/out_synA/op_profile.%s.json", files[by]);
		struct dump *file = load(path);
		struct opprofile a, b;
		struct err e;

		opprofile_build(d, &db, by, idle, &a);
		assert_int_equal(legacy_op_profile(&file->tools[0], &by, &idle, &b, &e), 0);
		assert_true(by == asked && idle == asked_idle);
		assert_int_equal(a.knows, b.knows);
		expect_same(&a, a.root, &b, b.root);
		opprofile_free(&a);
		opprofile_free(&b);
		dump_close(file);
		free(path);
	}
	opdb_free(&db);
	dump_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_files_tell_fractions),
		cmocka_unit_test(new_files_tell_times),
		cmocka_unit_test(framework_ops_of_both_forms),
		cmocka_unit_test(rates_that_nobody_measured),
		cmocka_unit_test(instead_of_a_capture),
		cmocka_unit_test(files_and_captures_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
