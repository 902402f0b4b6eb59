#include "config.h"
#include "widget/fold.h"

#include "base/mem.h"
#include "base/text/strtab.h"

uint64_t fold_key(uint64_t parent, const char *name, size_t len, unsigned kind)
{
	uint64_t h = (parent ^ (strtab_hash(name, len) + kind * 0x9e3779b9u)) * 0x9e3779b97f4a7c15u;

	return h ^ h >> 29;
}

const struct fold_mark *fold_find(const struct fold_marks *m, uint64_t key)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].key == key)
			return &m->v[i];
	return NULL;
}

struct fold_mark *fold_mark(struct fold_marks *m, uint64_t key)
{
	const struct fold_mark *old = fold_find(m, key);

	if (old)
		return &m->v[old - m->v];
	VEC_PUSH(m->v, m->n, m->cap);
	m->v[m->n] = (struct fold_mark){ .key = key };
	return &m->v[m->n++];
}
