/* Loads the text of an HLO module (*.after_optimizations.txt and the like): the module is listed by its name,
 * and its text is read when somebody asks for the graph (model/graph/graph.h). */
#ifndef LOAD_HLO_HLO_TEXT_H
#define LOAD_HLO_HLO_TEXT_H

#include "load/build/context.h"

int load_hlo_text(struct load_ctx *, int file, struct err *);

#endif
