/* What a job is doing right now, from one short capture of it, or from what an old server says itself: the numbers of
 * monitoring levels 1 and 2.  They are those of the overview (tpuscope(7), OVERVIEW).  NaN = not known.  Plain values.
 * Any thread. */
#ifndef LIVE_SAMPLE_H
#define LIVE_SAMPLE_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "base/err.h"
#include "base/text/slice.h"

struct job_sample {
	time_t time;
	bool tpu; /* it has device planes of TPUs */
	char type[80];
	int cores;
	double idle, mxu;                          /* percent */
	double step_avg, step_min, step_max;       /* ms; without a TPU, of the host's steps */
	double infeed_avg, infeed_min, infeed_max; /* percent */
	char said[2000]; /* the server's own text, printable; "" if the numbers are ours */
};

/* From the bytes of an XSpace. */
int sample_of_capture(const void *, size_t, struct job_sample *, struct err *);
/* From the answer to Monitor. */
int sample_of_answer(const void *, size_t, struct job_sample *, struct err *);
/* Writes it as the guides show it; level 1: type and utilization, 2: everything. */
void sample_write(const struct job_sample *, int level, FILE *);

#endif
