/* Shared by overview.c and the files it is split into: the steps of a TPU, and those of a capture without
 * one.  Both add the table of steps and their part of the summary; the struct overview_build belongs to
 * overview.c.  Code that reads the results of profilers uses these, too. */
#ifndef ANALYZE_OVERVIEW_INTERNAL_H
#define ANALYZE_OVERVIEW_INTERNAL_H

#include "analyze/framework/ops.h"
#include "analyze/overview/input_pipeline.h"
#include "analyze/overview/overview.h"

struct overview_build {
	const struct dump *dump;
	const struct steps *steps;
	const struct opdb *ops;
	const struct overview_options *options;
	struct overview *out;
};

/* Rows of tables, measured or from a file.  Texts are copied; s NULL: none. */
struct input_op {
	struct slice name;
	int64_t count; /* -1: not known */
	double ms, share, self_ms, self_share;
	struct slice category;
};

void overview_tpu_columns(struct table *); /* makes an empty table of steps */
void overview_generic_columns(struct table *);
void overview_tpu_steps(struct overview_build *); /* makes cores, step and steps */
void overview_tpu_facts(struct overview_build *); /* adds active_steptime_ms_average and so on */
struct host_steps overview_tpu_host(const struct overview *, int host);
void overview_generic_steps(struct overview_build *);
void overview_generic_facts(struct overview_build *);

void overview_put(struct overview *, const char *id, double, bool known); /* adds to the summary */
void overview_read_numbers(struct overview *);                            /* when the summary is complete */
/* makes an empty overview; steps and environment have no columns yet */
void overview_begin(struct overview *);

/* The parts of an input pipeline analysis: the host's ops and their five categories, its threads, and what to
 * do. */

/* false: it is not an input op */
bool input_op_category(struct slice name, struct slice type, enum input_category *);
/* framework_host_options.ran: marks the track if the op is about input; `tracks` has one byte per track of
 * the dump. */
void input_note_track(void *tracks, uint32_t track, const struct framework_row *);
void input_host_columns(struct table *);
void input_host_ops(const struct framework *, struct table *ops, double self_us[INPUT_CATEGORIES]);
/* ratio: share of the time that goes into enqueueing, 0 = not known (tpuscope(7), INPUT PIPELINE) */
void input_host_parts(const double self_us[INPUT_CATEGORIES], double ratio, double us[INPUT_CATEGORIES]);
/* known NULL: all are known */
void input_breakdown(const double us[INPUT_CATEGORIES], const bool known[INPUT_CATEGORIES], struct table *);
void input_host_add(struct table *, const struct input_op *);
/* tracks: the ones to look at, one byte for each of the first n tracks of the dump */
void input_threads(const struct dump *, const struct steps *, const uint8_t *tracks, size_t n,
    struct input_pipeline *);
/* from the summary and the breakdown, for such a device (analyze/device/target.h) */
void input_recommend(struct input_pipeline *, const char *device);
double input_percent(const struct table *device); /* infeed as percent of the step time; NaN: no steps */
void input_max_infeed_columns(struct table *);
void input_max_infeed_add(struct table *, struct cell number, struct cell core);
void input_max_infeed(const struct dump *, const struct overview *, struct table *);
void input_conclude(const struct overview *, struct facts *); /* sets input_class and the percentages */
void input_begin(struct input_pipeline *);

#endif
