/* Perfetto protobuf traces (*.pftrace, *.perfetto-trace): track descriptors, slices, instants, counters, flows and
 * their annotations, with interned names and clocks of sequences.  What the system recorded (ftrace, samples, process
 * statistics) is counted and not read. */
#ifndef LOAD_PERFETTO_PERFETTO_H
#define LOAD_PERFETTO_PERFETTO_H

#include "load/build/context.h"

int load_perfetto(struct load_ctx *, int file, struct err *);

#endif
