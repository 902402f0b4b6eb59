/* What the halves of the client share: grpc_conn.c has the socket and the loop, grpc_call.c the streams in it. */
#ifndef REMOTE_INTERNAL_H
#define REMOTE_INTERNAL_H

#include <nghttp2/nghttp2.h>

#include "remote/framing.h"

enum conn_state { CONN_CONNECTING, CONN_GREETING, CONN_OPEN, CONN_DEAD };

struct grpc_conn {
	struct endpoint to;
	size_t at; /* the address that is tried */
	char authority[300];
	int fd;
	enum conn_state state;
	int64_t until; /* for connecting and greeting */
	nghttp2_session *session;
	const uint8_t *out; /* what nghttp2 wants to send and the socket did not take yet */
	size_t nout;
	uint8_t first[16]; /* of what the peer says */
	size_t nfirst;
	bool held, leaving; /* leaving: the server takes no more calls */
	int64_t held_since;
	struct grpc_call *calls;
	struct grpc_end why; /* dead, leaving */
};

struct grpc_call {
	struct grpc_conn *conn; /* NULL once the connection is closed */
	struct grpc_call *next;
	int32_t stream; /* 0: not sent */
	char *path;
	uint8_t *body;
	size_t nbody, nsent;
	int64_t timeout, sent, until;
	uint64_t received;
	int http, status; /* -1: not said */
	bool is_grpc;     /* by its content type */
	char message[300];
	struct framing framing;
	struct grpc_end end;
	bool ended, abandoned; /* abandoned: freed when its stream closes */
};

nghttp2_session *call_session(struct grpc_conn *); /* with the callbacks of calls; NULL: no memory */
void call_submit(struct grpc_call *);              /* on an open connection */
void call_end(struct grpc_call *, int code, enum grpc_cause, const char *text);
void call_late(struct grpc_call *); /* its time is over */
void call_release(struct grpc_call *);

#endif
