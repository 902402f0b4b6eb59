#include "config.h"
#include "analyze/graph/waste.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/graph/near.h"
#include "analyze/graph/print.h"

const struct graph_waste_info graph_waste_info[WASTE_COUNT] = {
#define WASTE(ID, id, text) { id, text },
#include "analyze/graph/waste_kinds.def"
#undef WASTE
};

static uint32_t operand_of(const struct hlo_graph *g, uint32_t i, uint32_t k)
{
	return k < hlo_nlinks(&g->operands, i) ? hlo_link(&g->operands, i, k) : HLO_NONE;
}

/* Whether an op runs by itself, and takes time of its own. */
static bool is_alone(const struct hlo_graph *g, uint32_t i)
{
	const struct hlo_computation *c = &g->computation[g->v[i].computation];

	return !c->fusion && !c->embedded;
}

static bool same_space(const struct shape *a, const struct shape *b)
{
	return a->layout && b->layout && a->layout->space == b->layout->space;
}

static bool same_dims(const struct shape *a, const struct shape *b)
{
	return a->type == b->type && a->dim.n == b->dim.n &&
	    (!a->dim.n || !memcmp(a->dim.v, b->dim.v, a->dim.n * sizeof *a->dim.v));
}

static bool is_layout_copy(const struct hlo_graph *g, uint32_t i)
{
	uint32_t from = operand_of(g, i, 0);
	struct arena a = { 0 };
	struct shape x, y;
	bool is = hlo_opcode_is(g, i, "copy") && is_alone(g, i) && from != HLO_NONE &&
	    graph_shape(&a, g, i, &x) && graph_shape(&a, g, from, &y) && shape_is_array(&x) &&
	    shape_is_array(&y) && same_dims(&x, &y) && same_space(&x, &y) && !shape_same_layout(&x, &y);

	arena_free(&a);
	return is;
}

static bool is_unfused_reshape(const struct hlo_graph *g, uint32_t i)
{
	return is_alone(g, i) && (hlo_opcode_is(g, i, "reshape") || hlo_opcode_is(g, i, "transpose"));
}

static bool is_unfused_update(const struct hlo_graph *g, uint32_t i)
{
	return is_alone(g, i) && hlo_opcode_is(g, i, "dynamic-update-slice");
}

/* The reduction takes one of its elements, so that no digits are lost in the narrow type. */
static bool picks_an_element(const struct hlo_graph *g, uint32_t i)
{
	uint32_t c = hlo_nlinks(&g->calls, i) ? hlo_link(&g->calls, i, 0) : HLO_NONE;
	uint32_t root = c == HLO_NONE ? HLO_NONE : g->computation[c].root;

	return root != HLO_NONE && (hlo_opcode_is(g, root, "maximum") || hlo_opcode_is(g, root, "minimum"));
}

static bool is_convert_around_reduce(const struct hlo_graph *g, uint32_t i)
{
	uint32_t from = operand_of(g, i, 0), source, n = hlo_nlinks(&g->users, i);
	struct arena a = { 0 };
	struct shape x, y;
	bool is;

	if (!hlo_opcode_is(g, i, "reduce") || from == HLO_NONE || !hlo_opcode_is(g, from, "convert") || !n ||
	    !picks_an_element(g, i))
		return false;
	source = operand_of(g, from, 0);
	is = source != HLO_NONE && graph_shape(&a, g, source, &x);
	for (uint32_t k = 0; is && k < n; k++) {
		uint32_t user = hlo_link(&g->users, i, k);

		is = hlo_opcode_is(g, user, "convert") && graph_shape(&a, g, user, &y) && x.type == y.type;
	}
	arena_free(&a);
	return is;
}

static bool is_constant(const struct hlo_graph *g, uint32_t i)
{
	if (i != HLO_NONE && hlo_opcode_is(g, i, "broadcast"))
		i = operand_of(g, i, 0);
	return i != HLO_NONE && hlo_opcode_is(g, i, "constant");
}

/* "x * constant" */
static uint32_t scaled(const struct hlo_graph *g, uint32_t i)
{
	uint32_t a = operand_of(g, i, 0), b = operand_of(g, i, 1);

	if (!hlo_opcode_is(g, i, "multiply") || is_constant(g, a) == is_constant(g, b))
		return HLO_NONE;
	return is_constant(g, a) ? b : a;
}

static bool is_scale_chain(const struct hlo_graph *g, uint32_t i)
{
	uint32_t of = scaled(g, i);

	return of != HLO_NONE && of != i && hlo_nlinks(&g->users, of) == 1 && scaled(g, of) != HLO_NONE;
}

/* Through the -done of an asynchronous one. */
static bool is_gathered_once(const struct hlo_graph *g, uint32_t i)
{
	struct graph_links l;
	bool once;

	if (hlo_opcode_is(g, i, "all-gather-start") && hlo_nlinks(&g->users, i) == 1)
		i = hlo_link(&g->users, i, 0);
	else if (!hlo_opcode_is(g, i, "all-gather"))
		return false;
	graph_adjacent(g, i, true, &l);
	once = l.n == 1 && !hlo_opcode_is(g, l.v[0].i, "tuple");
	graph_links_free(&l);
	return once;
}

static bool is_recomputed(const struct hlo_graph *g, uint32_t i)
{
	return is_alone(g, i) && slice_find(hlo_name(g, i), ".remat") &&
	    !hlo_opcode_is(g, i, "get-tuple-element") && !hlo_opcode_is(g, i, "bitcast") &&
	    !hlo_opcode_is(g, i, "tuple");
}

size_t graph_waste_find(const struct hlo_graph *g, struct graph_wasted **out)
{
	static bool (*const is[])(const struct hlo_graph *, uint32_t) = {
		[WASTE_LAYOUT_COPY] = is_layout_copy,
		[WASTE_UNFUSED_RESHAPE] = is_unfused_reshape,
		[WASTE_UNFUSED_UPDATE] = is_unfused_update,
		[WASTE_CONVERT_REDUCE] = is_convert_around_reduce,
		[WASTE_SCALE_CHAIN] = is_scale_chain,
		[WASTE_GATHER_ONCE] = is_gathered_once,
		[WASTE_RECOMPUTED] = is_recomputed,
	};
	struct graph_wasted *v = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < g->n; i++)
		for (int k = 0; k < WASTE_COUNT; k++)
			if (is[k](g, i))
				VEC_ADD(v, n, cap, (struct graph_wasted){ i, (enum graph_waste)k });
	*out = v;
	return n;
}

/* --- the table --- */

struct waste_row {
	const struct hlo_graph *graph;
	const struct graph_costs *costs;
	struct graph_wasted what;
};

static int64_t self_of(const struct waste_row *r)
{
	int64_t self = r->costs->v[r->what.i].self;
	uint32_t c = r->graph->v[r->what.i].computation;

	return self < 0 && r->graph->computation[c].fusion ? r->costs->computation[c] : self;
}

static struct cell known(const struct waste_row *r, double v)
{
	return self_of(r) < 0 || isnan(v) ? cell_null() : cell_num(v);
}

static struct cell slice_cell(struct slice s)
{
	return cell_str(s.s, s.n);
}

#define SCHEMA waste
#define SCHEMA_ROW struct waste_row
#define SCHEMA_DEF "analyze/graph/waste.def"
#include "result/schema_def.h"

const struct schema graph_waste_schema = { SCHEMA_COLUMNS(waste_columns) };

void graph_waste_table(const struct hlo_graph *g, const struct graph_costs *costs, struct table *t)
{
	struct graph_wasted *v;
	size_t n = graph_waste_find(g, &v);

	table_begin(t, &graph_waste_schema);
	for (size_t k = 0; k < n; k++)
		table_add(t, &(struct waste_row){ g, costs, v[k] });
	table_sort(t, "self_time:desc", NULL);
	free(v);
}
