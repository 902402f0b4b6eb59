/* Loads the text of an HLO module (*.after_optimizations.txt and the like): the module is listed by its name,
 * and its text is read when somebody asks for the graph (model/graph/graph.h).  Texts of PyTorch/XLA may hold many
 * modules between other lines (XLA_SAVE_HLO_FILE, XLA_DUMP_HLO_GRAPH, XLA_SAVE_TENSORS_FILE): each different one is
 * listed, at most HLO_IN_TEXT_MODULES of the first HLO_IN_TEXT_BYTES. */
#ifndef LOAD_HLO_HLO_TEXT_H
#define LOAD_HLO_HLO_TEXT_H

#include "load/build/context.h"

#define HLO_IN_TEXT_MODULES 4096
#define HLO_IN_TEXT_BYTES ((size_t)256 << 20)

void hlo_in_text(struct load_ctx *, int file); /* of a text that was loaded */

#endif
