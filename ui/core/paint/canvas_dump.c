#include "config.h"
#include "core/paint/canvas.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "core/paint/theme.h"

struct frame_text {
	char *s;
	size_t n, cap;
};

static void add_bytes(struct frame_text *t, const char *s, size_t n)
{
	if (t->n + n + 1 > t->cap) {
		t->cap = (t->n + n + 1) * 2;
		t->s = xrealloc(t->s, t->cap, 1);
	}
	memcpy(t->s + t->n, s, n);
	t->n += n;
	t->s[t->n] = 0;
}

static bool same_look(struct look a, struct look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

static const struct look plain = { -1, -1, 0 };

static void add_color(struct frame_text *t, int color, int base)
{
	char s[32];

	if (color < 0)
		return;
	if (color < 8)
		snprintf(s, sizeof s, ";%d", base + color);
	else if (color < 16)
		snprintf(s, sizeof s, ";%d", base + 60 + color - 8);
	else
		snprintf(s, sizeof s, ";%d;5;%d", base + 8, color);
	add_bytes(t, s, strlen(s));
}

static void add_sgr(struct frame_text *t, struct look l)
{
	static const struct {
		unsigned attr;
		char digit;
	} attrs[] = { { ATTR_BOLD, '1' }, { ATTR_DIM, '2' }, { ATTR_UNDERLINE, '4' }, { ATTR_REVERSE, '7' } };

	add_bytes(t, "\033[0", 3);
	for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++)
		if (l.attr & attrs[i].attr)
			add_bytes(t, (char[]){ ';', attrs[i].digit }, 2);
	add_color(t, l.fg, 30);
	add_color(t, l.bg, 40);
	add_bytes(t, "m", 1);
}

static struct look look_of(const struct canvas *c, const struct canvas_cell *cell, int colors)
{
	const struct theme *theme = c->theme ? c->theme : c->mono ? theme_find("mono") : themes[0];

	if (colors && cell->under)
		return theme_two(theme, (enum role)cell->role, (enum role)cell->under, colors);
	return colors ? theme_look(theme, (enum role)cell->role, cell->attr, colors) : plain;
}

char *canvas_dump(const struct canvas *c, int colors, size_t *len)
{
	struct frame_text t = { 0 };

	add_bytes(&t, "", 0);
	for (int y = 0; y < c->rows; y++) {
		const struct canvas_cell *row = &c->cells[(size_t)y * (size_t)c->cols];
		struct look now = plain;
		int n = c->cols;

		while (n > 0 && row[n - 1].ch == ' ' && same_look(look_of(c, &row[n - 1], colors), plain))
			n--;
		for (int x = 0; x < n; x++) {
			struct look l = look_of(c, &row[x], colors);
			char ch[4];

			if (!row[x].ch)
				continue;
			if (!same_look(l, now))
				add_sgr(&t, l);
			now = l;
			add_bytes(&t, ch, (size_t)utf8_put(ch, row[x].ch));
		}
		if (!same_look(now, plain))
			add_bytes(&t, "\033[0m", 4);
		add_bytes(&t, "\n", 1);
	}
	*len = t.n;
	return t.s;
}
