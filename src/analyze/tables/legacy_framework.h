/* Framework ops as a profiler left them (*.tensorflow_stats.pb, or DataTables with XProf's column ids), in
 * the form of the table made from captures (tables_framework).  Texts of cells belong to the file.  Returns
 * false with an empty table when the file has none.  The caller frees (table_free). */
#ifndef ANALYZE_TABLES_LEGACY_FRAMEWORK_H
#define ANALYZE_TABLES_LEGACY_FRAMEWORK_H

#include "model/toolfile.h"
#include "result/table.h"

bool legacy_framework_ops(const struct toolfile *, bool with_idle, struct table *);

#endif
