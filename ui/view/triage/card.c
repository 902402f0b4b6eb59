#include "config.h"
#include "view/triage/triage.h"

#include <stdio.h>
#include <string.h>

#include "core/app.h"
#include "model/hlo.h"
#include "widget/card.h"

enum { LABEL_COLS = 13, LINE_MOST = 64 << 10, BESIDE_MOST = 3 };

/* the module of the problem is in the dump */
static bool triage_view_has_module(const struct view *v)
{
	const struct tri_view *s = v->state;

	return *s->module && hlo_module_find(v->app->cap->dump, s->module) >= 0;
}

static bool is_compiler_oom(const struct tri_view *s)
{
	const struct table *e = &s->t->errors;
	size_t error = s->n ? s->order[s->at] : 0;

	return s->n && *triage_view_str(e, error, "space") &&
	    strstr(triage_view_str(e, error, "kind"), "_oom");
}

static int draw_numbered(const struct tri_texts *t, size_t most, struct canvas *c, struct rect r, int y)
{
	for (size_t i = 0; i < t->n && i < most; i++) {
		if (y < r.y + r.h)
			canvas_fmt(c, y, r.x + 1, 3, ROLE_BOLD, 0, "%zu", i + 1);
		y = card_text(c, r, y, i < 9 ? 2 : 3, ROLE_TEXT, t->s[i], strlen(t->s[i]));
	}
	return y;
}

static int draw_not(const struct tri_texts *t, struct canvas *c, struct rect r, int y)
{
	for (size_t i = 0; i < t->n; i++) {
		if (y < r.y + r.h)
			canvas_glyph(c, y, r.x + 1, GLYPH_TIMES, ROLE_DIM, 0);
		y = card_text(c, r, y, 2, ROLE_DIM, t->s[i], strlen(t->s[i]));
	}
	return y;
}

static void confirm_text(const struct view *v, char *buf, size_t size)
{
	const struct tri_view *s = v->state;

	*buf = 0;
	if (triage_view_has_module(v))
		snprintf(buf, size, "B shows %.60s in 6 Memory", s->module);
	else if (is_compiler_oom(s))
		snprintf(buf, size, "--xla_dump_to=DIR, open it, then 6 Memory");
}

/* `most` causes at most, so that advice stays visible. */
static int draw_card(struct view *v, size_t most, struct canvas *c, struct rect r)
{
	const struct tri_view *s = v->state;
	int y = r.y;

	if (s->why.n) {
		canvas_str(c, y++, r.x + 1, r.w - 2, ROLE_HEAD, 0, "WHY");
		y = draw_numbered(&s->why, most, c, r, y) + 1;
	}
	if (s->not .n)
		y = draw_not(&s->not, c, r, y) + 1;
	if (s->todo.n) {
		int used = canvas_str(c, y, r.x + 1, r.w - 2, ROLE_HEAD, 0, "WHAT TO DO") + 1;

		canvas_str(c, y++, r.x + 1 + used, r.w - 2 - used, ROLE_DIM, 0, "most likely first");
		y = draw_numbered(&s->todo, SIZE_MAX, c, r, y) + 1;
	}
	return y;
}

static int draw_confirm(const char *text, struct canvas *c, struct rect r, int y)
{
	canvas_str(c, y, r.x + 1, 8, ROLE_DIM, 0, "Confirm");
	return card_text(c, r, y, 9, ROLE_TEXT, text, strlen(text));
}

/* What does not fit is on the page that `d` opens. */
static void card_beside(struct view *v, struct canvas *c, struct rect r)
{
	struct rect old, top = r;
	char confirm[160];
	int y;

	confirm_text(v, confirm, sizeof confirm);
	if (*confirm && r.h > 16)
		top.h -= 1 + card_text_rows(r.w - 11, confirm, strlen(confirm));
	old = canvas_clip(c, top);
	y = draw_card(v, BESIDE_MOST, c, top);
	if (y > top.y + top.h + 1 || ((const struct tri_view *)v->state)->why.n > BESIDE_MOST) {
		y = top.y + top.h;
		canvas_fill(c, (struct rect){ y - 1, r.x, 1, r.w }, ' ', ROLE_TEXT, 0);
		canvas_str(c, y - 1, r.x + 1, r.w - 2, ROLE_DIM, 0, "d shows the rest");
		y++;
	}
	canvas_clip(c, r);
	if (*confirm && r.h > 16)
		draw_confirm(confirm, c, r, y);
	canvas_clip(c, old);
}

static int draw_labeled(struct canvas *c, struct rect r, int y, const char *label, const char *text)
{
	if (y < r.y + r.h)
		canvas_str(c, y, r.x + 1, LABEL_COLS - 1, ROLE_DIM, 0, label);
	return card_text(c, r, y, LABEL_COLS, ROLE_TEXT, text, strlen(text));
}

/* The first cause in full, what is ruled out, then as much advice as fits. */
static void card_below(struct view *v, struct canvas *c, struct rect r)
{
	const struct tri_view *s = v->state;
	struct rect old = canvas_clip(c, r);
	char confirm[160], label[32];
	int y = card_rule(c, r, r.y, "why, and what to do", "d all");

	if (s->why.n)
		y = draw_labeled(c, r, y, "why", s->why.s[0]);
	if (s->not .n && r.h > 6)
		y = draw_labeled(c, r, y, "ruled out", s->not .s[0]);
	for (size_t i = 0; i < s->todo.n && y < r.y + r.h; i++) {
		snprintf(label, sizeof label, "do %zu", i + 1);
		y = draw_labeled(c, r, y, label, s->todo.s[i]);
	}
	confirm_text(v, confirm, sizeof confirm);
	if (*confirm && y < r.y + r.h)
		draw_labeled(c, r, y, "confirm", confirm);
	canvas_clip(c, old);
}

/* --- in full --- */

static int draw_buffer(const struct tri_view *s, struct canvas *c, struct rect r)
{
	const struct table *from = &s->table;
	size_t row = sheet_row(&s->sheet[s->reported]),
	       n = s->reported ? from->ncolumns : TRIAGE_BUFFERS_share;
	int y = r.y;

	for (size_t i = 0; row != SIZE_MAX && i < n; i++) {
		const struct cell *cell = table_at(from, row, i);
		char number[48];

		if (!strcmp(from->columns[i].id, "error") || cell->type == CELL_NULL)
			continue;
		if (y < r.y + r.h)
			canvas_str(c, y, r.x + 1, LABEL_COLS - 1, ROLE_DIM, 0, from->columns[i].label);
		if (cell->type == CELL_STR) {
			y = card_text(c, r, y, LABEL_COLS, ROLE_TEXT, cell->s, cell->n);
			continue;
		}
		if (cell->type == CELL_INT)
			snprintf(number, sizeof number, "%lld%s%s", (long long)cell->u.i,
			    *from->columns[i].unit ? " " : "", from->columns[i].unit);
		else
			snprintf(number, sizeof number, "%.2f", cell->u.d);
		y = card_text(c, r, y, LABEL_COLS, ROLE_TEXT, number, strlen(number));
	}
	return y;
}

static int draw_advice(struct view *v, struct canvas *c, struct rect r)
{
	const struct tri_view *s = v->state;
	char confirm[160];

	canvas_str(c, r.y, r.x + 1, r.w - 2, ROLE_BAD, ATTR_BOLD, s->title);
	r.y += 2;
	r.y = draw_card(v, SIZE_MAX, c, r);
	confirm_text(v, confirm, sizeof confirm);
	return *confirm ? draw_confirm(confirm, c, r, r.y) : r.y;
}

int triage_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct tri_view *s = v->state;

	if (how != FRAME_FULL) {
		(how == FRAME_BESIDE ? card_beside : card_below)(v, c, r);
		return r.y;
	}
	return s->page == TRI_ADVICE ? draw_advice(v, c, r)
	    : s->page == TRI_BUFFER  ? draw_buffer(s, c, r)
				     : triage_view_log_card(v, c, r);
}

static void put_texts(FILE *out, const char *head, const struct tri_texts *t)
{
	if (t->n)
		fprintf(out, "%s\n", head);
	for (size_t i = 0; i < t->n; i++)
		fprintf(out, "%zu. %s\n", i + 1, t->s[i]);
}

void triage_view_text(struct view *v, FILE *out)
{
	const struct tri_view *s = v->state;
	const struct table *e = &s->t->errors;
	struct log_line at;
	size_t error;

	if ((s->page == TRI_LOG || s->page == TRI_LINE) && triage_view_log_line(&s->log, &at)) {
		struct slice line = logs_bytes(&s->log.logs, at);

		fprintf(out, "%.*s\n", (int)(line.n < LINE_MOST ? line.n : LINE_MOST), line.s);
		return;
	}
	if (!s->n)
		return;
	error = s->order[s->at];
	fprintf(out, "%s\n%s%s%s:%.0f\n", s->title, s->facts, *s->facts ? "\n" : "",
	    triage_view_str(e, error, "file"), triage_view_num(e, error, "line"));
	put_texts(out, "Why:", &s->why);
	put_texts(out, "Ruled out:", &s->not );
	put_texts(out, "What to do:", &s->todo);
	fprintf(out, "%s\n", triage_view_str(e, error, "message"));
}
