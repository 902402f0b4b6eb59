/* `report trace --by name|track|step`: totals over events that pass a filter, of which the part inside [from, to)
 * counts.  self = that less the same of events directly inside; p50 and p99 are nearest rank:
 * sorted[ceil(p·n) − 1].  Largest total first (tpuscope(7), STATISTICS).  Plain clock.  The caller frees the
 * table. */
#ifndef ANALYZE_EVENTS_TRACESTAT_H
#define ANALYZE_EVENTS_TRACESTAT_H

#include "analyze/steps/steps.h"
#include "base/text/regex.h"
#include "model/dump.h"
#include "result/table.h"

struct query_run;

struct trace_filter {                     /* NULL, INT64_MIN, INT64_MAX or -1 = no limit */
	const struct regex *name, *track; /* track is matched against "host plane line" */
	int64_t from, to;                 /* events that overlap [from, to) */
	const char *host, *step;
	int core;
	struct query_run *query; /* bound to the dump; NULL = no limit */
	bool labels;             /* name steps by label, for people, instead of by XProf's number */
};

enum trace_group { GROUP_NAME, GROUP_TRACK, GROUP_STEP };
extern const struct schema tracestat_schema[];

/* A filter prepared for a dump (names matched once), and a walk over the events of one track that pass, in
 * order.  Steps may be NULL if the filter names none and `step` is not needed.  The filter, the steps and the
 * dump must outlive both. */
struct trace_pick {
	const struct dump *dump;
	const struct steps *steps;
	const struct trace_filter *filter;
	uint8_t *name_passes; /* by meta; NULL = all pass */
};

struct trace_walk {
	const struct trace_pick *pick;
	const struct track *track;
	size_t i;                /* index of the current event, track->n at the end */
	const struct step *step; /* step of that event, or NULL */
	/* steps of the plane, by start; row: those that have not begun when the event does, the first of them at
	 * `next` */
	const struct step *row, *begun; /* begun: the last before them, NULL: none */
	size_t nrows;
	int64_t from, to, next; /* from, to: span of *begun */
};

void tracestat_pick_init(struct trace_pick *, const struct dump *, const struct steps *,
    const struct trace_filter *);
void tracestat_pick_free(struct trace_pick *);
/* moves to the first event that passes */
void tracestat_walk_begin(struct trace_walk *, const struct trace_pick *, uint32_t track);
void tracestat_walk_next(struct trace_walk *);
uint64_t tracestat_pick_count(const struct trace_pick *);

/* Can any event of the track pass? */
bool tracestat_takes_track(const struct trace_filter *, const struct dump *, uint32_t track);
void tracestat(const struct dump *, const struct steps *, const struct trace_filter *, enum trace_group,
    struct table *out, uint64_t *matched);

#endif
