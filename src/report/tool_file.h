/* Reports on results that a profiler left (model/toolfile.h): which file takes the place of a capture. */
#ifndef REPORT_TOOL_FILE_H
#define REPORT_TOOL_FILE_H

#include "model/toolfile.h"
#include "report/reports.h"

/* The first file of that kind, when the dump has no ops of its own to count; NULL: count them. */
const struct toolfile *report_instead(const struct dump *, enum file_kind, const struct report_options *,
    size_t *more);

#endif
