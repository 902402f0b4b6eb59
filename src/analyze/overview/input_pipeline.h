/* How far the device waits for its input, and what the host does meanwhile (tpuscope(7), INPUT PIPELINE): the
 * scalars and tables of `report input_pipeline`.  The device side comes from an overview of the same choice
 * of hosts and cores; the host side from the lines of /host:CPU.  input_percent is the honest share (infeed ÷
 * step time); input_class and input_conclusion_percent are XProf's verdict. `threads`: busy share of each
 * host thread over the steps' time, 40 pieces each, for the strips of the view.  `recommendations`: what to
 * do about the parts of the host's work that matter, by the paragraphs of data/findings.tsv's input_bound;
 * none while the program is not input bound.  `warnings`: one column "text", of the host side; those of the
 * steps are the overview's.
 * Texts of host_ops belong to the dump or to this; the caller frees; the dump is only read and must stay.
 * Cancelled: what there is is of no use. */
#ifndef ANALYZE_OVERVIEW_INPUT_PIPELINE_H
#define ANALYZE_OVERVIEW_INPUT_PIPELINE_H

#include "analyze/overview/overview.h"
#include "result/facts.h"

#define INPUT_PIECES 40

/* rows of `breakdown`, in its order */
enum input_category {
	INPUT_ENQUEUE,
	INPUT_PREPROCESSING,
	INPUT_ADVANCED_READ,
	INPUT_DEMANDED_READ,
	INPUT_OTHER,
	INPUT_CATEGORIES
};

/* "enqueue"; host_ops' "Enqueue"; "enqueue to device"; of the advice */
struct input_category_info {
	const char *id, *label, *name, *title;
};
extern const struct schema input_host_ops_schema, input_breakdown_schema, input_max_infeed_schema;
extern const struct input_category_info input_category_info[INPUT_CATEGORIES];

struct toolfile;

struct input_thread {
	uint32_t track;
	double busy, piece[INPUT_PIECES];
}; /* fractions */

struct input_pipeline {
	struct facts summary;
	/* device: columns of overview.steps */
	struct table device, max_infeed_core, host_ops, breakdown;
	struct table recommendations, warnings;
	/* those with input work (or that wait for it), busiest first */
	struct input_thread *threads;
	size_t nthreads;
};

void input_pipeline_build(const struct dump *, const struct steps *, const struct overview *,
    const struct overview_options *, struct input_pipeline *);
/* The file to take instead of a capture, as there is none: an overview, too, as it has the same steps;
 * NULL: count.  `more`: how many others there are. */
const struct toolfile *input_toolfile(const struct dump *, const char *host, size_t *more);
/* The same from what a profiler left (*input_pipeline.json, .pb, old and new; model/toolfile.h): no
 * threads, and null where the file says nothing.  The file must stay. */
void input_from_toolfile(const struct toolfile *, struct input_pipeline *);
/* of the capture; without one, of such a file */
void input_pipeline_make(const struct dump *, const struct steps *, const struct overview *,
    const struct overview_options *, struct input_pipeline *);
void input_pipeline_free(struct input_pipeline *);

#endif
