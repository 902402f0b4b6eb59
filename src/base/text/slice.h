/* A piece of a text that somebody else owns: n bytes at s, not terminated.  s may be NULL only when n is 0.
 * Comparisons are bytewise.  Pure. */
#ifndef BASE_TEXT_SLICE_H
#define BASE_TEXT_SLICE_H

#include <stdbool.h>
#include <stddef.h>

struct slice {
	const char *s;
	size_t n;
};

struct slice slice_of(const char *); /* of a terminated string; NULL becomes an empty slice */
bool slice_is(struct slice, const char *);
bool slice_same(struct slice, struct slice);
int slice_order(struct slice, struct slice); /* as strcmp() */
bool slice_begins(struct slice, const char *);
bool slice_ends(struct slice, const char *);
bool slice_ends_nocase(struct slice, const char *);
bool slice_cut(struct slice *, const char *what);       /* takes it off the front; false: it is not there */
bool slice_cut_end(struct slice *, const char *what);   /* off the end */
const char *slice_find(struct slice, const char *what); /* the first place, NULL */
struct slice slice_trim(struct slice);                  /* without blanks and tabs at both ends */

#endif
