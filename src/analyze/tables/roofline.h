/* The table of the roofline: a row per op or program, with XProf's column ids (tpuscope(7), ROOFLINE), for
 * the report and the view.  A part is rows of one time: `total` (ps) is what shares are of, `steps` what
 * times are divided by, `rank` and `cumulative` go on from row to row.  Texts of cells belong to the database
 * or the dump, which must outlive the table; the caller frees (table_free).  Only reads; any thread. */
#ifndef ANALYZE_TABLES_ROOFLINE_H
#define ANALYZE_TABLES_ROOFLINE_H

#include "analyze/ops/roofline.h"
#include "result/table.h"

extern const struct schema roof_schema;

struct roof_part {
	struct table *t;
	const struct opdb *db;
	/* infeed and outfeed count; what is not known is null, not XProf's 0 */
	bool transfers, unknown_null;
	double total, cumulative; /* ps; fraction */
	double steps;             /* 1 = times are of all */
	int64_t rank;
};

/* texts: the framework op and the HLO of an op as well */
void roof_table_init(struct table *, bool texts);
/* op NULL: the program as a whole */
void roof_row(struct roof_part *, const struct dump *, const char *step, const struct op *,
    const struct opsum *);

#endif
