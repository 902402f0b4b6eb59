#include "config.h"
#include "app/session.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/internal.h"
#include "base/mem.h"
#include "core/state.h"

#define FOR_ALL "all." /* before the choices in the text of a place */

struct session {
	char *path, head[STATE_HEAD];
	struct kv was; /* as saved; views restore their part when they open */
	struct kv begin;
	bool stored; /* in a file */
	bool placed; /* the place of the command line was taken */
	bool begun;  /* `begin` holds the state before the first action */
};

static void put_history(struct kv *kv, const char *name, const struct history *h)
{
	for (size_t i = 0; i < h->n; i++)
		kv_put(kv, name, h->v[i]);
}

static void get_history(const struct kv *kv, const char *name, struct history *h)
{
	const char *line;

	if (h->n) /* typed before this capture was there */
		return;
	for (size_t i = 0; (line = kv_next(kv, name, &i)) && h->n < HISTORY_MAX;)
		h->v[h->n++] = xstrndup(line, PROMPT_MAX);
}

static void prefix_of(const struct view_ops *ops, char *buf, size_t size)
{
	snprintf(buf, size, "%s.", ops->id);
}

static void put_host(struct kv *kv, const struct app *app)
{
	const struct dump *d = app->cap->dump;
	char *name;

	if (app->cap->scope.host < 0 || app->cap->scope.host >= (int)d->nhosts)
		return;
	name = xstrndup(strtab_str(&d->str, d->hosts[app->cap->scope.host].name),
	    strtab_len(&d->str, d->hosts[app->cap->scope.host].name));
	kv_put(kv, "host", name);
	free(name);
}

static void put_choice(struct kv *kv, const struct app *app)
{
	put_host(kv, app);
	if (app->cap->scope.op_core >= 0)
		kv_put_int(kv, "core", app->cap->scope.op_core);
	if (app->cap->scope.program)
		kv_putf(kv, "program", "%" PRIu64, app->cap->scope.program);
}

static void get_host(const struct kv *kv, struct app *app)
{
	const struct dump *d = app->cap->dump;
	const char *name = kv_get(kv, "host");

	for (size_t i = 0; name && d->nhosts > 1 && i < d->nhosts; i++)
		if (strlen(name) == strtab_len(&d->str, d->hosts[i].name) &&
		    !memcmp(name, strtab_str(&d->str, d->hosts[i].name), strlen(name)))
			app->cap->scope.host = (int)i;
}

static void get_choice(const struct kv *kv, struct app *app)
{
	const char *program = kv_get(kv, "program");
	int64_t core;

	get_host(kv, app);
	if (kv_get_int(kv, "core", &core) && core >= 0 && core <= INT_MAX)
		app->cap->scope.op_core = (int)core;
	if (program)
		app->cap->scope.program = strtoull(program, NULL, 10);
}

/* Collects the state of all views; those never opened keep what was saved of them. */
static void collect_state(struct app *app, struct kv *out)
{
	struct view *here = app_here(app);
	char prefix[40];

	if (here)
		kv_put(out, "view", here->ops->id);
	put_choice(out, app);
	for (size_t i = 0; view_list[i]; i++) {
		struct view *v = app_view(app, view_list[i]->id);
		struct kv part = { 0 };

		prefix_of(view_list[i], prefix, sizeof prefix);
		if (v && v->opened && v->ops->save)
			v->ops->save(v, &part);
		else
			kv_part(&app->p->session->was, prefix, &part);
		kv_add(out, prefix, &part);
		kv_free(&part);
	}
	put_history(out, "command", &app->p->commands);
	put_history(out, "search", &app->p->patterns);
}

void app_session_open(struct app *app, bool stored)
{
	app->p->session = xcalloc(1, sizeof *app->p->session);
	app->p->session->stored = stored;
}

void app_session_here(struct app *app, struct kv *out)
{
	struct view *v = app_here(app);
	struct kv choice = { 0 };

	put_choice(&choice, app);
	kv_add(out, FOR_ALL, &choice);
	kv_free(&choice);
	if (v && v->opened && v->ops->save)
		v->ops->save(v, out);
}

/* Is it a choice for all views, rather than the state of one? */
static bool is_choice(const char *name)
{
	return !strcmp(name, "host") || !strcmp(name, "core") || !strcmp(name, "program");
}

/* Puts the place of the command line before what was saved: the state of its view, and the choices. */
static void take_place(struct app *app)
{
	struct session *s = app->p->session;
	struct kv place = { 0 }, all = { 0 };
	const char *view = app->opt->view;
	size_t n = strlen(view);

	kv_read_line(&place, app->opt->place);
	for (size_t i = 0; i < place.n; i++) {
		const char *name = place.v[i].name;
		bool all_views = !strncmp(name, FOR_ALL, sizeof FOR_ALL - 1);
		char *whole = all_views ? xstrdup(name + sizeof FOR_ALL - 1) : xasprintf("%s.%s", view, name);

		kv_put(&all, whole, place.v[i].value);
		free(whole);
	}
	for (size_t i = 0; i < s->was.n; i++) {
		const struct kv_pair *p = &s->was.v[i];

		if (!is_choice(p->name) && (strncmp(p->name, view, n) || p->name[n] != '.'))
			kv_put(&all, p->name, p->value);
	}
	kv_free(&s->was);
	kv_free(&place);
	s->was = all;
	s->placed = true;
}

static void forget_session(struct session *s)
{
	kv_free(&s->was);
	kv_free(&s->begin);
	free(s->path);
	*s = (struct session){ .stored = s->stored, .placed = s->placed };
}

/* Reads what was saved of this capture. */
static void read_session(struct app *app)
{
	struct session *s = app->p->session;
	uint64_t id;

	state_head(app->cap->dump, s->head, &id);
	s->path = state_path(id); /* also while nothing is saved: that may be switched on */
	if (!s->path || !settings_on(&app->settings, SET_STATE))
		return;
	if (state_read(s->path, s->head, &s->was) == STATE_OTHER)
		app_say(app, "saved position ignored: it is from another capture or version");
	get_history(&s->was, "command", &app->p->commands);
	get_history(&s->was, "search", &app->p->patterns);
}

void app_session_begin(struct app *app)
{
	struct session *s = app->p->session;

	if (!s || s->was.n || app->cap->dump->canceled)
		return;
	forget_session(s);
	if (s->stored)
		read_session(app);
	if (app->opt->place && !s->placed && !app_against_swapped(app))
		take_place(app);
	get_choice(&s->was, app);
}

const char *app_session_view(const struct app *app)
{
	const char *id = app->p->session ? kv_get(&app->p->session->was, "view") : NULL;

	return id && app_view_ops(id) ? id : NULL;
}

/* Says that the position was restored, but not after a reload. */
static void say_restored(struct app *app, const struct view *v, const struct kv *was)
{
	char whole[32], all[32], hidden[80] = "";
	size_t n = 0;

	if (*app->message || app->p->session->begun || !app->p->session->stored)
		return;
	for (size_t i = 0; kv_next(was, "hide", &i);)
		n++;
	keymap_key_text(&app->keymap, ACT_SHOW_ALL, v->ops->scope, all, sizeof all);
	if (n)
		snprintf(hidden, sizeof hidden, ", %zu track%s hidden: %s shows all", n, n == 1 ? "" : "s",
		    all);
	if (v->ops->scope == SCOPE_TIMELINE)
		app_say(app, "position restored (%s shows the whole trace)%s",
		    keymap_key_text(&app->keymap, ACT_WHOLE, v->ops->scope, whole, sizeof whole), hidden);
	else
		app_say(app, "position restored");
}

void app_session_restore(struct app *app, struct view *v)
{
	struct session *s = app->p->session;
	struct kv part = { 0 };
	char prefix[40];
	bool carried;

	if (!s || !v->ops->restore)
		return;
	carried = !strcmp(v->ops->id, "timeline") && app->p->carried.n;
	if (carried)
		kv_add(&part, "", &app->p->carried);
	prefix_of(v->ops, prefix, sizeof prefix);
	kv_part(&s->was, prefix, &part);
	if (part.n) {
		v->ops->restore(v, &part);
		if (!carried)
			say_restored(app, v, &part);
	}
	if (carried)
		kv_free(&app->p->carried);
	kv_free(&part);
}

void app_session_touch(struct app *app)
{
	struct session *s = app->p->session;

	if (!s || s->begun || !app_here(app))
		return;
	s->begun = true;
	collect_state(app, &s->begin);
}

/* A reload keeps everything; another run is another capture. */
void app_session_keep(struct app *app, bool same)
{
	struct session *s = app->p->session;
	struct kv now = { 0 };

	if (!s || !app_here(app))
		return;
	if (!same) {
		app_session_save(app);
		forget_session(s);
		app->cap->scope.op_core = -1;
		app->cap->scope.program = 0;
		return;
	}
	collect_state(app, &now);
	kv_free(&s->was);
	s->was = now;
}

void app_session_save(struct app *app)
{
	struct session *s = app->p->session;
	struct kv now = { 0 };

	if (!s || !s->path || !s->begun || !app_here(app) || !settings_on(&app->settings, SET_STATE))
		return;
	collect_state(app, &now);
	if (!kv_same(&now, &s->begin))
		/* failing to save the position is not worth an error on quitting */
		state_write(s->path, s->head, &now, NULL);
	kv_free(&now);
}

void app_session_free(struct session *s)
{
	if (s)
		forget_session(s);
	free(s);
}

void app_session_close(struct app *app)
{
	app_session_free(app->p->session);
	app->p->session = NULL;
}
