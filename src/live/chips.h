/* The readings of chips as rows, one for each device of each server, which count their devices alone.  What is measured
 * per chip stands in the rows of all its devices; where it is not known which those are, it stands in none.  NaN = not
 * known.  The caller frees (chips_free); addresses are borrowed from the readings.  Pure. */
#ifndef LIVE_CHIPS_H
#define LIVE_CHIPS_H

#include <stdio.h>
#include <time.h>

#include "live/local.h"
#include "remote/metrics/metrics.h"

#define DEVICES_MAX 4096 /* rows: a job has that many chips, a server that says more of them is wrong */

struct chip {
	const char *from; /* the address of its server; NULL: nobody said it */
	int server, device;
	double used, total;                            /* bytes of HBM */
	double duty, bandwidth;                        /* percent */
	double idle_s, queue;                          /* programs in the queue */
	double count, p50_us, p90_us, p95_us, p999_us; /* of executions of programs */
};

struct chips {
	struct chip *v; /* by server and device */
	size_t n;
};

struct chips chips_of(const struct readings *);
/* The devices of the chips that this machine has, of which nothing but their memory is known. */
struct chips chips_of_bus(const struct local_chips *);
void chips_free(struct chips *);
const struct chip *chips_find(const struct chips *, int server, int device); /* NULL: none */
bool chips_share_number(const struct chips *, int device); /* several servers have one of that number */
void chips_forget(struct chips *); /* nothing is known of the devices any more, except that they were there */
bool chips_know(const char *metric); /* it stands in a row */
/* Writes all readings of one moment: as lines for people, of CSV (with its head, if first), of JSON. */
void chips_write_text(const struct readings *, time_t, FILE *);
void chips_write_csv(const struct readings *, time_t, bool first, FILE *);
void chips_write_json(const struct readings *, time_t, FILE *);

#endif
