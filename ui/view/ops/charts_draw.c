/* Draws the charts of a table of ops. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "view/ops/charts_kind.h"
#include "view/ops/tables.h"
#include "widget/card.h"
#include "widget/kind.h"

enum {
	LABEL_MOST = 28,
	LABEL_LEAST = 10,
	PERCENT_COLS = 8,
	TIME_COLS = 13,
	ROOM_FOR_TIME = 52,
	ACROSS = 36,
	LEAST_ROWS = 4
};

static int rows_of(const struct ops_chart *c)
{
	return c->what ? (int)(c->n < INT16_MAX ? c->n : INT16_MAX) + 1 : 0;
}

/* The charts that are shown, with a row between two of them. */
static int shown_charts(const struct ops_charts *s, const struct ops_chart *shown[OPS_CHARTS])
{
	int n = 0;

	for (size_t i = 0; i < OPS_CHARTS; i++)
		if (s->v[i].what)
			shown[n++] = &s->v[i];
	return n;
}

int ops_charts_rows(const struct ops_charts *s)
{
	const struct ops_chart *shown[OPS_CHARTS];
	int n = shown_charts(s, shown), rows = 0;

	for (int i = 0; i < n; i++)
		rows += rows_of(shown[i]) + (i > 0);
	return rows;
}

static int label_cols(const struct ops_chart *c, int w)
{
	int cols = LABEL_LEAST, most = w * 2 / 5 < LABEL_MOST ? w * 2 / 5 : LABEL_MOST;

	for (size_t i = 0; i < c->n && cols < most; i++) {
		int need = utf8_cols(c->bar[i].label.s, c->bar[i].label.n);

		cols = need > cols ? need : cols;
	}
	return cols < most ? cols : most;
}

static void draw_kinds(const struct ops_bar *b, double most, struct canvas *c, int y, int x, int w)
{
	struct bar_part part[KIND_COUNT];
	size_t n = 0;

	for (int k = 0; k < KIND_COUNT; k++)
		if (b->kind[k] > 0)
			part[n++] = kind_part((enum time_kind)k, true, b->kind[k] / most);
	bar_stack(c, y, x, w, part, n);
}

static void draw_numbers(const struct ops_chart *chart, double us, struct canvas *c, struct rect r, int y)
{
	char text[40], n[16];
	int end = r.x + r.w - 1;

	if (r.w >= ROOM_FOR_TIME) {
		canvas_right(c, y, end, ROLE_TEXT, 0,
		    units_time(text, sizeof text, from_double(round(us * 1e6)), c->glyphs->ascii));
		end -= TIME_COLS;
	}
	snprintf(text, sizeof text, "%s %%", units_percent(n, sizeof n, us / chart->us));
	canvas_right(c, y, end, ROLE_BOLD, ATTR_BOLD, text);
}

static void draw_head(const struct ops_chart *chart, const struct op_table *t, struct canvas *c,
    struct rect r)
{
	char gloss[48] = "";

	if (chart->what->rates)
		chart->what->rates(t, gloss, sizeof gloss);
	card_head(c, r.y, r, chart->what->title, gloss);
}

static void draw_bar(const struct ops_chart *chart, const struct ops_bar *b, bool here, struct canvas *c,
    struct rect r, int y)
{
	int label = label_cols(chart, r.w), x = r.x + 3 + label + 1,
	    w = r.x + r.w - 1 - PERCENT_COLS - (r.w >= ROOM_FOR_TIME ? TIME_COLS : 0) - x;
	double most = 0;

	for (size_t i = 0; i < chart->n; i++)
		most = fmax(most, chart->bar[i].us);
	if (here)
		canvas_put(c, y, r.x + 1, '>', ROLE_BOLD, ATTR_BOLD);
	canvas_cut(c, y, r.x + 3, label, ROLE_TEXT, 0, b->label.s, b->label.n);
	draw_kinds(b, most, c, y, x, w);
	if (b->us > 0)
		draw_numbers(chart, b->us, c, r, y);
}

/* The first row is the title; the last says how many bars there is no room for. */
static void draw_chart(const struct ops_chart *chart, const struct op_table *t, struct slice here,
    struct canvas *c, struct rect r)
{
	size_t room = (size_t)(r.h - 1), n = chart->n > room ? room - 1 : chart->n;
	double rest = chart->us;
	bool found = false;
	char text[48];

	draw_head(chart, t, c, r);
	for (size_t i = 0; i < n; i++) {
		bool is_here = slice_same(chart->bar[i].label, here);

		draw_bar(chart, &chart->bar[i], is_here, c, r, r.y + 1 + (int)i);
		found |= is_here;
		rest -= chart->bar[i].us;
	}
	if (n == chart->n)
		return;
	if (here.n && !found)
		canvas_put(c, r.y + r.h - 1, r.x + 1, '>', ROLE_BOLD, ATTR_BOLD);
	snprintf(text, sizeof text, "%zu more", chart->n - n);
	canvas_str(c, r.y + r.h - 1, r.x + 3, r.w - 3, ROLE_DIM, 0, text);
	draw_numbers(chart, rest, c, r, r.y + r.h - 1);
}

static struct slice here_of(const struct ops_charts *s, const struct ops_chart *chart,
    const struct op_table *t)
{
	size_t row = sheet_row(&t->sheet);

	return row != SIZE_MAX && chart->what->counts(t, row) ? chart->what->label(t, s->dump, row)
							      : (struct slice){ 0 };
}

/* Shares `h` rows among charts one below the other: the highest give up rows first, but for those that need all
 * their bars.  Returns how many of the charts fit. */
static int share_rows(const struct ops_chart *const *shown, int n, int h, int *rows)
{
	int sum = n - 1, highest = 0;

	for (int i = 0; i < n; i++)
		sum += rows[i] = rows_of(shown[i]);
	for (; sum > h && highest >= 0; sum--) {
		highest = -1;
		for (int i = 0; i < n; i++)
			if (!shown[i]->what->rates && rows[i] > LEAST_ROWS &&
			    (highest < 0 || rows[i] > rows[highest]))
				highest = i;
		if (highest >= 0)
			rows[highest]--;
	}
	return highest >= 0 || !n ? n : share_rows(shown, n - 1, h, rows);
}

int ops_charts_draw(const struct ops_charts *s, const struct op_table *t, struct canvas *c, struct rect r,
    bool across)
{
	const struct ops_chart *shown[OPS_CHARTS];
	int n = shown_charts(s, shown), rows[OPS_CHARTS], y = r.y;

	if (across) {
		int w = r.w / ACROSS < n ? r.w / ACROSS : n;

		for (int i = 0; i < w && r.h >= LEAST_ROWS; i++)
			draw_chart(shown[i], t, here_of(s, shown[i], t), c,
			    (struct rect){ r.y, r.x + i * (r.w / w), r.h, r.w / w });
		return r.y + r.h;
	}
	n = n ? share_rows(shown, n, r.h, rows) : 0;
	for (int i = 0; i < n; i++) {
		draw_chart(shown[i], t, here_of(s, shown[i], t), c, (struct rect){ y, r.x, rows[i], r.w });
		y += rows[i] + 1;
	}
	return n ? y - 1 : y;
}
