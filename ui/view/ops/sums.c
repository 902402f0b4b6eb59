/* What the lines that a filter leaves take together. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "view/ops/tables.h"

size_t ops_view_sum_text(const struct ops_sum *s, bool ascii, char *buf, size_t size)
{
	char text[40];
	size_t n;

	n = (size_t)snprintf(buf, size, "%s self %s", ascii ? "sum" : "Σ",
	    units_time(text, sizeof text, s->self, ascii));
	if (s->all > 0)
		n += (size_t)snprintf(buf + n, size - n, ", %s %%",
		    units_percent(text, sizeof text, (double)s->self / (double)s->all));
	if (s->all > 0 && s->self > 0 && s->flops > 0) {
		units_si(text, sizeof text, s->flops / ((double)s->self / 1e12), "FLOP/s");
		n += (size_t)snprintf(buf + n, size - n, ", %s", text);
	}
	return n;
}

/* Loops and calls state the FLOPs of the ops inside, which have rows of their own. */
void ops_view_sum_add(struct ops_sum *s, const struct op *o)
{
	s->self = add_clamped(s->self, o->sum.self);
	s->flops += o->sum.time > o->sum.self ? 0 : o->sum.flops;
}

static double cell_value(const struct op_table *t, size_t row, const char *column)
{
	const struct cell *c = ops_view_table_cell(t, row, column);

	return c && c->type == CELL_NUM ? c->u.d : NAN;
}

/* The FLOPs of a row.  Loops and calls state those of the ops inside, which have rows of their own. */
static double row_flops(const struct op_table *t, size_t row)
{
	double us = cell_value(t, row, "total_time");
	double rate = cell_value(t, row, t->form->framework ? "measured_flop_rate" : "normalized_flop_rate");

	return us > cell_value(t, row, "total_self_time") || isnan(us * rate) ? 0 : us * rate * 1e3;
}

/* Adds the self time in µs of a row to that of the device or of the host threads.  Offloaded ops run beside
 * others and are not in any total.  Returns whether it was added to that of the device. */
static bool sum_row(const struct op_table *t, size_t row, double *device, double *host)
{
	const struct cell *where = ops_view_table_cell(t, row, "host_or_device");
	double us = cell_value(t, row, "total_self_time");

	if (isnan(us) || (!where && ((const struct op *)sheet_of(&t->sheet, row))->sparse))
		return false;
	if (where && where->n == strlen("Host")) {
		*host += us;
		return false;
	}
	*device += us;
	return true;
}

void ops_view_table_sum(const struct op_table *t, bool ascii, char *buf, size_t size)
{
	double device = 0, host = 0, all = 0, other = 0;
	struct ops_sum sum = { 0 };
	char text[32];
	size_t n;

	for (size_t i = 0; i < t->sheet.list.n; i++)
		if (sum_row(t, t->sheet.order[i], &device, &host))
			sum.flops += row_flops(t, t->sheet.order[i]);
	for (size_t i = 0; t->sheet.filter && i < t->sheet.table->nrows; i++)
		sum_row(t, i, &all, &other);
	sum.self = from_double(round(device * 1e6));
	sum.all = from_double(round(all * 1e6));
	n = ops_view_sum_text(&sum, ascii, buf, size);
	if (host > 0)
		snprintf(buf + n, size - n, ", on hosts %s",
		    units_time(text, sizeof text, from_double(round(host * 1e6)), ascii));
}
