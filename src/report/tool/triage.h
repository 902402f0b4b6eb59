/* What `tpuscope triage` prints: the findings first, then errors, their lists and reports, and the logs.
 * JSON has all tables; CSV one of them (--table, else the findings); text leaves out empty tables, and
 * columns of errors in which no error has a value. */
#ifndef REPORT_TOOL_TRIAGE_H
#define REPORT_TOOL_TRIAGE_H

#include "analyze/triage/triage.h"
#include "report/reports.h"

int report_triage(const struct triage *, const struct report_options *, FILE *, struct err *);

#endif
