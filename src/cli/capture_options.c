#include "config.h"

#include "cli/capture_options.h"

#include <string.h>

#define DURATION_MS 1000

const char *servers_of(const struct options *o, struct err *err)
{
	const struct remote_args *r = &o->remote;

	if (r->workers)
		return r->workers;
	if (r->addr)
		return r->addr;
	if (r->tpu && strchr(r->tpu, ':'))
		return r->tpu;
	if (r->tpu)
		err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--tpu %.100s: looking up a TPU by its name needs Google Cloud; run tpuscope on its VM "
		    "with --addr "
		    "localhost:9012, or through gcloud compute tpus tpu-vm ssh %.100s -- -L "
		    "9012:localhost:9012",
		    r->tpu, r->tpu);
	else
		err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "which job? Name its profiler server, for example --addr localhost:9012");
	return NULL;
}

struct capture_options capture_options_of(const struct options *o, const struct remote *r)
{
	const struct remote_args *a = &o->remote;

	return (struct capture_options){
		.address = r->address,
		.to = r->to,
		.n = r->n,
		.logdir = a->logdir,
		.session = a->session,
		.spare = a->spare,
		.what = { .duration_ms = a->duration_ms ? a->duration_ms : DURATION_MS,
		    .host_level = a->host_level,
		    .device_level = a->device_level,
		    .python_level = a->python_level,
		    .no_hlo = a->no_hlo,
		    .no_dataset_ops = a->dataset_ops && !strcmp(a->dataset_ops, "false"),
		    .advanced = a->advanced },
		.attempts = a->attempts,
		.delay_ms = a->delay_ms,
		.grace_s = a->grace_s,
		.save_there = a->save_there,
	};
}
