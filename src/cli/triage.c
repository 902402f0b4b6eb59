#include "config.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "load/probe/logdir.h"
#include "load/source/source.h"
#include "report/tool/triage.h"

/* Reading of folders: text files are read as logs, dumps are matched with the errors of their module, other
 * files are skipped. */
struct walk {
	struct triage *triage;
	size_t failed;
};

static void complain_of_file(const char *path, const struct err *e)
{
	struct options one = { .npaths = 1, .paths = &path };

	cli_complain(&one, e);
}

static int read_source(struct triage *t, struct source *s, struct err *err)
{
	const uint8_t *piece;
	uint64_t offset;
	int64_t n;

	if (source_stream_start(s, NULL, err))
		return -1;
	while ((n = source_stream_block(s, 0, &piece, &offset, err)) > 0)
		triage_text(t, (const char *)piece, (size_t)n);
	source_stream_stop(s);
	return n < 0 ? -1 : 0;
}

/* Keeps what could be read of a damaged file.  `asked`: the file was named, so it is read whatever it is. */
static void read_file(struct walk *w, const char *path, bool asked)
{
	struct err e = { .at = ERR_NOWHERE };
	struct source *s = source_open_once(path, &e);
	uint8_t head[4096];
	size_t n;

	if (!s) {
		complain_of_file(path, &e);
		w->failed++;
		return;
	}
	n = asked ? 0 : source_peek(s, head, sizeof head);
	if (asked || (n && !memchr(head, 0, n))) {
		triage_file(w->triage, path);
		if (read_source(w->triage, s, &e)) {
			complain_of_file(path, &e);
			w->failed++;
		}
	}
	source_close(s);
}

static void read_folder(struct walk *w, const char *path)
{
	struct err e = { .at = ERR_NOWHERE };
	struct logdir ld;

	if (logdir_files(path, &ld, &e)) {
		complain_of_file(path, &e);
		w->failed++;
		return;
	}
	for (size_t i = 0; i < ld.nfiles; i++) {
		if (logdir_is_dump(strrchr(ld.files[i], '/') + 1))
			triage_dump(w->triage, ld.files[i]);
		else
			read_file(w, ld.files[i], false);
	}
	logdir_free(&ld);
}

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
static int read_default(struct walk *w, struct err *err)
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
	read_folder(w, place);
	return 0;
}

int cli_triage(const struct options *o, FILE *out, struct err *err)
{
	struct triage t;
	struct walk w = { .triage = &t };
	struct stat st;
	int status = EXIT_NOTHING;

	triage_begin(&t);
	for (size_t i = 0; i < o->npaths; i++) {
		const char *path = o->paths[i];

		if (strcmp(path, "-") && !stat(path, &st) && S_ISDIR(st.st_mode))
			read_folder(&w, path);
		else
			read_file(&w, path, true);
	}
	if (!o->npaths && read_default(&w, err)) {
		triage_free(&t);
		return -1;
	}
	triage_end(&t);
	for (size_t i = 0; i < t.errors.nrows; i++)
		list_from_dump(&t, i);
	if (!w.failed && !t.logs.nrows)
		status = err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "no text found; name logs, or a folder that holds some");
	else if (t.logs.nrows)
		status = report_triage(&t, &o->report, out, err) ? -1 : w.failed ? EXIT_DAMAGED : EXIT_OK;
	triage_free(&t);
	return status;
}
