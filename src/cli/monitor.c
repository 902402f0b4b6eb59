#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "cli/capture_options.h"
#include "cli/cli.h"
#include "live/monitor.h"

#define QUERIES 100

static bool interrupted(void *self)
{
	(void)self;
	return interrupts() > 0;
}

/* Prints one query; returns the exit status of the first server that has none. */
static int print_query(const struct monitored *m, const struct remote *r, int level)
{
	FILE *out = cli_stdout();
	char text[700];
	int status = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (m[i].known) {
			if (r->n > 1)
				fprintf(out, "%s\n", r->address[i].text);
			sample_write(&m[i].sample, level, out);
			continue;
		}
		utf8_clean_text(text, sizeof text, m[i].why);
		fprintf(stderr, "tpuscope: %s: %s\n", r->address[i].text, text);
		status = status ? status : m[i].exit;
	}
	fflush(out);
	fflush(stdout);
	return status;
}

static int watch(const struct options *o, const struct remote *r, struct err *err)
{
	struct capture_options co = capture_options_of(o, r);
	int level = o->remote.level ? o->remote.level : 2, status = 0;
	int most = o->remote.queries < 0 ? QUERIES : o->remote.queries;
	struct monitored *m = xcalloc(r->n, sizeof *m);
	struct monitor *monitor;

	co.what.host_level = 1;
	monitor = monitor_new(&co, level);
	interrupts_count();
	for (int i = 0; !status && (!most || i < most); i++) {
		if (!monitor_query(monitor, m, interrupted, NULL, err))
			break;
		status = print_query(m, r, level);
	}
	interrupts_obey();
	monitor_free(monitor);
	free(m);
	return err->status ? -1 : status;
}

/* For somebody at a terminal; capture --monitoring-level prints, as in the guides. */
static bool wants_screen(const struct options *o)
{
	return o->command == CMD_MONITOR && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

int cli_monitor(struct options *o, const struct frontend *fe, struct err *err)
{
	struct remote r = { 0 };
	const char *list = servers_of(o, err);
	int status;

	if (!list || remote_begin(&r, o, list, err))
		return -1;
	if (wants_screen(o))
		status = fe->live(o,
		    &(struct live){ .servers = list,
			.queries = o->remote.queries < 0 ? QUERIES : o->remote.queries },
		    err);
	else
		status = watch(o, &r, err);
	remote_end(&r);
	return status;
}
