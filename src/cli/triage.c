#include "config.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/triage_read.h"
#include "load/load.h"
#include "report/tool/triage.h"

/* Takes the buffers from the dump of the error's module if the text lists none. */
static void list_from_dump(struct triage *t, size_t error)
{
	const struct table *x = &t->errors;
	const struct cell *c = table_get(x, error, "dump");
	struct load_options load = { .threads = 1 };
	struct dump *d;
	struct err e;

	if (c->type != CELL_STR || !(d = load_paths(&c->s, 1, &load, NULL, &e)))
		return;
	triage_list_from(d, t, error);
	dump_close(d);
}

/* The folder where libtpu writes its logs on this machine; NULL: it writes none. */
static const char *default_folder(void)
{
	const char *place = getenv("TPU_LOG_DIR");

	if (!place || !*place)
		return "/tmp/tpu_logs";
	return strcmp(place, "disabled") ? place : NULL;
}

/* Without a path: the logs of libtpu. */
static int read_default(struct triage_read *w, struct err *err)
{
	const char *place = default_folder();
	struct stat st;

	if (!place)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "no text given; TPU_LOG_DIR=disabled turns the logs of libtpu off, so name logs, a "
		    "folder of "
		    "logs, or - for standard input");
	if (stat(place, &st) || !S_ISDIR(st.st_mode))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "no text given; %s, where libtpu writes its logs, does not exist, so name logs, a "
		    "folder of "
		    "logs, or - for standard input",
		    place);
	fprintf(stderr, "tpuscope: reading %s, where libtpu writes its logs\n", place);
	triage_read_folder(w, place);
	return 0;
}

int cli_triage(const struct options *o, FILE *out, struct err *err)
{
	struct triage t;
	struct triage_read w = { .triage = &t };
	struct stat st;
	int status = EXIT_NOTHING;

	triage_begin(&t);
	for (size_t i = 0; i < o->npaths; i++) {
		const char *path = o->paths[i];

		if (strcmp(path, "-") && !stat(path, &st) && S_ISDIR(st.st_mode))
			triage_read_folder(&w, path);
		else
			triage_read_file(&w, path);
	}
	if (!o->npaths && read_default(&w, err)) {
		triage_read_free(&w);
		triage_free(&t);
		return -1;
	}
	triage_end(&t);
	for (size_t i = 0; i < t.errors.nrows; i++)
		list_from_dump(&t, i);
	triage_read_end(&w);
	if (!w.failed && !t.logs.nrows)
		status = err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "no text found; name logs, or a folder that holds some");
	else if (t.logs.nrows)
		status = report_triage(&t, &o->report, out, err) ? -1 : w.failed ? EXIT_DAMAGED : EXIT_OK;
	triage_read_free(&w);
	triage_free(&t);
	return status;
}
