/* The head of a module: its line, "HloModule name, is_scheduled=true, …", and the tables of source lines, as XLA prints
 * them; of a module that was text, the line as it was.  What a message does not say (which shardings may be
 * propagated) is left out.  Pure. */
#ifndef ANALYZE_GRAPH_TEXT_MODULE_H
#define ANALYZE_GRAPH_TEXT_MODULE_H

#include <stdio.h>

#include "model/graph/graph.h"

void graph_print_module_head(FILE *, const struct hlo_graph *);

#endif
