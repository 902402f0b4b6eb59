/* The time of ops by the name scopes of the program, or by its source (tpuscope(7), SCOPES): trees whose leaves
 * are paths that the framework gave to ops.  Phases tell the forward pass, the backward pass and what is
 * computed again apart.  Times are ps, sums over cores and the capture.  An op that XLA fused counts where the
 * root of its fusion does. Texts belong to the struct; the caller frees. */
#ifndef ANALYZE_SCOPES_SCOPES_H
#define ANALYZE_SCOPES_SCOPES_H

#include "analyze/pieces/core_times.h"
#include "result/table.h"

enum scope_tree { SCOPES_FOLDED, SCOPES_RAW, SCOPES_SOURCE, SCOPES_STACK, SCOPES_TREES };

enum scope_phase { PHASE_FORWARD, PHASE_BACKWARD, PHASE_RECOMPUTE, PHASE_OTHER, PHASE_COUNT };

struct scope_sum {
	int64_t time, self, count, gap,
	    exposed; /* self: of ops whose path ends there; gap: idle time before its ops */
	int64_t phase[PHASE_COUNT];
	double flops, hbm;     /* of runs that have all their time to themselves */
	int64_t rated;         /* their time */
	int64_t mixed, unread; /* of fusions that have ops of several scopes; of ops that may be such */
};

struct name_scope {
	const char *path;
	struct slice name;           /* the last part of it */
	uint32_t depth, parent, end; /* end: index after the last scope below it */
	struct scope_sum sum;
	int64_t core_min, core_max;           /* time on the core with least, most */
	int64_t step_sum, step_min, step_max; /* in the steps of cores, scopes.cells of them */
};

/* An op in the tree, for lists of the ops of a scope. */
struct scope_op {
	strid name;
	uint32_t meta, scope;
	enum scope_phase phase;
	int64_t time, count;
};

struct scopes {
	struct name_scope *v; /* a tree in order: a scope, then those below it, by time */
	size_t n;
	struct scope_op *op; /* by time */
	size_t nops;
	struct scope_sum sum;
	int64_t no_scope, tail; /* tail: idle time after the last op */
	double flops, hbm;      /* peaks of a core; 0 = not known */
	size_t steps, cores;
	bool one_step;      /* only times are known */
	size_t cells;       /* steps of cores that the spread is of; 0: it is not known */
	uint32_t *scope_of; /* by meta */
	struct arena text;
};

struct scopes_options {
	enum scope_tree tree;
	int core; /* -1: all */
	const char
	    *step;  /* NULL: all; else times are those in it, and counts, rates and gaps are not known */
	bool mixed; /* also looks into fusions */
};

void scopes_make(const struct core_times *, const struct scopes_options *, struct scopes *);
/* Then: how it is spread over steps. */
void scopes_spread(const struct core_times *, const struct scopes_options *, struct scopes *);
void scopes_free(struct scopes *);
const char *scope_tree_name(enum scope_tree); /* "folded"; NULL after the last */
const char *scope_phase_name(enum scope_phase);

extern const struct schema scopes_schema;
/* in_order: as a tree; else by time.  deep: no deeper than that; 0: all */
void scopes_table(const struct scopes *, bool in_order, size_t deep, struct table *);

/* path.c: the parts of a path; at most PATH_PARTS, the last one has what is left */
enum { PATH_PARTS = 64 };
size_t scope_path(struct slice tf_op, struct slice *part);
size_t scope_fold(const struct slice *part, size_t n, struct slice *out);
enum scope_phase scope_phase_of(const struct slice *part, size_t n, struct slice text);

#endif
