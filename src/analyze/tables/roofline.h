/* The roofline table: one row per op or program, with XProf's column ids (tpuscope(7), ROOFLINE), for both
 * the report and the view.  A struct roof_part is a group of rows about one time: shares are of `total` (ps),
 * times are divided by `steps`, and `rank` and `cumulative` continue from row to row.  Texts of cells belong
 * to the database or the dump, which must outlive the table; the caller frees (table_free).  Only reads; any
 * thread. */
#ifndef ANALYZE_TABLES_ROOFLINE_H
#define ANALYZE_TABLES_ROOFLINE_H

#include "analyze/ops/roofline.h"
#include "result/table.h"

extern const struct schema roof_schema;

struct roof_part {
	struct table *t;
	const struct opdb *db;
	bool transfers;           /* infeed and outfeed count */
	bool people;              /* what limits an op is as in roof_bound(), not as XProf says it */
	double total, cumulative; /* ps; fraction */
	double steps;             /* 1 = times are totals */
	int64_t rank;
};

/* texts: add the framework op and the HLO text of each op */
void roof_table_init(struct table *, bool texts);
/* op NULL: the program as a whole */
void roof_row(struct roof_part *, const struct dump *, const char *step, const struct op *,
    const struct opsum *);

#endif
