#include "config.h"
#include "app/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/events/query.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "core/load/loader.h"

bool app_early_finds(const struct app *app)
{
	return app_early_view(app) && loader_can_find(app->p->loader);
}

/* The text is what names begin with: what a pattern may have before it is no part of it. */
static const char *name_of(const struct early_find *f)
{
	const char *text = f->text + (*f->text == '^');

	return text + (strncmp(text, "\\Q", 2) ? 0 : 2);
}

static void ask_finder(struct app *app, uint64_t from, int dir)
{
	struct early_find *f = &app->p->find;
	struct trie_want want = { .from = from, .dir = dir };

	snprintf(want.text, sizeof want.text, "%s", name_of(f));
	f->waits = true;
	loader_find(app->p->loader, &want);
}

static uint64_t cursor_of(const struct view *v)
{
	int64_t at = v->ops->here(v).at;

	return at > 0 ? (uint64_t)at : 0;
}

bool app_early_find_end(struct app *app)
{
	struct early_find *f = &app->p->find;
	bool any = f->text;

	free(f->text);
	*f = (struct early_find){ .text = NULL };
	app->p->dirty |= any;
	return any;
}

void app_early_find(struct app *app, const char *text)
{
	struct early_find *f = &app->p->find;
	struct view *v = app_early_view(app);

	app_early_find_end(app);
	if (!*text || !v)
		return;
	f->text = xstrdup(text);
	if (query_meant(text))
		app_message(app, false, "/%s: fields of events can be searched once loading is done", text);
	else
		ask_finder(app, cursor_of(v), 0);
}

/* --- going to a hit --- */

static int64_t moment_of(const struct early_find *f)
{
	return f->hits.at > TRACE_TIME_MAX ? TRACE_TIME_MAX : (int64_t)f->hits.at;
}

/* An event of such a name that begins at that moment, if it is there already; its kind is REF_NONE otherwise. */
static struct ref find_event(const struct early_find *f, const struct dump *d)
{
	const struct trace *t = &d->trace;
	int64_t at = moment_of(f);
	struct ref r = REF_EMPTY;

	for (uint32_t k = 0; k < t->ntracks && r.kind == REF_NONE; k++)
		for (size_t i = track_lower(&t->tracks[k], at); i < t->tracks[k].n; i++) {
			if (track_start(&t->tracks[k], i) != at)
				break;
			if (!slice_begins(dump_text(d, t->metas[track_meta(&t->tracks[k], i)].name),
				name_of(f)))
				continue;
			r.kind = REF_EVENT;
			r.track = k;
			r.event = i;
			break;
		}
	return r;
}

void app_early_find_pick(struct app *app)
{
	struct early_find *f = &app->p->find;
	struct view *v = app_early_view(app);
	struct ref r;

	if (!v || !f->picks || cursor_of(v) != (uint64_t)moment_of(f))
		return;
	r = find_event(f, v->app->cap->dump);
	if (r.kind == REF_NONE)
		return;
	f->picks = false;
	app_early_show(app, &r);
}

enum { SPAN_LEAST = 10 * PS_PER_US };

/* What is not there yet is read with what is around it, if the view is as narrow as its level needs: then a column
 * shows it. */
static void go_to_moment(struct app *app)
{
	const struct early_find *f = &app->p->find;
	struct view *v = app_early_view(app);
	struct ref here = v->ops->here(v), r = REF_EMPTY;
	int64_t at = moment_of(f), span = (int64_t)f->hits.resolution * v->area.w / 2;

	r.kind = REF_TIME;
	span = span > SPAN_LEAST ? span : SPAN_LEAST;
	if (span < here.t1 - here.t0) {
		r.t0 = at - span / 2;
		r.t1 = at + span / 2;
		app_early_show(app, &r);
	}
	r.t0 = r.t1 = at;
	app_early_show(app, &r);
}

static void go_to_hit(struct app *app)
{
	struct early_find *f = &app->p->find;
	struct view *v = app_early_view(app);
	struct ref r = v ? find_event(f, v->app->cap->dump) : REF_EMPTY;

	f->picks = r.kind == REF_NONE;
	if (!v)
		return;
	if (f->picks)
		go_to_moment(app);
	else
		app_early_show(app, &r);
}

/* One of the steps that are left, from a moment. */
static void step_on(struct app *app, uint64_t from)
{
	struct early_find *f = &app->p->find;
	int dir = f->steps > 0 ? 1 : -1;

	f->steps -= dir;
	ask_finder(app, from, dir);
}

static void tell_problem(struct app *app)
{
	const struct early_find *f = &app->p->find;
	char of[160];

	app_early_of(app, of, sizeof of);
	if (f->hits.problem.status)
		app_message(app, true,
		    "the table of names (*.trie.SSTABLE): %s; there may be more hits once loading is done",
		    f->hits.problem.msg);
	else if (!f->hits.n)
		app_message(app, false,
		    "/%s: no name %sbegins with this (case-sensitive); full search after loading", f->text,
		    of);
}

bool app_early_find_take(struct app *app)
{
	struct early_find *f = &app->p->find;
	struct loader_found *found = loader_found(app->p->loader);
	bool ours = found && f->text && !strcmp(found->want.text, name_of(f));

	if (ours) {
		f->waits = false;
		f->hits = found->hits;
		if (f->hits.n && f->steps)
			step_on(app, f->hits.at);
		else if (f->hits.n)
			go_to_hit(app);
		tell_problem(app);
		app->p->dirty = true;
	}
	free(found);
	return ours;
}

/* --- keys --- */

bool app_early_find_act(struct app *app, enum action a)
{
	struct app_private *p = app->p;
	struct view *v = app_early_view(app);
	char of[160];

	if (!v || !loader_can_find(p->loader))
		return false;
	if (a == ACT_FIND) {
		prompt_open(&p->prompt, '/', &p->patterns);
		app_early_of(app, of, sizeof of);
		snprintf(p->prompt.hint, sizeof p->prompt.hint,
		    "while loading: names %sthat begin with this, case-sensitive", of);
		app_early_moved(app);
	} else if ((a == ACT_FIND_NEXT || a == ACT_FIND_PREV) && p->find.text) {
		p->find.steps += a == ACT_FIND_NEXT ? 1 : -1;
		if (!p->find.waits && p->find.hits.n)
			step_on(app, cursor_of(v));
	} else {
		return a == ACT_BACK && app_early_find_end(app);
	}
	p->dirty = true;
	return true;
}

void app_early_find_status(const struct app *app, char *buf, size_t size)
{
	const struct early_find *f = &app->p->find;
	char rank[32], n[32], of[160];

	*buf = '\0';
	app_early_of(app, of, sizeof of);
	if (f->waits)
		snprintf(buf, size, "searching names %sthat begin with this", of);
	else if (f->hits.n)
		snprintf(buf, size, "hit %s of %s%s in names %sthat begin with this",
		    units_count(rank, sizeof rank, f->hits.rank), units_count(n, sizeof n, f->hits.n),
		    f->hits.problem.status ? " or more" : "", of);
}

/* --- when all is there --- */

void app_early_find_go_on(struct app *app)
{
	struct early_find f = app->p->find;
	struct view *v = app->p->overlay ? NULL : app_here(app);
	bool stays = v && (f.waits || !f.hits.n || cursor_of(v) == (uint64_t)moment_of(&f));

	app->p->find = (struct early_find){ .text = NULL };
	if (f.text && stays && v->ops->scope == SCOPE_TIMELINE)
		app_search(app, f.text);
	else if (f.text && v)
		app_message(app, false, "loading is done: n searches /%s in all events", f.text);
	free(f.text);
}
