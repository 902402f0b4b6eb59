#include "config.h"
#include "view/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "widget/chart.h"
#include "widget/text.h"

#define NEAR_LIMIT 1.5 /* a limit further above the peak would flatten the chart; it is written as text */

enum { FIXED, TEMPORARY, PARTS };
enum { LATER = 14 };      /* columns that the name of each space after this one needs */
enum { LIMIT_COLS = 83 }; /* for a longer text about the limit */

enum { GATHERED = MEMORY_CATEGORIES + 1 }; /* a part of the temporaries */

static const struct {
	int category;
	const char *name;
	enum role role;
	uint32_t sign, ascii;
} kinds[] = {
	{ MEMORY_PARAMETER, "Parameter", ROLE_BLOCK_MATMUL, 0x2588, '#' },
	{ MEMORY_OUTPUT, "Output", ROLE_BLOCK_COMPUTE, 0x2593, '=' },
	{ GATHERED, "Gathered weights", ROLE_BLOCK_IO, 0x259a, '%' },
	{ MEMORY_TEMPORARY, "Temporary", ROLE_BLOCK_COLLECTIVE, 0x2592, '-' },
	{ MEMORY_CONSTANT, "Constant", ROLE_BLOCK_COPY, 0x259e, '+' },
	{ MEMORY_THREAD_LOCAL, "Thread-local", ROLE_BLOCK_OTHER, 0x2591, ':' },
	{ MEMORY_UNKNOWN, "Kind unknown", ROLE_BLOCK_COLLECTIVE, 0x2592, '-' },
	{ MEMORY_CATEGORIES, "Fragmentation", ROLE_BLOCK_OTHER, 0xb7, '.' },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* --- spaces and numbers --- */

static int put_space(struct mem_view *s, struct canvas *c, int y, int x, int end, size_t i)
{
	const struct memory_space_info *info = &s->spaces[i];
	bool here = info->space == s->space;
	char text[48], size[24] = "";

	text_bytes(size, sizeof size, (double)(here ? s->m.peak_bytes : info->bytes));
	snprintf(text, sizeof text, " %d %s %s ", info->space, info->name ? info->name : "unknown", size);
	if (x + (int)strlen(text) > end - (here ? 0 : LATER * (int)(s->nspaces - i - 1)))
		snprintf(text, sizeof text, " %d%s%s%s%s ", info->space, info->name ? " " : "",
		    info->name ? info->name : "", here ? " " : "", here ? size : "");
	if (x + (int)strlen(text) > end)
		return x;
	canvas_str(c, y, x, end - x, here ? ROLE_TAB_HERE : ROLE_DIM, 0, text);
	return x + (int)strlen(text) + 1;
}

void memory_view_space_draw(struct mem_view *s, struct canvas *c, struct rect r, const char *gloss)
{
	int x = r.x + 1, end = r.x + r.w - 1, cols = utf8_cols(gloss, strlen(gloss));

	s->spaces_y = r.y;
	if (!s->nspaces) {
		s->spaces[0] =
		    (struct memory_space_info){ s->space, memory_space_name(s->space), s->m.allocated };
		x = put_space(s, c, r.y, x, end, 0);
	}
	for (size_t i = 0; i < s->nspaces; i++) {
		s->spaces_x[i] = x;
		x = put_space(s, c, r.y, x, end, i);
		s->spaces_x[i + 1] = x;
	}
	if (x + 2 + cols <= end)
		canvas_str(c, r.y, end - cols, cols, ROLE_DIM, 0, gloss);
}

static int put_number(struct canvas *c, int y, int x, int end, const char *label, int64_t bytes,
    enum role role)
{
	char text[24] = "–";
	int cols;

	if (bytes >= 0)
		text_bytes(text, sizeof text, (double)bytes);
	cols = (int)strlen(label) + 1 + utf8_cols(text, strlen(text));
	if (x + cols > end)
		return x;
	x += canvas_str(c, y, x, end - x, ROLE_DIM, 0, label) + 1;
	return x + canvas_str(c, y, x, end - x, role, ATTR_BOLD, text) + 2;
}

/* "4.4 % of limit 15.75 GiB", or without the word where there is less room */
static void share_text(const struct memory *m, int w, char *buf, size_t size)
{
	char n[16], limit[24];

	snprintf(buf, size, "%s%s %% of %s%s", m->peak_bytes > m->limit ? "!! " : "",
	    units_percent(n, sizeof n, (double)m->peak_bytes / (double)m->limit),
	    w >= LIMIT_COLS ? "limit " : "", text_bytes(limit, sizeof limit, (double)m->limit));
}

static const char no_limit[] = "limit unknown (--device)";

/* XProf counts buffers that share an address twice; where that matters the real peak is shown next to its
 * number. */
void memory_view_head_draw(struct mem_view *s, struct canvas *c, struct rect r, bool roomy)
{
	const struct memory *m = &s->m;
	int x = r.x + 1, end = r.x + r.w - 1;
	double address = m->sums.by_address;
	bool over = m->limit > 0 && m->peak_bytes > m->limit;
	char text[64];

	if (m->limit > 0) {
		share_text(m, r.w, text, sizeof text);
		end = canvas_right(c, r.y, end, over ? ROLE_BAD : ROLE_BOLD, ATTR_BOLD, text) - 2;
	}
	x = put_number(c, r.y, x, end, "peak", m->peak_bytes, ROLE_BOLD);
	if (address < (double)m->peak_bytes - .5 && m->npoints)
		x = put_number(c, r.y, x, end, "addresses used", (int64_t)address, ROLE_WARN);
	if (roomy)
		x = put_number(c, r.y, x, end, "unpadded", memory_data_at_peak(m), ROLE_BOLD);
	x = put_number(c, r.y, x, end, "allocated", m->allocated, ROLE_BOLD);
	if (s->space == 0 && !(m->limit > 0) && x + (int)strlen(no_limit) <= end)
		canvas_str(c, r.y, x, end - x, ROLE_DIM, 0, no_limit);
	if (m->scoped > 0) {
		x = put_number(c, r.y, x, end, "scoped", m->scoped, ROLE_BOLD);
		put_number(c, r.y, x, end, "peak + scoped", m->peak_bytes + m->scoped, ROLE_BOLD);
	}
}

/* --- points and columns --- */

static struct rect columns_of(struct rect r)
{
	return (struct rect){ r.y, r.x + CHART_AXIS, r.h, r.w - CHART_AXIS - 1 };
}

int memory_view_col(const struct mem_view *s, struct rect r, int64_t point)
{
	return r.x + (int)((__int128)(point - s->from) * r.w / (s->to - s->from));
}

int64_t memory_view_point_at(const struct mem_view *s, struct rect r, int x)
{
	int64_t p = s->from + (int64_t)((__int128)(x - r.x) * (s->to - s->from) / (r.w > 0 ? r.w : 1));

	return p < s->from ? s->from : p >= s->to ? s->to - 1 : p;
}

void memory_view_pan(struct mem_view *s, int eighths)
{
	int64_t last = (int64_t)s->m.npoints, by = (s->to - s->from) * eighths / 8;

	if (!by)
		by = eighths < 0 ? -1 : 1;
	by = s->from + by < 0 ? -s->from : s->to + by > last ? last - s->to : by;
	s->from += by;
	s->to += by;
}

/* Zooms around the current point, which stays at its place on the screen. */
void memory_view_zoom(struct mem_view *s, double factor)
{
	int64_t last = (int64_t)s->m.npoints, n = (int64_t)((double)(s->to - s->from) * factor + .5),
		at = s->point;

	n = n < 4 ? 4 : n;
	n = n > last ? last : n;
	if (at < s->from || at >= s->to)
		at = s->from + (s->to - s->from) / 2;
	s->from = at - (int64_t)((double)(at - s->from) / (double)(s->to - s->from) * (double)n);
	s->from = s->from + n > last ? last - n : s->from;
	s->from = s->from < 0 ? 0 : s->from;
	s->to = s->from + n > s->from ? s->from + n : s->from + 1;
}

/* --- the chart --- */

/* A column shows the fullest of its points. */
static int64_t fullest_point(const struct mem_view *s, struct rect r, int x)
{
	int64_t from = memory_view_point_at(s, r, x), to = memory_view_point_at(s, r, x + 1), best = from;

	for (int64_t p = from + 1; p < to; p++)
		if (s->m.heap[p] > s->m.heap[best])
			best = p;
	return best;
}

static int64_t fixed_bytes(const struct memory *m)
{
	int64_t sum = sub_clamped(sub_clamped(m->peak_bytes, m->category[MEMORY_TEMPORARY]),
	    m->category[MEMORY_THREAD_LOCAL]);

	sum = sub_clamped(sum, m->category[MEMORY_UNKNOWN]);
	return sum > 0 ? sum : 0;
}

/* Computes for each column what is alive for the whole program, the temporaries, and in `padded` the
 * padding. */
static double *values_of(const struct mem_view *s, struct rect r, double *padded)
{
	double *v = xcalloc((size_t)r.w * PARTS, sizeof *v);
	double fixed = (double)fixed_bytes(&s->m);

	for (int i = 0; i < r.w; i++) {
		int64_t p = fullest_point(s, r, r.x + i);
		double heap = (double)s->m.heap[p], *part = v + i * PARTS,
		       pad = s->m.peak_unpadded > 0 ? heap - (double)(s->m.unpadded[p] - s->m.fixed_padding)
						    : 0;

		padded[i] = pad > 0 ? pad : 0;
		part[FIXED] = fixed < heap - padded[i] ? fixed : heap - padded[i];
		part[TEMPORARY] = heap - padded[i] - part[FIXED];
	}
	return v;
}

/* The whole rows that the padding of a column takes, as [from, to). */
static void padding_rows(const double *v, double padded, double scale, int *from, int *to)
{
	double below = (v[FIXED] + v[TEMPORARY]) * scale;

	*from = (int)(below + .5);
	*to = (int)(below + padded * scale + .5);
}

/* Padding that is less than a row counts as data, so that the column keeps its height. */
static void fold_padding(double *v, double *padded, int n, double scale)
{
	for (int i = 0; i < n; i++) {
		int from, to;

		padding_rows(v + i * PARTS, padded[i], scale, &from, &to);
		if (from < to)
			continue;
		v[i * PARTS + TEMPORARY] += padded[i];
		padded[i] = 0;
	}
}

/* Draws the padding as a shade above the data. */
static void draw_padding(struct canvas *c, struct rect r, const double *v, const double *padded, double scale)
{
	for (int i = 0; i < r.w; i++) {
		int from, to;

		padding_rows(v + i * PARTS, padded[i], scale, &from, &to);
		for (int row = from; row < to && row < r.h; row++)
			canvas_put(c, r.y + r.h - 1 - row, r.x + i, c->glyphs->ascii ? ':' : 0x2591, ROLE_BAD,
			    0);
	}
}

static bool near_limit(const struct memory *m)
{
	return m->limit > 0 && (double)m->limit <= NEAR_LIMIT * (double)m->peak_bytes;
}

static void draw_limit(const struct mem_view *s, struct canvas *c, struct rect r, double top)
{
	int y = r.y + r.h - 1 - (int)((double)s->m.limit / top * r.h);
	char text[48], n[24];
	int x = r.x;

	if (y < r.y || y >= r.y + r.h)
		return;
	snprintf(text, sizeof text, "━ limit %s ", text_bytes(n, sizeof n, (double)s->m.limit));
	x += canvas_str(c, y, x, r.w, ROLE_BAD, ATTR_BOLD, text);
	for (; x < r.x + r.w; x++)
		canvas_put(c, y, x, 0x2501, ROLE_BAD, 0);
}

static void draw_peak(const struct mem_view *s, struct canvas *c, struct rect r, int x, int64_t peak)
{
	char text[64];
	int cols = snprintf(text, sizeof text, "peak at %lld of %zu", (long long)peak, s->m.npoints - 1);

	if (x + 2 + cols <= r.x + r.w)
		canvas_str(c, r.y, x + 2, cols, ROLE_DIM, 0, text);
	else if (x - 1 - cols >= r.x)
		canvas_str(c, r.y, x - 1 - cols, cols, ROLE_DIM, 0, text);
}

/* Writes the point next to the mark of the peak, on the side with more room. */
static void draw_point(const struct mem_view *s, struct canvas *c, struct rect r, int x)
{
	const struct memory *m = &s->m;
	char text[160], size[24];

	snprintf(text, sizeof text, "at %lld of %zu   %s   %.90s", (long long)s->point, m->npoints - 1,
	    text_bytes(size, sizeof size, (double)m->heap[s->point]), m->instruction[s->point]);
	if (x < r.x)
		canvas_str(c, r.y, r.x, r.w, ROLE_TEXT, 0, text);
	else if (x - r.x > r.w / 2)
		canvas_str(c, r.y, r.x, x - r.x - 1, ROLE_TEXT, 0, text);
	else
		canvas_str(c, r.y, x + 2, r.x + r.w - x - 2, ROLE_TEXT, 0, text);
}

/* Marks the peak with ▼, and describes the current point if it is another one. */
static void draw_marks(const struct mem_view *s, struct canvas *c, struct rect r)
{
	const struct memory *m = &s->m;
	int64_t peak = memory_view_peak_point(m);
	int x = peak < s->from || peak >= s->to ? r.x - 1 : memory_view_col(s, r, peak), at;

	if (x >= r.x)
		canvas_glyph(c, r.y, x, GLYPH_CURSOR_TOP, ROLE_BOLD, ATTR_BOLD);
	if (s->point != peak) {
		draw_point(s, c, r, x);
		return;
	}
	if (x >= r.x)
		draw_peak(s, c, r, x, peak);
	if (m->limit <= 0 || near_limit(m) || r.w <= 60)
		return;
	at = x < r.x || x > r.x + 24 ? r.x : r.x + r.w - 24;
	canvas_glyph(c, r.y, at, GLYPH_SORT_UP, ROLE_DIM, 0);
	canvas_str(c, r.y, at + 2, r.w, ROLE_DIM, 0, "limit is off the scale");
}

/* Draws one interval of the lifeline below the chart; thicker for large buffers. */
static void draw_stretch(const struct mem_view *s, struct canvas *c, struct rect r, int64_t from, int64_t to,
    bool thick)
{
	int a, b;

	if (to < s->from || from >= s->to)
		return;
	a = memory_view_col(s, r, from < s->from ? s->from : from);
	b = memory_view_col(s, r, to >= s->to ? s->to : to + 1) - 1;
	b = b < a ? a : b;
	for (int x = a; x <= b; x++)
		canvas_put(c, r.y, x, thick ? 0x2501 : 0x2500, ROLE_WARN, 0);
	if (from >= s->from)
		canvas_put(c, r.y, a, 0x2523, ROLE_WARN, 0);
	if (to < s->to && b > a)
		canvas_put(c, r.y, b, 0x252b, ROLE_WARN, 0);
}

static void draw_life_of(const struct mem_view *s, struct canvas *c, struct rect r,
    const struct memory_buffer *b, bool thick)
{
	if (b->start < 0)
		draw_stretch(s, c, r, 0, (int64_t)s->m.npoints - 1, thick);
	for (size_t i = 0; i < b->nlives; i++)
		draw_stretch(s, c, r, b->life[i].start, b->life[i].end, thick);
	if (b->start >= 0 && !b->nlives)
		draw_stretch(s, c, r, b->start, b->end, thick);
}

/* Draws the lifetimes of the buffer under the cursor, or of all buffers of an op. */
static void draw_life(const struct mem_view *s, struct canvas *c, struct rect r)
{
	const struct memory_buffer *b = memory_view_here(s);
	const struct memory_op *o = b ? NULL : memory_view_op_here(s);
	int64_t size = b ? b->size : o ? o->size : 0;
	bool thick = size > s->m.peak_bytes / 20;

	canvas_str(c, r.y, r.x - CHART_AXIS + 1, 6, ROLE_DIM, 0, "live");
	for (int x = 0; x < r.w; x++)
		canvas_glyph(c, r.y, r.x + x, GLYPH_HLINE, ROLE_LINE, 0);
	if (b)
		draw_life_of(s, c, r, b, thick);
	for (const struct memory_op *x = o; x && x < s->op + o->end; x++)
		if (x->buffer != UINT32_MAX)
			draw_life_of(s, c, r, &s->m.peak[x->buffer], thick);
	if (s->point >= s->from && s->point < s->to)
		canvas_put(c, r.y, memory_view_col(s, r, s->point), 0x2503, ROLE_BOLD, ATTR_BOLD);
}

void memory_view_chart_draw(struct mem_view *s, struct canvas *c, struct rect r)
{
	const struct bar_part part[PARTS] = {
		{ "", 0, ROLE_BLOCK_MATMUL, c->glyphs->ascii ? '#' : 0x2588 },
		{ "", 0, ROLE_BLOCK_COLLECTIVE,
		    c->glyphs->ascii ? '-'
			: c->mono    ? 0x2592
				     : 0x2588 },
	};
	struct rect whole = { r.y + 1, r.x, r.h - 2, r.w }, cols = columns_of(whole);
	struct chart ch = { .ncol = (size_t)(cols.w > 0 ? cols.w : 0),
		.nparts = PARTS,
		.part = part,
		.width = 1,
		.bytes = true,
		.top = 1.08 * (double)s->m.peak_bytes };
	double *v, *padded;

	if (cols.w < 8)
		return;
	if (near_limit(&s->m) && (double)s->m.limit * 1.05 > ch.top)
		ch.top = (double)s->m.limit * 1.05;
	if (!(ch.top > 0))
		ch.top = 1;
	padded = xcalloc((size_t)cols.w, sizeof *padded);
	v = values_of(s, cols, padded);
	fold_padding(v, padded, cols.w, cols.h / ch.top);
	ch.v = v;
	chart_draw(&ch, c, whole);
	draw_padding(c, cols, v, padded, cols.h / ch.top);
	free(v);
	free(padded);
	if (near_limit(&s->m))
		draw_limit(s, c, cols, ch.top);
	draw_marks(s, c, (struct rect){ r.y, cols.x, 1, cols.w });
	draw_life(s, c, (struct rect){ r.y + r.h - 1, cols.x, 1, cols.w });
	s->chart = (struct rect){ whole.y, cols.x, whole.h + 1, cols.w };
}

/* --- what the peak is made of --- */

static int64_t bytes_of(const struct memory *m, int kind)
{
	const int of = kinds[kind].category;

	if (of == MEMORY_CATEGORIES)
		return m->fragmentation;
	return of == GATHERED ? m->gathered : m->category[of] - (of == MEMORY_TEMPORARY ? m->gathered : 0);
}

static void draw_legend(const struct memory *m, struct canvas *c, struct rect r)
{
	int x = r.x + 1, end = r.x + r.w - 1;

	for (int i = 0; i < KINDS; i++) {
		char size[24];
		int need;

		if (!bytes_of(m, i) ||
		    bytes_of(m, i) < m->peak_bytes / (kinds[i].category == MEMORY_CATEGORIES ? 100 : 1000))
			continue;
		text_bytes(size, sizeof size, (double)bytes_of(m, i));
		need = 3 + (int)strlen(kinds[i].name) + (int)strlen(size);
		if (x + need > end)
			return;
		canvas_put(c, r.y, x, c->glyphs->ascii ? kinds[i].ascii : kinds[i].sign, kinds[i].role, 0);
		x += 2;
		x += canvas_str(c, r.y, x, end - x, ROLE_TEXT, 0, kinds[i].name) + 1;
		x += canvas_str(c, r.y, x, end - x, ROLE_BOLD, ATTR_BOLD, size) + 3;
	}
}

void memory_view_parts_draw(const struct mem_view *s, struct canvas *c, struct rect r, bool legend)
{
	struct bar_part part[KINDS];
	double sum = 0;

	if (legend) {
		draw_legend(&s->m, c, r);
		return;
	}
	for (int i = 0; i < KINDS; i++)
		sum += (double)bytes_of(&s->m, i);
	for (int i = 0; i < KINDS; i++)
		part[i] = (struct bar_part){ kinds[i].name, sum > 0 ? (double)bytes_of(&s->m, i) / sum : 0,
			kinds[i].role, c->glyphs->ascii ? kinds[i].ascii : kinds[i].sign };
	bar_stack(c, r.y, r.x + 1, r.w - 2, part, KINDS);
}
