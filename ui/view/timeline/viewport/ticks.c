#include "config.h"

#include "view/timeline/viewport/ticks.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"

enum {
	TICK_LEAST = 12,  /* least columns between ticks */
	CURSOR_PARTS = 50 /* the time at the cursor is exact to this part of a column */
};

static enum time_unit unit_of_view(const struct viewport *g)
{
	int64_t a = viewport_begin(g), b = viewport_end(g);

	a = a < 0 ? -(a + 1) : a;
	b = b < 0 ? -(b + 1) : b;
	return unit_for(a > b ? a : b);
}

/* Decimals needed to show `ps`. */
static int decimals_for(int64_t ps, enum time_unit unit)
{
	int64_t u = unit_ps[unit];
	int n = 0;

	while (u > ps && n < 12) {
		u /= 10;
		n++;
	}
	return n;
}

static int put_time(char *buf, size_t size, int64_t t, enum time_unit unit, int decimals, bool ascii)
{
	char number[40];

	snprintf(buf, size, "%s %s", units_time_in(number, sizeof number, t, unit, decimals),
	    unit_name(unit, ascii));
	return utf8_cols(buf, strlen(buf));
}

/* Distance of ticks: a round number, wide enough for the longest text and a gap. */
static int64_t tick_step(const struct viewport *g, enum time_unit unit, bool ascii)
{
	int64_t step, columns = TICK_LEAST;

	for (int tries = 0;; tries++) {
		char buf[64];
		int decimals, a, b;

		if (__builtin_mul_overflow(columns, g->c, &step))
			step = INT64_MAX / 4;
		step = units_step_125(step);
		decimals = decimals_for(step, unit);
		a = put_time(buf, sizeof buf, viewport_begin(g), unit, decimals, ascii);
		b = put_time(buf, sizeof buf, viewport_end(g), unit, decimals, ascii);
		a = (a > b ? a : b) + 3;
		if (a <= step / g->c || tries == 3)
			return step;
		columns = a;
	}
}

int ticks_make(const struct viewport *g, bool ascii, struct tick *out, int max)
{
	enum time_unit unit = unit_of_view(g);
	int64_t step = tick_step(g, unit, ascii), t = floor_div(viewport_begin(g), step);
	int n = 0, decimals = decimals_for(step, unit);

	for (; n < max; t++) {
		int64_t at;

		if (__builtin_mul_overflow(t, step, &at) || at >= viewport_end(g))
			break;
		if (at < viewport_begin(g))
			continue;
		out[n].t = at;
		out[n].x = viewport_column(g, at);
		put_time(out[n].text, sizeof out[n].text, at, unit, decimals, ascii);
		n++;
	}
	return n;
}

int64_t ticks_least(const struct viewport *g)
{
	return g->c < CURSOR_PARTS ? 1 : g->c / CURSOR_PARTS;
}

void ticks_moment(const struct viewport *g, int64_t t, bool ascii, char *buf, size_t size)
{
	enum time_unit unit = unit_of_view(g);
	put_time(buf, size, t, unit, decimals_for(ticks_least(g), unit), ascii);
}
