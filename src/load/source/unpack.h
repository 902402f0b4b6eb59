/* Unpacks a file that is in memory as a whole (mapped), in the format that packing_of() recognized.  Three
 * ways: unpack_start/block/stop hands out pieces in order while a thread unpacks ahead into a ring;
 * unpack_all() makes one block of everything; unpack_read() reads any range of what was streamed again: for
 * gzip from copies of the decoder's state, made every 4 MiB; for zstd, whose state cannot be copied, from
 * blocks of 1 MiB that are compressed again, which takes about as much memory as the file; what is read often
 * stays unpacked.  unpack_once() saves that.  Everything before damage is delivered.  The struct owns all it
 * hands out.  One thread at a time, except that unpack_read() locks. */
#ifndef LOAD_SOURCE_UNPACK_H
#define LOAD_SOURCE_UNPACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"

struct packing;
struct unpack;

struct unpack *unpack_new(const struct packing *, const uint8_t *in,
    size_t n); /* of a format that has open() */
void unpack_free(struct unpack *);
void unpack_once(struct unpack *); /* before the start: unpack_read() will not be called */
/* Reads the first bytes of the content; err if damage leaves none. */
size_t unpack_head(const struct unpack *, uint8_t *buf, size_t size, struct err *);

/* Like source_stream_*(). */
int unpack_start(struct unpack *, struct progress *, struct err *);
int64_t unpack_block(struct unpack *, size_t keep, const uint8_t **piece, uint64_t *offset, struct err *);
void unpack_stop(struct unpack *);

/* Returns at most `limit` bytes; NULL with err if there are more, or none.  *damaged as in source_bytes(). */
const uint8_t *unpack_all(struct unpack *, size_t limit, size_t *size, uint64_t *damaged, struct progress *,
    struct err *);
const char *unpack_why(const struct unpack *); /* why *damaged is what it is */
size_t unpack_read(struct unpack *, uint64_t offset, void *buf, size_t size);

#endif
