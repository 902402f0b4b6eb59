#include "config.h"
#include "model/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mkhlo.h"
#include "analyze/graph/costs.h"
#include "analyze/graph/kind.h"
#include "analyze/graph/near.h"
#include "analyze/graph/text/print.h"
#include "analyze/graph/waste.h"
#include "model/hlo.h"

static char *text_of_file(const char *name, size_t *n)
{
	char *full = xasprintf("%s/tests/fuzz/corpus/hlo-text/%s", getenv("top_srcdir"), name);
	FILE *f = fopen(full, "r");
	char *text = xcalloc(1, 1 << 16);

	assert_non_null(f);
	*n = fread(text, 1, (1 << 16) - 1, f);
	fclose(f);
	free(full);
	return text;
}

static uint32_t at(const struct hlo_graph *g, const char *name)
{
	uint32_t i = hlo_instr_named(g, slice_of(name));

	assert_int_not_equal(i, HLO_NONE);
	return i;
}

static void name_is(const struct hlo_graph *g, uint32_t i, const char *want)
{
	assert_int_not_equal(i, HLO_NONE);
	assert_true(slice_is(hlo_name(g, i), want));
}

static void text_is_a_graph(void **state)
{
	struct hlo_detail d;
	size_t n;
	char *text = text_of_file("train.txt", &n);
	struct hlo_graph *g = hlo_graph_of_text(text, n);
	uint32_t i;
	(void)state;

	assert_string_equal(g->name, "jit_train");
	assert_int_equal(g->ncomputations, 5);
	assert_int_equal(g->n, 33);
	assert_string_equal(g->damage, "");
	assert_true(slice_is(hlo_computation_name(g, g->entry), "main"));
	name_is(g, g->computation[g->entry].root, "out");
	i = at(g, "%fusion.1");
	assert_int_equal(hlo_nlinks(&g->operands, i), 2);
	name_is(g, hlo_link(&g->operands, i, 1), "copy-done.1");
	assert_int_equal(hlo_nlinks(&g->calls, i), 1);
	assert_true(slice_is(hlo_computation_name(g, hlo_link(&g->calls, i, 0)), "fused_dot"));
	assert_true(g->computation[hlo_link(&g->calls, i, 0)].fusion);
	hlo_detail(g, i, &d);
	assert_true(slice_is(d.op_name, "jit(train)/dot_general"));
	assert_true(slice_is(d.op_type, "dot_general"));
	assert_true(slice_is(d.source, "model.py"));
	assert_int_equal(d.line, 12);
	assert_true(slice_is(d.fusion_kind, "kOutput"));
	hlo_detail(g, at(g, "max.1"), &d); /* by its stack frame */
	assert_true(slice_is(d.source, "/home/user/model.py"));
	assert_int_equal(d.line, 14);
	i = at(g, "x"); /* used twice by one instruction */
	assert_int_equal(hlo_nlinks(&g->users, i), 1);
	i = at(g, "reduce.1");
	assert_int_equal(hlo_nlinks(&g->controls, i), 1);
	name_is(g, hlo_link(&g->control_users, at(g, "copy-done.1"), 0), "reduce.1");
	assert_int_equal(hlo_nlinks(&g->calls, at(g, "while.1")), 2);
	assert_int_equal(hlo_nlinks(&g->callers, hlo_computation_named(g, slice_of("add"))), 2);
	hlo_graph_free(g);
	free(text);
}

static void short_form(void **state)
{
	size_t n;
	char *text = text_of_file("short.txt", &n);
	struct hlo_graph *g = hlo_graph_of_text(text, n);
	struct hlo_detail d;
	(void)state;

	assert_string_equal(g->damage, "");
	assert_int_equal(g->n, 9);
	name_is(g, hlo_link(&g->operands, at(g, "typed"), 0), "x");
	assert_int_equal(hlo_nlinks(&g->operands, at(g, "table")), 0);
	assert_int_equal(hlo_nlinks(&g->operands, at(g, "call")), 2);
	hlo_detail(g, at(g, "call"), &d);
	assert_true(slice_is(d.target, "a \\\"b\\\", {c"));
	assert_int_equal(hlo_nlinks(&g->calls, at(g, "r")), 1);
	hlo_graph_free(g);
	free(text);
}

static void what_is_damaged_is_named(void **state)
{
	size_t n;
	char *text = text_of_file("damaged.txt", &n);
	struct hlo_graph *g = hlo_graph_of_text(text, n);
	struct graph_near near;
	(void)state;

	assert_int_equal(g->ncomputations, 3);
	assert_int_equal(g->dangling, 2);
	assert_int_equal(g->unread, 2);
	assert_true(g->cut);
	graph_near_make(g, at(g, "self"), 100, 10, &near); /* depends on itself */
	assert_int_equal(near.n, 2);
	graph_near_free(&near);
	assert_int_equal(graph_caller(g, hlo_computation_named(g, slice_of("called"))), at(g, "again"));
	hlo_graph_free(g);
	for (size_t k = 0; k < n; k++) /* cut anywhere */
		hlo_graph_free(hlo_graph_of_text(text, k));
	free(text);
}

static void a_cycle_is_named(void **state)
{
	static const char text[] = "HloModule m\n\nENTRY main {\n  p = f32[] parameter(0)\n"
				   "  a = f32[] add(p, b)\n  b = f32[] negate(a)\n"
				   "  ROOT c = f32[] add(p, p)\n}\n";
	struct hlo_graph *g = hlo_graph_of_text(text, sizeof text - 1);

	(void)state;
	assert_int_equal(g->n, 4);
	assert_string_equal(g->damage, "instructions depend on themselves");
	hlo_graph_free(g);
}

static void parts_of_tuples_are_looked_through(void **state)
{
	size_t n;
	char *text = text_of_file("train.txt", &n);
	struct hlo_graph *g = hlo_graph_of_text(text, n);
	struct graph_links l;
	struct graph_near near;
	(void)state;

	graph_adjacent(g, at(g, "reduce.1"), false, &l);
	assert_int_equal(l.n, 3);
	name_is(g, l.v[0].i, "while.1");
	assert_int_equal(l.v[0].index, 1);
	assert_true(l.v[2].control);
	graph_links_free(&l);
	graph_adjacent(g, at(g, "while.1"), true, &l);
	assert_int_equal(l.n, 2);
	name_is(g, l.v[0].i, "reduce.1");
	assert_int_equal(l.v[0].index, 1);
	name_is(g, l.v[1].i, "out");
	graph_links_free(&l);
	graph_near_make(g, at(g, "fusion.1"), 1, 100, &near);
	assert_int_equal(near.n, 4); /* itself, two operands, the tuple */
	assert_int_equal(near.ne, 3);
	assert_false(near.cut);
	assert_true(near.v[2].more);
	graph_near_free(&near);
	graph_near_make(g, at(g, "fusion.1"), 50, 3, &near);
	assert_int_equal(near.n, 3);
	assert_true(near.cut);
	graph_near_free(&near);
	hlo_graph_free(g);
	free(text);
}

/* What the printer writes is read again as the same. */
static void printed_text_is_the_same_graph(void **state)
{
	size_t n, m = 0, again = 0;
	char *text = text_of_file("train.txt", &n), *first = NULL, *second = NULL;
	struct hlo_graph *g = hlo_graph_of_text(text, n), *h;
	FILE *f = open_memstream(&first, &m);
	(void)state;

	graph_print_module(f, g, GRAPH_LONG);
	fclose(f);
	h = hlo_graph_of_text(first, m);
	assert_int_equal(h->n, g->n);
	f = open_memstream(&second, &again);
	graph_print_module(f, h, GRAPH_LONG);
	fclose(f);
	assert_string_equal(first, second);
	hlo_graph_free(g);
	hlo_graph_free(h);
	free(first);
	free(second);
	free(text);
}

static struct pb with_operand(struct pb i, uint64_t operand)
{
	pb_u(&i, 36, operand);
	return i;
}

/* A fusion of its parameter, which the schedule runs after the constant; the operand 99 is not there. */
static struct pb made_module(void)
{
	struct pb body = hlo_computation("body", 7), main = hlo_computation("main", 8), module = { 0 };
	struct pb fusion = hlo_fusion("fusion.1", 3, 7), schedule = { 0 }, entry = { 0 }, sequence = { 0 };
	struct pb shape = { 0 }, lost = hlo_new("lost", "add", 5);

	hlo_add(&body, hlo_new("p", "parameter", 1));
	hlo_add(&body, with_operand(hlo_new("negate.1", "negate", 2), 1));
	pb_u(&fusion, 36, 1);
	pb_s(&fusion, 11, "kLoop");
	pb_u(&shape, 2, 11);
	pb_u(&shape, 3, 8);
	pb_sub(&fusion, 3, &shape);
	hlo_add(&main, hlo_new("x", "parameter", 1));
	hlo_add(&main, fusion);
	hlo_add(&main, hlo_new("c", "constant", 4));
	pb_u(&lost, 36, 99);
	hlo_add(&main, lost);
	pb_u(&main, 6, 3);
	pb_s(&module, 1, "made");
	pb_sub(&module, 3, &body);
	pb_sub(&module, 3, &main);
	pb_u(&module, 6, 8);
	for (int again = 0; again < 2; again++) { /* said twice, it is the same */
		for (uint64_t id = 1; id <= 5; id++)
			if (id != 2 && id != 3)
				pb_u(&sequence, 1, id);
		pb_u(&sequence, 1, 3);
		pb_u(&entry, 1, 8);
		pb_sub(&entry, 2, &sequence);
		pb_sub(&schedule, 1, &entry);
	}
	pb_sub(&module, 7, &schedule);
	return hlo_proto(&module);
}

/* Its braces for nothing would be as many as the first dimension. */
static void constants_without_elements(void **state)
{
	struct pb shape = { 0 }, literal = { 0 }, c = hlo_new("c", "constant", 1), module = { 0 }, proto;
	struct pb main = hlo_computation("main", 8);
	struct arena a = { 0 };
	struct hlo_graph *g;
	(void)state;

	pb_u(&shape, 2, 11);
	pb_u(&shape, 3, 50 * 1000 * 1000);
	pb_u(&shape, 3, 0);
	pb_sub(&c, 3, &shape);
	pb_u(&literal, 1, 11);
	pb_sub(&c, 8, &literal);
	hlo_add(&main, c);
	pb_sub(&module, 3, &main);
	proto = hlo_proto(&module);
	g = hlo_graph_of_message(proto.b, proto.n, false);
	assert_true(slice_is(graph_literal(&a, g, 0), "{...}"));
	hlo_graph_free(g);
	arena_free(&a);
	pb_free(&proto);
}

/* Sums of times from a file stop at the limits. */
static void costs_of_endless_ops(void **state)
{
	static const char text[] = "HloModule m\n\nENTRY %main (x: f32[8]) -> f32[8] {\n"
				   "  %x = f32[8] parameter(0)\n  %a = f32[8] negate(%x)\n"
				   "  ROOT %b = f32[8] negate(%a)\n}\n";
	struct hlo_graph *g = hlo_graph_of_text(text, sizeof text - 1);
	struct hlo_module m = { .name = "m" };
	struct dump *d = dump_new();
	struct op v[2] = { 0 };
	struct opdb db = { .v = v, .n = 2 };
	struct graph_costs c;
	(void)state;

	d->modules = &m;
	d->nmodules = 1;
	for (int i = 0; i < 2; i++) {
		v[i].module = strtab_addz(&d->str, "m");
		v[i].name = strtab_addz(&d->str, i ? "b" : "a");
		v[i].sum.self = INT64_MAX;
	}
	graph_costs_make(d, 0, g, &db, NULL, &c);
	assert_true(c.program == INT64_MAX && c.self == INT64_MAX);
	assert_true(c.computation[g->entry] == INT64_MAX);
	graph_costs_free(&c);
	d->modules = NULL;
	d->nmodules = 0;
	dump_close(d);
	hlo_graph_free(g);
}

static void message_is_a_graph(void **state)
{
	struct pb proto = made_module();
	struct hlo_graph *g = hlo_graph_of_message(proto.b, proto.n, false);
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	(void)state;

	assert_string_equal(g->name, "made");
	assert_int_equal(g->n, 6);
	assert_int_equal(g->dangling, 1);
	assert_true(slice_is(hlo_computation_name(g, g->entry), "main"));
	name_is(g, 2, "x"); /* as scheduled */
	name_is(g, 3, "c");
	name_is(g, 4, "lost");
	name_is(g, 5, "fusion.1");
	assert_int_equal(g->computation[g->entry].root, 5);
	name_is(g, hlo_link(&g->operands, 5, 0), "x");
	graph_print_instr(f, g, 5, GRAPH_LONG, SIZE_MAX);
	fclose(f);
	assert_string_equal(text, "ROOT %fusion.1 = f32[8] fusion(%x), kind=kLoop, calls=%body");
	assert_int_equal(graph_size_unpadded(g, 5), 32);
	hlo_graph_free(g);
	for (size_t k = 0; k < proto.n; k++) /* cut anywhere */
		hlo_graph_free(hlo_graph_of_message(proto.b, k, false));
	free(text);
	pb_free(&proto);
}

static void kinds_of_fusions(void **state)
{
	size_t n;
	char *text = text_of_file("train.txt", &n);
	struct hlo_graph *g = hlo_graph_of_text(text, n);
	uint8_t *kind = graph_kinds(g);
	(void)state;

	assert_int_equal(kind[at(g, "fusion.1")], KIND_MATMUL);
	assert_int_equal(kind[at(g, "copy-done.1")], KIND_COPY);
	assert_int_equal(kind[at(g, "all-reduce.1")], KIND_COLLECTIVE);
	assert_int_equal(kind[at(g, "reduce.1")], KIND_COMPUTE);
	free(kind);
	hlo_graph_free(g);
	free(text);
}

/* Each pattern once, and none where it only looks like one. */
static void waste_is_found(void **state)
{
	static const char *const want[WASTE_COUNT] = {
		[WASTE_LAYOUT_COPY] = "copy.mends fusion",
		[WASTE_UNFUSED_RESHAPE] = "transpose.alone reshape.alone",
		[WASTE_UNFUSED_UPDATE] = "update.alone",
		[WASTE_CONVERT_REDUCE] = "reduce.max",
		[WASTE_SCALE_CHAIN] = "scale.2",
		[WASTE_GATHER_ONCE] = "gather.once",
		[WASTE_REMATERIALIZED] = "dot.2.remat",
		[WASTE_RECOMPUTED] = "dot.3",
	};
	char got[WASTE_COUNT][80] = { "" };
	struct graph_wasted *v;
	size_t n, found;
	char *text = text_of_file("waste.txt", &n);
	struct hlo_graph *g = hlo_graph_of_text(text, n);
	(void)state;

	assert_string_equal(g->damage, "");
	found = graph_waste_find(g, &v);
	for (size_t k = 0; k < found; k++) {
		char *to = got[v[k].kind];

		snprintf(to + strlen(to), 80 - strlen(to), "%s%.*s", *to ? " " : "",
		    (int)hlo_name(g, v[k].i).n, hlo_name(g, v[k].i).s);
	}
	for (int k = 0; k < WASTE_COUNT; k++)
		assert_string_equal(got[k], want[k]);
	free(v);
	hlo_graph_free(g);
	free(text);
	text = text_of_file("train.txt", &n); /* has none */
	g = hlo_graph_of_text(text, n);
	assert_int_equal(graph_waste_find(g, &v), 0);
	free(v);
	hlo_graph_free(g);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_a_graph),
		cmocka_unit_test(short_form),
		cmocka_unit_test(what_is_damaged_is_named),
		cmocka_unit_test(a_cycle_is_named),
		cmocka_unit_test(parts_of_tuples_are_looked_through),
		cmocka_unit_test(printed_text_is_the_same_graph),
		cmocka_unit_test(message_is_a_graph),
		cmocka_unit_test(constants_without_elements),
		cmocka_unit_test(costs_of_endless_ops),
		cmocka_unit_test(kinds_of_fusions),
		cmocka_unit_test(waste_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
