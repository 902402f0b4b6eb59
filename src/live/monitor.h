/* Watches jobs by short captures, one after the other: servers of today do not know Monitor any more, so it is asked
 * for once, and what it said is measured otherwise (live/sample.h).  A query waits for the slowest server; it belongs
 * to the thread that makes it. */
#ifndef LIVE_MONITOR_H
#define LIVE_MONITOR_H

#include "live/sample.h"
#include "remote/profiler/recording.h"

struct monitored {
	bool known; /* false: `why` says why there is no sample */
	struct job_sample sample;
	char why[600];
	int exit; /* as of a capture */
};

struct monitor;

/* The servers and what is traced; the options have to live as long.  level: 1 or 2. */
struct monitor *monitor_new(const struct capture_options *, int level);
void monitor_free(struct monitor *);
/* Asks all servers; `out` has one entry for each.  stop() is asked ten times a second.  False: stopped. */
bool monitor_query(struct monitor *, struct monitored *out, bool (*stop)(void *), void *self, struct err *);

#endif
