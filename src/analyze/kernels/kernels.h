/* Kernels of GPUs, as XProf's kernel_stats counts them (tpuscope(7), GPU KERNELS): kernels of one name, launch
 * shape and op are one row.  Durations are whole ns, as XProf has them; gaps and busy times are ps.  Kernels come
 * from XSpaces (stat kernel_details of CUDA and ROCm) and from Chrome traces of PyTorch.  Nothing is cut off at
 * 1000 rows, and what XProf drops of ROCm is kept: LDS, scratch.  The dump must outlive the struct, which owns
 * everything else until kernels_free().  Any thread, while nobody writes to the dump. */
#ifndef ANALYZE_KERNELS_KERNELS_H
#define ANALYZE_KERNELS_KERNELS_H

#include "base/progress.h"
#include "base/span.h"
#include "model/dump.h"
#include "result/table.h"

/* registers, shared: XProf's numbers, 0 where there are none.  block, grid: 1 where an XSpace does not state them, 0
 * where PyTorch does not. */
struct kernel_shape {
	uint32_t block[3], grid[3];
	uint32_t registers, static_shared, dynamic_shared;
	int64_t lds, scratch; /* B, of ROCm; -1: not stated */
};

struct kernel_sum {
	uint64_t n;
	int64_t total, min, max; /* ns */
	int64_t gap;             /* ps from the launch to the start, over `launches` of them */
	uint64_t launches;
};

struct kernel {
	struct slice name, op;
	struct kernel_shape shape;
	double occupancy;    /* percent; 0: not known */
	bool eligible, uses; /* the matrix unit, by the names of the op and of the kernel */
	struct kernel_sum sum;
	uint32_t streams;
};

struct kernel_op {
	struct slice name; /* n 0: kernels of no known op */
	bool eligible, uses;
	struct kernel_sum sum;
	uint32_t kernels; /* rows */
};

struct kernel_stream {
	uint32_t track, device; /* index into devices */
	struct kernel_sum sum;
	int64_t copies; /* ps */
	uint64_t ncopies;
	struct spans busy;
};

struct kernel_device {
	uint32_t plane;
	struct kernel_sum sum;
	int64_t copies;
	uint64_t ncopies;
	int64_t busy; /* ps in which any of its streams runs something */
};

struct kernels {
	const struct dump *dump;
	struct kernel *v; /* largest total first */
	struct kernel_op *ops;
	struct kernel_stream *streams; /* in the order of the tracks */
	struct kernel_device *devices; /* with events, in the order of the planes */
	size_t n, nops, nstreams, ndevices;
	struct kernel_sum sum;
	int64_t copies;
	struct span span; /* of all events of the devices */
	/* kernels with more registers per thread than there are: what old ROCm captures state is garbage */
	uint64_t odd_registers;
	struct strtab text;
};

#define KERNEL_REGISTERS_MAX 1024

struct kernels_options {
	const char *host; /* NULL: all */
	int core;         /* number of the GPU; -1: all */
	struct progress *progress;
};

bool kernels_any(const struct dump *); /* Does it have GPUs? */
void kernels_make(const struct dump *, const struct kernels_options *, struct kernels *);
void kernels_free(struct kernels *);

/* percent of the span of all GPUs in which a device is busy; NaN: there is nothing to compare with */
double kernels_busy(const struct kernels *, int64_t busy);

enum kernels_column {
#define COLUMN(id, ...) KERNELS_##id,
#include "analyze/kernels/kernels.def"
#undef COLUMN
};

enum kernels_table { KERNELS_BY_KERNEL, KERNELS_BY_OP, KERNELS_BY_STREAM, KERNELS_DEVICES };
extern const struct schema kernels_schema[];
/* people: an op that is not known is null, where XProf has an empty text */
void kernels_table(const struct kernels *, enum kernels_table, bool people, struct table *);

/* details.c: "regs:32 static_shared:0 block:256,1,1 grid:4,1,1 occ_pct:50"; what is not stated stays as it is. */
#define KERNEL_SHAPE ((struct kernel_shape){ { 1, 1, 1 }, { 1, 1, 1 }, .lds = -1, .scratch = -1 })
void kernel_details(struct slice, struct kernel_shape *, double *occupancy);
/* three whole numbers, as "256,1,1" or "[256, 1, 1]" */
void kernel_dims(struct slice, uint32_t out[3]);
/* heuristics on names, those of XProf */
bool kernel_uses_matrix_unit(struct slice kernel);
bool kernel_op_is_eligible(struct slice op);

#endif
