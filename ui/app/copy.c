#include "config.h"
#include "app/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/outfile.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "report/write/writer.h"

enum { NAMES_TRIED = 100 };

/* Removes control characters other than newlines and tabs, because the text may be pasted into a shell. */
static size_t make_safe(const char *text, size_t n, char **out)
{
	const char *s = text, *end = text + n;
	/* the visible symbol of a control character takes three bytes */
	char *to = *out = xmalloc(n * 3 + 1);

	while (s < end) {
		uint32_t c = utf8_next(&s, end);

		to += utf8_put(to, c == '\n' || c == '\t' ? c : utf8_safe(c));
	}
	*to = 0;
	return (size_t)(to - *out);
}

/* Terminals do not report whether the clipboard took the text, so a copy also goes into a new file that only
 * the user can read; its name is returned in `path`. */
static int copy_to_file(const char *text, size_t n, char *path, size_t size, struct err *err)
{
	const char *dir = getenv("TMPDIR");
	struct outfile out;
	struct stat st;

	for (int i = 1; i <= NAMES_TRIED; i++) {
		snprintf(path, size, "%s/tpuscope-copy-%ld-%d.txt", dir && *dir ? dir : "/tmp",
		    (long)getpid(), i);
		if (lstat(path, &st) && errno == ENOENT)
			break;
	}
	if (outfile_open(&out, path, false, err))
		return -1;
	(void)fchmod(fileno(out.f), 0600);
	fwrite(text, 1, n, out.f);
	return outfile_close(&out, true, err);
}

static void copy_text(struct app *app, const char *text, size_t n)
{
	struct term *t = app->p->term;
	struct err err = { .at = ERR_NOWHERE };
	bool sent = t->ops->clipboard && !t->ops->clipboard(t, text, n);
	const char *tmux = getenv("TMUX");
	char path[300], bytes[32];

	units_bytes(bytes, sizeof bytes, (double)n);
	if (copy_to_file(text, n, path, sizeof path, &err))
		app_message(app, !sent,
		    sent ? "copied %s to the clipboard, but not to a file: %s: %s"
			 : "could not copy %s: %s: %s",
		    bytes, err.msg, path);
	else if (!sent)
		app_message(app, false,
		    n > CLIPBOARD_MAX ? "%s is too large for the clipboard; written to %s"
				      : "%s written to %s; this terminal has no clipboard",
		    bytes, path);
	else if (tmux && *tmux)
		app_message(app, false, "copied %s to tmux (needs set-clipboard on) and %s", bytes, path);
	else
		app_message(app, false, "copied %s to the clipboard and %s", bytes, path);
}

void app_copy(struct app *app)
{
	struct view *v = app_here(app);
	char *text = NULL, *safe;
	size_t n = 0;
	FILE *f;
	int none;

	if (!v || !v->ops->copy) {
		app_message(app, false, "nothing to copy here");
		return;
	}
	if (!(f = open_memstream(&text, &n)))
		return;
	none = v->ops->copy(v, f);
	if (fclose(f) || none || !n) {
		app_message(app, false, "nothing to copy: nothing is selected");
	} else {
		size_t len = make_safe(text, n, &safe);

		copy_text(app, safe, len);
		free(safe);
	}
	free(text);
}

/* --- the whole view, to a file --- */

static const struct {
	const char *suffix;
	enum report_format format;
} forms[] = {
	{ ".csv", REPORT_CSV },
	{ ".json", REPORT_JSON },
	{ ".txt", REPORT_TEXT },
};
#define NFORMS (sizeof forms / sizeof *forms)

static size_t form_of(const char *path)
{
	size_t i = 0, len = strlen(path);

	for (; i < NFORMS; i++) {
		size_t n = strlen(forms[i].suffix);

		if (len > n && !strcmp(path + len - n, forms[i].suffix))
			break;
	}
	return i;
}

static int write_export(struct view *v, const char *path, enum report_format format, struct err *err)
{
	struct outfile out;
	struct report *r;
	struct stat st;
	int failed;

	if (strcmp(path, "-") && !lstat(path, &st))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "file exists; choose another name");
	if (outfile_open(&out, path, false, err))
		return -1;
	r = report_begin(out.f, format, 0, v->ops->id, v->app->dump);
	if (v->ops->table)
		report_csv_table(r, v->ops->table(v));
	v->ops->export(v, r);
	failed = report_end(r, err);
	return outfile_close(&out, !failed, failed ? NULL : err) || failed ? -1 : 0;
}

void app_export(struct app *app, const char *path)
{
	struct view *v = app_here(app);
	struct err err = { .at = ERR_NOWHERE };
	size_t form = form_of(path);

	if (!*path)
		return;
	if (!v || !v->ops->export)
		app_message(app, true, "nothing to export here");
	else if (form == NFORMS)
		app_message(app, true, "%s: the name must end in .csv, .json or .txt", path);
	else if (write_export(v, path, forms[form].format, &err))
		app_message(app, true, "%s: %s", strrchr(path, '/') ? strrchr(path, '/') + 1 : path, err.msg);
	else if (forms[form].format == REPORT_CSV && v->ops->table)
		app_message(app, false, "table of %s written to %s; .json and .txt hold everything",
		    v->ops->table(v), path);
	else
		app_message(app, false, "written to %s", path);
}

static void export_typed(struct view *v, const char *path)
{
	app_export(v->app, path);
}

void app_export_ask(struct app *app)
{
	struct view *v = app_here(app);

	if (!v || !v->ops->export) {
		app_message(app, false, "nothing to export here");
		return;
	}
	app_ask(app, '>', "", "file to write: NAME.csv, NAME.json or NAME.txt", &app->p->exports,
	    export_typed);
}
