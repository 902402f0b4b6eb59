#include "config.h"

#include "base/codec/wire.h"

#include <endian.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

/* Millions of fields are read through these. */
#define FAST static inline __attribute__((always_inline))
#define VARINT_MAX 10
#define GROUPS_MAX 64 /* groups in groups */
#define SURE 8        /* fields in a row that are no accident */

enum { TYPE_VARINT, TYPE_FIXED64, TYPE_BYTES, TYPE_GROUP, TYPE_END, TYPE_FIXED32 };

/* AMD's were slow before family 19h (Zen 3); no Intel processor that has it is. */
static bool look_for_pext(void)
{
#ifdef __x86_64__
	enum { BMI2 = 1 << 8, AMD = 0x68747541, HYGON = 0x6f677948, ZEN_3 = 0x19 };
	unsigned a, b, c, d, vendor;

	if (!__get_cpuid(0, &a, &vendor, &c, &d) || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & BMI2))
		return false;
	return (vendor != AMD && vendor != HYGON) ||
	    (__get_cpuid(1, &a, &b, &c, &d) && (a >> 8 & 15) + (a >> 20 & 255) >= ZEN_3);
#else
	return false;
#endif
}

/* The answer is kept: in a virtual machine, asking the processor takes longer than reading many events. */
bool wire_has_pext(void)
{
	static _Atomic int known; /* 1 + the answer */

	if (!known)
		known = 1 + look_for_pext();
	return known == 2;
}

FAST const uint8_t *varint(struct wire *w, const uint8_t *p, uint64_t *v)
{
	const uint8_t *next = wire_varint(p, w->end, v);

	if (!next)
		w->cut = w->end - p < VARINT_MAX;
	return next;
}

FAST const uint8_t *fixed(struct wire *w, const uint8_t *p, size_t size)
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

FAST const uint8_t *delimited(struct wire *w, const uint8_t *p)
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

FAST const uint8_t *key(struct wire *w, const uint8_t *p)
{
	uint64_t v;

	p = varint(w, p, &v);
	if (!p || !(v >> 3) || v >> 32)
		return NULL;
	w->field = (uint32_t)(v >> 3);
	w->type = v & 7;
	return p;
}

/* The value of a field that is not a group. */
FAST const uint8_t *skip_value(struct wire *w, const uint8_t *p)
{
	return w->type == TYPE_VARINT ? varint(w, p, &w->u)
	    : w->type == TYPE_BYTES   ? delimited(w, p)
	    : w->type == TYPE_FIXED64 ? fixed(w, p, 8)
	    : w->type == TYPE_FIXED32 ? fixed(w, p, 4)
				      : NULL;
}

/* Groups may hold groups.  Of what they hold nothing is kept. */
static __attribute__((noinline)) const uint8_t *skip_group(struct wire *w, const uint8_t *p)
{
	uint32_t open[GROUPS_MAX] = { w->field };
	size_t depth = 1;

	while (p && depth) {
		w->cut = p == w->end;
		p = w->cut ? NULL : key(w, p);
		if (p && w->type == TYPE_GROUP) {
			p = depth < GROUPS_MAX ? p : NULL;
			open[p ? depth++ : 0] = w->field;
		} else if (p && w->type == TYPE_END) {
			p = w->field == open[--depth] ? p : NULL;
		} else if (p) {
			p = skip_value(w, p);
		}
	}
	w->field = open[0];
	w->type = TYPE_GROUP;
	w->s = NULL;
	w->n = 0;
	return p;
}

bool wire_next(struct wire *w)
{
	const uint8_t *p;

	if (w->bad || w->p >= w->end)
		return false;
	w->s = NULL;
	w->n = 0;
	p = key(w, w->p);
	if (p)
		p = w->type == TYPE_GROUP ? skip_group(w, p) : skip_value(w, p);
	if (!p) {
		w->bad = true;
		return false;
	}
	w->p = p;
	return true;
}

bool wire_skip_end(struct wire *w)
{
	const uint8_t *p = w->bad && !w->cut ? key(w, w->p) : NULL;

	if (!p || w->type != TYPE_END)
		return false;
	w->p = p;
	w->bad = false;
	return true;
}

/* Groups, which old messages have, may be as long as the rest and are not looked into. */
static bool goes_on(struct wire w, bool (*fits)(const void *ctx, const struct wire *), const void *ctx)
{
	for (int n = 0; n < SURE && w.p < w.end; n++)
		if ((*w.p & 7) == TYPE_GROUP || !wire_next(&w) || !fits(ctx, &w))
			return false;
	return true;
}

bool wire_resume(struct wire *w, bool (*fits)(const void *ctx, const struct wire *), const void *ctx)
{
	const uint8_t *last = w->end - w->p > DAMAGE_MOST ? w->p + DAMAGE_MOST : w->end;

	if (!w->bad || w->cut)
		return false;
	while (w->bad && ++w->p < last)
		w->bad = !*w->p || /* no field begins with 0, which is what fills the holes of files */
		    !goes_on(wire_open(w->p, (size_t)(w->end - w->p)), fits, ctx);
	return !w->bad;
}
