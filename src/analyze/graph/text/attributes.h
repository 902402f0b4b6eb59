/* Prints the attributes of an instruction of a message as XLA's text has them, ", kind=kLoop, calls=%f, metadata={…}":
 * which, and in which order, attributes.def says.  Pure. */
#ifndef ANALYZE_GRAPH_TEXT_ATTRIBUTES_H
#define ANALYZE_GRAPH_TEXT_ATTRIBUTES_H

#include <stdio.h>

#include "model/graph/graph.h"

void graph_attributes(FILE *, const struct hlo_graph *, uint32_t instr);
void graph_frontend_attributes(FILE *, struct slice message); /* {key="value",…}: a FrontendAttributes */

#endif
