/* readings.c: what the answers say. */
#ifndef REMOTE_METRICS_INTERNAL_H
#define REMOTE_METRICS_INTERNAL_H

#include "base/mem.h"
#include "remote/metrics/metrics.h"

/* Adds what an answer to GetRuntimeMetric says, to what `of` says of its metric and its server; damaged ones say
 * nothing. */
void readings_decode(struct readings *, const struct reading *of, const uint8_t *, size_t);

#endif
