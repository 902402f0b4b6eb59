#include "config.h"
#include "analyze/diff/diff.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN .9 /* share of all differences that a text lists one by one, but not more rows than that */
#define SHOWN_ROWS 20

/* The first rows of a waterfall, until they are most of all differences, and of the others a row per part. */
void diff_fold(struct table *t)
{
	double all = 0, sum = 0;
	int kind = table_column(t, "kind"), delta = table_column(t, "delta_ps"),
	    base = table_column(t, "base_ps"), new = table_column(t, "new_ps"),
	    category = table_column(t, "category");
	size_t kept = 0, n = 0;

	for (size_t i = 0; i < t->nrows; i++)
		all += llabs(table_at(t, i, (size_t)delta)->u.i);
	while (kept < t->nrows && kept < SHOWN_ROWS && sum < SHOWN * all)
		sum += llabs(table_at(t, kept++, (size_t)delta)->u.i);
	n = kept;
	for (size_t i = kept; i < t->nrows; i++) {
		struct cell *row = t->cells + i * t->ncolumns, *to;
		size_t k = kept;

		while (k < n && !slice_same(table_str(t, k, (size_t)kind), cell_text(&row[kind])))
			k++;
		to = t->cells + k * t->ncolumns;
		if (k == n) {
			memmove(to, row, t->ncolumns * sizeof *to);
			to[kind + 1] = to[kind + 2] = cell_null();
			to[category] = cell_strz("others");
			n++;
			continue;
		}
		to[delta].u.i += row[delta].u.i;
		to[base].u.d += row[base].u.d;
		to[new].u.d += row[new].u.d;
	}
	t->nrows = n;
}
