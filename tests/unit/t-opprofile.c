#include "config.h"
#include "analyze/ops/profile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "analyze/ops/roofline.h"
#include "analyze/tables/ops.h"

#define US 1000000LL

static void kind(struct mkspace *s, const char *name, const char *category, const char *provenance,
    int symbol)
{
	space_op(s, name, category, 7, symbol);
	space_meta_str(s, name, "tf_op", provenance);
}

/* A while of 50 us around two duplicates of 10 and 20 us, a copy of 5 us, and something in a region;
 * 100 us traced. */
static struct dump *make(bool peaks)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	if (peaks) {
		space_plane_double(&s, "peak_teraflops_per_second", 1);
		space_plane_double(&s, "peak_hbm_bw_gigabytes_per_second", 100);
	}
	kind(&s, "while.1", "while", "jit(f)/while:", 1);
	kind(&s, "fusion.1", "loop fusion", "jit(f)/while/body/add:", 2);
	kind(&s, "fusion.2", "loop fusion", "jit(f)/while/body/add:", 3);
	kind(&s, "copy.1", "copy", "", 4);
	kind(&s, "region_0.1", "reduce", "", 5);
	space_meta_str(&s, "fusion.1", "deduplicated_name", "fusion.2");
	space_meta_str(&s, "fusion.2", "deduplicated_name", "fusion.2");
	space_meta_int(&s, "fusion.2", "flops", 5000000);
	space_meta_int(&s, "while.1", "flops", 9000000);
	space_line(&s, 1, "Steps");
	space_event(&s, "marker", 0, 100 * US);
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "while.1", 0, 50 * US);
	space_event(&s, "fusion.1", 0, 10 * US);
	space_event(&s, "fusion.2", 10 * US, 20 * US);
	space_event(&s, "copy.1", 60 * US, 5 * US);
	space_event(&s, "region_0.1", 70 * US, 1 * US);
	space_plane(&s, 2, "/host:metadata");
	space_kind(&s, "jit_f(7)");
	return space_load(&s, 1);
}

static struct opdb build(const struct dump *d)
{
	struct opdb_options o = { .core = -1, .threads = 1 };
	struct opdb db;

	opdb_build(d, &o, &db);
	return db;
}

static const struct op_node *find(const struct op_node *x, const char *name)
{
	for (size_t i = 0; i < x->n; i++)
		if (slice_is(x->child[i]->name, name))
			return x->child[i];
	fail_msg("no child %s", name);
	return NULL;
}

static void a_tree_by_program(void **state)
{
	struct dump *d = make(true);
	struct opdb db = build(d);
	const struct op_node *x;
	struct opprofile p;

	(void)state;
	opprofile_build(d, &db, GROUP_PROGRAM, true, &p);
	assert_true(slice_is(p.root->name, "by_program"));
	assert_int_equal(p.root->sum.time, 100 * US);
	assert_int_equal(p.root->n, 2);
	assert_int_equal(find(p.root, "IDLE")->sum.time, 44 * US);
	x = find(p.root, "jit_f(7)");
	assert_ptr_equal(x, p.root->child[0]);
	assert_int_equal(x->sum.time, 55 * US); /* self times, not counting the region */
	assert_true(x->sum.flops == 5e6);       /* not those of the while */
	assert_int_equal(x->n, 2);              /* the while has no category */
	assert_true(slice_is(x->child[0]->name, "loop fusion") && slice_is(x->child[1]->name, "copy"));
	assert_int_equal(x->child[0]->sum.time, 30 * US);
	assert_int_equal(x->child[1]->child[0]->kind, NODE_OP); /* a group of one */
	x = x->child[0]->child[0];
	assert_int_equal(x->kind, NODE_DUPLICATES);
	assert_true(slice_is(x->name, "fusion.2")); /* the most expensive one */
	assert_int_equal(x->n, 2);
	assert_true(slice_is(x->child[1]->name, "fusion.1"));
	opprofile_free(&p);
	opprofile_build(d, &db, GROUP_CATEGORY, false, &p);
	assert_int_equal(p.root->sum.time, 56 * US);
	assert_int_equal(p.root->n, 2);
	opprofile_free(&p);
	opdb_free(&db);
	space_close(d);
}

/* By category, ops of one name in two programs are duplicates of each other, as in XProf, and stay apart. */
static void ops_of_programs_stay_apart(void **state)
{
	struct dump *d = make(true);
	struct opdb db = build(d);
	struct op *a = NULL, *b = NULL;
	const struct op_node *x;
	struct opprofile p;

	(void)state;
	for (size_t i = 0; i < db.n; i++) {
		a = slice_is(dump_text(d, db.v[i].name), "fusion.1") ? &db.v[i] : a;
		b = slice_is(dump_text(d, db.v[i].name), "fusion.2") ? &db.v[i] : b;
	}
	b->name = a->name;
	b->program = 8;
	a->dedup = b->dedup = (struct slice){ 0 };
	opprofile_build(d, &db, GROUP_CATEGORY, false, &p);
	x = find(find(p.root, "loop fusion"), "fusion.1");
	assert_int_equal(x->kind, NODE_DUPLICATES);
	assert_int_equal(x->sum.time, 30 * US);
	assert_int_equal(x->n, 2);
	assert_ptr_equal(x->child[0]->op, b);
	assert_ptr_equal(x->child[1]->op, a);
	opprofile_free(&p);
	opdb_free(&db);
	space_close(d);
}

static void a_tree_by_provenance(void **state)
{
	struct dump *d = make(true);
	struct opdb db = build(d);
	const struct op_node *x;
	struct opprofile p;

	(void)state;
	opprofile_build(d, &db, GROUP_PROVENANCE, false, &p);
	x = find(p.root, "jit_f(7)");
	find(x, "copy"); /* without provenance: the category follows */
	x = find(find(find(find(x, "jit(f)"), "while"), "body"), "add");
	assert_int_equal(x->sum.time, 30 * US);
	find(x, "loop fusion");
	opprofile_free(&p);
	opdb_free(&db);
	space_close(d);
}

static void columns_of_a_node(void **state)
{
	struct dump *d = make(true);
	struct opdb db = build(d);
	struct opprofile p;
	struct op_use u;

	(void)state;
	opprofile_build(d, &db, GROUP_PROGRAM, true, &p);
	opprofile_use(&p, find(p.root->child[0], "loop fusion"), &u);
	assert_true(fabs(u.share - 0.3) < 1e-12);
	assert_true(fabs(u.uncapped - 5e6 / 30e-6 / 1e12 * 0.3) < 1e-12);
	assert_true(fabs(u.wasted - 0.3 * (1 - 5e6 / 30e-6 / 1e12)) < 1e-12);
	assert_true(fabs(u.utilization - 5e6 / 30e-6 / 1e12) < 1e-12);
	/* work divided by time; XProf divides by a normalized time that includes the while and its ops */
	opprofile_use(&p, p.root, &u);
	assert_true(fabs(u.utilization - 5e6 / 100e-6 / 1e12) < 1e-12);
	assert_true(fabs(u.uncapped - u.utilization) > 1e-3);
	assert_true(fabs(u.wasted - (1 - u.utilization)) < 1e-12);
	opprofile_free(&p);
	opdb_free(&db);
	space_close(d);

	d = make(false);
	db = build(d);
	opprofile_build(d, &db, GROUP_PROGRAM, true, &p);
	opprofile_use(&p, p.root, &u);
	assert_true(isnan(u.wasted) && isnan(u.utilization) && u.uncapped == 0);
	opprofile_free(&p);
	opdb_free(&db);
	space_close(d);
}

/* Known to be nothing is not unknown, and unknown is not nothing; the same as hlo_stats. */
static void hbm_of_an_op(void **state)
{
	static const char vmem[] = "\x0a\x07\x08\x01\x10\x03\x18\x80\x08"; /* reads 1024 bytes of VMEM */
	static const struct {
		const char *name;
		int bytes;
		double hbm; /* of the peak; -1: not known */
	} ops[] = { { "vmem.1", 1024, 0 }, { "mixed.1", 250000, .25 }, { "none.1", 0, -1 },
		{ "beyond.1", 2000000, -1 } };
	struct mkspace s = { 0 };
	struct opprofile p;
	struct op_use u;
	struct opdb db;
	struct dump *d;

	(void)state;
	space_plane(&s, 1, "/device:TPU:0");
	space_plane_double(&s, "peak_teraflops_per_second", 1);
	space_plane_double(&s, "peak_hbm_bw_gigabytes_per_second", 100);
	for (int i = 0; i < 4; i++) {
		kind(&s, ops[i].name, ops[i].name, "", i + 1);
		if (ops[i].bytes)
			space_meta_int(&s, ops[i].name, "bytes_accessed", ops[i].bytes);
	}
	space_meta_bytes(&s, "vmem.1", "memory_access_breakdown", vmem, sizeof vmem - 1);
	space_line(&s, 3, "XLA Ops");
	for (int i = 0; i < 4; i++)
		space_event(&s, ops[i].name, 20 * i * US, 10 * US);
	d = space_load(&s, 1);
	db = build(d);
	opprofile_build(d, &db, GROUP_CATEGORY, false, &p);
	for (int i = 0; i < 4; i++) {
		const struct op_node *x = find(find(p.root, ops[i].name), ops[i].name);
		struct roof roof;

		opprofile_use(&p, x, &u);
		assert_true(ops[i].hbm < 0 ? isnan(u.hbm) : fabs(u.hbm - ops[i].hbm) < 1e-9);
		assert_true(u.bandwidth[0] == 0); /* XProf's, whatever is known */
		roof_of(&x->sum, &db.peaks, &roof);
		assert_int_equal(tables_hbm_rate(&x->sum, &roof).type == CELL_NULL, !ops[i].bytes);
		assert_true(roof.beyond[ROOF_HBM] == (i == 3));
	}
	opprofile_free(&p);
	opdb_free(&db);
	space_close(d);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_by_program),
		cmocka_unit_test(ops_of_programs_stay_apart),
		cmocka_unit_test(a_tree_by_provenance),
		cmocka_unit_test(columns_of_a_node),
		cmocka_unit_test(hbm_of_an_op),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
