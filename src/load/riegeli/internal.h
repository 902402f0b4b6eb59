/* What the parts of the reader share: chunks, found by walk.c, unpacked by chunk.c through codec.c. */
#ifndef LOAD_RIEGELI_INTERNAL_H
#define LOAD_RIEGELI_INTERNAL_H

#include "load/riegeli/riegeli.h"

enum {
	RIEGELI_BLOCK_SIZE = 65536,
	RIEGELI_BLOCK_HEADER = 24,
	RIEGELI_CHUNK_HEADER = 40,
	RIEGELI_SIGNED = 64
};

struct riegeli_file {
	const uint8_t *b;
	size_t n;
};

struct riegeli_chunk {    /* a simple chunk that is there as a whole */
	uint64_t at, end; /* end: of its data */
	uint64_t data;    /* the place where its data begins */
	uint64_t size;    /* of the data, without block headers */
	uint64_t hash, nrecords, decoded;
	/* filled by unpacking */
	size_t to;     /* where its content goes */
	size_t *sizes; /* of its records; the caller frees */
	bool lost;
	struct riegeli_damage damage; /* if lost */
};

struct riegeli_chunks {
	struct riegeli_chunk *v;
	size_t n, cap;
};

/* Lists the simple chunks of a file, and the damage outside of their data. */
void riegeli_walk(struct riegeli *, const struct riegeli_file *, struct riegeli_chunks *);
bool riegeli_begins(const uint8_t *head, size_t n); /* as far as it goes */
void riegeli_damaged(struct riegeli *, const struct riegeli_damage *);
/* Copies bytes, without the block headers in between, and returns how many there are. */
size_t riegeli_gather(const struct riegeli_file *, uint64_t at, uint8_t *to, size_t n);
uint64_t riegeli_hash(const void *, size_t);

/* Checks a chunk and unpacks its records to `content`, which has room for c->decoded bytes; thread safe. */
void riegeli_unpack(const struct riegeli_file *, struct riegeli_chunk *, uint8_t *content);

enum codec_result { CODEC_OK, CODEC_WRONG, CODEC_UNKNOWN, CODEC_NO_LIBRARY, CODEC_NO_MEMORY };
/* Unpacks all of `in` to exactly n bytes. */
enum codec_result riegeli_decompress(uint8_t how, const uint8_t *in, size_t nin, uint8_t *out, size_t n);

#endif
