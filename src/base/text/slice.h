/* A piece of a text that somebody else owns: n bytes at s, not terminated.  s may be NULL only when n is 0.
 * Comparisons are of bytes.  Pure. */
#ifndef BASE_TEXT_SLICE_H
#define BASE_TEXT_SLICE_H

#include <stdbool.h>
#include <stddef.h>

struct slice {
	const char *s;
	size_t n;
};

struct slice slice_of(const char *); /* a terminated string; NULL: an empty slice */
bool slice_is(struct slice, const char *);
bool slice_begins(struct slice, const char *);
bool slice_ends(struct slice, const char *);
const char *slice_find(struct slice, const char *what); /* the first place, NULL */
struct slice slice_trim(struct slice);                  /* without blanks and tabs at both ends */

#endif
