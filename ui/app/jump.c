#include "config.h"
#include "core/jump.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/findings/findings.h"
#include "app/internal.h"
#include "core/results.h"

char *jump_view(enum evidence e, char *buf, size_t size)
{
	const char *id = evidence_view(e);
	const struct view_ops *ops = app_view_ops(id);
	int number = app_tab_number(ops && ops->of ? ops->of : id);

	if (number)
		snprintf(buf, size, "%d %s", number, ops ? ops->title : id);
	else
		snprintf(buf, size, "%s", ops ? ops->title : id);
	if (!ops && number)
		buf[2] = (char)toupper((unsigned char)buf[2]);
	return buf;
}

struct ref jump_ref(const struct proof *p)
{
	bool gap = p->core >= 0 && p->last > p->first;
	struct ref r = { .kind = gap ? REF_TIME : p->kind,
		.track = UINT32_MAX,
		.name = p->name,
		.t0 = p->first,
		.t1 = p->last,
		.file = -1,
		.program = p->program,
		.host = p->host,
		.core = p->core,
		.gap = gap };

	snprintf(r.text, sizeof r.text, "%s", p->kind == REF_MODULE ? p->module : p->text);
	return r;
}

int jump_open(struct app *app, size_t i)
{
	const struct findings *f = result_findings(app);
	struct app_private *p = app->p;
	const struct proof *proof;
	const char *view;
	char text[96];
	struct ref ref;

	if (!f || i >= f->n)
		return -1;
	proof = &f->v[i].proof;
	view = evidence_view(proof->evidence);
	if (!app_view(app, view)) {
		app_say(app, "%s: this capture has no data for it",
		    jump_view(proof->evidence, text, sizeof text));
		return -1;
	}
	ref = jump_ref(proof);
	proof_say(proof, app->cap->dump, text, sizeof text);
	if (app_opened(app, view))
		banner_open(app, f, i, app_view(app, view));
	if (app_go(app, view, ref.kind == REF_NONE ? NULL : &ref))
		app_say(app, "%s is not in %s", text, app_view(app, view)->ops->title);
	p->problem = i + 1;
	p->problem_view = app->current;
	return 0;
}

/* Is the finding's proof in the view on the screen, or in one that shares its tab? */
static bool is_here(const struct view_ops *here, const struct finding *f)
{
	const char *view = evidence_view(f->proof.evidence);

	return !strcmp(here->id, view) || (here->of && !strcmp(here->of, view));
}

static void go_to_finding(struct app *app, const struct findings *f, size_t i)
{
	const struct view_ops *here = app_here(app)->ops;
	struct ref ref = jump_ref(&f->v[i].proof);
	size_t number = 0, all = 0;
	char text[96];
	bool bad;

	for (size_t k = 0; k < f->n; k++)
		if (is_here(here, &f->v[k])) {
			all++;
			number += k <= i;
		}
	proof_say(&f->v[i].proof, app->cap->dump, text, sizeof text);
	banner_open(app, f, i, app_view(app, here->id));
	bad = ref.kind != REF_NONE && app_go(app, here->id, &ref);
	app_say(app, "finding %zu of %zu: %s%s%s%s", number, all, f->v[i].title, bad ? " (" : "",
	    bad ? text : "", bad ? " is not shown)" : "");
	app->p->problem = i + 1;
	app->p->problem_view = app->current;
}

bool jump_next(struct app *app, bool round)
{
	const struct findings *f = result_findings(app);
	const struct app_private *p = app->p;
	struct view *v = app_here(app);
	size_t from = p->problem_view == app->current ? p->problem : 0;

	for (size_t i = 0; f && v && i < f->n; i++) {
		size_t at = (from + i) % f->n;

		if (!round && from + i >= f->n)
			return false;
		if (!is_here(v->ops, &f->v[at]))
			continue;
		go_to_finding(app, f, at);
		return true;
	}
	return false;
}

void jump_none(struct app *app)
{
	char what[80];

	if (result_get(app, RESULT_FINDINGS)) {
		app_say(app, "%s: no finding has its proof in this view", app_here(app)->ops->title);
		return;
	}
	app_say(app, "no findings yet: %s; jumping when ready, any key cancels",
	    result_what(app, RESULT_FINDINGS, what, sizeof what));
	app->p->problem_wanted = true;
	app->p->problem_keys = app->keys;
}

/* The place of the command line, as soon as the findings say where it is. */
static bool go_where(struct app *app)
{
	const char *where = app->opt->where;
	const struct findings *f;
	bool found = false;

	if (!where || app->p->where_taken || !app_here(app) || !result_get(app, RESULT_FINDINGS))
		return false;
	f = result_findings(app);
	app->p->where_taken = true;
	for (size_t i = 0; i < f->n && !found; i++) {
		char *text = proof_where(&f->v[i].proof);

		found = !strcmp(text, where);
		if (found &&
		    jump_open(app, i)) /* the capture has no such view: where findings are, it is told */
			app_go(app, "findings", NULL);
		free(text);
	}
	app->p->where_there = found;
	if (!found)
		app_error(app, "no finding is at %s", where);
	app->p->dirty = true;
	return true;
}

bool jump_due(struct app *app)
{
	struct app_private *p = app->p;

	if (go_where(app))
		return true;
	if (!p->problem_wanted || (p->problem_keys == app->keys && !result_get(app, RESULT_FINDINGS)))
		return false;
	p->problem_wanted = false;
	if (p->problem_keys != app->keys)
		return false;
	*app->message = '\0';
	app_action(app, ACT_PROBLEM_NEXT, 1);
	p->dirty = true;
	return true;
}
