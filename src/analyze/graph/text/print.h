/* HLO text of the instructions of a graph, by our own printer: "%name = shape opcode(operands)" and, in the long form,
 * attributes and metadata.  What was text before is printed as it was; of messages it is the text that XLA prints.
 * Texts are made in the arena given.  Pure. */
#ifndef ANALYZE_GRAPH_TEXT_PRINT_H
#define ANALYZE_GRAPH_TEXT_PRINT_H

#include <stdio.h>

#include "analyze/hlo/shape.h"
#include "model/graph/graph.h"

enum graph_form { GRAPH_SHORT, GRAPH_LONG };

bool graph_shape(struct arena *, const struct hlo_graph *, uint32_t instr,
    struct shape *); /* false: not known */
struct slice graph_shape_text(struct arena *, const struct hlo_graph *, uint32_t instr); /* may be empty */
/* Size of its result, of tuples that of all arrays in it; -1: not known. */
int64_t graph_size(const struct hlo_graph *, uint32_t instr);
int64_t graph_size_unpadded(const struct hlo_graph *, uint32_t instr);
/* "f32[8,128]": without the layout; of a long tuple its beginning */
const char *graph_shape_short(struct arena *, const struct hlo_graph *, uint32_t instr);
struct slice graph_literal(struct arena *, const struct hlo_graph *, uint32_t instr); /* of a constant */

/* most: some bytes after which operands and attributes end with "…", for a line on a screen */
void graph_print_instr(FILE *, const struct hlo_graph *, uint32_t instr, enum graph_form, size_t most);
/* "%name (p: f32[8]) -> f32[8] {" */
void graph_print_head(FILE *, const struct hlo_graph *, uint32_t computation, size_t most);
void graph_print_module(FILE *, const struct hlo_graph *, enum graph_form);

#endif
