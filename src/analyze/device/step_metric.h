/* The metrics of a step: what a core computed, transferred and waited for as XProf's pod viewer cuts it,
 * decided by the category of each op (tpuscope(7), KINDS OF TIME).  The ids are those of `report pod`.  A
 * struct step_core has the time of each metric, and of each kind of time (kinds.h), in one step of one core,
 * in ps.  Pure. */
#ifndef ANALYZE_DEVICE_STEP_METRIC_H
#define ANALYZE_DEVICE_STEP_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/device/kinds.h"
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

/* kind: where its time counts if no more is known; for example "high_flops_us", KIND_MATMUL */
struct step_metric_info {
	const char *id;
	enum time_kind kind;
};
extern const struct step_metric_info step_metric_info[METRIC_COUNT];
/* METRIC_LOW_FLOPS for every category that the table does not have */
enum step_metric step_metric_of(const char *category, size_t len);

/* Flags that come with the metric of a category. */
enum {
	STEP_KIND_METRIC = 0x0f,
	STEP_KIND_CRS = 0x10,
	STEP_KIND_ASYNC_DONE = 0x20,
	STEP_KIND_OWN = 0x40,
	STEP_KIND_MEETS = 0x80
};
/* OWN: for the caller; MEETS: all cores leave it together; of a start or a done nobody knows */
unsigned step_kind_of(const char *category, size_t len); /* the metric, or'ed with the flags */

struct dump;
/* Do ops of converted traces that take time lack a category, so that high and low FLOPs are not told apart? */
bool step_metrics_unknown(const struct dump *);

enum traffic_role {
	TRAFFIC_COLLECTIVE = 1,
	TRAFFIC_BEGIN = 2,
	TRAFFIC_END = 4
}; /* BEGIN: the op sends; END: the op has received */
/* Returns the role of an op of that category in the traffic of a pod, as bits of enum traffic_role; 0:
 * none. */
unsigned traffic_roles(struct slice category);

struct step_core {
	int64_t start, total; /* ps; start on the plain clock (analyze/trace/clock.h) */
	int64_t ps[METRIC_COUNT];
	int64_t kind[KIND_OPS];     /* of the same time, what is not idle */
	int64_t crs;                /* the part of the collectives that XProf counts as all-reduce */
	int64_t sync, sync_compute; /* parts of the collectives: waiting and the rest; -1 = not known */
	bool others;                /* it also waits for cores outside of the capture: sync is at least */
	int64_t async_done;         /* part of low flops that XProf counts as waiting */
	int64_t nameless; /* time of ops without program_id or symbol_id, which XProf counts as idle */
	int64_t tail;     /* idle time after its last op; 0 where only sums are known */
	int64_t group;    /* ID of the host step that launched it (groups.h), or -1 */
};
/* Fills in the kinds where only metrics are known. */
void step_core_kinds(struct step_core *);

#endif
