#include "config.h"
#include "core/paint/canvas_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "core/paint/theme.h"

/* A cell of a picture, in its units; a run of text is stretched to its cells. */
enum { CELL_W = 8, CELL_H = 17, BASELINE = 13, MARGIN = 8, STYLES = 250 };

#define FONT "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"

/* A way cells look; each has a class. */
struct style {
	uint8_t role, attr, under;
};

struct page {
	const struct canvas *c;
	FILE *f;
	struct style style[STYLES];
	size_t n;
};

static void put_escaped(FILE *f, const char *s)
{
	for (; *s; s++)
		if (strchr("&<>\"", *s))
			fputs(*s == '&' ? "&amp;" : *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : "&quot;", f);
		else
			putc(*s, f);
}

static void put_char(FILE *f, uint32_t c)
{
	char ch[5] = "";

	ch[utf8_put(ch, c)] = 0;
	put_escaped(f, ch);
}

static size_t style_of(struct page *p, const struct canvas_cell *cell)
{
	const struct style s = { cell->role, cell->attr, cell->under };
	size_t i = 0;

	while (i < p->n && memcmp(&p->style[i], &s, sizeof s))
		i++;
	if (i == p->n && p->n < STYLES)
		p->style[p->n++] = s;
	return i < STYLES ? i : 0;
}

/* xterm's palette */
static unsigned rgb_of(int color)
{
	static const unsigned ansi[] = { 0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd,
		0xe5e5e5, 0x666666, 0xf14c4c, 0x23d18b, 0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xffffff };
	static const unsigned step[] = { 0, 95, 135, 175, 215, 255 };
	unsigned n = (unsigned)color - 16, gray = 8 + 10 * ((unsigned)color - 232);

	if (color < 16)
		return ansi[color];
	return color < 232 ? step[n / 36] << 16 | step[n / 6 % 6] << 8 | step[n % 6]
			   : gray << 16 | gray << 8 | gray;
}

struct colors {
	unsigned fg, bg;
	bool filled; /* it has a background of its own */
};

static unsigned ground_of(bool light)
{
	return light ? 0xffffff : 0x16181c;
}

static struct colors colors_of(const struct page *p, const struct style *s, bool light)
{
	const struct theme *theme = p->c->theme ? p->c->theme : p->c->mono ? theme_find("mono") : themes[0];
	struct look l;
	struct colors x;

	theme = theme_on(theme, light);
	l = s->under ? theme_two(theme, (enum role)s->role, (enum role)s->under, 256)
		     : theme_look(theme, (enum role)s->role, s->attr, 256);
	x = (struct colors){ l.fg < 0 ? (light ? 0x1c1c1c : 0xd8d8d8) : rgb_of(l.fg),
		l.bg < 0 ? ground_of(light) : rgb_of(l.bg), l.bg >= 0 };
	if (l.attr & ATTR_REVERSE)
		x = (struct colors){ x.bg, x.fg, true };
	return x;
}

/* Bold, dim and underlined, as the theme and the cell say. */
static unsigned attr_of(const struct page *p, const struct style *s)
{
	const struct theme *theme = p->c->theme ? p->c->theme : p->c->mono ? theme_find("mono") : themes[0];

	return theme_look(theme, (enum role)s->role, s->attr, 256).attr;
}

static void put_styles(const struct page *p, const char *fill, bool light)
{
	for (size_t i = 0; i < p->n; i++) {
		struct colors x = colors_of(p, &p->style[i], light);
		unsigned attr = attr_of(p, &p->style[i]);

		fprintf(p->f, ".c%zu{%s:#%06x", i, fill, x.fg);
		if (x.filled && !strcmp(fill, "color"))
			fprintf(p->f, ";background:#%06x", x.bg);
		fprintf(p->f, "%s%s%s}\n", attr & ATTR_BOLD ? ";font-weight:bold" : "",
		    attr & ATTR_DIM ? ";opacity:.7" : "",
		    attr & ATTR_UNDERLINE ? ";text-decoration:underline" : "");
	}
}

struct run {
	int x, n; /* columns */
	size_t style;
};

/* The cells of a row that look alike, from column x on. */
static bool next_run(struct page *p, int y, struct run *r)
{
	const struct canvas_cell *row = &p->c->cells[(size_t)y * (size_t)p->c->cols];

	r->x += r->n;
	r->n = 0;
	if (r->x >= p->c->cols)
		return false;
	r->style = style_of(p, &row[r->x]);
	do
		r->n++;
	while (
	    r->x + r->n < p->c->cols && (!row[r->x + r->n].ch || style_of(p, &row[r->x + r->n]) == r->style));
	return true;
}

static void find_styles(struct page *p)
{
	for (int y = 0; y < p->c->rows; y++)
		for (struct run r = { 0 }; next_run(p, y, &r);)
			;
}

/* --- SVG --- */

/* Blanks at both ends of a run are no text. */
static void put_run(struct page *p, int y, struct run r)
{
	const struct canvas_cell *row = &p->c->cells[(size_t)y * (size_t)p->c->cols];
	struct colors x = colors_of(p, &p->style[r.style], p->c->theme && p->c->theme->on_light);

	if (x.filled)
		fprintf(p->f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
		    MARGIN + r.x * CELL_W, MARGIN + y * CELL_H, r.n * CELL_W, CELL_H, x.bg);
	for (; r.n && row[r.x].ch == ' '; r.n--)
		r.x++;
	while (r.n && row[r.x + r.n - 1].ch == ' ')
		r.n--;
	if (!r.n)
		return;
	fprintf(p->f, "<text class=\"c%zu\" x=\"%d\" y=\"%d\" textLength=\"%d\">", r.style,
	    MARGIN + r.x * CELL_W, MARGIN + y * CELL_H + BASELINE, r.n * CELL_W);
	for (int i = 0; i < r.n; i++)
		if (row[r.x + i].ch)
			put_char(p->f, row[r.x + i].ch);
	fputs("</text>\n", p->f);
}

static void put_svg(struct page *p, const char *title, const char *command)
{
	int w = 2 * MARGIN + p->c->cols * CELL_W, h = 2 * MARGIN + p->c->rows * CELL_H;
	bool light = p->c->theme && p->c->theme->on_light;

	fprintf(p->f,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
	    "%d\">\n<title>",
	    w, h, w, h);
	put_escaped(p->f, title);
	fputs("</title>\n<desc>", p->f);
	put_escaped(p->f, command ? command : "");
	fputs("</desc>\n<style>text{font:13px " FONT ";white-space:pre}\n", p->f);
	put_styles(p, "fill", light);
	fprintf(p->f, "</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", w, h,
	    ground_of(light));
	for (int y = 0; y < p->c->rows; y++)
		for (struct run r = { 0 }; next_run(p, y, &r);)
			put_run(p, y, r);
	fputs("</svg>\n", p->f);
}

/* --- HTML --- */

static void put_html_rows(struct page *p)
{
	for (int y = 0; y < p->c->rows; y++) {
		const struct canvas_cell *row = &p->c->cells[(size_t)y * (size_t)p->c->cols];

		for (struct run r = { 0 }; next_run(p, y, &r);) {
			fprintf(p->f, "<span class=\"c%zu\">", r.style);
			for (int i = r.x; i < r.x + r.n; i++)
				if (row[i].ch)
					put_char(p->f, row[i].ch);
			fputs("</span>", p->f);
		}
		putc('\n', p->f);
	}
}

static void put_html(struct page *p, const char *title, const char *command)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>", p->f);
	put_escaped(p->f, title);
	fprintf(p->f,
	    "</title>\n<style>\nbody{background:#%06x;color:#d8d8d8;font:14px/1.25 " FONT
	    "}\npre{font:inherit}\n",
	    ground_of(false));
	put_styles(p, "color", false);
	fprintf(p->f, "@media (prefers-color-scheme:light){\nbody{background:#%06x;color:#1c1c1c}\n",
	    ground_of(true));
	put_styles(p, "color", true);
	fputs("}\n</style></head><body>\n", p->f);
	if (command) {
		fputs("<p><code>", p->f);
		put_escaped(p->f, command);
		fputs("</code></p>\n", p->f);
	}
	fputs("<pre>\n", p->f);
	put_html_rows(p);
	fputs("</pre>\n</body></html>\n", p->f);
}

/* --- Markdown --- */

/* A fence is longer than any run of its character in the text. */
static void put_fenced(FILE *f, const char *text)
{
	int longest = 2, n = 0;

	for (const char *s = text; *s; s++) {
		n = *s == '`' ? n + 1 : 0;
		longest = n > longest ? n : longest;
	}
	for (int i = 0; i <= longest; i++)
		putc('`', f);
	fprintf(f, "text\n%s", text);
	if (*text && text[strlen(text) - 1] != '\n')
		putc('\n', f);
	for (int i = 0; i <= longest; i++)
		putc('`', f);
	fputs("\n", f);
}

static void put_markdown(const struct page *p, const char *command)
{
	size_t n;
	char *text = canvas_dump(p->c, 0, &n);

	if (command) {
		put_fenced(p->f, command);
		putc('\n', p->f);
	}
	put_fenced(p->f, text);
	free(text);
}

void canvas_page(const struct canvas *c, enum shot_form form, const char *title, const char *command, FILE *f)
{
	struct page p = { .c = c, .f = f };

	find_styles(&p);
	if (form == SHOT_SVG)
		put_svg(&p, title, command);
	else if (form == SHOT_HTML)
		put_html(&p, title, command);
	else
		put_markdown(&p, command);
}
