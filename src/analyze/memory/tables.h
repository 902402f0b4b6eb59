/* The tables of `report memory`, which views show as well: heap, buffers, spans, by_op and donations.  Texts
 * point into the memory, which must stay alive.  The caller frees (table_free). */
#ifndef ANALYZE_MEMORY_TABLES_H
#define ANALYZE_MEMORY_TABLES_H

#include "analyze/memory/by_op.h"

extern const struct schema memory_heap_schema, memory_buffers_schema, memory_spans_schema,
    memory_by_op_schema, memory_donations_schema;
enum memory_by_op_column {
#define COLUMN(id, ...) MEMORY_BY_OP_##id,
#include "analyze/memory/by_op.def"
#undef COLUMN
};

/* Without a memory (NULL), the table has no rows. */
void memory_heap_table(const struct memory *, struct table *);
void memory_buffers_table(const struct memory *, struct table *);
/* rows of other buffers, in a table with the schema of buffers: ranks and sums by size, whatever the order */
void memory_rank_buffers(struct table *);
void memory_spans_table(const struct memory *, struct table *);
/* framework ops and what encloses them, level by level, the largest first */
void memory_by_op_table(const struct memory *, struct table *);
/* the same columns for the tree: a row for each node, in its order */
void memory_ops_table(const struct memory *, const struct memory_op *, size_t n, struct table *);
void memory_donations_table(const struct memory *, struct table *);
const char *memory_buffer_title(const struct memory_buffer *); /* its name, or what it is */

#endif
