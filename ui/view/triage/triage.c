#include "config.h"
#include "view/triage/triage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "core/results.h"
#include "view/frames.h"

enum { AIRY = 30 };

struct sheet *triage_view_buffers(struct tri_view *s)
{
	return &s->sheet[s->reported];
}

struct sheet *triage_view_sheet(struct tri_view *s)
{
	return s->table.nrows ? triage_view_buffers(s) : &s->logs;
}

/* The worst first; those that are as bad stay in the order of the text. */
static void sort_problems(struct tri_view *s)
{
	const struct table *e = &s->t->errors;

	free(s->order);
	s->order = xcalloc(e->nrows + 1, sizeof *s->order);
	s->n = s->at = 0;
	for (int rank = 0; rank < TRIAGE_RANKS; rank++)
		for (size_t i = 0; i < e->nrows; i++)
			if (triage_rank(s->t, i) == rank)
				s->order[s->n++] = i;
}

/* The error that a jump named. */
static bool go_to_error(struct view *v)
{
	struct tri_view *s = v->state;
	size_t at = 0;

	while (at < s->n && s->order[at] + 1 != s->go)
		at++;
	s->go = 0;
	if (at == s->n)
		return false;
	s->at = at;
	triage_view_problem_make(v);
	return true;
}

static void triage_take(struct view *v)
{
	struct tri_view *s = v->state;

	s->t = result_get(v->app, RESULT_TRIAGE);
	sort_problems(s);
	sheet_set(&s->logs, &s->t->logs);
	triage_view_problem_make(v);
	triage_view_return(v);
	if (s->go)
		go_to_error(v);
}

static void triage_drop(struct view *v)
{
	struct tri_view *s = v->state;

	triage_view_problem_free(s);
	sheet_set(&s->logs, NULL);
	s->t = NULL;
	s->n = 0;
}

void triage_view_show_page(struct view *v, enum tri_page page)
{
	struct tri_view *s = v->state;

	s->page = page;
	if (page == TRI_BUFFER || page == TRI_ADVICE || page == TRI_LINE)
		frame_open_card(v);
	else
		frame_close_card(v);
}

/* --- life --- */

static int open_view(struct view *v)
{
	struct tri_view *s = v->state;

	s->log.file = -1;
	s->log.above = -1;
	sheet_open(&s->sheet[0], &triage_buffers_schema, NULL, NULL);
	sheet_open(&s->sheet[1], &triage_report_schema, NULL, NULL);
	sheet_open(&s->logs, &triage_logs_schema, NULL, NULL);
	s->sheet[0].all = s->sheet[1].all = s->logs.all = true;
	s->sheet[0].role = triage_view_cell_role;
	s->sheet[0].ctx = s;
	return 0;
}

static void close_view(struct view *v)
{
	struct tri_view *s = v->state;

	triage_view_log_close(v);
	frame_close(v);
	for (int i = 0; i < 2; i++)
		sheet_free(&s->sheet[i]);
	sheet_free(&s->logs);
	free(s->order);
	kv_free(&s->want);
}

static bool triage_any(const struct dump *d)
{
	return triage_has_texts(d);
}

static struct rect triage_above(struct view *v, struct canvas *c, struct rect a)
{
	const struct tri_view *s = v->state;
	int empty = s->page == TRI_PROBLEM && a.h >= AIRY;

	(void)c;
	return (struct rect){ a.y + empty, a.x, a.h - empty, a.w };
}

/* Without a recognized error there is no page of a problem. */
static struct frame_place triage_divide(struct view *v, struct rect a)
{
	const struct tri_view *s = v->state;

	return s->page == TRI_PROBLEM && s->n ? frame_divide(&frame_forms[FORM_TRIAGE], a)
					      : (struct frame_place){ .main = a };
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	struct tri_view *s = v->state;

	if (s->page == TRI_LOG)
		triage_view_log_draw(v, c, a);
	else
		triage_view_problem_draw(s, c, a);
}

/* --- keys --- */

static unsigned triage_step(struct view *v, int by)
{
	struct tri_view *s = v->state;

	if (s->frame.find) {
		v->ops->find(v, s->frame.find, by); /* in the log */
		return REACT_REDRAW;
	}
	if (s->n < 2) {
		app_say(v->app, s->n ? "there is only one problem" : "no error recognized");
		return REACT_REDRAW;
	}
	s->at = (s->at + s->n + (size_t)((int)s->n + by % (int)s->n)) % s->n;
	triage_view_show_page(v, TRI_PROBLEM);
	triage_view_problem_make(v);
	return REACT_REDRAW;
}

/* Opens the log of the problem at its line; if there is no problem, the log under the cursor. */
static bool open_log(struct view *v, bool chosen)
{
	struct tri_view *s = v->state;
	size_t row = sheet_row(&s->logs), line = 0;
	const char *path = "";
	int file;

	if (s->n && !chosen) {
		path = triage_view_str(&s->t->errors, s->order[s->at], TRIAGE_ERRORS_file);
		line = (size_t)from_double(table_num(&s->t->errors, s->order[s->at], TRIAGE_ERRORS_line));
	} else if (row != SIZE_MAX) {
		path = triage_view_str(&s->t->logs, row, TRIAGE_LOGS_file);
		line = s->log.file >= 0 && s->log.file == triage_view_log_file(v, path) ? 0 : 1;
	}
	if ((file = triage_view_log_file(v, path)) < 0)
		return false;
	triage_view_log_open(v, s->log.file == TRI_MERGED ? TRI_MERGED : file, file, line);
	triage_view_show_page(v, TRI_LOG);
	return true;
}

static unsigned open_here(struct view *v)
{
	const struct tri_view *s = v->state;

	if (s->page == TRI_PROBLEM && s->table.nrows)
		triage_view_show_page(v, TRI_BUFFER);
	else if (s->page == TRI_PROBLEM)
		open_log(v, true);
	else if (s->page == TRI_LOG && s->log.list.n)
		triage_view_show_page(v, TRI_LINE);
	else
		triage_view_show_page(v, s->page == TRI_LINE ? TRI_LOG : TRI_PROBLEM);
	return REACT_REDRAW;
}

static unsigned triage_back(struct view *v)
{
	const struct tri_view *s = v->state;

	if (s->page == TRI_PROBLEM)
		return ACT_PASS;
	triage_view_show_page(v, s->page == TRI_LINE ? TRI_LOG : TRI_PROBLEM);
	return REACT_REDRAW;
}

static unsigned triage_act(struct view *v, enum action a, int count)
{
	struct tri_view *s = v->state;

	count = count > 0 ? count : 1;
	switch (a) {
	case ACT_TRIAGE_NEXT:
		return triage_step(v, count);
	case ACT_TRIAGE_PREV:
		return triage_step(v, -count);
	case ACT_PROBLEM_NEXT:
		s->frame.find = NULL;
		return triage_step(v, count);
	case ACT_TRIAGE_OPEN:
	case ACT_OPEN:
		return open_here(v);
	case ACT_BACK:
		return triage_back(v);
	case ACT_DETAILS:
		triage_view_show_page(v, s->page == TRI_ADVICE || !s->n ? TRI_PROBLEM : TRI_ADVICE);
		return REACT_REDRAW;
	case ACT_LOG_LINES:
		if (s->page == TRI_LOG)
			triage_view_show_page(v, TRI_PROBLEM);
		else if (!open_log(v, false))
			app_say(v->app, "this log is not among the open files");
		return REACT_REDRAW;
	case ACT_LOG_ALL:
	case ACT_LOG_WARNINGS:
	case ACT_LOG_ERRORS:
	case ACT_LOG_NEXT:
	case ACT_LOG_PREV:
	case ACT_LOG_MERGE:
	case ACT_LOG_FOLD:
		if (s->page != TRI_LOG && !open_log(v, false))
			return REACT_NONE;
		return triage_view_log_act(v, a, count);
	default:
		return s->page == TRI_LOG ? triage_view_log_act(v, a, count) : ACT_PASS;
	}
}

static struct sheet *shown_sheet(struct view *v)
{
	struct tri_view *s = v->state;

	return s->page == TRI_PROBLEM ? triage_view_sheet(s) : NULL;
}

static struct list *shown_list(struct view *v)
{
	struct tri_view *s = v->state;

	return s->page == TRI_LOG ? &s->log.list : NULL;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_TRIAGE],
	.results = 1u << RESULT_TRIAGE,
	.take = triage_take,
	.drop = triage_drop,
	.sheet = shown_sheet,
	.list = shown_list,
	.find = triage_view_log_find,
	.above = triage_above,
	.divide = triage_divide,
	.main = draw_main,
	.card = triage_view_card,
	.act = triage_act };

/* --- search, links, text, files --- */

/* Searching works on the log. */
static int triage_find(struct view *v, const struct regex *re, int dir)
{
	const struct tri_view *s = v->state;

	if (re && (!frame_ready(v) || ((s->page != TRI_LOG || s->log.file == -1) && !open_log(v, false))))
		return -1;
	return frame_find(v, re, dir);
}

static int triage_filter(struct view *v, const char *text, struct err *err)
{
	const struct tri_view *s = v->state;

	if (!frame_ready(v))
		return 0;
	if (s->page != TRI_LOG && s->page != TRI_LINE) {
		triage_view_show_page(v, TRI_PROBLEM);
		return frame_filter(v, text, err);
	}
	triage_view_show_page(v, TRI_LOG);
	return triage_view_log_filter(v, text, err);
}

static void triage_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct tri_view *s = v->state;
	const struct sheet *sh = triage_view_sheet(v->state);

	if (!frame_ready(v))
		return;
	if (s->page == TRI_LOG || s->page == TRI_LINE)
		triage_view_log_status(v, left, size);
	else
		snprintf(left, size, "%s %zu of %zu%s%s%s", s->table.nrows ? "buffer" : "log",
		    sh->list.n ? sh->list.at + 1 : 0, sh->list.n,
		    s->table.nrows ? s->reported ? " of the report in the log" : " listed" : "",
		    sh->filter ? "   &" : "", sh->filter ? regex_pattern(sh->filter) : "");
	if (s->n)
		snprintf(right, size, "problem %zu of %zu   %s", s->at + 1, s->n,
		    triage_view_str(&s->t->errors, s->order[s->at], TRIAGE_ERRORS_kind));
	else
		snprintf(right, size, "no problem recognized");
}

static void title_right(const struct view *v, char *buf, size_t size)
{
	const struct tri_view *s = v->state;
	const struct table *e;
	const char *path, *base;

	if (!frame_ready(v) || !s->n)
		return;
	e = &s->t->errors;
	path = triage_view_str(e, s->order[s->at], TRIAGE_ERRORS_file);
	base = strrchr(path, '/');
	snprintf(buf, size, "%.100s line %.0f ", base && base[1] ? base + 1 : path,
	    table_num(e, s->order[s->at], TRIAGE_ERRORS_line));
}

static struct ref triage_here(const struct view *v)
{
	const struct tri_view *s = v->state;
	struct ref ref = REF_EMPTY;

	if (*s->module) {
		ref.kind = REF_MODULE;
		snprintf(ref.text, sizeof ref.text, "%s", s->module);
	}
	return ref;
}

static char *triage_name(const struct view *v)
{
	const struct tri_view *s = v->state;

	return frame_ready(v) && s->n && s->page != TRI_LOG && s->page != TRI_LINE ? xstrdup(s->title) : NULL;
}

static int triage_copy(struct view *v, FILE *out)
{
	const struct tri_view *s = v->state;

	if (!frame_ready(v) || (!s->n && s->page != TRI_LOG && s->page != TRI_LINE))
		return -1;
	triage_view_text(v, out);
	return 0;
}

/* Goes to an error, by its number from 1. */
static int triage_show(struct view *v, const struct ref *r)
{
	struct tri_view *s = v->state;
	bool ready;

	if (r->kind == REF_NONE)
		return 0;
	if (r->kind != REF_NODE || !r->program)
		return -1;
	ready = frame_ready(v);
	s->go = r->program;
	if (!ready)
		return 0;
	triage_view_show_page(v, TRI_PROBLEM);
	return go_to_error(v) ? 0 : -1;
}

static const char *table_name(const struct view *v)
{
	const struct tri_view *s = v->state;

	return !s->n ? "logs" : s->reported ? "report" : s->table.nrows ? "buffers" : "findings";
}

static const struct bar_entry *triage_bar(const struct view *v, size_t *n)
{
	const struct tri_view *s = v->state;

	if (!frame_ready(v) || s->page == TRI_PROBLEM)
		return NULL;
	return action_page(s->page == TRI_LOG ? PAGE_TRIAGE_LOG : PAGE_TRIAGE_TEXT, n);
}

const struct view_ops view_triage = {
	.id = "triage",
	.title = "Triage",
	.short_title = "Triage",
	.letter = 'l',
	.scope = SCOPE_TRIAGE,
	.needs = NEED_ANY,
	.any = triage_any,
	.frame = &frame_ops,
	.size = sizeof(struct tri_view),
	.open = open_view,
	.draw = frame_draw,
	.act = frame_act,
	.find = triage_find,
	.find_status = frame_find_status,
	.filter = triage_filter,
	.here = triage_here,
	.status = triage_status,
	.bar = triage_bar,
	.title_right = title_right,
	.close = close_view,
	.mouse = frame_mouse,
	.save = triage_view_save,
	.restore = triage_view_restore,
	.show = triage_show,
	.name = triage_name,
	.copy = triage_copy,
	.report = "triage",
	.table = table_name,
};
