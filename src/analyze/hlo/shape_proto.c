#include "config.h"
#include "analyze/hlo/shape.h"

#include <string.h>

static struct shape_list list_of(struct arena *a, const int64_t *v, size_t n)
{
	struct shape_list l = { .v = arena_alloc(a, n * sizeof *v + 1), .n = n };

	if (n)
		memcpy(l.v, v, n * sizeof *v);
	return l;
}

static struct shape_layout *layout_of(struct arena *a, const Pb__LayoutProto *p)
{
	struct shape_layout *l = arena_alloc(a, sizeof *l);

	*l = (struct shape_layout){ .order = list_of(a, p->minor_to_major, p->n_minor_to_major),
		.ntiles = p->n_tiles,
		.nsplits = p->n_split_configs,
		.tail = p->tail_padding_alignment_in_elements,
		.bits = p->element_size_in_bits,
		.space = p->memory_space,
		.prefix = p->dynamic_shape_metadata_prefix_bytes,
		.index_type = (int)p->index_primitive_type,
		.pointer_type = (int)p->pointer_primitive_type };
	l->tile = arena_alloc(a, l->ntiles * sizeof *l->tile + 1);
	for (size_t i = 0; i < l->ntiles; i++)
		l->tile[i] = list_of(a, p->tiles[i]->dimensions, p->tiles[i]->n_dimensions);
	l->split = arena_alloc(a, l->nsplits * sizeof *l->split + 1);
	for (size_t i = 0; i < l->nsplits; i++) {
		const Pb__SplitConfigProto *x = p->split_configs[i];

		l->split[i].dimension = x->dimension;
		l->split[i].at = list_of(a, x->split_indices, x->n_split_indices);
	}
	return l;
}

static bool *dynamic_of(struct arena *a, const Pb__ShapeProto *p)
{
	bool *v = arena_alloc(a, p->n_dimensions + 1), any = false;

	for (size_t i = 0; i < p->n_dimensions && i < p->n_is_dynamic_dimension; i++)
		any |= v[i] = p->is_dynamic_dimension[i];
	return any ? v : NULL;
}

static bool shape_make(struct arena *a, const Pb__ShapeProto *p, int depth, struct shape *s)
{
	*s = (struct shape){ .type = (int)p->element_type };
	if (!depth)
		return false;
	s->dim = list_of(a, p->dimensions, p->n_dimensions);
	s->dynamic = dynamic_of(a, p);
	s->layout = p->layout ? layout_of(a, p->layout) : NULL;
	s->sub = arena_alloc(a, p->n_tuple_shapes * sizeof *s->sub + 1);
	for (; s->nsub < p->n_tuple_shapes; s->nsub++)
		if (!shape_make(a, p->tuple_shapes[s->nsub], depth - 1, &s->sub[s->nsub]))
			return false;
	return s->type >= 0 && (s->type != SHAPE_BUFFER || s->nsub == 1);
}

bool shape_of_proto(struct arena *a, const Pb__ShapeProto *p, struct shape *s)
{
	return shape_make(a, p, SHAPE_DEPTH, s);
}
