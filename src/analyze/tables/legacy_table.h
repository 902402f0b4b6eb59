/* Rows of DataTables that a profiler left, as rows of a table with the same ids.  Values that are missing, or
 * not of the column's type, are null.  Texts belong to the file.  At most 32 columns. */
#ifndef ANALYZE_TABLES_LEGACY_TABLE_H
#define ANALYZE_TABLES_LEGACY_TABLE_H

#include "model/toolfile.h"
#include "result/table.h"

struct cell legacy_cell(const struct json *, enum column_type);
void legacy_rows(struct table *, const struct json *datatable);

#endif
