/* The op profile (tpuscope(7), OP PROFILE; XProf's op_profile_builder.cc): a tree of where time goes, by
 * program, category or provenance; below a category, groups of duplicates, then ops, of each program its own.  The
 * root, programs and provenance nodes sum self times, and FLOPs and bytes of ops that contain no others; categories,
 * groups and ops sum everything.  An op that contains others (while) is in no category.  Children are sorted by time,
 * largest first.  The tree points into the database, which must stay alive; the caller frees
 * (opprofile_free).  A tree can also come from a file of results (analyze/tables/legacy_op_profile.h).  Then
 * it has no database, its numbers are those of the file, `knows` says which ones exist, and contents of
 * fusions are part of the tree. */
#ifndef ANALYZE_OPS_PROFILE_H
#define ANALYZE_OPS_PROFILE_H

#include "analyze/hlo/shape.h"
#include "analyze/ops/opdb.h"

enum op_group { GROUP_PROGRAM, GROUP_CATEGORY, GROUP_PROVENANCE, OP_GROUPS };
extern const char *const op_group_name[OP_GROUPS]; /* of --group */

enum op_node_kind {
	NODE_ROOT,
	NODE_PROGRAM,
	NODE_PROVENANCE,
	NODE_CATEGORY,
	NODE_DUPLICATES,
	NODE_OP,
	NODE_IDLE,
	NODE_PART /* part of a fusion, in trees from files; has no time of its own */
};

struct op_use;

struct op_node {
	enum op_node_kind kind;
	struct slice name; /* for duplicates, that of the most expensive one */
	/* For OP, DUPLICATES (the most expensive one) and PART, else NULL.  In a tree from a file it has the
	 * file's texts, program and sum, and the name of the node. */
	const struct op *op;
	struct opsum sum;
	/* self time as it would be at full clock frequency; sum.normalized counts the time of loops twice */
	int64_t scaled;
	const struct op_use *use;    /* as the file has it; NULL: opprofile_use() computes it */
	const struct shape_dim *dim; /* the layout, as the file has it */
	size_t ndims;
	struct op_node *parent, **child;
	size_t n, cap;
};

enum op_knows {
	KNOWS_TIME = 1,
	KNOWS_COUNT = 2,
	KNOWS_FLOPS = 4,
	KNOWS_HBM = 8,
	/* what the utilizations are made of: FLOPs, those of the model, bytes of each memory */
	KNOWS_FLOP_COUNT = 16,
	KNOWS_MODEL_COUNT = 32,
	KNOWS_BYTES = 64,
	KNOWS_ALL_COUNTS = KNOWS_FLOP_COUNT | KNOWS_MODEL_COUNT | KNOWS_BYTES
};

struct opprofile {
	struct op_node *root;
	const struct opdb *db; /* NULL: the tree comes from a file */
	unsigned
	    knows; /* bits of enum op_knows: times, occurrences, utilization of FLOPs and of HBM, counts */
	struct op_node **slot;
	size_t nslots, nodes;
	struct arena arena;
};

struct op_use { /* the numbers behind the columns of a node: fractions, NaN = the file does not have it */
	double share; /* of the root's time */
	/* as XProf computes it: its root and containers count the time of loops twice */
	double flops, uncapped;
	double utilization;            /* FLOPs ÷ what the chip could do in the node's own time */
	double bandwidth[3], bytes[3]; /* HBM, on-chip read, on-chip write, as XProf counts them */
	/* HBM as in the other tables: of an op that does not say in which memory its bytes are, all of them.  NaN: not
	 * known, which a rate above the peak is not either, unless the file says that it is one of HBM. */
	double hbm;
	double wasted; /* of the root's time, from the utilization; NaN: peaks are not known */
};

/* parts of a provenance that become levels of their own; the rest stays in one piece */
#define OPPROFILE_DEPTH 64

void opprofile_build(const struct dump *, const struct opdb *, enum op_group, bool with_idle,
    struct opprofile *);
void opprofile_free(struct opprofile *);
void opprofile_use(const struct opprofile *, const struct op_node *, struct op_use *);
/* "jit_f(123)", or "main" when the capture does not name the program */
struct slice op_program_name(const struct dump *, uint64_t program);
/* The same for who asks for the names of many: sorted by number; of several names for one program, the first in the
 * dump comes first.  The caller frees v. */
struct op_program_names {
	struct op_program_name {
		uint64_t program;
		size_t order;
		struct slice name;
	} * v;
	size_t n, cap;
};
struct op_program_names op_program_names(const struct dump *);
struct slice op_program_named(const struct op_program_names *, uint64_t program);
/* of an op, also where its program is not known by an id, or not at all: "–" */
struct slice op_program_label(const struct dump *, const struct op *);

#endif
