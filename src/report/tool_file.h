/* Reports on results that a profiler left (model/toolfile.h): which file is used instead of a capture. */
#ifndef REPORT_TOOL_FILE_H
#define REPORT_TOOL_FILE_H

#include "model/toolfile.h"
#include "report/reports.h"

/* Returns the first file of that kind if the dump has no ops of its own to count; NULL: count the ops. */
const struct toolfile *report_instead(const struct dump *, enum file_kind, const struct report_options *,
    size_t *more);

#endif
