/* Programs outside, which the helper starts (base/helper.h): the editor at the source line of what is selected, and
 * commands of the user, which get the table on the screen.  The screen is left while they run. */
#include "config.h"
#include "app/internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/helper.h"
#include "core/source.h"
#include "widget/sheet/sheet.h"

enum { NOT_STARTED = 127 };

static int ask_outside(struct app *app, enum helper_wish wish, int line, const char *text, const char *data,
    size_t n)
{
	struct term *t = app->p->term;
	int status;

	t->ops->leave(t);
	status = helper_ask(app->opt->helper, wish, line, text, data, n);
	t->ops->back(t);
	app_resized(app);
	return status;
}

/* --- the editor --- */

static const char *editor(void)
{
	const char *visual = getenv("VISUAL"), *other = getenv("EDITOR");

	return visual && *visual ? visual : other && *other ? other : "vi";
}

/* Why the file may not be the one that ran: nothing in a capture says which it was. */
static const char *doubt(const struct app *app, const char *path, const struct stat *st, int line)
{
	const struct dump *d = app->cap->dump;
	char place[HELPER_TEXT + 16], *text;
	struct stat capture;

	snprintf(place, sizeof place, "%s:%d", path, line);
	text = source_excerpt("", place);
	free(text);
	if (!text && st->st_size < SOURCE_MOST)
		return ": the file here has fewer lines, so it is not the one that ran";
	if (d->nfiles && d->files[0].path && !stat(d->files[0].path, &capture) &&
	    st->st_mtime > capture.st_mtime)
		return ": changed after the capture, so the line may be another";
	return "";
}

static void edit_at(struct app *app, const char *file, int line)
{
	char *path = source_path(source_map(&app->settings), file);
	struct stat st;
	int status;

	if (stat(path, &st) || access(path, R_OK)) {
		app_error(app, "%s is not on this machine; :set source.path %s=FOLDER says where it is", path,
		    *file == '/' ? "/OLD" : ".");
		free(path);
		return;
	}
	if (!S_ISREG(st.st_mode)) {
		app_error(app, "%s is no file", path);
		free(path);
		return;
	}
	status = ask_outside(app, HELPER_EDIT, line, path, NULL, 0);
	if (status == NOT_STARTED)
		app_error(app, "the editor %.60s cannot be started; set VISUAL or EDITOR before tpuscope",
		    editor());
	else if (status > 0 && status < NOT_STARTED - 1) /* above: signals, such as of Ctrl-C */
		app_error(app, "the editor %.60s ended with status %d", editor(), status);
	else if (status < 0)
		app_error(app, "the editor cannot be started: this viewer starts no programs");
	else
		app_say(app, "%s:%d%s", path, line, doubt(app, path, &st, line));
	free(path);
}

void app_edit(struct app *app)
{
	struct view *v = app_here(app);
	char *text = v ? written_by(v->ops->copy, v) : NULL, file[HELPER_TEXT / 2];
	int line;

	if (!text)
		app_say(app, v && view_computes(v) ? "still computing; try again" : "nothing is selected");
	else if (!source_find(text, file, sizeof file, &line))
		app_say(app, "no source line is known of the selection");
	else
		edit_at(app, file, line);
	free(text);
}

/* --- commands --- */

static char *table_of(struct app *app, bool row, size_t *n, struct err *err)
{
	struct view *v = app_here(app);
	char *text = NULL;
	FILE *f = v && v->ops->report ? open_memstream(&text, n) : NULL;
	int failed = !f || (row ? export_row(v, f, err) : export_write(v, f, REPORT_CSV, err));

	if (f && fclose(f))
		failed = -1;
	if (!failed)
		return text;
	free(text);
	return NULL;
}

void app_shell(struct app *app, const char *command, bool row)
{
	struct err err = { .at = ERR_NOWHERE };
	char *table;
	size_t n = 0;
	int status;

	command += strspn(command, " ");
	if (!*command) {
		app_error(app, "usage: :!COMMAND gets the table as CSV, :.!COMMAND the row");
		return;
	}
	if (app_here(app) && app_here(app)->ops->report && export_waits(app_here(app))) {
		app_say(app, "still computing; try again");
		return;
	}
	table = table_of(app, row, &n, &err);
	if (row && !table) {
		app_error(app, "%s", *err.msg ? err.msg : "no row is selected");
		return;
	}
	status = ask_outside(app, HELPER_SHELL, 0, command, table, n);
	free(table);
	if (status == HELPER_CANCELED)
		app_say(app, "not run");
	else if (status < 0)
		app_error(app, "not run: this viewer starts no programs");
	else if (status)
		app_error(app, "%s ended with status %d", command, status);
	else
		app_say(app, "%s ended", command);
}
