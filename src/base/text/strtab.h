/* Interned strings: equal bytes get equal IDs; ID 0 is "".  Strings may have any bytes and stay exactly as in
 * the file (the canvas and the writers make them safe to show).  strtab_add() copies the bytes; strtab_ref()
 * keeps the pointer, which must outlive the table (mapped files do).  Only copied strings are NUL-terminated:
 * use strtab_len().  Not thread safe while adding; several threads may read while nothing is added.
 * Everything belongs to the table until strtab_free(). */
#ifndef BASE_TEXT_STRTAB_H
#define BASE_TEXT_STRTAB_H

#include <stddef.h>
#include <stdint.h>

#include "base/text/slice.h"

typedef uint32_t strid;

struct strtab {
	struct strtab_entry {
		const char *s;
		uint32_t len, hash;
	} * v; /* by ID */
	uint32_t n, cap;
	uint32_t *slot, nslot; /* open addressing, ID + 1 */
	struct strtab_block *copies;
};

void strtab_init(struct strtab *);
void strtab_free(struct strtab *);
strid strtab_add(struct strtab *, const char *, size_t);
strid strtab_addz(struct strtab *, const char *);
strid strtab_ref(struct strtab *, const char *, size_t);
strid strtab_find(const struct strtab *, const char *, size_t); /* UINT32_MAX: not there */
uint32_t strtab_hash(const char *, size_t);                     /* fast; the low bits are good */

static inline const char *strtab_str(const struct strtab *t, strid id)
{
	return t->v[id].s;
}
static inline size_t strtab_len(const struct strtab *t, strid id)
{
	return t->v[id].len;
}
static inline struct slice strtab_text(const struct strtab *t, strid id)
{
	return (struct slice){ t->v[id].s, t->v[id].len };
}

#endif
