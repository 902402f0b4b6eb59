#include "config.h"
#include "view/ops/profile_card.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "widget/bar.h"
#include "widget/card.h"
#include "widget/text.h"

enum { VALUE_END = 20, LINE_END = 34, BAR_AT = 6, BAR = 7, FIT_BAR = 5, FROM_AT = 24, HLO_AT = 30 };

static int draw_text(struct canvas *c, struct rect r, int y, const struct card_line *l, int most)
{
	size_t len = strlen(l->text);
	int rows = card_text_rows(r.w - 2, l->text, len);
	struct rect room = r;

	if (rows <= most)
		return card_text(c, r, y, 0, l->role, l->text, len);
	rows = most;
	if (y + rows < r.y + r.h)
		room.h = y + rows - r.y;
	card_text(c, room, y, 0, l->role, l->text, len);
	return y + rows;
}

static void draw_pair(struct canvas *c, struct rect r, int y, const struct card_line *l)
{
	int x = r.x + 1;

	if (l->kind == LINE_HEAD) {
		x += canvas_str(c, y, x, LINE_END, ROLE_HEAD, ATTR_BOLD, l->label) + 1;
		canvas_str(c, y, x, r.x + LINE_END - x, ROLE_DIM, 0, l->value);
		return;
	}
	if (l->kind == LINE_FIT) {
		canvas_cut(c, y, x, LINE_END - FIT_BAR - 3 - utf8_cols(l->value, strlen(l->value)), ROLE_DIM,
		    0, l->label, strlen(l->label));
		canvas_right(c, y, x + LINE_END - FIT_BAR - 2, l->role == ROLE_BAD ? ROLE_BAD : ROLE_TEXT,
		    l->role == ROLE_BAD ? ATTR_BOLD : 0, l->value);
		bar_draw(c, y, x + LINE_END - FIT_BAR, FIT_BAR, l->bar, l->role);
		return;
	}
	canvas_str(c, y, x, LINE_END - 6,
	    *l->label && (*l->value || l->role == ROLE_TEXT) ? ROLE_DIM : ROLE_TEXT, 0, l->label);
	if (l->kind == LINE_BAR)
		bar_draw(c, y, x + BAR_AT, BAR, l->bar, l->role);
	canvas_right(c, y, x + VALUE_END, ROLE_TEXT, 0, l->value);
	canvas_right(c, y, x + LINE_END, l->kind == LINE_PAIR ? l->role : ROLE_TEXT, 0, l->right);
}

/* Fixed rows for the headings where there is room, so that moving from op to op changes little. */
static int head_row(struct rect r, int y, const char *head)
{
	int row = !strcmp(head, "FROM") ? FROM_AT : !strcmp(head, "HLO") ? HLO_AT : 0;

	return r.w < 60 && r.h >= HLO_AT + 1 + HLO_ROWS && y < r.y + row ? r.y + row : y;
}

/* Rows of a text in the small card: nothing follows the last one, so it may fill the card. */
static int rows_of(const struct ops_card *k, const struct card_line *l, int left)
{
	for (const struct card_line *next = l + 1; next < k->line + k->n; next++)
		if (!next->full && next->kind != LINE_BLANK)
			return l->rows;
	return left > l->rows ? left : l->rows;
}

static int draw_body(struct canvas *c, struct rect r, int y, const struct ops_card *k, bool full)
{
	for (size_t i = 0; i < k->n && (full || y < r.y + r.h); i++) {
		const struct card_line *l = &k->line[i];

		if (l->full && !full)
			continue;
		if (l->kind == LINE_HEAD && !full)
			y = head_row(r, y, l->label);
		if (l->text)
			y = draw_text(c, r, y, l, full ? INT_MAX : rows_of(k, l, r.y + r.h - y));
		else if (l->kind == LINE_BLANK)
			y++;
		else
			draw_pair(c, r, y++, l);
	}
	return y;
}

static void draw_tall(const struct ops_card *k, struct canvas *c, struct rect r)
{
	canvas_cut(c, r.y, r.x + 1, r.w - 2, ROLE_HEAD, ATTR_BOLD, k->name, strlen(k->name));
	canvas_cut(c, r.y + 1, r.x + 1, r.w - 2, ROLE_TEXT, 0, k->gloss, strlen(k->gloss));
	draw_body(c, r, r.y + 3, k, false);
}

/* The card below the lines has few but wide rows; values that are bars elsewhere are numbers here. */
static const struct card_line *line_of(const struct ops_card *k, const char *label)
{
	for (size_t i = 0; i < k->n; i++)
		if (!strcmp(k->line[i].label, label))
			return &k->line[i];
	return NULL;
}

static int draw_field(struct canvas *c, int y, int x, const char *label, int w, const char *value)
{
	canvas_str(c, y, x, 10, ROLE_DIM, 0, label);
	canvas_right(c, y, x + w, ROLE_TEXT, 0, value);
	return x + w + 3;
}

static int wide_fits(struct canvas *c, struct rect r, int y, const struct ops_card *k)
{
	int x = 0, first = y, end = r.y + r.h - (line_of(k, "FROM") ? 2 : 0); /* its path and source line */

	for (size_t i = 0; i < k->n; i++) {
		const struct card_line *l = &k->line[i];

		if (l->full)
			break;
		if (l->kind == LINE_PAIR && *l->label && !*l->value && l->role != ROLE_TEXT) {
			if (y - first == FITS || (y >= end && y > first))
				break;
			x = r.x + 1 + 26;
			canvas_str(c, y, r.x + 1, 24, ROLE_TEXT, 0, l->label);
			canvas_right(c, y, r.x + r.w - 1, l->role, 0, l->right);
			canvas_str(c, y++, r.x + r.w - 12, 3, ROLE_DIM, 0, "fit");
		} else if (l->kind == LINE_FIT && x && x + (int)strlen(l->value) < r.x + r.w - 12) {
			x += canvas_str(c, y - 1, x, 24, l->role == ROLE_BAD ? ROLE_BAD : ROLE_TEXT,
				 l->role == ROLE_BAD ? ATTR_BOLD : 0, l->value) +
			    2;
		}
	}
	return y;
}

static void wide_texts(struct canvas *c, struct rect r, int y, const struct ops_card *k)
{
	const char *head = "";

	for (size_t i = 0; i < k->n && y < r.y + r.h; i++) {
		const struct card_line *l = &k->line[i];
		struct rect in = { r.y, r.x + 6, r.h, r.w - 6 };

		if (l->kind == LINE_HEAD)
			head = !strcmp(l->label, "FROM") ? "from" : "HLO";
		if (!l->text || l->full)
			continue;
		if (l->kind == LINE_NOTE) {
			y = draw_text(c, r, y, l, l->rows);
			continue;
		}
		canvas_str(c, y, r.x + 1, 5, ROLE_DIM, 0, head);
		if (y + 2 == r.y + r.h && l + 1 < k->line + k->n && l[1].text &&
		    !l[1].full) /* the source line */
			card_tail(c, y++, in.x + 1, in.w - 2, l->role, l->text, strlen(l->text));
		else
			y = draw_text(c, in, y, l, rows_of(k, l, r.y + r.h - y));
		head = "";
	}
}

static void draw_wide(const struct ops_card *k, struct canvas *c, struct rect r)
{
	const struct card_line *time = line_of(k, "time"), *runs = line_of(k, "runs"),
			       *wasted = line_of(k, "wasted"), *flops = line_of(k, "FLOPS"),
			       *hbm = line_of(k, "HBM") ? line_of(k, "HBM") : line_of(k, "memory"),
			       *bound = line_of(k, "bound by");
	bool roomy = r.w >= 76;
	int y = r.y, x = r.x + 1;
	char text[128];

	y = card_rule(c, r, y, k->name, k->gloss);
	if (time) {
		x = draw_field(c, y, x, "time", 16, time->value);
		x = draw_field(c, y, x, "runs", 28, runs->right);
		if (roomy)
			draw_field(c, y, x, "wasted", 15, wasted->right);
		y++;
	}
	if (flops) {
		snprintf(text, sizeof text, "%s  %13s", flops->value, flops->right);
		x = draw_field(c, y, r.x + 1, "FLOPS", 28, text);
		snprintf(text, sizeof text, "%s  %11s", hbm->value, hbm->right);
		x = draw_field(c, y, x, hbm->label, 24, text);
		if (roomy)
			draw_field(c, y, x, "bound by", 17, bound->right);
		y++;
	}
	if (time && !roomy) {
		x = draw_field(c, y, r.x + 1, "wasted", 16, wasted->right);
		if (bound)
			draw_field(c, y, x, "bound by", 17, bound->right);
		y++;
	}
	y = wide_fits(c, r, y, k);
	wide_texts(c, r, y, k);
}

int ops_view_card_draw(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	struct ops_card k;
	int y = r.y;

	ops_view_card_make(v, &k);
	if (!k.r)
		return y;
	if (how == FRAME_FULL)
		y = draw_body(c, r, r.y, &k, true);
	else if (how == FRAME_BESIDE)
		draw_tall(&k, c, r);
	else
		draw_wide(&k, c, r);
	ops_view_card_free(&k);
	return y;
}

void ops_view_card_title(struct view *v, char *title, char *right, size_t size)
{
	struct ops_card k;

	ops_view_card_make(v, &k);
	snprintf(title, size, "%s", k.name);
	snprintf(right, size, "%s", k.gloss);
	ops_view_card_free(&k);
}
