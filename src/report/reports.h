/* The tools of `tpuscope report`: each turns a dump and options into one document on the writer.  A row of
 * the table `report_tools` is the whole truth about a tool: --help, usage errors and completions come from
 * it.  Tools return an exit status and fill err only for wrong options. */
#ifndef REPORT_REPORTS_H
#define REPORT_REPORTS_H

#include "analyze/facts.h"
#include "analyze/findings.h"
#include "analyze/steps.h"
#include "report/writer.h"

struct report_options {
	enum report_format format;
	const char *host, *module, *step, *table, *sort, *by, *name, *track, *from, *to, *query;
	int core;			/* -1 = all */
	int64_t top;			/* -1 = all */
	bool args;
	const char *group;		/* program, category or provenance; NULL = program */
	bool exclude_idle;
	int space;			/* of memory, by number; 0 = HBM */
	const char *metric, *topology;
	int width, threads;
};

struct report_tool {
	const char *name, *help;
	int (*run)(struct dump *, const struct report_options *, FILE *, struct err *);
};

/* Options that a tool may know, beside format, sort, top, threads, host, width. */
enum report_takes {
	TAKES_CORE = 1, TAKES_STEP = 2, TAKES_MODULE = 4,
	TAKES_EVENTS = 8,		/* by, name, track, from, to, query, args */
	TAKES_GROUP = 16,		/* group, exclude-idle */
	TAKES_SPACE = 64,
	TAKES_POD = 32,			/* metric, topology */
	TAKES_OPS = TAKES_CORE | TAKES_STEP | TAKES_MODULE
};
/* -1: one was given that it does not know */
int report_check(const struct report_options *, const char *tool, unsigned takes, struct err *);
/* the same for a tool with tables of those names, and its --table */
int report_check_tables(const struct report_options *, const char *tool, unsigned takes,
    const char *const *names,
    size_t n, struct err *);
int report_order(const struct report_options *, struct table *, struct err *);	/* --sort and --top */
/* what matters for trusting the numbers */
void report_dump_warnings(struct report *, const struct dump *);
void report_steps_warnings(struct report *, const struct steps *);
/* says so when the file's times of device events and the device's own differ */
void report_clock_warnings(struct report *, struct dump *);
void report_facts(struct report *, const struct facts *);	/* as the summary */

/* what the report findings says, for others; -1: error */
int report_make_findings(const struct dump *, const struct report_options *, const struct steps *,
    const struct opdb *,
    const struct overview *, struct findings *, struct err *);

struct pod;
void report_pod_tables(struct report *, const struct pod *);	/* warnings, summary and all tables */

extern const struct report_tool report_tools[];	/* ends with a NULL name */

int report_info(struct dump *, const struct report_options *, FILE *, struct err *);
int report_input_pipeline(struct dump *, const struct report_options *, FILE *, struct err *);
int report_findings(struct dump *, const struct report_options *, FILE *, struct err *);
int report_overview(struct dump *, const struct report_options *, FILE *, struct err *);
int report_memory(struct dump *, const struct report_options *, FILE *, struct err *);
int report_memory_profile(struct dump *, const struct report_options *, FILE *, struct err *);
int report_pod(struct dump *, const struct report_options *, FILE *, struct err *);
int report_trace(struct dump *, const struct report_options *, FILE *, struct err *);
int report_steps(struct dump *, const struct report_options *, FILE *, struct err *);
int report_framework_ops(struct dump *, const struct report_options *, FILE *, struct err *);
int report_op_profile(struct dump *, const struct report_options *, FILE *, struct err *);
int report_roofline(struct dump *, const struct report_options *, FILE *, struct err *);
int report_hlo_stats(struct dump *, const struct report_options *, FILE *, struct err *);

#endif
