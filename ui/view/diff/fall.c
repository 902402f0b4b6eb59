/* The waterfall: each bar starts where the one above it ended. */
#include "config.h"
#include "view/diff/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "widget/card.h"

enum { AROUND = 4, LEAST = 7, NAME_LEAST = 14, NUMBER = 12, CHANGE_ROWS = 5, INDENT = 6 };

/* Where things are: names, bars, numbers that end at a column; ps of a column of the bars. */
struct fall_place {
	int name, name_w, bar, bar_w, end;
	double ps, least;
	enum time_unit unit;
};

static int64_t delta_at(const struct table *t, size_t row)
{
	return table_get(t, row, "delta_ps")->u.i;
}

static struct fall_place place_of(const struct diff_view *s, struct rect a)
{
	struct fall_place p = { .name = a.x + 3, .end = a.x + a.w - 1 };
	double at = 0, most = 0, low = 0, high = 0;

	p.name_w = a.w * 2 / 5 > NAME_LEAST ? a.w * 2 / 5 : NAME_LEAST;
	p.bar = p.name + p.name_w + 1;
	p.bar_w = p.end - NUMBER - 1 - p.bar;
	for (size_t i = 0; i < s->fall.nrows; i++) {
		double delta = (double)delta_at(&s->fall, i);

		at += delta;
		low = at < low ? at : low;
		high = at > high ? at : high;
		most = fabs(delta) > most ? fabs(delta) : most;
	}
	p.least = low;
	p.ps = p.bar_w > 0 ? fmax(high - low, 2 * most) / p.bar_w : 0;
	p.unit = unit_for((int64_t)(most / 10));
	return p;
}

/* An op by its name, what is no op by the id of its kind. */
static void row_name(const struct table *t, size_t row, char *buf, size_t size)
{
	struct slice base = table_str(t, row, (size_t)table_column(t, "name_base")),
		     new = table_str(t, row, (size_t)table_column(t, "name_new")),
		     kind = table_str(t, row, (size_t)table_column(t, "kind"));
	struct slice name = new.n ? new : base;

	if (name.n)
		snprintf(buf, size, "%.*s%s", (int)name.n, name.s,
		    !base.n                           ? " (new)"
			: !new.n                      ? " (gone)"
			: slice_is(kind, "comm_wait") ? " (waiting)"
						      : "");
	for (enum part_kind i = 0; !name.n && i < PARTS; i++)
		if (slice_is(kind, part_info[i].id))
			snprintf(buf, size, "%s%s", i < PART_IDLE ? "other " : "",
			    i < PART_IDLE ? part_info[i].what : part_info[i].id);
}

static void draw_bar(struct canvas *c, int y, const struct fall_place *p, double from, double to)
{
	double low = (fmin(from, to) - p->least) / p->ps, high = (fmax(from, to) - p->least) / p->ps;
	int first = (int)floor(low), last = (int)ceil(high);

	last = last <= first ? first + 1 : last;
	for (int i = first; i < last && i < p->bar_w; i++)
		canvas_glyph(c, y, p->bar + i, high - low < .5 ? GLYPH_EDGE : GLYPH_FULL,
		    to > from ? ROLE_BAD : ROLE_GOOD, 0);
}

static void draw_row(struct view *v, struct canvas *c, int y, const struct fall_place *p, size_t row,
    double from, struct rect a)
{
	const struct diff_view *s = v->state;
	int64_t delta = delta_at(&s->fall, row);
	enum role role = delta > 0 ? ROLE_BAD : delta < 0 ? ROLE_GOOD : ROLE_TEXT;
	char name[300], text[40];

	row_name(&s->fall, row, name, sizeof name);
	canvas_cut(c, y, p->name, p->name_w, ROLE_TEXT, 0, name, strlen(name));
	if (row == s->list.at)
		canvas_role(c, (struct rect){ y, a.x, 1, a.w }, ROLE_SELECTED, 0);
	if (delta)
		canvas_glyph(c, y, a.x + 1, delta > 0 ? GLYPH_SORT_UP : GLYPH_SORT_DOWN, role, 0);
	if (p->bar_w > 0 && p->ps > 0 && delta)
		draw_bar(c, y, p, from, from + (double)delta);
	units_time_in(text + 1, sizeof text - 1, delta, p->unit, p->unit == UNIT_PS ? 0 : 2);
	*text = '+';
	canvas_right(c, y, p->end, row == s->list.at ? ROLE_SELECTED : role, 0, text + (delta <= 0));
}

static void draw_end(struct canvas *c, int y, const struct fall_place *p, const char *name, int64_t ps)
{
	char text[40];

	canvas_str(c, y, p->name, p->name_w, ROLE_BOLD, 0, name);
	units_time_in(text, sizeof text, ps, p->unit, p->unit == UNIT_PS ? 0 : 2);
	canvas_right(c, y, p->end, ROLE_BOLD, 0, text);
}

/* What changed, below the waterfall where there is room: returns the row after the last one that is whole. */
static void draw_changes(struct view *v, struct canvas *c, struct rect a)
{
	const struct diff *d = &((const struct diff_view *)v->state)->x->diff;
	const struct table *t = &d->table[DIFF_CHANGES];
	char time[40];
	int y = a.y;

	card_head(c, y++, a, "WHAT CHANGED", t->nrows ? "as far as it is certain; u lists all" : "");
	if (!t->nrows)
		canvas_str(c, y, a.x + 3, a.w - 4, ROLE_DIM, 0, "no single cause above 0.5 % of the step");
	for (size_t i = 0; i < t->nrows && y < a.y + a.h; i++) {
		struct slice name = table_str(t, i, (size_t)table_column(t, "name_new")),
			     kind = table_str(t, i, (size_t)table_column(t, "kind")),
			     evidence = table_str(t, i, (size_t)table_column(t, "evidence")),
			     advice = table_str(t, i, (size_t)table_column(t, "advice"));
		double delta = table_number(t, i, "delta_ps");
		enum role role = delta > 0 ? ROLE_BAD : ROLE_GOOD;
		char text[400];

		name = name.n ? name : table_str(t, i, (size_t)table_column(t, "name_base"));
		canvas_glyph(c, y, a.x + 1, delta > 0 ? GLYPH_SORT_UP : GLYPH_SORT_DOWN, role, 0);
		snprintf(text, sizeof text, "%zu %.*s  %.*s", i + 1, (int)(name.n < 200 ? name.n : 200),
		    name.n ? name.s : "", (int)kind.n, kind.s);
		canvas_cut(c, y, a.x + 3, a.w - 3 - NUMBER, ROLE_TEXT, 0, text, strlen(text));
		snprintf(text, sizeof text, "%s%s", delta > 0 ? "+" : "",
		    units_time(time, sizeof time, (int64_t)delta, v->app->glyphs->ascii));
		canvas_right(c, y++, a.x + a.w - 1, role, 0, text);
		y = card_text(c, a, y, INDENT, ROLE_TEXT, evidence.s, evidence.n);
		y = card_text(c, a, y, INDENT, ROLE_DIM, advice.s, advice.n);
	}
}

static void draw_sum(struct view *v, struct canvas *c, int y, struct rect a)
{
	const struct diff *d = &((const struct diff_view *)v->state)->x->diff;
	int64_t sum = 0;
	char time[40];

	for (size_t i = 0; i < d->table[DIFF_WATERFALL].nrows; i++)
		sum += delta_at(&d->table[DIFF_WATERFALL], i);
	canvas_fmt(c, y, a.x + 3, a.w - 4, ROLE_DIM, 0, "sum of all rows = %s%s%s", sum > 0 ? "+" : "",
	    units_time_in(time, sizeof time, sum, UNIT_US, 6),
	    sum == d->new - d->base ? " µs = the difference of the steps" : " µs");
}

void diff_view_fall(struct view *v, struct canvas *c, struct rect a)
{
	struct diff_view *s = v->state;
	const struct diff *d = &s->x->diff;
	struct fall_place p = place_of(s, a);
	double at = 0;
	bool whole = a.h >= LEAST;
	int rows = a.h - (whole ? AROUND : 0), y = a.y;

	if (!s->fall.nrows) {
		canvas_str(c, y, a.x + 1, a.w - 2, ROLE_DIM, 0,
		    d->verdict == VERDICT_NOT_COMPARABLE ? "no waterfall of unlike captures; u shows what "
							   "they have, and what makes them unlike"
							 : "neither side has steps with ops");
		return;
	}
	if (whole) {
		card_head(c, y, a, "WHERE THE DIFFERENCE COMES FROM", "mean per step and core");
		canvas_right(c, y++, p.end, ROLE_DIM, 0, unit_name(p.unit, v->app->glyphs->ascii));
		draw_end(c, y++, &p, "base", d->base);
	}
	list_fit(&s->list, rows > 1 ? rows : 1);
	s->list.y = y;
	for (size_t i = 0; i < s->list.top; i++)
		at += (double)delta_at(&s->fall, i);
	for (size_t i = s->list.top; i < s->fall.nrows && y < s->list.y + s->list.rows; i++) {
		draw_row(v, c, y++, &p, i, at, a);
		at += (double)delta_at(&s->fall, i);
	}
	if (!whole)
		return;
	draw_end(c, y++, &p, "new", d->new);
	draw_sum(v, c, y++, a);
	if (a.y + a.h - y > CHANGE_ROWS)
		draw_changes(v, c, (struct rect){ y + 1, a.x, a.y + a.h - y - 1, a.w });
}
