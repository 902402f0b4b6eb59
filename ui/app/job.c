/* Running jobs: what is captured of them opens in place of the capture on the screen. */
#include "config.h"
#include "app/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "job/job.h"

#define DURATION_MS 1000
#define LONGEST_MS 86400000
#define SERVER "localhost:9012"
#define CHIPS "localhost:8431"
#define CHIPS_MS 1000

/* The logdir of the run on the screen; NULL: it is in none.  The caller frees. */
static char *logdir_here(const struct app *app)
{
	const struct dump *d = app->dump;
	const char *dir = d && d->nruns ? d->runs[d->run].dir : NULL;
	const char *end = dir ? strstr(dir, "/plugins/profile/") : NULL;

	return end ? xstrndup(dir, (size_t)(end - dir)) : NULL;
}

static void open_captured(struct app *app, int picked)
{
	struct app_private *p = app->p;

	(void)picked;
	app_overlay_end(app);
	app_joined_forget(app);
	p->joined = xcalloc(1, sizeof *p->joined);
	p->joined[p->njoined++] = p->captured;
	p->captured = NULL;
	app_open_again(app, false);
}

static void show_overlay(struct app *app, struct overlay *o, const struct err *err)
{
	if (!o)
		app_message(app, true, "%s", err->msg);
	else
		app_overlay_open(app, o);
	app->p->next_progress = 0;
}

void app_capture(struct app *app, const char *arg)
{
	char server[300] = "", dir[400] = "";
	int ms = DURATION_MS, n = sscanf(arg, "%299s %d %399[^\n]", server, &ms, dir);
	char *logdir = *dir ? xstrdup(dir) : logdir_here(app);
	struct err err = { 0 };

	if (n < 1 || ms < 1 || ms > LONGEST_MS)
		app_message(app, true,
		    "capture HOST:PORT MS DIR, for example capture " SERVER " 1000 /tmp/log");
	else if (!logdir)
		app_message(app, true, "where to? For example :capture %.100s %d /tmp/log", server, ms);
	else
		show_overlay(app, overlay_capture(server, logdir, ms, &app->p->captured, open_captured, &err),
		    &err);
	free(logdir);
}

void app_chips(struct app *app, const char *arg)
{
	struct app_live what = { .servers = *arg ? arg : CHIPS, .interval_ms = CHIPS_MS };
	struct err err = { 0 };

	show_overlay(app, overlay_chips(&what, &err), &err);
}

void app_watch_job(struct app *app)
{
	struct app_private *p = app->p;

	show_overlay(app,
	    (app->opt->live->monitor ? overlay_monitor : overlay_chips)(app->opt->live, &p->err), &p->err);
	if (p->overlay)
		return;
	p->status = -1;
	p->quit = true;
}

void app_capture_ask(struct app *app)
{
	struct prompt *p = &app->p->prompt;

	prompt_open(p, ':', &app->p->commands);
	prompt_set(p, "capture " SERVER " 1000 ");
	app->p->dirty = true;
}
