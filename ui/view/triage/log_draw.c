#include "config.h"
#include "view/triage/triage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "widget/card.h"

enum { NAME_MOST = 16, LINE_MOST = 64 << 10, LABEL_COLS = 9 };

static enum role severity_role(char severity)
{
	return severity == 'E' || severity == 'F' ? ROLE_BAD : severity == 'W' ? ROLE_WARN : ROLE_DIM;
}

static char severity_of(const struct tri_log *l, struct log_line at)
{
	return l->logs.texts[at.text].lines.severity[at.line];
}

/* Draws a line from the current horizontal scroll position, with hits marked. */
static void draw_text(const struct tri_log *l, struct canvas *c, int y, int x, int room, struct slice s,
    const struct regex *find, struct regex_scratch *scratch)
{
	size_t n = s.n < TRI_LINE_BYTES ? s.n : TRI_LINE_BYTES, from, to, skip = utf8_fit(s.s, n, l->shift);
	const char *p = s.s + skip;
	int at = x;

	n -= skip;
	if (!find || !regex_match(find, scratch, p, n, &from, &to) || to <= from)
		from = to = 0;
	at += canvas_start(c, y, at, x + room - at, ROLE_TEXT, 0, p, from);
	at += canvas_text(c, y, at, x + room - at, ROLE_HIT, 0, p + from, to - from);
	canvas_start(c, y, at, x + room - at, ROLE_TEXT, 0, p + to, n - to);
	if (at > x + room - 1 && to < n)
		canvas_glyph(c, y, x + room - 1, GLYPH_ELLIPSIS, ROLE_TEXT, 0);
	if (skip)
		canvas_glyph(c, y, x, GLYPH_ELLIPSIS, ROLE_TEXT, 0);
}

/* --- the scroll bar: where errors and warnings are --- */

static void find_worst(struct tri_log *l, int rows)
{
	l->worst = xrealloc(l->worst, (size_t)rows + 1, 1);
	l->worst_of = rows;
	memset(l->worst, ' ', (size_t)rows);
	for (size_t i = 0; i < l->list.n; i++) {
		char *worst = &l->worst[i * (size_t)rows / l->list.n],
		     is = severity_of(l, triage_view_log_row(l, i));

		if (triage_view_severity_rank(is) > triage_view_severity_rank(*worst))
			*worst = is;
	}
}

static void draw_scroll_bar(struct tri_log *l, struct canvas *c, struct rect a)
{
	size_t n = l->list.n, rows = (size_t)a.h;
	int x = a.x + a.w - 1;

	if (l->worst_of != a.h)
		find_worst(l, a.h);
	for (int y = 0; y < a.h; y++) {
		size_t from = (size_t)y * n / rows, to = ((size_t)y + 1) * n / rows;
		bool seen = from < l->list.top + rows && to > l->list.top;
		char worst = l->worst[y];

		if (triage_view_severity_rank(worst) >= triage_view_severity_rank('W'))
			canvas_put(c, a.y + y, x, (uint32_t)worst, severity_role(worst),
			    seen ? ATTR_BOLD : 0);
		else if (seen)
			canvas_glyph(c, a.y + y, x, GLYPH_VLINE, ROLE_TEXT, 0);
	}
}

/* --- rows --- */

static const char *level_text(const struct tri_log *l)
{
	return l->least == 'W' ? "warnings and errors" : l->least == 'E' ? "errors" : "all lines";
}

static int draw_title(const struct view *v, struct canvas *c, struct rect a)
{
	const struct tri_log *l = &((const struct tri_view *)v->state)->log;
	char all[48], what[256];
	int x;

	snprintf(all, sizeof all, "%zu logs, in order of time", l->logs.ntexts);
	x = a.x + 1 +
	    card_start(c, a.y, a.x + 1, a.w - 2, ROLE_HEAD, 0,
		l->file == TRI_MERGED ? all : v->cap->dump->files[l->file].base);
	snprintf(what, sizeof what, "%s%s%s%.200s", level_text(l), l->fold ? ", repeated ones folded" : "",
	    l->filter ? "   &" : "", l->filter ? regex_pattern(l->filter) : "");
	card_start(c, a.y, x + 2, a.x + a.w - 3 - x, ROLE_DIM, 0, what);
	return 1;
}

static int label_width(const struct tri_log *l)
{
	char number[24];
	int w = 0;

	if (l->file != TRI_MERGED)
		return snprintf(number, sizeof number, "%zu", l->logs.n);
	for (size_t i = 0; l->names && i < l->logs.ntexts; i++) {
		int cols = utf8_cols(l->names[i], strlen(l->names[i]));

		w = cols > w ? cols : w;
	}
	return w < NAME_MOST ? w : NAME_MOST;
}

/* The end of a long name tells more than its beginning: "…31-190654.2686214". */
static void draw_name(struct canvas *c, int y, int x, int room, const char *name)
{
	int cols = utf8_cols(name, strlen(name));

	if (cols > room) {
		name += utf8_fit(name, strlen(name), cols - room + 1);
		canvas_glyph(c, y, x++, GLYPH_ELLIPSIS, ROLE_DIM, 0);
		room--;
	}
	canvas_str(c, y, x, room, ROLE_DIM, 0, name);
}

static void draw_row(const struct tri_log *l, struct canvas *c, struct rect r, size_t row, int label,
    const struct regex *find, struct regex_scratch *scratch)
{
	struct log_line at = triage_view_log_row(l, row);
	char text[32], severity = severity_of(l, at);
	int x = r.x + 4 + label, room = r.w - 4 - label;
	uint32_t more = l->times ? l->times[row] : 0;

	if (l->file == TRI_MERGED) {
		draw_name(c, r.y, r.x + 1, label, l->names[at.text]);
	} else {
		snprintf(text, sizeof text, "%zu", at.line + 1);
		canvas_right(c, r.y, r.x + 1 + label, ROLE_DIM, 0, text);
	}
	canvas_put(c, r.y, r.x + 2 + label, (uint32_t)severity, severity_role(severity), ATTR_BOLD);
	if (more) {
		snprintf(text, sizeof text, "%" PRIu32 " more", more);
		canvas_right(c, r.y, r.x + r.w, ROLE_HEAD, 0, text);
		room -= (int)strlen(text) + 1;
	}
	draw_text(l, c, r.y, x, room, logs_bytes(&l->logs, at), find, scratch);
	if (row == l->list.at)
		canvas_role(c, (struct rect){ r.y, r.x, 1, r.w }, ROLE_SELECTED, 0);
}

void triage_view_log_draw(struct view *v, struct canvas *c, struct rect a)
{
	struct tri_view *s = v->state;
	struct tri_log *l = &s->log;
	struct regex_scratch *scratch = s->frame.find ? regex_scratch_new(s->frame.find) : NULL;
	int label = label_width(l), bar;

	if (a.h >= 4 && l->file != -1) {
		int used = draw_title(v, c, a);

		a.y += used;
		a.h -= used;
	}
	list_fit(&l->list, a.h);
	l->list.y = a.y;
	bar = !l->job && a.h > 0 && l->list.n > (size_t)a.h ? 2 : 0;
	if (l->job || !l->list.n)
		canvas_str(c, a.y, a.x + 1, a.w - 2, ROLE_DIM, 0,
		    l->job ? "reading the logs" : "no matching lines (3 shows all)");
	for (int y = 0; y < a.h && !l->job && l->list.top + (size_t)y < l->list.n; y++)
		draw_row(l, c, (struct rect){ a.y + y, a.x, 1, a.w - bar }, l->list.top + (size_t)y, label,
		    s->frame.find, scratch);
	if (bar)
		draw_scroll_bar(l, c, a);
	regex_scratch_free(scratch);
}

void triage_view_log_status(const struct view *v, char *left, size_t size)
{
	const struct tri_log *l = &((const struct tri_view *)v->state)->log;
	struct log_line at;
	const struct log_text *t;
	const char *base;

	if (!triage_view_log_line(l, &at))
		return;
	t = &l->logs.texts[at.text];
	base = strrchr(t->path, '/');
	if (l->file == TRI_MERGED)
		snprintf(left, size, "line %zu of %.60s%s", at.line + 1, base ? base + 1 : t->path,
		    l->shown ? "   filtered" : "");
	else
		snprintf(left, size, "line %zu of %zu%s", at.line + 1, t->lines.n,
		    l->shown ? "   filtered" : "");
}

/* --- a line in full --- */

static int draw_fact(struct canvas *c, struct rect r, int y, const char *label, struct slice text)
{
	if (!text.n)
		return y;
	if (y < r.y + r.h)
		canvas_str(c, y, r.x + 1, LABEL_COLS - 1, ROLE_DIM, 0, label);
	return card_text(c, r, y, LABEL_COLS, ROLE_TEXT, text.s, text.n);
}

/* What data/triage.tsv says of a line with a phrase that it knows. */
static int draw_known(struct canvas *c, struct rect r, int y, struct slice line)
{
	struct triage_known known;
	struct arena a = { 0 };

	if (triage_explain(&a, line, &known)) {
		y = draw_fact(c, r, y + 1, "means", slice_of(known.title));
		for (const char *p = known.advice, *end; *p && strcmp(known.advice, "-") != 0;
		     p = *end ? end + 3 : end) {
			end = strstr(p, " | ");
			end = end ? end : p + strlen(p);
			y = draw_fact(c, r, y, p == known.advice ? "to do" : "",
			    (struct slice){ p, (size_t)(end - p) });
		}
	}
	arena_free(&a);
	return y;
}

int triage_view_log_card(struct view *v, struct canvas *c, struct rect r)
{
	const struct tri_log *l = &((const struct tri_view *)v->state)->log;
	struct log_line at;
	struct slice line;
	char text[400];
	int y = r.y;

	if (!triage_view_log_line(l, &at))
		return y;
	line = logs_bytes(&l->logs, at);
	y = card_text(c, r, y, 0, ROLE_TEXT, line.s, line.n < LINE_MOST ? line.n : LINE_MOST) + 1;
	snprintf(text, sizeof text, "%.300s:%zu", l->logs.texts[at.text].path, at.line + 1);
	y = draw_fact(c, r, y, "file", slice_of(text));
	if (at.copies) {
		snprintf(text, sizeof text, "in %" PRIu32 " more of the files: the same record", at.copies);
		y = draw_fact(c, r, y, "also", slice_of(text));
	}
	if (l->times && l->times[l->list.at]) {
		snprintf(text, sizeof text, "%" PRIu32 " more times in a row, with other numbers at most",
		    l->times[l->list.at]);
		y = draw_fact(c, r, y, "repeated", slice_of(text));
	}
	return draw_known(c, r, y, line);
}
