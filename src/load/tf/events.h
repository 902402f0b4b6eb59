/* A look at the beginning of an event file of TensorBoard without loading it; the bytes may be cut off anywhere.  Pure;
 * any thread. */
#ifndef LOAD_TF_EVENTS_H
#define LOAD_TF_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the file has a graph that begins within its first bytes. */
bool tf_events_have_graph(const uint8_t *head, size_t n);

#endif
