/* The tables of an HLO graph (tpuscope(7), HLO GRAPH), for reports and the view.  Texts of cells belong to the
 * graph or the table; the graph must outlive it.  The caller frees (table_free).  Pure. */
#ifndef ANALYZE_GRAPH_TABLES_H
#define ANALYZE_GRAPH_TABLES_H

#include "analyze/graph/costs.h"
#include "analyze/graph/near.h"
#include "result/table.h"

extern const struct schema graph_modules_schema, graph_computations_schema, graph_instructions_schema,
    graph_neighbors_schema;

/* what a row of the first three is made from */
struct graph_module_row {
	const struct dump *dump;
	const struct hlo_module *module;
	const struct hlo_graph *graph; /* NULL: not readable */
	const struct graph_costs *costs;
	const char *why; /* not readable, or damaged; NULL */
};
struct graph_computation_row {
	const struct hlo_graph *graph;
	const struct graph_costs *costs;
	uint32_t c;
};
struct graph_instruction_row {
	const struct hlo_graph *graph;
	const struct graph_costs *costs;
	uint32_t i;
	int64_t distance, index; /* of neighbors */
	const char *relation;
};

void graph_computations_table(const struct hlo_graph *, const struct graph_costs *, struct table *);
void graph_instructions_table(const struct hlo_graph *, const struct graph_costs *, struct table *);
/* The center, then by distance; operands before users. */
void graph_neighbors_table(const struct hlo_graph *, const struct graph_costs *, const struct graph_near *,
    struct table *);

#endif
