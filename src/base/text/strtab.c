#include "config.h"

#include "base/text/strtab.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FIRST_SLOTS 256u
#define BLOCK_SIZE (256u << 10)

struct strtab_block {
	struct strtab_block *next;
	size_t used, size;
	char data[];
};

__extension__ typedef unsigned __int128 u128;

static inline uint64_t load64(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint64_t load32(const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint64_t mix(uint64_t a, uint64_t b)
{
	u128 r = (u128)a * b;

	return (uint64_t)r ^ (uint64_t)(r >> 64);
}

/* After wyhash (public domain, Wang Yi): 16 bytes per multiplication, three independent lanes for long
 * strings.  The rest is read as the last bytes of the string, which has at least 17. */
uint32_t strtab_hash(const char *s, size_t len)
{
	static const uint64_t k0 = 0xa0761d6478bd642fu, k1 = 0xe7037ed1a0b428dbu;
	static const uint64_t k2 = 0x8ebc6af09c88c6e3u, k3 = 0x589965cc75374cc3u;
	uint64_t h = k0, a = 0, b = 0;
	size_t i = len;

	if (len <= 16) {
		if (len >= 8) {
			a = load64(s);
			b = load64(s + len - 8);
		} else if (len >= 4) {
			a = load32(s);
			b = load32(s + len - 4);
		} else if (len) {
			a = (uint64_t)(unsigned char)s[0] << 16 | (uint64_t)(unsigned char)s[len >> 1] << 8 |
			    (unsigned char)s[len - 1];
		}
	} else {
		if (i > 48) {
			uint64_t h1 = h, h2 = h;
			for (; i > 48; i -= 48, s += 48) {
				h = mix(load64(s) ^ k1, load64(s + 8) ^ h);
				h1 = mix(load64(s + 16) ^ k2, load64(s + 24) ^ h1);
				h2 = mix(load64(s + 32) ^ k3, load64(s + 40) ^ h2);
			}
			h ^= h1 ^ h2;
		}
		for (; i > 16; i -= 16, s += 16)
			h = mix(load64(s) ^ k1, load64(s + 8) ^ h);
		a = load64(s + i - 16);
		b = load64(s + i - 8);
	}
	h = mix(k1 ^ len, mix(a ^ k1, b ^ h));
	return (uint32_t)(h ^ h >> 32);
}

static void put_slot(struct strtab *t, strid id)
{
	uint32_t mask = t->nslot - 1, i = t->v[id].hash & mask;

	while (t->slot[i])
		i = (i + 1) & mask;
	t->slot[i] = id + 1;
}

static void grow_slots(struct strtab *t)
{
	free(t->slot);
	t->nslot = t->nslot ? t->nslot * 2 : FIRST_SLOTS;
	t->slot = xcalloc(t->nslot, sizeof *t->slot);
	for (strid id = 0; id < t->n; id++)
		put_slot(t, id);
}

static strid find_hashed(const struct strtab *t, const char *s, size_t len, uint32_t hash)
{
	uint32_t mask = t->nslot - 1;

	for (uint32_t i = hash & mask; t->slot[i]; i = (i + 1) & mask) {
		const struct strtab_entry *e = &t->v[t->slot[i] - 1];
		if (e->hash == hash && e->len == len && !memcmp(e->s, s, len))
			return t->slot[i] - 1;
	}
	return UINT32_MAX;
}

static const char *copy_bytes(struct strtab *t, const char *s, size_t len)
{
	struct strtab_block *b = t->copies;
	char *p;

	if (!b || b->size - b->used < len + 1) {
		size_t size = len + 1 > BLOCK_SIZE / 4 ? len + 1 : BLOCK_SIZE;
		struct strtab_block *fresh = xmalloc(sizeof *fresh + size);
		fresh->size = size;
		fresh->used = 0;
		if (b && size != BLOCK_SIZE) { /* the rest of the current block stays in use */
			fresh->next = b->next;
			b->next = fresh;
		} else {
			fresh->next = b;
			t->copies = fresh;
		}
		b = fresh;
	}
	p = b->data + b->used;
	memcpy(p, s, len);
	p[len] = '\0';
	b->used += len + 1;
	return p;
}

static strid intern(struct strtab *t, const char *s, size_t len, bool copy)
{
	uint32_t hash;
	strid id;

	if (!len)
		return 0;
	if (len > UINT32_MAX - 1)
		len = UINT32_MAX - 1;
	hash = strtab_hash(s, len);
	id = find_hashed(t, s, len, hash);
	if (id != UINT32_MAX)
		return id;
	if (t->n >= t->nslot / 2)
		grow_slots(t);
	VEC_PUSH(t->v, t->n, t->cap);
	id = t->n++;
	t->v[id].s = copy ? copy_bytes(t, s, len) : s;
	t->v[id].len = (uint32_t)len;
	t->v[id].hash = hash;
	put_slot(t, id);
	return id;
}

void strtab_init(struct strtab *t)
{
	memset(t, 0, sizeof *t);
	VEC_ADD(t->v, t->n, t->cap, (struct strtab_entry){ .s = "", .len = 0, .hash = strtab_hash("", 0) });
	grow_slots(t);
}

void strtab_free(struct strtab *t)
{
	struct strtab_block *b = t->copies, *next;

	for (; b; b = next) {
		next = b->next;
		free(b);
	}
	free(t->v);
	free(t->slot);
	memset(t, 0, sizeof *t);
}

strid strtab_add(struct strtab *t, const char *s, size_t len)
{
	return intern(t, s, len, true);
}

strid strtab_addz(struct strtab *t, const char *s)
{
	return intern(t, s, strlen(s), true);
}

strid strtab_ref(struct strtab *t, const char *s, size_t len)
{
	return intern(t, s, len, false);
}

strid strtab_find(const struct strtab *t, const char *s, size_t len)
{
	if (!len)
		return 0;
	return find_hashed(t, s, len, strtab_hash(s, len));
}
