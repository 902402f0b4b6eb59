/* The ops that take part in the traffic of the pod (collectives, send, recv), told by name and program, and
 * every run of them in a step, as step_cores.h keeps it.  Runs are sorted by step, op, then core and start.
 * The step_cores must stay until traffic_free() ends it. */
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
	size_t len; /* HLO, not terminated */
	unsigned roles;
	int64_t channel; /* TRAFFIC_ID_NONE */
	uint32_t begin;  /* of an END: the op it waits for, or TRAFFIC_NONE */
};

struct traffic_run {
	const struct step_run *at;
	uint32_t op, core;
};

struct traffic {
	const struct dump *dump;
	struct traffic_op *op;
	size_t nops;
	uint32_t *of_meta; /* [trace.nmetas] */
	struct traffic_run *run;
	size_t nruns;
};

void traffic_read(const struct dump *, const struct step_cores *, struct traffic *);
void traffic_free(struct traffic *);

/* The bytes that an op moves, by its shape; 0 = not known.  sent: the operand that a transfer began with. */
uint64_t traffic_bytes(const struct traffic_op *, bool sent);
/* Behind `key` in the text of an op: "{{0,1},{2,3}}" as it stands, n 0 = not there */
struct slice traffic_list(const struct traffic_op *, const char *key);

#endif
