/* The ops that take part in the traffic of the pod (collectives, send, recv), identified by name and program,
 * and every run of them in a step, as step_cores.h keeps it.  Runs are sorted by step, op, core, then start.
 * The step_cores must stay alive until traffic_free(). */
#ifndef ANALYZE_OPS_TRAFFIC_H
#define ANALYZE_OPS_TRAFFIC_H

#include "analyze/device/step_metric.h"
#include "analyze/ops/step_cores.h"
#include "base/text/slice.h"
#include "model/dump.h"

#define TRAFFIC_NONE UINT32_MAX
#define TRAFFIC_ID_NONE INT64_MIN

struct traffic_op {
	uint64_t program;
	strid name, category;
	const char *text;
	size_t len; /* HLO text, not terminated */
	unsigned roles;
	int64_t channel; /* TRAFFIC_ID_NONE: has none */
	uint32_t begin;  /* for an END: the op that began the transfer, or TRAFFIC_NONE */
};

struct traffic_run {
	const struct step_run *at;
	uint32_t op, core;
};

struct traffic {
	const struct dump *dump;
	struct traffic_op *op;
	size_t nops;
	uint32_t *of_meta; /* trace.nmetas entries: index of the op, or TRAFFIC_NONE */
	struct traffic_run *run;
	size_t nruns;
};

/* Do its groups name more devices than there are cores?  Then the last one to come may not be in the capture. */
bool traffic_meets_others(const struct dump *, uint32_t meta, size_t ncores);
void traffic_read(const struct dump *, const struct step_cores *, struct traffic *);
void traffic_free(struct traffic *);
/* Is it the name of an op that begins, or ends, a collective in a category of other ops: "async-collective-done.1"? */
bool traffic_is_async(struct slice name);

/* Returns the bytes that an op transfers, from its shape; 0 = not known.  sent: take the operand that a
 * transfer began with. */
uint64_t traffic_bytes(const struct traffic_op *, bool sent);
/* Returns the list after `key` in the text of an op, such as "{{0,1},{2,3}}"; n = 0: not there. */
struct slice traffic_list(const struct traffic_op *, const char *key);

#endif
