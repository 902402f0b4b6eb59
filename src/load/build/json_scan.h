/* JSON read in place, a token at a time: no tree, no allocation, no recursion, whatever the input.  `p` is
 * where to read and `end` where the piece in memory ends.  A function returns the place after what it read;
 * NULL when the piece ends inside of it (more bytes may help); `p` itself when something else is there.
 * Accepts what traces contain: control characters in strings, NaN and Infinity, any bytes other than
 * delimiters as a literal.  Pure, thread safe. */
#ifndef LOAD_BUILD_JSON_SCAN_H
#define LOAD_BUILD_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/text/slice.h"

static inline bool scan_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Prefetches: scanning is bound by memory, and hardware prefetchers stop at the end of a page.  The place
 * need not exist. */
static inline void scan_ahead(const char *p)
{
	__builtin_prefetch((const void *)((uintptr_t)p + 1024));
}

static inline const char *scan_space(const char *p, const char *end)
{
	while (p < end && scan_is_space(*p))
		p++;
	return p;
}

/* p is after the opening quote; returns the closing one. */
static inline const char *scan_quote(const char *p, const char *end)
{
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');

	while (end - p >= 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		__m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash));
		unsigned m = (unsigned)_mm_movemask_epi8(hit);

		if (!m) {
			p += 16;
			continue;
		}
		p += __builtin_ctz(m);
		if (*p == '"')
			return p;
		p += 2;
	}
#endif
	for (; p < end; p++) {
		if (*p == '"')
			return p;
		p += *p == '\\';
	}
	return NULL;
}

const char *scan_nested(const char *p,
    const char *end); /* object or array, whose brackets are not distinguished */
const char *scan_value(const char *p, const char *end);

/* Skips one value that may be longer than the piece in memory: NULL = continue with the next piece. */
struct scan_skip {
	uint64_t depth;
	bool string, escape, begun;
};
const char *scan_skip(struct scan_skip *, const char *p, const char *end);

/* Microseconds, exact: any number of digits, fraction, exponent, in quotes or not.  Rounded to whole ps, half
 * away from zero. */
struct scan_time {
	int64_t us;
	int32_t ps; /* 0…1000000, of the sign of us */
	bool range; /* us did not fit */
};
const char *scan_time_slow(const char *p, const char *end, struct scan_time *);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Reads up to eight digits of a fraction at once (the low byte of the word is the first).  Returns how many
 * are digits. */
static inline unsigned scan_fraction(const char *p, int32_t *ps)
{
	uint64_t w, other, keep;
	unsigned n;

	__builtin_memcpy(&w, p, 8);
	other = (w + UINT64_C(0x4646464646464646)) | (w - UINT64_C(0x3030303030303030));
	other &= UINT64_C(0x8080808080808080);
	n = other ? (unsigned)__builtin_ctzll(other) >> 3 : 8;
	keep = n == 8 ? ~UINT64_C(0) : (UINT64_C(1) << (8 * n)) - 1;
	w = (w & keep) | (UINT64_C(0x3030303030303030) & ~keep);
	*ps = (int32_t)(w >> 48 & 0xff) >= '5';
	/* two zeros and six digits are combined into pairs, fours, eight */
	w = (w << 16 & UINT64_C(0x0f0f0f0f0f0f0f0f)) * 2561 >> 8;
	w = (w & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;
	*ps += (int32_t)((w & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001) >> 32);
	return n;
}
#endif

static inline const char *scan_time(const char *p, const char *end, struct scan_time *t)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (end - p > 32) {
		const char *q = p + (*p == '-'), *first = q;
		uint64_t us = 0;
		int32_t ps = 0;

		while ((unsigned char)(*q - '0') < 10 && q - first < 17)
			us = us * 10 + (uint64_t)(*q++ - '0');
		if (q > first && q - first < 17) {
			if (*q == '.') {
				unsigned n = scan_fraction(++q, &ps);

				q += n;
				if (n == 8)
					while (q < end && (unsigned char)(*q - '0') < 10)
						q++;
			}
			if (q < end && *q != 'e' && *q != 'E') {
				t->us = *p == '-' ? -(int64_t)us : (int64_t)us;
				t->ps = *p == '-' ? -ps : ps;
				t->range = false;
				return q;
			}
		}
	}
#endif
	return scan_time_slow(p, end, t);
}

/* A whole number, wrapped to 64 bits; a fraction is cut off. */
const char *scan_int_slow(const char *p, const char *end, int64_t *);
static inline const char *scan_int(const char *p, const char *end, int64_t *v)
{
	uint64_t u = 0;
	const char *q = p;

	while (q < end && (unsigned char)(*q - '0') < 10)
		u = u * 10 + (uint64_t)(*q++ - '0');
	if (q == p || q == end || *q == '.' || *q == 'e' || *q == 'E')
		return scan_int_slow(p, end, v);
	*v = (int64_t)u;
	return q;
}

static inline int scan_hex(char c) /* -1: not a digit */
{
	int low = c | 0x20;

	return (unsigned char)(c - '0') < 10 ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/* Decodes escapes; invalid ones stay as they are, lone surrogates become U+FFFD.  `out` may be `s`, since the
 * result is never longer. */
size_t scan_unescape(char *out, const char *s, size_t n);

/* Walks the members of an object (or the elements of an array, key.n = 0), given its text from bracket to
 * bracket.  *at is 0 at first.  Value and key are as in the file, strings with their quotes.  False at
 * the end or at damage. */
bool scan_member(struct slice object, size_t *at, struct slice *key, struct slice *value);
bool scan_is_string(struct slice value);
struct slice scan_inside(struct slice value);   /* a string without its quotes; others as they are */
bool scan_number(struct slice value, double *); /* also in quotes; NaN and the like are not numbers */

#endif
