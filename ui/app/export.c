/* Writing the view to a file: E and :export. */
#include "config.h"
#include "app/internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/file/outfile.h"
#include "core/document.h"
#include "core/job.h"
#include "core/results.h"
#include "view/frame.h"

enum { NAMES_TRIED = 1000 };

static const struct {
	const char *suffix;
	enum report_format format;
	enum shot_form page; /* of the whole screen */
} forms[] = {
	{ ".csv", REPORT_CSV, SHOT_NONE },
	{ ".json", REPORT_JSON, SHOT_NONE },
	{ ".txt", REPORT_TEXT, SHOT_NONE },
	{ ".svg", REPORT_TEXT, SHOT_SVG },
	{ ".html", REPORT_TEXT, SHOT_HTML },
	{ ".md", REPORT_TEXT, SHOT_MARKDOWN },
};
#define NFORMS (sizeof forms / sizeof *forms)

static size_t form_of(const char *path)
{
	size_t i = 0;

	while (i < NFORMS && !slice_ends(slice_of(path), forms[i].suffix))
		i++;
	return i;
}

/* Returns the form of the view that the end of the file's name asks for; NULL: none. */
static const struct view_form *own_form_of(const struct view *v, const char *path)
{
	const struct view_form *f = v->ops->forms;

	while (f && f->suffix && !slice_ends(slice_of(path), f->suffix))
		f++;
	return f && f->suffix ? f : NULL;
}

struct sheet *app_sheet(struct view *v)
{
	const struct frame_ops *f = v->ops->frame;
	struct sheet *s = f && f->sheet && frame_ready(v) ? f->sheet(v) : NULL;

	return s && s->table ? s : NULL;
}

/* As CSV, a sheet has the rows and columns that it shows, in their order. */
static int write_shown(struct view *v, const struct sheet *s, bool row, FILE *f, struct err *err)
{
	struct report *r = report_begin(f, REPORT_CSV, 0, v->ops->report, v->cap->dump);
	struct table t;

	sheet_shown(s, row, &t);
	report_whole(r, NULL, &t);
	table_free(&t);
	return report_end(r, err);
}

/* The report of a view, about what it shows. */
static const struct report_tool *begin_document(struct view *v, enum report_format format, const char *as,
    struct document *d)
{
	const struct sheet *s = app_sheet(v);

	*d = (struct document){ .report = v->ops->report,
		.options = { .format = format,
		    .as = as,
		    .host = capture_host(v->cap),
		    .core = -1,
		    .top = -1 },
		.screen = { .add = v->ops->add, .ctx = v, .csv = v->ops->table ? v->ops->table(v) : NULL } };
	if (s && s->filter)
		d->screen.filter = regex_pattern(s->filter);
	if (s && !s->tree.key) {
		d->screen.schema = s->table->schema;
		d->screen.rows = s->table->nrows;
		d->screen.row = s->order;
		d->screen.n = s->list.n;
	}
	if (v->ops->document)
		v->ops->document(v, d);
	return report_named(d->report);
}

/* Whether the table that is written as CSV is one that the view adds, so that the report is not needed. */
static bool adds_table(const struct view *v, const struct document *d)
{
	const struct view_table *t = v->ops->tables;

	if (d->options.format != REPORT_CSV || !d->screen.csv || !t)
		return false;
	while (t->schema && (!t->name || strcmp(t->name, d->screen.csv)))
		t++;
	return t->schema;
}

static int write_report(struct view *v, FILE *f, enum report_format format, const char *as, struct err *err)
{
	struct document d;
	const struct report_tool *tool = begin_document(v, format, as, &d);
	char *command = place_command(v->app);
	int bad;

	d.screen.command = command;
	d.options.screen = &d.screen;
	if (!tool || adds_table(v, &d)) /* no tool: all that it has are tables of the view */
		bad = report_end(report_open(&d.options, f, d.report, v->cap->base), err);
	else
		bad = tool->run(v->cap, &d.options, f, err) != EXIT_OK;
	arena_free(&d.text);
	free(command);
	return bad ? -1 : 0;
}

int export_write(struct view *v, FILE *f, enum report_format format, struct err *err)
{
	struct sheet *s = format == REPORT_CSV ? app_sheet(v) : NULL;

	if (format == REPORT_CSV && v->ops->frame && !frame_ready(v))
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "this view has nothing to show");
	return s ? write_shown(v, s, false, f, err) : write_report(v, f, format, NULL, err);
}

int export_row(struct view *v, FILE *f, struct err *err)
{
	struct sheet *s = app_sheet(v);

	return s && sheet_row(s) != SIZE_MAX
	    ? write_shown(v, s, true, f, err)
	    : err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no row of a table is selected");
}

static int write_export(struct view *v, const char *path, enum report_format format, struct err *err)
{
	const struct view_form *form = own_form_of(v, path);
	struct outfile out;
	int failed;

	if (outfile_open(&out, path, false, err))
		return -1;
	if (!form && forms[form_of(path)].page) {
		app_draw(v->app);
		app_write_page(v->app, &v->app->p->canvas, forms[form_of(path)].page, out.f);
		return outfile_close(&out, err);
	}
	failed = form ? write_report(v, out.f, format, form->as, err) : export_write(v, out.f, format, err);
	if (!failed)
		return outfile_close(&out, err);
	outfile_drop(&out);
	return -1;
}

/* --- names --- */

char *export_home(const char *path)
{
	const char *home = getenv("HOME");

	if (*path == '~' && (!path[1] || path[1] == '/') && home && *home)
		return xasprintf("%s%s", home, path + 1);
	return xstrdup(path);
}

static bool is_there(const char *path)
{
	char *whole = export_home(path);
	struct stat st;
	bool there = strcmp(path, "-") && !lstat(whole, &st);

	free(whole);
	return there;
}

/* The name, or if it is taken the next that is free: ops.csv, ops-2.csv.  The caller frees. */
static char *free_name(const char *path, const char *suffix)
{
	size_t n = strlen(path) - strlen(suffix);
	char *name = xstrdup(path);

	for (int i = 2; i < NAMES_TRIED && is_there(name); i++) {
		free(name);
		name = xasprintf("%.*s-%d%s", (int)n, path, i, suffix);
	}
	return name;
}

static void export_typed(struct view *v, const char *path)
{
	app_export(v->app, path);
}

/* `taken`: a name that was typed and exists; NULL: proposes one. */
static void ask_name(struct view *v, const char *taken)
{
	const char *suffix = v->ops->table || app_sheet(v) ? ".csv" : ".txt";
	char *own = xasprintf("%s%s", v->ops->id, suffix), hint[200], *name;

	if (taken)
		suffix = own_form_of(v, taken) ? own_form_of(v, taken)->suffix : forms[form_of(taken)].suffix;
	name = free_name(taken ? taken : own, suffix);
	snprintf(hint, sizeof hint, "%s",
	    taken               ? "that file exists; this name is free"
		: v->ops->forms ? "or .dot, .hlo; .json, .txt with everything"
				: "or .json, .txt with everything; .svg, .html, .md: the screen");
	app_ask(v->app, EXPORT_PROMPT, "", hint, &v->app->p->exports, export_typed);
	prompt_propose(&v->app->p->prompt, name);
	free(name);
	free(own);
}

/* --- the key and the command --- */

static void say_written(struct view *v, const char *path, enum report_format format)
{
	struct sheet *s = format == REPORT_CSV ? app_sheet(v) : NULL;

	if (s)
		app_say(v->app, "table exported: %zu row%s to %s", s->list.n, s->list.n == 1 ? "" : "s",
		    path);
	else if (format == REPORT_CSV && v->ops->table)
		app_say(v->app, "table %s written to %s; .json or .txt would have all of the view",
		    v->ops->table(v), path);
	else
		app_say(v->app, "%s exported to %s", format == REPORT_CSV ? "table" : "view", path);
}

static void write_and_say(struct view *v, const char *path)
{
	bool own = own_form_of(v, path);
	enum report_format format = own ? REPORT_TEXT : forms[form_of(path)].format;
	struct err err = { .at = ERR_NOWHERE };
	char *whole = export_home(path);

	if (write_export(v, whole, format, &err))
		app_error(v->app, "%s: %s", strrchr(path, '/') ? strrchr(path, '/') + 1 : path, err.msg);
	else
		say_written(v, path, format);
	free(whole);
}

bool view_computes(const struct view *v)
{
	return v->ops->frame && !frame_ready(v) && jobs_awaited(v->app);
}

bool export_waits(struct view *v)
{
	struct document d;
	const struct report_tool *tool = begin_document(v, REPORT_TEXT, NULL, &d);
	unsigned results = tool ? tool->results : 0;

	arena_free(&d.text);
	return view_computes(v) || (results && !results_serial(v->app, results) && jobs_awaited(v->app));
}

bool app_export_due(struct app *app)
{
	struct app_private *p = app->p;
	char *path = p->export_path;

	if (!path || export_waits(&app->views[p->export_view]))
		return false;
	p->export_path = NULL;
	write_and_say(&app->views[p->export_view], path);
	free(path);
	p->dirty = true;
	return true;
}

bool app_export_cancel(struct app *app)
{
	bool was = app->p->export_path;

	free(app->p->export_path);
	app->p->export_path = NULL;
	return was;
}

void app_export(struct app *app, const char *path)
{
	struct view *v = app_here(app);

	if (!*path)
		return;
	if (!v || !v->ops->report) {
		app_error(app, "nothing to export here");
	} else if (form_of(path) == NFORMS && !own_form_of(v, path)) {
		app_error(app, "%s: the name must end in .csv, .json, .txt, .svg, .html or .md%s", path,
		    v->ops->forms ? ", or .dot or .hlo" : "");
	} else if (is_there(path)) {
		ask_name(v, path);
	} else {
		app_export_cancel(app);
		app->p->export_path = xstrdup(path);
		app->p->export_view = app->current;
		app_export_due(app);
	}
}

void app_export_ask(struct app *app)
{
	struct view *v = app_here(app);

	if (v && v->ops->report)
		ask_name(v, NULL);
	else
		app_say(app, "nothing to export here");
}
