#include "config.h"
#include "core/problem.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analyze/findings.h"
#include "core/app_private.h"
#include "core/results.h"
#include "core/where.h"

char *problem_view(const char *where, char *buf, size_t size)
{
	const struct view_ops *ops;
	char id[24];
	int number;

	snprintf(id, sizeof id, "%.*s", (int)strcspn(where, ":"), where);
	ops = app_view_ops(id);
	number = app_tab_number(ops && ops->of ? ops->of : id);
	if (number)
		snprintf(buf, size, "%d %s", number, ops ? ops->title : id);
	else
		snprintf(buf, size, "%s", ops ? ops->title : id);
	if (!ops && number)
		buf[2] = (char)toupper((unsigned char)buf[2]);
	return buf;
}

static int parse(struct app *app, const char *where, struct where *w)
{
	return where_parse(where, app->dump, result_get(app, RESULT_OPS), w);
}

int problem_open(struct app *app, size_t i)
{
	const struct findings *f = result_get(app, RESULT_FINDINGS);
	struct app_private *p = app->p;
	char name[40];
	struct where w;
	int bad;

	if (!f || i >= f->n)
		return -1;
	problem_view(f->v[i].where, name, sizeof name);
	bad = parse(app, f->v[i].where, &w);
	if (!app_view(app, w.view)) {
		app_message(app, false,
		    *w.view ? "%s: nothing to show in it here" : "there is no more than stands here%s",
		    *w.view ? name : "");
		return -1;
	}
	if (app_go(app, w.view, w.ref.kind == REF_NONE ? NULL : &w.ref) || bad)
		app_message(app, false, "%s is not in %s", w.text, app_view(app, w.view)->ops->title);
	p->problem = i + 1;
	p->problem_view = app->current;
	return 0;
}

/* In the view of its proof, or in one that stands behind the same tab. */
static bool is_here(const struct view_ops *here, const struct finding *f)
{
	size_t n = strcspn(f->where, ":");

	return (strlen(here->id) == n && !memcmp(here->id, f->where, n)) ||
	    (here->of && strlen(here->of) == n && !memcmp(here->of, f->where, n));
}

static void go(struct app *app, const struct findings *f, size_t i)
{
	const struct view_ops *here = app_here(app)->ops;
	size_t number = 0, all = 0;
	struct where w;
	bool bad;

	for (size_t k = 0; k < f->n; k++)
		if (is_here(here, &f->v[k])) {
			all++;
			number += k <= i;
		}
	bad = parse(app, f->v[i].where, &w);
	if (!bad && w.ref.kind != REF_NONE)
		bad = app_go(app, here->id, &w.ref);
	app_message(app, false, "finding %zu of %zu: %s%s%s%s", number, all, f->v[i].title, bad ? " (" : "",
	    bad ? w.text : "", bad ? " is not shown here)" : "");
	app->p->problem = i + 1;
	app->p->problem_view = app->current;
}

bool problem_next(struct app *app, bool round)
{
	const struct findings *f = result_get(app, RESULT_FINDINGS);
	const struct app_private *p = app->p;
	struct view *v = app_here(app);
	size_t from = p->problem_view == app->current ? p->problem : 0;

	for (size_t i = 0; f && v && i < f->n; i++) {
		size_t at = (from + i) % f->n;

		if (!round && from + i >= f->n)
			return false;
		if (!is_here(v->ops, &f->v[at]))
			continue;
		go(app, f, at);
		return true;
	}
	return false;
}

void problem_none(struct app *app)
{
	char what[80];

	if (result_get(app, RESULT_FINDINGS)) {
		app_message(app, false, "%s: no finding is proved here", app_here(app)->ops->title);
		return;
	}
	app_message(app, false, "no findings yet: %s; the jump follows, any key gives it up",
	    result_what(app, RESULT_FINDINGS, what, sizeof what));
	app->p->problem_wanted = true;
	app->p->problem_keys = app->keys;
}

bool problem_due(struct app *app)
{
	struct app_private *p = app->p;

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
