/* Graphs of TensorFlow: nodes and functions, name scopes, what a TPU can run, the table of the user, damage. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mktf.h"
#include "analyze/tf/analysis.h"
#include "analyze/tf/links.h"
#include "analyze/tf/rows.h"
#include "base/codec/pbtext.h"
#include "base/mem.h"
#include "load/tf/keras.h"
#include "model/tf/graph.h"
#include "tf_graph.pb-c.h"

#define TPU "/device:TPU:0"

struct opened {
	struct pb bytes;
	struct dump *d;
	struct tf_analysis a;
	struct tf_tree tree;
};

/* Takes the bytes.  The analysis points into itself: it is made where it stays. */
static void open_graph(struct opened *o, struct pb *g)
{
	struct err err;

	*o = (struct opened){ .bytes = *g };
	*g = (struct pb){ 0 };
	o->d = tf_open(&o->bytes, "graph.pb", &err);
	if (!o->d)
		fail_msg("%s", err.msg);
	if (tf_analysis_make(tf_analysis_pick(o->d, NULL, &err), &o->a, &err) ||
	    tf_tree_make(&o->a.compat, &o->tree, &err))
		fail_msg("%s", err.msg);
}

static void close_graph(struct opened *o)
{
	tf_tree_free(&o->tree);
	tf_analysis_free(&o->a);
	dump_close(o->d);
	pb_free(&o->bytes);
}

/* "in(1) layer(2/1)[(layer) w]": names with ops/incompatible, and what is in a scope. */
static void say_tree(const struct tf_tree *t, uint32_t i, char *buf, size_t size)
{
	const struct tf_scope *s = &t->v[i];
	size_t n = strlen(buf);

	n += (size_t)snprintf(buf + n, size - n, s->strict ? "%s(%.*s)" : "%s%.*s",
	    n && buf[n - 1] != '[' ? " " : "", (int)s->name_len, s->name);
	if (s->node != TF_NO_NODE)
		return;
	n += (size_t)snprintf(buf + n, size - n, ":%u/%u[", s->ops, s->incompatible);
	for (uint32_t c = i + 1; c < s->end; c = t->v[c].end)
		say_tree(t, c, buf, size);
	n = strlen(buf);
	snprintf(buf + n, size - n, "]");
}

static void expect_tree(struct pb *g, const char *want)
{
	struct opened o;
	char text[500] = "";

	open_graph(&o, g);
	say_tree(&o.tree, 0, text, sizeof text);
	assert_string_equal(text, want);
	for (uint32_t i = 0; i < o.a.nodes.n; i++)
		assert_int_equal(o.tree.v[o.tree.of_node[i]].node, i);
	close_graph(&o);
}

static void scopes(void **state)
{
	struct pb g = { 0 };

	(void)state;
	tf_node(&g, 1, "a/b/c", "Add", "", NULL);
	tf_node(&g, 1, "x", "Add", "", NULL);
	tf_node(&g, 1, "a/d", "AsString", "", NULL);
	expect_tree(&g, "__root__:3/1[a:2/1[b:1/0[c] d] x]");
	/* a node whose name is also a scope, before, after and between what is in it */
	tf_node(&g, 1, "a", "Add", "", NULL);
	tf_node(&g, 1, "a/b", "Add", "", NULL);
	tf_node(&g, 1, "c/d", "Add", "", NULL);
	tf_node(&g, 1, "c", "AsString", "", NULL);
	tf_node(&g, 1, "c/e", "Add", "", NULL);
	expect_tree(&g, "__root__:5/1[a:2/0[(a) b] c:3/1[d (c) e]]");
	/* names that no graph should have */
	tf_node(&g, 1, "a", "Add", "", NULL);
	tf_node(&g, 1, "a", "Add", "", NULL);
	tf_node(&g, 1, "/", "Add", "", NULL);
	tf_node(&g, 1, "b//c", "Add", "", NULL);
	tf_node(&g, 1, "", "Add", "", NULL); /* no node */
	expect_tree(&g, "__root__:4/0[a a :1/0[] b:1/0[:1/0[c]]]");
}

/* Functions that save, and nodes that were pinned to the host, need no TPU. */
static void functions_for_the_host(void **state)
{
	struct pb g = { 0 }, library = { 0 }, f = tf_function("save"), pinned = tf_function("pinned");
	struct opened o;

	(void)state;
	tf_node(&f, 3, "join", "AsString", "", NULL);
	tf_node(&f, 3, "save", "SaveV2", "", NULL);
	tf_node(&pinned, 3, "text", "AsString", "/device:CPU:0", NULL);
	tf_node(&g, 1, "x", "Add", "", NULL);
	pb_sub(&library, 1, &f);
	pb_sub(&library, 1, &pinned);
	pb_sub(&g, 2, &library);
	open_graph(&o, &g);
	assert_int_equal(o.a.nodes.n, 4);
	assert_int_equal(o.a.compat.unlisted, 0);
	close_graph(&o);
}

static void functions(void **state)
{
	struct pb g = { 0 }, library = { 0 }, f = tf_function("f_1"), empty = tf_function("g/h");
	struct opened o;

	(void)state;
	tf_node(&f, 3, "a/b", "AsString", TPU, "x", NULL);
	tf_node(&f, 3, "a", "Add", "", NULL);
	tf_node(&g, 1, "x", "PartitionedCall", TPU, "y:0", "^z", "w", NULL);
	pb_sub(&library, 1, &f);
	pb_sub(&library, 1, &empty);
	pb_sub(&g, 2, &library);
	open_graph(&o, &g);
	assert_int_equal(o.a.nodes.main, 1);
	assert_int_equal(o.a.nodes.n, 3);
	assert_int_equal(o.a.nodes.nfn, 2);
	assert_int_equal(o.a.nodes.inputs, 3);
	assert_int_equal(o.a.nodes.controls, 1);
	assert_int_equal(o.a.compat.incompatible, 0); /* what is in functions is not asked about */
	assert_int_equal(o.a.compat.compatible, 3);
	assert_int_equal(o.a.compat.unlisted, 1); /* but named */
	assert_ptr_equal(o.a.compat.first_unlisted, &o.a.nodes.v[1]);
	assert_int_equal(o.a.nodes.v[2].function, 0);
	g = o.bytes;
	o.bytes = (struct pb){ 0 };
	close_graph(&o);
	expect_tree(&g, "__root__:3/0[x __function_library__:2/0[f_1:2/0[a:2/0[b (a)]] g/h:0/0[]]]");
}

static void compatible(void **state)
{
	static const struct {
		const char *op, *device;
		bool is;
		enum tf_class class;
	} v[] = {
		{ "MatMul", TPU, true, TF_VALID },
		{ "MatMul", "", true, TF_VALID },
		{ "AsString", TPU, false, TF_UNKNOWN },
		{ "AsString", "", false, TF_UNKNOWN },
		{ "UniqueV2", TPU, false, TF_PROBABLE },
		{ "AsString", "/job:worker/device:CPU:0", true, TF_UNKNOWN },
		{ "AsString", "/device:GPU:1", true, TF_UNKNOWN },
		{ "AsString", "/device:gpu:0/TPU:0", true, TF_UNKNOWN },
		{ "AsString", "/job:worker", true, TF_UNKNOWN },
		{ "AsString", "/device:tpu:3", false, TF_UNKNOWN },
		{ "AsString", "/device:TPU_SYSTEM:0", true, TF_UNKNOWN },
		{ "AsString", "/device:tpu_system:0", false, TF_UNKNOWN },
		{ "", TPU, true, TF_UNKNOWN },
	};
	struct pb g = { 0 };
	struct opened o;

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		tf_node(&g, 1, "n", v[i].op, v[i].device, NULL);
	open_graph(&o, &g);
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		const struct tf_node *x = &o.a.nodes.v[i];

		if (tf_compat_is(&o.a.compat, x) != v[i].is || tf_compat_class(&o.a.compat, x) != v[i].class)
			fail_msg("%s on %s", v[i].op, v[i].device);
	}
	assert_int_equal(o.a.compat.incompatible, 5);
	assert_int_equal(o.a.compat.score, 61); /* 8 of 13, rounded down */
	close_graph(&o);
}

/* Rows of the user add ops, and take some out. */
static void own_table(void **state)
{
	struct tf_ops ops;
	struct err err = { 0 };
	FILE *f = fopen("own-ops", "w");

	(void)state;
	fputs("# mine\nMyOp\tvalid\nMatMul unknown\n\nUniqueV2   probable yes\n", f);
	fclose(f);
	assert_int_equal(tf_ops_own("own-ops", &err), 0);
	assert_int_equal(tf_ops_read(&ops, &err), 0);
	assert_int_equal(tf_ops_find(&ops, slice_of("MyOp"))->class, TF_VALID);
	assert_int_equal(tf_ops_find(&ops, slice_of("MatMul"))->class, TF_UNKNOWN);
	assert_true(tf_ops_find(&ops, slice_of("MyOp"))->own);
	assert_false(tf_ops_find(&ops, slice_of("Relu"))->own);
	assert_int_equal(tf_ops_find(&ops, slice_of("Relu"))->class, TF_VALID);
	assert_null(tf_ops_find(&ops, slice_of("")));
	tf_ops_free(&ops);
	f = fopen("own-ops", "w");
	fputs("Relu valid\nMyOp maybe\n", f);
	fclose(f);
	assert_int_equal(tf_ops_own("own-ops", &err), -1);
	assert_int_equal(err.status, EXIT_USAGE);
	assert_non_null(strstr(err.msg, "own-ops: line 2"));
	remove("own-ops");
	assert_int_equal(tf_ops_own("own-ops", &err), -1);
	assert_int_equal(tf_ops_read(&ops, &err), 0); /* what is wrong is not taken */
	assert_int_equal(tf_ops_find(&ops, slice_of("MatMul"))->class, TF_VALID);
	tf_ops_free(&ops);
}

/* A name with more scopes than are shown, and one that is longer than the head that is looked at. */
static void long_names(void **state)
{
	size_t deep = 20000, n = 300000;
	char *name = xcalloc(n + 1, 1);
	struct pb g = { 0 };
	struct opened o;

	(void)state;
	for (size_t i = 0; i < deep; i++)
		memcpy(name + 2 * i, "a/", 2);
	name[2 * deep] = 'b';
	tf_node(&g, 1, "x", "Add", "", NULL);
	tf_node(&g, 1, name, "Add", "", NULL);
	open_graph(&o, &g);
	assert_true(o.tree.cut);
	assert_int_equal(o.tree.n, 1 + 1 + TF_DEPTH + 1);
	assert_int_equal(o.tree.v[0].ops, 2);
	close_graph(&o);
	memset(name, 'x', n);
	tf_node(&g, 1, name, "Add", "", NULL);
	open_graph(&o, &g);
	assert_int_equal(o.tree.n, 2);
	assert_int_equal(o.tree.v[1].name_len, n);
	close_graph(&o);
	free(name);
}

/* Many names of nothing but scopes: the lines are limited, and none is lost. */
static void many_scopes(void **state)
{
	enum { NODES = 3000, PARTS = 100 };
	char name[16 + 2 * PARTS];
	struct pb g = { 0 };
	struct opened o;

	(void)state;
	for (int i = 0; i < NODES; i++) {
		size_t at = (size_t)snprintf(name, sizeof name, "%d/", i);

		for (int k = 0; k < PARTS; k++)
			memcpy(name + at + 2 * k, "a/", 2);
		memcpy(name + at + 2 * PARTS, "z", 2);
		tf_node(&g, 1, name, "Add", "", NULL);
	}
	open_graph(&o, &g);
	assert_true(o.tree.cut);
	assert_int_equal(o.tree.v[0].ops, NODES);
	assert_int_equal(o.tree.v[0].children, NODES);
	assert_true(o.tree.n < 20 * NODES + (1 << 17));
	close_graph(&o);
}

/* Cut at every byte: what is whole is there, and the file is marked. */
static void cut_off(void **state)
{
	struct pb g = { 0 }, library = { 0 }, f = tf_function("f");
	size_t second, last = 0;

	(void)state;
	tf_node(&f, 3, "in", "Add", "", NULL);
	tf_node(&g, 1, "a", "Add", TPU, "x", NULL);
	second = g.n;
	tf_node(&g, 1, "b", "Add", TPU, "a", NULL);
	pb_sub(&library, 1, &f);
	pb_sub(&g, 2, &library);
	for (size_t n = second; n < g.n; n++) {
		struct pb part = { .b = g.b, .n = n };
		struct err err;
		struct dump *d = tf_open(&part, "graph.pb", &err);
		const struct tf_graph *x;

		assert_non_null(d);
		x = tf_graph_used(d);
		assert_non_null(x);
		assert_true(x->nodes + x->library_nodes >= last);
		last = x->nodes + x->library_nodes;
		assert_int_equal(dump_status(d), n == second || x->damaged == false ? EXIT_OK : EXIT_DAMAGED);
		dump_close(d);
	}
	assert_int_equal(last, 2);
	pb_free(&g);
}

/* "a:0 layer_[0-4]:6(layer_0 layer_1 …)": rows with their depth, for the series among them. */
static void series(void **state)
{
	static const char *const names[] = { "l/m_0/a", "l/m_0/b", "l/m_2/a", "l/m_1/a", "l/m_1/b", "l/m_2/b",
		"l/m_3/a", "l/m_3/b", "l/m_4/a", "l/m_4/b", "l/m_6/a", "l/m_6/b", "l/m_5/a", "x", "x_1",
		"x_2", "x_3", "x_4", "x_9" };
	struct pb g = { 0 };
	struct opened o;
	struct tf_rows rows;
	struct arena text = { 0 };
	struct err err;
	struct cell name;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		tf_node(&g, 1, names[i], "Add", "", NULL);
	open_graph(&o, &g);
	assert_int_equal(tf_rows_make(&o.a.compat, &o.tree, true, &rows, &err), 0);
	/* l; the series of m_0 to m_4, which m_5, with less in it, ends; then x to x_4 */
	assert_int_equal(rows.v[1].members, 5);
	assert_int_equal(rows.v[1].ops, 10);
	name = tf_row_name(&o.tree, &rows.v[1], &text);
	assert_memory_equal(name.s, "m_[0-4]", name.n);
	assert_int_equal(rows.n, o.tree.n - 1 + 2);
	for (uint32_t i = 0, found = 0; i < rows.n; i++)
		if (rows.v[i].members && i != 1) {
			assert_int_equal(rows.v[i].members, 5);
			assert_int_equal(rows.parent[i], UINT32_MAX);
			assert_int_equal(found++, 0);
		}
	for (uint32_t i = 1; i < o.tree.n; i++) {
		assert_int_equal(rows.v[rows.of_scope[i]].scope, i);
		assert_int_equal(rows.v[rows.of_scope[i]].members, 0);
	}
	tf_rows_free(&rows);
	assert_int_equal(tf_rows_make(&o.a.compat, &o.tree, false, &rows, &err), 0);
	assert_int_equal(rows.n, o.tree.n - 1);
	tf_rows_free(&rows);
	arena_free(&text);
	close_graph(&o);
}

/* Inputs in all their forms, readers, nodes that read themselves, in functions and outside. */
static void links(void **state)
{
	struct pb g = { 0 }, library = { 0 }, f = tf_function("f");
	struct tf_links l;
	struct opened o;
	struct err err;

	(void)state;
	tf_node(&f, 3, "a", "Add", "", "b:z:0", "^x", NULL);
	tf_node(&f, 3, "b", "Add", "", NULL);
	pb_sub(&library, 1, &f);
	tf_node(&g, 1, "a", "Add", "", "b", "a", NULL);
	tf_node(&g, 1, "b", "Add", "", "^a", "nothing", NULL);
	tf_node(&g, 1, "c", "Add", "", "a:1", "a", "^b", NULL);
	pb_sub(&g, 2, &library);
	open_graph(&o, &g);
	assert_int_equal(tf_links_make(&o.a.nodes, &l, &err), 0);
	assert_int_equal(tf_links_find(&l, TF_NO_FUNCTION, slice_of("c")), 2);
	assert_int_equal(tf_links_find(&l, 0, slice_of("b")), 4);
	assert_int_equal(tf_links_find(&l, 0, slice_of("c")), TF_NO_LINK);
	assert_int_equal(l.first[1] - l.first[0], 4); /* a: by itself, b, and c twice */
	assert_int_equal(l.reader[l.first[0]], 0);
	assert_int_equal(l.reader[l.first[0] + 1], 1);
	assert_int_equal(l.reader[l.first[0] + 3], 2);
	assert_int_equal(l.first[2] - l.first[1], 2);
	assert_int_equal(l.first[5] - l.first[4], 1); /* that of the function, by its own a */
	assert_int_equal(l.reader[l.first[4]], 3);
	tf_links_free(&l);
	close_graph(&o);
}

static void attributes(void **state)
{
	static const struct {
		const char *text, *want;
	} v[] = {
		{ "i: -7", "-7" },
		{ "b: true", "true" },
		{ "f: 0.5", "0.5" },
		{ "type: DT_BFLOAT16", "bfloat16" },
		{ "type: 101", "float &" },
		{ "s: 'VALID'", "\"VALID\"" },
		{ "s: '\\001\\002'", "2 bytes" },
		{ "shape { dim { size: 8 } dim { size: -1 } }", "[8, ?]" },
		{ "shape { unknown_rank: true }", "[…]" },
		{ "list { i: [1, 2, 3] }", "[1, 2, 3]" },
		{ "list { type: [DT_INT32, DT_STRING] }", "[int32, string]" },
		{ "list { func { name: 'g' } }", "[g()]" },
		{ "list { }", "[]" },
		{ "func { name: 'f' attr { key: 'T' value { i: 1 } } }", "f()" },
		{ "placeholder: 'T'", "$T" },
		{ "tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: [4, 5] }",
		    "int32 [2]: 4, 5" },
		{ "tensor { dtype: DT_FLOAT tensor_shape { } tensor_content: '\\000\\000\\200\\077' }",
		    "float []: 1" },
		{ "tensor { dtype: DT_STRING string_val: ['a', 'b'] }", "string: \"a\", \"b\"" },
		{ "", "" },
	};
	char text[100];

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct err err = { 0 }, damaged;
		size_t n;
		uint8_t *b = pbtext_read(&pb__attr_value__descriptor, v[i].text, strlen(v[i].text), &n,
		    &damaged, &err);

		assert_non_null(b);
		assert_string_equal(tf_attr_text((struct slice){ (const char *)b, n }, text, sizeof text),
		    v[i].want);
		for (size_t size = 1; size < 12; size++) /* what does not fit is cut off */
			assert_true(
			    strlen(tf_attr_text((struct slice){ (const char *)b, n }, text, size)) < size);
		free(b);
	}
}

/* Names of layers begin with those of the models around them, so that a short text could become gigabytes. */
static void long_names_of_models(void **state)
{
	enum { MODELS = 19, INPUTS = 20000 };
	char name[1001], *text = NULL;
	size_t size, n;
	FILE *f = open_memstream(&text, &size);
	struct err err;
	uint8_t *graph;

	(void)state;
	memset(name, 'm', sizeof name - 1);
	name[sizeof name - 1] = 0;
	for (int i = 0; i < MODELS; i++)
		fprintf(f, "{\"class_name\":\"M\",\"name\":\"%s\",\"config\":{\"layers\":[", name);
	fputs("{\"class_name\":\"L\",\"name\":\"l\",\"inbound_nodes\":[", f);
	for (int i = 0; i < INPUTS; i++)
		fprintf(f, "%s[\"a\",0]", i ? "," : "");
	fputs("]}", f);
	for (int i = 0; i < MODELS; i++)
		fputs("]}}", f);
	fclose(f);
	graph = keras_graph((struct slice){ text, size }, &n, &err);
	assert_non_null(graph);
	assert_int_equal(err.status, EXIT_DAMAGED);
	assert_true(n < 40 * size);
	free(graph);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(scopes), cmocka_unit_test(functions),
		cmocka_unit_test(functions_for_the_host), cmocka_unit_test(compatible),
		cmocka_unit_test(own_table), cmocka_unit_test(long_names), cmocka_unit_test(many_scopes),
		cmocka_unit_test(cut_off), cmocka_unit_test(series), cmocka_unit_test(links),
		cmocka_unit_test(attributes), cmocka_unit_test(long_names_of_models) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
