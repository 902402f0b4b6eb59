#include "config.h"
#include "analyze/scopes/scopes.h"

#include <stdlib.h>
#include <string.h>

struct scope_row {
	const struct scopes *all;
	const struct name_scope *scope;
	bool in_order;
};

static struct cell us_cell(int64_t ps)
{
	return cell_num((double)ps / 1e6);
}

static struct cell percent_of(double amount, const struct name_scope *s, double peak, bool one_step)
{
	double percent = 100 * amount / ((double)s->sum.rated / 1e12) / peak;

	return peak > 0 && s->sum.rated > 0 && !one_step ? cell_rate(percent, percent > 100) : cell_null();
}

#define SCHEMA scopes
#define SCHEMA_ROW struct scope_row
#define SCHEMA_DEF "analyze/scopes/scopes.def"
#include "result/schema_def.h"

const struct schema scopes_schema = { SCHEMA_COLUMNS(scopes_columns),
	.view = "path time_us share forward_us backward_us recompute_us flops_percent hbm_percent count "
		"exposed_us gap_before_us",
	.text = "depth path time_us share count forward_us backward_us recompute_us flops_percent "
		"hbm_percent exposed_us "
		"gap_before_us mixed" };

static int by_time(const void *a, const void *b)
{
	const struct name_scope *x = *(const struct name_scope *const *)a,
				*y = *(const struct name_scope *const *)b;

	if (x->sum.time != y->sum.time)
		return x->sum.time > y->sum.time ? -1 : 1;
	return strcmp(x->path, y->path);
}

void scopes_table(const struct scopes *s, bool in_order, size_t deep, struct table *t)
{
	const struct name_scope **v = xcalloc(s->n + 1, sizeof *v);
	size_t n = 0;

	table_begin(t, &scopes_schema);
	for (size_t i = 0; i < s->n; i++)
		if (!deep || s->v[i].depth < deep)
			v[n++] = &s->v[i];
	if (!in_order)
		VEC_SORT(v, n, by_time);
	for (size_t i = 0; i < n; i++)
		table_add(t, &(struct scope_row){ s, v[i], in_order });
	free(v);
}
