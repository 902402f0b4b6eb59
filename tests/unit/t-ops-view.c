/* Lines of the op profile: their order, which are left out, which are open, and finding them again. */
#include "config.h"

#include "view/ops/profile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mkspace.h"

#define US 1000000LL

static struct dump *d;
static struct opdb db;
static struct ops_tree tree;
static struct fold_marks marks;
static struct ops_options o;
static struct ops_contents contents;

static void kind(struct mkspace *s, const char *name, const char *category, const char *provenance,
    int program)
{
	static int symbol;

	space_op(s, name, category, program, ++symbol);
	space_meta_str(s, name, "tf_op", provenance);
}

/* Program 7: twelve copies of 12 … 1 us, two fusions that are duplicates; program 8: one op; 100 us in
 * total. */
static int setup(void **state)
{
	struct mkspace s = { 0 };
	static char name[13][24]; /* mkspace keeps the pointers */
	int64_t at = 0;

	(void)state;
	space_plane(&s, 1, "/device:TPU:0");
	space_plane_double(&s, "peak_teraflops_per_second", 1);
	space_plane_double(&s, "peak_hbm_bw_gigabytes_per_second", 100);
	for (int i = 1; i <= 12; i++) {
		snprintf(name[i], sizeof name[i], "copy.%d", i);
		kind(&s, name[i], "copy", "jit(f)/move:", 7);
	}
	kind(&s, "fusion.1", "loop fusion", "jit(f)/add:Add", 7);
	kind(&s, "fusion.2", "loop fusion", "jit(f)/sub:", 7);
	space_meta_str(&s, "fusion.1", "deduplicated_name", "fusion.2");
	space_meta_str(&s, "fusion.2", "deduplicated_name", "fusion.2");
	space_meta_int(&s, "fusion.1", "flops", 12000000);
	kind(&s, "dot.1", "convolution", "jit(g)/dot_general:", 8);
	space_meta_int(&s, "dot.1", "flops", 1000000);
	space_line(&s, 1, "Steps");
	space_event(&s, "marker", 0, 120 * US);
	space_line(&s, 3, "XLA Ops");
	for (int i = 1; i <= 12; i++) {
		space_event(&s, name[i], at, (13 - i) * US);
		at += (13 - i) * US;
	}
	space_event(&s, "fusion.1", at, 8 * US);
	space_event(&s, "fusion.2", at + 8 * US, 4 * US);
	space_event(&s, "dot.1", at + 12 * US, 10 * US);
	space_plane(&s, 2, "/host:metadata");
	space_kind(&s, "jit_f(7)");
	space_kind(&s, "jit_g(8)");
	d = space_load(&s, 1);
	opdb_build(d, &(struct opdb_options){ .core = -1, .threads = 1 }, &db);
	o = (struct ops_options){ .limit = OPS_LIMIT_LEAST };
	contents = (struct ops_contents){ .d = d };
	marks.n = 0;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	ops_view_tree_free(&tree);
	if (contents.hlo)
		contents_free(contents.hlo);
	free(marks.v);
	marks = (struct fold_marks){ 0 };
	opdb_free(&db);
	space_close(d);
	return 0;
}

static void make(void)
{
	ops_view_tree_build(&tree, d, &db, &o);
	ops_view_tree_rows(&tree, &o, &marks, &contents);
}

/* "-jit_f(7)|  +copy|": a line each, indented by level, + closed, - open, "3 more" */
static const char *listed(void)
{
	static char out[4096];
	size_t n = 0;

	ops_view_tree_rows(&tree, &o, &marks, &contents);
	*out = 0;
	for (size_t i = 0; i < tree.n; i++) {
		const struct ops_view_row *r = &tree.row[i];

		n += (size_t)snprintf(out + n, sizeof out - n, "%*s%s", r->level, "",
		    r->opens ? r->open ? "-" : "+" : "");
		if (r->more)
			n += (size_t)snprintf(out + n, sizeof out - n, "%u more|", r->more);
		else
			n += (size_t)snprintf(out + n, sizeof out - n, "%.*s|", (int)r->node->name.n,
			    r->node->name.s);
	}
	return out;
}

static const struct ops_view_row *line(const char *name)
{
	for (size_t i = 0; i < tree.n; i++)
		if (tree.row[i].node && slice_is(tree.row[i].node->name, name))
			return &tree.row[i];
	fail_msg("no line %s", name);
	return NULL;
}

static void set(const char *name, int open)
{
	fold_mark(&marks, line(name)->key)->open = (int8_t)open;
}

#define COPIES "  copy.1|  copy.2|  copy.3|  copy.4|  copy.5|  copy.6|  copy.7|  copy.8|  copy.9|  copy.10|"

static void the_largest_is_open(void **state)
{
	(void)state;
	make();
	assert_string_equal(listed(), "-jit_f(7)| -copy|" COPIES "  2 more| +loop fusion|+jit_g(8)|");
	assert_true(line("copy.3")->parent < tree.n);
	assert_true(slice_is(tree.row[line("copy.3")->parent].node->name, "copy"));
}

static void a_rest_has_its_sums(void **state)
{
	double v[OPS_COLUMNS];
	const struct ops_view_row *r;

	(void)state;
	make();
	r = &tree.row[line("copy.10") - tree.row + 1];
	assert_int_equal(r->more, 2);
	assert_int_equal(r->node->sum.time, 3 * US);
	ops_view_numbers(&tree, r->node, false, v);
	assert_true(fabs(v[OPS_TIME] - .03) < 1e-9 && fabs(v[OPS_WASTED] - .03) < 1e-9);
	assert_true(isnan(v[OPS_FLOPS]) && isnan(v[OPS_HBM])); /* without counts it is unknown, not 0 */
	fold_mark(&marks, ops_view_key(r->node->parent))->least = 11;
	assert_non_null(strstr(listed(), COPIES "  copy.11|  1 more|"));
	o.limit = 20;
	assert_non_null(strstr(listed(), "  copy.12| +loop"));
}

static void lines_open_and_close(void **state)
{
	(void)state;
	make();
	set("copy", -1);
	set("jit_g(8)", 1);
	assert_string_equal(listed(), "-jit_f(7)| +copy| +loop fusion|-jit_g(8)| +convolution|");
	marks.n = 0;
	o.all = true;
	assert_non_null(strstr(listed(),
	    " -loop fusion|  -fusion.1|   +fusion.1|   +fusion.2|-jit_g(8)| -convolution|  dot.1|"));
	/* a fusion without an HLO proto has no lines inside */
	set("fusion.1", -1);
	assert_non_null(strstr(listed(), " -loop fusion|  +fusion.1|-jit_g"));
	assert_null(contents.hlo);
	o.all = false;
	o.program = 8;
	make();
	assert_string_equal(listed(), "-jit_g(8)| -convolution|  dot.1|");
}

static void a_fusion_without_contents(void **state)
{
	const struct op_node *x;

	(void)state;
	make();
	x = ops_view_tree_op(&tree, 7, line("copy.1")->node->op->name);
	assert_ptr_equal(x, line("copy.1")->node);
	assert_null(ops_view_tree_op(&tree, 8, x->op->name));
	o.all = true;
	listed();
	fold_mark(&marks, line("fusion.2")->key)->open = 1;
	listed();
	assert_non_null(contents.hlo);
	assert_int_equal(contents_missing(contents.hlo), 1);
}

static void orders(void **state)
{
	(void)state;
	o.group = GROUP_CATEGORY;
	make();
	set("copy", -1);
	assert_string_equal(listed(), "+copy|+loop fusion|+convolution|");
	o.sort = OPS_NAME;
	assert_string_equal(listed(), "+convolution|+copy|+loop fusion|");
	o.reverse = true;
	assert_string_equal(listed(), "+loop fusion|+copy|+convolution|");
	o.reverse = false;
	o.sort = OPS_FLOPS; /* the fusions 100 %, dot.1 10 %, the copies unknown */
	assert_string_equal(listed(), "+loop fusion|+convolution|+copy|");
	o.sort = OPS_WASTED;
	assert_string_equal(listed(), "+copy|+convolution|+loop fusion|");
	o.sort = OPS_TIME;
	o.top90 = true; /* 78 + 12 of 100 us */
	assert_string_equal(listed(), "+copy|+loop fusion|1 more|");
}

static void framework_ops(void **state)
{
	struct slice t;

	(void)state;
	o.all = true;
	make();
	t = ops_view_framework_of(line("dot.1")->node);
	assert_true(slice_is(t, "dot_general"));
	assert_int_equal(ops_view_framework_of(line("copy")->node).n, 0);
	assert_int_equal(ops_view_below(line("jit_f(7)")->node), 14);
	assert_int_equal(ops_view_below(line("loop fusion")->node), 2);
}

static struct regex *pattern(const char *text)
{
	struct regex *re = regex_new(text, REGEX_SMART_CASE, NULL);

	assert_non_null(re);
	return re;
}

static void a_filter_keeps_what_is_around(void **state)
{
	struct regex *re = pattern("dot_gen|copy\\.1.");

	(void)state;
	make();
	ops_view_tree_filter(&tree, re);
	assert_string_equal(listed(),
	    "-jit_f(7)| -copy|  copy.10|  copy.11|  copy.12|-jit_g(8)| -convolution|  dot.1|");
	assert_int_equal(tree.kept_ops, 4);
	regex_free(re);
	re = pattern("nothing of the kind");
	ops_view_tree_filter(&tree, re);
	assert_string_equal(listed(), "");
	ops_view_tree_filter(&tree, NULL);
	assert_string_equal(listed(), "-jit_f(7)| -copy|" COPIES "  2 more| +loop fusion|+jit_g(8)|");
	regex_free(re);
}

static void searching_opens_what_is_closed(void **state)
{
	struct regex *re = pattern("copy\\.12|dot\\.1");
	const struct op_node **hit;
	size_t n, at;

	(void)state;
	make();
	hit = ops_view_tree_find(&tree, &o, re, line("jit_g(8)")->node, &n, &at);
	assert_int_equal(n, 2);
	assert_int_equal(at, 1); /* after the cursor's line */
	assert_true(slice_is(hit[0]->name, "copy.12"));
	for (size_t i = 0; i < n; i++) {
		ops_view_reveal(&tree, &o, &marks, hit[i]);
		listed();
		assert_true(ops_view_row_of(&tree, ops_view_key(hit[i])) != SIZE_MAX);
	}
	free(hit);
	regex_free(re);
	assert_int_equal(ops_view_row_of(&tree, 12345), SIZE_MAX);
}

/* Keys identify lines in trees that were made again. */
static void keys_outlive_trees(void **state)
{
	uint64_t key;

	(void)state;
	make();
	key = line("copy.4")->key;
	assert_int_equal(key, ops_view_key(line("copy.4")->node));
	o.idle = true;
	make();
	assert_int_equal(line("copy.4")->key, key);
	assert_non_null(strstr(listed(), "IDLE|"));
}

extern const struct view_ops view_op_profile;

/* Whatever a saved session says, there are not more marks than can be looked through for each line. */
static void marks_are_limited(void **state)
{
	struct view v = { .ops = &view_op_profile };
	struct kv kv = { 0 };
	struct ops *s;

	(void)state;
	v.state = s = calloc(1, sizeof *s);
	for (int i = 0; i < 5000; i++)
		kv_putf(&kv, "line", "%x 1 0", i + 1);
	view_op_profile.open(&v);
	view_op_profile.restore(&v, &kv);
	assert_int_equal(s->marks.n, 1000);
	view_op_profile.close(&v);
	free(s);
	kv_free(&kv);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	static const struct CMUnitTest tests[] = { T(the_largest_is_open), T(a_rest_has_its_sums),
		T(lines_open_and_close), T(a_fusion_without_contents), T(orders), T(framework_ops),
		T(a_filter_keeps_what_is_around), T(searching_opens_what_is_closed), T(keys_outlive_trees),
		cmocka_unit_test(marks_are_limited) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
