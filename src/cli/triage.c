#include "config.h"
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "load/source.h"
#include "report/triage.h"

#define DEPTH_MAX 8
#define FILES_MAX 20000u

/* A folder holds logs, dumps and anything else: what is text is read, dumps are offered to the errors of their module. */
struct walk { struct triage *triage; const struct options *o; size_t seen, failed; };

static void complain(const char *path, const struct err *e)
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

/* What could be read of a damaged file stays. */
static void read_file(struct walk *w, const char *path, bool asked)
{
	struct err e = { .at = ERR_NOWHERE };
	struct source *s = source_open(path, &e);
	uint8_t head[4096];
	size_t n;

	w->seen++;
	if (!s) {
		complain(path, &e);
		w->failed++;
		return;
	}
	n = asked ? 0 : source_peek(s, head, sizeof head);
	if (asked || (n && !memchr(head, 0, n))) {
		triage_file(w->triage, path);
		if (read_source(w->triage, s, &e)) {
			complain(path, &e);
			w->failed++;
		}
	}
	source_close(s);
}

static bool is_dump(const char *name)
{
	size_t n = strlen(name);

	return !strncmp(name, "module_", 7) || (n > 3 && !strcmp(name + n - 3, ".pb") && (strstr(name, ".hlo_proto") || strstr(name, ".hlo.")));
}

static void read_folder(struct walk *w, const char *path, int depth)
{
	struct dirent **names;
	struct stat st;
	int n = depth < DEPTH_MAX ? scandir(path, &names, NULL, alphasort) : 0;

	if (n < 0) {
		struct err e;

		err_set(&e, EXIT_NOTHING, ERR_NOWHERE, "%s", strerror(errno));
		complain(path, &e);
		w->failed++;
	}
	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;
		char *file = xasprintf("%s/%s", path, name);

		/* links repeat what is there: tpu_driver.INFO */
		if (strcmp(name, ".") && strcmp(name, "..") && !lstat(file, &st) && w->seen < FILES_MAX) {
			if (S_ISDIR(st.st_mode))
				read_folder(w, file, depth + 1);
			else if (S_ISREG(st.st_mode) && is_dump(name))
				triage_dump(w->triage, file);
			else if (S_ISREG(st.st_mode))
				read_file(w, file, false);
		}
		free(file);
		free(names[i]);
	}
	if (n > 0)
		free(names);
}

int cli_triage(const struct options *o, FILE *out, struct err *err)
{
	struct triage t;
	struct walk w = { .triage = &t, .o = o };
	struct stat st;
	int status;

	triage_begin(&t);
	for (size_t i = 0; i < o->npaths; i++) {
		const char *path = o->paths[i];

		if (strcmp(path, "-") && !stat(path, &st) && S_ISDIR(st.st_mode))
			read_folder(&w, path, 0);
		else
			read_file(&w, path, true);
	}
	triage_end(&t);
	status = report_triage(&t, &o->report, out, err);
	triage_free(&t);
	if (status)
		return -1;
	return !w.failed ? EXIT_OK : t.logs.nrows > w.failed ? EXIT_DAMAGED : EXIT_NOTHING;
}
