/* The op profile (tpuscope(7), OP PROFILE; XProf's op_profile_builder.cc): a tree of where time goes, by
 * program, category or provenance; below a category groups of duplicates, then ops.  Root, programs and
 * provenance sum self times and, of ops that hold no others, FLOPs and bytes; categories, groups and ops sum
 * everything.  An op that holds others (while) is in no category.  Children are sorted by time, largest
 * first.  The tree points into the database, which must stay; the caller frees (opprofile_free).  A tree can
 * also come from a file of results (analyze/tables/legacy_op_profile.h): it has no database, its numbers are those
 * of the file, `knows` says which there are, and what is inside fusions stands in the tree. */
#ifndef ANALYZE_OPS_PROFILE_H
#define ANALYZE_OPS_PROFILE_H

#include "analyze/hlo/shape.h"
#include "analyze/ops/opdb.h"

enum op_group { GROUP_PROGRAM, GROUP_CATEGORY, GROUP_PROVENANCE };

enum op_node_kind {
	NODE_ROOT,
	NODE_PROGRAM,
	NODE_PROVENANCE,
	NODE_CATEGORY,
	NODE_DUPLICATES,
	NODE_OP,
	NODE_IDLE,
	NODE_PART /* of a fusion, in trees of files: no time of its own */
};

struct op_use;

struct op_node {
	enum op_node_kind kind;
	struct slice name; /* of duplicates: of the most expensive one */
	/* OP, DUPLICATES (the most expensive), PART; else NULL.  Of files: its texts, program and sum; the
	 * name is the node's. */
	const struct op *op;
	struct opsum sum;
	int64_t
	    scaled; /* self time as it would be at full clock; sum.normalized has the time of loops twice */
	const struct op_use *use;    /* as a file tells; NULL: opprofile_use() computes it */
	const struct shape_dim *dim; /* the layout, as a file tells */
	size_t ndims;
	struct op_node *parent, **child;
	size_t n, cap;
};

enum op_knows { KNOWS_TIME = 1, KNOWS_COUNT = 2, KNOWS_FLOPS = 4, KNOWS_HBM = 8 };

struct opprofile {
	struct op_node *root;
	const struct opdb *db; /* NULL: from a file */
	unsigned knows;        /* enum op_knows: times and occurrences, utilization of FLOPs and of HBM */
	struct op_node **slot;
	size_t nslots, nodes;
	struct arena arena;
};

struct op_use {       /* what the columns of a node are made of; fractions, NaN = a file does not tell */
	double share; /* of the root's time */
	double flops, uncapped;        /* XProf's: its root and containers have the time of loops twice */
	double utilization;            /* FLOPs ÷ what the chip can do in the node's own time */
	double bandwidth[3], bytes[3]; /* HBM, on-chip read, on-chip write */
	double wasted;                 /* of the root's time, by the utilization; NaN: peaks are not known */
};

#define OPPROFILE_DEPTH 64 /* parts of a provenance that become levels; the rest stays together */

void opprofile_build(const struct dump *, const struct opdb *, enum op_group, bool with_idle,
    struct opprofile *);
void opprofile_free(struct opprofile *);
void opprofile_use(const struct opprofile *, const struct op_node *, struct op_use *);
/* "jit_f(123)"; "main" when the capture does not name the program */
struct slice op_program_name(const struct dump *, uint64_t program);

#endif
