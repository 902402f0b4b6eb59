#include "config.h"
#include "view/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "result/sumtree.h"

static const struct memory_buffer *leaf_of(const struct mem_view *s, const struct memory_op *o)
{
	return o->buffer == UINT32_MAX ? NULL : &s->m.peak[o->buffer];
}

void memory_view_ops_make(struct mem_view *s)
{
	s->op = memory_ops(&s->m, &s->nops);
	s->nops = memory_ops_join(s->op, s->nops);
	s->op_parent = xcalloc(s->nops + 1, sizeof *s->op_parent);
	s->op_key = xcalloc(s->nops + 1, sizeof *s->op_key);
	memory_ops_table(&s->m, s->op, s->nops, &s->ops);
	for (size_t i = 0; i < s->nops; i++) {
		const struct memory_op *o = &s->op[i];
		uint64_t around = o->parent == UINT32_MAX ? 1 : s->op_key[o->parent];
		struct slice line = table_str(&s->ops, i, MEMORY_BY_OP_op);

		s->op_parent[i] = o->parent;
		s->op_key[i] = fold_key(around, line.s, line.n, o->buffer != UINT32_MAX);
	}
	sheet_set_rows(&s->tree,
	    &(struct sheet_rows){ &s->ops, s->op, sizeof *s->op, s->op_parent, s->op_key });
}

void memory_view_ops_free(struct mem_view *s)
{
	sheet_set(&s->tree, NULL);
	table_free(&s->ops);
	free(s->op);
	free(s->op_parent);
	free(s->op_key);
	s->op = NULL;
	s->op_parent = NULL;
	s->op_key = NULL;
	s->nops = 0;
}

const struct memory_op *memory_view_op_here(const struct mem_view *s)
{
	return s->by_op && !s->boxes ? sheet_here(&s->tree) : NULL;
}

struct memory_buffer *memory_view_op_buffer(const struct mem_view *s)
{
	const struct memory_op *o = memory_view_op_here(s);

	return o && o->buffer != UINT32_MAX ? &s->m.peak[o->buffer] : NULL;
}

/* Sums them up as if they were one buffer. */
void memory_view_op_sum(const struct mem_view *s, const struct memory_op *o, struct memory_buffer *sum)
{
	bool whole = false;

	*sum = memory_no_buffer;
	for (const struct memory_op *x = o; x < s->op + o->end; x++) {
		const struct memory_buffer *b = leaf_of(s, x);

		if (!b)
			continue;
		sum->size = sum_bytes(sum->size, b->size);
		sum->unpadded = sum_bytes(sum->unpadded, b->unpadded > 0 ? b->unpadded : b->size);
		whole |= b->start < 0;
		sum->start = sum->start < 0 || b->start < sum->start ? b->start : sum->start;
		sum->end = b->end > sum->end ? b->end : sum->end;
	}
	if (whole)
		sum->start = sum->end = -1;
}

size_t memory_view_op_largest(const struct mem_view *s, const struct memory_op *o,
    const struct memory_buffer **v, size_t max)
{
	size_t n = 0;

	for (const struct memory_op *x = o; x < s->op + o->end; x++) {
		const struct memory_buffer *b = leaf_of(s, x);
		size_t at = n;

		while (b && at && v[at - 1]->size < b->size)
			at--;
		if (!b || at == max)
			continue;
		n += n < max;
		memmove(v + at + 1, v + at, (n - at - 1) * sizeof *v);
		v[at] = b;
	}
	return n;
}
