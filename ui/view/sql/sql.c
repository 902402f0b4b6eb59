#include "config.h"
#include "view/sql/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/app.h"
#include "report/write/writer.h"
#include "view/frames.h"
#include "widget/fields.h"

static struct sheet *answer_sheet(struct view *v)
{
	struct sql_view *s = v->state;

	return s->answer ? &s->sheet : NULL;
}

static struct list *examples(struct view *v)
{
	struct sql_view *s = v->state;

	return s->answer || s->text ? NULL : &s->examples;
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	struct sql_view *s = v->state;

	if (s->answer)
		sheet_draw(&s->sheet, c, a);
	else if (!s->text || !sql_built_in())
		sql_view_examples(v, c, a);
}

/* All of the row. */
static int draw_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	struct sql_view *s = v->state;
	struct pen p = { .c = c, .r = r, .y = r.y, .label = how == FRAME_BESIDE ? 0 : 20, .across = 1 };

	if (s->answer && sheet_row(&s->sheet) != SIZE_MAX)
		pen_row(&p, &s->answer->rows, sheet_row(&s->sheet), "!", true);
	return p.y;
}

static bool has_row(struct view *v)
{
	return answer_sheet(v) && sheet_row(answer_sheet(v)) != SIZE_MAX;
}

/* --- where a row leads --- */

static strid text_of(const struct view *v, struct slice name)
{
	strid id = name.n ? strtab_find(&v->cap->dump->str, name.s, name.n) : 0;

	return id == UINT32_MAX ? 0 : id;
}

/* The view that shows it; NULL: the row leads nowhere. */
static const char *place_of(const struct view *v, struct ref *r)
{
	const struct sql_view *s = v->state;
	struct sql_place p;

	*r = REF_EMPTY;
	if (!s->answer || s->asking || sheet_row(&s->sheet) == SIZE_MAX)
		return NULL;
	p = sql_place_of(s->answer, v->cap, sheet_row(&s->sheet));
	r->kind = p.kind;
	r->name = text_of(v, p.name);
	snprintf(r->text, sizeof r->text, "%.*s", (int)p.name.n, p.name.n ? p.name.s : "");
	switch (p.kind) {
	case REF_EVENT:
		r->track = p.track;
		r->event = p.event;
		r->t0 = track_start(&v->cap->dump->trace.tracks[p.track], p.event);
		r->t1 = r->t0 + track_dur(&v->cap->dump->trace.tracks[p.track], p.event);
		return "timeline";
	case REF_TIME:
		r->track = p.track;
		r->t0 = r->t1 = p.time;
		return "timeline";
	case REF_STEP:
		return "timeline";
	case REF_BUFFER:
		return "memory";
	case REF_NODE:
		return "graph";
	case REF_OP:
		return r->name ? "hlo_stats" : NULL;
	default:
		r->kind = REF_NONE;
		return NULL;
	}
}

static struct ref sql_here(const struct view *v)
{
	struct ref r;

	place_of(v, &r);
	return r;
}

static void go_there(struct view *v)
{
	struct ref r;
	const char *to = place_of(v, &r);

	if (!to)
		app_say(v->app, "this row names no event, op or buffer: id, name with step or start_ps, ...");
	else if (!app_view(v->app, to))
		app_say(v->app, "this capture has no data for the %s view", to);
	else if (app_go(v->app, to, &r))
		app_say(v->app, "%s is not there", *r.text ? r.text : "it");
}

/* --- queries --- */

static void asked(struct view *v, const char *text)
{
	if (*text)
		sql_view_run(v, text);
}

static void ask_for(struct view *v, const char *text)
{
	struct sql_view *s = v->state;

	if (sql_built_in())
		app_ask(v->app, SQL_PROMPT, text, "Tab completes, Up: earlier queries", &s->past, asked);
}

static void edit_example(struct view *v)
{
	struct sql_view *s = v->state;
	char *text = sql_view_example(s->examples.at);

	if (text)
		ask_for(v, text);
	free(text);
}

static unsigned sql_act(struct view *v, enum action a, int count)
{
	struct sql_view *s = v->state;

	(void)count;
	if (a == ACT_SQL_EDIT)
		ask_for(v, s->text ? s->text : "");
	else if (a == ACT_BACK && sql_view_cancel(v))
		app_say(v->app, "query canceled");
	else if (a == ACT_OPEN && examples(v))
		edit_example(v);
	else if (a == ACT_OPEN && s->answer && !s->frame.full)
		go_there(v);
	else
		return ACT_PASS;
	return REACT_REDRAW;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_SQL],
	.sheet = answer_sheet,
	.list = examples,
	.above = sql_view_above,
	.main = draw_main,
	.card = draw_card,
	.has_card = has_row,
	.act_always = sql_act };

/* The command: with a query it runs, without one it is asked for. */
static int sql_command(struct view *v, const char *name, const char *arg)
{
	if (strcmp(name, "sql"))
		return -1;
	if (!sql_built_in())
		return 0;
	if (*arg)
		sql_view_run(v, arg);
	else
		ask_for(v, "");
	return 0;
}

static int sql_open(struct view *v)
{
	struct sql_view *s = v->state;

	while (sql_example(s->examples.n))
		s->examples.n++;
	return 0;
}

static void sql_close(struct view *v)
{
	frame_close(v);
	sql_view_forget(v);
}

static int sql_show(struct view *v, const struct ref *r)
{
	(void)v;
	(void)r;
	return 0; /* it stays as it was left */
}

static void sql_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct sql_view *s = v->state;

	*left = *right = 0;
	if (s->answer)
		sheet_status(&s->sheet, left, size);
	else if (!s->text)
		snprintf(left, size, "%zu examples", s->examples.n);
	if (s->answer)
		snprintf(right, size, "times are ps");
}

static int sql_copy(struct view *v, FILE *out)
{
	return has_row(v) ? sheet_copy(answer_sheet(v), out) : -1;
}

static void add_rows(void *view, struct report *r)
{
	const struct sql_view *s = ((struct view *)view)->state;

	if (s->answer)
		report_whole(r, NULL, &s->answer->rows);
}

static void sql_save(const struct view *v, struct kv *kv)
{
	const struct sql_view *s = v->state;

	for (size_t i = 0; i < s->past.n; i++)
		kv_put(kv, "query", s->past.v[i]);
	if (s->text)
		kv_put(kv, "last", s->text);
}

static void sql_restore(struct view *v, const struct kv *kv)
{
	struct sql_view *s = v->state;
	const char *line, *last = kv_get(kv, "last");

	for (size_t i = 0; (line = kv_next(kv, "query", &i)) && s->past.n < HISTORY_MAX;)
		s->past.v[s->past.n++] = xstrdup(line);
	if (last && sql_built_in())
		sql_view_run(v, last);
}

const struct view_ops view_sql = {
	.id = "sql",
	.title = "SQL",
	.of = "files",
	.letter = 'q',
	.scope = SCOPE_SQL,
	.frame = &frame_ops,
	.size = sizeof(struct sql_view),
	.open = sql_open,
	FRAME_SLOTS,
	.here = sql_here,
	.show = sql_show,
	.status = sql_status,
	.command = sql_command,
	.close = sql_close,
	.save = sql_save,
	.restore = sql_restore,
	.copy = sql_copy,
	.report = "query",
	.add = add_rows,
};
