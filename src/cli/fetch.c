#include "config.h"
#include "cli/fetch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "cli/remote.h"
#include "fetch/fetch.h"

#define ASK_ABOVE ((uint64_t)2 << 30)

static char *clean(char *buf, size_t size, const char *text)
{
	return utf8_clean_text(buf, size, text);
}

static void say_command(const char *url, const char *command)
{
	char text[2000];

	fprintf(stderr, "tpuscope: %s: not a local path — add --fetch, or get it with:\n",
	    clean(text, sizeof text, url));
	fprintf(stderr, "  %s\n", clean(text, sizeof text, command));
}

static int say_commands(const struct options *o, struct err *err)
{
	for (size_t i = 0; i < o->npaths; i++) {
		char *command;

		if (!fetch_is_url(o->paths[i]))
			continue;
		if (!(command = fetch_command(o->paths[i], err)))
			return -1;
		say_command(o->paths[i], command);
		free(command);
	}
	return EXIT_USAGE;
}

struct line {
	const struct options *o;
	bool terminal, shown;
};

static bool agree(void *ctx, size_t n, uint64_t bytes)
{
	const struct line *l = ctx;
	char size[40], answer[16] = "";

	units_bytes(size, sizeof size, (double)bytes);
	fprintf(stderr, "tpuscope: %zu file%s, %s to fetch%s\n", n, n == 1 ? "" : "s", size,
	    l->terminal ? "; Ctrl-C stops" : "");
	if (bytes <= ASK_ABOVE || l->o->yes)
		return true;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return false;
	fputs("Go on? [y/N] ", stderr);
	return fgets(answer, sizeof answer, stdin) && (*answer == 'y' || *answer == 'Y');
}

static void tell_progress(void *ctx, uint64_t done, uint64_t total, const char *name)
{
	struct line *l = ctx;
	char now[40], all[40], text[200];

	if (!l->terminal)
		return;
	units_bytes(now, sizeof now, (double)done);
	units_bytes(all, sizeof all, (double)total);
	fprintf(stderr, "\r\033[K%s%s%s  %.50s", now, total ? " of " : "", total ? all : "",
	    clean(text, sizeof text, name));
	l->shown = true;
}

static char *fetch_one(const struct options *o, const char *url, struct err *err)
{
	struct line line = { .o = o, .terminal = isatty(STDERR_FILENO) };
	const char *own = !strncmp(url, "gs://", 5) ? o->fetch_gs
	    : !strncmp(url, "s3://", 5)             ? o->fetch_s3
						    : "";
	struct fetch_options fo = { .run = o->run,
		.own = *own ? own : NULL,
		.stopped = interrupts,
		.agree = agree,
		.tell = tell_progress,
		.ctx = &line };
	char *path;

	interrupts_count();
	path = fetch_get(url, &fo, err);
	interrupts_obey();
	if (line.shown)
		fputs("\r\033[K", stderr);
	return path;
}

/* What was fetched lives until the program ends. */
static const char **fetched;

/* The addresses are replaced by what was fetched. */
int cli_fetch(struct options *o, const struct frontend *fe, struct err *err)
{
	size_t urls = 0;

	for (size_t i = 0; i < o->npaths; i++)
		urls += fetch_is_url(o->paths[i]);
	if (!urls)
		return EXIT_OK;
	if (!o->fetch)
		return say_commands(o, err);
	if (fe->commands(o, err))
		return -1;
	fetched = xcalloc(o->npaths, sizeof *fetched);
	for (size_t i = 0; i < o->npaths; i++) {
		fetched[i] = fetch_is_url(o->paths[i]) ? fetch_one(o, o->paths[i], err) : o->paths[i];
		if (!fetched[i]) {
			o->paths += i;
			o->npaths = 1;
			return -1;
		}
	}
	o->paths = fetched;
	if (urls == o->npaths)
		o->run = NULL; /* it was chosen */
	return EXIT_OK;
}

int cli_cache(struct options *o, FILE *f, struct err *err)
{
	int bad = 0;

	if (!o->remove && o->npaths)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "tpuscope cache lists all; --delete deletes what is named, or all");
	if (!o->remove)
		return cache_list(f, err);
	if (!o->npaths)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--delete needs an id or address from tpuscope cache, or all");
	for (size_t i = 0; i < o->npaths && !bad; i++)
		bad = cache_delete(o->paths[i], err);
	o->npaths = 0;
	return bad ? -1 : EXIT_OK;
}
