/* Two sides compared (tpuscope(7), DIFF): whether they can be, whether the new one is faster or slower and how sure
 * that is, which parts of the step the difference comes from (to the picosecond), what changed, memory, findings and
 * environment.  A side is one or several captures (side.h), which must outlive the result; the caller frees
 * (diff_free).  A sweep compares several captures with one base.  Pure; any thread. */
#ifndef ANALYZE_DIFF_DIFF_H
#define ANALYZE_DIFF_DIFF_H

#include "analyze/diff/side.h"
#include "result/facts.h"

enum verdict {
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_SAME,
	VERDICT_INCONCLUSIVE,
	VERDICT_NOT_COMPARABLE,
	VERDICTS
};

enum diff_table {
	DIFF_COMPARABILITY,
	DIFF_FAIL_IF,
	DIFF_CHANGES,
	DIFF_WATERFALL,
	DIFF_STEPS,
	DIFF_MATCHES,
	DIFF_OPS,
	DIFF_MEMORY,
	DIFF_FINDINGS,
	DIFF_ENVIRONMENT,
	DIFF_SWEEP,
	DIFF_TABLES
};

struct diff_options {
	double margin; /* percent; NaN: 2 between steps, 1 between runs */
	double
	    scale; /* what the base was scaled by (side_scale()): other shapes are no obstacle; NaN: it was not */
	const char *const *gate;
	size_t ngates;
	bool alone; /* gates judge the new capture by itself, as with "new:" */
};

/* An op of the new side: its time per used step and core on both sides, ps.  An op that stands for a group has the time
 * of all of it. */
struct diff_op {
	struct slice name; /* of the side */
	uint64_t program;
	double base, new; /* base 0: the base does not have it */
	const struct side_op *of;
};

struct diff {
	enum verdict verdict;
	const char *reason;       /* a code (result/reasons.h); NULL: none */
	int64_t base, new;        /* step times, ps */
	double margin, low, high; /* percent; NaN: no interval */
	struct facts summary;
	struct table table[DIFF_TABLES]; /* without rows: not compared, or nothing of the kind */
	int64_t part[2][PARTS];          /* of base and new, ps: they add up to `base` and `new` */
	size_t held, not_judged;         /* gates */
	struct diff_op *op;              /* by program and name; nothing if they are not comparable */
	size_t nops, ngone;              /* gone: of the base alone, behind them */
};

extern const struct schema diff_comparability_schema, diff_fail_if_schema, diff_changes_schema,
    diff_waterfall_schema, diff_steps_schema, diff_matches_schema, diff_ops_schema, diff_memory_schema,
    diff_findings_schema, diff_environment_schema, diff_sweep_schema;
const struct schema *diff_schema_of(enum diff_table);
const char *verdict_name(enum verdict);

struct err;
/* -1 with err: a gate is none (EXIT_USAGE) */
int diff_make(const struct side *const *base, size_t nbase, const struct side *const *new, size_t nnew,
    const struct diff_options *, struct diff *, struct err *);
/* One row for the base and one for each of the others, and their rows of comparability and gates. */
int diff_sweep(const struct side *base, const struct side *const *v, size_t n, const struct diff_options *,
    struct diff *, struct err *);
void diff_free(struct diff *);
/* NULL: no such op, or it is a smaller one of a group */
const struct diff_op *diff_op_of(const struct diff *, uint64_t program, struct slice name);
/* Leaves the first rows of a waterfall, most of all differences but not many, and of the others a row per part, which
 * has no names. */
void diff_fold(struct table *waterfall);

/* Columns that a table of ops gets beside its own; a row is a struct diff_delta. */
struct diff_delta {
	double base, new; /* ps per used step and core; NaN: it is not known */
};
extern const struct schema diff_delta_schema;

#endif
