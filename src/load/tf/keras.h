/* A Keras model as JSON (model.to_json(), what Keras 2 and 3 write for TensorBoard), written as the bytes of a
 * GraphDef, so that it is shown as other graphs are: a node is a layer, its op the class, its inputs the layers before
 * it, and what is simple in its configuration are attributes.  Models in models are scopes. */
#ifndef LOAD_TF_KERAS_H
#define LOAD_TF_KERAS_H

#include <stdint.h>

#include "base/err.h"
#include "base/text/slice.h"

/* NULL: it is none.  Of a damaged one the layers before the damage, which err names (status 0: it is whole).  The
 * caller frees. */
uint8_t *keras_graph(struct slice json, size_t *n, struct err *);

#endif
