#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/now.h"
#include "base/text/words.h"
#include "cli/cli.h"
#include "cli/remote.h"
#include "live/chips.h"

#define LEAST_S 0.25
#define MOST_S 86400.0

static bool interrupted(void *self)
{
	(void)self;
	return interrupts() > 0;
}

/* "localhost:8431,localhost:8432", from the ports that libtpu was told to use, else the usual one. */
static void default_servers(char *buf, size_t size)
{
	const char *ports = getenv("TPU_RUNTIME_METRICS_PORTS");
	char one[40];

	*buf = 0;
	for (const char *p = ports ? ports : ""; *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ',')) {
		snprintf(one, sizeof one, "localhost:%.*s", (int)strcspn(p, ","), p);
		words_add(buf, size, ",", one);
	}
	if (!*buf)
		snprintf(buf, size, "localhost:%d", METRICS_PORT);
}

static int interval_of(const struct options *o, double *seconds, struct err *err)
{
	char *end;

	*seconds = 1;
	if (!o->remote.interval)
		return 0;
	*seconds = strtod(o->remote.interval, &end);
	if (*end || !(*seconds >= LEAST_S && *seconds <= MOST_S))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--interval %s: must be seconds, at least %.2f",
		    o->remote.interval, LEAST_S);
	return 0;
}

static void print_readings(const struct options *o, const struct readings *r, bool first)
{
	time_t now = time(NULL);
	FILE *out = cli_stdout();

	if (o->report.format == REPORT_CSV)
		chips_write_csv(r, now, first, out);
	else if (o->report.format == REPORT_JSON)
		chips_write_json(r, now, out);
	else
		chips_write_text(r, now, out);
	fflush(out);
	fflush(stdout);
}

/* Waits for the next moment of a regular beat; an interrupt ends it. */
static void wait_until(int64_t ms)
{
	for (int64_t now; (now = now_ms()) < ms && !interrupts();)
		usleep((useconds_t)(ms - now < 100 ? ms - now : 100) * 1000);
}

/* A server that does not answer, beside others that do: said once. */
static void tell_missing(struct err *err, char *told, size_t size)
{
	if (err->status && strcmp(told, err->msg))
		fprintf(stderr, "tpuscope: %s\n", err->msg);
	snprintf(told, size, "%s", err->status ? err->msg : "");
	*err = (struct err){ 0 };
}

static int log_metrics(const struct options *o, struct metrics *m, double seconds, struct err *err)
{
	int64_t next = now_ms();
	char told[sizeof err->msg] = "";
	int most = o->remote.queries < 0 ? o->remote.log ? 0 : 1 : o->remote.queries, status = 0;

	interrupts_count();
	for (int i = 0; !status && (!most || i < most) && !interrupts() && !ferror(stdout); i++) {
		struct readings r = { 0 };

		wait_until(next);
		next += (int64_t)(seconds * 1000);
		if (!interrupts() && metrics_read(m, &r, interrupted, NULL, err))
			status = interrupts() ? 0 : -1;
		else if (!interrupts()) {
			print_readings(o, &r, !i);
			tell_missing(err, told, sizeof told);
		}
		readings_free(&r);
	}
	interrupts_obey();
	return status;
}

/* Prints what each core executes; asked for on its own, because it costs the job more than metrics do. */
static int print_cores(struct metrics *m, size_t servers, struct err *err)
{
	FILE *out = cli_stdout();
	struct core_status *v;
	size_t n;
	int status;

	interrupts_count();
	status = metrics_cores(m, &v, &n, interrupted, NULL, err);
	interrupts_obey();
	if (!status)
		fprintf(out, "core  chip  sequencer                   pc  HLO%s\n",
		    servers > 1 ? "  server" : "");
	for (size_t i = 0; i < n && !status; i++)
		fprintf(out, "%4d  %4d  %-15s  %12lld  %s%s%s%s%s\n", v[i].core, v[i].chip, v[i].kind,
		    (long long)v[i].pc, v[i].location, *v[i].error ? "  " : "", v[i].error,
		    servers > 1 ? "  " : "", servers > 1 ? v[i].from : "");
	fflush(out);
	free(v);
	return status;
}

/* Somebody looks at a terminal, and asked for nothing that is a text. */
static bool wants_screen(const struct options *o)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !o->remote.log && !o->remote.cores &&
	    o->remote.queries < 0 && o->report.format == REPORT_TEXT;
}

/* Lists what was found, by its addresses: that it may be on other machines was agreed to. */
static int show_chips(const struct options *o, const struct frontend *fe, const char *servers, double seconds,
    struct err *err)
{
	const struct live live = { .servers = servers, .interval_ms = (int)(seconds * 1000) };

	return fe->live(o, &live, err);
}

int cli_top(struct options *o, const struct frontend *fe, struct err *err)
{
	struct remote r = { 0 };
	struct metrics *m;
	char servers[400];
	const char *list = servers;
	double seconds;
	int status;

	default_servers(servers, sizeof servers);
	if (o->npaths)
		list = o->paths[0];
	if (o->npaths > 1)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "top takes one comma-separated list of servers");
	if (interval_of(o, &seconds, err) || remote_begin(&r, o, list, err)) {
		o->npaths = 0;
		return -1;
	}
	if (wants_screen(o)) {
		remote_end(&r);
		o->npaths = 0;
		return show_chips(o, fe, list, seconds, err);
	}
	m = metrics_new(r.address, r.to, r.n);
	status = o->remote.cores ? print_cores(m, r.n, err) : log_metrics(o, m, seconds, err);
	metrics_free(m);
	remote_end(&r);
	o->npaths = 0; /* errors name the server */
	return status;
}
