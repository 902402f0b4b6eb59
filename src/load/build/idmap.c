#include "config.h"

#include "load/build/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_SLOTS 16

void idmap_plan(struct idmap *m, int64_t largest, size_t n)
{
	if (m->ndense || largest < 0 || (uint64_t)largest >= (uint64_t)n * 4 + 64)
		return;
	m->ndense = (size_t)largest + 1;
	m->dense = xrealloc(NULL, m->ndense, sizeof *m->dense);
	memset(m->dense, 0xff, m->ndense * sizeof *m->dense);
}

static struct idmap_slot *slot_of(const struct idmap *m, int64_t key)
{
	size_t i = (size_t)hash_mix((uint64_t)key, 0) & (m->nslot - 1);

	while (m->slot[i].value != IDMAP_NONE && m->slot[i].key != key)
		i = (i + 1) & (m->nslot - 1);
	return &m->slot[i];
}

static void grow(struct idmap *m)
{
	struct idmap old = *m;

	m->nslot = old.nslot ? old.nslot * 2 : FIRST_SLOTS;
	m->slot = xrealloc(NULL, m->nslot, sizeof *m->slot);
	for (size_t i = 0; i < m->nslot; i++)
		m->slot[i].value = IDMAP_NONE;
	for (size_t i = 0; i < old.nslot; i++)
		if (old.slot[i].value != IDMAP_NONE)
			*slot_of(m, old.slot[i].key) = old.slot[i];
	free(old.slot);
}

void idmap_put(struct idmap *m, int64_t key, uint32_t value)
{
	struct idmap_slot *s;

	if ((uint64_t)key < m->ndense) {
		m->dense[key] = value;
		return;
	}
	if (m->used >= m->nslot / 2)
		grow(m);
	s = slot_of(m, key);
	m->used += s->value == IDMAP_NONE;
	*s = (struct idmap_slot){ .key = key, .value = value };
}

uint32_t idmap_find(const struct idmap *m, int64_t key)
{
	if ((uint64_t)key < m->ndense)
		return m->dense[key];
	return m->nslot ? slot_of(m, key)->value : IDMAP_NONE;
}

void idmap_free(struct idmap *m)
{
	free(m->dense);
	free(m->slot);
	memset(m, 0, sizeof *m);
}
