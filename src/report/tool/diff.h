/* What `tpuscope diff` prints: the verdict, what makes it doubtful, what changed and where the time went.  Everything
 * is borrowed.  Returns what report_end() does: 0, or -1 with err when it could not be written. */
#ifndef REPORT_TOOL_DIFF_H
#define REPORT_TOOL_DIFF_H

#include "analyze/diff/diff.h"
#include "report/reports.h"

/* the captures of a side */
struct report_side {
	const struct side *const *v;
	size_t n;
};

/* sweep: of several captures with one base */
int report_diff(const struct diff *, const struct report_side *base, const struct report_side *new,
    bool sweep, const struct report_options *, FILE *, struct err *);

#endif
