#include "config.h"
#include "analyze/communication/internal.h"

#include <math.h>

#include "analyze/hlo/shape.h"
#include "base/clamp.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct arrays {
	int64_t first, sum;
	size_t n;
};

/* The arrays of a list of shapes or operands, without padding: tuples are what is in them. */
static struct arrays arrays_in(struct slice t)
{
	struct arrays v = { .n = 0 };
	const char *end = t.n ? t.s + t.n : t.s, *s = t.s;

	while (s < end) {
		struct arena a = { 0 };
		struct shape x;
		size_t n = is_letter(*s) ? shape_parse(&a, s, (size_t)(end - s), &x) : 0;
		int64_t bytes = n && shape_is_array(&x) ? shape_unpadded(&x) : -1;

		if (bytes >= 0) {
			v.first = v.n++ ? v.first : bytes;
			v.sum = add_clamped(v.sum, bytes);
		}
		arena_free(&a);
		if (n)
			s += n;
		while (!n && s < end && is_letter(*s))
			s++;
		s += s < end && !is_letter(*s);
	}
	return v;
}

/* A start returns its operands, too. */
static int64_t of_start(enum comm_kind kind, const struct arrays *in, const struct arrays *out)
{
	if (!in->n)
		return -1;
	if (kind == COMM_ALL_GATHER)
		return out->sum > in->sum ? out->sum - in->sum : 0;
	return in->sum;
}

int64_t comm_bytes(enum comm_kind kind, const struct hlo_line *l)
{
	const struct arrays out = arrays_in(l->shape), in = arrays_in(l->operands);

	if (!l->opcode.n || slice_is(l->opcode, "fusion")) /* its operands are not the message */
		return -1;
	if (slice_is(l->opcode, "send") || slice_is(l->opcode, "send-done"))
		return in.n ? in.first : -1;
	if (slice_is(l->opcode, "recv") || slice_is(l->opcode, "recv-done"))
		return out.n ? out.first : -1;
	if (slice_ends(l->opcode, "-done"))
		return out.sum;
	if (slice_ends(l->opcode, "-start"))
		return of_start(kind, &in, &out);
	if (kind == COMM_REDUCE_SCATTER || kind == COMM_ALL_TO_ALL || kind == COMM_RAGGED_ALL_TO_ALL)
		return in.sum;
	return out.sum;
}

double comm_bus_factor(enum comm_kind kind, int64_t n)
{
	const double others = n > 0 ? (double)(n - 1) / (double)n : NAN;

	switch (kind) {
	case COMM_ALL_REDUCE:
		return 2 * others;
	case COMM_ALL_GATHER:
	case COMM_REDUCE_SCATTER:
	case COMM_ALL_TO_ALL:
	case COMM_RAGGED_ALL_TO_ALL:
		return others;
	default:
		return n > 0 ? 1 : NAN;
	}
}
