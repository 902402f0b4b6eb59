#include "config.h"

#include "remote/profiler/continuous.h"

#include <stdlib.h>

#include "base/mem.h"
#include "remote/grpc.h"

#define ANSWER_MS 10000
#define CIRCULAR "tpu_circular_buffer_tracing=true"

struct told {
	struct grpc_conn *conn;
	struct grpc_call *call;
};

static bool never(void *self)
{
	(void)self;
	return false;
}

static void tell_snapshot(const struct capture_options *o, size_t i, const char *path, struct told *t)
{
	struct profile_request r = { .what = o->what,
		.root = o->logdir,
		.session = "continuous",
		.host = o->address[i].text };
	size_t n;
	uint8_t *message;

	if (!r.what.advanced)
		r.what.advanced = CIRCULAR;
	message = request_profile(&r, &n);
	t->conn = grpc_open(&o->to[i], o->address[i].port ? o->address[i].text : "localhost");
	t->call = grpc_start(t->conn,
	    &(struct grpc_request){ .path = path, .message = message, .n = n, .timeout_ms = ANSWER_MS });
	free(message);
}

static int refused(const struct address *a, const struct grpc_end *end, struct err *err)
{
	if (end->code == GRPC_UNIMPLEMENTED)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "%s: is too old for continuous profiling, which needs jaxlib 0.9 or TensorFlow 2.21",
		    a->text);
	return err_set(err,
	    end->code == GRPC_EXISTS                                           ? EXIT_BUSY
		: end->cause == GRPC_UNREACHABLE || end->cause == GRPC_FOREIGN ? EXIT_UNREACHED
									       : EXIT_NOTHING,
	    ERR_NOWHERE, "%s: %s", a->text, end->text);
}

/* Calls a method on all servers; *done: how many of them, from the first on, did it. */
static int tell_all(const struct capture_options *o, const char *path, bool (*stop)(void *), size_t *done,
    struct err *err)
{
	struct told t;
	int bad = 0;

	for (*done = 0; *done < o->n && !bad; *done += !bad) {
		tell_snapshot(o, *done, path, &t);
		while (!grpc_end(t.call) && !stop(NULL))
			grpc_wait(&t.conn, 1, GRPC_TURN_MS);
		if (!grpc_end(t.call))
			bad = err_set(err, EXIT_STOPPED, ERR_NOWHERE, "canceled");
		else if (grpc_end(t.call)->code)
			bad = refused(&o->address[*done], grpc_end(t.call), err);
		grpc_free(t.call);
		grpc_close(t.conn);
	}
	return bad;
}

int continuous_start(const struct capture_options *o, bool (*stop)(void *), struct err *err)
{
	struct capture_options started = *o;
	struct err more;

	if (grpc_missing())
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", grpc_missing());
	if (!tell_all(o, PROFILER_SERVICE "StartContinuousProfiling", stop, &started.n, err))
		return 0;
	continuous_stop(&started, &more);
	return -1;
}

int continuous_stop(const struct capture_options *o, struct err *err)
{
	struct capture_options rest = *o;
	size_t done;
	int bad = 0;

	while (rest.n) { /* one that fails does not keep the others from being stopped */
		bad |= tell_all(&rest, PROFILER_SERVICE "StopContinuousProfiling", never, &done, err);
		done += done < rest.n;
		rest.n -= done;
		rest.address += done;
		rest.to += done;
	}
	return bad;
}
