#include "config.h"
#include "view/account/account.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/app.h"
#include "core/document.h"
#include "core/job.h"
#include "core/results.h"
#include "view/frames.h"

#define SCHEMA whatif
#define SCHEMA_ROW struct whatif_row
#define SCHEMA_DEF "view/account/whatif.def"
#include "result/schema_def.h"

static const struct schema whatif_schema = { SCHEMA_COLUMNS(whatif_columns) };

/* --- the rows --- */

static void add_row(struct whatif_view *s, const char *id, const char *text, const char *change,
    const struct prediction *p, bool at_most)
{
	for (size_t i = 0; i < s->n; i++) /* findings come first, and one change is one row */
		if (!strcmp(s->v[i].change, change))
			return;
	VEC_ADD(s->v, s->n, s->cap,
	    (struct whatif_row){ id, text, xstrdup(change), at_most, false, p->save, p->save,
		p->save + p->step });
}

static bool is_wanted(const struct whatif_view *s, const char *id)
{
	size_t n = strlen(id);

	for (const char *w = s->wanted; w && *w; w += strcspn(w, "\n"), w += *w == '\n')
		if (strcspn(w, "\n") == n && !memcmp(w, id, n))
			return true;
	return false;
}

static void show_rows(struct whatif_view *s)
{
	sheet_keep(&s->sheet);
	sheet_set(&s->sheet, NULL);
	table_free(&s->table);
	table_begin(&s->table, &whatif_schema);
	for (size_t i = 0; i < s->n; i++)
		table_add(&s->table, &s->v[i]);
	sheet_set_rows(&s->sheet,
	    &(struct sheet_rows){ .table = &s->table, .of = s->v, .size = sizeof *s->v });
	sheet_return(&s->sheet);
}

/* --- what is on, in the background --- */

struct whatif_job {
	struct app *app;
	struct view *v;
	const struct replay *r;
	unsigned long serial;
	struct levers levers; /* the joint change, then each row on top of it; asked by their expressions */
	char **text;
	size_t n;
};

/* Caller frees; "": none is on. */
static char *whatif_selected(const struct whatif_view *s, const struct whatif_row *more)
{
	char *all = xstrdup(""), *longer;

	for (size_t i = 0; i < s->n; i++) {
		if (!s->v[i].on && &s->v[i] != more)
			continue;
		longer = xasprintf("%s%s%s", all, *all ? "," : "", s->v[i].change);
		free(all);
		all = longer;
	}
	return all;
}

/* One job runs at a time, so that the replay stays while this one has the same serial. */
static void run_job(void *ctx, struct progress *p)
{
	struct whatif_job *j = ctx;
	struct err none = { 0 };

	levers_free(&j->levers);
	if (result_serial(j->app, RESULT_REPLAY) != j->serial)
		return;
	for (size_t i = 0; i < j->n; i++)
		if (levers_add(j->r, "", j->text[i], &j->levers, &none))
			return;
	if (!progress_canceled(p))
		levers_predict(j->r, 0, &j->levers);
}

static void job_done(struct app *app, void *ctx)
{
	struct whatif_job *j = ctx;
	struct whatif_view *s = j->v->state;
	size_t k = 1;

	(void)app;
	s->job = NULL;
	if (j->levers.n != j->n || !s->r)
		return;
	s->joint = j->levers.v[0].is;
	for (size_t i = 0; i < s->n && k < j->n; i++)
		if (!s->v[i].on)
			s->v[i].more = j->levers.v[k++].is.save - s->joint.save;
	show_rows(s);
	j->v->stale = true;
}

static void drop_job(void *ctx)
{
	struct whatif_job *j = ctx;

	levers_free(&j->levers);
	for (size_t i = 0; i < j->n; i++)
		free(j->text[i]);
	free(j->text);
	free(j);
}

static void stop_job(struct view *v)
{
	struct whatif_view *s = v->state;

	if (s->job)
		jobs_drop(v->app, s->job);
	s->job = NULL;
}

/* What all that is on saves, and what each of the others saves on top of it. */
static void predict(struct view *v)
{
	struct whatif_view *s = v->state;
	char *all = whatif_selected(s, NULL);
	struct whatif_job *j;

	stop_job(v);
	s->joint = (struct prediction){ 0, s->n ? s->v[0].whole : NAN, false };
	for (size_t i = 0; i < s->n; i++)
		s->v[i].more = *all ? NAN : s->v[i].save;
	show_rows(s);
	if (!*all) {
		free(all);
		return;
	}
	s->joint = (struct prediction){ NAN, NAN, false };
	j = xcalloc(1, sizeof *j);
	*j = (struct whatif_job){ .app = v->app,
		.v = v,
		.r = s->r,
		.serial = result_serial(v->app, RESULT_REPLAY),
		.text = xcalloc(s->n + 1, sizeof *j->text) };
	j->text[j->n++] = all;
	for (size_t i = 0; i < s->n; i++)
		if (!s->v[i].on)
			j->text[j->n++] = whatif_selected(s, &s->v[i]);
	s->job = j;
	jobs_add(v->app, &(struct job){ "replaying the steps", run_job, job_done, drop_job, j });
}

static void whatif_take(struct view *v)
{
	struct whatif_view *s = v->state;
	const struct levers *l = result_get(v->app, RESULT_LEVERS);
	const struct findings *f = result_get(v->app, RESULT_MENDED);

	s->r = result_get(v->app, RESULT_REPLAY);
	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].mend)
			add_row(s, f->v[i].id, f->v[i].title, f->v[i].mend,
			    &(struct prediction){ f->v[i].save, f->whole - f->v[i].save, false },
			    f->v[i].at_most);
	for (size_t i = 0; i < l->n; i++)
		add_row(s, l->v[i].id, lever_text(l->v[i].id), l->v[i].expression, &l->v[i].is,
		    l->v[i].at_most);
	for (size_t i = 0; i < s->n; i++)
		s->v[i].on = is_wanted(s, s->v[i].id) && !isnan(s->v[i].save);
	predict(v);
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].on) {
			sheet_show(&s->sheet, i);
			break;
		}
}

static void whatif_drop(struct view *v)
{
	struct whatif_view *s = v->state;

	stop_job(v);
	sheet_set(&s->sheet, NULL);
	table_free(&s->table);
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].change);
	s->n = 0;
	s->r = NULL;
}

/* --- the view --- */

static struct sheet *the_sheet(struct view *v)
{
	return &((struct whatif_view *)v->state)->sheet;
}

static void mark_row(const void *ctx, size_t row, struct canvas *c, struct rect a)
{
	const struct whatif_view *s = ctx;

	if (row < s->n)
		canvas_str(c, a.y, a.x + 1, 3, ROLE_TEXT, 0, s->v[row].on ? "[x]" : "[ ]");
}

static void want(struct whatif_view *s)
{
	char *all = xstrdup(""), *longer;

	for (size_t i = 0; i < s->n; i++) {
		if (!s->v[i].on)
			continue;
		longer = xasprintf("%s%s%s", all, *all ? "\n" : "", s->v[i].id);
		free(all);
		all = longer;
	}
	free(s->wanted);
	s->wanted = all;
}

static int whatif_command(struct view *, const char *name, const char *arg);

static void asked(struct view *v, const char *typed)
{
	if (*typed)
		whatif_command(v, "whatif", typed);
}

static void switch_all(struct whatif_view *s)
{
	bool all = true;

	for (size_t i = 0; i < s->n; i++)
		all &= s->v[i].on || isnan(s->v[i].save);
	for (size_t i = 0; i < s->n; i++)
		s->v[i].on = !all && !isnan(s->v[i].save);
}

static unsigned whatif_act(struct view *v, enum action a, int count)
{
	struct whatif_view *s = v->state;
	size_t row = sheet_row(&s->sheet);

	(void)count;
	if (a == ACT_WHATIF_ADD) {
		app_ask(v->app, CHANGE_PROMPT, "", "op:NAME*0.5   core:HOST/N=median   Tab completes",
		    &s->past, asked);
		return REACT_REDRAW;
	}
	if (a == ACT_WHATIF_SWITCH && row < s->n && !isnan(s->v[row].save))
		s->v[row].on = !s->v[row].on;
	else if (a == ACT_WHATIF_ALL)
		switch_all(s);
	else if (a == ACT_WHATIF_NONE)
		for (size_t i = 0; i < s->n; i++)
			s->v[i].on = false;
	else
		return a == ACT_WHATIF_SWITCH ? REACT_NONE : ACT_PASS;
	want(s);
	predict(v);
	return REACT_REDRAW;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_WHATIF],
	.results = 1u << RESULT_REPLAY | 1u << RESULT_LEVERS | 1u << RESULT_MENDED,
	.take = whatif_take,
	.drop = whatif_drop,
	.sheet = the_sheet,
	.above = whatif_above,
	.card = whatif_card,
	.act = whatif_act };

static int whatif_open(struct view *v)
{
	struct whatif_view *s = v->state;

	sheet_open(&s->sheet, &whatif_schema, NULL, NULL);
	sheet_name(&s->sheet, "expr", NULL);
	s->sheet.all = true;
	s->sheet.lead = 4;
	s->sheet.mark = mark_row;
	s->sheet.ctx = s;
	return 0;
}

static void whatif_close(struct view *v)
{
	struct whatif_view *s = v->state;

	frame_close(v);
	stop_job(v);
	sheet_free(&s->sheet);
	free(s->v);
	free(s->wanted);
	history_free(&s->past);
}

/* A name without an op: the id of a change, which is on from now on. */
static int whatif_show(struct view *v, const struct ref *r)
{
	struct whatif_view *s = v->state;

	if (r->kind == REF_NONE)
		return 0;
	if (r->kind != REF_NAME || r->name || !*r->text)
		return -1;
	if (!frame_ready(v)) { /* as soon as there are rows */
		free(s->wanted);
		s->wanted = xstrdup(r->text);
		return 0;
	}
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->v[i].id, r->text)) {
			s->v[i].on = !isnan(s->v[i].save);
			want(s);
			predict(v);
			sheet_show(&s->sheet, i);
			return 0;
		}
	return -1;
}

static int whatif_command(struct view *v, const char *name, const char *arg)
{
	struct whatif_view *s = v->state;
	struct levers l = { 0 };
	struct err err = { 0 };

	if (strcmp(name, "whatif"))
		return -1;
	if (!frame_ready(v) || !s->r->nsteps) {
		app_say(v->app, "whatif: there are no steps to replay");
		return 0;
	}
	if (levers_add(s->r, "asked", arg, &l, &err)) {
		app_say(v->app, "%s", err.msg);
		return 0;
	}
	levers_predict(s->r, 0, &l);
	add_row(s, "asked", "Asked for", arg, &l.v[0].is, l.v[0].at_most);
	s->v[s->n - 1].on = !isnan(s->v[s->n - 1].save);
	levers_free(&l);
	predict(v);
	return 0;
}

/* What may stand in a change. */
static void whatif_words(const struct view *v, const char *command, void (*offer)(void *, const char *),
    void *ctx)
{
	static const char *const fixed[] = { "cores=median", "links=median", "input=0", "input=least",
		"output=0", "op:*=roofline", "kind:matmul=roofline", "kind:compute=roofline",
		"kind:copy=roofline", "phase:recompute=0", "transfer:*=0", "dma:*=0", "hide:*" };
	const struct whatif_view *s = v->state;
	const struct replay *r = s->r;
	char word[256];

	if (strcmp(command, "whatif") || !frame_ready(v))
		return;
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		offer(ctx, fixed[i]);
	for (int i = 0; i < IDLE_CAUSES; i++) {
		snprintf(word, sizeof word, "idle:%s=0", idle_cause_id[i]);
		offer(ctx, word);
	}
	for (size_t k = 0; k < r->ncores; k++) {
		const struct slice host = dump_text(r->dump, r->dump->hosts[r->core[k].host].name);

		snprintf(word, sizeof word, "core:%.*s/%d=median", (int)(host.n < 200 ? host.n : 200), host.s,
		    r->core[k].core);
		offer(ctx, word);
		snprintf(word, sizeof word, "host:%.*s=median", (int)(host.n < 200 ? host.n : 200), host.s);
		offer(ctx, word);
	}
	for (uint32_t i = 0; r->ncores && i < r->core[0].nbounds; i++) {
		const struct slice name = dump_text(r->dump, r->dump->trace.metas[r->core[0].base + i].name);

		snprintf(word, sizeof word, "%s:%.*s",
		    r->core[0].bound[i].group <= GROUP_FORMAT ? "op" : "transfer",
		    (int)(name.n < 200 ? name.n : 200), name.s);
		offer(ctx, word);
	}
}

static void whatif_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct whatif_view *s = v->state;

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	sheet_status(&s->sheet, left, size);
	snprintf(right, size, "savings are of the mean of all whole steps");
}

/* The command that says the same. */
static int whatif_copy(struct view *v, FILE *out)
{
	const struct whatif_view *s = v->state;
	char *all = frame_ready(v) ? whatif_selected(s, NULL) : NULL;

	if (!all)
		return -1;
	fprintf(out, "tpuscope report account --table whatif --whatif '%s' %s\n", all,
	    v->cap->dump->nfiles ? v->cap->dump->files[0].path : "");
	free(all);
	return 0;
}

static const char *table_name(const struct view *v)
{
	(void)v;
	return "whatif";
}

static void whatif_save(const struct view *v, struct kv *kv)
{
	const struct whatif_view *s = v->state;

	if (s->wanted && *s->wanted)
		kv_put(kv, "on", s->wanted);
	sheet_save(&s->sheet, kv);
}

static void whatif_restore(struct view *v, const struct kv *kv)
{
	struct whatif_view *s = v->state;
	const char *on = kv_get(kv, "on");

	if (on)
		s->wanted = xstrdup(on);
	sheet_restore(&s->sheet, kv);
}

static bool has_cores(const struct dump *d)
{
	return trace_has_plane(&d->trace, PLANE_TPU);
}

const struct view_ops view_whatif = {
	.id = "whatif",
	.title = "What if",
	.short_title = "If",
	.of = "overview",
	.letter = 'W',
	.scope = SCOPE_WHATIF,
	.needs = NEED_ANY,
	.any = has_cores,
	.frame = &frame_ops,
	.size = sizeof(struct whatif_view),
	.open = whatif_open,
	FRAME_SLOTS,
	.show = whatif_show,
	.status = whatif_status,
	.command = whatif_command,
	.words = whatif_words,
	.close = whatif_close,
	.save = whatif_save,
	.restore = whatif_restore,
	.copy = whatif_copy,
	.report = "account",
	.table = table_name,
};
