#include "config.h"
#include "analyze/tables/legacy_table.h"

struct cell legacy_cell(const struct json *j, enum column_type type)
{
	double d;

	if (!j)
		return cell_null();
	if (type == COL_STRING)
		return j->type == JSON_STRING ? cell_str(j->s, j->len) : cell_null();
	d = json_number(j, -1e300);
	if (d == -1e300)
		return cell_null();
	if (type == COL_INTEGER)
		return d > -9e18 && d < 9e18 ? cell_int((int64_t)d) : cell_null();
	return cell_num(d);
}

void legacy_rows(struct table *t, const struct json *file)
{
	int from[32];

	for (size_t i = 0; i < t->ncolumns; i++)
		from[i] = datatable_column(file, t->columns[i].id);
	for (const struct json *row = datatable_rows(file); row; row = row->next) {
		struct cell *c = table_row(t);

		for (size_t i = 0; i < t->ncolumns; i++)
			c[i] = from[i] < 0 ? cell_null()
					   : legacy_cell(datatable_cell(row, from[i]), t->columns[i].type);
	}
}
