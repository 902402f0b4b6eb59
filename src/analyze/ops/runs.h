/* Which program the ops of a converted trace belong to (tpuscope(7), OP METRICS): such a trace says it of the
 * runs on the line "XLA Modules" alone, by their names, so an op belongs to the run that it began in.  Runs
 * of one device plane, on the device's clock when all of them state it, else on the plain one.  The caller
 * frees (op_runs_free); the dump is only read. */
#ifndef ANALYZE_OPS_RUNS_H
#define ANALYZE_OPS_RUNS_H

#include "model/dump.h"

struct op_program {
	uint64_t id;
	strid module; /* 0: the id is one, else as in struct op */
};

struct op_runs {
	struct op_run {
		int64_t from, to;
		uint32_t program;
	} * v;
	size_t n;
	bool device;                /* the times are of the device's clock */
	struct op_program *program; /* the first is that of ops outside of all runs */
	size_t nprograms;
};

void op_runs_find(const struct dump *, uint32_t plane, struct op_runs *);
uint32_t op_runs_program(const struct op_runs *, int64_t at); /* an index into program */
void op_runs_free(struct op_runs *);

#endif
