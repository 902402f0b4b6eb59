/* What each instruction of an HLO graph cost in the capture, and the memory that it defines.  Times, FLOPs and
 * bytes are those of the op metrics (analyze/ops/opdb.h), joined by program and name; instructions inside of
 * fusions have none of their own.  Memory is what the buffer assignment of the module says: the sizes of the
 * buffers that an instruction defines.  Unknown is -1 or NaN.  ps, bytes.  The caller frees. */
#ifndef ANALYZE_GRAPH_COSTS_H
#define ANALYZE_GRAPH_COSTS_H

#include "analyze/ops/opdb.h"
#include "analyze/steps/steps.h"
#include "model/graph/graph.h"

struct graph_cost {
	int64_t self, total, occurrences; /* over all cores; -1: not in the capture */
	double flops, bytes;              /* of all occurrences; bytes: in HBM */
	int64_t hbm, chip;                /* of the buffers that it defines: in HBM, in other memories */
	uint32_t op;                      /* row of the op metrics, OP_NONE */
};

struct graph_costs {
	struct graph_cost *v; /* by instruction */
	int64_t
	    *computation; /* self time of what runs in it or, of fusions and the like, of who calls it; -1 */
	int64_t self;     /* of all instructions found in the capture; 0: none is */
	int64_t program;  /* of all ops of the program */
	bool timed, buffered; /* the capture has the program; the module says its buffers */
	double runs;          /* steps times cores, that times per step are divided by; NaN: not known */
	uint8_t *kind;        /* enum time_kind by instruction */
};

/* db, steps: NULL, there is no capture */
void graph_costs_make(const struct dump *, size_t module, const struct hlo_graph *, const struct opdb *db,
    const struct steps *, struct graph_costs *);
void graph_costs_free(struct graph_costs *);

/* The module whose program takes the most time, *time of all its ops; of those that take the same, the largest.
 * The dump has modules; db NULL: the largest. */
size_t graph_main_module(const struct dump *, const struct opdb *, int64_t *time);

double graph_step_us(const struct graph_costs *, int64_t ps); /* per step and core; NaN */
double graph_share(const struct graph_costs *, int64_t ps);   /* of the time of the program; NaN */

#endif
