#include "config.h"
#include "analyze/findings/findings.h"

#include <stdlib.h>
#include <string.h>

static const struct column columns[] = {
	{ "id", "id", "", COL_STRING },
	{ "severity", "severity", "", COL_STRING },
	{ "cost", "cost", "", COL_NUMBER },
	{ "cost_kind", "of", "", COL_STRING },
	{ "title", "finding", "", COL_STRING },
	{ "evidence", "evidence", "", COL_STRING },
	{ "advice", "what to do", "", COL_STRING },
	{ "where", "proof", "", COL_STRING },
};

void findings_table(const struct findings *f, const size_t *order, size_t n, struct table *t)
{
	static const char *const kinds[] = { [COST_TIME] = "fraction", [COST_BYTES] = "B" };

	table_init(t, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < n; i++) {
		const struct finding *x = &f->v[order ? order[i] : i];
		struct cell *c = table_row(t);
		char *where;

		c[0] = cell_strz(x->id);
		c[1] = cell_strz(severity_name(x->severity));
		if (x->cost_kind != COST_NONE) {
			c[2] = cell_num(x->cost);
			c[3] = cell_strz(kinds[x->cost_kind]);
		}
		c[4] = cell_strz(x->title);
		c[5] = cell_strz(x->evidence);
		c[6] = cell_strz(x->advice);
		where = proof_where(&x->proof);
		c[7] = table_text(t, where);
		free(where);
	}
}
