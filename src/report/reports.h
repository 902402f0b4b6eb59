/* The tools of `tpuscope report`: each turns a capture and options into one document on the writer.  The
 * rows of report/tools.def define everything about a tool: --help, usage errors and completions are made
 * from them.  Options that a tool does not take are rejected before it runs (cli/options.c).  Tools return an exit
 * status and fill err only for wrong values of options. */
#ifndef REPORT_REPORTS_H
#define REPORT_REPORTS_H

#include "capture/capture.h"
#include "report/write/writer.h"

/* What a screen shows of a report, and adds to it, when it is written from there. */
struct report_screen {
	/* of the report's table that has these columns (NULL: none) and so many rows, these n in this order */
	const struct schema *schema;
	size_t rows, n;
	const size_t *row;
	/* that chose them; NULL: none.  A report without such a table says that it is whole */
	const char *filter;
	bool chosen;         /* set by the report: it has such a table */
	const char *csv;     /* the table that is written as CSV; NULL: the first */
	const char *command; /* that shows it again; NULL: none */
	/* write members of the summary, before those of the report, and tables, after its own; NULL: none */
	void (*sum)(void *ctx, struct report *);
	void (*add)(void *ctx, struct report *);
	void *ctx;
};

enum { REPORT_WHATIFS = 64 };

struct report_options {
	struct report_screen *screen; /* NULL: none */
	enum report_format format;
	const struct report_rows *rows; /* REPORT_ROWS */
	const char *host, *module, *step, *table, *sort, *by, *name, *track, *from, *to, *query;
	int core;    /* -1 = all */
	int64_t top; /* -1 = all */
	bool args;
	const char *group; /* program, category or provenance; NULL = program */
	bool exclude_idle;
	int space; /* of memory, by number; 0 = HBM */
	const char *metric, *topology;
	const char *graph;                  /* NULL: the TensorFlow graph that is used */
	const char *tree;                   /* of scopes; NULL: folded */
	int depth;                          /* of a tree; 0 = all */
	const char *op, *as;                /* as: what to write of a graph */
	int radius;                         /* of a graph, around op; -1 = all of its computation */
	const char *whatif[REPORT_WHATIFS]; /* of account */
	size_t nwhatifs;
	const char *kernel, *chip,
	    *against; /* of LLO dumps; against: the other one, which is loaded behind it */
	bool all, bundles;
	int width, threads;
	int max_bytes; /* 0: as many as a summary has */
};

struct report_tool {
	const char *name, *help;
	unsigned takes; /* enum report_takes */
	int (*run)(struct capture *, const struct report_options *, FILE *, struct err *);
	unsigned results; /* bits of enum result that it asks for */
};

/* Options that only some tools take. */
enum report_takes {
	TAKES_CORE = 1,
	TAKES_STEP = 2,
	TAKES_MODULE = 4,
	TAKES_EVENTS = 8, /* by, name, track, from, to, query, args */
	TAKES_GROUP = 16, /* group, exclude-idle */
	TAKES_POD = 32,   /* metric, topology */
	TAKES_SPACE = 64,
	TAKES_HLO = 512,            /* op, radius, as */
	TAKES_TABLE = 128,          /* table: tools with several */
	TAKES_GRAPH = 256,          /* graph */
	TAKES_KERNELS = 2048,       /* by */
	TAKES_COMMUNICATION = 4096, /* by */
	TAKES_SCOPES = 8192,        /* tree */
	TAKES_DEPTH = 131072,       /* depth: its answer is a tree */
	TAKES_WHATIF = 16384,       /* whatif */
	TAKES_LLO = 65536,          /* kernel, all, chip, against, bundles */
	READS_TEXTS = 1024,         /* not an option: logs and other texts are read, too */
	TAKES_BYTES = 32768,        /* max-bytes */
	TAKES_OPS = TAKES_CORE | TAKES_STEP | TAKES_MODULE /* it is about ops alone */
};
extern const struct schema summary_shares_schema, summary_findings_schema, summary_ops_schema, info_schema,
    trace_schema, roof_note_schema, memory_modules_schema, memory_compiler_schema, pod_cores_schema,
    pod_steps_schema, graph_schema;
struct report_table {
	const char *tool, *table; /* tool: of a report or view; table NULL: its only one */
	const struct schema *schema;
};
/* the i-th table that only a view writes, with E; false: there are no more */
typedef bool report_more_tables(size_t i, struct report_table *);
/* the i-th table of a tool that --table takes, in the order of report/tables.def; NULL after the last */
const char *report_table_name(const char *tool, size_t i);
bool report_has_table(const char *tool, const char *table);
/* The i-th table of all reports, under the name that it has in documents; false: there are no more. */
bool report_table_at(size_t i, struct report_table *);
/* Returns the columns of the i-th table of all reports; NULL after the last. */
const struct schema *report_schema(size_t i);
/* ids, units and meanings of the columns of all tables, including those of views */
void report_list_columns(FILE *, report_more_tables *, bool man);

void report_columns_of(FILE *, const char *tool); /* the same of one report */

extern const struct report_tool report_tools[]; /* ends with a NULL name */
/* of the texts of a capture; it has a command of its own */
extern const struct report_tool report_triage_tool;
extern const struct report_tool report_diff_tool;     /* of RESULT_DIFF; likewise */
const struct report_tool *report_named(const char *); /* NULL: no report is called so */
/* begins its document, with what the screen adds */
struct report *report_open(const struct report_options *, FILE *, const char *tool, const struct dump *);
/* Runs a tool on the part of the capture that the options name. */
int report_run(const struct report_tool *, struct capture *, const struct report_options *, FILE *,
    struct err *);
#define TOOL(name, takes, results, help) \
	int report_##name(struct capture *, const struct report_options *, FILE *, struct err *);
#include "report/tools.def"
#undef TOOL
/* hlo_graph as a part of another report */
int report_graph_of_hlo(struct capture *, const struct report_options *, FILE *, const char *tool,
    struct err *);

#endif
