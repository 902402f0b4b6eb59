#include "config.h"
#include "result/cell_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"

static bool is_rate(const char *unit)
{
	return !strcmp(unit, "FLOP/s") || !strcmp(unit, "B/s") || !strcmp(unit, "FLOP");
}

static void precise_text(char *buf, size_t size, double v, const char *unit, bool whole)
{
	bool percent = !strcmp(unit, "percent");
	double factor;

	unit = column_shown_unit(unit, &factor);
	v *= factor;
	if (!strcmp(unit, "ns") && v > 1e18)
		strcat(units_date(buf, size, from_double(v)), " UTC");
	else if (!strcmp(unit, "B"))
		units_bytes(buf, size, v);
	else
		snprintf(buf, size, "%.*f%s%s",
		    whole                 ? 0
			: !*unit          ? 4
			: percent         ? 2
			: fabs(v) < 10000 ? (strcmp(unit, "ms") != 0 ? 3 : units_decimals(v))
					  : 0,
		    v, *unit ? " " : "", percent ? "%" : unit);
}

static void short_text(char *buf, size_t size, double v, const char *unit)
{
	char n[32];

	if (!strcmp(unit, "B"))
		snprintf(buf, size, "%.2f GiB", v / GIB);
	else if (!strcmp(unit, "percent") || !strcmp(unit, "fraction"))
		snprintf(buf, size, "%s %%", units_percent(n, sizeof n, *unit == 'p' ? v / 100 : v));
	else if (!strcmp(unit, "GFLOP/s"))
		units_si(buf, size, v * 1e9, "FLOP/s");
	else if (!strcmp(unit, "GiB/s"))
		units_si(buf, size, v * GIB, "B/s");
	else if (is_rate(unit) || (fabs(v) >= 1e5 && strcmp(unit, "ms")))
		units_si(buf, size, v, unit);
	else if (!strcmp(unit, "ms"))
		snprintf(buf, size, "%.*f ms", v < 100 ? units_decimals(v) : v < 1e5 ? 1 : 0, v);
	else
		snprintf(buf, size,
		    fabs(v) < .01 && v != 0 ? "%.1e%s%s"
			: fabs(v) < 10      ? "%.2f%s%s"
					    : "%.1f%s%s",
		    v, *unit ? " " : "", unit);
}

char *number_text(char *buf, size_t size, double v, const char *unit, bool whole, enum number_look look)
{
	if (isnan(v))
		snprintf(buf, size, "%s", CELL_UNKNOWN);
	else if (!strcmp(unit, "ps") || !strcmp(unit, "us"))
		units_time(buf, size, from_double(round(*unit == 'u' ? v * 1e6 : v)), false);
	else if (whole && !*unit)
		units_count(buf, size, v > 0 ? (uint64_t)from_double(v) : 0);
	else if (look == NUMBER_PRECISE)
		precise_text(buf, size, v, unit, whole);
	else if (!strcmp(unit, "B") && v < GIB)
		units_bytes(buf, size, v);
	else
		short_text(buf, size, v, unit);
	return buf;
}

char *cell_people(char *buf, size_t size, const struct cell *c, const struct column *column)
{
	if (!c || c->type == CELL_NULL)
		snprintf(buf, size, "%s", CELL_UNKNOWN);
	else if (c->type == CELL_STR)
		snprintf(buf, size, "%.*s", (int)(c->n < size ? c->n : size), c->s);
	else if (c->type == CELL_BOOL)
		snprintf(buf, size, "%s", c->u.b ? "yes" : "no");
	else if (c->beyond)
		snprintf(buf, size, "%s", CELL_BEYOND);
	else
		number_text(buf, size, cell_number(c), column ? column->unit : "",
		    column && column->type == COL_INTEGER, NUMBER_SHORT);
	return buf;
}

void cell_file(FILE *out, const struct cell *c, int digits)
{
	switch (c->type) {
	case CELL_INT:
		fprintf(out, "%" PRId64, c->u.i);
		break;
	case CELL_NUM:
		if (isfinite(c->u.d))
			fprintf(out, "%.*g", digits, c->u.d);
		break;
	case CELL_BOOL:
		fputs(c->u.b ? "true" : "false", out);
		break;
	case CELL_STR:
		for (size_t i = 0; i < c->n; i++)
			fputc((unsigned char)c->s[i] < ' ' || c->s[i] == 0x7f ? ' ' : c->s[i], out);
		break;
	default:
		break;
	}
}
