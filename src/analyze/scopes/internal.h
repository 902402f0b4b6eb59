/* Shared by the files behind scopes.h: kinds of ops on cores, which become the leaves of a tree. */
#ifndef ANALYZE_SCOPES_INTERNAL_H
#define ANALYZE_SCOPES_INTERNAL_H

#include "analyze/ops/opsum.h"
#include "analyze/scopes/scopes.h"

/* Does a fusion have ops of several name scopes in it? */
enum leaf_mix { MIX_NONE, MIX_SCOPES, MIX_UNKNOWN };

struct leaf {
	struct slice scope, line, frames; /* tf_op, source, source_stack; empty: none */
	struct slice *part;               /* of its path in the tree */
	size_t n;
	uint32_t core, meta; /* core: its index; meta: CUT_NONE: the dump does not have it */
	uint32_t in;         /* the scope where its path ends */
	strid name;
	struct time_op op;
	enum scope_phase phase;
	bool comm;
	enum leaf_mix mix;
	double flops, hbm; /* of a run */
};

struct leaf_core {
	int number;
	int64_t tail;
	size_t steps;
};

struct leaves {
	struct leaf *v;
	size_t n, cap;
	struct leaf_core *core;
	size_t ncores, cores_cap;
	struct arena *text; /* has the texts */
};

/* scopes.c; core -1: all; step: only what ran in it, with times alone; NULL: all */
void leaves_of_times(const struct core_times *, int core, const char *step, struct leaves *);
/* mixed.c: looks into the fusions, as far as HLO modules tell */
void leaves_mixed(const struct dump *, struct leaves *);
/* digest.c: adds those of digests */
void leaves_of_digests(const struct core_times *, int core, struct leaves *);

#endif
