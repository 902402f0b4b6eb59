#include "config.h"
#include "analyze/memory_tables.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/memory_ops.h"

#define MIB 1048576.0

static const struct column heap_columns[] = {
	{ "program_point", "point", "", COL_INTEGER },
	{ "instruction", "instruction", "", COL_STRING },
	{ "heap_mib", "heap", "MiB", COL_NUMBER },
	{ "unpadded_mib", "unpadded", "MiB", COL_NUMBER },
};
static const struct column buffer_columns[] = {
	{ "label", "buffer", "", COL_STRING },
	{ "instructionName", "instruction", "", COL_STRING },
	{ "logicalBufferId", "id", "", COL_INTEGER },
	{ "logicalBufferSizeMib", "size", "MiB", COL_NUMBER },
	{ "unpaddedShapeMib", "unpadded", "MiB", COL_NUMBER },
	{ "shapeString", "shape", "", COL_STRING },
	{ "tfOpName", "framework op", "", COL_STRING },
	{ "groupName", "kind", "", COL_STRING },
	{ "opCode", "opcode", "", COL_STRING },
	{ "sourceInfo", "source", "", COL_STRING },
	{ "source_stack", "stack", "", COL_STRING },
	{ "expansion", "expansion", "", COL_NUMBER },
	{ "span_start", "from", "", COL_INTEGER },
	{ "span_end", "to", "", COL_INTEGER },
};
static const struct column span_columns[] = {
	{ "logicalBufferId", "id", "", COL_INTEGER },
	{ "instructionName", "instruction", "", COL_STRING },
	{ "span_start", "from", "", COL_INTEGER },
	{ "span_end", "to", "", COL_INTEGER },
	{ "offset", "offset", "B", COL_INTEGER },
	{ "size", "size", "B", COL_INTEGER },
};
static const struct column op_columns[] = {
	{ "op_prefix", "framework op", "", COL_STRING },
	{ "buffers", "buffers", "", COL_INTEGER },
	{ "size_mib", "size", "MiB", COL_NUMBER },
	{ "share", "share", "fraction", COL_NUMBER },
};
static const struct column donation_columns[] = {
	{ "parameter", "parameter", "", COL_STRING },
	{ "output", "output", "", COL_STRING },
	{ "shape", "shape", "", COL_STRING },
	{ "size_mib", "size", "MiB", COL_NUMBER },
};

static struct cell text(const char *s)
{
	return cell_str(s ? s : "", s ? strlen(s) : 0);
}

static struct cell mib(int64_t bytes)
{
	return bytes < 0 ? cell_null() : cell_num((double)bytes / MIB);
}

static struct cell known(int64_t v)
{
	return v < 0 ? cell_null() : cell_int(v);
}

void memory_heap_table(const struct memory *m, struct table *t)
{
	table_init(t, heap_columns, sizeof heap_columns / sizeof *heap_columns);
	for (size_t i = 0; m && i < m->npoints; i++) {
		struct cell *c = table_row(t);

		c[0] = cell_int((int64_t)i);
		c[1] = text(m->instruction[i]);
		c[2] = mib(m->heap[i]);
		c[3] = cell_num((double)m->unpadded[i] / MIB);
	}
}

static void add_buffer(struct table *t, const struct memory_buffer *b)
{
	struct cell *c = table_row(t);

	c[0] = text(b->label);
	c[1] = text(b->name);
	c[2] = cell_int(b->id);
	c[3] = mib(b->size);
	c[4] = mib(b->unpadded);
	c[5] = text(b->shape);
	c[6] = text(b->op_name);
	c[7] = text(memory_category_name(b->category));
	c[8] = text(b->opcode);
	c[9] = text(b->source);
	c[10] = text(b->stack);
	c[11] = b->unpadded > 0 ? cell_num((double)b->size / (double)b->unpadded) : cell_null();
	c[12] = known(b->start);
	c[13] = b->start < 0 ? cell_null() : cell_int(b->end);
}

void memory_buffers_table(const struct memory *m, struct table *t)
{
	table_init(t, buffer_columns, sizeof buffer_columns / sizeof *buffer_columns);
	for (size_t i = 0; m && i < m->npeak; i++)
		add_buffer(t, &m->peak[i]);
}

void memory_spans_table(const struct memory *m, struct table *t)
{
	table_init(t, span_columns, sizeof span_columns / sizeof *span_columns);
	for (size_t i = 0; m && i < m->nall; i++) {
		const struct memory_buffer *b = &m->all[i];
		struct cell *c = table_row(t);

		c[0] = cell_int(b->id);
		c[1] = *b->name ? text(b->name) : cell_null();
		c[2] = cell_int(b->start);
		c[3] = cell_int(b->end);
		c[4] = known(b->offset);
		c[5] = known(b->size);
	}
}

static int by_size(const void *a, const void *b)
{
	const struct memory_op *x = a, *y = b;
	int c;

	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	c = memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);
	return c ? c : (x->len > y->len) - (x->len < y->len);
}

void memory_by_op_table(const struct memory *m, struct table *t)
{
	size_t n = 0;
	struct memory_op *v = m ? memory_ops(m, &n) : NULL;

	table_init(t, op_columns, sizeof op_columns / sizeof *op_columns);
	if (n)
		qsort(v, n, sizeof *v, by_size);
	for (size_t i = 0; i < n; i++) {
		struct cell *c;

		if (v[i].buffer != UINT32_MAX)
			continue;
		c = table_row(t);
		c[0] = v[i].len ? cell_str(v[i].name, v[i].len) : cell_null();
		c[1] = cell_int(v[i].buffers);
		c[2] = mib(v[i].size);
		c[3] = m->peak_bytes > 0 ? cell_num((double)v[i].size / (double)m->peak_bytes) : cell_null();
	}
	free(v);
}

void memory_donations_table(const struct memory *m, struct table *t)
{
	table_init(t, donation_columns, sizeof donation_columns / sizeof *donation_columns);
	for (size_t i = 0; m && i < m->ndonations; i++) {
		const struct memory_donation *d = &m->donation[i];
		struct cell *c = table_row(t);

		c[0] = text(d->parameter->name);
		c[1] = text(d->output->name);
		c[2] = text(d->parameter->shape);
		c[3] = mib(d->size);
	}
}
