#include "config.h"
#include "app/internal.h"

#include <stdio.h>
#include <string.h>

#include "analyze/device/peaks.h"
#include "base/text/words.h"
#include "base/text/digit.h"
#include "core/input/command.h"

static void do_view(struct app *app, const char *arg)
{
	struct view *v = app_view(app, arg);

	if (v)
		app_switch(app, (size_t)(v - app->views));
	else if (app_view_ops(arg))
		app_no_view(app, arg);
	else
		app_error(app, "unknown view '%s'; Tab lists them", arg);
}

/* The timeline handles a change of clock itself, because its cursor and window move with it. */
void set_clock(struct app *app, const char *value)
{
	struct view *v = app_view(app, "timeline");
	bool device = !strcmp(value, "device");

	if (!v || !app->cap->clocks.any_differs) {
		app_say(app, "this capture has only one clock");
		return;
	}
	app_switch(app, (size_t)(v - app->views));
	if ((app->cap->clocks.in_use == CLOCK_DEVICE) != device)
		app_action(app, ACT_CLOCK, 1);
}

void set_redraw(struct app *app, const char *value)
{
	(void)value;
	app_layout(app);
}

/* Results that depend on the peaks are computed again. */
void set_peaks(struct app *app, const char *value)
{
	struct load_options *load = &app->p->load;

	if (peaks_parse(value, &load->peak_flops, &load->peak_hbm))
		load->peak_flops = load->peak_hbm = 0;
	app_reload(app, NULL);
}

void set_state(struct app *app, const char *value)
{
	app_say(app,
	    strcmp(value, "on") ? "position will not be saved on quitting"
				: "position will be saved on quitting");
}

static void do_set(struct app *app, const char *arg)
{
	char name[SETTING_MAX + 1], now[SETTING_MAX + 1];
	const char *value = arg + strcspn(arg, " ");
	struct err err = { .at = ERR_NOWHERE };
	enum setting s;

	snprintf(name, sizeof name, "%.*s", (int)(value - arg), arg);
	value += strspn(value, " ");
	s = setting_by_name(name);
	if (s != SET_COUNT && !*value) {
		snprintf(now, sizeof now, "%s", settings_get(&app->settings, s));
		app_say(app, "%s is %s — %s: %s", name, now, setting_info[s].help, setting_info[s].values);
	} else if (settings_put(&app->settings, name, value, SET_BY_USER, &err)) {
		app_error(app, "%s", err.msg);
	} else {
		setting_info[s].apply(app, value);
		app->p->dirty = true;
	}
}

/* `bind SCOPE KEY` without an action says what the key does. */
static void do_bind(struct app *app, const char *arg)
{
	char w[3][KEYMAP_WORD];
	const char *s = w[1];
	enum scope scope;
	struct key key;
	struct err err = { .at = ERR_NOWHERE };

	if (keymap_words(arg, w, 3) == 2 && (scope = scope_by_name(w[0])) != SCOPE_COUNT &&
	    !key_parse(&s, &key) && !*s) {
		enum action a = keymap_action(&app->keymap, scope, key);

		app_say(app, "%s %s: %s", w[0], w[1], a ? action_info[a].name : "none");
	} else if (keymap_line(&app->keymap, "bind", arg, &err)) {
		app_error(app, "%s", err.msg);
	}
}

static void do_unbind(struct app *app, const char *arg)
{
	struct err err = { .at = ERR_NOWHERE };

	if (keymap_line(&app->keymap, "unbind", arg, &err))
		app_error(app, "%s", err.msg);
}

static void do_keys(struct app *app, const char *arg)
{
	struct err err = { .at = ERR_NOWHERE };

	if (keymap_preset(&app->keymap, arg, &err))
		app_error(app, "%s", err.msg);
}

static void do_goto(struct app *app, const char *arg)
{
	struct view *here = app_here(app), *v = here->ops->place ? here : app_opened(app, "timeline");
	struct err err = { .at = ERR_NOWHERE };
	struct ref ref;

	if (!v)
		app_error(app, "this capture has no data for the timeline");
	else if (v->ops->place(v, arg, &ref, &err))
		app_error(app, "%s", err.msg);
	else if (app_go(app, v->ops->id, &ref))
		app_error(app, "%s is on a hidden row", arg);
}

/* Runs the text as a query over the stats of all events. */
static void do_find_args(struct app *app, const char *arg)
{
	char text[2 * PROMPT_MAX + 16] = "arg~\"";
	size_t n = strlen(text);

	for (; *arg && n + 4 < sizeof text; arg++) {
		if (*arg == '"' || *arg == '\\')
			text[n++] = '\\';
		text[n++] = *arg;
	}
	memcpy(text + n, "\"", 2);
	app_search(app, text);
}

/* The view has the command itself. */
static void do_sql(struct app *app, const char *arg)
{
	struct view *v = app_opened(app, "sql");

	if (v && !app_go(app, "sql", NULL))
		v->ops->command(v, "sql", arg);
}

static void (*const commands[DO_COUNT])(struct app *, const char *arg) = {
	[DO_VIEW] = do_view,
	[DO_SET] = do_set,
	[DO_BIND] = do_bind,
	[DO_UNBIND] = do_unbind,
	[DO_KEYS] = do_keys,
	[DO_EXPORT] = app_export,
	[DO_AGAINST] = app_against,
	[DO_SQL] = do_sql,
	[DO_CAPTURE] = app_capture,
	[DO_CHIPS] = app_chips,
	[DO_MONITOR] = app_monitor,
	[DO_GOTO] = do_goto,
	[DO_FIND_ARGS] = do_find_args,
};

bool command_applies(const struct app *app, enum scope scope)
{
	return scope == SCOPE_ALL || scope == app_scope(app);
}

bool action_applies(const struct app *app, enum action a)
{
	return command_applies(app, action_info[a].scope) || keymap_has(&app->keymap, app_scope(app), a);
}

static void do_action(struct app *app, enum action a)
{
	char where[200] = "";

	for (int i = 0; i < SCOPE_COUNT; i++)
		if (keymap_has(&app->keymap, (enum scope)i, a))
			words_add(where, sizeof where, ", ", scope_title[i]);
	if (!action_applies(app, a))
		app_error(app, "%s works only in %s", action_info[a].name, where);
	else
		app_action(app, a, 1);
}

/* A command that only the view on the screen has. */
static bool own_command(struct app *app, const char *name, const char *arg)
{
	struct view *v = app_here(app);

	if (!v || !v->ops->command || v->ops->command(v, name, arg))
		return false;
	app->p->dirty = app->p->working = true;
	return true;
}

static void do_command(struct app *app, enum command_id id, const char *arg)
{
	const struct command_info *c = &command_info[id];

	if (!command_applies(app, c->scope))
		app_error(app, "%s works only in %s", c->name, scope_title[c->scope]);
	else if ((*arg || *c->arg == '[') && commands[id])
		commands[id](app, arg);
	else if (*arg)
		app_error(app, "cannot run ':%s %s' here", c->name, arg);
	else
		app_error(app, "usage: :%s %s", c->name, c->arg);
}

/* Copies the first word of a line; returns what follows. */
static const char *split_command(const char *line, char *name, size_t size)
{
	size_t n;

	line += strspn(line, " ");
	n = strcspn(line, " ");
	snprintf(name, size, "%.*s", (int)(n < size ? n : size - 1), line);
	return line + n + strspn(line + n, " ");
}

/* ACT_NONE: no action is called so. */
static enum action action_called(const char *name)
{
	return action_by_name(!strcmp(name, "q") ? "quit" : name);
}

/* While a capture is loaded, what is there already takes some actions and places; all else waits for the rest. */
static void loading_command(struct app *app, enum action a, enum command_id id, const char *arg,
    const char *line)
{
	struct err err = { .at = ERR_NOWHERE };

	if (a != ACT_NONE && !*arg && (app_loading_act(app, a) || app_early_act(app, a)))
		return;
	if (*arg && id == DO_GOTO && app_early_view(app) && !app_early_goto(app, arg, &err))
		return;
	if (err.status == EXIT_USAGE) {
		app_error(app, "%s", err.msg);
		return;
	}
	if (!err.status) {
		free(app->p->command);
		app->p->command = xstrdup(line);
		snprintf(err.msg, sizeof err.msg, "':%.60s' waits", line);
	}
	app_loading_message(app, err.msg);
}

void app_waiting_command(struct app *app)
{
	char *line = app->p->command;

	app->p->command = NULL;
	if (line && app_here(app))
		app_command(app, line);
	free(line);
}

/* Does it work over a screen in place of a view, and while a capture is loaded? */
static bool is_about_program(enum command_id id)
{
	return id == DO_SET || id == DO_BIND || id == DO_UNBIND || id == DO_KEYS || id == DO_CHIPS ||
	    id == DO_MONITOR;
}

void app_command(struct app *app, const char *line)
{
	char name[64];
	const char *arg = split_command(line, name, sizeof name);
	enum action a = action_called(name);
	enum command_id id = command_by_name(name);

	if (!*name)
		return;
	if (app_screen(app) && a != ACT_QUIT && id != DO_CAPTURE && !is_about_program(id)) {
		app_error(app, "':%s' needs a view: close this first", name);
		return;
	}
	if (line[strspn(line, " .")] == '!') {
		line += strspn(line, " ");
		if (app_here(app))
			app_shell(app, line + 1 + (*line == '.'), *line == '.');
		return;
	}
	if (own_command(app, name, arg)) /* the timeline's :goto also takes marks */
		return;
	if (app->p->loader && (a != ACT_NONE || (id != DO_COUNT && !is_about_program(id))))
		loading_command(app, a, id, arg, line);
	else if (a != ACT_NONE && (id == DO_COUNT || !*arg))
		do_action(app, a);
	else if (id != DO_COUNT)
		do_command(app, id, arg);
	else if (is_digit(*name))
		app_error(app, "unknown command '%s'; usage: :goto %s", name, name);
	else if (!strcmp(name, "diff"))
		app_error(app, "unknown command 'diff'; :against PATH compares");
	else if (app_view_ops(name))
		app_error(app, "unknown command '%s'; :view %s goes to that view", name, name);
	else
		app_error(app, "unknown command '%s'; Tab lists them", name);
}
