/* The protobuf trace of the first TPU profilers (*.trace). */
#ifndef LOAD_TABLE_OLD_TRACE_H
#define LOAD_TABLE_OLD_TRACE_H

#include "load/build/context.h"

int load_old_trace(struct load_ctx *, int file, struct err *);

#endif
