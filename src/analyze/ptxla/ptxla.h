/* What PyTorch/XLA says about itself (tpuscope(7), PYTORCH): metrics reports of all ages, one or many per
 * text; what PT_XLA_DEBUG prints about compilations and executions; lines of its profiler; summaries of ops
 * that were not lowered; graphs that XLA_SAVE_TENSORS_FILE saved; log lines that name the graphs that ran.
 * They are found in any text, whatever stands around them, through the reader of lines that triage has
 * (analyze/triage/reader.h); reports as torch_xla writes them to a file are read without it, which is faster.
 *
 *     ptxla_begin(&x);
 *     ptxla_file(&x, path); ptxla_text(&x, bytes, n);    for each text
 *     ptxla_end(&x);                                     counts and orders
 *
 * Times are picoseconds, sizes bytes; what is not known is as value.h says, -1 for numbers of other things, and
 * NULL for texts.  Rows are in the order of the texts; those of one report lie together.  Everything belongs to
 * the struct; the caller frees it (ptxla_free()).  One thread at a time. */
#ifndef ANALYZE_PTXLA_PTXLA_H
#define ANALYZE_PTXLA_PTXLA_H

#include "analyze/ptxla/value.h"
#include "base/progress.h"
#include "base/text/strtab.h"
#include "model/dump.h"
#include "result/facts.h"

struct ptxla_file {
	const char *path;
	int64_t ordinal; /* N of a name that ends in ".N" */
	size_t reports;  /* lines [MetricsData; step=N], and one for what comes before the first */
	bool loose;      /* something comes before the first */
};

/* A report of one process: a block [MetricsData; step=N], or a text without one. */
struct ptxla_report {
	uint32_t file;
	strid host; /* 0: none is named */
	int64_t step;
	uint64_t line;
	size_t metric, nmetrics, counter, ncounters;
};

struct ptxla_metric {
	uint32_t report;
	strid name; /* 0: its beginning is cut off */
	uint8_t unit;
	bool no_sum; /* the text says that its sum is no number */
	uint16_t npercents;
	size_t percent; /* its first percentile, in percents and values */
	int64_t samples;
	union ptxla_number accumulator, value_rate, mean, deviation;
	double rate; /* NaN: not known */
};

struct ptxla_counter {
	uint32_t report;
	strid name;
	int64_t value;
};

/* A notice "pt-xla-profiler: ..." */
struct ptxla_notice {
	uint32_t file;
	uint64_t line;
	const char *kind, *metric, *ops;
	int64_t samples, steps;
	double seconds; /* NaN: not known */
};

enum ptxla_kind { PTXLA_COMPILATION, PTXLA_POST, PTXLA_EXECUTION, PTXLA_UNEXPECTED, PTXLA_KINDS };
enum ptxla_size { PTXLA_INPUT, PTXLA_OUTPUT, PTXLA_ALIASED, PTXLA_INTERMEDIATE, PTXLA_PROGRAM, PTXLA_SIZES };

struct ptxla_frame {
	const char *function, *file;
	int64_t line;
};

struct ptxla_analysis {
	uint32_t file;
	uint64_t line;
	enum ptxla_kind kind;
	const char *cause, *graph_name, *graph_hash;
	int64_t inputs, outputs, size[PTXLA_SIZES]; /* -1: not known */
	struct ptxla_frame *frames, *user; /* user: the one that made it, in the user's code if any is */
	size_t nframes, frames_cap;
	bool truncated, partial;
};

/* A block of a summary of ops that were not lowered, or of calls of one op from one place. */
struct ptxla_unlowered {
	uint32_t file;
	uint64_t line;
	int64_t count;
	const char *op;
	struct ptxla_frame *frames, *user;
	size_t nframes, frames_cap;
};

/* A graph that was saved.  hash: as torch_xla says it; content: hash of the text, which tells graphs apart that have
 * none; name: what saved it. */
struct ptxla_graph {
	uint32_t file;
	uint64_t line, content;
	const char *name, *format, *hash;
	struct ptxla_frame user;
	int64_t roots, distinct_roots, nodes;
};

/* The graphs of one line of code, or of one name. */
struct ptxla_saved {
	const struct ptxla_graph *first;
	size_t saved, distinct;
	int64_t least, most; /* nodes */
};

/* "Executing IR graph hash H on device D" and its like: runs and compilations of a graph on a device. */
struct ptxla_launch {
	uint32_t file;
	uint64_t line; /* of the first */
	const char *hash, *device;
	int64_t count, compiled;
	int64_t ran, was_compiled; /* lines "done!" */
};

#define PTXLA_PERCENT 100000

struct ptxla_work;

struct ptxla {
	struct arena text;
	struct strtab names;
	struct ptxla_file *files;
	size_t nfiles, files_cap;
	struct ptxla_report *reports;
	size_t nreports, reports_cap;
	struct ptxla_metric *metrics;
	size_t nmetrics, metrics_cap;
	struct ptxla_counter *counters;
	size_t ncounters, counters_cap;
	int32_t *percents; /* in units of 1 / PTXLA_PERCENT */
	union ptxla_number *values;
	size_t npercents, percents_cap;
	struct ptxla_notice *notices;
	size_t nnotices, notices_cap;
	struct ptxla_analysis *analyses;
	size_t nanalyses, analyses_cap;
	struct ptxla_unlowered *unlowered;
	size_t nunlowered, unlowered_cap;
	struct ptxla_graph *graphs;
	size_t ngraphs, graphs_cap;
	struct ptxla_launch *launches;
	size_t nlaunches, launches_cap;
	size_t damaged; /* texts with bytes that are no text */
	struct ptxla_work *work;
};

void ptxla_begin(struct ptxla *);
void ptxla_file(struct ptxla *, const char *path);
void ptxla_text(struct ptxla *, const char *, size_t); /* the whole text of the file */
void ptxla_end(struct ptxla *);
void ptxla_free(struct ptxla *);

/* Does all of the above for the texts of a dump.  When canceled, the result is incomplete. */
void ptxla_of_dump(const struct dump *, struct progress *, struct ptxla *);
bool ptxla_any(const struct dump *); /* there are texts that PyTorch/XLA wrote */

bool ptxla_has_metrics(const struct ptxla *);
bool ptxla_has_debug(const struct ptxla *);
bool ptxla_tells_executions(const struct ptxla *); /* false for PT_XLA_DEBUG_LEVEL=1: only compilations */
/* Most different graphs first, then in the order of the texts; the caller frees. */
struct ptxla_saved *ptxla_saved(const struct ptxla *, size_t *n);
/* The last report of each file and host, newest last; the caller frees. */
size_t *ptxla_last_reports(const struct ptxla *, size_t *n);
const struct ptxla_metric *ptxla_metric(const struct ptxla *, size_t report, const char *name); /* or NULL */
int64_t ptxla_counter(const struct ptxla *, size_t report, const char *name); /* INT64_MIN: none */
double ptxla_mean(const struct ptxla_metric *);                               /* NaN: not known */
bool ptxla_is_partial(const struct ptxla_metric *); /* its beginning or its end is cut off */
/* NaN: it has no such percentile */
double ptxla_percentile(const struct ptxla *, const struct ptxla_metric *, double percent);
const char *ptxla_class(struct slice counter); /* aten, xla, other */

#endif
