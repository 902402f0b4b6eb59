/* Writing the view to a file: E and :export. */
#include "config.h"
#include "app/internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/outfile.h"

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

int export_write(struct view *v, FILE *f, enum report_format format, struct err *err)
{
	struct report *r = report_begin(f, format, 0, v->ops->id, v->app->dump);

	if (v->ops->table)
		report_csv_table(r, v->ops->table(v));
	v->ops->export(v, r);
	return report_end(r, err);
}

static int write_export(struct view *v, const char *path, enum report_format format, struct err *err)
{
	struct outfile out;
	struct stat st;
	int failed;

	if (strcmp(path, "-") && !lstat(path, &st))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "file exists; choose another name");
	if (outfile_open(&out, path, false, err))
		return -1;
	failed = export_write(v, out.f, format, err);
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
