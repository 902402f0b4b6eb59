#include "config.h"
#include "view/findings/findings.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/jump.h"
#include "widget/card.h"

enum { LABEL_COLS = 11 };

const char *findings_view_mark(enum severity s)
{
	static const char *const mark[] = { "!!", "! ", "· " };

	return mark[s];
}

enum role findings_view_role(enum severity s)
{
	static const enum role role[] = { ROLE_BAD, ROLE_WARN, ROLE_DIM };

	return role[s];
}

/* The part of the title before ": ", as in "Input bound: the cores wait for data". */
static int head_len(const char *title)
{
	const char *colon = strstr(title, ": ");

	return (int)(colon ? colon - title : (long)strlen(title));
}

/* Splits the next line of `detail`; returns the line after it, NULL at the end. */
static const char *next_detail(const char *s, char label[64], char value[256])
{
	size_t line = strcspn(s, "\n"), n = strcspn(s, "\t\n");

	snprintf(label, 64, "%.*s", (int)(n < 63 ? n : 63), s);
	*value = 0;
	if (n < line)
		snprintf(value, 256, "%.*s", (int)(line - n - 1 < 255 ? line - n - 1 : 255), s + n + 1);
	return s[line] ? s + line + 1 : NULL;
}

/* The value is right-aligned; on the next row if both do not fit on one. */
static int draw_details(const struct finding *f, struct canvas *c, struct rect r, int y)
{
	char label[64], value[256];
	int end = r.x + r.w - 1;

	for (const char *s = f->detail; s && *s;) {
		int need;

		s = next_detail(s, label, value);
		need = utf8_cols(label, strlen(label)) + utf8_cols(value, strlen(value)) + 2;
		canvas_str(c, y, r.x + 1, r.w - 2, ROLE_DIM, 0, label);
		if (need > r.w - 2) {
			y = card_text(c, r, y + 1, 2, ROLE_TEXT, value, strlen(value));
			continue;
		}
		canvas_right(c, y++, end, ROLE_TEXT, 0, value);
	}
	return y;
}

/* Numbered paragraphs. */
static int draw_advice(const struct finding *f, struct canvas *c, struct rect r, int y)
{
	const char *s = f->advice;

	for (int i = 1; *s; i++) {
		size_t n = strcspn(s, "\n");

		if (y < r.y + r.h)
			canvas_fmt(c, y, r.x + 1, 2, ROLE_TEXT, 0, "%d", i);
		y = card_text(c, r, y, 2, ROLE_TEXT, s, n);
		s += n + (s[n] == '\n');
	}
	return y;
}

static void opens_text(const struct finding *f, const struct dump *d, char *buf, size_t size)
{
	char view[40], what[96];

	jump_view(f->proof.evidence, view, sizeof view);
	proof_say(&f->proof, d, what, sizeof what);
	snprintf(buf, size, "opens %s%s%s", view, *what ? " at " : "", what);
}

/* Keeps the headings in place as far as the texts allow, so that moving through the findings changes
 * little. */
static int draw_beside(const struct finding *f, const struct dump *d, struct canvas *c, struct rect r)
{
	char text[160], cost[32];
	int y = r.y, x;
	struct rect room = { r.y, r.x, 2, r.w }; /* of the title */

	finding_cost(f, cost, sizeof cost);
	canvas_str(c, y, r.x + 1, 3, findings_view_role(f->severity), ATTR_BOLD,
	    findings_view_mark(f->severity));
	canvas_right(c, y, r.x + r.w - 1, ROLE_BOLD, ATTR_BOLD, cost);
	room.w -= utf8_cols(cost, strlen(cost)) + (*cost != 0);
	card_text(c, room, y, 3, ROLE_BOLD, f->title, (size_t)head_len(f->title));
	canvas_str(c, y + 2, r.x + 1, r.w - 2, ROLE_HEAD, 0, "EVIDENCE");
	y = card_text(c, r, y + 3, 0, ROLE_TEXT, f->evidence, strlen(f->evidence));
	y = draw_details(f, c, r, y) + 1;
	if (*f->advice) {
		canvas_str(c, y, r.x + 1, r.w - 2, ROLE_HEAD, 0, "WHAT TO DO");
		y = draw_advice(f, c, r, y + 1) + 1;
	}
	opens_text(f, d, text, sizeof text);
	x = canvas_str(c, y, r.x + 1, 6, ROLE_BOLD, ATTR_BOLD, "Enter") + 1;
	return card_text(c, r, y, x, ROLE_TEXT, text, strlen(text));
}

/* As many details as fit in one row of `cols` columns. */
static void numbers_row(const struct finding *f, int cols, char *buf, size_t size)
{
	char label[64], value[256], part[340];

	*buf = 0;
	for (const char *s = f->detail; s && *s;) {
		size_t n = strlen(buf), more;

		s = next_detail(s, label, value);
		more = (size_t)snprintf(part, sizeof part, "%s%s %s", n ? "   " : "", label, value);
		if (more < sizeof part && n + more < size &&
		    utf8_cols(buf, n) + utf8_cols(part, strlen(part)) <= cols)
			memcpy(buf + n, part, more + 1);
	}
}

/* Draws a paragraph after its label. */
static int draw_paragraph(struct canvas *c, struct rect r, int y, const char *label, const char *s,
    size_t len)
{
	card_pair(c, r, y, LABEL_COLS, label, "");
	return card_text(c, r, y, LABEL_COLS, ROLE_TEXT, s, len);
}

/* Rows of label and text. */
static void draw_below(const struct finding *f, struct canvas *c, struct rect r)
{
	char title[256], cost[32], label[64], numbers[340];
	int y = r.y, end = r.y + r.h;
	const char *s;

	finding_cost(f, cost, sizeof cost);
	snprintf(title, sizeof title, "%s %.*s", findings_view_mark(f->severity), head_len(f->title),
	    f->title);
	y = card_rule(c, r, y, title, cost);
	numbers_row(f, r.w - 2 - LABEL_COLS, numbers, sizeof numbers);
	r.h -= *numbers != 0;
	y = draw_paragraph(c, r, y, "evidence", f->evidence, strlen(f->evidence));
	s = f->advice;
	for (int i = 1; *s && i <= 3 && y < r.y + r.h; i++) {
		size_t n = strcspn(s, "\n");

		snprintf(label, sizeof label, "do %d", i);
		y = draw_paragraph(c, r, y, label, s, n);
		s += n + (s[n] == '\n');
	}
	if (*numbers)
		card_pair(c, (struct rect){ r.y, r.x, end - r.y, r.w }, y < end ? y : end - 1, LABEL_COLS,
		    "numbers", numbers);
}

int findings_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct findings_view *f = v->state;
	const struct finding *one = findings_view_here(f);

	if (f->set && (f->checks || !one) && how != FRAME_BELOW)
		return findings_view_checks_card(f->set, c, r);
	if (!one)
		return r.y;
	if (how != FRAME_BELOW)
		return draw_beside(one, v->cap->dump, c, r);
	draw_below(one, c, r);
	return r.y;
}

/* The text for the clipboard. */
void findings_view_text(const struct finding *f, FILE *out)
{
	char cost[32], label[64], value[256];
	const char *s;

	finding_cost(f, cost, sizeof cost);
	fprintf(out, "%s%s%s  (%s)\n%s\n", f->title, *cost ? "  " : "", cost, severity_name(f->severity),
	    f->evidence);
	for (s = f->detail; s && *s;) {
		s = next_detail(s, label, value);
		fprintf(out, "%s: %s\n", label, value);
	}
	s = f->advice;
	for (int i = 1; *s; i++) {
		size_t n = strcspn(s, "\n");

		fprintf(out, "%d. %.*s\n", i, (int)n, s);
		s += n + (s[n] == '\n');
	}
}
