/* What is next to an instruction of an HLO graph.  Adjacency looks through get-tuple-element, which only
 * picks a part: the operand of what uses it is the instruction that made the tuple.  A neighborhood is what is
 * reached in `radius` steps over operands and users, within the computation; constants, and instructions with
 * very many neighbors, are in it but lead no further.  Both end on graphs with cycles.  The caller frees. */
#ifndef ANALYZE_GRAPH_NEAR_H
#define ANALYZE_GRAPH_NEAR_H

#include "model/graph/graph.h"

enum { GRAPH_RADIUS_MAX = 100, GRAPH_NEAR_MAX = 4000, GRAPH_BUSY = 50 };

/* index: of the element of the tuple, -1 = all of it; control: only runs after it */
struct graph_link {
	uint32_t i;
	int64_t index;
	bool control;
};
struct graph_links {
	struct graph_link *v;
	uint32_t n, cap;
	uint32_t missing; /* operands that are not there */
};

/* users: else the operands, in their order; control dependencies come last */
void graph_adjacent(const struct hlo_graph *, uint32_t instr, bool users, struct graph_links *);
void graph_links_free(struct graph_links *);

struct graph_node {
	uint32_t i;
	uint32_t distance;
	bool more; /* has neighbors that are left out */
};
struct graph_edge {
	uint32_t from, to; /* nodes, by index: the operand and its user */
	int64_t index;
	bool control;
};
struct graph_near {
	struct graph_node *v; /* the first is the center */
	uint32_t n, cap;
	struct graph_edge *e;
	uint32_t ne, ecap;
	bool cut; /* more than `most` were reached */
};

void graph_near_make(const struct hlo_graph *, uint32_t center, uint32_t radius, uint32_t most,
    struct graph_near *);
/* all instructions of a computation */
void graph_near_all(const struct hlo_graph *, uint32_t computation, uint32_t most, struct graph_near *);
void graph_near_free(struct graph_near *);

/* The fusion, loop or other instruction that runs a computation; HLO_NONE: nothing does, as for the entry. */
uint32_t graph_caller(const struct hlo_graph *, uint32_t computation);

#endif
