#include "config.h"
#include "analyze/graph/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/device/kinds.h"
#include "analyze/graph/text/print.h"
#include "base/text/words.h"
#include "model/hlo.h"

enum { CALLED_MAX = 400 }; /* bytes of the names of called computations */
enum detail { OP_NAME, SOURCE };

static struct cell slice_cell(struct slice s)
{
	return cell_str(s.s, s.n);
}

static struct cell slice_copy(struct arena *text, struct slice s)
{
	return s.n ? cell_str(arena_strndup(text, s.s, s.n), s.n) : cell_null();
}

static struct cell us_cell(int64_t ps)
{
	return ps < 0 ? cell_null() : cell_num((double)ps / 1e6);
}

static struct cell program_id(const struct hlo_module *m, struct arena *text)
{
	char id[24];

	snprintf(id, sizeof id, "%" PRIu64, m->program);
	return m->program ? arena_cell(text, id) : cell_null();
}

static struct cell caller(const struct graph_computation_row *r)
{
	uint32_t i = graph_caller(r->graph, r->c);

	return i == HLO_NONE ? cell_null() : slice_cell(hlo_name(r->graph, i));
}

static struct cell per_run(const struct graph_instruction_row *r, double sum)
{
	int64_t n = r->costs->v[r->i].occurrences;

	return n > 0 ? cell_num(sum / (double)n) : cell_null();
}

static struct cell detail_cell(const struct graph_instruction_row *r, struct arena *text, enum detail what)
{
	struct hlo_detail d;
	char *s;

	hlo_detail(r->graph, r->i, &d);
	if (what == OP_NAME)
		return d.op_name.n ? slice_cell(d.op_name) : cell_null();
	if (!d.source.n || d.line < 0)
		return d.source.n ? slice_cell(d.source) : cell_null();
	s = arena_alloc(text, d.source.n + 16);
	snprintf(s, d.source.n + 16, "%.*s:%d", (int)d.source.n, d.source.s, d.line);
	return cell_strz(s);
}

static struct cell called_cell(const struct graph_instruction_row *r, struct arena *text)
{
	char names[CALLED_MAX] = "", one[128];

	for (uint32_t k = 0; k < hlo_nlinks(&r->graph->calls, r->i) && strlen(names) < sizeof names - 2;
	     k++) {
		uint32_t c = hlo_link(&r->graph->calls, r->i, k);
		struct slice name = c == HLO_NONE ? slice_of("?") : hlo_computation_name(r->graph, c);

		snprintf(one, sizeof one, "%.*s", (int)(name.n < 120 ? name.n : 120), name.s);
		words_add(names, sizeof names, ", ", one);
	}
	return arena_cell(text, names);
}

/* "entry", "fusion", "embedded", "body" and so on: what the computation is for */
static const char *graph_computation_role(const struct hlo_graph *g, uint32_t c)
{
	uint32_t i = graph_caller(g, c);

	if (c == g->entry)
		return "entry";
	if (i == HLO_NONE)
		return "unused";
	if (g->computation[c].fusion)
		return "fusion";
	if (hlo_opcode_is(g, i, "while"))
		return hlo_link(&g->calls, i, 0) == c ? g->text ? "loop" : "body"
		    : g->text                         ? "loop"
						      : "condition";
	if (hlo_opcode_is(g, i, "conditional"))
		return "branch";
	if (hlo_opcode_is(g, i, "call"))
		return "call";
	return slice_begins(hlo_opcode(g, i), "async") ? "async" : "embedded";
}

#define SCHEMA modules
#define SCHEMA_ROW struct graph_module_row
#define SCHEMA_DEF "analyze/graph/modules.def"
#include "result/schema_def.h"

#define SCHEMA computations
#define SCHEMA_ROW struct graph_computation_row
#define SCHEMA_DEF "analyze/graph/computations.def"
#include "result/schema_def.h"

#define SCHEMA instructions
#define SCHEMA_ROW struct graph_instruction_row
#define SCHEMA_DEF "analyze/graph/instructions.def"
#include "result/schema_def.h"

#define SCHEMA neighbors
#define SCHEMA_ROW struct graph_instruction_row
#define SCHEMA_DEF "analyze/graph/neighbors.def"
#include "result/schema_def.h"

const struct schema graph_modules_schema = { SCHEMA_COLUMNS(modules_columns) };
const struct schema graph_computations_schema = { SCHEMA_COLUMNS(computations_columns),
	.view = "computation share| step_time -self_time instructions role caller" };
const struct schema graph_instructions_schema = { SCHEMA_COLUMNS(instructions_columns),
	.view =
	    "name opcode share| step_time -self_time -occurrences size shape -computation -operands -users "
	    "-flops -hbm_bytes -buffer -op_name -source -called",
	.text = "name opcode shape occurrences self_time share size op_name" };
const struct schema graph_neighbors_schema = { SCHEMA_COLUMNS(neighbors_columns),
	.text = "distance relation element name opcode shape self_time share size op_name" };

void graph_computations_table(const struct hlo_graph *g, const struct graph_costs *costs, struct table *t)
{
	table_begin(t, &graph_computations_schema);
	for (uint32_t c = 0; c < g->ncomputations; c++)
		table_add(t, &(struct graph_computation_row){ g, costs, c });
	table_sort(t, "self_time:desc", NULL);
}

void graph_instructions_table(const struct hlo_graph *g, const struct graph_costs *costs, struct table *t)
{
	table_begin(t, &graph_instructions_schema);
	for (uint32_t i = 0; i < g->n; i++)
		table_add(t, &(struct graph_instruction_row){ g, costs, i, 0, -1, NULL });
}

/* How a neighbor is connected with the center; index: the element of the tuple. */
static const char *relation_of(const struct graph_near *near, uint32_t node, int64_t *index)
{
	*index = -1;
	if (!node)
		return "center";
	for (uint32_t k = 0; k < near->ne && near->v[node].distance == 1; k++) {
		const struct graph_edge *e = &near->e[k];

		*index = e->index;
		if (e->from == node && !e->to)
			return e->control ? "before" : "operand";
		if (e->to == node && !e->from)
			return e->control ? "after" : "user";
	}
	*index = -1;
	return "further";
}

void graph_neighbors_table(const struct hlo_graph *g, const struct graph_costs *costs,
    const struct graph_near *near, struct table *t)
{
	table_begin(t, &graph_neighbors_schema);
	for (uint32_t k = 0; k < near->n; k++) {
		int64_t index;
		const char *relation = relation_of(near, k, &index);

		table_add(t,
		    &(struct graph_instruction_row){ g, costs, near->v[k].i, near->v[k].distance, index,
			relation });
	}
}
