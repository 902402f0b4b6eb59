#include "config.h"
#include "sql/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/graph/text/print.h"
#include "base/mem.h"
#include "model/graph/graph.h"
#include "model/hlo.h"

#define SCHEMA_FOLDER sql
#define SCHEMA_ROW struct sql_graph_row

/* An instruction, a computation, or an edge between two of them. */
struct sql_graph_row {
	const struct hlo_graph *g;
	const char *module;
	const struct hlo_detail *detail;
	struct slice shape;
	uint32_t i, c, to, index; /* instruction; computation; the other end; operand */
	uint64_t id, from;
};

static struct cell text_cell(struct slice s)
{
	return s.n ? cell_str(s.s, s.n) : cell_null();
}

#define SCHEMA instructions
#include "result/schema_def.h"
#define SCHEMA computations
#include "result/schema_def.h"
#define SCHEMA edges
#include "result/schema_def.h"
#define SCHEMA call_edges
#include "result/schema_def.h"

static const struct schema schemas[] = {
	{ SCHEMA_COLUMNS(instructions_columns) },
	{ SCHEMA_COLUMNS(computations_columns) },
	{ SCHEMA_COLUMNS(edges_columns) },
	{ SCHEMA_COLUMNS(call_edges_columns) },
};
static const char *const names[] = { "instructions", "computations", "edges", "call_edges" };
enum { INSTRUCTIONS, COMPUTATIONS, EDGES, CALL_EDGES, TABLES };

const struct schema *sql_graph_schema(size_t i, const char **name)
{
	if (i >= TABLES)
		return NULL;
	*name = names[i];
	return &schemas[i];
}

/* The ids of the message, by instruction; of text, numbers from 1. */
static uint64_t *ids_of(const struct hlo_graph *g)
{
	uint64_t *id = xcalloc((size_t)g->n + 1, sizeof *id);

	for (uint32_t i = 0; i < g->n; i++)
		id[i] = i + 1;
	for (uint32_t k = 0; g->ids && k < g->n; k++)
		if (g->ids[k].i < g->n)
			id[g->ids[k].i] = g->ids[k].id;
	return id;
}

struct filling {
	struct sql_filler *to;
	const struct schema *schema;
	int table;
};

static void put_row(const struct filling *f, const struct sql_graph_row *row)
{
	struct cell cells[16];
	struct arena text = { 0 };

	table_cells(f->schema->columns, f->schema->n, row, &text, cells);
	sql_fill_row(f->to, cells);
	arena_free(&text);
}

static void put_instruction(const struct filling *f, struct sql_graph_row *row, const uint64_t *id)
{
	const struct hlo_graph *g = row->g;
	uint32_t i = row->i;
	struct arena text = { 0 };
	struct hlo_detail detail;

	row->id = id[i];
	row->c = g->v[i].computation;
	if (f->table == INSTRUCTIONS) {
		hlo_detail(g, i, &detail);
		row->detail = &detail;
		row->shape = graph_shape_text(&text, g, i);
		put_row(f, row);
	}
	for (uint32_t k = 0; f->table == EDGES && k < hlo_nlinks(&g->operands, i); k++) {
		row->to = hlo_link(&g->operands, i, k);
		row->index = k;
		row->from = row->to == HLO_NONE ? 0 : id[row->to];
		if (row->to != HLO_NONE)
			put_row(f, row);
	}
	for (uint32_t k = 0; f->table == CALL_EDGES && k < hlo_nlinks(&g->calls, i); k++) {
		row->to = hlo_link(&g->calls, i, k);
		if (row->to != HLO_NONE)
			put_row(f, row);
	}
	arena_free(&text);
}

static void put_module(const struct filling *f, const struct sql *q, size_t module)
{
	struct err err = { .at = ERR_NOWHERE };
	struct hlo_graph *g = hlo_graph_of(q->d, module, &err);
	struct sql_graph_row row = { .g = g, .module = q->d->modules[module].name };
	uint64_t *id;

	if (!g)
		return;
	id = ids_of(g);
	for (uint32_t c = 0; f->table == COMPUTATIONS && c < g->ncomputations; c++) {
		row.c = c;
		put_row(f, &row);
	}
	for (row.i = 0; f->table != COMPUTATIONS && row.i < g->n; row.i++)
		put_instruction(f, &row, id);
	free(id);
	hlo_graph_free(g);
}

int sql_make_graph(struct sql *q, const char *name)
{
	struct filling f = { 0 };

	while (f.table < TABLES && sqlite3_stricmp(name, names[f.table]))
		f.table++;
	if (f.table == TABLES)
		return 1;
	f.schema = &schemas[f.table];
	if (!(f.to = sql_fill(q, names[f.table], f.schema->columns, f.schema->n)))
		return -1;
	for (size_t i = 0; i < q->d->nmodules; i++)
		put_module(&f, q, i);
	sql_fill_end(f.to);
	return 0;
}
