#include "config.h"
#include "view/memprof/memprof.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "widget/chart.h"
#include "widget/text.h"

enum {
	CHART_LEAST = 4,
	CHART_MOST = 14,
	SHEET_LEAST = 5,
	COLUMNS_MOST = 512,
	AIRY = 30,
	ROOMY = 12,
	OTHERS = 9
};

/* What the chart stacks. */
static const struct bar_part parts[] = {
	{ "reserved for programs", 0, ROLE_BLOCK_COLLECTIVE, 0x2592 },
	{ "allocated", 0, ROLE_BLOCK_MATMUL, 0x2588 },
};

static const struct memory_event *peak_of(const struct memory_device *m)
{
	return &m->v[m->peak];
}

static void tab_text(const struct memprof *s, size_t i, char *buf, size_t size)
{
	char name[64], bytes[24] = "";

	memprof_view_device_name(s, i, name, sizeof name);
	if (i == s->device && !s->has_pprof && peak_of(&s->events->device[i])->known)
		text_bytes(bytes, sizeof bytes, (double)memprof_event_use(peak_of(&s->events->device[i])));
	snprintf(buf, size, " %s%s%s ", i == s->device || s->has_pprof ? name : memprof_view_short_name(name),
	    *bytes ? " " : "", bytes);
}

/* One for each device; those before the chosen one are left out when there is no room. */
static void draw_tabs(struct memprof *s, struct canvas *c, int y, struct rect r)
{
	size_t n = memprof_view_devices(s), most = TABS_MOST - 1;
	size_t from = s->device > 6 ? s->device - 6 : 0;
	int x = r.x + 1;

	tabs_begin(&s->tabs, y, x);
	for (size_t i = 0; i < from && i < most; i++)
		s->tabs.x[++s->tabs.n] = x;
	for (size_t i = from; i < n && i < most && x < r.x + r.w - 4; i++) {
		char text[96];

		tab_text(s, i, text, sizeof text);
		x += canvas_str(c, y, x, r.x + r.w - x, i == s->device ? ROLE_TAB_HERE : ROLE_DIM, 0, text) +
		    1;
		s->tabs.x[++s->tabs.n] = x;
	}
	if ((size_t)s->tabs.n < n)
		canvas_glyph(c, y, r.x + r.w - 2, GLYPH_ELLIPSIS, ROLE_DIM, 0);
}

/* A label with its bytes, if there is room; returns the column behind it. */
static int put_number(struct canvas *c, int y, int x, int end, const char *label, int64_t bytes)
{
	char text[24];
	int cols;

	text_bytes(text, sizeof text, (double)bytes);
	cols = (int)strlen(label) + 1 + utf8_cols(text, strlen(text));
	if (x + cols > end)
		return x;
	x += canvas_str(c, y, x, end - x, ROLE_DIM, 0, label) + 1;
	return x + canvas_str(c, y, x, end - x, ROLE_BOLD, ATTR_BOLD, text) + 2;
}

static void draw_head(const struct memory_device *m, struct canvas *c, int y, struct rect r)
{
	const struct memory_event *e = peak_of(m);
	int x = r.x + 1, end = r.x + r.w - 1;
	char text[32], n[16];

	if (!e->known) {
		canvas_str(c, y, x, r.w - 2, ROLE_DIM, 0,
		    "its events lack the memory in use; an XSpace (*.xplane.pb) has it");
		return;
	}
	if (e->free > 0) {
		snprintf(text, sizeof text, "%s %%",
		    units_percent(n, sizeof n, (double)memprof_event_use(e) / (double)m->capacity));
		end = canvas_right(c, y, end, ROLE_BOLD, ATTR_BOLD, text) - 2;
	}
	x = put_number(c, y, x, end, "peak", memprof_event_use(e));
	x = put_number(c, y, x, end, "reserved", e->stack);
	x = put_number(c, y, x, end, "allocated", e->heap);
	if (e->free > 0)
		put_number(c, y, x, end, "of", m->capacity);
	else
		canvas_str(c, y, x, end - x, ROLE_DIM, 0, "capacity unknown");
}

/* What fills the memory at the peak, by how long it lives: a bar and its legend. */
static int draw_lives(const struct memory_device *m, struct canvas *c, int y, struct rect r)
{
	static const struct {
		const char *name;
		enum role role;
		uint32_t sign;
	} looks[LIFE_COUNT] = { [LIFE_EARLIER] = { "earlier", ROLE_BLOCK_MATMUL, 0x2588 },
		[LIFE_RESERVED] = { "reserved", ROLE_BLOCK_COLLECTIVE, 0x2592 },
		[LIFE_KEPT] = { "kept", ROLE_BLOCK_COMPUTE, 0x2593 },
		[LIFE_FREED] = { "freed", ROLE_BLOCK_COPY, 0x259e } };
	double sum[LIFE_COUNT] = { 0 }, all = 0;
	struct bar_part part[LIFE_COUNT];
	int x = r.x + 1;

	for (size_t i = 0; i < m->ngroups; i++) {
		sum[m->group[i].life] += (double)m->group[i].bytes;
		all += (double)m->group[i].bytes;
	}
	for (int i = 0; i < LIFE_COUNT; i++)
		part[i] = (struct bar_part){ looks[i].name, all > 0 ? sum[i] / all : 0, looks[i].role,
			looks[i].sign };
	if (!(all > 0))
		return y;
	bar_stack(c, y, x, r.w - 2, part, LIFE_COUNT);
	for (int i = 0; i < LIFE_COUNT && x < r.x + r.w - 20; i++) {
		if (!(sum[i] > 0))
			continue;
		bar_stack(c, y + 1, x, 1, &(struct bar_part){ "", 1, part[i].role, part[i].sign }, 1);
		x = put_number(c, y + 1, x + 2, r.x + r.w - 1, part[i].label, from_double(sum[i])) + 1;
	}
	return y + 2;
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

static int legend_mark(struct canvas *c, int y, int x, const struct bar_part *part)
{
	bar_stack(c, y, x, 1, &(struct bar_part){ "", 1, part->role, part->sign }, 1);
	return x + 2 + canvas_str(c, y, x + 2, 40, ROLE_DIM, 0, part->label) + 2;
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
	x = r.x + CHART_AXIS;
	x += canvas_str(c, r.y + r.h - 1, x, ncol, ROLE_DIM, 0, from) + 3;
	for (size_t i = 0; i < 2 && x < r.x + r.w - 40; i++)
		x = legend_mark(c, r.y + r.h - 1, x, &parts[1 - i]);
	canvas_right(c, r.y + r.h - 1, r.x + CHART_AXIS + ncol, ROLE_DIM, 0, to);
}

/* Lists devices and kinds with their shares. */
static int draw_totals(const struct memprof *s, struct canvas *c, struct rect r, int y, int rows)
{
	const struct table *t = &s->pprof.devices;
	double all = (double)s->pprof.bytes;

	for (size_t i = 0; i < t->nrows && (int)i < rows; i++, y++) {
		const struct cell *row = t->cells + i * t->ncolumns;
		double part = all > 0 ? (double)row[3].u.i / all : 0;
		char name[96], bytes[32], line[96];

		memprof_view_device_name(s, i + 1, name, sizeof name);
		if (row[3].u.i || !row[4].u.i)
			units_bytes(bytes, sizeof bytes, (double)row[3].u.i);
		else
			snprintf(bytes, sizeof bytes, "%s", CELL_UNKNOWN);
		canvas_cut(c, y, r.x + 1, r.w / 3, i + 1 == s->device ? ROLE_BOLD : ROLE_TEXT, 0, name,
		    strlen(name));
		canvas_right(c, y, r.x + r.w / 3 + 12, ROLE_TEXT, 0, bytes);
		bar_draw_dotted(c, y, r.x + r.w / 3 + 14, r.w / 4, part, ROLE_BLOCK_COMPUTE);
		if (row[3].u.i || !row[4].u.i)
			snprintf(line, sizeof line, "%5.1f %%%s", 100 * part,
			    row[4].u.i > 0 ? "  + unknown" : "");
		else
			snprintf(line, sizeof line, "    %s", bytes);
		canvas_str(c, y, r.x + r.w / 3 + 15 + r.w / 4, r.w - r.w / 3 - r.w / 4 - 15, ROLE_TEXT, 0,
		    line);
	}
	return y;
}

/* The memory of a device over time, and what filled it at the peak; returns the row below. */
static int draw_device(const struct memprof *s, struct canvas *c, struct rect r, int y)
{
	const struct memory_device *m = &s->events->device[s->device];
	bool airy = r.h >= AIRY;
	int rows = (r.h - 4) / 2, few = m->ngroups < 200 ? (int)m->ngroups : 200,
	    spare = r.h - OTHERS - few; /* rows that the table does not need */

	y += airy;
	draw_head(m, c, y++, r);
	spare = spare > CHART_MOST ? spare : CHART_MOST;
	rows = rows > spare ? spare : rows;
	if (rows >= CHART_LEAST) {
		draw_chart(m, c, (struct rect){ y, r.x, rows, r.w }, c->glyphs->ascii);
		y += rows + airy;
	}
	if (r.h >= ROOMY)
		y = draw_lives(m, c, y, r) + airy;
	return y;
}

void memprof_view_draw(struct view *v, struct canvas *c, struct rect r)
{
	struct memprof *s = v->state;
	int y = r.y;

	draw_tabs(s, c, y++, r);
	if (s->has_pprof)
		y = draw_totals(s, c, r, y, (r.h - SHEET_LEAST) / 3) + (r.h > 20);
	else
		y = draw_device(s, c, r, y);
	sheet_draw(memprof_view_sheet(v), c, (struct rect){ y, r.x, r.y + r.h - y, r.w });
}
