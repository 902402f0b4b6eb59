#include "config.h"
#include "analyze/hlo/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/shape_type.h"

bool shape_is_array(const struct shape *s)
{
	return s->type != SHAPE_INVALID && s->type != SHAPE_TUPLE && s->type != SHAPE_OPAQUE &&
	    s->type != SHAPE_TOKEN && s->type != SHAPE_BUFFER;
}

static bool times(uint64_t *a, int64_t b)
{
	return b >= 0 && !__builtin_mul_overflow(*a, (uint64_t)b, a);
}

/* Returns the bytes of that many elements; -1: too many. */
static int64_t bytes_of(const struct shape *s, uint64_t elements)
{
	int64_t bits = s->layout ? s->layout->bits : 0;

	if (!bits)
		bits = shape_type_bytes(s->type) * 8;
	if (bits < 0 || bits > 1024 || !times(&elements, bits) || elements > INT64_MAX - 7)
		return -1;
	return (int64_t)((elements + 7) / 8);
}

int64_t shape_unpadded(const struct shape *s)
{
	uint64_t n = 1;

	for (; s->type == SHAPE_BUFFER && s->nsub; s = s->sub)
		;
	if (s->type == SHAPE_TUPLE)
		return (int64_t)s->nsub * 8;
	if (!shape_is_array(s))
		return 0;
	for (size_t i = 0; i < s->dim.n; i++)
		if (!times(&n, s->dim.v[i]))
			return -1;
	return bytes_of(s, n);
}

/* Returns which dimension is the i-th from the minor end; -1: the layout names one that does not exist, or
 * names one twice. */
static int64_t dim_at(const struct shape *s, size_t i)
{
	const struct shape_list *order = s->layout ? &s->layout->order : NULL;

	if (!order || !order->n)
		return (int64_t)(s->dim.n - 1 - i);
	return order->n == s->dim.n && order->v[i] >= 0 && order->v[i] < (int64_t)s->dim.n ? order->v[i] : -1;
}

/* Dimensions while tiles are applied, major to minor, stored at the end of a buffer. */
struct tiled {
	int64_t *v;
	size_t from, to, cap;
};

static bool divide(int64_t size, int64_t tile, int64_t *out)
{
	*out = tile > 0 ? size / tile + (size % tile != 0) : -1;
	return *out >= 0;
}

/* Replaces the last dimensions by the number of tiles along each and by the tile itself. */
static bool apply_tile(struct tiled *t, const struct shape_list *tile)
{
	size_t first, n = 0;

	while (t->to - t->from < tile->n)
		t->v[--t->from] = 1;
	first = t->to - tile->n;
	for (size_t i = 0; i < tile->n; i++) {
		int64_t size = t->v[first + i], product;

		if (tile->v[i] == SHAPE_ANY) {
			if (i + 1 == tile->n || __builtin_mul_overflow(size, t->v[first + i + 1], &product))
				return false;
			t->v[first + i + 1] = product;
		} else if (!divide(size, tile->v[i], &t->v[first + n++])) {
			return false;
		}
	}
	t->to = first + n;
	for (size_t i = 0; i < tile->n; i++)
		if (tile->v[i] != SHAPE_ANY)
			t->v[t->to++] = tile->v[i];
	return true;
}

static bool tile_all(const struct shape *s, struct tiled *t)
{
	for (size_t i = 0; i < s->dim.n; i++) {
		int64_t at = dim_at(s, s->dim.n - 1 - i);

		if (at < 0 || s->dim.v[at] < 0)
			return false;
		t->v[t->to++] = s->dim.v[at];
	}
	for (size_t i = 0; s->layout && i < s->layout->ntiles; i++)
		if (!apply_tile(t, &s->layout->tile[i]))
			return false;
	return true;
}

/* Computes the number of elements after padding. */
static bool elements_of(const struct shape *s, uint64_t *n)
{
	struct tiled t = { .cap = s->dim.n + 1 };
	size_t more = 0;
	bool good;

	for (size_t i = 0; s->layout && i < s->layout->ntiles; i++)
		more += s->layout->tile[i].n;
	t.cap += 2 * more;
	t.from = t.to = more;
	t.v = xcalloc(t.cap, sizeof *t.v);
	good = tile_all(s, &t);
	*n = 1;
	for (size_t i = t.from; good && i < t.to; i++)
		good = times(n, t.v[i]);
	free(t.v);
	return good;
}

int64_t shape_padded(const struct shape *s)
{
	int64_t tail, bytes;
	uint64_t n;

	for (; s->type == SHAPE_BUFFER && s->nsub; s = s->sub)
		;
	if (!shape_is_array(s))
		return shape_unpadded(s);
	if (!elements_of(s, &n))
		return -1;
	tail = s->layout ? s->layout->tail : 0;
	if (tail > 1) {
		n = n / (uint64_t)tail + (n % (uint64_t)tail != 0);
		if (!times(&n, tail))
			return -1;
	}
	bytes = bytes_of(s, n);
	if (bytes < 0 || !s->layout)
		return bytes;
	return s->layout->prefix < 0 || __builtin_add_overflow(bytes, s->layout->prefix, &bytes) ? -1 : bytes;
}

/* Returns the multiple to which the first tile pads the i-th dimension from the minor end; 0: not known. */
static int64_t alignment_of(const struct shape *s, size_t i)
{
	const struct shape_list *tile = s->layout && s->layout->ntiles ? s->layout->tile : NULL;

	if (!s->layout)
		return 0;
	if (!tile || i >= tile->n)
		return 1;
	for (size_t k = tile->n - 1 - i; k < tile->n; k++)
		if (tile->v[k] <= 0)
			return 0; /* the tile takes several dimensions together */
	return tile->v[tile->n - 1 - i];
}

size_t shape_fit(const struct shape *s, struct shape_dim *v, size_t max)
{
	size_t n = shape_is_array(s) ? s->dim.n : 0;

	for (size_t i = 0; i < n && i < max; i++) {
		struct shape_dim *d = &v[i];
		int64_t at = dim_at(s, i), tiles;

		if (at < 0)
			return 0;
		*d = (struct shape_dim){ .size = s->dim.v[at],
			.padded = s->dim.v[at],
			.index = at,
			.alignment = alignment_of(s, i) };
		if (d->size < 0 || !divide(d->size, d->alignment, &tiles) ||
		    __builtin_mul_overflow(tiles, d->alignment, &d->padded)) {
			d->alignment = 0;
			d->padded = d->size;
		}
	}
	return n < max ? n : max;
}

const struct shape_dim *shape_worst(const struct shape_dim *v, size_t n)
{
	const struct shape_dim *worst = NULL;

	for (size_t i = 0; i < n; i++)
		if (v[i].size > 0 && v[i].padded > v[i].size &&
		    (!worst ||
			(double)v[i].padded / (double)v[i].size >
			    (double)worst->padded / (double)worst->size))
			worst = &v[i];
	return worst;
}

double shape_efficiency(const struct shape_dim *v, size_t n)
{
	double part = n ? 1 : NAN;

	for (size_t i = 0; i < n; i++)
		part *= v[i].alignment && v[i].padded > 0 ? (double)v[i].size / (double)v[i].padded : NAN;
	return part;
}

static bool same_list(const struct shape_list *a, const struct shape_list *b)
{
	return a->n == b->n && !memcmp(a->v, b->v, a->n * sizeof *a->v);
}

bool shape_same_layout(const struct shape *a, const struct shape *b)
{
	const struct shape_layout *x = a->layout, *y = b->layout;

	if (!x || !y || !same_list(&a->dim, &b->dim) || !same_list(&x->order, &y->order) ||
	    x->ntiles != y->ntiles)
		return false;
	for (size_t i = 0; i < x->ntiles; i++)
		if (!same_list(&x->tile[i], &y->tile[i]))
			return false;
	return true;
}
