/* Time by framework op (tpuscope(7), FRAMEWORK OPS): HLO ops of the device grouped by their provenance, and
 * the ops that host threads ran (TraceMe names, tf_op and input pipeline stats on /host:CPU planes).  Times
 * are ps; rows are sorted by self time, then name.  As in XProf, occurrences of a device row are those of its
 * most frequent HLO op, and the breakdown by memory is dropped.  IDLE is a row.  Names belong to the dump,
 * the database or `text`; the caller frees (framework_free).  The dump is only read. */
#ifndef ANALYZE_FRAMEWORK_OPS_H
#define ANALYZE_FRAMEWORK_OPS_H

#include "analyze/ops/opdb.h"

enum framework_kind { FRAMEWORK_UNKNOWN, FRAMEWORK_MEMCPY, FRAMEWORK_DATA, FRAMEWORK_TF, FRAMEWORK_JAX };

/* "jit(f)/dot_general:" → JAX op, named "jit(f)/dot_general", of type "dot_general" */
enum framework_kind framework_parse(struct slice full, struct slice *name, struct slice *type);

struct framework_row {
	struct slice name, type;
	struct opsum sum;
	const struct op *longest; /* of the HLO ops it is made of; NULL: of the host, or idle */
};

struct framework_table {
	struct framework_row *v;
	size_t n, cap;
	int64_t total, op_time;
	uint32_t *slot;
	size_t nslots;
};

struct framework {
	struct framework_table device, host;
	/* Sums over all threads that enqueue infeeds, without the last enqueue of each: time inside the
	 * enqueues, and time from the start of each to the start of the next. */
	int64_t enqueue_time, enqueue_span;
	struct strtab text;
};

/* For host threads only.  `ran`, if not NULL, is called once for every op and thread that ran it, thread by
 * thread. */
struct framework_host_options {
	const char *host; /* NULL = all */
	struct progress *progress;
	void (*ran)(void *ctx, uint32_t track, const struct framework_row *);
	void *ctx;
};

void framework_ops(const struct dump *, const struct opdb *, const struct framework_host_options *,
    struct framework *);
/* false: canceled */
bool framework_host(const struct dump *, const struct framework_host_options *, struct framework *);
/* is it a thread of that host? */
bool framework_host_track(const struct dump *, const struct track *, const char *host);
void framework_free(struct framework *);
bool framework_is_idle(const struct framework_row *);

#endif
