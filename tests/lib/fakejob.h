/* What fake-job says: the bodies of its answers, as fake_http.c sends them.  A reply is made when its call has come in
 * whole; the server owns it. */
#ifndef TESTS_FAKEJOB_H
#define TESTS_FAKEJOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/slice.h"
#include "tests/lib/pbuild.h"

struct reply {
	struct pb body;      /* with the five bytes before each message */
	uint64_t zeros;      /* so many bytes after it, which are not kept */
	int status;          /* of gRPC; -1: none */
	const char *message; /* of the status, as it is sent */
	const char *http;    /* status of HTTP, "200" if NULL */
	int rst;             /* code of HTTP/2 that ends it, -1: it is not reset */
	int64_t after_ms;    /* when it begins */
	bool trailers_only, reset, goaway, cut, drip, never;
	char session[80]; /* ends early when this session is terminated */
};

struct fake {
	const char *const *says; /* for each call of Profile in turn; the last one stays */
	int nsays, calls;
	const char *greeting; /* what it says instead of HTTP/2; "silent", "close" */
	const char *space_file;
	unsigned mib;
	bool monitors, has_metrics;
	int devices;
	const char *metrics_are; /* of another kind (fake_metrics.c), "" */
	int log;
	char stopped[8][80]; /* sessions that are terminated */
	int nstopped;
};

void fake_reply(struct fake *, struct reply *, const char *path, const uint8_t *message, size_t n);
void fake_metrics(struct reply *, const struct fake *, const char *method, const uint8_t *message, size_t n);
/* Puts the message into the body, with the five bytes before it, and frees it. */
void fake_message(struct reply *, struct pb *message);
bool fake_stopped(const struct fake *, const char *session);

#endif
