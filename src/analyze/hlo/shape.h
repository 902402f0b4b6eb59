/* XLA shapes as written in HLO text, "bf16[8,129]{1,0:T(8,128)(2,1)S(1)}", and as in HLO protos: element
 * type, dimensions, and the layout with its tiles; tuples contain shapes.  A shape and everything it points
 * to live in the arena it was made in.  Every count is checked, and shapes nest at most SHAPE_DEPTH levels
 * deep.  Sizes are bytes, or -1 when not known: dimensions without bound, a damaged layout, more than 63
 * bits.  shape_padded() follows the tiles of the layout as XLA does (tpuscope(7), LAYOUT), except that
 * scalars without tiles take more on a TPU.  Pure. */
#ifndef ANALYZE_HLO_SHAPE_H
#define ANALYZE_HLO_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "hlo.pb-c.h"

#define SHAPE_DEPTH 32
/* a dimension without bound, "?"; in a tile "*": combined with the next dimension */
#define SHAPE_ANY INT64_MIN

/* Values of PrimitiveType in xla_data.proto; all types not listed here are arrays. */
enum shape_type {
	SHAPE_INVALID = 0,
	SHAPE_TUPLE = 13,
	SHAPE_OPAQUE = 14,
	SHAPE_TOKEN = 17,
	SHAPE_BUFFER = 34
};

struct shape_list {
	int64_t *v;
	size_t n;
};

struct shape_split {
	int64_t dimension;
	struct shape_list at;
};

struct shape_layout {
	struct shape_list order; /* from minor to major */
	struct shape_list *tile; /* each from major to minor */
	size_t ntiles;
	struct shape_split *split;
	size_t nsplits;
	/* tail: round up to so many elements; bits: per element, 0 = as its type; prefix: bytes */
	int64_t tail, bits, space, prefix;
	int index_type, pointer_type; /* 0: none */
};

struct shape {
	int type;
	struct shape_list dim;       /* from major to minor, as written */
	bool *dynamic;               /* one for each dimension; NULL: none is dynamic */
	struct shape_layout *layout; /* NULL: none given */
	struct shape *sub;           /* the elements of a tuple, or the one shape of a buffer */
	size_t nsub;
};

/* One dimension of an array and how it is padded to the tiles of the chip. */
struct shape_dim {
	int64_t size, alignment, padded; /* alignment 0: not known, and padded equals size */
	int64_t index;                   /* number of the dimension, as written */
	const char *semantics;           /* not copied; NULL: not known */
	int axis; /* of a spatial dimension of a convolution: which one, from 1; lhs and rhs number them alike */
};

/* Returns the length of the shape at the start of the text in bytes; 0: none. */
size_t shape_parse(struct arena *, const char *, size_t, struct shape *);
bool shape_of_proto(struct arena *, const Pb__ShapeProto *, struct shape *); /* false: damaged */
const char *shape_text(struct arena *, const struct shape *);                /* as XLA writes it */
bool shape_is_array(const struct shape *);
/* Are both arrays of the same dimensions in the same order and tiles?  Their memory spaces may differ. */
bool shape_same_layout(const struct shape *, const struct shape *);
int64_t shape_unpadded(const struct shape *);
int64_t shape_padded(const struct shape *);
/* Lists at most `max` dimensions, most minor first; returns 0 when the shape is not an array. */
size_t shape_fit(const struct shape *, struct shape_dim *, size_t max);
/* the one that padding makes larger than any other; NULL: none is padded */
const struct shape_dim *shape_worst(const struct shape_dim *, size_t n);
/* product of sizes ÷ product of padded sizes; NaN: not known */
double shape_efficiency(const struct shape_dim *, size_t n);

#endif
