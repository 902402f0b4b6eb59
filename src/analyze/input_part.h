/* The parts of an input pipeline analysis: the host's ops and their five parts, its threads, and what to
 * do. */
#ifndef ANALYZE_INPUT_PART_H
#define ANALYZE_INPUT_PART_H

#include "analyze/framework_ops.h"
#include "analyze/input_pipeline.h"

/* false: no input op */
bool input_op_category(struct slice name, struct slice type, enum input_category *);
/* framework_host_options.ran: marks the track, in a byte per track of the dump, if the op is of the input */
void input_note_track(void *tracks, uint32_t track, const struct framework_row *);
void input_host_columns(struct table *);
void input_host_ops(const struct framework *, struct table *ops, double self_us[INPUT_CATEGORIES]);
/* ratio: share of the time that goes into enqueueing, 0 = not known (tpuscope(7), INPUT PIPELINE) */
void input_host_parts(const double self_us[INPUT_CATEGORIES], double ratio, double us[INPUT_CATEGORIES]);
void input_breakdown(const double us[INPUT_CATEGORIES], struct table *);
/* tracks: those to look at, one byte for each of the first n of the dump */
void input_threads(const struct dump *, const struct steps *, const uint8_t *tracks, size_t n,
    struct input_pipeline *);
void input_recommend(struct input_pipeline *);    /* from summary and breakdown */
double input_percent(const struct table *device); /* infeed of the step time; NaN: no steps */
void input_max_infeed_columns(struct table *);
void input_max_infeed(const struct dump *, const struct overview *, struct table *);
void input_conclude(const struct overview *, struct facts *); /* input_class and the percents */
void input_begin(struct input_pipeline *);

#endif
