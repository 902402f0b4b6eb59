/* Framework ops as a profiler left them (*.tensorflow_stats.pb, or DataTables with XProf's column ids), as
 * the table that captures give (ops_framework); flags are those of ops_framework.  Texts of cells belong to
 * the file.  False: the file has no such table, and this one is empty.  The caller frees (table_free). */
#ifndef ANALYZE_TABLES_LEGACY_FRAMEWORK_H
#define ANALYZE_TABLES_LEGACY_FRAMEWORK_H

#include "model/toolfile.h"
#include "result/table.h"

bool legacy_framework_ops(const struct toolfile *, unsigned flags, struct table *);

#endif
