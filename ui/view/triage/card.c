#include "config.h"
#include "view/triage/triage.h"

#include <stdio.h>
#include <string.h>

#include "core/app.h"
#include "model/hlo.h"
#include "widget/fields.h"

enum { LABEL_COLS = 13, CONFIRM_COLS = 9, LINE_MOST = 64 << 10, BESIDE_MOST = 3 };

/* the module of the problem is in the dump */
static bool triage_view_has_module(const struct view *v)
{
	const struct tri_view *s = v->state;

	return *s->module && hlo_module_find(v->cap->dump, s->module) >= 0;
}

static bool is_compiler_oom(const struct tri_view *s)
{
	const struct table *e = &s->t->errors;
	size_t error = s->n ? s->order[s->at] : 0;

	return s->n && *triage_view_str(e, error, TRIAGE_ERRORS_space) &&
	    strstr(triage_view_str(e, error, TRIAGE_ERRORS_kind), "_oom");
}

static void put_numbered(struct pen *p, const struct tri_texts *t, size_t most)
{
	for (size_t i = 0; i < t->n && i < most; i++) {
		if (pen_fits(p))
			canvas_fmt(p->c, p->y, p->r.x + 1, 3, ROLE_BOLD, 0, "%zu", i + 1);
		pen_text(p, i < 9 ? 2 : 3, ROLE_TEXT, slice_of(t->s[i]), 0);
	}
	p->y++;
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
static void put_advice(struct pen *p, const struct tri_view *s, size_t most)
{
	if (s->why.n) {
		pen_head(p, "WHY", "");
		put_numbered(p, &s->why, most);
	}
	for (size_t i = 0; i < s->not .n; i++) {
		if (pen_fits(p))
			canvas_glyph(p->c, p->y, p->r.x + 1, GLYPH_TIMES, ROLE_DIM, 0);
		pen_text(p, 2, ROLE_DIM, slice_of(s->not .s[i]), 0);
	}
	p->y += s->not .n > 0;
	if (s->todo.n) {
		pen_head(p, "WHAT TO DO", "most likely first");
		put_numbered(p, &s->todo, SIZE_MAX);
	}
}

static void put_confirm(struct pen *p, const char *text)
{
	p->label = CONFIRM_COLS;
	pen_field(p, "Confirm", ROLE_TEXT, text);
}

/* What does not fit is on the page that `d` opens. */
static void card_beside(struct view *v, struct canvas *c, struct rect r)
{
	const struct tri_view *s = v->state;
	struct pen p = { .c = c, .r = r, .y = r.y };
	struct rect old;
	char confirm[160];
	bool confirms;

	confirm_text(v, confirm, sizeof confirm);
	confirms = *confirm && r.h > 16;
	if (confirms)
		p.r.h -= 1 + card_text_rows(r.w - 11, confirm, strlen(confirm));
	old = canvas_clip(c, p.r);
	put_advice(&p, s, BESIDE_MOST);
	if (p.y > p.r.y + p.r.h + 1 || s->why.n > BESIDE_MOST) {
		p.y = p.r.y + p.r.h - 1;
		canvas_fill(c, (struct rect){ p.y, r.x, 1, r.w }, ' ', ROLE_TEXT, 0);
		pen_fmt(&p, ROLE_DIM, "d shows the rest");
		p.y++;
	}
	canvas_clip(c, r);
	p.r = r;
	if (confirms)
		put_confirm(&p, confirm);
	canvas_clip(c, old);
}

/* The first cause in full, what is ruled out, then as much advice as fits. */
static void card_below(struct view *v, struct canvas *c, struct rect r)
{
	const struct tri_view *s = v->state;
	struct rect old = canvas_clip(c, r);
	struct pen p = { .c = c, .r = r, .label = LABEL_COLS };
	char confirm[160], label[32];

	p.y = card_rule(c, r, r.y, "why, and what to do", "d all");
	if (s->why.n)
		pen_field(&p, "why", ROLE_TEXT, s->why.s[0]);
	if (s->not .n && r.h > 6)
		pen_field(&p, "ruled out", ROLE_TEXT, s->not .s[0]);
	for (size_t i = 0; i < s->todo.n && pen_fits(&p); i++) {
		snprintf(label, sizeof label, "do %zu", i + 1);
		pen_field(&p, label, ROLE_TEXT, s->todo.s[i]);
	}
	confirm_text(v, confirm, sizeof confirm);
	if (*confirm && pen_fits(&p))
		pen_field(&p, "confirm", ROLE_TEXT, confirm);
	canvas_clip(c, old);
}

/* --- in full --- */

int triage_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct tri_view *s = v->state;
	struct pen p = { .c = c, .r = r, .y = r.y };
	char confirm[160];

	if (how != FRAME_FULL) {
		(how == FRAME_BESIDE ? card_beside : card_below)(v, c, r);
		return r.y;
	}
	if (s->page != TRI_ADVICE && s->page != TRI_BUFFER)
		return triage_view_log_card(v, c, r);
	if (s->page == TRI_BUFFER) {
		p.label = LABEL_COLS;
		if (sheet_row(&s->sheet[s->reported]) != SIZE_MAX)
			pen_row(&p, &s->table, sheet_row(&s->sheet[s->reported]),
			    s->reported ? "!error" : "!error share cumulative_bytes dimensions op", true);
		return p.y;
	}
	canvas_str(c, r.y, r.x + 1, r.w - 2, ROLE_BAD, ATTR_BOLD, s->title);
	p.y += 2;
	put_advice(&p, s, SIZE_MAX);
	confirm_text(v, confirm, sizeof confirm);
	if (*confirm)
		put_confirm(&p, confirm);
	return p.y;
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
	    triage_view_str(e, error, TRIAGE_ERRORS_file), table_num(e, error, TRIAGE_ERRORS_line));
	put_texts(out, "Why:", &s->why);
	put_texts(out, "Ruled out:", &s->not );
	put_texts(out, "What to do:", &s->todo);
	fprintf(out, "%s\n", triage_view_str(e, error, TRIAGE_ERRORS_message));
}
