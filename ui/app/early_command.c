#include "config.h"
#include "app/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/input/command.h"

void app_early_command_end(struct app *app)
{
	free(app->p->wanted.line);
	app->p->wanted = (struct early_command){ .line = NULL };
}

bool app_early_waits(const struct app *app)
{
	return app->p->wanted.line && !app->p->wanted.jumps;
}

static void wait_for_rest(struct app *app, const char *line, bool jumps)
{
	app_early_command_end(app);
	app->p->wanted = (struct early_command){ xstrdup(line), jumps, app->keys };
}

static void try_jump(struct app *app, const char *line, const char *place)
{
	struct err err = { .at = ERR_NOWHERE };

	if (!app_early_view(app)) {
		wait_for_rest(app, line, false);
		app_message(app, false, "nothing is loaded yet; goes to %s once it is", place);
	} else if (app_early_goto(app, place, &err) && err.status == EXIT_USAGE) {
		app_message(app, true, "%s", err.msg);
	} else if (err.status) {
		wait_for_rest(app, line, true);
		app_message(app, false, "%s; goes there once it is loaded, any key cancels", err.msg);
	}
}

void app_early_command(struct app *app, const char *line)
{
	char name[64];
	const char *arg = command_split(line, name, sizeof name);
	enum action a = command_action(name);

	if (a != ACT_NONE && !*arg &&
	    (app_loading_act(app, a) || app_early_act(app, a) || app_early_find_act(app, a)))
		return;
	if (*arg && command_by_name(name) == DO_GOTO) {
		try_jump(app, line, arg);
		return;
	}
	wait_for_rest(app, line, false);
	app_message(app, false, ":%s is run once all is loaded", line);
}

static bool is_canceled(struct app *app)
{
	const struct early_command *c = &app->p->wanted;

	if (c->line && c->jumps && c->keys != app->keys)
		app_early_command_end(app);
	return !c->line;
}

void app_early_command_retry(struct app *app)
{
	struct err err = { .at = ERR_NOWHERE };
	const char *place;
	char name[64];

	if (is_canceled(app) || !app_early_view(app))
		return;
	place = command_split(app->p->wanted.line, name, sizeof name);
	if (!*place || command_by_name(name) != DO_GOTO || app_early_goto(app, place, &err))
		return;
	app_early_command_end(app);
	*app->message = '\0';
}

void app_early_command_run(struct app *app)
{
	char *line = is_canceled(app) ? NULL : app->p->wanted.line;

	app->p->wanted.line = NULL;
	if (!line)
		return;
	*app->message = '\0';
	app_command(app, line);
	free(line);
}
