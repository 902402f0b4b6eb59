/* Shared by the files behind opdb.h: the walk over one device plane.  A plane_scan has sums per (program_id,
 * symbol_id), with counts already multiplied by occurrences.  Several scans may run at once; each writes only
 * to itself.  opdb_scan_free() frees it. */
#ifndef ANALYZE_OPS_INTERNAL_H
#define ANALYZE_OPS_INTERNAL_H

#include "analyze/device/step_metric.h"
#include "analyze/ops/opdb.h"
#include "analyze/steps/step_ops.h"

/* Stats of an event that are whole numbers. */
enum opdb_whole {
	OPDB_OFFSET,
	OPDB_DURATION,
	OPDB_DMA,
	OPDB_LINK_CORE,
	OPDB_LINK_START,
	OPDB_REDUCE,
	OPDB_WHOLES
};
enum {
	OPDB_PAIR = 1u << OPDB_OFFSET | 1u << OPDB_DURATION,
	OPDB_LINK = 1u << OPDB_LINK_CORE | 1u << OPDB_LINK_START
};

struct opdb_names { /* interned names of stats, UINT32_MAX = not in this dump */
	strid whole[OPDB_WHOLES],
	    multiplier;            /* of events; the link: of those that also run on a SparseCore */
	strid custom_call;         /* the category */
	strid category, long_name; /* texts of events, in converted traces */
	strid program, symbol, flops, model_flops, bytes, access; /* numbers of kinds */
	strid provenance, dedup, source, stack, shape;            /* texts of kinds */
};

enum { TEXT_PROVENANCE = 1, TEXT_DEDUP = 2, TEXT_SOURCE = 4, TEXT_STACK = 8, TEXT_SHAPE = 16 };

struct plane_op {
	uint64_t program, symbol;
	strid module; /* as in struct op */
	uint32_t meta;
	/* In a converted trace no stats describe a kind; those of this event are used for all its events. */
	bool by_event;
	uint32_t track;
	size_t event;
	unsigned texts;                  /* bits TEXT_...: which texts the kind has */
	double event_flops, event_bytes; /* for custom calls whose kind states none */
	struct opsum sum;
};

/* An event that started a run on a SparseCore. */
struct sparse_link {
	int host, core;
	int64_t on, start; /* stats offload_core_id and tc_offload_start_id */
	uint32_t meta;
};

struct plane_scan {
	const struct dump *dump;
	const struct opdb_names *names;
	const struct op_window *window; /* NULL: the whole plane */
	uint32_t plane;
	struct progress *progress;
	struct step_cores_builder *cores; /* gets the ops, too; NULL: none */
	struct plane_op *v;
	size_t n, cap;
	struct sparse_link *link;
	size_t nlinks, links_cap;
	int64_t first, last; /* of ops and steps; last < first: there are none */
	uint64_t dropped, absurd;
	bool overlap;
};

/* An event of a plane with what the database asks of it, read from its stats (op_event.c). */
struct op_event { /* on the device's clock */
	const struct opdb_names *names;
	int64_t begin, dur, dma;
	double multiplier, flops, model_flops, bytes;
	int64_t whole[OPDB_WHOLES];
	unsigned has;  /* bits: which of them */
	bool own;      /* begin and dur are the device's */
	size_t event;  /* its place on the track */
	uint32_t kind; /* for the walk, except in a converted trace */
};

static inline bool opdb_has_whole(const struct op_event *s, enum opdb_whole what)
{
	return s->has >> what & 1;
}

/* ints: a reader of names->whole; all: also what some kinds of events state about each of theirs */
void opdb_read_event(struct plane_scan *, struct stat_ints *, size_t i, bool all, struct op_event *);

struct opdb_names opdb_names_of(const struct dump *);
/* what describes the op */
void plane_op_stats(const struct dump *, const struct plane_op *, stat_fn *, void *ctx);
void opdb_scan(struct plane_scan *);
/* Number of values per op in a digest: whole numbers, amounts (the last two are what custom calls state), and
 * bytes by memory space. */
enum {
#define WHOLE(m, run) +1
#define AMOUNT(m, run)
	DIGEST_NUMBERS = 0
#include "analyze/ops/opsum.def"
	,
#define WHOLE(m, run)
#define AMOUNT(m, run) +1
	DIGEST_AMOUNTS = 2
#include "analyze/ops/opsum.def"
	,
	DIGEST_MEMS = SPACE_COUNT * ACCESS_COUNT
};
/* The DIGEST_NUMBERS and DIGEST_AMOUNTS of an op; without its bytes by memory space. */
void digest_put_op(const struct plane_op *, int64_t *number, uint64_t *amount);
void digest_take_op(struct plane_op *, const int64_t *number, const uint64_t *amount);
/* Returns false for an ordinary plane.  A digest has nothing for a window. */
bool digest_scan(struct plane_scan *);
void opdb_scan_free(struct plane_scan *);

/* The ops of one run on a SparseCore, and the kind of event that started it. */
struct sparse_run {
	struct plane_scan scan;
	struct op_window window;
	uint32_t parent;
};

/* Finds the runs on SparseCores that the scanned planes started; the caller frees each scan and the array. */
struct sparse_run *opdb_sparse(const struct dump *, const struct opdb_names *, const struct plane_scan *,
    size_t n, struct opdb *, size_t *nruns);

/* step_kinds.c: the kinds of the ops of one core in a converted trace with several programs.  There, events of
 * one name are one kind for the loader, but ops of one name are ops of their own in each program (runs.h) and
 * may be of different categories: what counts is the category that an event in that program states.  Each is
 * read once.  One thread; the caller frees. */
struct step_kinds;
/* NULL: the plane is not of a converted trace, or it ran a single program */
struct step_kinds *step_kinds_new(const struct dump *, uint32_t plane);
/* Sets the kind (step_kind_of()) and the kind of time if the op states a category of its own. */
void step_kinds_of(struct step_kinds *, const struct step_op *, unsigned *kind, enum time_kind *time);
void step_kinds_free(struct step_kinds *); /* NULL is allowed */

#endif
