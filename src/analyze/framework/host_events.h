/* What host threads did in the steps of the program (tpuscope(7), KINDS OF TIME): each event of a host thread
 * that the root of a step contains or launched (groups.h), with XProf's type of time.  Times are ps on the
 * plain clock.  The dump is only read. */
#ifndef ANALYZE_FRAMEWORK_HOST_EVENTS_H
#define ANALYZE_FRAMEWORK_HOST_EVENTS_H

#include "analyze/steps/groups.h"
#include "base/progress.h"

/* Where two overlap, the one later in this list wins. */
enum time_type {
	TIME_UNKNOWN,
	TIME_HOST_COMPUTE,
	TIME_COMPILE,
	TIME_HOST_TO_HOST,
	TIME_HOST_TO_DEVICE,
	TIME_HOST_PREPARE,
	TIME_DEVICE_COLLECTIVES,
	TIME_WAIT_INPUT,
	TIME_DEVICE_TO_DEVICE,
	TIME_DEVICE_TO_HOST,
	TIME_COMPUTE_32,
	TIME_COMPUTE_16,
	TIME_WAIT_DEVICE,
	TIME_WAIT_HOST,
	TIME_TYPES
};
#define TIME_NONE TIME_TYPES /* a marker, or a frame around others */

/* Decided by the name of the event's kind. */
enum time_type host_time_type(const struct dump *, uint32_t meta);
enum time_type gpu_time_type(const struct dump *, uint32_t meta);

struct host_event {
	int host;
	int64_t group, start, end;
	enum time_type type;
};

typedef void host_event_fn(void *ctx, const struct host_event *);
/* host NULL = all.  Returns false when canceled. */
bool host_events(const struct dump *, const struct groups *, const char *host, struct progress *,
    host_event_fn *, void *ctx);

#endif
