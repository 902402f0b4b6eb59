/* Loads results of a profiler's tools, protobuf or JSON: model/toolfile.h. */
#ifndef LOAD_TOOL_TOOL_H
#define LOAD_TOOL_TOOL_H

#include "load/build/context.h"

int load_tool(struct load_ctx *, int file, struct err *);

#endif
