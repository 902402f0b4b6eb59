/* How well the arrays of an op fit the tiles of the chip (tpuscope(7), LAYOUT): for each of its shapes the
 * dimensions from the most minor on, the sizes to which tiling pads them, and what they mean.  For a
 * convolution or dot the meaning comes from dim_labels or from the contracting and batch dimensions.  A
 * fusion takes it from the convolution or dot inside, if the capture has the HLO proto.  Otherwise shapes
 * come from the op's own text (hlo_op_expression) or its stat shape_with_layout.  Tuples count as the arrays
 * in them.  The fit owns the shapes (layout_fit_free); n = 0 when nothing is found.  One thread, because it
 * uses the index of contents. */
#ifndef ANALYZE_OPS_LAYOUT_FIT_H
#define ANALYZE_OPS_LAYOUT_FIT_H

#include "analyze/hlo/contents.h"
#include "analyze/hlo/shape.h"
#include "analyze/ops/opdb.h"

#define FIT_SHAPES 8
#define FIT_DIMS 8

struct fit_shape {
	const char *role; /* "result", "operand", "lhs" or "rhs"; static */
	struct shape shape;
	/* from minor to major; semantics: batch, feature, spatial, contracting, free and so on */
	struct shape_dim dim[FIT_DIMS];
	size_t ndims;
	double efficiency; /* NaN: not known */
};

struct layout_fit {
	struct fit_shape v[FIT_SHAPES];
	size_t n, more;   /* more: number of arrays that did not fit in */
	size_t main;      /* the shape to show first: lhs of a convolution or dot, else the result */
	const char *kind; /* "convolution" or "dot"; NULL: the meaning is not known */
	struct arena arena;
};

void layout_fit_op(const struct dump *, struct hlo_contents *, const struct op *, struct layout_fit *);
/* For an instruction inside a fusion; `body` is the computation that it is in. */
void layout_fit_instruction(struct hlo_contents *, uint64_t program, const Pb__HloComputationProto *body,
    const Pb__HloInstructionProto *, struct layout_fit *);
/* The TPU also runs dots as convolutions, whose "batch" may be any dimension.  Only a window larger than 1 and smaller
 * than what it slides over is a convolution that the program asked for. */
bool layout_fit_slides(const struct layout_fit *);
/* What a dimension is to the program; NULL if only the compiler calls it so: those of a dot that runs as a
 * convolution, and the batch of a dot, which may be heads or experts. */
const char *layout_fit_role(const struct layout_fit *, const struct shape_dim *);
void layout_fit_free(struct layout_fit *);

#endif
