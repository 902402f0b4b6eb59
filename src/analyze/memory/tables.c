#include "config.h"
#include "analyze/memory/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"

static struct cell text_or_empty(const char *s)
{
	return cell_str(s ? s : "", s ? strlen(s) : 0);
}

static struct cell mib(int64_t bytes)
{
	return bytes < 0 ? cell_null() : cell_num((double)bytes / MIB);
}

static bool is_small(const struct memory_buffer *b)
{
	return b->id == -1 && b->category == MEMORY_CATEGORIES;
}

const char *memory_buffer_title(const struct memory_buffer *b)
{
	return *b->name ? b->name : "under 16 KiB";
}

/* without the layout */
static struct cell memory_shape(const struct memory_buffer *b)
{
	const char *s = is_small(b) ? NULL : b->shape;
	size_t n = s ? *s == '(' ? strlen(s) : strcspn(s, "{") : 0;

	return n ? cell_str(s, n) : cell_null();
}

static struct cell padding(const struct memory_buffer *b)
{
	bool known = b->unpadded > 0 && !is_small(b);

	return known ? mib(b->size > b->unpadded ? b->size - b->unpadded : 0) : cell_null();
}

static struct cell letter(const struct memory_buffer *b)
{
	static const char letters[] = "POLCT";

	if (b->gathered)
		return cell_strz("G");
	return b->category < MEMORY_UNKNOWN ? cell_str(&letters[b->category], 1) : cell_null();
}

static struct cell category(const struct memory_buffer *b)
{
	return b->category == MEMORY_UNKNOWN ? cell_null() : cell_strz(memory_category_name(b->category));
}

static struct cell op_or_instruction(const struct memory_buffer *b)
{
	return cell_strz(is_small(b) || !*b->op_name ? memory_buffer_title(b) : b->op_name);
}

struct heap_point {
	const struct memory *memory;
	size_t at;
};

/* Bytes of the peak that one framework op and what it encloses take. */
struct memory_op_share {
	const struct memory_op *op;
	const struct memory_buffer *only; /* its buffer; NULL: it has several */
	struct cell line;
	int64_t peak;
};

#define SCHEMA heap
#define SCHEMA_ROW struct heap_point
#define SCHEMA_DEF "analyze/memory/heap.def"
#include "result/schema_def.h"

#define SCHEMA buffers
#define SCHEMA_ROW struct memory_buffer
#define SCHEMA_DEF "analyze/memory/buffers.def"
#include "result/schema_def.h"

#define SCHEMA spans
#define SCHEMA_ROW struct memory_buffer
#define SCHEMA_DEF "analyze/memory/spans.def"
#include "result/schema_def.h"

#define SCHEMA by_op
#define SCHEMA_ROW struct memory_op_share
#define SCHEMA_DEF "analyze/memory/by_op.def"
#include "result/schema_def.h"

#define SCHEMA donations
#define SCHEMA_ROW struct memory_donation
#define SCHEMA_DEF "analyze/memory/donations.def"
#include "result/schema_def.h"

const struct schema memory_heap_schema = { SCHEMA_COLUMNS(heap_columns) };
const struct schema memory_buffers_schema = {
	SCHEMA_COLUMNS(buffers_columns),
	.view = "rank logicalBufferSizeMib cumulative unpaddedShapeMib -padding_mib expansion kind shape op "
		"-instructionName -opCode -sourceInfo -span_start -span_end",
	.text =
	    "logicalBufferSizeMib unpaddedShapeMib expansion groupName shapeString instructionName tfOpName "
	    "sourceInfo",
};
const struct schema memory_spans_schema = { SCHEMA_COLUMNS(spans_columns) };
const struct schema memory_by_op_schema = {
	SCHEMA_COLUMNS(by_op_columns),
	.view = "size_mib share| buffers op instruction shape",
	.text = "op_prefix buffers size_mib share",
};
const struct schema memory_donations_schema = { SCHEMA_COLUMNS(donations_columns) };

void memory_heap_table(const struct memory *m, struct table *t)
{
	table_begin(t, &memory_heap_schema);
	for (size_t i = 0; m && i < m->npoints; i++)
		table_add(t, &(struct heap_point){ m, i });
}

void memory_buffers_table(const struct memory *m, struct table *t)
{
	table_begin(t, &memory_buffers_schema);
	for (size_t i = 0; m && i < m->npeak; i++)
		table_add(t, &m->peak[i]);
	memory_rank_buffers(t);
}

void memory_rank_buffers(struct table *t)
{
	size_t size = (size_t)table_column(t, "logicalBufferSizeMib"), rank = (size_t)table_column(t, "rank"),
	       part = (size_t)table_column(t, "cumulative"), *order = table_order(t, size, true);
	double sum = 0, all = 0;

	for (size_t i = 0; i < t->nrows; i++)
		all += t->cells[i * t->ncolumns + size].u.d;
	for (size_t i = 0; i < t->nrows; i++) {
		struct cell *c = &t->cells[order[i] * t->ncolumns];

		sum += c[size].u.d;
		c[rank] = cell_int((int64_t)i + 1);
		c[part] = all > 0 ? cell_num(sum / all) : cell_null();
	}
	free(order);
}

void memory_spans_table(const struct memory *m, struct table *t)
{
	table_begin(t, &memory_spans_schema);
	for (size_t i = 0; m && i < m->nall; i++)
		table_add(t, &m->all[i]);
}

/* Its own part of the name.  A buffer that is the only one of its op is in the op's line, others have lines of
 * their own. */
static struct cell op_line(const struct memory *m, const struct memory_op *v, const struct memory_op *o)
{
	const struct memory_buffer *b = o->buffer == UINT32_MAX ? NULL : &m->peak[o->buffer];
	bool own = b && (!o->len || (o->parent != UINT32_MAX && v[o->parent].len == o->len));

	return own   ? cell_strz(memory_buffer_title(b))
	    : o->len ? cell_str(o->name + o->tail, o->len - o->tail)
		     : cell_strz("(no framework op)");
}

static struct memory_op_share op_share(const struct memory *m, const struct memory_op *v, size_t i)
{
	struct memory_op_share r = { .op = &v[i], .line = op_line(m, v, &v[i]), .peak = m->peak_bytes };

	while (v[i].buffer == UINT32_MAX && v[i].buffers == 1)
		i++;
	r.only = v[i].buffer == UINT32_MAX ? NULL : &m->peak[v[i].buffer];
	return r;
}

void memory_ops_table(const struct memory *m, const struct memory_op *v, size_t n, struct table *t)
{
	table_begin(t, &memory_by_op_schema);
	for (size_t i = 0; i < n; i++) {
		struct memory_op_share r = op_share(m, v, i);

		table_add(t, &r);
	}
}

static int by_size(const void *a, const void *b)
{
	const struct memory_op *x = ((const struct memory_op_share *)a)->op,
			       *y = ((const struct memory_op_share *)b)->op;

	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	return slice_order((struct slice){ x->name, x->len }, (struct slice){ y->name, y->len });
}

void memory_by_op_table(const struct memory *m, struct table *t)
{
	size_t n = 0, kept = 0;
	struct memory_op *v = m ? memory_ops(m, &n) : NULL;
	struct memory_op_share *row = xcalloc(n + 1, sizeof *row);

	table_begin(t, &memory_by_op_schema);
	for (size_t i = 0; i < n; i++)
		if (v[i].buffer == UINT32_MAX)
			row[kept++] = op_share(m, v, i);
	qsort(row, kept, sizeof *row, by_size);
	for (size_t i = 0; i < kept; i++)
		table_add(t, &row[i]);
	free(row);
	free(v);
}

void memory_donations_table(const struct memory *m, struct table *t)
{
	table_begin(t, &memory_donations_schema);
	for (size_t i = 0; m && i < m->ndonations; i++)
		table_add(t, &m->donation[i]);
}
