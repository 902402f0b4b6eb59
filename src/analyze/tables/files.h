/* The files of a run as a table: what each is, how much was read, what was wrong, what it lacks (tpuscope(7), FILE
 * KINDS).  Row i is file i of the dump; one more row, of no file, when something is wrong with the run as a
 * whole.  The caller frees the table, which borrows texts from the dump. */
#ifndef ANALYZE_TABLES_FILES_H
#define ANALYZE_TABLES_FILES_H

#include "model/dump.h"
#include "result/table.h"

extern const struct schema files_schema;
enum files_column {
#define COLUMN(id, ...) FILES_##id,
#include "analyze/tables/files.def"
#undef COLUMN
};

void files_table(const struct dump *, struct table *);

#endif
