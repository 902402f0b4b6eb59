/* Interned strings: equal bytes get equal ids, id 0 is "".  Strings may hold any bytes and stay exactly as in
 * the file (making them safe to show is the canvas' and the writers' job).  strtab_add() copies the bytes,
 * strtab_ref() keeps the pointer, which must then outlive the table (mapped files do).  All strings are also
 * NUL-terminated only when copied: use strtab_len().
 * Not thread safe while adding; reading from several threads is fine when nobody adds.
 * Ownership: everything belongs to the table until strtab_free(). */
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
	} * v; /* by id */
	uint32_t n, cap;
	uint32_t *slot, nslot; /* open addressing, id + 1 */
	struct strtab_block *copies;
};

void strtab_init(struct strtab *);
void strtab_free(struct strtab *);
strid strtab_add(struct strtab *, const char *, size_t);
strid strtab_addz(struct strtab *, const char *);
strid strtab_ref(struct strtab *, const char *, size_t);
strid strtab_find(const struct strtab *, const char *, size_t); /* UINT32_MAX when absent */
uint32_t strtab_hash(const char *, size_t);                     /* fast, good in the low bits */

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
