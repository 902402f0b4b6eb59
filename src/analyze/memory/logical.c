#include "config.h"
#include "analyze/memory/internal.h"

#include "base/bisect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

VEC_ORDER(by_id, struct id_key, UP(id) UP(at));

static void index_sort(struct id_index *x)
{
	for (size_t i = 1; i < x->n; i++)
		if (by_id(&x->v[i - 1], &x->v[i]) > 0) {
			qsort(x->v, x->n, sizeof *x->v, by_id);
			return;
		}
}

/* Returns the last buffer with that ID, because later ones replace earlier ones, or NO_BUFFER. */
static uint32_t index_find(const struct id_index *x, int64_t id)
{
	const struct id_key *last;
	size_t guess = x->n ? (size_t)((uint64_t)id - (uint64_t)x->v[0].id) : 0;

	/* Most IDs count up without gaps, so try the ID itself as the index. */
	if (guess < x->n && x->v[guess].id == id && (guess + 1 == x->n || x->v[guess + 1].id != id))
		return x->v[guess].at;
	BISECT_LAST(last, x->v, x->n, last->id <= id);
	return last && last->id == id ? last->at : NO_BUFFER;
}

struct instructions {
	struct id_index by_id;
	const Pb__HloInstructionProto **v, **by_name;
	size_t n;
};

static int by_name(const void *a, const void *b)
{
	const Pb__HloInstructionProto *const *x = a, *const *y = b;

	return strcmp((*x)->name ? (*x)->name : "", (*y)->name ? (*y)->name : "");
}

static void instructions_of(const Pb__HloModuleProto *p, struct instructions *x)
{
	size_t n = 0;

	*x = (struct instructions){ .n = 0 };
	for (size_t i = 0; p && i < p->n_computations; i++)
		n += p->computations[i]->n_instructions;
	x->v = xcalloc(n + 1, sizeof(void *));
	x->by_id.v = xcalloc(n + 1, sizeof *x->by_id.v);
	for (size_t i = 0; p && i < p->n_computations; i++)
		for (size_t k = 0; k < p->computations[i]->n_instructions; k++) {
			x->v[x->n] = p->computations[i]->instructions[k];
			x->by_id.v[x->n] = (struct id_key){ x->v[x->n]->id, (uint32_t)x->n };
			x->n++;
		}
	x->by_id.n = x->n;
	index_sort(&x->by_id);
}

/* Finds the instruction of a buffer by ID or, in old files, by name. */
static const Pb__HloInstructionProto *instruction_at(struct instructions *x,
    const Pb__LogicalBufferProto__Location *l)
{
	Pb__HloInstructionProto key = PB__HLO_INSTRUCTION_PROTO__INIT;
	const Pb__HloInstructionProto *pointer = &key, **found;
	uint32_t at;

	if (!l)
		return NULL;
	if (l->has_instruction_id || !l->instruction_name) {
		at = index_find(&x->by_id, l->instruction_id);
		return at == NO_BUFFER ? NULL : x->v[at];
	}
	if (!x->by_name) {
		x->by_name = xcalloc(x->n + 1, sizeof(void *));
		memcpy(x->by_name, x->v, x->n * sizeof(void *));
		qsort(x->by_name, x->n, sizeof(void *), by_name);
	}
	key.name = l->instruction_name + (*l->instruction_name == '%');
	found = bsearch(&pointer, x->by_name, x->n, sizeof(void *), by_name);
	return found ? *found : NULL;
}

struct logical *memory_logical(const struct simulation *s, int64_t id)
{
	uint32_t at = index_find(&s->by_id, id);

	return at == NO_BUFFER || !s->v[at].instruction ? NULL : &s->v[at];
}

/* As XProf does, uses only the last number of the shape index, and only in the outermost tuple. */
static const Pb__ShapeProto *shape_at(const Pb__HloInstructionProto *i,
    const Pb__LogicalBufferProto__Location *l)
{
	const Pb__ShapeProto *s = i->shape;
	int64_t at = l->n_shape_index ? l->shape_index[l->n_shape_index - 1] : -1;

	return s && at >= 0 && (size_t)at < s->n_tuple_shapes ? s->tuple_shapes[at] : s;
}

static int64_t unpadded_of(const Pb__ShapeProto *p)
{
	struct arena a = { 0 };
	struct shape s;
	int64_t n = p && shape_of_proto(&a, p, &s) ? shape_unpadded(&s) : 0;

	arena_free(&a);
	return memory_possible(n);
}

static void assign(struct simulation *s, struct instructions *x, uint32_t allocation,
    const Pb__BufferAllocationProto__Assigned *p)
{
	uint32_t at = index_find(&s->by_id, p->logical_buffer_id);
	struct logical *l = at == NO_BUFFER ? NULL : &s->v[at];
	const Pb__HloInstructionProto *i = l ? instruction_at(x, l->p->defined_at) : NULL;

	if (!i)
		return;
	if (!l->instruction) {
		l->shape = shape_at(i, l->p->defined_at);
		l->unpadded = unpadded_of(l->shape);
	}
	l->instruction = i;
	l->allocation = allocation;
	l->offset = p->offset;
	l->room = p->size;
	if (l->size != memory_possible(l->size)) {
		memory_problem(s->m,
		    "the size of buffer %" PRId64 " is impossible (%" PRId64
		    " bytes): that of its shape is shown",
		    l->p->id, l->size);
		l->size = memory_possible(l->unpadded);
	}
}

void memory_logicals(struct simulation *s)
{
	const Pb__BufferAssignmentProto *b = s->b;
	struct instructions x;

	s->v = xcalloc(b->n_logical_buffers + 1, sizeof *s->v);
	s->by_id.v = xcalloc(b->n_logical_buffers + 1, sizeof *s->by_id.v);
	s->by_id.n = b->n_logical_buffers;
	for (size_t i = 0; i < b->n_logical_buffers; i++) {
		s->v[i] = (struct logical){ .p = b->logical_buffers[i],
			.size = b->logical_buffers[i]->size,
			.start = -1,
			.end = -1,
			.canonical = NO_BUFFER,
			.live = NO_BUFFER };
		s->by_id.v[i] = (struct id_key){ b->logical_buffers[i]->id, (uint32_t)i };
	}
	index_sort(&s->by_id);
	instructions_of(s->module, &x);
	for (size_t i = 0; i < b->n_buffer_allocations; i++)
		for (size_t k = 0; k < b->buffer_allocations[i]->n_assigned; k++)
			assign(s, &x, (uint32_t)i, b->buffer_allocations[i]->assigned[k]);
	free(x.v);
	free(x.by_name);
	free(x.by_id.v);
}
