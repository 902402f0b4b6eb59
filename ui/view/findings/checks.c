#include "config.h"
#include "view/findings/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "widget/card.h"

enum { LABEL_COLS = 24, SIGN_COLS = 2 };

/* The checks that are not possible for the reason of this one, in one row.  Caller frees; NULL: it needs none. */
static char *checks_of_reason(const struct findings *s, size_t i)
{
	return s->check[i].state == CHECK_UNKNOWN ? findings_unknown(s, i) : NULL;
}

/* Rows of what is not known, and of hints. */
static int rest_rows(const struct findings *s)
{
	int rows = (int)s->count[CHECK_HINT];

	for (size_t i = 0; i < s->nchecks; i++) {
		char *labels = checks_of_reason(s, i);

		rows += labels != NULL;
		free(labels);
	}
	return rows;
}

static int passed_rows(const struct findings *s)
{
	return (int)((s->count[CHECK_PASSED] + 1) / 2);
}

int findings_view_check_rows(const struct findings *s)
{
	return (s->nchecks > s->count[CHECK_FOUND]) + passed_rows(s) + rest_rows(s);
}

static void draw_rule(struct canvas *c, struct rect a, int y, const char *text)
{
	int x = a.x + 1 + canvas_str(c, y, a.x + 1, a.w - 2, ROLE_DIM, 0, text) + 1;

	for (; x < a.x + a.w; x++)
		canvas_glyph(c, y, x, GLYPH_HLINE, ROLE_LINE, 0);
}

/* Two entries side by side where there is room; returns the row below. */
static int draw_passed(const struct findings *s, struct canvas *c, struct rect a, int y, int end)
{
	int columns = a.w >= 76 ? 2 : 1, w = (a.w - 1) / columns, n = 0;

	for (size_t i = 0; i < s->nchecks && y + n / columns < end; i++) {
		const struct finding_check *k = &s->check[i];
		int row = y + n / columns, x = a.x + 1 + n % columns * w, room = w - 1, used;

		if (k->state != CHECK_PASSED)
			continue;
		used = canvas_str(c, row, x, room, ROLE_DIM, 0, k->label) + 2;
		card_start(c, row, x + used, room - used, ROLE_TEXT, 0, k->text);
		n++;
	}
	return y + (n + columns - 1) / columns;
}

/* A row for each reason, then what it concerns; or for each hint. */
static int draw_rest(const struct findings *s, struct canvas *c, struct rect a, int y, enum check_state state)
{
	int x = a.x + 1 + SIGN_COLS, w = a.w - 2 - SIGN_COLS;

	for (size_t i = 0; i < s->nchecks; i++) {
		char *labels = checks_of_reason(s, i);
		int used;

		if (s->check[i].state == state && (labels || state != CHECK_UNKNOWN)) {
			canvas_put(c, y, a.x + 1, state == CHECK_UNKNOWN ? '?' : 'i', ROLE_DIM, 0);
			used = card_start(c, y, x, w, ROLE_TEXT, 0, s->check[i].text) + 3;
			if (labels && used < w)
				card_start(c, y, x + used, w - used, ROLE_DIM, 0, labels);
			y++;
		}
		free(labels);
	}
	return y;
}

void findings_view_checks(const struct findings *s, struct canvas *c, struct rect a)
{
	struct rect old = canvas_clip(c, a);
	int y = a.y, rest = rest_rows(s), most = a.h / 2;
	char counts[96];

	if (*findings_counts(s, counts, sizeof counts))
		draw_rule(c, a, y++, counts);
	/* unknown checks keep their rows even if those that passed need more than there are */
	y = draw_passed(s, c, a, y, a.y + a.h - (rest < most ? rest : most));
	y = draw_rest(s, c, a, y, CHECK_UNKNOWN);
	draw_rest(s, c, a, y, CHECK_HINT);
	canvas_clip(c, old);
}

/* --- the card --- */

static int card_section(const struct findings *s, struct canvas *c, struct rect r, int y,
    enum check_state state)
{
	char head[48];

	if (!s->count[state])
		return y;
	snprintf(head, sizeof head, "%zu %s", s->count[state], check_name(state));
	canvas_str(c, y++, r.x + 1, r.w - 2, ROLE_HEAD, 0, head);
	for (size_t i = 0; i < s->nchecks; i++) {
		const struct finding_check *k = &s->check[i];
		bool beside = r.w > 2 * LABEL_COLS;
		char *labels;

		if (k->state != state)
			continue;
		if (state == CHECK_UNKNOWN) {
			if (!(labels = findings_unknown(s, i)))
				continue;
			y = card_text(c, r, y, 0, ROLE_TEXT, k->text, strlen(k->text));
			y = card_text(c, r, y, 2, ROLE_DIM, labels, strlen(labels));
			free(labels);
			continue;
		}
		canvas_str(c, y, r.x + 1, beside ? LABEL_COLS - 1 : r.w - 2, ROLE_DIM, 0, k->label);
		y = card_text(c, r, y + !beside, beside ? LABEL_COLS : 2, ROLE_TEXT, k->text,
		    strlen(k->text));
	}
	return y + 1;
}

int findings_view_checks_card(const struct findings *s, struct canvas *c, struct rect r)
{
	static const enum check_state order[] = { CHECK_UNKNOWN, CHECK_HINT, CHECK_PASSED, CHECK_FOUND };
	int y = r.y;

	canvas_str(c, y, r.x + 1, r.w - 2, ROLE_BOLD, ATTR_BOLD, "What was checked");
	y += 2;
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		y = card_section(s, c, r, y, order[i]);
	return y;
}
