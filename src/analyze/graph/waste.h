/* What of an HLO module may be work for nothing, by the form of the graph alone: instructions that only mend a
 * layout, that were not fused, or that compute again what was there.  Whether it costs anything the time in the
 * capture says (costs.h).  A module that is not compiled has none: fusions and layouts are still to come.
 * Pure; the caller frees the array. */
#ifndef ANALYZE_GRAPH_WASTE_H
#define ANALYZE_GRAPH_WASTE_H

#include "analyze/graph/costs.h"
#include "result/table.h"

enum graph_waste {
#define WASTE(id, ...) WASTE_##id,
#include "analyze/graph/waste_kinds.def"
#undef WASTE
	WASTE_COUNT
};

/* id: stable, for scripts; text: what is wrong and what to do */
struct graph_waste_info {
	const char *id, *text;
};
extern const struct graph_waste_info graph_waste_info[WASTE_COUNT];

struct graph_wasted {
	uint32_t i;
	enum graph_waste kind;
};

bool graph_is_compiled(const struct hlo_graph *);
/* each instruction once at most */
size_t graph_waste_find(const struct hlo_graph *, struct graph_wasted **);

extern const struct schema graph_waste_schema;
/* by time, largest first; graph and costs must outlive it */
void graph_waste_table(const struct hlo_graph *, const struct graph_costs *, struct table *);

#endif
