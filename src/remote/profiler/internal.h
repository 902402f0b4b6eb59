/* What the parts of a capture share: capture.c runs the workers, worker.c is what one of them does, outcome.c what its
 * answer means. */
#ifndef REMOTE_PROFILER_INTERNAL_H
#define REMOTE_PROFILER_INTERNAL_H

#include "remote/grpc.h"
#include "remote/profiler/recording.h"
#include "remote/profiler/response.h"

#define PAUSE_MS 1000            /* before the next attempt */
#define BYTES_MAX (512ull << 20) /* of all servers, of a capture in memory */

struct worker {
	struct recording *capture;
	const struct address *address;
	const struct endpoint *to;
	char name[230]; /* of its files */
	enum worker_state state;
	int attempt, exit;
	int64_t since, until, busy_since;
	struct grpc_conn *conn;
	struct grpc_call *call, *stop;
	struct response response;
	struct save save;
	uint8_t *bytes; /* in memory */
	size_t nbytes, cap;
	uint64_t received, expected;
	bool stopping, opened;
	struct err trouble;                /* of saving */
	char *path, text[600], first[400]; /* first: why the first attempt failed */
};

struct recording {
	struct capture_options o;
	struct run_folder folder;
	char *spare;   /* folder of the run below another logdir */
	char *scratch; /* of a capture in memory: where an old server writes it */
	uint64_t most; /* bytes that it may have in memory */
	struct worker *worker;
	struct grpc_conn **conn; /* for the loop */
	bool saved;
};

const char *recording_folder(const struct recording *);     /* where files go now */
bool worker_hold(struct worker *, const uint8_t *, size_t); /* in memory; false: too much */
void worker_step(struct worker *, int64_t now);
void worker_close(struct worker *); /* connection, call, files that are not whole */
void worker_enter(struct worker *, enum worker_state, int64_t until);
bool worker_over(const struct worker *);
/* Decides on what the call ended with: done, failed, or another attempt. */
void worker_outcome(struct worker *, const struct grpc_end *);
void worker_fail(struct worker *, int exit, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int worker_open_file(struct worker *);

#endif
