/* How long the device waits for its input, and what the host does meanwhile (tpuscope(7), INPUT PIPELINE):
 * the scalars and tables of `report input_pipeline`.  The device side comes from an overview of the same
 * hosts and cores; the host side from the lines of /host:CPU.  input_percent is the true share (infeed ÷ step
 * time); input_class and input_conclusion_percent are XProf's verdict.  `threads`: busy share of each host
 * thread over the time of the steps, in 40 pieces, for the strips of the view.  `recommendations`: what to do
 * about the important parts of the host's work, from the paragraphs of input_bound in data/findings.tsv;
 * empty unless the program is input bound.  `warnings`: one column, "text", about the host side; those about
 * steps are in the overview.  Texts of host_ops belong to the dump or to this struct; the caller frees
 * (input_pipeline_free); the dump is only read and must stay alive.  When canceled, the result is
 * meaningless. */
#ifndef ANALYZE_OVERVIEW_INPUT_PIPELINE_H
#define ANALYZE_OVERVIEW_INPUT_PIPELINE_H

#include "analyze/overview/overview.h"
#include "result/facts.h"

#define INPUT_PIECES 40

/* rows of `breakdown`, in this order */
enum input_category {
	INPUT_ENQUEUE,
	INPUT_PREPROCESSING,
	INPUT_ADVANCED_READ,
	INPUT_DEMANDED_READ,
	INPUT_OTHER,
	INPUT_CATEGORIES
};

/* for example "enqueue"; in host_ops "Enqueue"; "enqueue to device"; title of the advice */
struct input_category_info {
	const char *id, *label, *name, *title;
};
/* columns of host_ops, breakdown and max_infeed_core */
enum input_op_column {
#define COLUMN(id, ...) INPUT_OP_##id,
#include "analyze/overview/host_ops.def"
#undef COLUMN
};
enum input_part_column {
#define COLUMN(id, ...) INPUT_PART_##id,
#include "analyze/overview/breakdown.def"
#undef COLUMN
};
enum input_core_column {
#define COLUMN(id, ...) INPUT_CORE_##id,
#include "analyze/overview/max_infeed_core.def"
#undef COLUMN
};

extern const struct schema input_host_ops_schema, input_breakdown_schema, input_max_infeed_schema;
extern const struct input_category_info input_category_info[INPUT_CATEGORIES];

struct toolfile;

struct input_thread {
	uint32_t track;
	double busy, piece[INPUT_PIECES];
}; /* fractions */

struct input_pipeline {
	const struct toolfile *file; /* what a profiler left, whose verdict holds; NULL: a capture */
	struct facts summary;
	/* device: of a result, with the columns of overview.steps; of a capture it is empty, and those are the rows */
	struct table device, max_infeed_core, host_ops, breakdown;
	struct table recommendations, warnings;
	/* threads with input work, or that wait for it, busiest first */
	struct input_thread *threads;
	size_t nthreads;
};

void input_pipeline_build(const struct dump *, const struct steps *, const struct overview *,
    const struct overview_options *, struct input_pipeline *);
/* Returns the file to use if there is no capture; an overview will do, because it has the same steps.  NULL:
 * use the capture. */
const struct toolfile *input_toolfile(const struct dump *, const char *host);
/* Makes the same from what a profiler left (*input_pipeline.json, .pb, old and new; model/toolfile.h).  There
 * are no threads, and what the file does not say is null.  The file must stay alive. */
void input_from_toolfile(const struct toolfile *, struct input_pipeline *);
/* from the capture or, without one, from such a file */
void input_pipeline_make(const struct dump *, const struct steps *, const struct overview *,
    const struct overview_options *, struct input_pipeline *);
void input_pipeline_free(struct input_pipeline *);
double input_share(
    const struct input_pipeline *); /* percent of the step time that waits, as findings say it; NaN */
/* Self time of the host's input ops of that stage, us: as measured.  `breakdown` has XProf's, which scales all stages
 * but enqueueing (tpuscope(7), INPUT PIPELINE); it is used of what a profiler left, and where there are no ops. */
double input_measured_us(const struct input_pipeline *, enum input_category);
/* high, moderate, potential, none or unknown: of that share, where XProf's class goes by a percentage that counts
 * all-reduce twice; the class of a profiler's result holds */
const char *input_verdict(const struct input_pipeline *);

#endif
