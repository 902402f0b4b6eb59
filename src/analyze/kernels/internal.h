/* What the files of this room share.  sight.c reads what a capture says about an event of a GPU; kernels.c
 * walks over them, rows.c sorts them into rows, finish.c counts what follows, tables.c says it. */
#ifndef ANALYZE_KERNELS_INTERNAL_H
#define ANALYZE_KERNELS_INTERNAL_H

#include "analyze/kernels/kernels.h"
#include "analyze/trace/links.h"

enum sight_stat {
	SIGHT_DETAILS,
	SIGHT_TF_OP,
	SIGHT_HLO_OP,
	SIGHT_ANNOTATION,
	SIGHT_COPY,
	SIGHT_BLOCK,
	SIGHT_GRID,
	SIGHT_TEXTS, /* those before it are texts, the others numbers */
	SIGHT_PROGRAM = SIGHT_TEXTS,
	SIGHT_REGISTERS,
	SIGHT_SHARED,
	SIGHT_EXTERNAL,
	SIGHT_OCCUPANCY,
	SIGHT_THEORETICAL,
	SIGHT_STATS
};

enum sight_kind { SIGHT_OTHER, SIGHT_KERNEL, SIGHT_COPIES };

/* The stats of one event; buffers are used again for the next. */
struct sight {
	const struct dump *dump;
	strid id[SIGHT_STATS]; /* names of stats in the dump; UINT32_MAX - 1: it has none of that name */
	strid cat_kernel, cat_copy;
	unsigned has; /* bits 1 << enum sight_stat */
	struct {
		char *s;
		size_t n, cap;
	} text[SIGHT_TEXTS];
	double number[SIGHT_STATS];
	int64_t whole[SIGHT_STATS];
};

#define SIGHT_HAS(s, what) ((s)->has >> (what)&1)

void sight_begin(struct sight *, const struct dump *);
enum sight_kind sight_read(struct sight *, const struct track *, size_t i);
struct slice sight_text(const struct sight *, enum sight_stat); /* valid until the next event is read */
void sight_shape(const struct sight *, struct kernel_shape *, double *occupancy);
void sight_end(struct sight *);

/* programs.c: the op that an instruction of a program was compiled from; NULL s: there is no such instruction */
struct kernel_programs {
	struct kernel_program *v;
	size_t n, cap;
	struct strtab ids; /* the n-th one is of what the entry n + 1 says */
};
struct slice kernel_programs_op(struct kernel_programs *, const struct dump *, uint64_t program,
    struct slice instruction);
void kernel_programs_free(struct kernel_programs *);

/* torch.c: ops of PyTorch by the number that events of the GPU name, "External id" */
struct kernel_externals {
	struct kernel_external {
		int64_t id;
		strid name;
	} * v;
	size_t n, cap;
};
void kernel_externals_read(const struct dump *, int file, struct kernel_externals *);
strid kernel_externals_name(const struct kernel_externals *, int64_t id); /* 0: none */

/* events of a file in the order of their places in it, in which they are read fastest */
struct kernel_event {
	uint64_t at;
	uint32_t track, event;
};
struct kernel_events {
	struct kernel_event *v;
	size_t n, cap;
};
void kernel_events_sort(struct kernel_events *);

/* Everything that tells two launches apart is the key of a variant, so that texts are parsed once for each. */
struct kernel_variant {
	uint32_t row, op;
};

/* a row and a stream in which it ran */
struct kernel_ran {
	uint32_t row, track;
};

struct kernels_making {
	struct kernels *k;
	const struct kernels_options *o;
	struct sight sight;
	struct kernel_programs programs;
	struct kernel_externals externals;
	struct links_found links;
	struct strtab variants, rows, ops; /* IDs count from 1 */
	struct kernel_variant *variant;    /* by ID */
	size_t variant_cap, row_cap, op_cap;
	struct {
		char *s;
		size_t n, cap;
	} key;
	struct kernel_ran *ran;
	size_t nran, ran_cap;
};

/* rows.c: the row and the op of the event that was read last */
struct kernel_variant kernel_variant_of(struct kernels_making *, uint32_t meta);
/* finish.c */
void kernel_sum_add(struct kernel_sum *, int64_t ns, const int64_t *gap); /* gap NULL: no launch is known */
void kernels_finish(struct kernels_making *);

#endif
