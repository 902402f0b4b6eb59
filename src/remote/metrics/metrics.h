/* The metrics of the chips of this machine, which libtpu serves while a job holds them: one port per process, 8431 for
 * the first one.  metrics_read() asks all ports for everything that they list, at the same time, and waits for the
 * answers.  A metric that a server lists and does not have is left out.  Readings belong to the caller
 * (readings_free).  One thread. */
#ifndef REMOTE_METRICS_METRICS_H
#define REMOTE_METRICS_METRICS_H

#include "remote/address.h"

#define METRICS_PORT 8431

struct reading {
	const char *metric; /* belongs to the metrics */
	const char *from;   /* the address of its server */
	int server;         /* the number of that one in the list */
	int device;         /* -1: of no single one; another server may have one of the same number */
	char label[64];     /* other attributes: "core_type TENSOR_CORE", "8MB+"; "" */
	double value;       /* of a distribution: its mean; NaN: no number */
	bool distribution;
	double count, p50, p90, p95, p999; /* NaN: nothing counted, or buckets of another kind */
};

struct readings {
	struct reading *v;
	size_t n, cap;
};

struct core_status {
	const char *from; /* the address of its server */
	int core, chip;   /* -1: not said */
	int64_t pc;
	char kind[32], location[200], error[120];
};

struct metrics;

struct metrics *metrics_new(const struct address *, const struct endpoint *, size_t n);
void metrics_free(struct metrics *);
/* -1 with err: no server answers, or stopped (status 0).  stop() is asked ten times a second. */
int metrics_read(struct metrics *, struct readings *, bool (*stop)(void *), void *self, struct err *);
/* Asks what each core executes, which costs the job more than metrics do; the caller frees *v. */
int metrics_cores(struct metrics *, struct core_status **v, size_t *n, bool (*stop)(void *), void *self,
    struct err *);
void readings_free(struct readings *);
/* Percentile of counts in exponential buckets, q from 0 to 1; NaN: nothing counted. */
double metrics_percentile(const int64_t *count, size_t n, double scale, double growth, double q);

#endif
