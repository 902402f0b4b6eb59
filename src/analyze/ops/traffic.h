/* The ops that take part in the traffic of the pod (collectives, send, recv), told by name and program, and
 * every run of them in a step, as step_cores.h keeps it.  Runs are sorted by step, op, then core and start.
 * The step_cores must stay until pod_ops_free() ends it. */
#ifndef ANALYZE_OPS_TRAFFIC_H
#define ANALYZE_OPS_TRAFFIC_H

#include "analyze/device/step_metric.h"
#include "analyze/ops/step_cores.h"
#include "base/text/slice.h"
#include "model/dump.h"

#define POD_OP_NONE UINT32_MAX
#define POD_ID_NONE INT64_MIN

struct pod_op {
	uint64_t program;
	strid name, category;
	const char *text;
	size_t len; /* HLO, not terminated */
	unsigned roles;
	int64_t channel; /* POD_ID_NONE */
	uint32_t begin;  /* of an END: the op it waits for, or POD_OP_NONE */
};

struct pod_run {
	const struct step_run *at;
	uint32_t op, core;
};

struct pod_ops {
	const struct dump *dump;
	struct pod_op *op;
	size_t nops;
	uint32_t *of_meta; /* [trace.nmetas] */
	struct pod_run *run;
	size_t nruns;
};

void pod_ops_read(const struct dump *, const struct step_cores *, struct pod_ops *);
void pod_ops_free(struct pod_ops *);

/* The bytes that an op moves, by its shape; 0 = not known.  sent: the operand that a transfer began with. */
uint64_t pod_op_bytes(const struct pod_op *, bool sent);
/* Behind `key` in the text of an op: "{{0,1},{2,3}}" as it stands, n 0 = not there */
struct slice pod_op_list(const struct pod_op *, const char *key);

#endif
