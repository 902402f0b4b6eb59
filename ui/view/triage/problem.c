#include "config.h"
#include "view/triage/triage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "core/results.h"
#include "widget/card.h"
#include "widget/text.h"

static bool is_warning(const struct tri_view *s)
{
	return !strcmp(triage_view_str(&s->t->errors, s->order[s->at], TRIAGE_ERRORS_severity), "warning");
}

static int draw_head(const struct tri_view *s, struct canvas *c, struct rect a)
{
	const struct table *e = &s->t->errors;
	size_t error = s->order[s->at];
	const char *code = triage_view_str(e, error, TRIAGE_ERRORS_code),
		   *kind = triage_view_str(e, error, TRIAGE_ERRORS_kind);
	char right[80];
	int x = a.x + 1, end = a.x + a.w - 1, y = a.y;
	bool low = is_warning(s);

	snprintf(right, sizeof right, "%s%s%.50s", code, *code ? " " : "", kind);
	x += canvas_str(c, y, x, 3, low ? ROLE_WARN : ROLE_BAD, ATTR_BOLD, low ? "! " : "!!") + 1;
	x += canvas_str(c, y, x, end - x, low ? ROLE_WARN : ROLE_BAD, ATTR_BOLD, s->title);
	if (x + 2 + utf8_cols(right, strlen(right)) <= end)
		canvas_right(c, y, end, ROLE_DIM, 0, right);
	y++;
	if (*s->facts) {
		int rows = card_text_rows(a.w - 2, s->facts, strlen(s->facts)), most = a.h >= 16 ? 3 : 1;
		struct rect r = { y, a.x, rows < most ? rows : most, a.w }, old = canvas_clip(c, r);

		card_text(c, r, y, 0, ROLE_TEXT, s->facts, strlen(s->facts));
		canvas_clip(c, old);
		y += r.h;
	}
	return y;
}

/* Below the bar: the limit, with its mark where the limit is. */
static void draw_limit(const struct tri_view *s, struct canvas *c, struct rect r, double whole)
{
	int at, cols, from;
	char bytes[32], text[64];

	if (!(s->limit > 0))
		return;
	at = r.x + (int)(fmin(1, s->limit / whole) * r.w + .5) - 1;
	at = at < r.x ? r.x : at;
	text_bytes(bytes, sizeof bytes, s->limit);
	snprintf(text, sizeof text, "limit %s ", bytes);
	cols = utf8_cols(text, strlen(text));
	from = at - cols;
	if (from > r.x + 1) {
		canvas_str(c, r.y, r.x, 1, ROLE_DIM, 0, "0");
		canvas_str(c, r.y, from, cols, ROLE_BAD, ATTR_BOLD, text);
	} else {
		canvas_fmt(c, r.y, at + 2, r.x + r.w - at - 2, ROLE_BAD, ATTR_BOLD, "limit %s", bytes);
	}
	canvas_glyph(c, r.y, at, GLYPH_SORT_UP, ROLE_BAD, ATTR_BOLD);
}

/* Draws whole entries, on two rows. */
static int draw_legend(const struct tri_view *s, struct canvas *c, struct rect r)
{
	int y = r.y, x = r.x;

	for (size_t i = 0; i < s->nparts; i++) {
		char bytes[32];
		int need;

		text_bytes(bytes, sizeof bytes, s->part[i].bytes);
		need = 3 + utf8_cols(s->part[i].label, strlen(s->part[i].label)) +
		    utf8_cols(bytes, strlen(bytes));
		if (x > r.x && x + need > r.x + r.w) {
			if (++y >= r.y + r.h)
				return y;
			x = r.x;
		}
		canvas_put(c, y, x, s->part[i].sign, s->part[i].role, 0);
		x += 2;
		x += canvas_str(c, y, x, r.x + r.w - x, ROLE_TEXT, 0, s->part[i].label) + 1;
		x += canvas_str(c, y, x, r.x + r.w - x, ROLE_BOLD, 0, bytes) + 3;
	}
	return y + 1;
}

/* The limit is the right end of the bar, or inside it when much more is needed. */
static int draw_bar(const struct tri_view *s, struct canvas *c, struct rect a, bool tall)
{
	struct bar_part part[TRI_PARTS];
	double whole = 0;
	struct rect r = { a.y + tall, a.x + 1, 1, a.w - 2 };
	int y;

	for (size_t i = 0; i < s->nparts; i++)
		whole += s->part[i].bytes;
	whole = s->limit > whole || (s->limit > 0 && whole < 1.02 * s->limit) ? s->limit : whole;
	for (size_t i = 0; i < s->nparts; i++)
		part[i] = (struct bar_part){ s->part[i].label, s->part[i].bytes / whole, s->part[i].role,
			s->part[i].sign };
	bar_stack(c, r.y, r.x, r.w, part, s->nparts);
	r.y++;
	draw_limit(s, c, r, whole);
	y = draw_legend(s, c, (struct rect){ r.y + 1, r.x, tall ? 2 : 1, r.w });
	return y + tall;
}

static int says_rows(const struct tri_view *s, int w)
{
	int rows = 1;

	for (size_t i = 0; i < s->says.n; i++)
		rows += card_text_rows(w - 4, s->says.s[i], strlen(s->says.s[i]));
	return rows;
}

static void draw_says(const struct tri_view *s, struct canvas *c, struct rect r)
{
	int y = r.y;

	if (r.h < 1)
		return;
	if (r.h > 2)
		canvas_str(c, y++, r.x + 1, r.w - 2, ROLE_HEAD, 0, "THE LOG SAYS");
	for (size_t i = 0; i < s->says.n && y < r.y + r.h; i++) {
		int end = card_text(c, r, y, 2, ROLE_TEXT, s->says.s[i], strlen(s->says.s[i]));

		for (; y < end && y < r.y + r.h; y++)
			canvas_glyph(c, y, r.x + 1, GLYPH_VLINE, ROLE_LINE, 0);
	}
}

enum { TABLE_HEADS = 2 }; /* what the table is, and its columns */

static void draw_table(struct tri_view *s, struct canvas *c, struct rect r)
{
	int used;

	if (r.h >= 3) {
		used = canvas_str(c, r.y, r.x + 1, r.w - 2, ROLE_HEAD, 0,
		    s->table.nrows ? "LARGEST BUFFERS" : "LOGS");
		if (s->table.nrows)
			canvas_str(c, r.y, r.x + 2 + used, r.w - 3 - used, ROLE_DIM, 0, s->of);
		r.y++;
		r.h--;
	}
	sheet_draw(triage_view_sheet(s), c, r);
}

static void draw_one(struct tri_view *s, struct canvas *c, struct rect a)
{
	bool tall = a.h >= 26;
	int y = draw_head(s, c, a), end = a.y + a.h, says, most, table = (int)s->table.nrows + TABLE_HEADS;

	if (s->nparts && a.h >= 12)
		y = draw_bar(s, c, (struct rect){ y, a.x, end - y, a.w }, tall);
	if (!s->table.nrows)
		y += a.h >= 12 && y < end;
	most = s->table.nrows ? (tall ? 7 : a.h >= 14 ? 4 : 0) : (end - y) * 2 / 3;
	if (s->table.nrows && tall && most < end - y - table - 1)
		most = end - y - table - 1;
	says = says_rows(s, a.w);
	says = says > most ? most : says;
	if (!s->table.nrows) {
		draw_says(s, c, (struct rect){ y, a.x, says, a.w });
		y += says + (end - y - says > 3);
		if (end - y >= 3)
			draw_table(s, c, (struct rect){ y, a.x, end - y, a.w });
		return;
	}
	if (table > end - y - says - (says && tall))
		table = end - y - says - (says && tall);
	draw_table(s, c, (struct rect){ y, a.x, table, a.w });
	draw_says(s, c, (struct rect){ y + table + (says && tall), a.x, says, a.w });
}

/* Files of metrics reports alone are not read for errors (RESULT_TRIAGE). */
static void draw_metrics_only(struct canvas *c, struct rect a)
{
	static const char what[] = "Metrics reports of PyTorch/XLA, which hold no messages";
	static const char more[] =
	    "The PyTorch/XLA view (:view ptxla) and tpuscope report metrics show what is in "
	    "them. For errors, open what the job printed, too.";

	canvas_str(c, a.y, a.x + 1, a.w - 2, ROLE_BOLD, 0, what);
	card_text(c, a, a.y + 1, 0, ROLE_TEXT, more, sizeof more - 1);
}

static void draw_none(struct tri_view *s, struct canvas *c, struct rect a)
{
	static const char more[] =
	    "Checked for: out of memory in HBM, VMEM and SMEM, TPUs in use or not found, halted cores, "
	    "wrong flags, set-up and network errors. L or Enter opens the log, where 1 shows errors, and 2 "
	    "also warnings.";
	int y = a.y;

	canvas_fmt(c, y++, a.x + 1, a.w - 2, ROLE_GOOD, 0, "No error recognized in %zu file%s",
	    s->t->logs.nrows, s->t->logs.nrows == 1 ? "" : "s");
	if (a.h >= 10)
		y = card_text(c, a, y, 0, ROLE_TEXT, more, sizeof more - 1) + 1;
	draw_table(s, c, (struct rect){ y, a.x, a.y + a.h - y, a.w });
}

void triage_view_problem_draw(struct tri_view *s, struct canvas *c, struct rect a)
{
	if (s->n)
		draw_one(s, c, a);
	else if (!s->t->logs.nrows)
		draw_metrics_only(c, a);
	else
		draw_none(s, c, a);
}
