/* Shapes of XLA as written in HLO text, "bf16[8,129]{1,0:T(8,128)(2,1)S(1)}", and as in HLO protos: element
 * type, dimensions, the layout with its tiles; tuples hold shapes.  A shape and all it points to live in the
 * arena it was made in; making one checks every count and nests SHAPE_DEPTH deep at most.  Sizes are bytes,
 * -1 where they are not known: no bound, a damaged layout, more than 63 bits.  padded() (tpuscope(7), LAYOUT)
 * follows the tiles of the layout as XLA does; scalars without tiles are the exception, the TPU gives them
 * more.  Pure. */
#ifndef ANALYZE_HLO_SHAPE_H
#define ANALYZE_HLO_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "hlo.pb-c.h"

#define SHAPE_DEPTH 32
#define SHAPE_ANY INT64_MIN /* a dimension without bound, "?"; in a tile "*": taken together with the next */

/* PrimitiveType of xla_data.proto; those not named here are arrays. */
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
	struct shape_list order; /* minor to major */
	struct shape_list *tile; /* each major to minor */
	size_t ntiles;
	struct shape_split *split;
	size_t nsplits;
	int64_t tail, bits, space, prefix; /* elements to round up to; of an element, 0 = its type's; bytes */
	int index_type, pointer_type;      /* 0: none */
};

struct shape {
	int type;
	struct shape_list dim;       /* major to minor, as written */
	bool *dynamic;               /* of each dimension; NULL: none is */
	struct shape_layout *layout; /* NULL: none given */
	struct shape *sub;           /* of a tuple; the one of a buffer */
	size_t nsub;
};

/* One dimension of an array against the tiles of the chip. */
struct shape_dim {
	int64_t size, alignment, padded; /* alignment 0: not known, padded is the size then */
	int64_t index;                   /* which dimension it is, as written */
	const char *semantics;           /* not copied; NULL: not known */
};

/* How many bytes of the text are the shape; 0: none is there. */
size_t shape_parse(struct arena *, const char *, size_t, struct shape *);
bool shape_of_proto(struct arena *, const Pb__ShapeProto *, struct shape *); /* false: damaged */
const char *shape_text(struct arena *, const struct shape *);                /* as XLA writes it */
bool shape_is_array(const struct shape *);
int64_t shape_unpadded(const struct shape *);
int64_t shape_padded(const struct shape *);
/* Dimensions from the most minor on, `max` at most; 0 when it is no array. */
size_t shape_fit(const struct shape *, struct shape_dim *, size_t max);
double shape_efficiency(const struct shape_dim *, size_t n); /* sizes ÷ padded sizes; NaN: not known */

#endif
