/* What the reports of steps are made from: the steps, the ops and the overview of the host and the core that
 * the options ask for, and what is found in them.  It refers to itself: it stays where it is until
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

/* files: without a capture the overview is what a profiler left (overview_make()) */
void measured_begin(const struct dump *, const struct report_options *, bool files, struct measured *);
void measured_free(struct measured *);

/* of that and of the module that the options name; -1: there is no such module */
int measured_findings(const struct dump *, const struct report_options *, const struct measured *,
    struct findings *, struct err *);

#endif
