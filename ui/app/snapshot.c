#include "config.h"
#include "app/internal.h"
#include "core/jump.h"

#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

/* Does all work of the view and its jobs, as if the user had waited. */
static void finish_work(struct app *app)
{
	do {
		struct view *v = app_here(app);

		while (v && v->opened && v->ops->step && v->ops->step(v, STEP_BUDGET_MS))
			;
	} while (jobs_finish(app) || jump_due(app) || app_leave_empty(app) || app_export_due(app) ||
	    app_against_due(app));
	app->p->working = false;
}

/* Drawing makes a view ask for results and sets its page length, so draw, work and draw again. */
void app_settle(struct app *app)
{
	do {
		finish_work(app);
		app_draw(app);
	} while (jobs_awaited(app));
}

void app_play_key(struct app *app, struct key key)
{
	app_key(app, key);
	app_flush(app);
	if (app->p->loader) { /* a reload */
		struct err err;
		struct capture *c = loader_finish(app->p->loader, &err);

		app->p->loader = NULL;
		app_take(app, c, &err);
	}
	app_settle(app);
}

static int play_keys(struct app *app, const char *keys, struct err *err)
{
	struct key key;

	app_settle(app);
	for (const char *s = keys ? keys : ""; *s && !app->p->quit;) {
		const char *at = s;

		if (key_parse(&s, &key))
			return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--keys: not a key: %.20s", at);
		app_play_key(app, key);
	}
	return 0;
}

void app_write_page(struct app *app, const struct canvas *c, enum shot_form form, FILE *out)
{
	const struct view *v = app_here(app);
	char *title = xasprintf("tpuscope: %s", v ? v->ops->title : "no view"), *command = place_command(app);

	canvas_page(c, form, title, command, out);
	free(command);
	free(title);
}

static int write_frame(struct app *app, int colors, enum shot_form form, FILE *out, struct err *err)
{
	struct app_private *p = app->p;
	bool failed;

	app_draw(app);
	p->term->ops->draw(p->term, &p->canvas, 0);
	if (form) {
		app_write_page(app, term_null_frame(p->term), form, out);
		failed = ferror(out);
	} else {
		size_t len;
		char *text = canvas_dump(term_null_frame(p->term), colors, &len);

		failed = fwrite(text, 1, len, out) != len;
		free(text);
	}
	return failed ? err_set(err, EXIT_NOTHING, ERR_NOWHERE, "cannot write the frame: %s", strerror(errno))
		      : 0;
}

/* A place that findings do not know, or that its view does not show. */
static bool misses_where(const struct app *app, struct err *err)
{
	return app->opt->where && !app->p->where_there &&
	    err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", app->message);
}

int app_snapshot(const struct app_options *o, const char *view, const char *keys, int rows, int cols,
    int colors, enum shot_form form, FILE *out, struct err *err)
{
	struct app_options opt = *o;
	struct theme_ground paper = { .colors = colors, .unicode = !strcmp(nl_langinfo(CODESET), "UTF-8") };
	struct term *term;
	struct capture *c;
	struct app app;
	int status = -1;

	opt.view = view;
	if (app_check_options(&opt, err))
		return -1;
	if (!(c = load_now(&opt, &opt.load, NULL, err)))
		return -1;
	term = term_null_open(rows, cols);
	app_begin(&app, &opt, term, themes[0], &glyphs_ascii);
	look_open(&app, &paper);
	if (o->place)
		app_session_open(&app, false);
	app_take(&app, c, NULL);
	if (o->against)
		app_settle(&app);
	if (view && !app_view(&app, view) && o->against && app.message_error)
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", app.message);
	else if (view && !o->where && !app_view(&app, view))
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no data for the %s view", app_view_ops(view)->title);
	else if (!play_keys(&app, keys, err) && !misses_where(&app, err) &&
	    !write_frame(&app, colors, form, out, err))
		status = app.cap->dump ? dump_status(app.cap->dump) : EXIT_OK;
	app_end(&app);
	term->ops->close(term);
	return status;
}
