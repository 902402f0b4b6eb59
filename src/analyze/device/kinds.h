/* Kinds of time: what a core did or waited for, in the words that all views and texts use (tpuscope(7), KINDS
 * OF TIME).  The names are only in kinds.def; ui/widget/kind.h has their colors.  An event is of the kind
 * that its class says (classify.h); host wait and idle are what is left of a step.  The metrics of `report
 * pod` (step_metric.h) are XProf's and cut time in another way.  Pure. */
#ifndef ANALYZE_DEVICE_KINDS_H
#define ANALYZE_DEVICE_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/trace.h"

enum time_kind {
#define CLASS(id, ...) KIND_##id,
#define TIME(id, ...) KIND_##id,
#include "analyze/device/kinds.def"
#undef CLASS
#undef TIME
	KIND_COUNT,
	KIND_OPS = KIND_IO + 1 /* number of the kinds of ops, which come first */
};

/* id: NULL if no event is of that kind; letter: for screens without colors, ' ' likewise */
struct kind_info {
	const char *id, *name, *short_name;
	char letter;
};
extern const struct kind_info kind_info[KIND_COUNT];

enum time_kind kind_of_class(int event_class);
const struct kind_info *class_info(int event_class);
/* The kind of an op by its class and META_CONTAINER: one of KIND_OPS.  The self time of loops and calls, and
 * whatever has no rule, is other compute.  known: the op has a category; without one the name of a fusion
 * does not say whether it holds a matmul. */
enum time_kind kind_of_op(unsigned meta_class, bool known);

#endif
