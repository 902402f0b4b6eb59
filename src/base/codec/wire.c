#include "config.h"

#include "base/codec/wire.h"

#include <endian.h>

#define VARINT_MAX 10

static const uint8_t *varint(struct wire *w, const uint8_t *p, uint64_t *v)
{
	const uint8_t *next = wire_varint(p, w->end, v);

	w->cut = !next && w->end - p < VARINT_MAX;
	return next;
}

static const uint8_t *fixed(struct wire *w, const uint8_t *p, size_t size)
{
	uint64_t eight;
	uint32_t four;

	w->cut = (size_t)(w->end - p) < size;
	if (w->cut)
		return NULL;
	if (size == 8) {
		memcpy(&eight, p, 8);
		w->u = le64toh(eight);
	} else {
		memcpy(&four, p, 4);
		w->u = le32toh(four);
	}
	return p + size;
}

static const uint8_t *delimited(struct wire *w, const uint8_t *p)
{
	p = varint(w, p, &w->u);
	if (!p)
		return NULL;
	w->s = p;
	w->n = (size_t)(w->end - p);
	w->cut = w->u > w->n;
	if (w->cut)
		return NULL;
	w->n = (size_t)w->u;
	return p + w->n;
}

bool wire_next(struct wire *w)
{
	const uint8_t *p;
	uint64_t key;

	if (w->bad || w->p >= w->end)
		return false;
	w->s = NULL;
	w->n = 0;
	p = varint(w, w->p, &key);
	if (p && (!(key >> 3) || key >> 32))
		p = NULL;
	if (p) {
		w->field = (uint32_t)(key >> 3);
		w->type = key & 7;
		p = w->type == 0   ? varint(w, p, &w->u)
		    : w->type == 1 ? fixed(w, p, 8)
		    : w->type == 2 ? delimited(w, p)
		    : w->type == 5 ? fixed(w, p, 4)
				   : NULL;
	}
	if (!p) {
		w->bad = true;
		return false;
	}
	w->p = p;
	return true;
}
