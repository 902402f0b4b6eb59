/* A neighborhood, or a whole computation, as a graph in the DOT language of Graphviz: a node is an instruction
 * with its shape and, where the capture has it, its time; colors as in other viewers of HLO graphs.  Names of the
 * file are quoted.  Pure. */
#ifndef ANALYZE_GRAPH_DOT_H
#define ANALYZE_GRAPH_DOT_H

#include <stdio.h>

#include "analyze/graph/costs.h"
#include "analyze/graph/near.h"

/* inside: also draws what its fusions hold, as boxes in boxes */
void graph_dot(FILE *, const struct hlo_graph *, const struct graph_costs *, const struct graph_near *,
    bool inside);

#endif
