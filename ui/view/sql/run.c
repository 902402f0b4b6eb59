#include "config.h"
#include "view/sql/sql.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/app.h"
#include "core/job.h"

enum { TEXT_WIDTH = 24 };

/* Runs in the thread of jobs. */
static void run_query(void *ctx, struct progress *p)
{
	struct sql_asking *a = ctx;
	struct sql_view *s = a->view->state;
	const struct sql_options o = { .text = a->text,
		.format = REPORT_ROWS,
		.width = 100,
		.threads = s->own->threads,
		.limit = -1,
		.timeout_s = SQL_TIMEOUT_S,
		.value = a->value,
		.nvalues = a->nvalues,
		.progress = p };

	sql_answer_free(a->answer);
	a->err = (struct err){ .at = ERR_NOWHERE };
	a->answer = sql_ask(s->own, s->base, &o, &a->err);
}

static void forget_answer(struct sql_view *s)
{
	if (s->answer)
		sheet_free(&s->sheet);
	sql_answer_free(s->answer);
	s->answer = NULL;
}

/* Texts take what room there is. */
static void open_sheet(struct sql_view *s)
{
	for (size_t i = 0; i < s->answer->schema.n; i++)
		if (s->answer->columns[i].type == COL_STRING)
			s->answer->columns[i].width = -TEXT_WIDTH;
	sheet_open(&s->sheet, &s->answer->schema, NULL, NULL);
	s->sheet.all = true;
	sheet_set(&s->sheet, &s->answer->rows);
}

static void take_answer(struct app *app, void *ctx)
{
	struct sql_asking *a = ctx;
	struct sql_view *s = a->view->state;

	(void)app;
	forget_answer(s);
	memcpy(s->error, a->err.msg, sizeof s->error);
	if ((s->answer = a->answer)) {
		a->answer = NULL;
		*s->error = '\0';
		open_sheet(s);
	}
}

static void drop_query(void *ctx)
{
	struct sql_asking *a = ctx;
	struct sql_view *s = a->view->state;

	s->asking = NULL;
	sql_answer_free(a->answer);
	free(a->text);
	free(a);
}

static void add_value(struct sql_asking *a, const char *name, int64_t v)
{
	a->value[a->nvalues++] = (struct sql_value){ name, v };
}

/* The step that runs then, as slices have it. */
static void add_step(struct capture *c, struct sql_asking *a, int64_t t)
{
	const struct steps *s = capture_steps(c);
	char *end;

	for (size_t i = 0; i < s->n; i++) {
		long long number = strtoll(s->v[i].number, &end, 10);

		if (t < s->v[i].start || t - s->v[i].start >= s->v[i].dur || *end || end == s->v[i].number)
			continue;
		add_value(a, "$step", number);
		return;
	}
}

/* What the timeline has in view and selects, if it was looked at. */
static void take_values(struct view *v, struct sql_asking *a)
{
	struct view *timeline = app_view(v->app, "timeline");
	struct ref r;

	if (!timeline || !timeline->opened)
		return;
	r = timeline->ops->here(timeline);
	add_value(a, "$from", r.t0);
	add_value(a, "$to", r.t1);
	if (r.track != UINT32_MAX)
		add_value(a, "$track", r.track);
	add_step(v->cap, a, r.exact ? r.at : r.t0);
}

void sql_view_run(struct view *v, const char *text)
{
	struct sql_view *s = v->state;
	struct sql_asking *a;
	char *copy;

	if (!strncmp(text, ":sql ", 5)) /* as outside of the prompt */
		text += 5;
	copy = xstrdup(text);
	sql_view_cancel(v);
	free(s->text);
	s->text = copy;
	*s->error = '\0';
	if (!s->own) {
		s->own = capture_beside(v->cap);
		s->base = app_other(v->app) ? capture_beside(app_other(v->app)) : NULL;
	}
	a = s->asking = xcalloc(1, sizeof *a);
	a->view = v;
	a->text = xstrdup(text);
	take_values(v, a);
	jobs_add(v->app,
	    &(struct job){ "running the query (Esc cancels)", run_query, take_answer, drop_query, a });
}

bool sql_view_cancel(struct view *v)
{
	struct sql_view *s = v->state;

	if (!s->asking)
		return false;
	jobs_drop(v->app, s->asking);
	return true;
}

void sql_view_forget(struct view *v)
{
	struct sql_view *s = v->state;

	sql_view_cancel(v);
	forget_answer(s);
	capture_close(s->own);
	capture_close(s->base);
	free(s->text);
	history_free(&s->past);
}
