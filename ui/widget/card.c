#include "config.h"
#include "widget/card.h"

#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"

int card_rule(struct canvas *c, struct rect r, int y, const char *title, const char *right)
{
	int end = r.x + r.w - 1, x;

	for (x = r.x; x < r.x + r.w; x++)
		canvas_glyph(c, y, x, GLYPH_HLINE, ROLE_LINE, 0);
	if (*right && utf8_cols(right, strlen(right)) + 8 < r.w) {
		end = canvas_right(c, y, end - 1, ROLE_TEXT, 0, right) - 1;
		canvas_put(c, y, end, ' ', ROLE_TEXT, 0);
		canvas_put(c, y, r.x + r.w - 2, ' ', ROLE_TEXT, 0);
	}
	canvas_put(c, y, r.x + 1, ' ', ROLE_TEXT, 0);
	x = r.x + 2;
	x += canvas_cut(c, y, x, end - x - 2, ROLE_HEAD, 0, title, strlen(title));
	canvas_put(c, y, x, ' ', ROLE_TEXT, 0);
	return y + 1;
}

void card_head(struct canvas *c, int y, struct rect r, const char *head, const char *gloss)
{
	int x = r.x + 1;

	x += canvas_str(c, y, x, r.w - 2, ROLE_HEAD, 0, head) + 1;
	canvas_str(c, y, x, r.x + r.w - 1 - x, ROLE_DIM, 0, gloss);
}

int card_pair(struct canvas *c, struct rect r, int y, int label_cols, const char *label, const char *value)
{
	if (y < r.y + r.h) {
		canvas_str(c, y, r.x + 1, label_cols - 1, ROLE_DIM, 0, label);
		canvas_str(c, y, r.x + 1 + label_cols, r.w - 2 - label_cols, ROLE_TEXT, 0, value);
	}
	return y + 1;
}

int card_sides(struct canvas *c, struct rect r, int y, const char *label, const char *value)
{
	int x = r.x + 1;

	if (y < r.y + r.h)
		card_start(c, y, x, canvas_right(c, y, r.x + r.w - 1, ROLE_TEXT, 0, value) - 1 - x, ROLE_DIM,
		    0, label);
	return y + 1;
}

/* Is the space between a number and its unit? */
static bool before_unit(const char *s, size_t len, size_t space)
{
	static const char *const units[] = { "%", "s", "ms", "µs", "ns", "ps", "B", "KiB", "MiB", "GiB",
		"TiB" };
	size_t n = 0;

	if (!space || s[space - 1] < '0' || s[space - 1] > '9')
		return false;
	for (const char *at = s + space + 1; n < 5 && space + 1 + n < len && !strchr(" ,;.:()/", at[n]); n++)
		;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (n == strlen(units[i]) && !memcmp(s + space + 1, units[i], n))
			return true;
	return false;
}

/* Returns the bytes of the next row of a paragraph; *skip: the spaces after it. */
static size_t next_row(const char *s, size_t len, int cols, size_t *skip)
{
	size_t n = utf8_fit(s, len, cols > 1 ? cols : 2), at = n;

	*skip = 0;
	if (n == len)
		return n;
	while (at > 0 && (s[at] != ' ' || before_unit(s, len, at)))
		at--;
	if (at > 0)
		n = at;
	for (at = n; n < len && s[n] != ' ' && !strncmp(s, "--", 2) && at > 2; at--)
		if (s[at - 1] == '_') { /* a flag that is longer than a row breaks between its words */
			n = at;
			break;
		}
	while (n + *skip < len && s[n + *skip] == ' ')
		++*skip;
	return n;
}

int card_text_rows(int cols, const char *s, size_t len)
{
	int rows = 0;

	for (size_t skip; len; rows++) {
		size_t n = next_row(s, len, cols, &skip) + skip;

		s += n;
		len -= n;
	}
	return rows;
}

/* The last row that there is room for, of a text that goes on. */
static void draw_cut_row(struct canvas *c, int y, int x, int cols, enum role role, const char *s, size_t len)
{
	size_t n = utf8_fit(s, len, cols - 1);

	x += canvas_text(c, y, x, cols - 1, role, 0, s, n);
	canvas_glyph(c, y, x, GLYPH_ELLIPSIS, role, 0);
}

int card_text(struct canvas *c, struct rect r, int y, int indent, enum role role, const char *s, size_t len)
{
	int cols = r.w - 2 - indent;

	for (size_t skip; len; y++) {
		size_t n = next_row(s, len, cols, &skip);

		if (y == r.y + r.h - 1 && n + skip < len)
			draw_cut_row(c, y, r.x + 1 + indent, cols, role, s, len);
		else if (y < r.y + r.h)
			canvas_text(c, y, r.x + 1 + indent, cols, role, 0, s, n);
		s += n + skip;
		len -= n + skip;
	}
	return y;
}

bool card_scroll(int *top, int lines, int rows, enum action a, int count)
{
	int most = lines > rows ? lines - rows : 0, n = count > 0 ? count : 1;

	switch (a) {
	case ACT_UP:
		*top -= n;
		break;
	case ACT_DOWN:
		*top += n;
		break;
	case ACT_PAGE_UP:
		*top -= n * rows;
		break;
	case ACT_PAGE_DOWN:
		*top += n * rows;
		break;
	case ACT_TOP:
		*top = 0;
		break;
	case ACT_BOTTOM:
		*top = most;
		break;
	default:
		return false;
	}
	*top = *top > most ? most : *top < 0 ? 0 : *top;
	return true;
}

void card_scroll_text(int top, int lines, int rows, char *buf, size_t size)
{
	*buf = '\0';
	if (lines > rows)
		snprintf(buf, size, "lines %d-%d of %d", top + 1, top + rows < lines ? top + rows : lines,
		    lines);
}

int card_tail(struct canvas *c, int y, int x, int w, enum role role, const char *s, size_t len)
{
	const char *from = s, *end;
	int cols = utf8_cols(s, len);

	if (w < 2 || cols <= w)
		return canvas_text(c, y, x, w, role, 0, s, len);
	end = s + len;
	while (from < end && cols > w - 1) {
		const char *at = from;

		utf8_next(&from, end);
		cols -= utf8_cols(at, (size_t)(from - at));
	}
	canvas_glyph(c, y, x, GLYPH_ELLIPSIS, role, 0);
	return 1 + canvas_text(c, y, x + 1, w - 1, role, 0, from, (size_t)(end - from));
}

int card_start(struct canvas *c, int y, int x, int w, enum role role, unsigned attr, const char *s)
{
	return canvas_start(c, y, x, w, role, attr, s, strlen(s));
}
