/* What reports on steps are made from: the steps, ops and overview of the host and core that the options
 * ask for, and the findings.  The struct holds pointers into itself, so it must not move before
 * measured_free(). */
#ifndef REPORT_MEASURED_H
#define REPORT_MEASURED_H

#include "analyze/findings/findings.h"
#include "analyze/overview/overview.h"
#include "report/reports.h"

struct measured {
	struct overview_options options;
	struct steps steps;
	struct opdb db;
	struct overview overview;
};

/* files: without a capture, take the overview from results that a profiler left (overview_make()) */
void measured_begin(const struct dump *, const struct report_options *, bool files, struct measured *);
void measured_free(struct measured *);

/* Findings of that and of the module that the options name; -1 with err: no such module. */
int measured_findings(const struct dump *, const struct report_options *, const struct measured *,
    struct findings *, struct err *);

#endif
