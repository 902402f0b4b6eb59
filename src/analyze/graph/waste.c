#include "config.h"
#include "analyze/graph/waste.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/graph/near.h"
#include "analyze/graph/text/print.h"

const struct graph_waste_info graph_waste_info[WASTE_COUNT] = {
#define WASTE(ID, id, text) { id, text },
#include "analyze/graph/waste_kinds.def"
#undef WASTE
};

/* What fits into one tile of a TPU, 8 x 128 elements of 4 bytes, is not worth a word. */
enum { TILE = 4096 };
enum { FAR = 16 }; /* fusions and bitcasts that a value is followed through */

static uint32_t operand_of(const struct hlo_graph *g, uint32_t i, uint32_t k)
{
	return k < hlo_nlinks(&g->operands, i) ? hlo_link(&g->operands, i, k) : HLO_NONE;
}

static bool is_one_of(const struct hlo_graph *g, uint32_t i, const char *const *opcodes)
{
	while (*opcodes && !hlo_opcode_is(g, i, *opcodes))
		opcodes++;
	return *opcodes;
}

static uint32_t called(const struct hlo_graph *g, uint32_t i)
{
	return hlo_nlinks(&g->calls, i) == 1 ? hlo_link(&g->calls, i, 0) : HLO_NONE;
}

static uint32_t only_caller(const struct hlo_graph *g, uint32_t c)
{
	return hlo_nlinks(&g->callers, c) == 1 ? hlo_link(&g->callers, c, 0) : HLO_NONE;
}

/* Whether an op runs by itself, and takes time of its own; what runs beside the program costs it nothing. */
static bool is_alone(const struct hlo_graph *g, uint32_t i)
{
	uint32_t c = g->v[i].computation;
	uint32_t by = only_caller(g, c);

	return !g->computation[c].fusion && !g->computation[c].embedded &&
	    (by == HLO_NONE || !slice_begins(hlo_opcode(g, by), "async-"));
}

static bool is_large(const struct hlo_graph *g, uint32_t i)
{
	return i != HLO_NONE && graph_size_unpadded(g, i) > TILE;
}

static int type_of(const struct hlo_graph *g, uint32_t i)
{
	struct arena a = { 0 };
	struct shape s;
	int type = graph_shape(&a, g, i, &s) ? s.type : SHAPE_INVALID;

	arena_free(&a);
	return type;
}

/* --- a value, into fusions and out of them --- */

static uint32_t parameter_at(const struct hlo_graph *g, uint32_t c, int64_t number)
{
	const struct hlo_computation *of = &g->computation[c];
	struct hlo_detail d;

	for (uint32_t i = of->first; i < of->first + of->n; i++)
		if (hlo_opcode_is(g, i, "parameter") && (hlo_detail(g, i, &d), d.parameter == number))
			return i;
	return HLO_NONE;
}

/* Returns the instruction that makes the value of i: for a parameter of a fusion the operand, for a fusion its root. */
static uint32_t maker(const struct hlo_graph *g, uint32_t i)
{
	struct hlo_detail d;

	for (int k = 0; k < FAR && i != HLO_NONE; k++) {
		uint32_t c = g->v[i].computation, in = called(g, i);

		if (hlo_opcode_is(g, i, "bitcast")) {
			i = operand_of(g, i, 0);
		} else if (hlo_opcode_is(g, i, "fusion") && in != HLO_NONE) {
			i = g->computation[in].root;
		} else if (hlo_opcode_is(g, i, "parameter") && g->computation[c].fusion &&
		    only_caller(g, c) != HLO_NONE) {
			hlo_detail(g, i, &d);
			i = operand_of(g, only_caller(g, c), d.parameter < 0 ? 0 : (uint32_t)d.parameter);
		} else {
			return i;
		}
	}
	return HLO_NONE;
}

/* Returns the only instruction that uses the value of i; HLO_NONE: there are more, or none. */
static uint32_t only_user(const struct hlo_graph *g, uint32_t i)
{
	for (int k = 0; k < FAR && i != HLO_NONE; k++) {
		uint32_t c = g->v[i].computation, user, in;

		if (g->computation[c].fusion && g->computation[c].root == i) {
			i = only_caller(g, c);
			continue;
		}
		if (hlo_nlinks(&g->users, i) != 1)
			return HLO_NONE;
		user = hlo_link(&g->users, i, 0);
		in = called(g, user);
		if (hlo_opcode_is(g, user, "fusion") && in != HLO_NONE) {
			uint32_t at = 0;

			while (operand_of(g, user, at) != i)
				at++;
			i = parameter_at(g, in, at);
		} else if (hlo_opcode_is(g, user, "bitcast")) {
			i = user;
		} else {
			return user;
		}
	}
	return HLO_NONE;
}

/* --- what only moves data --- */

static bool same_dims(const struct shape *a, const struct shape *b)
{
	return a->type == b->type && a->dim.n == b->dim.n &&
	    (!a->dim.n || !memcmp(a->dim.v, b->dim.v, a->dim.n * sizeof *a->dim.v));
}

static bool mends_layout(const struct hlo_graph *g, uint32_t i)
{
	uint32_t from = operand_of(g, i, 0);
	struct arena a = { 0 };
	struct shape x, y;
	bool is = hlo_opcode_is(g, i, "copy") && from != HLO_NONE && graph_shape(&a, g, i, &x) &&
	    graph_shape(&a, g, from, &y) && shape_is_array(&x) && shape_is_array(&y) && same_dims(&x, &y) &&
	    x.layout && y.layout && !shape_same_layout(&x, &y);

	arena_free(&a);
	return is;
}

static bool reorders(const struct hlo_graph *g, uint32_t i)
{
	static const char *const opcodes[] = { "reshape", "transpose", NULL };

	return is_one_of(g, i, opcodes);
}

/* A fusion that nothing is computed in, as XLA makes them for CPUs and GPUs: whether it holds what is asked for,
 * and none of what is worse. */
static bool is_fusion_of(const struct hlo_graph *g, uint32_t i, bool reordering)
{
	static const char *const moves[] = { "parameter", "bitcast", "copy", "reshape", "transpose", NULL };
	uint32_t in = hlo_opcode_is(g, i, "fusion") ? called(g, i) : HLO_NONE;
	const struct hlo_computation *c = in == HLO_NONE ? NULL : &g->computation[in];
	bool mended = false, reordered = false;

	for (uint32_t k = 0; c && k < c->n; k++) {
		if (!is_one_of(g, c->first + k, moves))
			return false;
		mended |= mends_layout(g, c->first + k);
		reordered |= reorders(g, c->first + k);
	}
	return reordering ? reordered : mended && !reordered;
}

/* The compiler packs what it keeps for long, and unpacks it: that is its price of memory. */
static bool is_packed(const struct hlo_graph *g, uint32_t i)
{
	return slice_find(hlo_name(g, i), ".remat_");
}

static bool is_layout_copy(const struct hlo_graph *g, uint32_t i)
{
	return is_alone(g, i) && (mends_layout(g, i) || is_fusion_of(g, i, false)) && !is_packed(g, i) &&
	    is_large(g, i);
}

static bool is_unfused_reshape(const struct hlo_graph *g, uint32_t i)
{
	return is_alone(g, i) && (reorders(g, i) || is_fusion_of(g, i, true)) && is_large(g, i);
}

static bool is_unfused_update(const struct hlo_graph *g, uint32_t i)
{
	return hlo_opcode_is(g, i, "dynamic-update-slice") && is_alone(g, i) &&
	    is_large(g, operand_of(g, i, 1));
}

/* --- what computes too much --- */

/* The reduction takes one of its elements, so that no digits are lost in the narrow type. */
static bool picks_an_element(const struct hlo_graph *g, uint32_t i)
{
	static const char *const opcodes[] = { "maximum", "minimum", NULL };
	uint32_t c = called(g, i);
	uint32_t root = c == HLO_NONE ? HLO_NONE : g->computation[c].root;

	return root != HLO_NONE && is_one_of(g, root, opcodes);
}

static bool is_convert_around_reduce(const struct hlo_graph *g, uint32_t i)
{
	uint32_t from, user;

	if (!hlo_opcode_is(g, i, "reduce") || !picks_an_element(g, i))
		return false;
	from = maker(g, operand_of(g, i, 0));
	user = only_user(g, i);
	return from != HLO_NONE && user != HLO_NONE && hlo_opcode_is(g, from, "convert") &&
	    hlo_opcode_is(g, user, "convert") && operand_of(g, from, 0) != HLO_NONE &&
	    type_of(g, operand_of(g, from, 0)) == type_of(g, user) && is_large(g, from);
}

static bool is_constant(const struct hlo_graph *g, uint32_t i)
{
	i = maker(g, i);
	if (i != HLO_NONE && hlo_opcode_is(g, i, "broadcast"))
		i = maker(g, operand_of(g, i, 0));
	return i != HLO_NONE && hlo_opcode_is(g, i, "constant");
}

/* "x * constant" */
static uint32_t scaled(const struct hlo_graph *g, uint32_t i)
{
	uint32_t a, b;

	if (!hlo_opcode_is(g, i, "multiply"))
		return HLO_NONE;
	a = operand_of(g, i, 0);
	b = operand_of(g, i, 1);
	if (is_constant(g, a) == is_constant(g, b))
		return HLO_NONE;
	return is_constant(g, a) ? b : a;
}

static bool is_scale_chain(const struct hlo_graph *g, uint32_t i)
{
	uint32_t of = scaled(g, i);

	of = of == HLO_NONE ? HLO_NONE : maker(g, of);
	return of != HLO_NONE && of != i && only_user(g, of) == i && scaled(g, of) != HLO_NONE &&
	    is_large(g, i);
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
	return once && is_large(g, i);
}

static bool is_computed(const struct hlo_graph *g, uint32_t i)
{
	static const char *const not_work[] = { "get-tuple-element", "bitcast", "tuple", "parameter",
		"constant", "while", "conditional", "call", "copy-start", "copy-done", NULL };

	return is_alone(g, i) && !is_one_of(g, i, not_work) && is_large(g, i);
}

/* The compiler says so in the name. */
static bool is_rematerialized(const struct hlo_graph *g, uint32_t i)
{
	return slice_find(hlo_name(g, i), ".remat") && is_computed(g, i);
}

static bool is_recomputed(const struct hlo_graph *g, uint32_t i)
{
	struct hlo_detail d;

	if (!is_computed(g, i))
		return false;
	hlo_detail(g, i, &d);
	return slice_find(d.op_name, "rematted_computation");
}

bool graph_is_compiled(const struct hlo_graph *g)
{
	uint32_t c = 0;

	while (c < g->ncomputations && !g->computation[c].fusion)
		c++;
	return g->scheduled || c < g->ncomputations;
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
		[WASTE_REMATERIALIZED] = is_rematerialized,
		[WASTE_RECOMPUTED] = is_recomputed,
	};
	struct graph_wasted *v = NULL;
	size_t n = 0, cap = 0;
	bool compiled = graph_is_compiled(g);

	for (uint32_t i = 0; compiled && i < g->n; i++)
		for (int k = 0; k < WASTE_COUNT; k++)
			if (is[k](g, i)) {
				VEC_ADD(v, n, cap, (struct graph_wasted){ i, (enum graph_waste)k });
				break;
			}
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
	return self_of(r) < 0 ? cell_null() : cell_num(v);
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
