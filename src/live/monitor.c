#include "config.h"

#include "live/monitor.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "remote/grpc.h"

#define ANSWER_MAX 65536

struct monitor {
	struct capture_options o;
	int level;
	bool asked, answers; /* Monitor: it was tried; all servers know it */
};

struct answer {
	uint8_t bytes[ANSWER_MAX];
	size_t n;
	struct grpc_conn *conn;
	struct grpc_call *call;
};

struct monitor *monitor_new(const struct capture_options *o, int level)
{
	struct monitor *m = xcalloc(1, sizeof *m);

	m->o = *o;
	m->o.in_memory = true;
	m->level = level;
	return m;
}

void monitor_free(struct monitor *m)
{
	free(m);
}

static bool take_answer(void *self, const uint8_t *p, size_t n)
{
	struct answer *a = self;

	if (n > sizeof a->bytes - a->n)
		return false;
	memcpy(a->bytes + a->n, p, n);
	a->n += n;
	return true;
}

static void send_queries(struct monitor *m, struct answer *a)
{
	size_t n;
	uint8_t *message = request_monitor(m->o.what.duration_ms, m->level, &n);

	for (size_t i = 0; i < m->o.n; i++) {
		a[i].conn = grpc_open(&m->o.to[i], m->o.address[i].text);
		a[i].call = grpc_start(a[i].conn,
		    &(struct grpc_request){ .path = PROFILER_SERVICE "Monitor",
			.message = message,
			.n = n,
			.timeout_ms = m->o.what.duration_ms + m->o.grace_s * 1000LL,
			.sink = { .self = &a[i], .put = take_answer } });
	}
	free(message);
}

static bool all_ended(const struct answer *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!grpc_end(a[i].call))
			return false;
	return true;
}

static void take_answers(struct monitor *m, const struct answer *a, struct monitored *out)
{
	struct err err;

	m->answers = true;
	for (size_t i = 0; i < m->o.n; i++) {
		const struct grpc_end *end = grpc_end(a[i].call);

		out[i].known =
		    end && !end->code && !sample_of_answer(a[i].bytes, a[i].n, &out[i].sample, &err);
		m->answers = m->answers && out[i].known;
	}
}

/* Asks with Monitor; true: all servers answered. */
static bool ask_servers(struct monitor *m, struct monitored *out, bool (*stop)(void *), void *self)
{
	struct answer *a = xcalloc(m->o.n, sizeof *a);
	struct grpc_conn **conn = xcalloc(m->o.n, sizeof *conn);

	send_queries(m, a);
	for (size_t i = 0; i < m->o.n; i++)
		conn[i] = a[i].conn;
	while (!all_ended(a, m->o.n) && !stop(self))
		grpc_wait(conn, m->o.n, GRPC_TURN_MS);
	take_answers(m, a, out);
	for (size_t i = 0; i < m->o.n; i++) {
		grpc_free(a[i].call);
		grpc_close(a[i].conn);
	}
	free(conn);
	free(a);
	return m->answers;
}

static void take_capture(const struct recording *c, size_t i, struct monitored *out)
{
	struct worker_status s;
	struct err err = { 0 };
	const uint8_t *bytes;
	size_t n;

	recording_status(c, i, &s);
	bytes = recording_bytes(c, i, &n);
	*out = (struct monitored){ .exit = s.exit };
	if (s.state != WORKER_DONE) {
		snprintf(out->why, sizeof out->why, "%s", s.text);
	} else if (sample_of_capture(bytes, n, &out->sample, &err)) {
		out->exit = EXIT_NOTHING;
		snprintf(out->why, sizeof out->why, "%s", err.msg);
	} else {
		out->known = true;
	}
}

bool monitor_query(struct monitor *m, struct monitored *out, bool (*stop)(void *), void *self,
    struct err *err)
{
	struct recording *c;

	err->status = 0;
	if (grpc_missing()) {
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", grpc_missing());
		return false;
	}
	if ((!m->asked || m->answers) && ask_servers(m, out, stop, self)) {
		m->asked = true;
		return true;
	}
	m->asked = true;
	if (stop(self) || !(c = recording_new(&m->o, err)))
		return false;
	while (recording_step(c) && !stop(self))
		;
	for (size_t i = 0; i < m->o.n; i++)
		take_capture(c, i, &out[i]);
	recording_free(c);
	return !stop(self);
}
