#include "config.h"
#include "term/curses_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <curses.h>

#include "base/mem.h"
#include "term/terminfo.h"

struct curses_style {
	attr_t attr;
	short pair;
	bool known;
};
struct curses_pair {
	int16_t fg, bg;
};

#define ATTRS 16 /* sets of ATTR_* */
#define PAIRS_MAX 256

int curses_draw_open(struct curses_draw *d)
{
	int have = 0;

	if (has_colors() && start_color() == OK && COLORS >= 8 && COLOR_PAIRS > 1) {
		use_default_colors();
		have = COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : 8;
	}
	*d = (struct curses_draw){ .lines = MB_CUR_MAX == 1 };
	d->style = xcalloc(ROLE_COUNT * ATTRS, sizeof *d->style);
	d->two = xcalloc(ROLE_COUNT * ROLE_COUNT, sizeof *d->two);
	d->pairs = xcalloc(PAIRS_MAX, sizeof *d->pairs);
	curs_set(0);
	leaveok(stdscr, TRUE);
	return have;
}

void curses_draw_dress(struct curses_draw *d, const struct theme *theme, int colors)
{
	d->theme = theme;
	d->colors = colors;
	memset(d->style, 0, ROLE_COUNT * ATTRS * sizeof *d->style);
	memset(d->two, 0, ROLE_COUNT * ROLE_COUNT * sizeof *d->two);
	d->npairs = 1; /* pair 0 is the terminal's own */
	curses_draw_all(d);
}

static short pair_for(struct curses_draw *d, int16_t fg, int16_t bg)
{
	int most = COLOR_PAIRS < PAIRS_MAX ? COLOR_PAIRS : PAIRS_MAX;

	if (fg < 0 && bg < 0)
		return 0;
	for (int i = 1; i < d->npairs; i++)
		if (d->pairs[i].fg == fg && d->pairs[i].bg == bg)
			return (short)i;
	if (d->npairs >= most || init_pair((short)d->npairs, fg, bg) == ERR)
		return 0;
	d->pairs[d->npairs] = (struct curses_pair){ fg, bg };
	return (short)d->npairs++;
}

static struct curses_style style_of(struct curses_draw *d, const struct canvas_cell *cell)
{
	enum role role = cell->role < ROLE_COUNT ? (enum role)cell->role : ROLE_TEXT;
	enum role under = cell->under < ROLE_COUNT ? (enum role)cell->under : ROLE_TEXT;
	struct curses_style *s =
	    under ? &d->two[role * ROLE_COUNT + under] : &d->style[role * ATTRS + cell->attr % ATTRS];

	if (!s->known) {
		struct look l = under ? theme_two(d->theme, role, under, d->colors)
				      : theme_look(d->theme, role, cell->attr, d->colors);

		s->pair = pair_for(d, l.fg, l.bg);
		s->attr = (l.attr & ATTR_BOLD ? A_BOLD : 0) | (l.attr & ATTR_REVERSE ? A_REVERSE : 0) |
		    (l.attr & ATTR_UNDERLINE ? A_UNDERLINE : 0) | (l.attr & ATTR_DIM ? A_DIM : 0);
		s->known = true;
	}
	return *s;
}

/* The C library's character width decides how far ncurses moves the cursor; a character that it sees as wider
 * or narrower than we do would shift the row. */
static wchar_t printable_char(const struct canvas_cell *cell, bool wide)
{
	if (cell->ch < 127 || wcwidth((wchar_t)cell->ch) == (wide ? 2 : 1))
		return (wchar_t)cell->ch;
	return wide ? 0xff1f : '?'; /* fullwidth question mark */
}

/* A line-drawing sign for locales that have no character for it; NULL: none. */
static const cchar_t *line_sign(uint32_t ch)
{
	switch (ch) {
	case 0x2500:
		return WACS_HLINE;
	case 0x2502:
		return WACS_VLINE;
	case 0x251c:
		return WACS_LTEE;
	case 0x252c:
		return WACS_TTEE;
	case 0x2534:
		return WACS_BTEE;
	case 0x2592:
		return WACS_CKBOARD;
	case 0x25c6:
		return WACS_DIAMOND;
	case 0x00b7:
		return WACS_BULLET;
	default:
		return NULL;
	}
}

static bool put_line(const struct canvas_cell *cell, struct curses_style s, cchar_t *out)
{
	const cchar_t *sign = cell->ch > 127 ? line_sign(cell->ch) : NULL;
	wchar_t text[CCHARW_MAX + 1];
	attr_t attr;
	short pair;

	return sign && getcchar(sign, text, &attr, &pair, NULL) == OK &&
	    setcchar(out, text, s.attr | attr, s.pair, NULL) == OK;
}

static bool same_cell(const struct canvas_cell *a, const struct canvas_cell *b)
{
	return a->ch == b->ch && a->role == b->role && a->attr == b->attr && a->under == b->under;
}

static void put_cells(struct curses_draw *d, int y, int from, int to, const struct canvas_cell *row,
    cchar_t *out)
{
	int n = 0;

	for (int x = from; x < to; x++) {
		bool wide = x + 1 < d->cols && !row[x + 1].ch;
		struct curses_style s = style_of(d, &row[x]);
		wchar_t text[2] = { printable_char(&row[x], wide), 0 };

		if (row[x].ch && d->lines && put_line(&row[x], s, &out[n]))
			n++;
		else if (row[x].ch)
			setcchar(&out[n++], text, s.attr, s.pair, NULL);
	}
	mvadd_wchnstr(y, from, out, n);
}

static bool put_row(struct curses_draw *d, int y, const struct canvas_cell *row,
    const struct canvas_cell *old, cchar_t *out)
{
	static const struct canvas_cell blank = { .ch = ' ' };
	int from = 0, to = d->cols;

	/* ncurses fills the lower right corner through the cell left of it, and reads that one even where
	 * there is none */
	if (d->cols == 1 && y == d->rows - 1)
		row = &blank;
	if (old) {
		while (from < to && same_cell(&row[from], &old[from]))
			from++;
		while (to > from && same_cell(&row[to - 1], &old[to - 1]))
			to--;
	}
	if (from == to)
		return false;
	while (from > 0 && !row[from].ch)
		from--;
	while (to < d->cols && !row[to].ch)
		to++;
	put_cells(d, y, from, to, row, out);
	return true;
}

static void bracket_paste(struct curses_draw *d, bool on)
{
	if (on == d->paste || !terminfo_string("kmous")) /* only xterm-like terminals support it */
		return;
	d->paste = on;
	fputs(on ? "\033[?2004h" : "\033[?2004l", stdout);
	fflush(stdout);
}

static void show_cursor(struct curses_draw *d, const struct canvas *c)
{
	bool on = c->cursor_y >= 0 && c->cursor_y < d->rows && c->cursor_x >= 0 && c->cursor_x < d->cols;

	if (on != d->cursor) {
		leaveok(stdscr, !on);
		curs_set(on);
		d->cursor = on;
	}
	if (on)
		move(c->cursor_y, c->cursor_x);
}

/* Sends the cells; the size is the one of `last` if that is `known`. */
static void draw_cells(struct curses_draw *d, const struct canvas *c, const struct canvas_cell *cells,
    bool known)
{
	bool any = d->cursor || c->cursor_y >= 0;
	cchar_t *out = xcalloc((size_t)c->cols + 1, sizeof *out);

	for (int y = 0; y < c->rows; y++) {
		size_t at = (size_t)y * (size_t)c->cols;

		any |= put_row(d, y, cells + at, known ? d->last + at : NULL, out);
	}
	free(out);
	if (!any && known)
		return;
	bracket_paste(d, true);
	show_cursor(d, c);
	refresh();
}

bool curses_draw_frame(struct curses_draw *d, const struct canvas *c, int most)
{
	bool known = d->rows == c->rows && d->cols == c->cols, held = false;
	size_t n = (size_t)c->rows * (size_t)c->cols;
	struct canvas now = *c;

	/* the terminal shrank; KEY_RESIZE will follow */
	if (c->rows > LINES || c->cols > COLS)
		return false;
	now.cells = xmalloc((n + 1) * sizeof *now.cells);
	memcpy(now.cells, c->cells, n * sizeof *now.cells);
	/* only what was such an area before can stay as it was */
	for (size_t i = 0; i < sizeof d->late / sizeof *d->late; i++)
		now.late[i] = rect_common(c->late[i], d->late[i]);
	if (most > 0 && known)
		held = canvas_hold(&now, d->last, most);
	if (!known) {
		d->rows = c->rows;
		d->cols = c->cols;
		clearok(curscr, TRUE);
	}
	draw_cells(d, c, now.cells, known);
	free(d->last);
	d->last = now.cells;
	memcpy(d->late, c->late, sizeof d->late);
	return held;
}

void curses_draw_all(struct curses_draw *d)
{
	d->rows = d->cols = 0;
}

void curses_draw_stop(struct curses_draw *d)
{
	bracket_paste(d, false);
}

void curses_draw_free(struct curses_draw *d)
{
	free(d->style);
	free(d->two);
	free(d->pairs);
	free(d->last);
}
