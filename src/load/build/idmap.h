/* A map from the 64-bit IDs of a file to 32-bit indices: an array if the IDs are small, as they almost always
 * are, else open addressing.  A zeroed struct is empty.  Lookups are thread safe while nothing is added.  The
 * owner frees (idmap_free). */
#ifndef LOAD_BUILD_IDMAP_H
#define LOAD_BUILD_IDMAP_H

#include <stddef.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

struct idmap {
	uint32_t *dense;
	size_t ndense;
	struct idmap_slot {
		int64_t key;
		uint32_t value;
	} * slot; /* value IDMAP_NONE: free slot */
	size_t nslot, used;
};

/* Announces n keys up to `largest`, and uses an array if that pays off. */
void idmap_plan(struct idmap *, int64_t largest, size_t n);
/* The last value put for a key wins; it must not be IDMAP_NONE. */
void idmap_put(struct idmap *, int64_t key, uint32_t value);
uint32_t idmap_find(const struct idmap *, int64_t key);
void idmap_free(struct idmap *);

static inline uint32_t idmap_get(const struct idmap *m, int64_t key) /* IDMAP_NONE: not found */
{
	return (uint64_t)key < m->ndense ? m->dense[key] : idmap_find(m, key);
}

#endif
