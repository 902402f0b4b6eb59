/* Raw Snappy, as blocks of trace tables and chunks of Riegeli records are packed: a varint with the unpacked size,
 * which the caller reads (wire_varint), then literals and copies of what was unpacked before.  Nothing is allocated,
 * nothing is read or written beyond the two buffers.  Pure. */
#ifndef BASE_CODEC_SNAPPY_H
#define BASE_CODEC_SNAPPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SNAPPY_RATIO 32 /* more than Snappy can expand a byte to */

/* Unpacks what follows the size into out, at most `size` bytes, and returns how many: fewer where the data ends or is
 * damaged, *whole is false then.  *whole: all of the input was used and gave just `size` bytes. */
size_t snappy_unpack(const uint8_t *p, const uint8_t *end, uint8_t *out, size_t size, bool *whole);

#endif
