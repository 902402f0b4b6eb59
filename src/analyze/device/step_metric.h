/* The kinds of time of a step, told by the category of an op: what a core computed, moved and waited for
 * (tpuscope(7), KINDS OF TIME).  The ids are those of the report `pod`.  A step_core has the ps of each kind in
 * one step of one core.  Pure. */
#ifndef ANALYZE_DEVICE_STEP_METRIC_H
#define ANALYZE_DEVICE_STEP_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/slice.h"

enum step_metric {
	METRIC_HIGH_FLOPS,
	METRIC_LOW_FLOPS,
	METRIC_INFEED,
	METRIC_OUTFEED,
	METRIC_COLLECTIVES,
	METRIC_SEND,
	METRIC_RECV,
	METRIC_HOST_TRANSFER,
	METRIC_IDLE,
	METRIC_SPARSECORE_WAIT,
	METRIC_MEGACORE_WAIT,
	METRIC_COUNT
};

/* "high_flops_us", "High-flops compute", "compute" */
struct step_metric_info {
	const char *id, *title, *short_title;
};
extern const struct step_metric_info step_metric_info[METRIC_COUNT];
/* METRIC_LOW_FLOPS: every other one */
enum step_metric step_metric_of(const char *category, size_t len);

/* Marks beside the metric of a category. */
enum { STEP_KIND_METRIC = 0x0f, STEP_KIND_CRS = 0x10, STEP_KIND_ASYNC_DONE = 0x20 };
unsigned step_kind_of(const char *category, size_t len); /* the metric and the marks */

enum traffic_role {
	TRAFFIC_COLLECTIVE = 1,
	TRAFFIC_BEGIN = 2,
	TRAFFIC_END = 4
}; /* of a transfer: BEGIN sends, END has received */
/* What an op of the category does in the traffic of a pod, as bits of enum traffic_role; 0: nothing. */
unsigned traffic_roles(struct slice category);

struct step_core {
	int64_t start, total; /* plain clock; ps */
	int64_t ps[METRIC_COUNT];
	int64_t crs;                /* XProf's narrower all-reduce share, part of collectives */
	int64_t sync, sync_compute; /* of the collectives; -1 = not known */
	int64_t async_done;         /* part of low flops: XProf takes it for waiting */
	int64_t nameless;           /* of ops without program_id or symbol_id: XProf takes it for idle */
	int64_t group;              /* the host step that launched it (groups.h), -1 */
};

#endif
