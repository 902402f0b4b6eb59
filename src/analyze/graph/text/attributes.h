/* Prints the attributes of an instruction of a message as in HLO text, ", kind=kLoop, calls=%f, metadata={…}":
 * the common ones, from a table of the fields of HloInstructionProto.  Pure. */
#ifndef ANALYZE_GRAPH_TEXT_ATTRIBUTES_H
#define ANALYZE_GRAPH_TEXT_ATTRIBUTES_H

#include <stdio.h>

#include "model/graph/graph.h"

void graph_attributes(FILE *, const struct hlo_graph *, uint32_t instr);

#endif
