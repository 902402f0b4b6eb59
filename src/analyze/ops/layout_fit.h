/* How well the arrays of an op fit the tiles of the chip (tpuscope(7), LAYOUT): for each of its shapes the
 * dimensions from the most minor on, what the tile makes of their sizes, and what they mean.  Of a
 * convolution or dot the meaning is known, from dim_labels or the contracting and batch dimensions; of a
 * fusion it is that of the convolution or dot inside, when the HLO proto is in the capture; else shapes
 * come from the op's own text (hlo_op_expression) or its stat shape_with_layout.  Tuples count as their
 * arrays.  The fit owns the shapes (layout_fit_free); nothing found: n = 0.  Uses the index of contents,
 * so one thread. */
#ifndef ANALYZE_OPS_LAYOUT_FIT_H
#define ANALYZE_OPS_LAYOUT_FIT_H

#include "analyze/hlo/contents.h"
#include "analyze/hlo/shape.h"
#include "analyze/ops/opdb.h"

#define FIT_SHAPES 8
#define FIT_DIMS 8

struct fit_shape {
	const char *role; /* "result", "operand", "lhs", "rhs"; static */
	struct shape shape;
	struct shape_dim
	    dim[FIT_DIMS]; /* minor to major; semantics: batch, feature, spatial, contracting, free … */
	size_t ndims;
	double efficiency; /* NaN: not known */
};

struct layout_fit {
	struct fit_shape v[FIT_SHAPES];
	size_t n, more;   /* more: arrays there was no room for */
	size_t main;      /* the one to show first: lhs of a convolution or dot, else the result */
	const char *kind; /* "convolution", "dot"; NULL: meanings are not known */
	struct arena arena;
};

void layout_fit_op(const struct dump *, struct hlo_contents *, const struct op *, struct layout_fit *);
/* An instruction inside a fusion, `body` being the computation it is in. */
void layout_fit_instruction(struct hlo_contents *, uint64_t program, const Pb__HloComputationProto *body,
    const Pb__HloInstructionProto *, struct layout_fit *);
void layout_fit_free(struct layout_fit *);

#endif
