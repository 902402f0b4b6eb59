/* In the place of the client where nghttp2 is not there: nothing can be opened. */
#include "config.h"

#include <stdlib.h>

#include "remote/grpc.h"

const char *grpc_missing(void)
{
	return "this program was built without nghttp2, which talks to running jobs: install libnghttp2-dev, "
	       "then configure and make it again";
}

struct grpc_conn *grpc_open(const struct endpoint *to, const char *authority)
{
	(void)to;
	(void)authority;
	return NULL;
}

void grpc_close(struct grpc_conn *c)
{
	(void)c;
}

const struct grpc_end *grpc_dead(const struct grpc_conn *c)
{
	static const struct grpc_end why = { GRPC_UNAVAILABLE, GRPC_UNREACHABLE, "built without nghttp2" };

	(void)c;
	return &why;
}

void grpc_hold(struct grpc_conn *c, bool hold)
{
	(void)c;
	(void)hold;
}

struct grpc_call *grpc_start(struct grpc_conn *c, const struct grpc_request *r)
{
	(void)c;
	(void)r;
	return NULL;
}

void grpc_cancel(struct grpc_call *c)
{
	(void)c;
}

void grpc_free(struct grpc_call *c)
{
	(void)c;
}

const struct grpc_end *grpc_end(const struct grpc_call *c)
{
	(void)c;
	return grpc_dead(NULL);
}

int64_t grpc_sent_at(const struct grpc_call *c)
{
	(void)c;
	return 0;
}

uint64_t grpc_received(const struct grpc_call *c)
{
	(void)c;
	return 0;
}

uint64_t grpc_expected(const struct grpc_call *c)
{
	(void)c;
	return 0;
}

void grpc_wait(struct grpc_conn *const *c, size_t n, int64_t timeout_ms)
{
	(void)c;
	(void)n;
	(void)timeout_ms;
}
