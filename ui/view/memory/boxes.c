#include "config.h"
#include "view/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "widget/chart.h"
#include "widget/text.h"

enum { NAME_LEAST = 6, HUES = 4, BESIDE = 2 };

struct hue {
	const char *name;
	enum role block, fill;
	char letter;
};

static const struct hue parts[HUES] = {
	{ "backward", ROLE_BLOCK_COLLECTIVE, ROLE_FILL_COLLECTIVE, 'b' },
	{ "forward", ROLE_BLOCK_MATMUL, ROLE_FILL_MATMUL, 'f' },
	{ "input", ROLE_BLOCK_COMPUTE, ROLE_FILL_COMPUTE, 'i' },
	{ "other", ROLE_BLOCK_COPY, ROLE_FILL_COPY, 'o' },
};
static const struct hue paddings[HUES] = {
	{ "padding", ROLE_BLOCK_IO, ROLE_FILL_IO, '!' },
	{ "some", ROLE_BLOCK_COPY, ROLE_FILL_COPY, '+' },
	{ "none", ROLE_BLOCK_COMPUTE, ROLE_FILL_COMPUTE, '.' },
	{ "unknown", ROLE_BLOCK_OTHER, ROLE_FILL_OTHER, '?' },
};

/* JAX names the derivative of a function "transpose". */
static const struct hue *hue_of(const struct mem_view *s, const struct memory_buffer *b)
{
	if (s->padding)
		return &paddings[b->unpadded <= 0                              ? 3
			: (double)b->size >= s->box.much * (double)b->unpadded ? 0
			: b->size > b->unpadded                                ? 1
									       : 2];
	if (strstr(b->op_name, "transpose("))
		return &parts[0];
	if (!strcmp(b->opcode, "parameter") || !strcmp(b->opcode, "infeed") ||
	    !strncmp(b->opcode, "copy", 4) || !strcmp(b->opcode, "recv"))
		return &parts[2];
	return &parts[*b->op_name ? 1 : 3];
}

/* --- the boxes --- */

struct ground {
	uint32_t allocation;
	double size, base;
};

static int by_address(const void *a, const void *b)
{
	const struct mem_box *x = a, *y = b;

	if (x->y0 < y->y0 || x->y0 > y->y0)
		return x->y0 < y->y0 ? -1 : 1;
	return (x->t0 > y->t0) - (x->t0 < y->t0);
}

static bool is_box(const struct memory_buffer *b)
{
	return b->start >= 0 && b->offset >= 0 && b->size > 0 &&
	    (b->category == MEMORY_TEMPORARY || b->category == MEMORY_THREAD_LOCAL);
}

VEC_ORDER(by_allocation, struct ground, UP(allocation) DOWN(size));

/* Of the n buffers as they are in their allocations: the allocations in order, one above the other.  Returns how
 * many, and the sum of their sizes. */
static size_t stack_allocations(struct ground *g, size_t n, double *top)
{
	size_t kept = 0;

	VEC_SORT(g, n, by_allocation);
	*top = 0;
	for (size_t i = 0; i < n; i++) {
		if (kept && g[kept - 1].allocation == g[i].allocation)
			continue;
		g[kept] = g[i];
		g[kept++].base = *top;
		*top += g[i].size;
	}
	return kept;
}

static double base_of(const struct ground *g, size_t n, uint32_t allocation)
{
	size_t i;

	BISECT(i, n, g[i].allocation < allocation);
	return g[i].base;
}

static void add_boxes(struct mem_boxes *x, struct memory_buffer *b, double base)
{
	for (size_t i = 0; i < b->nlives; i++) {
		struct memory_life life = memory_view_life(b, i);

		x->v[x->n++] = (struct mem_box){ b, life.start, life.end + 1, base + (double)b->offset,
			base + (double)b->offset + (double)b->size };
	}
}

/* The lives of all buffers as boxes, those that share the memory of another or the others; in order of address. */
static void add_sorted(struct mem_view *s, const struct ground *g, size_t ngrounds, bool shares)
{
	struct mem_boxes *x = &s->box;
	size_t from = x->n;

	for (size_t i = 0; i < s->m.nall; i++)
		if (is_box(&s->m.all[i]) && s->m.all[i].shares == shares)
			add_boxes(x, &s->m.all[i], base_of(g, ngrounds, s->m.all[i].allocation));
	VEC_SORT(x->v + from, x->n - from, by_address);
}

static bool same_place(const struct mem_box *a, const struct mem_box *b)
{
	return !(a->y0 < b->y0) && !(a->y0 > b->y0) && a->t0 < b->t1 && b->t0 < a->t1;
}

/* Drops the boxes from `own` on that share a place that has a box: of the first `own`, or of one kept. */
static void drop_covered(struct mem_boxes *x, size_t own)
{
	size_t kept = own, at = 0;

	for (size_t i = own; i < x->n; i++) {
		const struct mem_box *b = &x->v[i];

		while (at < own && (x->v[at].y0 < b->y0 || (!(x->v[at].y0 > b->y0) && x->v[at].t1 <= b->t0)))
			at++;
		if ((at < own && same_place(&x->v[at], b)) || (kept > own && same_place(&x->v[kept - 1], b)))
			continue;
		x->v[kept++] = *b;
	}
	x->n = kept;
	VEC_SORT(x->v, x->n, by_address);
}

void memory_view_boxes_make(struct mem_view *s)
{
	struct ground *g = xcalloc(s->m.nall + 1, sizeof *g);
	struct mem_boxes *x = &s->box;
	size_t n = 0, lives = 0;
	double area = 0;

	for (size_t i = 0; i < s->m.nall; i++) {
		const struct memory_buffer *b = &s->m.all[i];

		if (!is_box(b))
			continue;
		g[n++] = (struct ground){ b->allocation, (double)b->offset + (double)b->size, 0 };
		lives += b->nlives;
	}
	*x = (struct mem_boxes){ .v = xcalloc(lives + 1, sizeof *x->v) };
	n = stack_allocations(g, n, &x->top);
	add_sorted(s, g, n, false);
	lives = x->n;
	add_sorted(s, g, n, true);
	drop_covered(x, lives);
	for (size_t i = 0; i < x->n; i++) {
		area += (x->v[i].y1 - x->v[i].y0) * (double)(x->v[i].t1 - x->v[i].t0);
		if (x->v[i].y1 - x->v[i].y0 > x->v[x->at].y1 - x->v[x->at].y0)
			x->at = i;
	}
	x->hi = x->top;
	x->used = x->top > 0 && s->m.npoints > 1 ? area / (x->top * (double)(s->m.npoints - 1)) : 0;
	free(g);
}

void memory_view_boxes_free(struct mem_view *s)
{
	free(s->box.v);
	free(s->box.grid);
	s->box = (struct mem_boxes){ 0 };
}

/* --- onto the grid --- */

struct cell_rect {
	int x0, x1, y0, y1;
}; /* columns, half rows from the bottom; ends are exclusive */

static int clamp_cell(double v, int most)
{
	return v < 0 ? 0 : v > most ? most : (int)v;
}

static struct cell_rect cells_of(const struct mem_view *s, const struct mem_box *b)
{
	const struct mem_boxes *x = &s->box;
	double w = (double)x->a.w / (double)(s->to - s->from),
	       h = 2.0 * x->a.h / (x->hi > x->lo ? x->hi - x->lo : 1);
	struct cell_rect p = { clamp_cell(floor((double)(b->t0 - s->from) * w), x->a.w),
		clamp_cell(ceil((double)(b->t1 - s->from) * w), x->a.w),
		clamp_cell(floor((b->y0 - x->lo) * h + .5), 2 * x->a.h),
		clamp_cell(floor((b->y1 - x->lo) * h + .5), 2 * x->a.h) };

	if (p.y1 == p.y0 && b->y1 > x->lo && b->y0 < x->hi) {
		p.y0 -= p.y0 == 2 * x->a.h;
		p.y1 = p.y0 + 1;
	}
	return p;
}

/* Puts a box onto the grid; a thin one only where the grid is free. */
static void put_on_grid(struct mem_view *s, size_t i, bool thin)
{
	struct mem_boxes *x = &s->box;
	struct cell_rect p = cells_of(s, &x->v[i]);

	if (thin != (p.y1 - p.y0 <= 1) && i != x->at)
		return;
	for (int y = p.y0; y < p.y1; y++)
		for (int k = p.x0; k < p.x1; k++) {
			uint32_t *cell = &x->grid[(size_t)y * (size_t)x->a.w + (size_t)k];

			if (!thin || !*cell || i == x->at)
				*cell = (uint32_t)i + 1;
		}
}

static void fill_grid(struct mem_view *s)
{
	struct mem_boxes *x = &s->box;
	size_t cells = (size_t)x->a.w * (size_t)x->a.h * 2;

	if (cells > x->cells || !x->grid) {
		x->grid = xrealloc(x->grid, cells + 1, sizeof *x->grid);
		x->cells = cells;
	}
	memset(x->grid, 0, cells * sizeof *x->grid);
	for (size_t i = 0; i < x->n; i++)
		put_on_grid(s, i, false);
	for (size_t i = 0; i < x->n; i++)
		put_on_grid(s, i, true);
	if (x->at < x->n)
		put_on_grid(s, x->at, true);
}

static uint32_t box_in(const struct mem_boxes *x, int half, int col)
{
	return x->grid[(size_t)half * (size_t)x->a.w + (size_t)col];
}

static enum role box_role(const struct mem_view *s, uint32_t box)
{
	return box == s->box.at + 1 ? ROLE_TEXT : hue_of(s, s->box.v[box - 1].b)->block;
}

static void draw_plain_cell(const struct mem_view *s, struct canvas *c, int y, int x, uint32_t box)
{
	if (box)
		canvas_put(c, y, x,
		    box == s->box.at + 1 ? '#' : (uint32_t)hue_of(s, s->box.v[box - 1].b)->letter,
		    box_role(s, box), box == s->box.at + 1 ? ATTR_REVERSE : 0);
}

/* The selected box is drawn with the foreground color, because the text color cannot be a background. */
static void draw_cell(const struct mem_view *s, struct canvas *c, int y, int x, uint32_t upper,
    uint32_t lower)
{
	uint32_t here = (uint32_t)s->box.at + 1;

	if (c->mono || c->glyphs->ascii)
		draw_plain_cell(s, c, y, x, upper ? upper : lower);
	else if (upper == here && lower == here) /* a space takes fewer bytes than a block */
		canvas_put(c, y, x, ' ', ROLE_TEXT, ATTR_REVERSE);
	else if (upper == lower && upper)
		canvas_put(c, y, x, ' ', hue_of(s, s->box.v[upper - 1].b)->fill, 0);
	else if (upper && lower && upper != here && lower != here && box_role(s, upper) == box_role(s, lower))
		canvas_put(c, y, x, 0x2500, hue_of(s, s->box.v[upper - 1].b)->fill, 0);
	else if (upper && lower && lower == here)
		canvas_two(c, y, x, 0x2584, ROLE_TEXT, box_role(s, upper));
	else if (upper && lower)
		canvas_two(c, y, x, 0x2580, box_role(s, upper), box_role(s, lower));
	else if (upper || lower)
		canvas_put(c, y, x, upper ? 0x2580 : 0x2584, box_role(s, upper ? upper : lower), 0);
}

static uint32_t free_sign(const struct canvas *c)
{
	return c->mono || c->glyphs->ascii ? ':' : 0xb7;
}

static bool same_hue(const struct mem_view *s, uint32_t a, uint32_t b)
{
	return a && b && a != b && a != s->box.at + 1 && b != s->box.at + 1 &&
	    box_role(s, a) == box_role(s, b);
}

/* Draws a thin line between neighbors of one color, in a cell filled by one of them. */
static void draw_edge(const struct mem_view *s, struct canvas *c, int row, int col)
{
	const struct mem_boxes *x = &s->box;
	uint32_t box = box_in(x, 2 * row, col);
	int y = x->a.y + x->a.h - 1 - row;

	if (!box || box_in(x, 2 * row + 1, col) != box || c->mono || c->glyphs->ascii)
		return;
	if (row + 1 < x->a.h && same_hue(s, box, box_in(x, 2 * row + 2, col)))
		canvas_put(c, y, x->a.x + col, 0x2594, hue_of(s, x->v[box - 1].b)->fill, 0);
	else if (col && same_hue(s, box, box_in(x, 2 * row, col - 1)))
		canvas_put(c, y, x->a.x + col, 0x258f, hue_of(s, x->v[box - 1].b)->fill, 0);
}

/* Writes the name of a box where a whole row of cells belongs to it. */
static void draw_name(const struct mem_view *s, struct canvas *c, size_t i)
{
	const struct mem_boxes *x = &s->box;
	struct cell_rect p = cells_of(s, &x->v[i]);
	const struct memory_buffer *b = x->v[i].b;

	for (int row = (p.y0 + 1) / 2; row < p.y1 / 2; row++) {
		int from = p.x0, n = 0, y = x->a.y + x->a.h - 1 - row;

		while (from < p.x1 && box_in(x, 2 * row, from) != i + 1)
			from++;
		while (from + n < p.x1 && box_in(x, 2 * row, from + n) == i + 1 &&
		    box_in(x, 2 * row + 1, from + n) == i + 1)
			n++;
		if (n < NAME_LEAST + 2)
			continue;
		if (i == x->at)
			canvas_cut(c, y, x->a.x + from + 1, n - 2, ROLE_SELECTED, 0, b->name,
			    strlen(b->name));
		else
			canvas_cut(c, y, x->a.x + from + 1, n - 2, c->mono ? ROLE_TEXT : hue_of(s, b)->fill,
			    0, b->name, strlen(b->name));
		return;
	}
}

/* --- free ranges --- */

/* Marks what is free at the current point, for as long as it is free, with its size where there is room. */
static void draw_gap(const struct mem_view *s, const struct mem_gap *g, struct canvas *c)
{
	const struct mem_boxes *x = &s->box;
	struct cell_rect p = cells_of(s, &(struct mem_box){ NULL, g->t0, g->t1 + 1, g->y0, g->y1 });
	int from = (p.y0 + 1) / 2, to = p.y1 / 2, mid = x->a.y + x->a.h - 1 - (from + to - 1) / 2;
	char text[40], size[24];

	for (int row = from; row < to; row++)
		for (int k = p.x0; k < p.x1; k++)
			if (!box_in(x, 2 * row, k) && !box_in(x, 2 * row + 1, k))
				canvas_put(c, x->a.y + x->a.h - 1 - row, x->a.x + k, free_sign(c), ROLE_DIM,
				    0);
	snprintf(text, sizeof text, " %s free ", text_bytes(size, sizeof size, g->y1 - g->y0));
	if (from < to && p.x1 - p.x0 >= (int)strlen(text) + 2)
		canvas_str(c, mid, x->a.x + p.x0 + 1, p.x1 - p.x0 - 2, ROLE_TEXT, 0, text);
}

static void draw_gaps(struct mem_view *s, struct canvas *c)
{
	const struct mem_gaps *g = memory_view_gaps(s);

	for (size_t i = 0; i < g->listed; i++)
		draw_gap(s, &g->v[i], c);
}

/* --- the picture --- */

static void draw_axes(const struct mem_view *s, struct canvas *c)
{
	const struct mem_boxes *x = &s->box;
	struct rect a = x->a;
	int64_t peak = memory_view_peak_point(&s->m);
	char text[24];

	for (int i = 0; i <= 4; i++) {
		double v = x->lo + (x->hi - x->lo) * (4 - i) / 4;

		chart_label(text, sizeof text, v, true);
		canvas_right(c, a.y + (a.h - 1) * i / 4, a.x - 1, ROLE_DIM, 0, text);
	}
	for (int i = 0; i < a.w; i++)
		canvas_glyph(c, a.y + a.h, a.x + i, GLYPH_HLINE, ROLE_LINE, 0);
	for (int i = 0; i <= 4; i++) {
		int at = a.x + (a.w - 1) * i / 4,
		    n = snprintf(text, sizeof text, "%lld",
			(long long)(s->from + (s->to - 1 - s->from) * i / 4));

		canvas_str(c, a.y + a.h + 1,
		    i == 4  ? a.x + a.w - n
			: i ? at - n / 2
			    : at,
		    n, ROLE_DIM, 0, text);
	}
	if (peak < s->from || peak >= s->to)
		return;
	canvas_glyph(c, a.y - 1, memory_view_col(s, a, peak), GLYPH_CURSOR_TOP, ROLE_BOLD, ATTR_BOLD);
	canvas_str(c, a.y - 1, memory_view_col(s, a, peak) + 2, 5, ROLE_DIM, 0, "peak");
	canvas_glyph(c, a.y + a.h, memory_view_col(s, a, peak), GLYPH_TEE_UP, ROLE_TEXT, 0);
}

static void draw_legend(struct mem_view *s, struct canvas *c, int y, int x, int end)
{
	const struct mem_gaps *g = memory_view_gaps(s);
	char where[32], text[64], size[24];
	const struct hue *h = s->padding ? paddings : parts;
	bool plain = c->mono || c->glyphs->ascii;

	for (int i = 0; i < HUES; i++) {
		snprintf(text, sizeof text, "%s", h[i].name);
		if (s->padding && !i)
			snprintf(text, sizeof text, "padding %g+", s->box.much);
		if (x + 4 + (int)strlen(text) >= end)
			break;
		canvas_put(c, y, x, plain ? (uint32_t)h[i].letter : 0x2588, h[i].block, 0);
		x += 2 + canvas_str(c, y, x + 2, end - x, ROLE_TEXT, 0, text) + 3;
	}
	memory_view_point_text(s, where, sizeof where);
	snprintf(text, sizeof text, "free %s: %s", where, text_bytes(size, sizeof size, g->bytes));
	if (!g->n || x + 2 + (int)strlen(text) > end)
		return;
	canvas_put(c, y, x, free_sign(c), ROLE_DIM, 0);
	canvas_str(c, y, x + 2, end - x, ROLE_TEXT, 0, text);
}

void memory_view_boxes_draw(struct mem_view *s, struct canvas *c, struct rect r)
{
	struct mem_boxes *x = &s->box;

	memory_view_space_draw(s, c, r, "ALLOCATIONS  address over program order");
	if (!x->n) {
		canvas_str(c, r.y + 2, r.x + 1, r.w - 2, ROLE_WARN, 0,
		    "addresses of temporaries are unknown in this memory space");
		return;
	}
	x->much = memory_padded_times();
	x->a = (struct rect){ r.y + 2, r.x + CHART_AXIS, r.h - 5, r.w - CHART_AXIS - 1 };
	if (x->a.h < 1 || x->a.w < 8)
		return;
	fill_grid(s);
	for (int y = 0; y < x->a.h; y++)
		for (int k = 0; k < x->a.w; k++)
			draw_cell(s, c, x->a.y + x->a.h - 1 - y, x->a.x + k, box_in(x, 2 * y + 1, k),
			    box_in(x, 2 * y, k));
	for (int y = 0; y < x->a.h; y++)
		for (int k = 0; k < x->a.w; k++)
			draw_edge(s, c, y, k);
	draw_gaps(s, c);
	for (size_t i = 0; i < x->n; i++)
		draw_name(s, c, i);
	draw_axes(s, c);
	draw_legend(s, c, r.y + r.h - 1, r.x + 1, r.x + r.w - 1);
}

/* --- moving --- */

/* Distance of two intervals, in cells; intervals that only touch do not overlap and count as apart. */
static double interval_distance(double a0, double a1, double b0, double b1, double scale)
{
	return b0 >= a1 ? (b0 - a1) * scale + BESIDE : a0 >= b1 ? (a0 - b1) * scale + BESIDE : 0;
}

/* The nearest box in a direction: `along` is the distance of the middles, `across` the sideways distance. */
static size_t next_box(const struct mem_view *s, int dy, int dx)
{
	const struct mem_boxes *x = &s->box;
	const struct mem_box *from = &x->v[x->at];
	double w = x->a.w > 0 ? (double)x->a.w / (double)(s->to - s->from) : 1, least = INFINITY;
	double h = x->hi > x->lo && x->a.h > 0 ? 2.0 * x->a.h / (x->hi - x->lo) : 1;
	size_t best = x->at;

	for (size_t i = 0; i < x->n; i++) {
		const struct mem_box *b = &x->v[i];
		double along = dx ? dx * (double)(b->t0 + b->t1 - from->t0 - from->t1) / 2 * w
				  : -dy * (b->y0 + b->y1 - from->y0 - from->y1) / 2 * h;
		double across = dx
		    ? interval_distance(from->y0, from->y1, b->y0, b->y1, h)
		    : interval_distance((double)from->t0, (double)from->t1, (double)b->t0, (double)b->t1, w);

		if (i == x->at || along <= 0 || along + 3 * across >= least)
			continue;
		least = along + 3 * across;
		best = i;
	}
	return best;
}

/* Scrolls to the selected box. */
static void scroll_to_selected(struct mem_view *s)
{
	struct mem_boxes *x = &s->box;
	const struct mem_box *b = &x->v[x->at];
	double room = x->hi - x->lo, mid = (b->y0 + b->y1) / 2;
	int64_t span = s->to - s->from, at = (b->t0 + b->t1) / 2, last = (int64_t)s->m.npoints;

	if (mid < x->lo || mid >= x->hi) {
		x->lo = fmin(fmax(mid - room / 2, 0), fmax(x->top - room, 0));
		x->hi = x->lo + room;
	}
	if (b->t1 <= s->from || b->t0 >= s->to) {
		s->from = at - span / 2 > last - span ? last - span : at - span / 2;
		s->from = s->from < 0 ? 0 : s->from;
		s->to = s->from + span;
	}
}

void memory_view_boxes_step(struct mem_view *s, int dy, int dx, int count)
{
	for (int i = 0; i < count && s->box.n; i++)
		s->box.at = next_box(s, dy, dx);
	if (s->box.n)
		scroll_to_selected(s);
}

void memory_view_boxes_zoom(struct mem_view *s, double factor)
{
	struct mem_boxes *x = &s->box;
	const struct mem_box *b = x->at < x->n ? &x->v[x->at] : NULL;
	double room = (x->hi - x->lo) * factor, mid;

	if (!b)
		return;
	s->point =
	    (b->t0 + b->t1) / 2 < (int64_t)s->m.npoints ? (b->t0 + b->t1) / 2 : (int64_t)s->m.npoints - 1;
	memory_view_zoom(s, factor);
	mid = (b->y0 + b->y1) / 2;
	room = fmin(fmax(room, 64), x->top);
	x->lo = fmin(fmax(mid - room / 2, 0), x->top - room);
	x->hi = x->lo + room;
}

struct finding {
	const struct mem_boxes *of;
	const struct regex *re;
	struct regex_scratch *scratch;
};

enum { TEXTS = 5 };

static void texts_of(const struct memory_buffer *b, const char *text[TEXTS])
{
	text[0] = memory_buffer_title(b);
	text[1] = b->op_name;
	text[2] = b->shape ? b->shape : "";
	text[3] = b->opcode;
	text[4] = b->source ? b->source : "";
}

static bool box_is_hit(const void *ctx, size_t box)
{
	const struct finding *f = ctx;
	const char *text[TEXTS];

	texts_of(f->of->v[box].b, text);
	for (size_t i = 0; i < TEXTS; i++)
		if (regex_match(f->re, f->scratch, text[i], strlen(text[i]), NULL, NULL))
			return true;
	return false;
}

void memory_view_boxes_match(const struct mem_view *s, const struct regex *re, char *buf, size_t size)
{
	const struct mem_boxes *x = &s->box;
	const char *text[TEXTS];

	*buf = 0;
	if (x->at >= x->n)
		return;
	texts_of(x->v[x->at].b, text);
	for (size_t i = 1; i < TEXTS && !*text_match(buf, size, re, text[0], strlen(text[0])); i++)
		if (*text_match(buf, size, re, text[i], strlen(text[i])))
			return;
	*buf = 0;
}

int memory_view_boxes_find(struct view *v, const struct regex *re, int dir, struct list_hits *hits)
{
	struct mem_view *s = v->state;
	struct mem_boxes *b = &s->box;
	struct finding f = { b, re, regex_scratch_new(re) };
	size_t to = list_find(hits, b->n, b->at, dir, box_is_hit, &f);

	regex_scratch_free(f.scratch);
	if (to == SIZE_MAX)
		return 0;
	b->at = to;
	scroll_to_selected(s);
	return (int)hits->n;
}

size_t memory_view_boxes_at(const struct mem_view *s, int y, int x)
{
	const struct mem_boxes *b = &s->box;
	uint32_t box;

	y = b->a.y + b->a.h - 1 - y;
	x -= b->a.x;
	if (!b->grid || y < 0 || y >= b->a.h || x < 0 || x >= b->a.w)
		return SIZE_MAX;
	box = box_in(b, 2 * y + 1, x) ? box_in(b, 2 * y + 1, x) : box_in(b, 2 * y, x);
	return box ? box - 1 : SIZE_MAX;
}
