/* The text form of protobuf messages: values of all types, the ways to write them, fields that are not known,
 * damage. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/codec/pbread.h"
#include "base/codec/pbtext.h"
#include "base/codec/wire.h"
#include "base/mem.h"
#include "tf_graph.pb-c.h"

static struct err damaged;

/* The bytes of a text; the caller frees. */
static uint8_t *bytes_of(const ProtobufCMessageDescriptor *m, const char *text, size_t *n)
{
	struct err err = { 0 };
	uint8_t *b = pbtext_read(m, text, strlen(text), n, &damaged, &err);

	assert_non_null(b);
	return b;
}

/* The message of a text that is whole; it lives in the arena. */
static void *message_of(const ProtobufCMessageDescriptor *m, const char *text, struct arena *a)
{
	struct err err = { 0 };
	size_t n;
	uint8_t *b = bytes_of(m, text, &n);
	void *x = pb_read(m, a, b, n, &err);

	if (damaged.at != ERR_NOWHERE || !x)
		fail_msg("%s: %s at %zu; %s", text, damaged.msg, (size_t)damaged.at, err.msg);
	free(b);
	return x;
}

static void values(void **state)
{
	struct arena a = { 0 };
	const Pb__AttrValue *v;
	const Pb__TensorProto *t;

	(void)state;
	v = message_of(&pb__attr_value__descriptor,
	    "i: -7 b: true type: DT_BFLOAT16 f: 2.5 s: 'x\"y' placeholder: \"p\"", &a);
	assert_int_equal(v->i, -7);
	assert_true(v->b);
	assert_int_equal(v->type, 14);
	assert_true(v->f > 2.49f && v->f < 2.51f);
	assert_int_equal(v->s.len, 3);
	assert_memory_equal(v->s.data, "x\"y", 3);
	assert_string_equal(v->placeholder, "p");
	v = message_of(&pb__attr_value__descriptor, "i: 0x1F, b: false; type: 9", &a);
	assert_int_equal(v->i, 31);
	assert_false(v->b);
	assert_int_equal(v->type, 9);
	t = message_of(&pb__tensor_proto__descriptor,
	    "dtype: DT_FLOAT float_val: [1, -2.5e-1, inf] double_val: 1e300 int_val: -1 int64_val: "
	    "9223372036854775807",
	    &a);
	assert_int_equal(t->n_float_val, 3);
	assert_true(t->float_val[1] < -0.24f && t->float_val[1] > -0.26f && t->float_val[2] > 1e30f);
	assert_true(t->double_val[0] > 9e299);
	assert_int_equal(t->int_val[0], -1);
	assert_true(t->int64_val[0] == INT64_MAX);
	arena_free(&a);
}

static void texts(void **state)
{
	static const struct {
		const char *text, *want;
		size_t n;
	} v[] = {
		{ "s: \"a\\n\\t\\\"\\\\\\'\"", "a\n\t\"\\'", 6 },
		{ "s: \"\\000\\1777\\x41g\"", "\0\1777Ag", 5 },
		{ "s: \"one \" 'two' \"\"", "one two", 7 },
		{ "s: \"\\u00e9\\U0001F600\"", "\xc3\xa9\xf0\x9f\x98\x80", 6 },
		{ "s:\"\"", "", 0 },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		const Pb__AttrValue *x = message_of(&pb__attr_value__descriptor, v[i].text, &a);

		assert_int_equal(x->s.len, v[i].n);
		if (v[i].n)
			assert_memory_equal(x->s.data, v[i].want, v[i].n);
	}
	arena_free(&a);
}

static void messages(void **state)
{
	static const char *const same[] = {
		"node { name: \"a\" op: \"B\" attr { key: \"T\" value { type: DT_INT32 } } }",
		"# comment\nnode:{name:\"a\",op:\"B\";attr<key:\"T\" value:<type:DT_INT32>>}# end",
		"node: [ { name: \"a\" op: \"B\" attr: [ { key: \"T\" value: { type: 3 } } ] } ]",
		"other: 1 more { x: \"}\" y { z: [1, 2] } } [a.b/c.d] { e: 1 } node { new_one: <> name: "
		"\"a\" op: \"B\" "
		"attr { key: \"T\" value { type: DT_INT32 } } }",
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		const Pb__GraphDef *g = message_of(&pb__graph_def__descriptor, same[i], &a);

		assert_int_equal(g->n_node, 1);
		assert_string_equal(g->node[0]->name, "a");
		assert_string_equal(g->node[0]->op, "B");
		assert_int_equal(g->node[0]->n_attr, 1);
		assert_int_equal(g->node[0]->attr[0]->value->type, 3);
	}
	arena_free(&a);
}

/* What came before the damage is there, and the message that it is in is cut off. */
static void damage(void **state)
{
	static const struct {
		const char *text;
		size_t whole; /* nodes */
		uint64_t at;
	} v[] = {
		{ "node { name: \"a\" } node { name: \"b", 1, 34 },
		{ "node { name: \"a\" } node { name: \"b\" ", 1, 36 },
		{ "node { name: \"a\" } node { name: \"b\" } }", 2, 38 },
		{ "node { name: \"a\" } node { name \"b\" }", 1, 31 },
		{ "node { name: \"a\" } library { function { ", 1, 40 },
		{ "node { name: \"a\" } versions", 1, 27 },
		{ "node { name: }", 0, 13 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		size_t n, nodes = 0;
		uint8_t *b = bytes_of(&pb__graph_def__descriptor, v[i].text, &n);
		struct wire w = wire_open(b, n);

		while (wire_next(&w))
			nodes += w.field == 1;
		if (nodes != v[i].whole || damaged.at != v[i].at)
			fail_msg("%s: %zu nodes, damage at %zu", v[i].text, nodes, (size_t)damaged.at);
		free(b);
	}
}

static void nesting(void **state)
{
	char *text = xcalloc(20000, 2);
	size_t n;

	(void)state;
	for (size_t i = 0; i < 10000; i++)
		memcpy(text + 2 * i, "a{", 2);
	free(bytes_of(&pb__graph_def__descriptor, text, &n));
	assert_int_equal(n, 0);
	assert_int_equal(damaged.at, 2 * (PBTEXT_DEPTH + 1));
	assert_non_null(strstr(damaged.msg, "too deeply"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(values), cmocka_unit_test(texts),
		cmocka_unit_test(messages), cmocka_unit_test(damage), cmocka_unit_test(nesting) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
