/* Rows of DataTables that a profiler left, as rows of a table that has the same ids: what is missing, or is
 * not of the type of the column, is null.  Texts belong to the file.  At most 32 columns. */
#ifndef ANALYZE_TABLES_LEGACY_TABLE_H
#define ANALYZE_TABLES_LEGACY_TABLE_H

#include "model/toolfile.h"
#include "result/table.h"

struct cell legacy_cell(const struct json *, enum column_type);
void legacy_rows(struct table *, const struct json *datatable);

#endif
