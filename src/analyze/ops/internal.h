/* Inside of opdb.c: the walk over one device plane.  A plane_scan holds sums per (program_id, symbol_id),
 * numbers already multiplied by occurrences; several may run at once, each writes its own.
 * opdb_scan_free() ends it. */
#ifndef ANALYZE_OPS_INTERNAL_H
#define ANALYZE_OPS_INTERNAL_H

#include "analyze/ops/opdb.h"

/* What of an event is a whole number. */
enum opdb_whole {
	OPDB_OFFSET,
	OPDB_DURATION,
	OPDB_DMA,
	OPDB_LINK_CORE,
	OPDB_LINK_START,
	OPDB_REDUCE,
	OPDB_WHOLES,
	OPDB_NOWHERE = 31
};

struct opdb_names { /* interned names of stats, UINT32_MAX = not in this dump */
	strid offset, duration, multiplier, dma, reduce;          /* of events */
	strid link_core, link_start;                              /* of events that run on a SparseCore too */
	strid custom_call;                                        /* the category */
	strid program, symbol, flops, model_flops, bytes, access; /* of kinds, numbers */
	strid provenance, dedup, source, stack, shape;            /* of kinds, texts */
	/* whole numbers of events: the ones there are, behind those counted the last; where each stands */
	strid want[OPDB_WHOLES];
	unsigned nwant, at[OPDB_WHOLES];
	unsigned pair, link; /* bits of what stands there: both of each */
};

enum { TEXT_PROVENANCE = 1, TEXT_DEDUP = 2, TEXT_SOURCE = 4, TEXT_STACK = 8, TEXT_SHAPE = 16 };

struct plane_op {
	uint64_t program, symbol;
	uint32_t meta;
	unsigned texts;                  /* which ones the kind has */
	double event_flops, event_bytes; /* of custom calls whose kind states none */
	struct opsum sum;
};

/* An event that began a run on a SparseCore. */
struct sparse_link {
	int host, core;
	int64_t on, start; /* offload_core_id, tc_offload_start_id */
	uint32_t meta;
};

struct plane_scan {
	const struct dump *dump;
	const struct opdb_names *names;
	const struct op_window *window; /* NULL: all of the plane */
	uint32_t plane;
	struct progress *progress;
	struct step_cores_builder *cores; /* is fed with the ops; NULL */
	struct plane_op *v;
	size_t n, cap;
	struct sparse_link *link;
	size_t nlinks, links_cap;
	int64_t first, last; /* of ops and steps; last < first: none */
	uint64_t dropped, absurd;
	bool overlap;
};

struct opdb_names opdb_names_of(const struct dump *);
void opdb_scan(struct plane_scan *);
/* Numbers of one op in a digest: whole ones, amounts, and bytes by memory space. */
enum { DIGEST_NUMBERS = 6, DIGEST_AMOUNTS = 5, DIGEST_MEMS = SPACE_COUNT * ACCESS_COUNT };
bool digest_scan(struct plane_scan *); /* false: an ordinary plane.  Of a window it has nothing */
void opdb_scan_free(struct plane_scan *);

/* The ops of one run on a SparseCore, and the kind of event that began it. */
struct sparse_run {
	struct plane_scan scan;
	struct op_window window;
	uint32_t parent;
};

/* The runs of the SparseCores that the scanned planes began; the caller frees each scan and the array. */
struct sparse_run *opdb_sparse(const struct dump *, const struct opdb_names *, const struct plane_scan *,
    size_t n, struct opdb *, size_t *nruns);

#endif
