/* What is asked of a profiler server, as messages of protobuf.  The functions return bytes that the caller frees.
 * Texts are borrowed.  Any thread. */
#ifndef REMOTE_PROFILER_REQUEST_H
#define REMOTE_PROFILER_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PROFILER_SERVICE "/tensorflow.ProfilerService/"

/* what is traced, and how closely */
struct profile_options {
	int duration_ms, host_level, device_level, python_level;
	bool no_hlo, no_dataset_ops;
	const char *advanced; /* "key=value,key=value": true and false, numbers, or texts; NULL */
};

struct profile_request {
	struct profile_options what;
	const char *root, *session, *host;
	int64_t start_ns; /* since 1970 by the server's clock; 0 = at once */
	bool save_there;  /* the server writes the files, as old ones do in any case */
};

uint8_t *request_profile(const struct profile_request *, size_t *n);
uint8_t *request_terminate(const char *session, size_t *n);
uint8_t *request_monitor(int duration_ms, int level, size_t *n);
int request_check(const struct profile_options *, struct err *); /* the form of `advanced` */

#endif
