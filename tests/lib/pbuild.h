/* A tiny protobuf writer for tests, and XSpaces made with it.  A message is a growing buffer; pb_sub() puts
 * one into another and frees it.
 *
 *	struct pb e = pb_event(1, 1000, 500), l = pb_line(7, "XLA Ops", 0);
 *	struct pb p = pb_plane(1, "/device:TPU:0"), space = { 0 };
 *	pb_sub(&l, 4, &e);  pb_sub(&p, 3, &l);  pb_meta(&p, 1, "fusion.1", NULL);  pb_sub(&space, 1, &p);
 *	… space.b, space.n …  pb_free(&space); */
#ifndef TESTS_PBUILD_H
#define TESTS_PBUILD_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pb {
	uint8_t *b;
	size_t n, cap;
};

static inline void pb_raw(struct pb *p, const void *bytes, size_t n)
{
	if (p->n + n > p->cap) {
		p->cap = (p->n + n) * 2;
		p->b = realloc(p->b, p->cap);
		if (!p->b)
			abort();
	}
	if (n)
		memcpy(p->b + p->n, bytes, n);
	p->n += n;
}

static inline void pb_varint(struct pb *p, uint64_t v)
{
	uint8_t byte;

	do {
		byte = (uint8_t)((v & 127) | (v > 127 ? 128 : 0));
		pb_raw(p, &byte, 1);
		v >>= 7;
	} while (v);
}

static inline void pb_u(struct pb *p, unsigned field, uint64_t v)
{
	pb_varint(p, field << 3);
	pb_varint(p, v);
}

static inline void pb_bytes(struct pb *p, unsigned field, const void *bytes, size_t n)
{
	pb_varint(p, field << 3 | 2);
	pb_varint(p, n);
	pb_raw(p, bytes, n);
}

static inline void pb_s(struct pb *p, unsigned field, const char *s)
{
	pb_bytes(p, field, s, strlen(s));
}

static inline void pb_double(struct pb *p, unsigned field, double d)
{
	uint8_t b[8];
	uint64_t u;

	memcpy(&u, &d, 8);
	for (int i = 0; i < 8; i++)
		b[i] = (uint8_t)(u >> 8 * i);
	pb_varint(p, field << 3 | 1);
	pb_raw(p, b, 8);
}

static inline void pb_free(struct pb *p)
{
	free(p->b);
	memset(p, 0, sizeof *p);
}

static inline void pb_sub(struct pb *p, unsigned field, struct pb *sub)
{
	pb_bytes(p, field, sub->b, sub->n);
	pb_free(sub);
}

/* ---- XSpace ---- */

static inline struct pb pb_event(int64_t meta, int64_t offset_ps, int64_t duration_ps)
{
	struct pb e = { 0 };

	pb_u(&e, 1, (uint64_t)meta);
	pb_u(&e, 2, (uint64_t)offset_ps);
	pb_u(&e, 3, (uint64_t)duration_ps);
	return e;
}

static inline struct pb pb_line(int64_t id, const char *name, int64_t timestamp_ns)
{
	struct pb l = { 0 };

	pb_u(&l, 1, (uint64_t)id);
	pb_s(&l, 2, name);
	if (timestamp_ns)
		pb_u(&l, 3, (uint64_t)timestamp_ns);
	return l;
}

static inline struct pb pb_plane(int64_t id, const char *name)
{
	struct pb p = { 0 };

	pb_u(&p, 1, (uint64_t)id);
	pb_s(&p, 2, name);
	return p;
}

static inline void pb_entry(struct pb *plane, unsigned map, int64_t id, struct pb *value)
{
	struct pb entry = { 0 };

	pb_u(&entry, 1, (uint64_t)id);
	pb_sub(&entry, 2, value);
	pb_sub(plane, map, &entry);
}

static inline void pb_meta(struct pb *plane, int64_t id, const char *name, const char *display)
{
	struct pb m = { 0 };

	pb_u(&m, 1, (uint64_t)id);
	pb_s(&m, 2, name);
	if (display)
		pb_s(&m, 4, display);
	pb_entry(plane, 4, id, &m);
}

static inline void pb_stat_name(struct pb *plane, int64_t id, const char *name)
{
	struct pb m = { 0 };

	pb_u(&m, 1, (uint64_t)id);
	pb_s(&m, 2, name);
	pb_entry(plane, 5, id, &m);
}

/* The value field of an XStat: 2 double, 3 uint64, 4 int64, 5 string, 7 reference. */
static inline struct pb pb_stat(int64_t id)
{
	struct pb s = { 0 };

	pb_u(&s, 1, (uint64_t)id);
	return s;
}

static inline void pb_stat_u(struct pb *owner, unsigned field, int64_t id, unsigned value, uint64_t u)
{
	struct pb s = pb_stat(id);

	pb_u(&s, value, u);
	pb_sub(owner, field, &s);
}

static inline void pb_stat_s(struct pb *owner, unsigned field, int64_t id, const char *text)
{
	struct pb s = pb_stat(id);

	pb_s(&s, 5, text);
	pb_sub(owner, field, &s);
}

static inline void pb_stat_d(struct pb *owner, unsigned field, int64_t id, double d)
{
	struct pb s = pb_stat(id);

	pb_double(&s, 2, d);
	pb_sub(owner, field, &s);
}

/* One part of an op's "memory_access_breakdown": 1 read, 2 write. */
static inline void pb_access(struct pb *breakdown, unsigned operation, unsigned space, uint64_t bytes)
{
	struct pb a = { 0 };

	pb_u(&a, 1, operation);
	pb_u(&a, 2, space);
	pb_u(&a, 3, bytes);
	pb_sub(breakdown, 1, &a);
}

#endif
