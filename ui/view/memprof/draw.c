#include "config.h"
#include "view/memprof/memprof.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "widget/card.h"
#include "widget/chart.h"

enum { CHART_LEAST = 4, CHART_MOST = 14, SHEET_LEAST = 5, LABEL = 15, COLUMNS_MOST = 512 };

static const struct bar_part parts[] = {
	{ "stack", 0, ROLE_BLOCK_HOST, 0x2593 },
	{ "heap", 0, ROLE_BLOCK_COMPUTE, 0x2588 },
};

static const struct memory_event *peak_of(const struct memory_device *m)
{
	return &m->v[m->peak];
}

/* "[0 20.0 GiB]  1 20.0 GiB …" */
static void draw_tabs(struct memprof *s, struct canvas *c, int y, struct rect r)
{
	size_t n = memprof_view_devices(s), most = sizeof s->tabs_x / sizeof *s->tabs_x - 2;
	size_t from = s->device > 6 ? s->device - 6 : 0;
	int x = r.x + 1;

	s->tabs_y = y;
	for (s->ntabs = 0; s->ntabs < from; s->ntabs++)
		s->tabs_x[s->ntabs < most ? s->ntabs : most] = x;
	for (size_t i = from; i < n && i < most && x < r.x + r.w - 4; i++) {
		char name[64], text[72];

		memprof_view_device_name(s, i, name, sizeof name);
		snprintf(text, sizeof text, i == s->device ? "[%s]" : " %s ", name);
		s->tabs_x[i] = x;
		x += canvas_str(c, y, x, r.x + r.w - x, i == s->device ? ROLE_BOLD : ROLE_DIM,
		    i == s->device ? ATTR_BOLD : 0, text);
		s->ntabs = i + 1;
		s->tabs_x[s->ntabs] = x;
	}
	if (s->ntabs < n)
		canvas_glyph(c, y, r.x + r.w - 2, GLYPH_ELLIPSIS, ROLE_DIM, 0);
}

static void draw_head(const struct memory_device *m, struct canvas *c, int y, struct rect r)
{
	const struct memory_event *e = peak_of(m);
	char use[32], all[32], text[160];
	int x = r.x + 1;

	if (!e->known) {
		canvas_str(c, y, x, r.w - 2, ROLE_DIM, 0, "the events lack the memory in use");
		return;
	}
	units_bytes(use, sizeof use, (double)memprof_event_use(e));
	units_bytes(all, sizeof all, (double)m->capacity);
	x += canvas_str(c, y, x, r.w - 2, ROLE_BOLD, ATTR_BOLD, "Peak ");
	x += canvas_str(c, y, x, r.x + r.w - x, ROLE_BOLD, ATTR_BOLD, use);
	if (m->capacity > 0)
		snprintf(text, sizeof text, " of %s, %.1f %%", all,
		    100.0 * (double)memprof_event_use(e) / (double)m->capacity);
	else
		snprintf(text, sizeof text, ", capacity unknown");
	x += canvas_str(c, y, x, r.x + r.w - x, ROLE_TEXT, 0, text) + 3;
	for (size_t i = 0; i < 2 && x < r.x + r.w - 10; i++) {
		canvas_put(c, y, x, c->glyphs->ascii ? (i ? '#' : '%') : parts[i].sign, parts[i].role, 0);
		x += 2 + canvas_str(c, y, x + 2, r.x + r.w - x - 2, ROLE_DIM, 0, parts[i].label) + 1;
	}
}

/* The value of each column: the maximum within its time, or the value before it. */
static void chart_values(const struct memory_device *m, double *v, int ncol)
{
	int64_t t0 = m->v[0].t;
	double span = (double)m->v[m->n - 1].t - (double)t0;
	size_t i = 0;

	for (int k = 0; k < ncol; k++) {
		const struct memory_event *best = i ? &m->v[i - 1] : &m->v[0];

		for (bool first = true; i < m->n; i++, first = false) {
			double at = span > 0 ? ((double)m->v[i].t - (double)t0) / span * ncol : 0;

			if (at >= k + 1 && k + 1 < ncol)
				break;
			if (first || memprof_event_use(&m->v[i]) > memprof_event_use(best))
				best = &m->v[i];
		}
		v[2 * k] = best->stack > 0 ? (double)best->stack : 0;
		v[2 * k + 1] = best->heap > 0 ? (double)best->heap : 0;
	}
}

static void draw_chart(const struct memory_device *m, struct canvas *c, struct rect r, bool ascii)
{
	double v[2 * COLUMNS_MOST], use = (double)memprof_event_use(peak_of(m)), span;
	int ncol = r.w - CHART_AXIS - 1, x;
	struct chart ch = { .v = v, .nparts = 2, .part = parts, .bytes = true, .width = 1 };
	char from[32], to[32], at[32];

	ncol = ncol > COLUMNS_MOST ? COLUMNS_MOST : ncol;
	if (ncol < 8 || r.h < 3 || !(use > 0))
		return;
	ch.ncol = (size_t)ncol;
	chart_values(m, v, ncol);
	ch.top =
	    (double)m->capacity > use && (double)m->capacity < 3 * use ? 1.02 * (double)m->capacity : use;
	ch.line = (double)m->capacity;
	chart_draw(&ch, c, (struct rect){ r.y + 1, r.x, r.h - 2, r.w });
	span = (double)m->v[m->n - 1].t - (double)m->v[0].t;
	x = span > 0 ? (int)(((double)peak_of(m)->t - (double)m->v[0].t) / span * ncol) : 0;
	x = chart_x(&ch, r, (size_t)(x < ncol ? x : ncol - 1));
	units_time(at, sizeof at, peak_of(m)->t, ascii);
	canvas_glyph(c, r.y, x, GLYPH_CURSOR_TOP, ROLE_BOLD, ATTR_BOLD);
	if (x + 8 + (int)strlen(at) < r.x + r.w)
		canvas_fmt(c, r.y, x + 2, r.x + r.w - x - 2, ROLE_DIM, 0, "peak %s", at);
	else
		canvas_fmt(c, r.y, x - 6 - (int)strlen(at), (int)strlen(at) + 6, ROLE_DIM, 0, "%s peak", at);
	units_time(from, sizeof from, m->v[0].t, ascii);
	units_time(to, sizeof to, m->v[m->n - 1].t, ascii);
	canvas_str(c, r.y + r.h - 1, r.x + CHART_AXIS, ncol, ROLE_DIM, 0, from);
	canvas_right(c, r.y + r.h - 1, r.x + CHART_AXIS + ncol, ROLE_DIM, 0, to);
}

static void bytes_pair(struct canvas *c, struct rect r, int *y, const char *label, int64_t bytes, bool known)
{
	char text[32] = "–";

	if (known)
		units_bytes(text, sizeof text, (double)bytes);
	else if (c->glyphs->ascii)
		snprintf(text, sizeof text, "-");
	*y = card_pair(c, r, *y, LABEL, label, ROLE_TEXT, text);
}

/* Shows all columns of a row in full. */
static int row_card(const struct sheet *s, struct canvas *c, struct rect r, int y)
{
	size_t row = sheet_row(s);

	if (row == SIZE_MAX)
		return y;
	for (size_t i = 0; i < s->nform; i++) {
		char text[1024];

		if (s->col[i]->show == SHOW_BAR)
			continue;
		sheet_text(s, row, i, text, sizeof text);
		if (s->at[i] < 0 || s->col[i]->type != COL_STRING || (int)strlen(text) <= r.w - LABEL) {
			y = card_pair(c, r, y, LABEL, sheet_title(s, i), ROLE_TEXT, text + strspn(text, " "));
			continue;
		}
		y = card_pair(c, r, y, LABEL, sheet_title(s, i), ROLE_TEXT, "");
		y = card_text(c, r, y, 1, ROLE_TEXT, text + strspn(text, " "),
		    strlen(text + strspn(text, " ")));
	}
	return y;
}

/* Shows the row's whole stack, leaf first. */
static int stack_card(const struct memprof *s, struct canvas *c, struct rect r, int y)
{
	size_t row = sheet_row(&s->sheet[MEMPROF_STACKS]);
	const struct cell *text = table_at(&s->table, row, STACKS_stack);
	const char *at, *end;
	size_t len;

	if (row == SIZE_MAX)
		return y;
	y = card_rule(c, r, y, "stack", "leaf first");
	if (text->type != CELL_STR)
		return y;
	for (at = text->s, end = at + text->n; at < end && y < r.y + r.h; at += len + 1) {
		const char *semicolon = memchr(at, ';', (size_t)(end - at));

		len = semicolon ? (size_t)(semicolon - at) : (size_t)(end - at);
		canvas_cut(c, y++, r.x + 1, r.w - 1, ROLE_TEXT, 0, at, len);
	}
	return y;
}

static int device_card(const struct memprof *s, struct canvas *c, struct rect r, int y)
{
	const struct memory_device *m = &s->events->device[s->device];
	const struct memory_event *e = peak_of(m);
	char text[48];

	y = card_rule(c, r, y, "at the peak", "");
	bytes_pair(c, r, &y, "in use", memprof_event_use(e), e->known);
	bytes_pair(c, r, &y, "stack", e->stack, e->known);
	bytes_pair(c, r, &y, "heap", e->heap, e->known);
	bytes_pair(c, r, &y, "free", e->free, e->free > 0);
	bytes_pair(c, r, &y, "capacity", m->capacity, m->capacity > 0 && e->free > 0);
	snprintf(text, sizeof text, "%.1f %%", 100 * e->fragmentation);
	y = card_pair(c, r, y, LABEL, "fragmentation", ROLE_TEXT, text);
	y = card_pair(c, r, y, LABEL, "step", ROLE_TEXT, s->step ? s->step : c->glyphs->ascii ? "-" : "–");
	bytes_pair(c, r, &y, "lifetime peak", m->lifetime, m->lifetime > 0);
	units_count(text, sizeof text, m->n);
	return card_pair(c, r, y, LABEL, "events", ROLE_TEXT, text);
}

static int pprof_card(const struct memprof *s, struct canvas *c, struct rect r, int y)
{
	const struct facts *f = &s->pprof.summary;
	char text[32];

	y = card_rule(c, r, y, "profile", "");
	bytes_pair(c, r, &y, "bytes", facts_get(f, "bytes")->u.i, true);
	snprintf(text, sizeof text, "%lld", (long long)facts_get(f, "allocations")->u.i);
	y = card_pair(c, r, y, LABEL, "allocations", ROLE_TEXT,
	    facts_get(f, "allocations")->type == CELL_INT ? text
		: c->glyphs->ascii                        ? "-"
							  : "–");
	snprintf(text, sizeof text, "%lld", (long long)facts_get(f, "unknown_allocations")->u.i);
	y = card_pair(c, r, y, LABEL, "size unknown", ROLE_TEXT, text);
	snprintf(text, sizeof text, "%zu", s->pprof.nstacks);
	return card_pair(c, r, y, LABEL, "stacks", ROLE_TEXT, text);
}

int memprof_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct memprof *s = v->state;
	int y;

	if (how == FRAME_FULL)
		r = (struct rect){ r.y, r.x + 1, r.h, r.w > 100 ? 98 : r.w - 2 };
	y = s->has_pprof ? pprof_card(s, c, r, r.y) : device_card(s, c, r, r.y);
	y = card_rule(c, r, y + 1, s->has_pprof ? s->stacks ? "stack of" : "call" : "allocation", "");
	y = row_card(memprof_view_sheet(v), c, r, y);
	return stack_card(s, c, r, y + 1);
}

/* Lists devices and kinds with their shares. */
static int draw_totals(const struct memprof *s, struct canvas *c, struct rect r, int y, int rows)
{
	const struct table *t = &s->pprof.devices;
	double all = facts_number(&s->pprof.summary, "bytes");

	for (size_t i = 0; i < t->nrows && (int)i < rows; i++, y++) {
		const struct cell *row = t->cells + i * t->ncolumns;
		double part = all > 0 ? (double)row[3].u.i / all : 0;
		char name[96], bytes[32], line[96];

		memprof_view_device_name(s, i + 1, name, sizeof name);
		if (row[3].u.i || !row[4].u.i)
			units_bytes(bytes, sizeof bytes, (double)row[3].u.i);
		else
			snprintf(bytes, sizeof bytes, c->glyphs->ascii ? "-" : "–");
		canvas_cut(c, y, r.x + 1, r.w / 3, i + 1 == s->device ? ROLE_BOLD : ROLE_TEXT, 0, name,
		    strlen(name));
		canvas_right(c, y, r.x + r.w / 3 + 12, ROLE_TEXT, 0, bytes);
		bar_draw(c, y, r.x + r.w / 3 + 14, r.w / 4, part, ROLE_BLOCK_COMPUTE, true);
		snprintf(line, sizeof line, "%5.1f %%%s", 100 * part,
		    row[4].u.i > 0 ? "  + unknown sizes" : "");
		canvas_str(c, y, r.x + r.w / 3 + 15 + r.w / 4, r.w - r.w / 3 - r.w / 4 - 15, ROLE_TEXT, 0,
		    line);
	}
	return y;
}

void memprof_view_draw(struct view *v, struct canvas *c, struct rect r)
{
	struct memprof *s = v->state;
	int y = r.y, rows;

	s->ntabs = 0;
	draw_tabs(s, c, y++, r);
	if (s->has_pprof) {
		rows = (r.h - SHEET_LEAST) / 3;
		y = draw_totals(s, c, r, y, rows) + (r.h > 20);
	} else {
		const struct memory_device *m = &s->events->device[s->device];

		draw_head(m, c, y++, r);
		rows = (r.h - 2) / 2;
		rows = rows > CHART_MOST ? CHART_MOST : rows;
		if (rows >= CHART_LEAST) {
			draw_chart(m, c, (struct rect){ y, r.x, rows, r.w }, c->glyphs->ascii);
			y += rows;
		}
	}
	sheet_draw(memprof_view_sheet(v), c, (struct rect){ y, r.x, r.y + r.h - y, r.w });
}
