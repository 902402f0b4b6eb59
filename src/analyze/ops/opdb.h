/* The op metrics database (tpuscope(7), OP METRICS): what every HLO op of the TPU planes cost, over all cores
 * and hosts, summed while the tracks are walked; planes in parallel.  Times are ps of the device's clock
 * (device_offset_ps, device_duration_ps where the file has them, else the plain pair), bytes and FLOPs
 * doubles.  An op is a (program, name); rows are sorted by self time, largest first, then name.  Ops whose
 * kind lacks program_id or symbol_id are left out, as in XProf, and counted.  IDLE is not a row: `total` less
 * `op_time` and `other`.  Ops of a SparseCore are rows with `parent`, the TensorCore op that offloaded them
 * (same offload_core_id and tc_offload_start_id), and are in no total.  Formulas are those of XProf's
 * xplane_to_op_metrics_db.cc and op_metrics_to_record.h.  Texts belong to the database or the dump, which
 * must stay open; the caller frees (opdb_free).  Building reads the dump only; any thread. */
#ifndef ANALYZE_OPS_OPDB_H
#define ANALYZE_OPS_OPDB_H

#include "base/progress.h"
#include "base/text/slice.h"
#include "model/dump.h"

enum op_space { SPACE_HBM, SPACE_CMEM, SPACE_VMEM, SPACE_OTHER, SPACE_COUNT };
enum op_access { ACCESS_READ, ACCESS_WRITE, ACCESS_OTHER, ACCESS_COUNT };

struct opsum {
	int64_t occurrences, time, self, normalized, dma, min_time;
	double flops, model_flops, bytes;
	double mem[SPACE_COUNT][ACCESS_COUNT]; /* valid with has_mem */
	bool has_mem;
	uint32_t cores;
};

#define OP_NONE UINT32_MAX

struct op {
	uint64_t program;
	strid name;
	struct slice category, expression, provenance, dedup, source, stack, shape;
	struct opsum sum;
	uint32_t meta;   /* of the first core that has it */
	uint32_t parent; /* row of the TensorCore op that offloaded it, else OP_NONE */
	bool sparse;
	/* Custom calls of which the compiler states no FLOPs or no bytes: what their events state, summed. */
	double event_flops, event_bytes;
};

enum op_peak {
	PEAK_HBM,
	PEAK_SRAM_RD,
	PEAK_SRAM_WR,
	PEAK_CMEM_RD,
	PEAK_CMEM_WR,
	PEAK_VMEM_RD,
	PEAK_VMEM_WR,
	PEAK_COUNT
};

struct op_peaks {                                    /* of the first device plane; 0 = not known */
	double tflops, bw[PEAK_COUNT];               /* TFLOP/s, GB/s */
	bool megacore, merged_vmem, assumed, stated; /* stated: by the user */
	char device[64];
};

/* The time of one device plane (one of its parts, with windows). */
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
	int64_t other;                      /* self time of ops of other programs than those asked for */
	uint32_t planes;                    /* device planes with ops or steps: */
	struct op_plane *plane;
	struct op_peaks peaks;
	/* what was missing */
	uint64_t dropped;  /* events without program_id or symbol_id */
	uint64_t absurd;   /* events whose device_… pair is no time: the plain pair counts */
	uint64_t unlinked; /* runs on a SparseCore without the TensorCore op that began them: left out */
	uint32_t no_flops, no_bytes, no_mem; /* ops without the stat */
	bool overlap;                        /* ops of a plane took longer than the plane */
	struct step_cores *cores; /* step_cores_build() of the same host and core; NULL: not asked for */
	struct arena text;
};

/* One part of the time of one plane (plain clock): ops that overlap it and not the part before. */
struct op_window {
	uint32_t plane;
	int64_t before, from, to;
};

struct opdb_options {
	const char *host; /* NULL = all */
	int core;         /* -1 = all */
	int threads;
	const struct op_window *windows;
	size_t nwindows;           /* NULL: everything */
	const uint64_t *programs;  /* ops of these only */
	size_t nprograms;          /* NULL: all programs */
	bool no_texts;             /* names and categories only, and nothing of SparseCores */
	const struct steps *steps; /* fill `cores` in the same go: names are theirs; NULL; not with windows */
	struct progress *progress; /* may be NULL; cancelled: what there is is of no use */
};

void opdb_build(const struct dump *, const struct opdb_options *, struct opdb *);
void opdb_free(struct opdb *);
void op_peaks_of(const struct dump *, struct op_peaks *); /* alone */
/* The programs of a name, "name(id)" or id, as the planes say; the caller frees; NULL, *n 0: none. */
uint64_t *op_programs(const struct dump *, const char *module, size_t *n);

void opsum_add(struct opsum *, const struct opsum *);
double opsum_hbm(const struct opsum *); /* bytes of space HBM, all bytes where the breakdown is missing */
struct slice op_short_name(const struct dump *, const struct op *); /* before " = ", without % */

#endif
