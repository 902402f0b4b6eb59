/* What the loaders of TensorFlow graphs share. */
#ifndef LOAD_TF_INTERNAL_H
#define LOAD_TF_INTERNAL_H

#include "load/build/context.h"
#include "model/tf/graph.h"

#define TF_GRAPHS_MAX 10000u /* graphs of a file that are listed */

/* The whole content, unpacked; damage of the packing is noted.  NULL with err. */
const uint8_t *tf_content(struct load_ctx *, int file, size_t *n, struct err *);
/* The first damage of a file is told: what comes after it is usually its consequence. */
void tf_damage(struct load_ctx *, int file, uint64_t at, const char *what);
/* Lists a graph, up to the limit. */
void tf_list(struct load_ctx *, int file, enum tf_source, struct slice tag, const struct slice *piece,
    size_t npieces);
/* The GraphDef of a MetaGraphDef, with its tags ("serve, train") as its tag. */
void tf_list_meta_graph(struct load_ctx *, int file, struct slice meta);
/* The graphs in a RunMetadata. */
void tf_list_run_metadata(struct load_ctx *, int file, struct slice tag, struct slice metadata);

#endif
