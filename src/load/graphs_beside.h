/* TensorFlow graphs beside the runs of a logdir, in event files, graph.pbtxt or a SavedModel: the MODEL_DIR of an
 * estimator, the logdir of Keras.
 * Those of the folder of the open run come first, in each folder the newest; which graph is used of them is up to
 * tf_graph_choose().  A file counts if a graph stands near its beginning; a very large one is only named. */
#ifndef LOAD_GRAPHS_BESIDE_H
#define LOAD_GRAPHS_BESIDE_H

#include "load/probe/logdir.h"
#include "model/dump.h"

void graphs_beside(struct dump *, const struct logdir *, void (*take)(void *ctx, const char *path),
    void *ctx);

#endif
