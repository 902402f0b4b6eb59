/* What the files of this room share.  ptxla.c takes texts apart: blocks [MetricsData] as torch_xla writes them go
 * to plain.c, all else through the reader to ptxla_line(), which asks one reader of lines after the other:
 * metrics.c, debug.c, notices.c, graphs.c.  What is open (a block that is not over) is kept per process. */
#ifndef ANALYZE_PTXLA_INTERNAL_H
#define ANALYZE_PTXLA_INTERNAL_H

#include "analyze/ptxla/ptxla.h"
#include "analyze/triage/reader.h"

#define PTXLA_PROCESSES 1024 /* whose blocks are told apart */
#define PTXLA_TEXT_MAX 65536 /* bytes of a name or cause that are kept */

/* The lines of one process. */
struct ptxla_process {
	uint64_t key;
	strid host;
	/* metrics.c; report SIZE_MAX: none yet; metric SIZE_MAX: none is open */
	size_t report, metric;
	bool unmarked; /* the report began without a line that says so */
	bool
	    has_counter; /* of the report; first_after: the first metric behind its counters, SIZE_MAX: none */
	size_t first_after;
	char *counter, *list; /* a counter without its value yet; the end of a list that may go on */
	size_t list_len;
	bool list_read; /* that end is a percentile as it stands */
	/* debug.c: SIZE_MAX: none is open */
	struct ptxla_open {
		size_t at;
		enum { IN_HEAD, IN_CAUSE, IN_GRAPH, IN_FRAMES } part;
		bool ruled, dashed; /* began with a rule; its line of dashes was seen */
		/* the rule that closed the last one, which has no dashes: its line, 0 = none; the block */
		uint64_t closed;
		size_t last;
	} open[PTXLA_KINDS];
	const char *hash; /* of the last compilation */
	/* notices.c: the block that is open, SIZE_MAX: none; in: between the frames of C++ of a call */
	size_t unlowered;
	bool tagged, in_native;
	/* graphs.c: what stands before a graph, and the row of the one that is open */
	struct ptxla_graph graph;
	enum { NO_GRAPH, GRAPH_HEAD, GRAPH_FRAMES, GRAPH_ROOTS, GRAPH_BODY, GRAPH_ENTRY } in;
	size_t graph_row;
	bool bare; /* no line says where it ends */
	char *roots;
	size_t nroots, roots_cap;
};

struct ptxla_work {
	struct text_reader *reader;
	struct ptxla_process *processes;
	size_t nprocesses, processes_cap;
	uint32_t file;
	bool mixed;              /* rows of reports came in turns */
	struct strtab launches;  /* graph and device of each row */
	struct strtab tags;      /* op and place of calls */
	struct strtab in_report; /* reports that no line separates, with the names that each has */
	size_t *tag_rows, tag_cap;
};

const char *ptxla_keep(struct ptxla *, struct slice); /* NULL: empty */

/* metrics.c: true: the line is part of a report */
bool ptxla_metrics_line(struct ptxla *, struct ptxla_process *, uint64_t line, struct slice);
/* nothing of it is open any more */
void ptxla_metrics_end(struct ptxla *, struct ptxla_process *);
size_t ptxla_report_begin(struct ptxla *, strid host, int64_t step, uint64_t line);
bool ptxla_step_of(struct slice, int64_t *step); /* "[MetricsData; step=4]" */
/* fields.c: what stands behind the name of a field of the metric */
struct ptxla_metric *ptxla_metric_add(struct ptxla *, size_t report, strid name);
enum ptxla_field {
	FIELD_SAMPLES,
	FIELD_ACCUMULATOR,
	FIELD_VALUE_RATE,
	FIELD_RATE,
	FIELD_MEAN,
	FIELD_DEVIATION,
	FIELD_PERCENTILES,
	FIELD_COUNT
};
/* Takes "Name: " off; FIELD_COUNT: it is none. */
enum ptxla_field ptxla_field_of(struct slice *);
bool ptxla_field_set(struct ptxla *, struct ptxla_metric *, enum ptxla_field, struct slice);
/* "1%=4.00B; 5%=8.00B": returns what it could not read, which may be cut */
struct slice ptxla_percents(struct ptxla *, struct ptxla_metric *, struct slice);

/* plain.c: reads blocks from *at on while they are as torch_xla writes them, and counts their lines; stops at the
 * first that is not */
void ptxla_plain(struct ptxla *, const char *s, size_t n, size_t *at, uint64_t *line);

/* debug.c */
bool ptxla_debug_line(struct ptxla *, struct ptxla_process *, uint64_t line, struct slice);
void ptxla_debug_end(struct ptxla *, struct ptxla_process *);
bool ptxla_frame_of(struct ptxla *, struct slice, struct ptxla_frame *); /* "fn (file:12)" */
/* the first in the user's code, or the first; NULL: there is none */
struct ptxla_frame *ptxla_user_frame(struct ptxla_frame *, size_t n);

/* notices.c */
bool ptxla_notice_line(struct ptxla *, struct ptxla_process *, uint64_t line, struct slice);
void ptxla_notice_end(struct ptxla *, struct ptxla_process *);
void ptxla_launch_line(struct ptxla *, uint64_t line, struct slice);
void ptxla_launch_end(struct ptxla_launch *);

/* graphs.c */
bool ptxla_graph_line(struct ptxla *, struct ptxla_process *, uint64_t line, struct slice);
void ptxla_graph_end(struct ptxla *, struct ptxla_process *);

#endif
