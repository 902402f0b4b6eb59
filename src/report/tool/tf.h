/* What the reports about a TensorFlow graph share, and the view that exports them: warnings that come before the
 * tables.  Everything is borrowed and only read. */
#ifndef REPORT_TOOL_TF_H
#define REPORT_TOOL_TF_H

#include "report/reports.h"

struct tf_analysis;

void report_tf_warnings(struct report *, const struct dump *, const struct tf_analysis *);

#endif
