/* The kernels of LLO dumps (tpuscope(7), LLO DUMPS): for each what the compiler scheduled, in bundles and cycles, with
 * the trips of its loops: units, spills, DMA, source lines, chains.  A schedule and no measurement: waits cost nothing
 * in it.  Numbers that are not known are -1, NaN or an empty text.  Made from the files of the dump (model/llo.h),
 * which must outlive it; the struct owns all else until llo_free().  Any thread, while nobody writes to the dump. */
#ifndef ANALYZE_LLO_LLO_H
#define ANALYZE_LLO_LLO_H

#include "analyze/device/chips.h"
#include "base/progress.h"
#include "base/text/strtab.h"
#include "model/dump.h"
#include "result/table.h"

enum { LLO_UNITS_MOST = 32, LLO_CHECKS_MOST = 9, LLO_CHIPS_MOST = 32, LLO_NONE = UINT32_MAX };

enum llo_kind_of { LLO_PALLAS, LLO_CUSTOM_CALL, LLO_XLA, LLO_INFRASTRUCTURE };
const char *llo_kind_name(enum llo_kind_of);

/* An instruction; its name, opcode and source are IDs in the strings of its kernel, 0: none.  Those that are not real
 * are names of values only. */
struct llo_ins {
	const char *text; /* without comments */
	uint32_t n;
	strid name, op, source;
	bool real, predicated;
};

struct llo_bundle {
	uint32_t first, n, real; /* instructions, of which so many are real */
	uint32_t depth;
	uint64_t ops; /* hash of its opcodes */
	bool loop, pipeline, at_place;
};

enum llo_mark { LLO_START, LLO_END, LLO_EMPTY };
struct llo_region {
	uint32_t bundle, number;
	enum llo_mark mark;
};

struct llo_bundles {
	struct llo_bundle *v;
	size_t n, cap;
	struct llo_ins *ins;
	size_t nins, ins_cap;
	struct llo_region *region;
	size_t nregions, regions_cap;
	struct slice name, opcode; /* of the instruction of HLO */
	bool open;                 /* a bundle does not end */
};

/* Slots used, by row and unit. */
struct llo_matrix {
	struct slice name[LLO_UNITS_MOST];
	uint32_t capacity[LLO_UNITS_MOST];
	size_t nunits;
	uint16_t *use;
	size_t n, cap, skipped;
};

struct llo_unit_sum {
	struct slice name;
	int64_t capacity, used, used_cycles, executed, busy, full; /* used, busy, full -1: no final rows */
	double percent;
	bool part; /* of another unit */
};

struct llo_loop {
	uint32_t first, last, depth, parent; /* parent: index, LLO_NONE */
	int64_t trips;                       /* -1: not known */
	bool pipeline;
	int64_t bundles, cycles_once, cycles, own_cycles, stalls;
	double share, limit_percent, matmul_percent; /* of matmul: NaN without a matrix unit */
	struct slice limit;
};

enum llo_wait { LLO_WAIT_SAME, LLO_WAIT_LATER, LLO_WAIT_NONE };
struct llo_dma {
	uint32_t address;
	strid op, semaphore, source;
	struct slice from, to;
	int64_t granules, bytes, runs, gap;
	bool predicated;
	enum llo_wait wait;
};

struct llo_line {
	strid source; /* 0: none is stated */
	int64_t instructions;
	double cycles;
};
struct llo_op {
	strid op;
	int64_t count, executed;
};
struct llo_chain {
	uint32_t region, first; /* LLO_NONE: not known */
	int64_t length, cycles;
};
struct llo_memory {
	struct slice space, kind;
	int64_t bytes;
};
struct llo_check {
	const char *name;
	bool good;
};

struct llo_kernel {
	struct slice name, module, opcode, op_name, target, fingerprint;
	struct slice result; /* shape of its result and opcode */
	int64_t ns;
	size_t dump; /* the folders of the files, counted from 0 */
	enum llo_kind_of kind;
	const struct chip_core *chip; /* NULL: not known */
	bool aligned;                 /* cycles are known: costs are cycles, else bundles */
	bool rows;                    /* units are known */
	int64_t bundles, empty, instructions, cycles_once, stalls, cycles, issue_cycles;
	bool trips_known, saturated;
	double time_us, limit_percent, hbm_us;
	/* a run of it in the capture that is open beside the dump; NaN: none, or it is of another compile */
	double measured_us;
	bool other_compile;
	struct slice limit;
	int64_t matmuls, matmuls_run, mxu_flops;
	int64_t spills[2], spills_run[2], fills[2], fills_run[2], spill_bytes[2]; /* of VMEM, SMEM */
	int64_t ra_cycles, dma_waits, dma_unsized, hbm_bytes, vmem_capacity;
	struct llo_check check[LLO_CHECKS_MOST];
	size_t nchecks, failed;
	struct llo_bundles b;
	struct llo_matrix use;        /* of cycles where those are known, else of bundles */
	uint32_t *owner;              /* by row of it: the bundle */
	int64_t *cost, *start, *runs; /* by bundle; start has one more */
	uint32_t *defined;            /* by name: the instruction that defines it, + 1 */
	uint32_t *inner, *skipped;    /* by bundle: innermost loop, branches that jump over it */
	struct llo_unit_sum *unit;
	struct llo_loop *loop;
	struct llo_dma *dma;
	struct llo_line *line;
	struct llo_op *op;
	struct llo_chain *chain;
	struct llo_memory *memory;
	size_t nunits, nloops, ndma, nlines, nops, nchains, nmemory;
	struct strtab str;
	struct arena text;
};

struct llo {
	struct llo_kernel *v; /* most cycles first, what is no kernel last */
	size_t n, kernels, nmodules, ndumps, files;
	bool against;                          /* only kernels of the first dump are listed */
	struct chip_core chip[LLO_CHIPS_MOST]; /* that it may be of: all, or the one that was asked for */
	size_t nchips;
	struct arena text;
};

/* chip: as asked for; NULL or unknown: what the dump shows */
void llo_make(const struct dump *, const char *chip, struct progress *, struct llo *);
void llo_free(struct llo *);
/* The kernel of an instruction, by name and module (empty: any); NULL: none. */
const struct llo_kernel *llo_find(const struct llo *, struct slice name, struct slice module);
/* Tells the kernels of an instruction, by name, module and text ("%name = …"), how long a run took. */
void llo_measured(struct llo *, struct slice name, struct slice module, struct slice hlo, double us);
/* The longest chain of a region of the loop with most cycles; NULL: none. */
const struct llo_loop *llo_main_loop(const struct llo_kernel *);
const struct llo_chain *llo_main_chain(const struct llo_kernel *);
/* the most slots of a unit that a bundle uses in one of its cycles */
int64_t llo_slots(const struct llo_kernel *, size_t bundle, size_t unit);
struct slice llo_string(const struct llo_kernel *, strid);
/* cycles, or bundles that are issued where those are not known */
int64_t llo_work(const struct llo_kernel *);

/* What decides a kernel, in a sentence for each: what it is about, and the text; false: there are no more.  The text is
 * valid until the buffer is used again. */
bool llo_said(const struct llo_kernel *, size_t i, const char **about, char *buf, size_t size);

/* --- tables --- */
enum llo_table {
	LLO_KERNELS,
	LLO_ABOUT,
	LLO_SLOTS,
	LLO_LOOPS,
	LLO_DMA,
	LLO_LINES,
	LLO_OPCODES,
	LLO_CRITICAL,
	LLO_MEMORY,
	LLO_COMPARE,
	LLO_TABLES
};
extern const struct schema llo_schema[LLO_TABLES];
extern const char *const llo_table_name[LLO_TABLES];
/* `only`: of this kernel; SIZE_MAX: of all.  all: with what is no kernel */
void llo_table(const struct llo *, enum llo_table, size_t only, bool all, struct table *);
extern const struct schema llo_bundles_schema;
/* the columns of a kernel's bundles: those of the schema, with one for each unit after the region; rows of them */
void llo_bundles_table(const struct llo_kernel *, struct table *);
/* "M" for MATMUL: the title of a unit's column in a sheet; digits for those that are not known */
const char *llo_unit_letter(const struct llo_kernel *, size_t unit);

/* The kernels of two dumps: equal names, or equal names without the number at their end.  The caller frees. */
struct llo_pair {
	const struct llo_kernel *a, *b; /* one may be NULL */
};
struct llo_pair *llo_pairs(const struct llo *, size_t *n);
const char *llo_pair_status(const struct llo_pair *);

#endif
