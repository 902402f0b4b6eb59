/* Inflates a gzip file that is in memory as a whole (mapped), members behind each other and zero padding
 * included.  Three ways: gunzip_start/block/stop hands out pieces in order while a thread inflates ahead into
 * a ring; gunzip_all() makes one block of everything; gunzip_read() gives any range again, from a copy of the
 * inflater's state made each 4 MiB.  What comes before damage is always delivered.  The struct owns all it
 * hands out.  One thread at a time, except that gunzip_read() locks. */
#ifndef LOAD_GUNZIP_H
#define LOAD_GUNZIP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"

struct gunzip;

struct gunzip *gunzip_new(const uint8_t *in, size_t n);
void gunzip_free(struct gunzip *);
size_t gunzip_head(const uint8_t *in, size_t n, uint8_t *buf, size_t size);	/* first bytes inflated */

/* As source_stream_*(). */
int gunzip_start(struct gunzip *, struct progress *, struct err *);
int64_t gunzip_block(struct gunzip *, size_t keep, const uint8_t **piece, uint64_t *offset, struct err *);
void gunzip_stop(struct gunzip *);

/* At most `limit` bytes; NULL with err when there are more or nothing.  *damaged as in source_bytes(). */
const uint8_t *gunzip_all(struct gunzip *, size_t limit, size_t *size, uint64_t *damaged, struct progress *,
	struct err *);
size_t gunzip_read(struct gunzip *, uint64_t offset, void *buf, size_t size);

#endif
