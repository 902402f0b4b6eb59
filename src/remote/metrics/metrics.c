#include "config.h"

#include "remote/metrics/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/pbread.h"
#include "base/text/utf8.h"
#include "remote/grpc.h"
#include "remote/metrics/internal.h"
#include "runtime_metrics.pb-c.h"

#define SERVICE "/tpu.monitoring.runtime.RuntimeMetricService/"
#define ANSWER_MS 5000
#define ANSWERS_MAX (16u << 20) /* bytes of one server, to all questions that wait */
#define NAMES_MAX 200           /* metrics of one server */
#define CORES_MAX 4096          /* rows of one server: a core has few sequencers */

/* One server: its connection, and the names of what it has. */
struct server {
	const struct address *address;
	const struct endpoint *to;
	struct grpc_conn *conn;
	bool listed;
	size_t nnames, held; /* bytes of its answers */
	char *name[NAMES_MAX];
};

struct metrics {
	struct server *server;
	size_t n;
};

/* A call and what it was answered. */
struct question {
	struct server *server;
	const char *metric;
	struct grpc_call *call;
	uint8_t *bytes;
	size_t n, cap;
	bool too_large;
};

struct metrics *metrics_new(const struct address *address, const struct endpoint *to, size_t n)
{
	struct metrics *m = xcalloc(1, sizeof *m);

	m->server = xcalloc(n, sizeof *m->server);
	m->n = n;
	for (size_t i = 0; i < n; i++) {
		m->server[i].address = &address[i];
		m->server[i].to = &to[i];
	}
	return m;
}

void metrics_free(struct metrics *m)
{
	for (size_t i = 0; m && i < m->n; i++) {
		grpc_close(m->server[i].conn);
		for (size_t k = 0; k < m->server[i].nnames; k++)
			free(m->server[i].name[k]);
	}
	if (m)
		free(m->server);
	free(m);
}

static bool take_bytes(void *self, const uint8_t *p, size_t n)
{
	struct question *q = self;

	q->too_large = n > ANSWERS_MAX - q->server->held;
	if (q->too_large)
		return false;
	q->server->held += n;
	if (q->n + n >= q->cap) { /* twice the room, as it comes in small pieces */
		q->cap = 2 * (q->n + n) + 1;
		q->bytes = xrealloc(q->bytes, 1, q->cap);
	}
	memcpy(q->bytes + q->n, p, n);
	q->n += n;
	return true;
}

static void put_question(struct question *q, const char *method)
{
	Metrics__MetricRequest r = METRICS__METRIC_REQUEST__INIT;
	struct server *s = q->server;
	char path[120];
	uint8_t *message;
	size_t n;

	if (s->conn && grpc_dead(s->conn)) {
		grpc_close(s->conn);
		s->conn = NULL;
	}
	if (!s->conn)
		s->conn = grpc_open(s->to, s->address->port ? s->address->text : "localhost");
	r.metric_name = (char *)q->metric;
	message = xmalloc(metrics__metric_request__get_packed_size(&r) + 1);
	n = metrics__metric_request__pack(&r, message);
	snprintf(path, sizeof path, SERVICE "%s", method);
	q->call = grpc_start(s->conn,
	    &(struct grpc_request){ .path = path,
		.message = message,
		.n = n,
		.timeout_ms = ANSWER_MS,
		.sink = { .self = q, .put = take_bytes } });
	free(message);
}

/* Waits for all answers; false: stopped. */
static bool wait_for_answers(struct metrics *m, const struct question *q, size_t n, bool (*stop)(void *),
    void *self)
{
	struct grpc_conn **conn = xcalloc(m->n, sizeof *conn);
	bool open = true;

	while (open && !stop(self)) {
		open = false;
		for (size_t i = 0; i < m->n; i++)
			conn[i] = m->server[i].conn;
		for (size_t i = 0; i < n; i++)
			open = open || !grpc_end(q[i].call);
		if (open)
			grpc_wait(conn, m->n, GRPC_TURN_MS);
	}
	free(conn);
	return !open;
}

static void end_questions(struct question *q, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		grpc_free(q[i].call);
		q[i].server->held -= q[i].n;
		free(q[i].bytes);
	}
	free(q);
}

/* Says why a server did not answer. */
static int no_answer(const struct question *q, struct err *err)
{
	const struct grpc_end *end = grpc_end(q->call);

	if (!end)
		return -1;
	return err_set(err, EXIT_UNREACHED, ERR_NOWHERE, "%s: %s%s", q->server->address->text,
	    q->too_large                          ? "its answer is longer than any list of metrics"
		: end->code == GRPC_UNIMPLEMENTED ? "has no metrics of chips"
		: *end->text                      ? end->text
						  : "the server refused without saying why",
	    end->cause == GRPC_UNREACHABLE
		? "; no job is using the TPU, its libtpu is too old, or its metrics are off"
		: "");
}

/* Takes the usual metrics where a server cannot list those that it has. */
static void known_names(struct server *s)
{
	static const char *const names[] = { "tpu.runtime.hbm.memory.total.bytes",
		"tpu.runtime.hbm.memory.usage.bytes", "tpu.runtime.tensorcore.dutycycle.percent",
		"tpu.runtime.hbm.utilization.percent", "tpu.runtime.tensorcore.idle_duration.seconds",
		"hlo.queue.size.gauge", "hlo.execution.timing.distribution.microseconds" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		s->name[s->nnames++] = xstrdup(names[i]);
}

static int damaged(const struct question *q, struct err *err)
{
	return err_set(err, EXIT_UNREACHED, ERR_NOWHERE,
	    "%s: its answer is damaged; is this a server of metrics?", q->server->address->text);
}

static int take_list(struct server *s, const struct question *q, struct err *err)
{
	struct arena a = { 0 };
	const Metrics__ListedMetrics *l =
	    pb_read(&metrics__listed_metrics__descriptor, &a, q->bytes, q->n, NULL);

	for (size_t i = 0; l && i < l->n_supported_metric && s->nnames < NAMES_MAX; i++) {
		const char *name = l->supported_metric[i]->metric_name;
		char clean[120];

		if (name && *name)
			s->name[s->nnames++] = xstrdup(utf8_clean_text(clean, sizeof clean, name));
	}
	arena_free(&a);
	return l ? 0 : damaged(q, err);
}

/* Takes the list of a server, or what servers usually have if it has none; false: it did not answer. */
static bool answered_list(const struct question *q, struct err *err)
{
	const struct grpc_end *end = grpc_end(q->call);

	if (end->cause != GRPC_ANSWERED || (end->code && end->code != GRPC_UNIMPLEMENTED)) {
		no_answer(q, err);
		return false;
	}
	if (end->code)
		known_names(q->server);
	else if (take_list(q->server, q, err))
		return false;
	q->server->listed = true;
	return true;
}

/* Asks the servers for their lists, once. */
static int list_metrics(struct metrics *m, bool (*stop)(void *), void *self, struct err *err)
{
	struct question *q = xcalloc(m->n, sizeof *q);
	size_t n = 0, lists = 0;
	bool ended;

	for (size_t i = 0; i < m->n; i++) {
		lists += m->server[i].listed;
		if (m->server[i].listed)
			continue;
		q[n].server = &m->server[i];
		put_question(&q[n++], "ListSupportedMetrics");
	}
	ended = wait_for_answers(m, q, n, stop, self);
	for (size_t i = 0; i < n && ended; i++)
		lists += answered_list(&q[i], err);
	end_questions(q, n);
	return lists && ended ? 0 : -1;
}

int metrics_read(struct metrics *m, struct readings *r, bool (*stop)(void *), void *self, struct err *err)
{
	struct question *q;
	size_t n = 0, all = 0, answers = 0;
	bool ended;

	if (grpc_missing())
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", grpc_missing());
	if (list_metrics(m, stop, self, err))
		return -1;
	for (size_t i = 0; i < m->n; i++)
		all += m->server[i].nnames;
	q = xcalloc(all + 1, sizeof *q);
	for (size_t i = 0; i < m->n; i++)
		for (size_t k = 0; k < m->server[i].nnames; k++) {
			q[n] = (struct question){ .server = &m->server[i], .metric = m->server[i].name[k] };
			put_question(&q[n++], "GetRuntimeMetric");
		}
	ended = wait_for_answers(m, q, n, stop, self);
	for (size_t i = 0; i < n && ended; i++) {
		if (grpc_end(q[i].call)->cause == GRPC_ANSWERED &&
		    grpc_end(q[i].call)->code != GRPC_UNIMPLEMENTED)
			answers++;
		else
			no_answer(&q[i], err);
		if (!grpc_end(q[i].call)->code)
			readings_decode(r,
			    &(struct reading){ .metric = q[i].metric,
				.from = q[i].server->address->text,
				.server = (int)(q[i].server - m->server) },
			    q[i].bytes, q[i].n);
	}
	end_questions(q, n);
	return ended && (answers || !n) ? 0 : -1;
}

static void take_core(const char *from, const Metrics__CoreEntry *e, const Metrics__Sequencer *s,
    struct core_status *c)
{
	static const char *const kinds[] = { "core", "TensorCore", "SparseCore v0", "SparseCore v0 addresses",
		"SparseCore", "SparseCore TAC", "SparseCore TEC" };
	const Metrics__CoreId *id = e->value->core_id;
	const char *location = s->hlo_location ? s->hlo_location : "";
	const char *error = e->value->error_message ? e->value->error_message : "";

	*c = (struct core_status){ .from = from,
		.core = e->key,
		.chip = id && id->has_chip_id ? id->chip_id : -1,
		.pc = s->pc };
	snprintf(c->kind, sizeof c->kind, "%s",
	    kinds[(unsigned)s->type < sizeof kinds / sizeof *kinds ? (unsigned)s->type : 0]);
	utf8_clean_text(c->location, sizeof c->location, location);
	utf8_clean_text(c->error, sizeof c->error, error);
}

static int take_status(const struct question *q, struct core_status **v, size_t *n, struct err *err)
{
	struct arena a = { 0 };
	const Metrics__RuntimeStatus *s =
	    pb_read(&metrics__runtime_status__descriptor, &a, q->bytes, q->n, NULL);
	size_t cap = *n, most = *n + CORES_MAX;

	for (size_t i = 0; s && i < s->n_core_states; i++) {
		const Metrics__CoreEntry *e = s->core_states[i];

		for (size_t k = 0; e->value && k < e->value->n_sequencer && *n < most; k++) {
			VEC_PUSH(*v, *n, cap);
			take_core(q->server->address->text, e, e->value->sequencer[k], &(*v)[(*n)++]);
		}
	}
	arena_free(&a);
	return s ? 0 : damaged(q, err);
}

int metrics_cores(struct metrics *m, struct core_status **v, size_t *n, bool (*stop)(void *), void *self,
    struct err *err)
{
	struct question *q = xcalloc(m->n, sizeof *q);
	size_t answers = 0;
	bool ended;

	*v = NULL;
	*n = 0;
	if (grpc_missing()) {
		free(q);
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", grpc_missing());
	}
	for (size_t i = 0; i < m->n; i++) {
		q[i].server = &m->server[i];
		put_question(&q[i], "GetTpuRuntimeStatus");
	}
	ended = wait_for_answers(m, q, m->n, stop, self);
	for (size_t i = 0; i < m->n && ended; i++) {
		if (grpc_end(q[i].call)->code)
			no_answer(&q[i], err);
		else
			answers += !take_status(&q[i], v, n, err);
	}
	end_questions(q, m->n);
	return answers ? 0 : -1;
}
