/* What was found (ptxla.h) as tables, with the columns of `report metrics` and `report ptxla_debug`.  Tables of
 * reports can have millions of rows: ptxla_each() makes their cells one row after the other.  The caller frees
 * tables; texts of cells belong to the struct or to the arena. */
#ifndef ANALYZE_PTXLA_TABLES_TABLES_H
#define ANALYZE_PTXLA_TABLES_TABLES_H

#include "analyze/ptxla/ptxla.h"

enum ptxla_table {
	PTXLA_METRICS,
	PTXLA_PERCENTILES,
	PTXLA_COUNTERS,
	PTXLA_NOTICES,
	PTXLA_FINDINGS, /* made by findings_of_ptxla() */
	PTXLA_ANALYSES,
	PTXLA_BY_CAUSE,
	PTXLA_BY_FRAME,
	PTXLA_BY_HASH,
	PTXLA_UNLOWERED,
	PTXLA_GRAPHS,
	PTXLA_LAUNCHES,
	PTXLA_SAVED, /* graphs by line of code */
	PTXLA_TIMES, /* the metrics of each unit, for people */
	PTXLA_DATA,
	PTXLA_COUNTS,
	PTXLA_STEPS,   /* a row for each report: what came since the one before */
	PTXLA_CHANGES, /* made by changes.h */
	PTXLA_TABLES
};

extern const struct schema ptxla_schema[PTXLA_TABLES];
extern const char *const ptxla_table_name[PTXLA_TABLES];

/* report: only its rows, of tables of reports; SIZE_MAX: all */
void ptxla_table(const struct ptxla *, enum ptxla_table, size_t report, struct table *);
/* Adds the metrics of a unit (TIMES, DATA, COUNTS) or the counters of one report, and says which each row is: an
 * index in metrics or counters, added to the n at `of`, which the caller frees. */
void ptxla_report_rows(const struct ptxla *, enum ptxla_table, size_t report, struct table *, size_t **of,
    size_t *n);
/* The rows of METRICS, PERCENTILES and COUNTERS; cells are valid during the call. */
void ptxla_each(const struct ptxla *, enum ptxla_table, void (*row)(void *ctx, const struct cell *),
    void *ctx);
/* people: what a level of debugging does not print is unknown; documents count blocks, of which there are 0 */
void ptxla_metrics_summary(const struct ptxla *, bool people, struct facts *);
void ptxla_debug_summary(const struct ptxla *, bool people, struct facts *);

enum ptxla_group { GROUP_CAUSE, GROUP_FRAME, GROUP_HASH };

/* Analyses that have something in common; of: the first one that says how many inputs its graph has, or first. */
struct ptxla_group_row {
	const struct ptxla_analysis *first, *of;
	size_t count, distinct, compiled;
	int64_t executed; /* -1: not told */
};
/* Most first, then in the order of the text; the caller frees. */
struct ptxla_group_row *ptxla_groups(const struct ptxla *, enum ptxla_group, size_t *n);

#endif
