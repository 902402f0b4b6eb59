#include "config.h"

#include "remote/grpc.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/now.h"
#include "remote/internal.h"

#define CONNECT_MS 5000
#define GREETING_MS 5000
#define PIECE 65536
#define PIECES_PER_TURN 16 /* other connections want their turn */

const char *grpc_missing(void)
{
	return NULL;
}

static void shut(struct grpc_conn *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

static void die(struct grpc_conn *c, enum grpc_cause cause, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void die(struct grpc_conn *c, enum grpc_cause cause, const char *fmt, ...)
{
	va_list ap;

	c->why = (struct grpc_end){ GRPC_UNAVAILABLE, cause, "" };
	va_start(ap, fmt);
	vsnprintf(c->why.text, sizeof c->why.text, fmt, ap);
	va_end(ap);
	c->state = CONN_DEAD;
	shut(c);
	for (struct grpc_call *call = c->calls; call; call = call->next)
		call_end(call, c->why.code, cause, c->why.text);
}

/* Sends what nghttp2 has, as far as the socket takes it. */
static void flush(struct grpc_conn *c)
{
	ssize_t n = 0;

	while (c->state >= CONN_GREETING && c->state < CONN_DEAD) {
		if (!c->nout) {
			n = nghttp2_session_mem_send(c->session, &c->out);
			if (n < 0)
				die(c, GRPC_BROKEN, "HTTP/2: %s", nghttp2_strerror((int)n));
			if (n <= 0)
				return;
			c->nout = (size_t)n;
		}
		n = send(c->fd, c->out, c->nout, MSG_NOSIGNAL);
		if (n < 0 && errno != EINTR) {
			/* what the peer said before it went away is still to be read: reading finds out */
			return;
		}
		if (n > 0) {
			c->out += n;
			c->nout -= (size_t)n;
		}
	}
}

static void connected(struct grpc_conn *c)
{
	c->state = CONN_GREETING;
	c->until = now_ms() + GREETING_MS;
	c->session = call_session(c);
	if (!c->session)
		die(c, GRPC_UNREACHABLE, "no memory for a connection");
	flush(c);
}

static void try_addresses(struct grpc_conn *c, int error)
{
	for (; c->at < c->to.n; c->at++) {
		const struct sockaddr *to = (const void *)&c->to.at[c->at].to;

		shut(c);
		c->fd = socket(to->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		if (c->fd < 0) {
			error = errno;
			continue;
		}
		c->until = now_ms() + CONNECT_MS;
		if (!connect(c->fd, to, c->to.at[c->at].n)) {
			connected(c);
			return;
		}
		error = errno;
		if (error == EINPROGRESS)
			return;
	}
	die(c, GRPC_UNREACHABLE, "%s", strerror(error));
}

struct grpc_conn *grpc_open(const struct endpoint *to, const char *authority)
{
	struct grpc_conn *c = xcalloc(1, sizeof *c);

	c->to = *to;
	c->fd = -1;
	snprintf(c->authority, sizeof c->authority, "%s", authority);
	try_addresses(c, EADDRNOTAVAIL);
	return c;
}

static void check_connected(struct grpc_conn *c)
{
	int error = 0;
	socklen_t n = sizeof error;

	if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &n))
		error = errno;
	if (!error) {
		connected(c);
	} else {
		c->at++;
		try_addresses(c, error);
	}
}

/* Says what is at the other end if it does not begin with SETTINGS, as a server of HTTP/2 does. */
static const char *foreign(const uint8_t *p, size_t n)
{
	if (n > 4 && !memcmp(p, "HTTP/", 5))
		return "speaks HTTP/1, not gRPC: not a profiler server";
	if (n > 3 && !memcmp(p, "SSH-", 4))
		return "is an SSH server, not a profiler server; is the port right?";
	if (n > 1 && (p[0] == 0x15 || p[0] == 0x16) && p[1] == 3)
		return "wants TLS, which profiler servers do not speak; use ssh -L to reach the plain port";
	if (n > 8 && (p[0] || p[3] != 4 || p[5] || p[6] || p[7] || p[8]))
		return "does not speak gRPC: not a profiler server";
	return NULL;
}

/* The server has greeted: what waits is sent. */
static void greet(struct grpc_conn *c, const uint8_t *p, size_t n)
{
	const char *text;

	for (size_t i = 0; i < n && c->nfirst < sizeof c->first; i++)
		c->first[c->nfirst++] = p[i];
	text = foreign(c->first, c->nfirst);
	if (text)
		die(c, GRPC_FOREIGN, "%s", text);
	else if (c->nfirst > 8)
		c->state = CONN_OPEN;
	if (c->state == CONN_OPEN)
		for (struct grpc_call *call = c->calls; call; call = call->next)
			if (!call->ended)
				call_submit(call);
}

static void at_end(struct grpc_conn *c, int error)
{
	if (c->state == CONN_GREETING)
		die(c, GRPC_FOREIGN,
		    "closed the connection at once: not a profiler server, or a tunnel to nothing");
	else
		die(c, GRPC_LOST, "the connection ended: the job ended or the tunnel dropped%s%s",
		    error ? ", " : "", error ? strerror(error) : "");
}

/* Frees the calls that nobody waits for once nghttp2 has forgotten them. */
static void sweep(struct grpc_conn *c)
{
	for (struct grpc_call **at = &c->calls; *at;) {
		struct grpc_call *call = *at;

		if (call->abandoned && (!call->stream || !c->session)) {
			*at = call->next;
			call_release(call);
		} else {
			at = &call->next;
		}
	}
}

static void receive(struct grpc_conn *c)
{
	uint8_t buf[PIECE];

	for (int i = 0; i < PIECES_PER_TURN && !c->held && c->state < CONN_DEAD; i++) {
		ssize_t n = recv(c->fd, buf, sizeof buf, 0), used;

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (n <= 0) {
			at_end(c, n < 0 ? errno : 0);
			return;
		}
		if (c->state == CONN_GREETING)
			greet(c, buf, (size_t)n);
		if (c->state == CONN_DEAD)
			return;
		used = nghttp2_session_mem_recv(c->session, buf, (size_t)n);
		if (used < 0) {
			die(c, GRPC_BROKEN, "does not speak HTTP/2 correctly (%s)",
			    nghttp2_strerror((int)used));
			return;
		}
		flush(c);
	}
	if (c->state == CONN_OPEN && !nghttp2_session_want_read(c->session) &&
	    !nghttp2_session_want_write(c->session))
		die(c, c->leaving ? GRPC_LOST : GRPC_BROKEN,
		    c->leaving ? "the server is ending" : "does not speak HTTP/2 correctly");
}

static void check_time(struct grpc_conn *c, int64_t now)
{
	if (c->state == CONN_CONNECTING && now >= c->until) {
		c->at++;
		try_addresses(c, ETIMEDOUT);
	}
	if (c->state == CONN_GREETING && now >= c->until)
		die(c, GRPC_FOREIGN, "is connected, but says nothing: not a profiler server?");
	for (struct grpc_call *call = c->calls; call && !c->held; call = call->next)
		if (!call->ended && call->sent && now >= call->until)
			call_late(call);
}

/* Says what the loop has to wait for; returns when to come back at the latest, -1 = no matter when. */
static int64_t prepare(struct grpc_conn *c, struct pollfd *p)
{
	int64_t until = c->state < CONN_OPEN ? c->until : -1;
	bool writes;

	flush(c);
	sweep(c);
	writes = c->state == CONN_CONNECTING || c->nout;
	*p = (struct pollfd){ .fd = c->held ? -1 : c->fd,
		.events = (short)((writes ? POLLOUT : 0) | (c->state == CONN_CONNECTING ? 0 : POLLIN)) };
	if (c->state == CONN_DEAD)
		return -1;
	for (const struct grpc_call *call = c->calls; call && !c->held; call = call->next)
		if (!call->ended && call->sent && (until < 0 || call->until < until))
			until = call->until;
	return until;
}

static void run(struct grpc_conn *c, short events)
{
	if (events && c->state == CONN_CONNECTING)
		check_connected(c);
	else if (events && c->state < CONN_DEAD)
		receive(c);
	check_time(c, now_ms());
	flush(c);
}

void grpc_wait(struct grpc_conn *const *conn, size_t n, int64_t timeout_ms)
{
	struct pollfd *p = xcalloc(n, sizeof *p);
	int64_t now = now_ms(), wait = timeout_ms;

	for (size_t i = 0; i < n; i++) {
		int64_t until = conn[i] ? prepare(conn[i], &p[i]) : -1;

		if (!conn[i])
			p[i].fd = -1;
		if (until >= 0 && (wait < 0 || until - now < wait))
			wait = until > now ? until - now : 0;
	}
	if (poll(p, n, wait > 1000000 ? 1000000 : (int)wait) < 0)
		for (size_t i = 0; i < n; i++)
			p[i].revents = 0;
	for (size_t i = 0; i < n; i++)
		if (conn[i])
			run(conn[i], p[i].revents);
	free(p);
}

void grpc_close(struct grpc_conn *c)
{
	if (!c)
		return;
	if (c->state == CONN_OPEN) {
		flush(c); /* what was canceled, before everything is */
		nghttp2_session_terminate_session(c->session, NGHTTP2_NO_ERROR);
		flush(c);
	}
	shut(c);
	for (struct grpc_call *call = c->calls, *next; call; call = next) {
		next = call->next;
		call_end(call, GRPC_CANCELLED, GRPC_STOPPED, "canceled");
		call->conn = NULL;
		call->stream = 0;
		if (call->abandoned)
			call_release(call);
	}
	nghttp2_session_del(c->session); /* accepts NULL */
	free(c);
}

const struct grpc_end *grpc_dead(const struct grpc_conn *c)
{
	return c->state == CONN_DEAD || c->leaving ? &c->why : NULL;
}

void grpc_hold(struct grpc_conn *c, bool hold)
{
	int64_t now = now_ms();

	for (struct grpc_call *call = c->calls; call && c->held && !hold; call = call->next)
		call->until += now - c->held_since; /* that time was ours */
	if (hold && !c->held)
		c->held_since = now;
	c->held = hold;
}
