/* Two sets of metrics reports compared (tpuscope(7), PYTORCH): files that differ only in the number of the process at
 * their end (".N") are one set, and there must be two of them, in the order in which they were named.  The table is
 * empty otherwise.  Ops that are not lowered any more come first, then what is outside of the expected range, then what
 * changed, by how much, then what only one of them has; what did not change is left out.  The caller owns the table. */
#ifndef ANALYZE_PTXLA_TABLES_CHANGES_H
#define ANALYZE_PTXLA_TABLES_CHANGES_H

#include "analyze/ptxla/ptxla.h"

extern const struct schema ptxla_changes_schema;
void ptxla_changes(const struct ptxla *, struct table *);

#endif
