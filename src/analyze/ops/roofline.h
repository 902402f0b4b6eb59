/* Rates of an op or a program compared with the limits of its chip (tpuscope(7), ROOFLINE; XProf's
 * op_metrics_to_record.h).  Rates use inclusive time; GiB/s = GB/s ÷ 1.073741824.  As in XProf, dividing by 0
 * gives 0: if peaks are not known, utilizations are 0 and bound_by is "Unknown", and callers say that the
 * peaks are unknown.  Pure. */
#ifndef ANALYZE_OPS_ROOFLINE_H
#define ANALYZE_OPS_ROOFLINE_H

#include "analyze/ops/opdb.h"
#include "base/text/units.h"

#define GIB_PER_GB (GIB / 1e9)

enum roof_memory { ROOF_HBM, ROOF_CMEM_RD, ROOF_CMEM_WR, ROOF_VMEM_RD, ROOF_VMEM_WR, ROOF_COUNT };

struct roof {
	double flop_rate, model_rate;                            /* GFLOP/s */
	double all_bw, bw[ROOF_COUNT];                           /* GiB/s */
	double all_intensity, intensity[ROOF_COUNT], bottleneck; /* FLOP/B */
	const char *bound_by;
	/* above the peak, where that is known: such bytes were not moved in the time of the op */
	bool beyond[ROOF_COUNT], all_beyond;
	bool no_spaces; /* of opsum: HBM has an upper bound, and what bounds the op is not known */
};

/* How close a program or op comes to what the chip can do: fractions of the peaks. */
struct roof_use {
	double compute, memory, efficiency, optimal_rate;
};

/* The ops of one step on all cores that have it. */
struct op_step {
	char number[64], label[64]; /* number: XProf's; label: as the timeline calls it */
	struct opdb db;
};

const char *roof_memory_name(enum roof_memory);
#define ROOF_POSSIBLE 1.0005 /* of a peak: more is none that an op reached */
double roof_memory_peak(const struct op_peaks *, enum roof_memory); /* GB/s; 0 = not known */
void roof_use(const struct roof *, const struct op_peaks *, struct roof_use *);
bool roof_has_cmem(const struct op_peaks *);
bool roof_is_transfer(const struct op *); /* infeed or outfeed */
/* Sums all ops that contain no others.  The time is that of the database, less infeed and outfeed if
 * `transfers` is false. */
void roof_program(const struct opdb *, bool transfers, struct opsum *);
/* Returns the steps with markers that all cores have (as in XProf), in order; the caller frees.  `step`: only
 * that one, matched with steps_is(); NULL = all. */
struct op_step *roof_steps(const struct dump *, const struct opdb_options *, const char *step, size_t *n);
void roof_steps_free(struct op_step *, size_t n);
/* Returns the windows of one step, given by number or name, on all cores that have it; works for pseudo
 * steps, too.  *total: its time summed over the cores, ps.  The caller frees.  NULL with *n = 0: no core has
 * such a step. */
struct op_window *roof_windows(const struct dump *, const struct opdb_options *, const char *step, size_t *n,
    int64_t *total);
void roof_of(const struct opsum *, const struct op_peaks *, struct roof *);
/* What limits the op, for people: as bound_by, but "network" and "host" for what moves data there, which XProf calls
 * bound by a memory; NULL: not known.  op NULL: the program as a whole. */
const char *roof_bound(const struct roof *, const struct op *);

#endif
