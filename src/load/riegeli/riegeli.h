/* Files of Riegeli records, as continuous profiling writes them: blocks of 64 KiB with a header each, chunks that run
 * through them, and in a chunk records, compressed together.  riegeli_open() finds the chunks, checks every hash and
 * unpacks the records, on several threads, into one block of memory, or of a file if they are large
 * (base/spill/spill.h); records that are empty are left out.  Damage
 * loses as little as possible: a chunk whose data is wrong loses itself, and after a wrong header the next block header
 * leads on.  What was lost is listed with its place in the file.
 *
 * The file must stay in memory while it is opened, not after that.  The struct owns its memory (riegeli_free).
 * A chunk that says it unpacks to more than its file may (DECODER_TIMES, DECODER_FREE in load/source/decoder.h)
 * is lost; so are all that are beyond `limit` bytes together, or, if they can go into a file, a few times the size of
 * theirs. */
#ifndef LOAD_RIEGELI_RIEGELI_H
#define LOAD_RIEGELI_RIEGELI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"

#define RIEGELI_DAMAGES 100 /* that are listed; the rest is counted in the last one */

enum riegeli_why {
	RIEGELI_BLOCK,       /* a block header: nothing is lost */
	RIEGELI_SIGNATURE,   /* the file does not begin as it should */
	RIEGELI_HEADER,      /* a chunk header */
	RIEGELI_DATA,        /* the data of a chunk */
	RIEGELI_CUT,         /* the file ends inside a chunk */
	RIEGELI_TRANSPOSED,  /* a form that is not read */
	RIEGELI_UNKNOWN,     /* a type of chunk that is not known */
	RIEGELI_COMPRESSION, /* so is its compression */
	RIEGELI_LIBRARY,     /* this build cannot unpack it */
	RIEGELI_LARGE,       /* too large, or too many records */
	RIEGELI_MEMORY,
};

struct riegeli_damage {
	enum riegeli_why why;
	uint64_t from, to; /* bytes of the file */
	uint64_t bytes,
	    records; /* that were in it, as it says; of RIEGELI_CUT: bytes that are there, and in all */
	uint64_t count;
	uint8_t what; /* type of the chunk, or its compression */
};

struct riegeli_record {
	size_t at, n;   /* in bytes */
	uint64_t chunk; /* the place in the file where its chunk begins */
};

struct riegeli {
	uint8_t *bytes;
	struct spill *spill; /* has them; NULL: memory */
	size_t n;
	struct riegeli_record *records; /* in the order of the file */
	size_t nrecords, records_cap;
	uint64_t chunks; /* with records, whether they could be read or not */
	struct riegeli_damage *damages;
	size_t ndamages, damages_cap;
};

bool riegeli_is(const uint8_t *head, size_t n); /* by its first bytes */
void riegeli_open(struct riegeli *, const uint8_t *file, size_t n, size_t limit, int threads,
    struct progress *);
void riegeli_free(struct riegeli *);
/* Says in words what is damaged, into buf. */
const char *riegeli_say(const struct riegeli_damage *, char *buf, size_t size);
/* The record that holds a byte of the content, or is the last before it; NULL: there is none. */
const struct riegeli_record *riegeli_record_at(const struct riegeli *, size_t at);

#endif
