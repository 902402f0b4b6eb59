/* A client of gRPC without TLS (HTTP/2 with prior knowledge, on nghttp2): calls with one message each way, several of
 * them on a connection, many connections in one loop of one thread.  Nothing waits but grpc_wait().
 *
 *     conn = grpc_open(&endpoint, "localhost:9012");
 *     call = grpc_start(conn, &(struct grpc_request){ .path = "/tensorflow.ProfilerService/Profile", ... });
 *     while (!grpc_end(call))
 *             grpc_wait(&conn, 1, -1);
 *     ... grpc_end(call)->code ... grpc_free(call); grpc_close(conn);
 *
 * The answer goes to the sink of the request piece by piece, unpacked if it was packed, and is never held as a whole.
 * A connection that could not be made, is lost, or has something else at its other end, ends all its calls and takes
 * no more (grpc_dead()); open another one.  grpc_close() ends them, too; calls stay until grpc_free().  What a peer
 * says is untrusted: text is cut and made printable.  Times are milliseconds of now_ms(). */
#ifndef REMOTE_GRPC_H
#define REMOTE_GRPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "remote/address.h"

/* codes of gRPC that are told apart */
enum grpc_code {
	GRPC_OK = 0,
	GRPC_CANCELLED = 1,
	GRPC_UNKNOWN = 2,
	GRPC_DEADLINE = 4,
	GRPC_NOT_FOUND = 5,
	GRPC_EXISTS = 6,
	GRPC_DENIED = 7,
	GRPC_EXHAUSTED = 8,
	GRPC_UNIMPLEMENTED = 12,
	GRPC_INTERNAL = 13,
	GRPC_UNAVAILABLE = 14,
	GRPC_UNAUTHENTICATED = 16
};

enum grpc_cause {
	GRPC_ANSWERED,    /* the server said so */
	GRPC_UNREACHABLE, /* no connection */
	GRPC_FOREIGN,     /* something else than gRPC without TLS */
	GRPC_LOST,        /* the connection ended */
	GRPC_BROKEN,      /* the answer breaks the rules */
	GRPC_LATE,        /* no answer in time */
	GRPC_STOPPED      /* canceled here */
};

struct grpc_end {
	int code;
	enum grpc_cause cause;
	char text[300]; /* printable, may be empty if the server said no more than a code */
};

struct grpc_sink {
	void *self; /* the functions may be NULL */
	/* the answer begins; bytes on the wire, fewer than put() will get if it is packed */
	void (*begin)(void *self, uint64_t bytes);
	/* a piece of it; false: no more, please */
	bool (*put)(void *self, const uint8_t *, size_t);
};

struct grpc_request {
	const char *path;
	const uint8_t *message; /* copied */
	size_t n;
	int64_t timeout_ms;
	struct grpc_sink sink;
};

struct grpc_conn;
struct grpc_call;

const char *grpc_missing(void); /* NULL, or why this program cannot do it */
struct grpc_conn *grpc_open(const struct endpoint *, const char *authority);
void grpc_close(struct grpc_conn *);
const struct grpc_end *grpc_dead(const struct grpc_conn *); /* NULL: calls can be started */
/* Nothing is read while a connection is held; the peer keeps what it has. */
void grpc_hold(struct grpc_conn *, bool);
struct grpc_call *grpc_start(struct grpc_conn *, const struct grpc_request *);
void grpc_cancel(struct grpc_call *);
void grpc_free(struct grpc_call *);
const struct grpc_end *grpc_end(const struct grpc_call *); /* NULL: still open */
int64_t grpc_sent_at(const struct grpc_call *);   /* when the request went to the connection; 0 = not yet */
uint64_t grpc_received(const struct grpc_call *); /* bytes of the answer, on the wire */
uint64_t grpc_expected(const struct grpc_call *); /* 0: it has not begun */

#define GRPC_TURN_MS 100 /* how long a loop waits that has other things to look at */
/* Waits until something happens on one of the connections, at most so long (-1: no limit).  Also returns when a signal
 * arrives. */
void grpc_wait(struct grpc_conn *const *, size_t n, int64_t timeout_ms);

#endif
