#include "config.h"
#include "mutate.h"

#include "base/codec/wire.h"
#include "../lib/pbuild.h"

enum { FIELDS_MAX = 256, DEPTH_MAX = 12, BOUND = 64 };

struct place {
	const uint8_t *at, *end;
	struct wire w;
};

/* Returns 0 when it is no message, or an empty one. */
static size_t list_fields(const uint8_t *b, size_t n, struct place *f)
{
	struct wire w = wire_open(b, n);
	size_t k = 0;

	for (const uint8_t *at = b; k < FIELDS_MAX && wire_next(&w); at = w.p)
		f[k++] = (struct place){ at, w.p, w };
	return w.bad ? 0 : k;
}

static void put(struct pb *out, const struct place *f)
{
	pb_raw(out, f->at, (size_t)(f->end - f->at));
}

static void put_tag(struct pb *out, const struct place *f)
{
	pb_varint(out, (uint64_t)f->w.field << 3 | f->w.type);
}

static uint64_t odd_number(uint64_t u, uint32_t *state)
{
	switch (mutate_random(state, 6)) {
	case 0:
		return u + 1;
	case 1:
		return u - 1;
	case 2:
		return u << mutate_random(state, 40);
	case 3:
		return mutate_random(state, 300);
	default:
		return (UINT64_C(1) << mutate_random(state, BOUND)) - mutate_random(state, 2);
	}
}

static void put_value(struct pb *out, const struct place *f, size_t max, uint32_t *state)
{
	uint64_t u = odd_number(f->w.u, state);
	struct pb text = { 0 };

	put_tag(out, f);
	switch (f->w.type) {
	case 0:
		pb_varint(out, u);
		break;
	case 2:
		mutate_bytes(&text, f->w.s, f->w.n, max < 32 ? max : 32);
		pb_varint(out, text.n);
		pb_raw(out, text.b, text.n);
		break;
	case 1:
	case 5:
		mutate_bytes(out, f->end - (f->w.type == 1 ? 8 : 4), f->w.type == 1 ? 8 : 4, 0);
	}
	pb_free(&text);
}

/* The length says something else. */
static void put_length(struct pb *out, const struct place *f, uint32_t *state)
{
	put_tag(out, f);
	if (f->w.type == 2) {
		pb_varint(out, odd_number(f->w.n, state));
		pb_raw(out, f->w.s, f->w.n);
	} else {
		/* a number in more bytes than it needs */
		pb_raw(out, "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 2 + mutate_random(state, 10));
	}
}

static void put_other_number(struct pb *out, struct place f, uint32_t *state)
{
	const uint8_t *body = f.at;
	uint64_t tag;

	body = wire_varint(body, f.end, &tag);
	f.w.field = (uint32_t)(1 + mutate_random(state, 24));
	put_tag(out, &f);
	pb_raw(out, body, (size_t)(f.end - body));
}

/* Writes the i-th of k fields, changed; returns the one after which the rest follows. */
static size_t put_changed(struct pb *out, const struct place *f, size_t i, size_t k, size_t max,
    uint32_t *state)
{
	size_t j = mutate_random(state, k),
	       times = 2 + mutate_random(state, mutate_rarely(state, 8) ? 500 : 2);

	switch (mutate_random(state, 9)) {
	case 0:
		break;
	case 1:
		for (size_t t = 0; t < times && out->n < max; t++)
			put(out, &f[i]);
		break;
	case 2:
		put(out, &f[j]);
		if (j <= i)
			break;
		pb_raw(out, f[i].end, (size_t)(f[j].at - f[i].end));
		put(out, &f[i]);
		return j;
	case 3:
		put(out, &f[j]);
		put(out, &f[i]);
		break;
	case 4:
		put_other_number(out, f[i], state);
		break;
	case 5:
		put_length(out, &f[i], state);
		break;
	default:
		put_value(out, &f[i], max, state);
	}
	return i;
}

static int change_message(struct pb *out, const uint8_t *b, size_t n, size_t max, int depth, uint32_t *state)
{
	struct place *f = malloc(FIELDS_MAX * sizeof *f);
	size_t k = f && n ? list_fields(b, n, f) : 0, i = mutate_random(state, k);
	struct pb sub = { 0 };

	if (!k) {
		free(f);
		return -1;
	}
	pb_raw(out, b, (size_t)(f[i].at - b));
	if (f[i].w.type == 2 && depth && mutate_random(state, 6) &&
	    !change_message(&sub, f[i].w.s, f[i].w.n, max, depth - 1, state)) {
		put_tag(out, &f[i]);
		pb_varint(out, sub.n);
		pb_raw(out, sub.b, sub.n);
	} else {
		i = put_changed(out, f, i, k, max, state);
	}
	pb_raw(out, f[i].end, (size_t)(b + n - f[i].end));
	pb_free(&sub);
	free(f);
	return 0;
}

int mutate_wire(struct pb *out, const uint8_t *bytes, size_t n, size_t max, uint32_t *state)
{
	return change_message(out, bytes, n, max, DEPTH_MAX, state);
}
