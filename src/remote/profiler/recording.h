/* Captures of running jobs, of several servers at once: one loop, one thread, no output but files.
 *
 *     capture = recording_new(&options, &err);
 *     while (recording_step(capture))
 *             ... recording_status(capture, i, &status) ...
 *     ... recording_exit(capture) ... recording_free(capture);
 *
 * What was captured lies in recording_path() once a worker is done, whatever becomes of the others.  The options, and
 * what they point to, have to live as long.  Times are milliseconds of now_ms(). */
#ifndef REMOTE_PROFILER_RECORDING_H
#define REMOTE_PROFILER_RECORDING_H

#include "remote/address.h"
#include "remote/profiler/request.h"
#include "remote/profiler/save.h"

/* exit statuses of `capture` beside those of err.h, address.h and save.h */
#define EXIT_EMPTY 3
#define EXIT_BUSY 4
#define EXIT_LATE 6
#define EXIT_STOPPED 130

struct capture_options {
	const struct address *address; /* n of them */
	const struct endpoint *to;
	size_t n;
	const char *logdir, *session,
	    *spare; /* session, spare (a logdir for when that disk is full): may be NULL */
	struct profile_options what;
	int attempts, delay_ms, grace_s;
	bool save_there; /* the servers write the files */
	bool in_memory;  /* nothing is saved: recording_bytes() has it */
	bool continuous; /* the answer is a snapshot of what the server traces already */
};

enum worker_state {
	WORKER_WAITING, /* for its time to begin */
	WORKER_CONNECTING,
	WORKER_TRACING,
	WORKER_COLLECTING, /* its time is over, the server puts together what it has */
	WORKER_RECEIVING,
	WORKER_FULL, /* the disk is: recording_room() */
	WORKER_RETRYING,
	WORKER_DONE,
	WORKER_FAILED,
	WORKER_CANCELED
};

struct worker_status {
	const char *address;
	enum worker_state state;
	int attempt, exit;        /* exit: of a worker that failed */
	int64_t since, until;     /* this state; until 0 = not known */
	uint64_t bytes, expected; /* received; 0 = not known */
	bool stopping;            /* asked to end early */
	const char *text;         /* why it failed, or tries again; notes of one that is done */
	const char *path;         /* the file, when it is done; NULL */
};

struct recording;

const char *worker_state_name(enum worker_state);
struct recording *recording_new(const struct capture_options *, struct err *);
void recording_free(struct recording *); /* cancels what is going on */
/* Waits a moment (GRPC_TURN_MS) for something to happen; false: all workers are at their end. */
bool recording_step(struct recording *);
void recording_status(const struct recording *, size_t i, struct worker_status *);
void recording_stop(struct recording *); /* no more is traced, what is there is kept */
void recording_cancel(struct recording *);
/* Goes on where a disk was full, in another logdir if one is given. */
int recording_room(struct recording *, const char *logdir, struct err *);
/* Gives up where a disk is full: what arrived stays as FILE.part. */
void recording_no_room(struct recording *);
int recording_exit(const struct recording *);         /* 0, or the status of the first one that failed */
const char *recording_path(const struct recording *); /* the folder of the run, NULL if nothing is in it */
/* What an in-memory capture has; owned by the capture. */
const uint8_t *recording_bytes(const struct recording *, size_t i, size_t *n);

#endif
