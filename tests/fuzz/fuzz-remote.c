/* Fuzz target of what servers answer.  The first line says what the rest is: "http", all bytes of a server; "cores" and
 * "list", a message that a server of HTTP/2 answers a call of the metrics with; "metric", "monitor" and "profile", such
 * a message alone; "body", what gRPC makes of a message. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "input.h"
#include "live/sample.h"
#include "mutate.h"
#include "remote/framing.h"
#include "remote/metrics/internal.h"
#include "remote/profiler/response.h"
#include "tests/lib/pbuild.h"

#define TURNS 20 /* of the client; more means that it waits for what does not come */

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

const int mutate_head_lines = 1;

/* A server that says the same, whatever it is asked. */
struct server {
	struct address address;
	struct endpoint at;
	int listens, fd, turns;
	struct pb says;
};

static void open_server(struct server *s)
{
	struct sockaddr_un *name = (void *)&s->at.at[0].to;
	socklen_t n = sizeof *name;

	s->listens = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	*name = (struct sockaddr_un){ .sun_family = AF_UNIX };
	/* the system gives it a name without a file */
	if (s->listens < 0 || bind(s->listens, (void *)name, sizeof name->sun_family) ||
	    listen(s->listens, 8) || getsockname(s->listens, (void *)name, &n))
		abort();
	s->at.n = 1;
	s->at.at[0].n = n;
	snprintf(s->address.text, sizeof s->address.text, "unix:");
	s->fd = -1;
}

/* Its first frame, before which the client asks nothing. */
static size_t greeting(const struct pb *p)
{
	size_t n = p->n < 3 ? 0 : 9 + ((size_t)p->b[0] << 16 | (size_t)p->b[1] << 8 | p->b[2]);

	return n < p->n ? n : p->n;
}

/* Between the turns of the client: greets it, and later says the rest. */
static bool serve(void *self)
{
	struct server *s = self;
	size_t n = greeting(&s->says);
	int fd = accept(s->listens, NULL, NULL);

	if (s->fd < 0) {
		s->fd = fd;
		if (fd < 0)
			abort();
		send(s->fd, s->says.b, n, MSG_NOSIGNAL | MSG_DONTWAIT);
	} else if (s->turns == 1 && n < s->says.n) {
		send(s->fd, s->says.b + n, s->says.n - n, MSG_NOSIGNAL | MSG_DONTWAIT);
	} else if (fd >= 0) {
		close(fd);
	}
	if (s->turns == (n < s->says.n))
		shutdown(s->fd, SHUT_WR);
	return ++s->turns > TURNS;
}

static void put_frame(struct pb *p, uint8_t type, uint8_t flags, uint8_t stream, const void *bytes, size_t n)
{
	const uint8_t head[] = { (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n, type, flags, 0, 0, 0,
		stream };

	pb_raw(p, head, sizeof head);
	pb_raw(p, bytes, n);
}

/* The answer to the first call on a connection. */
static void put_answer(struct pb *p, const uint8_t *message, size_t n)
{
	enum { DATA, HEADERS, SETTINGS = 4, END_STREAM = 1, END_HEADERS = 4 };
	static const char head[] = "\x88\x0f\x10\x10"
				   "application/grpc",
			  tail[] = "\0\x0bgrpc-status\1"
				   "0";
	const uint8_t frame[] = { 0, (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n };
	size_t part;

	put_frame(p, SETTINGS, 0, 0, "", 0);
	put_frame(p, HEADERS, END_HEADERS, 1, head, sizeof head - 1);
	put_frame(p, DATA, 0, 1, frame, sizeof frame);
	for (; n; message += part, n -= part) {
		part = n < 16384 ? n : 16384;
		put_frame(p, DATA, 0, 1, message, part);
	}
	put_frame(p, HEADERS, END_HEADERS | END_STREAM, 1, tail, sizeof tail - 1);
}

static void ask_server(bool list, bool http, const uint8_t *bytes, size_t n)
{
	static struct server s;
	struct err err = { 0 };
	struct metrics *m;
	struct readings r = { 0 };
	struct core_status *cores = NULL;
	size_t ncores = 0;

	if (!s.listens)
		open_server(&s);
	m = metrics_new(&s.address, &s.at, 1);
	s.turns = 0;
	s.says = (struct pb){ 0 };
	if (http)
		pb_raw(&s.says, bytes, n);
	else
		put_answer(&s.says, bytes, n);
	if (list)
		metrics_read(m, &r, serve, &s, &err);
	else
		metrics_cores(m, &cores, &ncores, serve, &s, &err);
	metrics_free(m);
	readings_free(&r);
	free(cores);
	pb_free(&s.says);
	if (s.fd >= 0)
		close(s.fd);
	s.fd = -1;
}

static bool see_space(void *self, const uint8_t *p, size_t n)
{
	uint64_t *sum = self;

	for (size_t i = 0; i < n; i++)
		*sum += p[i];
	return true;
}

static void see_tool(void *self, struct slice name, struct slice data)
{
	see_space(self, (const uint8_t *)name.s, name.n);
	see_space(self, (const uint8_t *)data.s, data.n);
}

static bool put_response(void *self, const uint8_t *p, size_t n)
{
	return response_put(self, p, n);
}

/* In pieces, as it comes from the network; the first byte says how large they are. */
static void read_response(bool framed, const uint8_t *p, size_t n)
{
	uint64_t sum = 0;
	struct response r = { .self = &sum, .space = see_space, .tool = see_tool };
	struct framing f = { .sink = { .self = &r, .put = put_response } };
	const char *why = "";
	size_t most = n ? p[0] + 1u : 1, part;
	bool more = true;

	for (; n && more; p += part, n -= part) {
		part = n < most ? n : most;
		more = framed ? framing_put(&f, p, part, &why) == FRAMING_OK : response_put(&r, p, part);
	}
	framing_whole(&f);
	response_finish(&r);
	framing_end(&f);
	response_end(&r);
}

static void read_monitor(const uint8_t *p, size_t n)
{
	static FILE *null;
	struct job_sample sample;
	struct err err = { 0 };

	if (!null && !(null = fopen("/dev/null", "w")))
		abort();
	if (!sample_of_answer(p, n, &sample, &err))
		sample_write(&sample, 2, null);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const uint8_t *end = bytes + size;
	struct readings r = { 0 };
	char what[16];

	if (!take_line(&bytes, end, what, sizeof what))
		return 0;
	size = (size_t)(end - bytes);
	if (!strcmp(what, "http") || !strcmp(what, "cores") || !strcmp(what, "list"))
		ask_server(!strcmp(what, "list"), !strcmp(what, "http"), bytes, size);
	else if (!strcmp(what, "profile") || !strcmp(what, "body"))
		read_response(!strcmp(what, "body"), bytes, size);
	else if (!strcmp(what, "monitor"))
		read_monitor(bytes, size);
	else if (!strcmp(what, "metric"))
		readings_decode(&r, &(struct reading){ .metric = "metric", .from = "localhost:1" }, bytes,
		    size);
	readings_free(&r);
	return 0;
}
