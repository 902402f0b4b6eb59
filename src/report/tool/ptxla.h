/* What the reports metrics and ptxla_debug share: both read all texts of the dump, and print some of the tables
 * (analyze/ptxla/tables/tables.h). */
#ifndef REPORT_TOOL_PTXLA_H
#define REPORT_TOOL_PTXLA_H

#include "analyze/ptxla/tables/tables.h"
#include "report/reports.h"

#define PTXLA_PRINTED_MOST 12

struct ptxla_form {
	const char *tool, *nothing; /* nothing: what is said when it has nothing of its kind */
	bool (*has)(const struct ptxla *);
	void (*summary)(const struct ptxla *, bool people, struct facts *);
	enum ptxla_table most;                       /* the table that --sort is for */
	enum ptxla_table tables[PTXLA_PRINTED_MOST]; /* in this order */
	size_t n;
	/* text: for people, instead of the tables; NULL: the same */
	void (*people)(struct report *, const struct ptxla *);
};

int report_ptxla(struct capture *, const struct report_options *, FILE *, const struct ptxla_form *,
    struct err *);
void report_ptxla_findings(struct report *, const struct ptxla *);
/* the tables that this report lacks */
void report_ptxla_others(struct report *, const struct ptxla *, const char *tool);

#endif
