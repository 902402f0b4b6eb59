/* What ops.c and host.c share: rows by name, idle time, and the walk over host threads.  Rows may move when
 * one is added. */
#ifndef ANALYZE_FRAMEWORK_INTERNAL_H
#define ANALYZE_FRAMEWORK_INTERNAL_H

#include "analyze/framework/ops.h"

uint32_t framework_row_of(struct framework_table *, struct slice name, struct slice type);
void framework_add_idle(struct framework_table *, int64_t idle);
/* Adds the ops of host threads to f->host, unsorted.  Returns false when canceled. */
bool framework_host_rows(const struct dump *, const struct framework_host_options *, struct framework *);

#endif
