#include "config.h"

#include "fetch/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "base/now.h"
#include "base/text/slice.h"

#define TURN_MS 250
#define PATIENCE_MS 2000       /* from being asked to end to being killed */
#define TAIL 4096              /* of stderr */
#define OUTPUT_MAX (64u << 20) /* of a listing */
#define LINES_SAID 5

struct child {
	pid_t pid;
	int out, err; /* -1: closed */
	struct fetch_bytes *to;
	char tail[TAIL];
	size_t ntail;
	bool ended;
	int status;
};

static _Noreturn void become(char *const *argv, int out, int err)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out < 0 ? null : out, STDOUT_FILENO) < 0 ||
	    dup2(err, STDERR_FILENO) < 0)
		_exit(127);
	execvp(argv[0], argv);
	_exit(127);
}

static int start(struct child *c, char *const *argv, bool wants_output, struct err *e)
{
	int out[2] = { -1, -1 }, err[2];

	if (pipe2(err, O_CLOEXEC))
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "%s: %s", argv[0], strerror(errno));
	if (wants_output && pipe2(out, O_CLOEXEC)) {
		close(err[0]);
		close(err[1]);
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "%s: %s", argv[0], strerror(errno));
	}
	c->pid = fork();
	if (!c->pid)
		become(argv, out[1], err[1]);
	if (c->pid > 0)
		setpgid(c->pid, c->pid); /* whoever comes first */
	close(err[1]);
	if (out[1] >= 0)
		close(out[1]);
	c->out = out[0];
	c->err = err[0];
	fcntl(c->err, F_SETFL, O_NONBLOCK);
	if (c->out >= 0)
		fcntl(c->out, F_SETFL, O_NONBLOCK);
	return c->pid < 0 ? err_set(e, EXIT_NOTHING, ERR_NOWHERE, "%s: %s", argv[0], strerror(errno)) : 0;
}

static void keep_tail(struct child *c, const char *s, size_t n)
{
	if (n > TAIL) {
		s += n - TAIL;
		n = TAIL;
	}
	if (c->ntail + n > TAIL) {
		size_t drop = c->ntail + n - TAIL;

		memmove(c->tail, c->tail + drop, c->ntail - drop);
		c->ntail -= drop;
	}
	memcpy(c->tail + c->ntail, s, n);
	c->ntail += n;
}

static void keep_output(struct fetch_bytes *b, const char *s, size_t n)
{
	if (b->n + n + 1 > b->cap) {
		b->cap = 2 * (b->n + n + 1);
		b->s = xrealloc(b->s, b->cap, 1);
	}
	memcpy(b->s + b->n, s, n);
	b->n += n;
	b->s[b->n] = 0;
}

/* Reads what is there. */
static void drain(struct child *c, int *fd, bool output)
{
	char buf[1 << 16];

	while (*fd >= 0) {
		ssize_t n = read(*fd, buf, sizeof buf);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			close(*fd);
			*fd = -1;
		} else if (!output) {
			keep_tail(c, buf, (size_t)n);
		} else if (c->to->n < OUTPUT_MAX) {
			keep_output(c->to, buf, (size_t)n);
		}
	}
}

static void look(struct child *c, int wait_ms)
{
	struct pollfd fds[2] = { { c->out, POLLIN, 0 }, { c->err, POLLIN, 0 } };
	pid_t got;

	poll(fds, 2, wait_ms);
	drain(c, &c->out, true);
	drain(c, &c->err, false);
	while (!c->ended && (got = waitpid(c->pid, &c->status, WNOHANG)) != 0)
		if (got == c->pid || errno != EINTR)
			c->ended = true;
}

/* Asks the whole group to end, then makes it. */
static void stop_child(struct child *c)
{
	int64_t until = now_ms() + PATIENCE_MS;

	kill(-c->pid, SIGTERM);
	while (!c->ended && now_ms() < until)
		look(c, 50);
	kill(-c->pid, SIGKILL);
	while (!c->ended)
		look(c, 50);
}

/* Returns the next line that is not blank, without blanks around it; n 0: there is none. */
static struct slice next_line(struct slice *text)
{
	struct slice line = { text->s, 0 };

	while (text->n && !line.n) {
		size_t n = 0;

		while (n < text->n && text->s[n] != '\n' && text->s[n] != '\r')
			n++;
		line = slice_trim((struct slice){ text->s, n });
		n += n < text->n;
		text->s += n;
		text->n -= n;
	}
	return line;
}

/* The last lines of what it said, on one line; from the error on, if it calls one so: advice may follow. */
static void last_words(const struct child *c, char *buf, size_t size)
{
	struct slice line, from[LINES_SAID] = { { NULL, 0 } }, text = { c->tail, c->ntail };
	size_t lines = 0, n = 0;
	bool error = false;

	while ((line = next_line(&text)).n) {
		if (slice_begins(line, "ERROR")) {
			error = true;
			lines = 0;
		}
		if (!error || lines < LINES_SAID)
			from[lines % LINES_SAID] = line;
		lines += !error || lines < LINES_SAID;
	}
	for (size_t i = lines < LINES_SAID ? 0 : lines - LINES_SAID; i < lines && n + 4 < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%.*s", n ? " / " : "",
		    (int)from[i % LINES_SAID].n, from[i % LINES_SAID].s);
	buf[n < size ? n : size - 1] = 0;
}

static int judge(const struct child *c, const char *program, struct err *err)
{
	char said[300];

	if (WIFEXITED(c->status) && !WEXITSTATUS(c->status))
		return 0;
	if (WIFEXITED(c->status) && WEXITSTATUS(c->status) == 127 && !c->ntail)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s: cannot be started", program);
	last_words(c, said, sizeof said);
	if (!*said && WIFSIGNALED(c->status))
		snprintf(said, sizeof said, "nothing; signal %d ended it", WTERMSIG(c->status));
	else if (!*said)
		snprintf(said, sizeof said, "nothing; its exit status is %d", WEXITSTATUS(c->status));
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s said: %s", program, said);
}

int fetch_run(char *const *argv, struct fetch_bytes *out, const struct fetch_options *o, void (*turn)(void *),
    void *ctx, struct err *err)
{
	struct child c = { .to = out };
	bool stopped = false;

	if (start(&c, argv, out != NULL, err))
		return -1;
	while (!c.ended && !stopped) {
		look(&c, TURN_MS);
		if (turn)
			turn(ctx);
		stopped = o->stopped && o->stopped();
	}
	if (!c.ended)
		stop_child(&c);
	look(&c, 0);
	for (int i = 0; i < 2; i++)
		if ((i ? c.err : c.out) >= 0)
			close(i ? c.err : c.out);
	if (stopped)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "stopped; what is complete stays in the cache");
	return judge(&c, argv[0], err);
}
