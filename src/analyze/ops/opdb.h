/* The op metrics database (tpuscope(7), OP METRICS): what every HLO op of the TPU planes cost, over all cores
 * and hosts.  It is summed while the tracks are walked, with planes in parallel.  Times are ps on the
 * device's clock (device_offset_ps and device_duration_ps, or the plain pair where the file has no others);
 * bytes and FLOPs are doubles.  An op is a (program, name).  Rows are sorted by self time, largest first,
 * then by name.  As in XProf, ops whose kind lacks program_id or symbol_id are left out; they are counted.
 * Ops of converted traces belong to the program whose run they started in (runs.h).
 * IDLE is not a row: it is `total` less `op_time` and `other`.  Ops of a SparseCore are rows with a `parent`,
 * the TensorCore op that offloaded them (same offload_core_id and tc_offload_start_id), and are not part of
 * any total.  Formulas are those of XProf's xplane_to_op_metrics_db.cc and op_metrics_to_record.h.  Texts
 * belong to the database or the dump, which must stay open; the caller frees (opdb_free).  Building only
 * reads the dump; any thread. */
#ifndef ANALYZE_OPS_OPDB_H
#define ANALYZE_OPS_OPDB_H

#include "analyze/device/op_peaks.h"
#include "analyze/ops/opsum.h"
#include "base/progress.h"
#include "base/text/slice.h"
#include "model/dump.h"

#define OP_NONE UINT32_MAX
#define OP_NO_MODULE UINT32_MAX

struct op {
	uint64_t program; /* an id if module is 0, else 0 */
	strid module;     /* the name of a module without an id, or OP_NO_MODULE */
	strid name;
	struct slice category, expression, provenance, dedup, source, stack, shape;
	struct opsum sum;
	uint32_t meta;   /* from the first core that has the op */
	uint32_t parent; /* row of the TensorCore op that offloaded it, else OP_NONE */
	bool sparse;
	/* For custom calls without FLOPs or bytes from the compiler: the sum of what their events state. */
	double event_flops, event_bytes;
};

/* The time of one device plane or, with windows, of one of its parts. */
struct op_plane {
	uint32_t plane;
	int64_t total, op_time;
};

struct step_cores;
struct steps;

struct opdb {
	struct op *v;
	size_t n;
	int64_t total, op_time, normalized; /* ps over all planes */
	int64_t other;                      /* self time of ops of programs that were not requested */
	uint32_t planes; /* number of device planes with ops or steps, and of elements of `plane` */
	struct op_plane *plane;
	struct op_peaks peaks;
	/* What was missing: */
	uint64_t dropped; /* events without program_id or symbol_id */
	uint64_t absurd;  /* events whose device pair is not a valid time; their plain pair is used */
	/* runs on a SparseCore without the TensorCore op that started them, which are left out */
	uint64_t unlinked;
	uint32_t no_flops, no_bytes, no_mem; /* number of ops without the stat */
	bool converted; /* has ops of a converted trace: what it does not state is unknown, not 0 */
	bool overlap;   /* the ops of a plane took longer than the plane lasted */
	/* as from step_cores_build() for the same host and core; NULL: not requested */
	struct step_cores *cores;
	struct arena text;
};

/* A part of the time of one plane, on the plain clock: the ops that overlap [from, to) and do not begin
 * before `before`. */
struct op_window {
	uint32_t plane;
	int64_t before, from, to;
};

struct opdb_options {
	const char *host; /* NULL = all */
	int core;         /* -1 = all */
	int threads;
	const struct op_window *windows;
	size_t nwindows;          /* windows NULL: everything */
	const uint64_t *programs; /* only ops of these programs */
	size_t nprograms;         /* programs NULL: all programs */
	bool no_texts;            /* only names and categories, and nothing of SparseCores */
	/* Also makes `cores` in the same pass, with texts that belong to these steps; not together with
	 * windows.  NULL: no. */
	const struct steps *steps;
	struct progress *progress; /* may be NULL; when canceled, the result is meaningless */
};

void opdb_build(const struct dump *, const struct opdb_options *, struct opdb *);
void opdb_free(struct opdb *);
/* Returns the programs with that name, "name(id)" or ID, according to the planes.  The caller frees.  NULL
 * with *n = 0: none. */
uint64_t *op_programs(const struct dump *, const char *module, size_t *n);

/* Why a dump has no HLO ops, and what to do about it; NULL: its trace has events of ops. */
const char *op_lack(const struct dump *);
bool opdb_lacks_flops(const struct opdb *); /* no op of a converted trace says them: they are not known */
bool op_talks_to_host(const struct op *);   /* code outside the compiled program, run on the host */
/* "fusion.3" of "%fusion.3 = bf16[8] fusion(…)"; other texts as they are */
struct slice op_name_in(struct slice text);
struct slice op_short_name(const struct dump *, const struct op *);

#endif
