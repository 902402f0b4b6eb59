/* A piece of a text that somebody else owns: n bytes at s, not terminated.  s may be NULL only when n is 0.
 * Comparisons are bytewise.  Pure. */
#ifndef BASE_TEXT_SLICE_H
#define BASE_TEXT_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct slice {
	const char *s;
	size_t n;
};

struct slice slice_of(const char *); /* of a terminated string; NULL becomes an empty slice */
bool slice_same(struct slice, struct slice);
int slice_order(struct slice, struct slice); /* as strcmp() */
bool slice_ends(struct slice, const char *);
bool slice_ends_nocase(struct slice, const char *);
bool slice_cut_end(struct slice *, const char *what);      /* off the end */
const char *slice_find(struct slice, const char *what);    /* the first place, NULL */
struct slice slice_before(struct slice, const char *what); /* up to the first place; all, if there is none */
bool slice_has_nocase(struct slice, const char *what);
struct slice slice_trim(struct slice); /* without blanks and tabs at both ends */

/* These are here because what they compare with is mostly a constant, whose length is then one, too. */
static inline bool slice_begins(struct slice s, const char *what)
{
	size_t n = strlen(what);

	return s.n >= n && (!n || !memcmp(s.s, what, n));
}

static inline bool slice_is(struct slice s, const char *what)
{
	return s.n == strlen(what) && slice_begins(s, what);
}

/* Takes it off the front; false: it is not there. */
static inline bool slice_cut(struct slice *s, const char *what)
{
	if (!slice_begins(*s, what))
		return false;
	s->s += strlen(what);
	s->n -= strlen(what);
	return true;
}

#endif
