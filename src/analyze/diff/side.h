/* One capture as a comparison sees it (tpuscope(7), DIFF): its steps, what each op took in them, its parameters, the
 * buffers at the peak of its memory, its findings and its environment.  It owns all of that, so the capture may be
 * closed before captures are compared: two of them need not be held at once.  Times are ps; those of ops are sums
 * over the steps that are used and over all cores.  The used steps are those close to the median; a row of values per
 * step has at most SIDE_STEPS of them.  The caller frees (side_free).  Any thread. */
#ifndef ANALYZE_DIFF_SIDE_H
#define ANALYZE_DIFF_SIDE_H

#include "analyze/findings/findings.h"
#include "analyze/memory/memory.h"
#include "analyze/overview/environment.h"
#include "analyze/overview/overview.h"
#include "analyze/steps/steps.h"
#include "base/progress.h"

#define SIDE_STEPS 64

/* kinds of rows of a waterfall; those up to SIDE_HOST_TRANSFER are kinds of ops */
enum part_kind {
#define PART(id, ...) PART_##id,
#include "analyze/diff/parts.def"
#undef PART
	PARTS
};
struct part_info {
	const char *id, *what;
};
extern const struct part_info part_info[PARTS];

struct side_op {
	struct slice name, category, tf_op, source, shape;
	struct slice module; /* name of the program; n 0: not known */
	uint64_t program;
	uint64_t signature; /* of the HLO text without the numbers in names; 0: there is no text */
	bool remat;
	enum part_kind kind;
	int64_t runs, self, wait;  /* wait: for other cores, a part of self */
	double flops, bytes;       /* of a run */
	int64_t *step, *step_wait; /* self and wait in the steps of series, over all cores; wait NULL: none */
	size_t order;              /* of first execution */
};

struct side_parameter {
	const char *label, *name; /* label: what the program calls it, else the name of the instruction */
	const char *type;         /* "bf16[8,128]" */
	int element;
	int64_t *dim;
	size_t ndims;
};

struct side_buffer {
	const char *label, *name, *shape, *opcode, *op_name;
	int64_t bytes, unpadded; /* unpadded <= 0: not known */
	enum memory_category category;
};

struct side_finding {
	const char *id, *severity, *title;
	enum cost_kind cost_kind;
	double cost;
};

struct side_core {
	int host, core;
	const char *host_name; /* NULL: not known */
	int64_t busy;          /* its own work: neither collectives nor transfers */
};

/* as loaders and analyses put it */
struct side_warning {
	const char *code, *text;
};

struct side {
	const char *path;   /* set by who opened it */
	const char *opened; /* likewise: words that open it in a command; NULL: the path */
	const char *run, *chip, *program, *program_id; /* NULL: not known */
	const char *step_source;
	size_t hosts;
	bool events; /* there is a trace; else what a compiler says of a program, or the like */
	bool heap;   /* what was alive when a memory.prof was written: buffers are places that allocate */
	bool warm;   /* no first step was left out because it took more than 1.5 times the median */
	/* S: the longest core of each step; used: by step */
	int64_t *step;
	char (*step_name)[64];
	bool *used;
	size_t nsteps, nused, nseries;
	double median, mean; /* of all steps, of those used */
	struct side_core *core;
	size_t ncores;
	int64_t idle, overhang, spread; /* over used steps and cores; spread: the longest core less each */
	int64_t *idle_step;
	struct side_op *op;
	size_t nops;
	bool loose; /* ops have no HLO text */
	const char
	    *no_ops; /* why it is not known what takes the time of steps, a reason (result/reasons.h); NULL */
	struct side_parameter *parameter;
	size_t nparameters;
	struct side_buffer *buffer;
	size_t nbuffers;
	int64_t memory_peak; /* bytes; -1: not known */
	struct side_finding *finding;
	size_t nfindings;
	bool has_findings,
	    has_pieces;  /* pieces: with findings of rules that need the pieces of the cores' time */
	double mfu, hbm; /* percent; NaN: not known */
	struct table environment;
	struct side_warning *warning;
	size_t nwarnings, warnings_cap;
	struct arena text;
};

struct side_options {
	const char *host, *module; /* NULL: all; the one that takes most time */
	int core;                  /* -1: all */
	const char *from, *to;     /* steps; NULL: the first, the last */
	int threads;
	struct progress *progress;
};

/* What a side is made from besides the dump: NULL = not asked for. */
struct side_input {
	const struct dump *dump;
	const struct steps *steps;
	const struct overview *overview;
	const struct findings *findings;
	const struct memory *memory;
};

void side_make(const struct side_input *, const struct side_options *, struct side *);
/* Makes all its times so many times as long: another batch is compared per example. */
void side_scale(struct side *, double by);
void side_free(struct side *);

#endif
