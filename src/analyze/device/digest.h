/* Digests (tpuscope(7), DIGESTS): what the analysis of a pod needs of one host, in a few hundred kB instead
 * of its whole capture.  A digest is an XSpace whose device planes have no ops except collectives and
 * transfers.  Two statistics of each plane, DIGEST_STAT and DIGEST_OPS_STAT (data/proto/digest.proto), have
 * the sums that the ops would give, per step and per op, and how busy the core was at coarse resolution.
 * digest_make() makes them from a capture.  ops/scan.c, ops/step_cores.c, steps/extent.c and
 * steps/duty_cycle.c use them instead of walking a plane's events, so everything after them gives the same
 * numbers as for the capture.  What needs individual ops is not available: ops of one step, of a module in a
 * time window, of SparseCores, contents of fusions.  A message of another version, or with columns that do
 * not fit together, is ignored.  The dump is only read, except by digest_counters().  Any thread. */
#ifndef ANALYZE_DEVICE_DIGEST_H
#define ANALYZE_DEVICE_DIGEST_H

#include "analyze/device/step_metric.h"
#include "digest.pb-c.h"
#include "model/digest.h"
#include "model/dump.h"

#define DIGEST_COLUMNS 1000   /* number of buckets in the occupancy */
#define DIGEST_RUNS (4 << 20) /* so many ops times steps are kept */

/* Numbers stored for one core in one step: its metrics, three more, and its kinds of time. */
enum { DIGEST_CELLS = METRIC_COUNT + 3 + KIND_OPS };

/* Numbers that say how the two clocks of a plane differ: data/proto/digest.proto. */
enum { DIGEST_CLOCKS = 7 };

/* Convert a double to the form of the message and back. */
uint64_t digest_bits(double);
double digest_double(uint64_t);
/* Returns the bytes of a statistic of a digest's plane, which belong to the dump; *n = 0: it has none. */
const uint8_t *digest_stat(const struct dump *, uint32_t plane, const char *name, size_t *n);
/* The kinds of events of a plane, which are adjacent; those that were added later come after all of them. */
uint32_t digest_kinds(const struct dump *, uint32_t plane, size_t *n);
/* NULL: an ordinary plane, a digest from before there were any, or a damaged one.  left_out: they were too many.  The
 * caller frees (pb__digest_runs__free_unpacked). */
Pb__DigestRuns *digest_runs(const struct dump *, uint32_t plane);
/* Returns NULL for an ordinary plane.  Free with digest_free(). */
Pb__DigestPlane *digest_of_plane(const struct dump *, uint32_t plane);
void digest_free(Pb__DigestPlane *);
/* Fills in what the ops of a step add up to, except idle time, sync and times; returns false when there is no
 * such step.  event: number of the marker on its line.  *at: where to begin, 0 at first: they are in order. */
bool digest_cell(const Pb__DigestPlane *, size_t event, size_t *at, struct step_core *);

/* Makes the occupancy of each core a counter, "busy (coarse digest)" in %, with one sample per bucket;
 * returns how many were added.  A second call adds none.  Owner thread of the dump. */
size_t digest_counters(struct dump *);
bool digest_is_counter(const struct dump *, const struct counter *);
int64_t digest_bucket(const struct counter *); /* length of a bucket, ps */
/* busy time in [t0, t1), ps; -1: not known there */
double digest_busy(const struct counter *, int64_t t0, int64_t t1);

#endif
