#include "config.h"
#include "analyze/triage/internal.h"

#include <stdlib.h>
#include <string.h>

#define LISTED 20u /* libtpu lists as many */

static int by_size(const void *a, const void *b)
{
	const struct memory_buffer *x = *(const struct memory_buffer *const *)a,
				   *y = *(const struct memory_buffer *const *)b;

	return x->size != y->size ? (x->size < y->size) - (x->size > y->size)
				  : (x->id > y->id) - (x->id < y->id);
}

static void put(struct table *t, const char *id, struct cell v)
{
	t->cells[(t->nrows - 1) * t->ncolumns + (size_t)table_column(t, id)] = v;
}

static void put_row(struct triage *t, size_t error, size_t rank, const struct memory_buffer *b)
{
	struct table *x = &t->buffers;

	table_row(x);
	put(x, "error", cell_int((int64_t)error));
	put(x, "list", cell_str("program", 7));
	put(x, "rank", cell_int((int64_t)rank));
	put(x, "size_bytes", cell_int(b->size));
	if (b->unpadded > 0) {
		put(x, "unpadded_bytes", cell_int(b->unpadded));
		if (b->size > b->unpadded) {
			put(x, "padding_bytes", cell_int(b->size - b->unpadded));
			put(x, "expansion", cell_num((double)b->size / (double)b->unpadded));
		}
	}
	put(x, "shape", table_text(x, b->shape));
	put(x, "op_name", table_text(x, b->op_name));
	put(x, "source", table_text(x, b->source));
	put(x, "allocation_type", table_text(x, memory_category_name(b->category)));
	put(x, "xla_label", table_text(x, b->name));
}

void triage_add_peak(struct triage *t, size_t error, const struct memory *m)
{
	const struct memory_buffer **order = xcalloc(m->npeak + 1, sizeof *order);
	size_t n = 0;

	for (size_t i = 0; i < m->npeak; i++)
		if (m->peak[i].id >= 0)
			order[n++] = &m->peak[i];
	qsort(order, n, sizeof *order, by_size);
	n = n < LISTED ? n : LISTED;
	for (size_t i = 0; i < n; i++)
		put_row(t, error, i + 1, order[i]);
	free(order);
	t->errors.cells[error * t->errors.ncolumns + (size_t)table_column(&t->errors, "listed_buffers")] =
	    cell_int((int64_t)n);
	for (size_t i = 0; i < t->summary.n; i++)
		if (!strcmp(t->summary.v[i].id, "buffers"))
			t->summary.v[i].v = cell_int((int64_t)t->buffers.nrows);
	triage_findings(t->work);
}
