/* Loads TensorFlow graphs: event files of TensorBoard, GraphDefs and SavedModels, in binary or text form, and Keras
 * models as JSON (model/tf/graph.h).  Nothing is unpacked: the graphs stay in the bytes of their file, and those of a
 * text are written as bytes once (base/codec/pbtext.h).  An event file without a graph is an error that says what it
 * holds instead. */
#ifndef LOAD_TF_TF_H
#define LOAD_TF_TF_H

#include "load/build/context.h"

int load_tfevents(struct load_ctx *, int file, struct err *);
int load_tf_graph(struct load_ctx *, int file, struct err *);
int load_saved_model(struct load_ctx *, int file, struct err *);

#endif
