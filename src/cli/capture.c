#include "config.h"

#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>

#include "base/mem.h"
#include "base/now.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "cli/capture_options.h"
#include "cli/cli.h"
#include "cli/repeat.h"
#include "remote/profiler/recording.h"

#define SAID_MAX 256

/* Why a worker tries again, as it was said last: a reason is said once. */
struct said {
	char why[200];
};

struct progress_line {
	bool shown, terminal;
	int cols;
};

static void clear_line(struct progress_line *line)
{
	if (line->shown)
		fputs("\r\033[K", stderr);
	line->shown = false;
}

static void complain_of(const struct worker_status *s, const char *more)
{
	char text[700];

	utf8_clean_text(text, sizeof text, s->text);
	fprintf(stderr, "tpuscope: %s: %s%s\n", s->address, text, more);
}

static void tell_news(const struct worker_status *s, struct said *said, struct progress_line *line)
{
	if (s->state != WORKER_RETRYING || !strncmp(said->why, s->text, sizeof said->why - 1))
		return;
	clear_line(line);
	complain_of(s, "; trying again");
	snprintf(said->why, sizeof said->why, "%.*s", (int)sizeof said->why - 1, s->text);
}

/* "tracing 0.4 of 1.0 s", "receiving 12.3 of 51.0 MiB, 45.1 MiB/s" */
static void describe(const struct worker_status *s, char *buf, size_t size)
{
	int64_t now = now_ms(), passed = now - s->since;
	char got[40], all[40], rate[40];

	switch (s->state) {
	case WORKER_WAITING:
	case WORKER_RETRYING:
		snprintf(buf, size, "%s, %.0f s", worker_state_name(s->state),
		    s->until > now ? (double)(s->until - now) / 1e3 : 0);
		break;
	case WORKER_TRACING:
		snprintf(buf, size, "tracing %.1f of %.1f s", (double)passed / 1e3,
		    (double)(s->until - s->since) / 1e3);
		break;
	case WORKER_RECEIVING:
		snprintf(buf, size, "receiving %s of %s, %s/s",
		    units_bytes(got, sizeof got, (double)s->bytes),
		    units_bytes(all, sizeof all, (double)s->expected),
		    units_bytes(rate, sizeof rate, passed > 0 ? (double)s->bytes * 1e3 / (double)passed : 0));
		break;
	default:
		snprintf(buf, size, "%s %.0f s", worker_state_name(s->state), (double)passed / 1e3);
	}
}

/* One line for all: the worker that is furthest behind, and how many are done. */
static void show_progress(const struct recording *c, size_t n, struct progress_line *line)
{
	struct worker_status s, slow = { 0 };
	size_t over = 0, chosen = n;
	char text[200], all[600];

	if (!line->terminal)
		return;
	for (size_t i = 0; i < n; i++) {
		recording_status(c, i, &s);
		over += s.state >= WORKER_DONE;
		if (s.state < WORKER_DONE && (chosen == n || s.state < slow.state)) {
			slow = s;
			chosen = i;
		}
	}
	if (chosen == n)
		return;
	describe(&slow, text, sizeof text);
	snprintf(all, sizeof all, "%s  %s", slow.address, text);
	if (n > 1)
		snprintf(all + strlen(all), sizeof all - strlen(all), "   %zu of %zu done", over, n);
	fprintf(stderr, "\r%.*s\033[K", line->cols - 1, all);
	line->shown = true;
}

/* The disk is full: somebody at the terminal may name another folder, or make room. */
static void ask_for_room(struct recording *c, struct progress_line *line)
{
	char answer[4000];
	struct err err = { 0 };

	clear_line(line);
	if (!line->terminal || !isatty(STDIN_FILENO)) {
		recording_no_room(c);
		return;
	}
	fputs("The disk is full; the server keeps the rest.  Name another folder, Enter to try again, or q "
	      "to "
	      "give up: ",
	    stderr);
	if (!fgets(answer, sizeof answer, stdin) || !strcmp(answer, "q\n")) {
		recording_no_room(c);
		return;
	}
	answer[strcspn(answer, "\n")] = 0;
	if (recording_room(c, *answer ? answer : NULL, &err))
		fprintf(stderr, "tpuscope: %s\n", err.msg);
}

static void obey_interrupts(struct recording *c, int *seen, struct progress_line *line)
{
	int n = interrupts();

	if (n == *seen)
		return;
	clear_line(line);
	if (!*seen && n == 1) {
		fputs("tpuscope: stopping; what was traced is kept. Ctrl-C again cancels\n", stderr);
		recording_stop(c);
	} else {
		recording_cancel(c);
	}
	*seen = n;
}

static void run_capture(struct recording *c, size_t n, struct progress_line *line)
{
	struct said *said = xcalloc(SAID_MAX, sizeof *said);
	struct worker_status s;
	int seen = 0;

	while (recording_step(c)) {
		bool full = false;

		for (size_t i = 0; i < n; i++) {
			recording_status(c, i, &s);
			if (i < SAID_MAX)
				tell_news(&s, &said[i], line);
			full = full || s.state == WORKER_FULL;
		}
		if (full)
			ask_for_room(c, line);
		show_progress(c, n, line);
		obey_interrupts(c, &seen, line);
	}
	clear_line(line);
	free(said);
}

static void tell_results(const struct recording *c, size_t n)
{
	struct worker_status s;

	for (size_t i = 0; i < n; i++) {
		recording_status(c, i, &s);
		if (s.state != WORKER_DONE)
			complain_of(&s, "");
		else if (*s.text)
			fprintf(stderr, "tpuscope: %s: %s\n", s.path ? s.path : s.address, s.text);
	}
}

static struct progress_line find_terminal(void)
{
	const char *term = getenv("TERM");
	struct progress_line line = { .cols = 80 };
	struct winsize ws;

	line.terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
	if (line.terminal && !ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) && ws.ws_col > 10)
		line.cols = ws.ws_col;
	return line;
}

/* Opens the run in the viewer where there is a terminal, else prints where it is. */
static int hand_over(struct options *o, const struct frontend *fe, const char *path, int status,
    struct err *err)
{
	const struct sample none = { 0 };
	const char *const paths[] = { path };
	bool opens = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !o->remote.no_open;
	int viewed;

	printf("%s\n", path);
	fflush(stdout);
	if (!opens)
		return status;
	o->command = CMD_VIEW;
	o->paths = paths;
	o->npaths = 1;
	viewed = fe->view(o, &none, err);
	o->paths = NULL;
	o->npaths = 0;
	return viewed ? viewed : status;
}

int capture_run(const struct capture_options *co, char **path, struct err *err)
{
	struct progress_line line = find_terminal();
	struct recording *c = recording_new(co, err);
	int status;

	*path = NULL;
	if (!c)
		return -1;
	run_capture(c, co->n, &line);
	tell_results(c, co->n);
	status = recording_exit(c);
	if (recording_path(c))
		*path = xstrdup(recording_path(c));
	recording_free(c);
	return status;
}

static int capture_once(struct options *o, const struct frontend *fe, const struct remote *r, struct err *err)
{
	struct capture_options co = capture_options_of(o, r);
	char *path;
	int status;

	interrupts_count();
	status = capture_run(&co, &path, err);
	interrupts_obey();
	if (path)
		status = hand_over(o, fe, path, status, err);
	free(path);
	return status;
}

int cli_capture(struct options *o, const struct frontend *fe, struct err *err)
{
	struct remote r = { 0 };
	const char *list = servers_of(o, err);
	int status;

	if (!list)
		return -1;
	if (!o->remote.logdir)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "capture needs --logdir DIR, the folder to save the run in");
	if (remote_begin(&r, o, list, err))
		return -1;
	if (o->remote.continuous || o->remote.every)
		status = capture_again(o, &r, err);
	else
		status = capture_once(o, fe, &r, err);
	remote_end(&r);
	return status;
}
