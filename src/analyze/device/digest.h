/* Digests (tpuscope(7), DIGESTS): what an analysis of a pod needs of one host, a few hundred kB instead of
 * its capture.  A digest is an XSpace whose device planes have no ops but for collectives and transfers; the
 * statistics DIGEST_STAT and DIGEST_OPS_STAT of such a plane (data/proto/digest.proto) have the sums that the
 * ops would give, per step and per op, and how busy it was, coarsely.  digest_make() fills them from a
 * capture; opdb_scan.c, step_cores.c, steps_times.c and duty_cycle.c ask for them before they walk a plane,
 * so everything behind them gives the numbers of the capture.  What needs single ops has none: ops of one
 * step, of a module in a window, of SparseCores, contents of fusions. A message of another version, or whose
 * columns do not fit together, is none.  The dump is only read, but for digest_counters(); any thread. */
#ifndef ANALYZE_DEVICE_DIGEST_H
#define ANALYZE_DEVICE_DIGEST_H

#include "analyze/device/step_metric.h"
#include "digest.pb-c.h"
#include "model/digest.h"
#include "model/dump.h"

#define DIGEST_COLUMNS 1000 /* of the occupancy */

/* Numbers of one core in one step: its kinds of time, and three more. */
enum { DIGEST_CELLS = METRIC_COUNT + 3 };

/* a double as the message has it, and back */
uint64_t digest_bits(double);
double digest_double(uint64_t);
/* The bytes of a statistic of a digest's plane, in the dump; n 0: it has none. */
const uint8_t *digest_stat(const struct dump *, uint32_t plane, const char *name, size_t *n);
/* NULL: an ordinary plane; digest_free() */
Pb__DigestPlane *digest_of_plane(const struct dump *, uint32_t plane);
void digest_free(Pb__DigestPlane *);
/* What the ops of a step add up to (idle, sync and times not set); false: no such step.
 * event: of its line, that marks it */
bool digest_cell(const Pb__DigestPlane *, size_t event, struct step_core *);

/* Makes the occupancy of each core a counter, "busy (coarse digest)" in %, one sample per bucket; returns how
 * many were added.  A second call adds none.  Owner of the dump. */
size_t digest_counters(struct dump *);
bool digest_is_counter(const struct dump *, const struct counter *);
int64_t digest_bucket(const struct counter *);                      /* ps */
double digest_busy(const struct counter *, int64_t t0, int64_t t1); /* ps in it; -1: nothing is known there */

#endif
