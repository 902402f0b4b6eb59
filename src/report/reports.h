/* The tools of `tpuscope report`: each turns a dump and options into one document on the writer.  A row of
 * the table `report_tools` is the whole truth about a tool: --help, usage errors and completions come from
 * it.  Options that a tool does not take are refused before it runs (cli/options.c).  Tools return an exit
 * status and fill err only for wrong values of options. */
#ifndef REPORT_REPORTS_H
#define REPORT_REPORTS_H

#include "analyze/facts.h"
#include "analyze/findings.h"
#include "analyze/steps.h"
#include "report/writer.h"

struct report_options {
	enum report_format format;
	const char *host, *module, *step, *table, *sort, *by, *name, *track, *from, *to, *query;
	int core;    /* -1 = all */
	int64_t top; /* -1 = all */
	bool args;
	const char *group; /* program, category or provenance; NULL = program */
	bool exclude_idle;
	int space; /* of memory, by number; 0 = HBM */
	const char *metric, *topology;
	int width, threads;
};

struct report_tool {
	const char *name, *help;
	unsigned takes;            /* enum report_takes */
	const char *const *tables; /* names for --table, NULL behind the last; NULL: has one table */
	int (*run)(struct dump *, const struct report_options *, FILE *, struct err *);
};

/* Options that not every tool takes. */
enum report_takes {
	TAKES_CORE = 1,
	TAKES_STEP = 2,
	TAKES_MODULE = 4,
	TAKES_EVENTS = 8, /* by, name, track, from, to, query, args */
	TAKES_GROUP = 16, /* group, exclude-idle */
	TAKES_POD = 32,   /* metric, topology */
	TAKES_SPACE = 64,
	TAKES_TABLE = 128, /* table: those that have several */
	TAKES_OPS = TAKES_CORE | TAKES_STEP | TAKES_MODULE
};
/* choose.c: what options pick.
 * -1: a core or step was asked for that is not there (of pod: see choices_refuse) */
int report_check(const struct dump *, const struct report_options *, struct err *);
int report_order(const struct report_options *, struct table *, struct err *); /* --sort and --top */
/* The same of several tables: of --table, of the first one in CSV, which has no other, else of the one that
 * matters most, or where that one has no such column the first that has.  NULL: a table that is not
 * printed. */
int report_order_tables(const struct report_options *, const char *const *names, struct table *const *,
    size_t n, size_t most, struct err *);

/* What there is to choose from: "0-7, 12, train 1" */
struct choices {
	char text[300];
	size_t n, range; /* range: where "-7" begins */
	long last;
	bool number, cut;
};
void choices_add(struct choices *, const char *name);
/* EXIT_USAGE: "no core 99 — cores are 0-7" */
int choices_refuse(const struct choices *, const char *what, const char *asked, struct err *);

bool report_is_device(enum plane_kind);
/* what matters for trusting the numbers */
void report_dump_warnings(struct report *, const struct dump *);
void report_steps_warnings(struct report *, const struct steps *);
/* says so when the file's times of device events and the device's own differ */
void report_clock_warnings(struct report *, struct dump *);
void report_facts(struct report *, const struct facts *); /* as the summary */

struct hlo_module;
struct memory;
/* what matters for trusting the memory of a module (NULL: none was chosen) in a space */
void report_memory_warnings(struct report *, const struct hlo_module *, const struct memory *, int space);

struct overview;
/* rows of the overview's steps, for people by what they are called */
void report_step_rows(struct report *, const char *name, const struct overview *, const struct table *);

struct pod;
void report_pod_tables(struct report *, const struct pod *); /* warnings, summary and all tables */

extern const struct report_tool report_tools[]; /* ends with a NULL name */
extern const char *const framework_table_names[],
    *const input_table_names[], *const memory_table_names[], *const memory_profile_table_names[],
								 *const overview_table_names[],
								     *const pod_table_names[],
									 *const roofline_table_names[];

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
