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
#define LEVEL 2 /* all that is known of a job */
#define ATTEMPTS 3
#define GRACE_S 300

/* The logdir of the run on the screen; NULL: it is in none.  The caller frees. */
static char *logdir_here(const struct app *app)
{
	const struct dump *d = app->cap->dump;
	const char *dir = d && d->nruns ? d->runs[d->run].dir : NULL;
	const char *end = dir ? strstr(dir, "/plugins/profile/") : NULL;

	return end ? xstrndup(dir, (size_t)(end - dir)) : NULL;
}

static void open_captured(struct app *app, int picked)
{
	struct chosen run = { .paths = xcalloc(1, sizeof *run.paths), .n = 1 };

	(void)picked;
	app_overlay_end(app);
	run.paths[0] = app->p->captured;
	app->p->captured = NULL;
	app_open_again(app, &run);
}

static void show_overlay(struct app *app, struct overlay *o, const struct err *err)
{
	if (!o)
		app_error(app, "%s", err->msg);
	else
		app_overlay_open(app, o);
	app->p->next_progress = 0;
}

/* Returns the options of the last capture, else the usual ones. */
static struct capture_wish wish_here(const struct app *app)
{
	struct capture_wish w = app->p->wish;
	char *logdir = logdir_here(app);

	if (!w.duration_ms)
		w = (struct capture_wish){ .servers = SERVER,
			.duration_ms = DURATION_MS,
			.host_level = 2,
			.device_level = 1 };
	if (!*w.logdir && logdir)
		snprintf(w.logdir, sizeof w.logdir, "%s", logdir);
	free(logdir);
	return w;
}

static void take_capture(struct app *app, int picked)
{
	struct err err = { 0 };

	(void)picked;
	show_overlay(app, overlay_capture(&app->p->wish, &app->p->captured, open_captured, &err), &err);
}

void app_capture(struct app *app, const char *arg)
{
	struct capture_wish w = wish_here(app);
	int n = sscanf(arg, "%299s %9d %399[^\n]", w.servers, &w.duration_ms, w.logdir);

	if (n < 1 || w.duration_ms < 1 || w.duration_ms > LONGEST_MS) {
		app_error(app, "capture HOST:PORT MS DIR, for example capture " SERVER " 1000 /tmp/log");
	} else if (!*w.logdir) {
		app_error(app, "which folder? For example :capture %.100s %d /tmp/log", w.servers,
		    w.duration_ms);
	} else {
		app->p->wish = w;
		take_capture(app, 0);
	}
}

void app_chips(struct app *app, const char *arg)
{
	struct app_live what = { .servers = *arg ? arg : CHIPS, .interval_ms = CHIPS_MS };
	struct err err = { 0 };

	show_overlay(app, overlay_chips(&what, &err), &err);
}

/* Watches the servers that were captured last, unless others are named, until it is closed. */
void app_monitor(struct app *app, const char *arg)
{
	struct capture_wish w = wish_here(app);
	struct app_live what = { .servers = *arg ? arg : w.servers,
		.monitor = true,
		.level = LEVEL,
		.duration_ms = DURATION_MS,
		.attempts = ATTEMPTS,
		.grace_s = GRACE_S };
	struct err err = { 0 };

	show_overlay(app, overlay_monitor(&what, &err), &err);
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
	struct err err = { 0 };

	app->p->wish = wish_here(app);
	show_overlay(app, overlay_dialog(&app->p->wish, take_capture, &err), &err);
}
