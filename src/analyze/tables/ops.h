/* The flat tables of ops, for both reports and views: hlo_stats (one row per op of the database, in its
 * order) and framework ops (one row per framework op, device first, then host), with XProf's column ids
 * (tpuscope(7), OP METRICS and FRAMEWORK OPS).  Texts of cells belong to the database, the framework tables
 * or the dump, which must outlive the table; the caller frees (table_free).  Only reads; any thread. */
#ifndef ANALYZE_TABLES_OPS_H
#define ANALYZE_TABLES_OPS_H

#include "analyze/framework/ops.h"
#include "analyze/ops/opdb.h"
#include "analyze/ops/profile.h"
#include "analyze/ops/roofline.h"
#include "result/table.h"

extern const struct schema hlo_schema, framework_schema, profile_schema;

enum framework_column {
#define COLUMN(id, ...) FRAMEWORK_##id,
#include "analyze/tables/framework_ops.def"
#undef COLUMN
};

enum {
	OPS_WITH_IDLE = 1,   /* framework ops: IDLE is a row and part of the whole */
	OPS_FOR_PEOPLE = 2,  /* bound_by is null instead of XProf's Unknown */
	OPS_NO_FLOPS = 4,    /* no op states its FLOPs, so it is not known whether they are the limit */
	OPS_LOSES_TEXTS = 8, /* an empty text may have been lost: null */
	OPS_WORDS = 16       /* bound_by is as in roof_bound() */
};

unsigned tables_flags(const struct opdb *, bool people); /* all but the first */

void tables_hlo_stats(const struct dump *, const struct opdb *, unsigned flags, struct table *);
void tables_framework(const struct framework *, const struct op_peaks *, unsigned flags, struct table *);
/* One row per node of the tree, deeper nodes indented.  Without a profile, only the columns. */
void tables_profile(const struct opprofile *, struct table *);
/* percent of the op time; XLA counts no FLOPs for custom calls */
double tables_custom_calls(const struct opdb *);

/* A rate of 0 means that nothing was stated: null.  beyond: above the peak of the chip. */
struct cell tables_rate(double);
struct cell tables_possible_rate(double, bool beyond); /* beyond: it is more than is possible */
/* Bytes in HBM per time.  An op that states the memories of its bytes and has none in HBM has a rate of 0. */
struct cell tables_hbm_rate(const struct opsum *, const struct roof *);
struct cell tables_text(struct slice);
struct cell tables_program(struct arena *, const struct op *);
struct cell tables_us(double ps);
#define OPS_EXACT (INT64_C(1) << 53)               /* doubles are not exact for larger whole numbers */
struct cell tables_count(struct arena *, int64_t); /* larger numbers become a string of digits */

#endif
