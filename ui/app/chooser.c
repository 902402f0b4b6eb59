#include "config.h"
#include "app/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/results.h"

void app_menu(struct app *app, const char *title, const struct menu_item *items, int n, int here,
    void (*on_pick)(struct app *, int))
{
	app_overlay_open(app, overlay_menu(title, items, n, here, on_pick));
	app->p->dirty = true;
}

static void picked_view(struct app *app, int i)
{
	app_switch(app, (size_t)i);
}

void app_choose_view(struct app *app)
{
	struct menu_item *items = xcalloc(app->nviews + 1, sizeof *items);

	for (size_t i = 0; i < app->nviews; i++)
		items[i] =
		    (struct menu_item){ app->views[i].ops->letter, app->views[i].ops->title, "", NULL };
	app_overlay_open(app, overlay_menu("views", items, (int)app->nviews, (int)app->current, picked_view));
	free(items);
}

static void picked_run(struct app *app, int i)
{
	if ((size_t)i < app->cap->dump->nruns && (size_t)i != app->cap->dump->run)
		app_remember_run(app);
	if ((size_t)i < app->cap->dump->nruns)
		app_reload(app, app->cap->dump->runs[i].name);
	else
		app_join_runs(app);
}

/* "newest, 2026-05-03 09:00" */
static char *run_note(const struct dump *d, size_t i)
{
	const char *is = i == d->run ? "open" : d->runs[i].other_hosts ? "same job?" : i ? "" : "newest";
	time_t t = (time_t)d->runs[i].began;
	char when[32] = "";
	struct tm tm;

	if (t && localtime_r(&t, &tm))
		strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm);
	return xasprintf("%s%s%s", is, *is && *when ? ", " : "", when);
}

void app_choose_run(struct app *app)
{
	const struct dump *d = app->cap->dump;
	struct menu_item *items;
	char **note;
	int n = 0;

	if (d->nruns < 2) {
		app_say(app,
		    d->nruns ? "this logdir has only one run" : "no runs to choose from: not a logdir");
		return;
	}
	items = xcalloc(d->nruns + 1, sizeof *items);
	note = xcalloc(d->nruns, sizeof *note);
	for (size_t i = 0; i < d->nruns; i++) {
		note[i] = run_note(d, i);
		items[n++] = (struct menu_item){ 0, d->runs[i].name, note[i], NULL };
	}
	if (dump_more_runs(d))
		items[n++] = (struct menu_item){ 'j', "all of this job", "together", NULL };
	app_overlay_open(app, overlay_menu("runs", items, n, (int)d->run, picked_run));
	for (size_t i = 0; i < d->nruns; i++)
		free(note[i]);
	free(note);
	free(items);
}

static void picked_host(struct app *app, int i)
{
	results_forget(app); /* first, because a job may read the scope */
	app->cap->scope.host = i - 1;
	app_devices(app);
	app_layout(app);
}

void app_choose_host(struct app *app)
{
	const struct dump *d = app->cap->dump;
	struct menu_item *items;
	char(*names)[160];

	if (d->nhosts < 2) {
		app_say(app, d->nhosts ? "this capture has only one host" : "this capture has no host names");
		return;
	}
	items = xcalloc(d->nhosts + 1, sizeof *items);
	names = xcalloc(d->nhosts, sizeof *names);
	items[0] = (struct menu_item){ 'a', "all", "", NULL };
	for (size_t i = 0; i < d->nhosts; i++) {
		snprintf(names[i], sizeof *names, "%.*s", (int)dump_host_label(d, (int)i).n,
		    dump_host_label(d, (int)i).s);
		items[i + 1] = (struct menu_item){ 0, names[i], "", NULL };
	}
	app_overlay_open(app,
	    overlay_menu("hosts", items, (int)d->nhosts + 1, app->cap->scope.host + 1, picked_host));
	free(names);
	free(items);
}

/* --- all actions --- */

enum { KEYS_SHOWN = 2, KEYS_TEXT = 40 };

static void picked_action(struct app *app, int i)
{
	app_action(app, app->p->menu_actions[i], 1);
}

/* Appends the actions of a scope that have a key here; the view's own come first. */
static int list_actions(struct app *app, enum scope scope, struct menu_item *items, char (*notes)[KEYS_TEXT],
    int n)
{
	enum scope here = app_scope(app);
	struct key keys[KEYS_SHOWN];
	char one[32];

	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		size_t nkeys = keymap_keys(&app->keymap, (enum action)a, here, keys, KEYS_SHOWN);

		if (!keymap_has(&app->keymap, scope, a) || a == ACT_ACTIONS || (!nkeys && scope != here))
			continue;
		notes[n][0] = 0;
		for (size_t k = 0; k < nkeys; k++)
			snprintf(notes[n] + strlen(notes[n]), KEYS_TEXT - strlen(notes[n]), "%s%s",
			    k ? " " : "  ", key_show(keys[k], one, sizeof one));
		items[n] = (struct menu_item){ 0, action_info[a].help, notes[n], action_info[a].name };
		app->p->menu_actions[n++] = (enum action)a;
	}
	return n;
}

void app_choose_action(struct app *app)
{
	struct menu_item *items = xcalloc(ACT_COUNT, sizeof *items);
	char(*notes)[KEYS_TEXT] = xcalloc(ACT_COUNT, sizeof *notes);
	int n = list_actions(app, app_scope(app), items, notes, 0);

	if (app_scope(app) != SCOPE_ALL)
		n = list_actions(app, SCOPE_ALL, items, notes, n);
	app_menu(app, "actions", items, n, 0, picked_action);
	free(notes);
	free(items);
}
