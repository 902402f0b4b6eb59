/* Protobuf wire format, read in place: bounds are checked at every step, nothing is allocated or copied.  A
 * reader that meets something invalid is `bad` and stays at that byte: wire_next() returns false, and `p`
 * says where.  A group is one field of type 3, whose content is skipped.  An end of a group that did not
 * begin is invalid; wire_skip_end() continues after it.  If the data ends too early, it is also `cut`; s then
 * points to the existing part of a length-delimited field, n bytes, or is NULL.  Pure, thread safe. */
#ifndef BASE_CODEC_WIRE_H
#define BASE_CODEC_WIRE_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text/slice.h"

#define DAMAGE_MOST (16 << 20) /* bytes: nothing is looked for behind a longer damage */

struct wire {
	const uint8_t *p, *end;
	bool bad, cut;
	uint32_t field; /* number of the field just read */
	uint8_t type;
	uint64_t u; /* value of a varint, fixed64 or fixed32 field */
	const uint8_t *s;
	size_t n; /* bytes of a length-delimited field */
};

/* NULL = cut off or too long */
static inline const uint8_t *wire_varint(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
	if (p < end && *p < 128) {
		*v = *p;
		return p + 1;
	}
	uint64_t r = 0;
	for (int shift = 0; p < end && shift < 70; shift += 7) {
		uint8_t b = *p++;

		if (shift < 64)
			r |= (uint64_t)(b & 127) << shift;
		if (b < 128) {
			*v = r;
			return p;
		}
	}
	return NULL;
}

/* Has the processor a fast PEXT instruction?  Any thread. */
bool wire_has_pext(void);

/* The bits of w that are set in mask, side by side: groups of seven.  pext: a constant, so that one way is left. */
static inline uint64_t wire_gather(uint64_t w, uint64_t mask, bool pext)
{
#ifdef __x86_64__
	if (pext) {
		__asm__("pext %2, %1, %0" : "=r"(w) : "r"(w), "rm"(mask));
		return w;
	}
#else
	(void)pext;
#endif
	w &= mask;
	w = (w & 0x007f007f007f007fu) | (w & 0x7f007f007f007f00u) >> 1;
	w = (w & 0x00003fff00003fffu) | (w & 0x3fff00003fff0000u) >> 2;
	return (w & 0x0fffffffu) | (w & 0x0fffffff00000000u) >> 4;
}

/* Reads a varint of up to 8 bytes without a branch per byte; 8 bytes must be readable.  NULL: it is
 * longer. */
static inline const uint8_t *wire_varint_quick(const uint8_t *p, uint64_t *v, bool pext)
{
	uint64_t w, stop;

	memcpy(&w, p, 8);
	w = le64toh(w);
	stop = ~w & 0x8080808080808080u;
	if (!stop)
		return NULL;
	*v = wire_gather(w, (stop ^ (stop - 1)) & 0x7f7f7f7f7f7f7f7fu, pext);
	return p + ((unsigned)__builtin_ctzll(stop) >> 3) + 1;
}

/* p may be NULL if n is 0 */
static inline struct wire wire_open(const void *p, size_t n)
{
	return (struct wire){ .p = p, .end = n ? (const uint8_t *)p + n : p };
}

bool wire_next(struct wire *); /* reads the next field; false at the end or when bad */
/* Makes a reader good again that the end of a group made bad.  False: something else is wrong with it. */
bool wire_skip_end(struct wire *);
/* A reader that met something invalid, not the end, goes on at the next byte from which on all fields to the end,
 * or the next few, fit what the message may hold.  False: there is none within DAMAGE_MOST.  `fits` sees the field just
 * read. */
bool wire_resume(struct wire *, bool (*fits)(const void *ctx, const struct wire *), const void *ctx);
static inline struct slice wire_text(const struct wire *w)
{
	return (struct slice){ (const char *)w->s, w->n };
}
static inline double wire_double(const struct wire *w)
{
	double d;
	memcpy(&d, &w->u, 8);
	return d;
}

#endif
