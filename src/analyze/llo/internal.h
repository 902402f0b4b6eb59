/* What the files of this room share: readers of the texts of a unit, in one pass each, and the parts of a kernel's
 * numbers, in the order in which folder.c asks for them.  Sums stop at the limits of 64 bits. */
#ifndef ANALYZE_LLO_INTERNAL_H
#define ANALYZE_LLO_INTERNAL_H

#include "analyze/llo/llo.h"
#include "base/clamp.h"

static inline int64_t mul_clamped(int64_t a, int64_t b)
{
	int64_t v;

	return __builtin_mul_overflow(a, b, &v) ? ((a < 0) == (b < 0) ? INT64_MAX : INT64_MIN) : v;
}

/* takes the next line off a text, without its end */
bool llo_next_line(struct slice *text, struct slice *line);
/* a number at the front is taken off; false: there is none, and *v is not set */
bool llo_cut_number(struct slice *, int64_t *v);
/* what is between two texts, after the first; "": until the end; n 0 and s NULL: it is not there */
struct slice llo_between(struct slice, const char *before, const char *after);

/* bundles.c: texts and names go into the kernel; strings NULL: only hashes of opcodes are asked for */
void llo_read_bundles(struct slice, struct llo_kernel *strings, struct llo_bundles *);
void llo_bundles_free(struct llo_bundles *);

/* texts.c */
void llo_read_matrix(struct slice, struct llo_matrix *);
struct llo_totals {
	int64_t total, empty; /* -1: not stated */
};
/* and what it says of the instruction of HLO whose name begins so */
void llo_read_schedule(struct slice, struct llo_totals *);
/* "bf16[8,128]{1,0} custom-call" of an instruction: shape of its result and opcode; n 0: it has none */
struct slice llo_result_of(struct slice hlo);
void llo_read_instruction(struct slice, struct llo_kernel *, bool cut);
struct llo_regions_text {
	int64_t *trips; /* of loops, in order; -1: not known */
	size_t n, cap;
};
void llo_read_regions(struct slice, struct llo_kernel *, struct llo_regions_text *);
void llo_read_chains(struct slice, struct llo_kernel *);

/* the texts of a unit; s NULL: it has none of them */
struct llo_texts {
	struct slice bundles, packed, final_use, cycle_use, schedule, pre, post, regions, chains;
};
void llo_kernel_make(struct llo_kernel *, const struct llo_texts *);
void llo_kernel_free(struct llo_kernel *);

/* loops.c: extents, trips, runs; place of a region: its first bundle */
struct llo_places {
	uint32_t *start, *end; /* by number of the region; LLO_NONE */
	size_t n;
};
void llo_places_make(const struct llo_bundles *, struct llo_places *);
void llo_places_free(struct llo_places *);
void llo_loops_make(struct llo_kernel *, const struct llo_places *, const struct llo_regions_text *);
/* sums.c, after costs and runs */
void llo_sums_make(struct llo_kernel *, const struct llo_places *, const struct llo_matrix *final_use);
enum llo_spill { LLO_NO_SPILL, LLO_VMEM_SPILL, LLO_VMEM_FILL, LLO_SMEM_SPILL, LLO_SMEM_FILL };
enum llo_spill llo_spill_of(const struct llo_ins *);
/* dma.c */
void llo_dma_make(struct llo_kernel *);

#endif
