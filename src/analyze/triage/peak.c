#include "config.h"
#include "analyze/triage/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LISTED 20u /* libtpu lists as many */

VEC_ORDER_POINTERS(by_size, struct memory_buffer, DOWN(size) UP(id));

static void add_row(struct triage *t, size_t error, size_t rank, const struct memory_buffer *b)
{
	bool known = b->unpadded > 0, padded = known && b->size > b->unpadded;

	triage_add_buffer(t, error,
	    &(struct triage_buffer){ .rank = (int64_t)rank,
		.size = b->size,
		.unpadded = known ? b->unpadded : SIZE_NONE,
		.padding = padded ? b->size - b->unpadded : SIZE_NONE,
		.expansion = padded ? (double)b->size / (double)b->unpadded : NAN,
		.shape = b->shape,
		.op_name = b->op_name,
		.source = b->source,
		.allocation = b->category == MEMORY_UNKNOWN ? NULL : memory_category_name(b->category),
		.label = b->name });
}

void triage_add_peak(struct triage *t, size_t error, const struct memory *m)
{
	const struct memory_buffer **order = xcalloc(m->npeak + 1, sizeof *order);
	size_t n = 0, from = t->buffers.nrows;

	for (size_t i = 0; i < m->npeak; i++)
		if (m->peak[i].id >= 0)
			order[n++] = &m->peak[i];
	qsort(order, n, sizeof *order, by_size);
	n = n < LISTED ? n : LISTED;
	for (size_t i = 0; i < n; i++)
		add_row(t, error, i + 1, order[i]);
	triage_sum_buffers(t, from);
	free(order);
	t->errors.cells[error * t->errors.ncolumns + TRIAGE_ERRORS_listed_buffers] = cell_int((int64_t)n);
	for (size_t i = 0; i < t->summary.n; i++)
		if (!strcmp(t->summary.v[i].id, "buffers"))
			t->summary.v[i].v = cell_int((int64_t)t->buffers.nrows);
	triage_findings(t->work);
}
