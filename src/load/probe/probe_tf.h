/* Recognizes what TensorFlow saves of a graph by the beginning of its content, of which any number of bytes may be
 * there; they need not end with NUL.  Pure; any thread. */
#ifndef LOAD_PROBE_PROBE_TF_H
#define LOAD_PROBE_PROBE_TF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/dump.h"

enum tf_form {
	TF_NONE,
	TF_GRAPH_BYTES,      /* GraphDef */
	TF_META_GRAPH_BYTES, /* MetaGraphDef, as beside checkpoints of TensorFlow 1 (*.meta) */
	TF_SAVED_MODEL_BYTES,
	TF_KERAS_JSON,
	TF_GRAPH_TEXT,
	TF_META_GRAPH_TEXT,
	TF_SAVED_MODEL_TEXT
};

enum tf_form probe_tf(const uint8_t *head, size_t n);
enum file_kind probe_tf_kind(const uint8_t *head, size_t n); /* FILE_UNKNOWN: none of them */
/* A Keras model as JSON, of which only the names of its members are looked at. */
bool probe_is_keras(const uint8_t *head, size_t n);
/* An event file: records of which the first holds an Event. */
bool probe_is_tfevents(const uint8_t *head, size_t n);
/* A GraphDef whose first node has a name that is longer than the head; other files could look like that. */
bool probe_is_long_name(const uint8_t *head, size_t n);

static inline bool probe_tf_is_text(enum tf_form f)
{
	return f >= TF_GRAPH_TEXT;
}

#endif
