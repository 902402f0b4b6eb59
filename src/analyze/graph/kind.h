/* The kind of time (analyze/device/kinds.h) that an instruction takes, by its opcode; a fusion is of the kind of
 * what it holds: a matmul if there is one.  Pure. */
#ifndef ANALYZE_GRAPH_KIND_H
#define ANALYZE_GRAPH_KIND_H

#include "analyze/device/kinds.h"
#include "model/graph/graph.h"

uint8_t *graph_kinds(const struct hlo_graph *); /* enum time_kind by instruction; the caller frees */

#endif
