/* What reports on ops share: the op database for the options.  Strings of cells live as long as the table or
 * the database. */
#ifndef REPORT_OPS_PICK_H
#define REPORT_OPS_PICK_H

#include "analyze/tables/ops.h"
#include "report/reports.h"

/* The part of the database that the options ask for: module, step.  -1 with err: it does not exist; else free
 * with report_pick_free(). */
struct ops_pick {
	struct opdb_options options;
	uint64_t *programs;
	struct op_window *windows;
	int64_t total; /* length of the step, ps; -1: the whole capture */
};
int report_pick_ops(const struct dump *, const struct report_options *, struct ops_pick *, struct err *);
void report_pick_free(struct ops_pick *);
int report_ops_build(const struct dump *, const struct report_options *, struct opdb *, struct err *);

#endif
