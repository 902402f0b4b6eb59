#include "config.h"
#include "core/paint/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"

static const struct canvas_cell blank = { .ch = ' ', .role = ROLE_TEXT };

struct rect rect_common(struct rect a, struct rect b)
{
	int y = a.y > b.y ? a.y : b.y, x = a.x > b.x ? a.x : b.x;
	int64_t bottom_a = (int64_t)a.y + a.h, bottom_b = (int64_t)b.y + b.h, right_a = (int64_t)a.x + a.w,
		right_b = (int64_t)b.x + b.w;
	int64_t h = (bottom_a < bottom_b ? bottom_a : bottom_b) - y,
		w = (right_a < right_b ? right_a : right_b) - x;

	return (struct rect){ y, x, h > 0 ? (int)h : 0, w > 0 ? (int)w : 0 };
}

void canvas_init(struct canvas *c, int rows, int cols, const struct glyphs *glyphs, bool mono)
{
	*c = (struct canvas){ .glyphs = glyphs, .mono = mono };
	canvas_resize(c, rows, cols);
}

void canvas_free(struct canvas *c)
{
	free(c->cells);
	c->cells = NULL;
	c->rows = c->cols = 0;
	c->clip = (struct rect){ 0 };
}

void canvas_resize(struct canvas *c, int rows, int cols)
{
	c->rows = rows < 0 ? 0 : rows;
	c->cols = cols < 0 ? 0 : cols;
	c->cells = xrealloc(c->cells, (size_t)c->rows * (size_t)c->cols + 1, sizeof *c->cells);
	canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
	size_t n = (size_t)c->rows * (size_t)c->cols;

	for (size_t i = 0; i < n; i++)
		c->cells[i] = blank;
	c->clip = (struct rect){ 0, 0, c->rows, c->cols };
	c->cursor_y = c->cursor_x = -1;
	memset(c->late, 0, sizeof c->late);
}

struct rect canvas_clip(struct canvas *c, struct rect r)
{
	struct rect old = c->clip;

	c->clip = rect_common(r, (struct rect){ 0, 0, c->rows, c->cols });
	return old;
}

/* ASCII replacements for characters that our own texts use; everything else becomes '?'. */
static uint32_t ascii_of(uint32_t ch)
{
	static const struct {
		uint16_t from;
		char to;
	} table[] = {
		{ 0xa0, ' ' },
		{ 0xb0, 'o' },
		{ 0xb1, '+' },
		{ 0xb5, 'u' },
		{ 0xb7, '.' },
		{ 0xd7, 'x' },
		{ 0xf7, '/' },
		{ 0x3bc, 'u' },
		{ 0x2013, '-' },
		{ 0x2014, '-' },
		{ 0x2018, '\'' },
		{ 0x2019, '\'' },
		{ 0x201c, '"' },
		{ 0x201d, '"' },
		{ 0x2022, '*' },
		{ 0x2026, '~' },
		{ 0x2039, '<' },
		{ 0x203a, '>' },
		{ 0x2190, '<' },
		{ 0x2191, '^' },
		{ 0x2192, '>' },
		{ 0x2193, 'v' },
		{ 0x2212, '-' },
		{ 0x2248, '~' },
		{ 0x2264, '<' },
		{ 0x2265, '>' },
		{ 0x2295, '+' },
		{ 0x2296, '-' },
		{ 0x2500, '-' },
		{ 0x2501, '=' },
		{ 0x2502, '|' },
		{ 0x2503, '|' },
		{ 0x2504, '-' },
		{ 0x2523, '[' },
		{ 0x252b, ']' },
		{ 0x253c, '+' },
		{ 0x2588, '#' },
		{ 0x2591, '.' },
		{ 0x2592, ':' },
		{ 0x2593, '%' },
		{ 0x259a, '\\' },
		{ 0x259e, '/' },
		{ 0x25b2, '^' },
		{ 0x25b8, '>' },
		{ 0x25bc, 'v' },
		{ 0x25be, 'v' },
		{ 0x25c2, '<' },
	};

	if (ch > 0x2580 && ch < 0x2588) /* a height in eighths */
		return glyphs_ascii.height[ch - 0x2580];
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].from == ch)
			return (uint32_t)table[i].to;
	return '?';
}

static inline bool printable_ascii(uint32_t ch)
{
	return ch >= ' ' && ch < 127;
}
static inline bool line_or_block(uint32_t ch)
{
	return ch >= 0x2500 && ch < 0x25f0;
}

/* Replaces a character by one that is safe to show, and returns the columns it takes in *width. */
static inline uint32_t fit_for_cell(const struct canvas *c, uint32_t ch, int *width)
{
	*width = 1;
	if (printable_ascii(ch))
		return ch;
	if (c->glyphs->ascii)
		return ascii_of(ch);
	if (line_or_block(ch))
		return ch;
	ch = utf8_safe(ch);
	*width = utf8_width(ch);
	return ch;
}

/* Sets a cell; the other half of a wide character that it overwrites becomes a space. */
static inline void set_cell(struct canvas *c, int y, int x, uint32_t ch, enum role role, unsigned attr)
{
	struct canvas_cell *cell = &c->cells[(size_t)y * (size_t)c->cols + (size_t)x];

	if (!cell->ch && x > 0)
		cell[-1].ch = ' ';
	else if (x + 1 < c->cols && !cell[1].ch)
		cell[1].ch = ' ';
	*cell = (struct canvas_cell){ ch, (uint8_t)role, (uint8_t)attr, 0, 0 };
}

static inline bool in_clip(const struct canvas *c, int y, int x)
{
	return y >= c->clip.y && y < c->clip.y + c->clip.h && x >= c->clip.x && x < c->clip.x + c->clip.w;
}

static void put_fitted(struct canvas *c, int y, int x, uint32_t ch, int width, enum role role, unsigned attr)
{
	bool left = in_clip(c, y, x), right = width > 1 && in_clip(c, y, x + 1);

	if (width == 1 && left) {
		set_cell(c, y, x, ch, role, attr);
	} else if (left && right) {
		set_cell(c, y, x, ' ', role, attr);
		set_cell(c, y, x + 1, ' ', role, attr);
		c->cells[(size_t)y * (size_t)c->cols + (size_t)x].ch = ch;
		c->cells[(size_t)y * (size_t)c->cols + (size_t)x + 1].ch = 0;
	} else if (left || right) {
		set_cell(c, y, left ? x : x + 1, ' ', role, attr);
	}
}

void canvas_put(struct canvas *c, int y, int x, uint32_t ch, enum role role, unsigned attr)
{
	int width;

	if (x == INT32_MAX)
		return;
	ch = fit_for_cell(c, ch, &width);
	put_fitted(c, y, x, ch, width, role, attr);
}

void canvas_two(struct canvas *c, int y, int x, uint32_t ch, enum role role, enum role under)
{
	canvas_put(c, y, x, ch, role, 0);
	if (in_clip(c, y, x))
		c->cells[(size_t)y * (size_t)c->cols + (size_t)x].under = (uint8_t)under;
}

void canvas_glyph(struct canvas *c, int y, int x, enum glyph g, enum role role, unsigned attr)
{
	if (in_clip(c, y, x))
		set_cell(c, y, x, c->glyphs->g[g], role, attr);
}

void canvas_vline(struct canvas *c, int y, int x, int rows)
{
	for (int i = 0; i < rows; i++)
		canvas_glyph(c, y + i, x, GLYPH_VLINE, ROLE_LINE, 0);
}

void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, enum role role, unsigned attr)
{
	struct rect in = rect_common(r, c->clip);
	int width;

	ch = fit_for_cell(c, ch, &width);
	for (int y = in.y; y < in.y + in.h; y++)
		for (int x = in.x; x < in.x + in.w; x++)
			set_cell(c, y, x, width == 1 ? ch : ' ', role, attr);
}

int canvas_text(struct canvas *c, int y, int x, int maxcols, enum role role, unsigned attr, const char *s,
    size_t len)
{
	const char *end = utf8_end(s, len);
	int used = 0;

	while (s < end && used < maxcols) {
		uint32_t ch = (unsigned char)*s;
		int width;

		if (ch < 128)
			s++;
		else
			ch = utf8_next(&s, end);
		ch = fit_for_cell(c, ch, &width);
		if (used + width > maxcols)
			break;
		put_fitted(c, y, x + used, ch, width, role, attr);
		used += width;
	}
	return used;
}

int canvas_str(struct canvas *c, int y, int x, int maxcols, enum role role, unsigned attr, const char *s)
{
	return canvas_text(c, y, x, maxcols, role, attr, s, strlen(s));
}

/* Columns of a text on this canvas; stops counting beyond `enough`. */
static int columns_of(const struct canvas *c, const char *s, size_t len, int enough)
{
	const char *end = utf8_end(s, len);
	int n = 0, width;

	while (s < end && n <= enough) {
		fit_for_cell(c, utf8_next(&s, end), &width);
		n += width;
	}
	return n;
}

int canvas_right(struct canvas *c, int y, int xend, enum role role, unsigned attr, const char *s)
{
	size_t len = strlen(s);
	int n = columns_of(c, s, len, INT32_MAX - 1);

	canvas_text(c, y, xend - n, n, role, attr, s, len);
	return xend - n;
}

/* Returns where the last part of a text that fits in `cols` columns begins. */
static const char *tail_of(const struct canvas *c, const char *s, size_t len, int cols)
{
	const char *p = utf8_end(s, len);
	int used = 0;

	while (p > s) {
		const char *q = p - 1, *at;
		int width;

		while (q > s && p - q < 4 && ((unsigned char)*q & 0xc0) == 0x80)
			q--;
		at = q;
		fit_for_cell(c, utf8_next(&at, p), &width);
		if (at != p) { /* broken UTF-8: its bytes are shown one by one */
			q = p - 1;
			width = 1;
		}
		if (used + width > cols)
			break;
		used += width;
		p = q;
	}
	return p;
}

/* Columns kept at the end when a name is cut to `cols`: a number like ".161" if four letters fit before it, a
 * third of the columns for longer ones. */
static int tail_cols(const char *s, size_t len, int cols)
{
	int tail = 0;

	/* a number like ".33" or "-12-0" */
	for (size_t n = 1, digits = 0; n < len && n <= 12; n++) {
		char c = s[len - n];

		if (c >= '0' && c <= '9')
			digits++;
		else if (digits && (c == '.' || c == '-'))
			tail = (int)n;
		else
			break;
	}
	if (tail + 5 > cols)
		return 0;
	return cols >= 16 && (cols - 1) / 3 > tail ? (cols - 1) / 3 : tail;
}

int canvas_start(struct canvas *c, int y, int x, int maxcols, enum role role, unsigned attr, const char *s,
    size_t len)
{
	int used;

	if (maxcols <= 0 || len <= (size_t)maxcols || columns_of(c, s, len, maxcols) <= maxcols)
		return canvas_text(c, y, x, maxcols, role, attr, s, len);
	used = canvas_text(c, y, x, maxcols - 1, role, attr, s, len);
	canvas_glyph(c, y, x + used, GLYPH_ELLIPSIS, role, attr);
	return used + 1;
}

int canvas_cut(struct canvas *c, int y, int x, int maxcols, enum role role, unsigned attr, const char *s,
    size_t len)
{
	if (maxcols <= 0)
		return 0;
	if (len <= (size_t)maxcols || columns_of(c, s, len, maxcols) <= maxcols)
		return canvas_text(c, y, x, maxcols, role, attr, s, len);

	int tail = tail_cols(s, len, maxcols);
	const char *end = tail_of(c, s, len, tail);
	int used = canvas_text(c, y, x, maxcols - 1 - tail, role, attr, s, len);

	canvas_glyph(c, y, x + used, GLYPH_ELLIPSIS, role, attr);
	return used + 1 + canvas_text(c, y, x + used + 1, tail, role, attr, end, (size_t)(s + len - end));
}

int canvas_fmt(struct canvas *c, int y, int x, int maxcols, enum role role, unsigned attr, const char *fmt,
    ...)
{
	char buf[2048];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(buf, sizeof buf, fmt, ap);
	va_end(ap);
	return n < 0 ? 0 : canvas_str(c, y, x, maxcols, role, attr, buf);
}

void canvas_attr(struct canvas *c, struct rect r, unsigned attr)
{
	struct rect in = rect_common(r, c->clip);

	for (int y = in.y; y < in.y + in.h; y++)
		for (int x = in.x; x < in.x + in.w; x++)
			c->cells[(size_t)y * (size_t)c->cols + (size_t)x].attr |= (uint8_t)attr;
}

void canvas_role(struct canvas *c, struct rect r, enum role role, unsigned attr)
{
	struct rect in = rect_common(r, c->clip);

	for (int y = in.y; y < in.y + in.h; y++)
		for (int x = in.x; x < in.x + in.w; x++) {
			struct canvas_cell *cell = &c->cells[(size_t)y * (size_t)c->cols + (size_t)x];

			cell->role = (uint8_t)role;
			cell->under = 0;
			cell->attr = (uint8_t)attr;
		}
}
