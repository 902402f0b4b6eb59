/* ptyrun [-t TERM] [-s COLSxROWS] [-w TEXT] [-b KEYS] [-i MS] (-k KEYS | -S SIGNAL | -c) COMMAND...
 * Runs a full-screen program on a terminal of its own, waits until TEXT was written, types the -b keys, and
 * ends it one way: by keys, by a signal, or by closing the line.  Then everything it changed must be undone
 * (screen, cursor, mouse, bracketed paste, line settings) and the exit status must tell what happened.
 * -i: at rest it must write nothing for MS milliseconds.  Prints what is wrong; exit status 0 when nothing
 * is, 1 if something, 2 for wrong usage.
 *
 * The program runs below a keeper that leads the session: the kernel resets the line settings when the leader
 * dies, which would hide that the program did not.  For -c the program leads itself, as it does under "ssh
 * host tpuscope". */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define START_MS 15000
#define END_MS 5000
#define HANGUP_MS 3000
#define QUIET_MS 150
#define OUTPUT_MAX (8u << 20)

struct options {
	const char *term, *text, *before, *keys;
	int signal, idle_ms;
	bool hangup;
	struct winsize size;
	char **command;
};

struct report {
	pid_t pid;
	int status;
}; /* read from the keeper: first the pid, then the status */

struct run {
	int master, slave;    /* the slave stays open here: closing the last one resets the line */
	int reports, release; /* pipes from and to the keeper, -1 without one */
	pid_t child, pid;     /* child: keeper or program */
	bool ended;
	int status;
	char *out;
	size_t n;
	struct termios settings;
};

static bool failed;

static void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void fail(const char *fmt, ...)
{
	va_list ap;

	failed = true;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

static void die(const char *what)
{
	printf("ptyrun: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static const struct {
	const char *name;
	int number;
} signals[] = {
	{ "TERM", SIGTERM },
	{ "INT", SIGINT },
	{ "HUP", SIGHUP },
	{ "QUIT", SIGQUIT },
	{ "SEGV", SIGSEGV },
	{ "ABRT", SIGABRT },
	{ "BUS", SIGBUS },
	{ "FPE", SIGFPE },
	{ "ILL", SIGILL },
	{ "PIPE", SIGPIPE },
};

static int signal_number(const char *name)
{
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (!strcmp(signals[i].name, name))
			return signals[i].number;
	return 0;
}

/* In the child: never returns. */
static void start_program(const struct options *o, int slave, bool foreground)
{
	static const struct rlimit no_core = { 0, 0 };

	if (foreground) {
		setpgid(0, 0);
		signal(SIGTTOU, SIG_IGN);
		tcsetpgrp(slave, getpid());
		signal(SIGTTOU, SIG_DFL);
	}
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i].number, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	setenv("TERM", o->term, 1);
	execvp(o->command[0], o->command);
	printf("ptyrun: %s: %s\r\n", o->command[0], strerror(errno));
	_exit(127);
}

static void keep(const struct options *o, int slave, int report_to, int released)
{
	struct report r = { 0, 0 };
	char c;

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i].number, SIG_IGN);
	if (!(r.pid = fork()))
		start_program(o, slave, true);
	if (write(report_to, &r, sizeof r) < 0)
		_exit(1);
	while (waitpid(r.pid, &r.status, 0) < 0 && errno == EINTR)
		;
	if (write(report_to, &r, sizeof r) < 0)
		_exit(1);
	if (read(released, &c, 1) < 0) /* wait until the settings have been checked */
		_exit(1);
	_exit(0);
}

static void start(const struct options *o, struct run *r)
{
	int up[2], down[2];

	if (openpty(&r->master, &r->slave, NULL, NULL, &o->size) || pipe(up) || pipe(down))
		die("no terminal");
	fcntl(r->master, F_SETFD, FD_CLOEXEC);
	tcgetattr(r->slave, &r->settings);
	fflush(stdout);
	if (!(r->child = fork())) {
		setsid();
		ioctl(r->slave, TIOCSCTTY, 0);
		dup2(r->slave, 0);
		dup2(r->slave, 1);
		dup2(r->slave, 2);
		close(r->slave);
		close(r->master);
		close(up[0]);
		close(down[1]);
		if (o->hangup)
			start_program(o, 0, false);
		fcntl(up[1], F_SETFD, FD_CLOEXEC);
		fcntl(down[0], F_SETFD, FD_CLOEXEC);
		keep(o, 0, up[1], down[0]);
	}
	close(up[1]);
	close(down[0]);
	r->reports = up[0];
	r->release = down[1];
	r->pid = r->child;
	fcntl(r->master, F_SETFL, O_NONBLOCK);
}

static void take_report(struct run *r)
{
	struct report report;

	if (read(r->reports, &report, sizeof report) != sizeof report) {
		close(r->reports);
		r->reports = -1;
		return;
	}
	r->ended = r->pid == report.pid;
	r->pid = report.pid;
	r->status = report.status;
}

static void take_output(struct run *r)
{
	ssize_t n = read(r->master, r->out + r->n, OUTPUT_MAX - 1 - r->n);

	if (n > 0)
		r->n += (size_t)n;
	r->out[r->n] = 0;
}

/* Reads output and reports until something came or the time is over; false when nothing came. */
static bool listen_ms(struct run *r, int64_t ms)
{
	struct pollfd fds[] = { { r->master, POLLIN, 0 }, { r->reports, POLLIN, 0 } };
	int n = poll(fds, 2, ms > 0 ? (int)ms : 0);

	if (n <= 0)
		return false;
	if (fds[1].revents)
		take_report(r);
	if (fds[0].revents)
		take_output(r);
	return true;
}

static void settle(struct run *r)
{
	while (!r->ended && listen_ms(r, QUIET_MS))
		;
}

static bool wait_for_text(struct run *r, const char *text)
{
	int64_t end = now_ms() + START_MS;

	while (!memmem(r->out, r->n, text, strlen(text))) {
		if (r->ended || now_ms() >= end) {
			fail("it %s without showing \"%s\"; the end of its output:",
			    r->ended ? "ended" : "went on", text);
			printf("%s\n", r->out + (r->n > 2000 ? r->n - 2000 : 0));
			return false;
		}
		listen_ms(r, end - now_ms());
	}
	settle(r);
	return true;
}

static void type(struct run *r, const char *keys)
{
	if (write(r->master, keys, strlen(keys)) < 0)
		die("typing");
}

static void be_idle(struct run *r, int ms)
{
	size_t before = r->n;
	int64_t end = now_ms() + ms;

	while (!r->ended && now_ms() < end)
		listen_ms(r, end - now_ms());
	if (r->n != before)
		fail("at rest it wrote %zu bytes in %d ms", r->n - before, ms);
}

/* The private modes of a terminal that a program may change, with their state before and after it. */
static const struct mode {
	int number;
	bool before;
	const char *name;
} modes[] = {
	{ 1049, false, "the alternate screen" },
	{ 25, true, "the cursor" },
	{ 1000, false, "mouse reports" },
	{ 1002, false, "mouse reports" },
	{ 1003, false, "mouse reports" },
	{ 1006, false, "mouse reports" },
	{ 1004, false, "focus events" },
	{ 2004, false, "bracketed paste" },
	{ 2026, false, "synchronised output" },
};
#define NMODES (sizeof modes / sizeof *modes)

/* Follows ESC [ ? NUMBER ; NUMBER ... h or l in the output; returns whether the alternate screen was ever
 * on. */
static bool follow_modes(const struct run *r, bool *state)
{
	bool screen = false;

	for (const char *p = r->out; (p = memmem(p, (size_t)(r->out + r->n - p), "\033[?", 3)); p++) {
		const char *numbers = p + 3, *end = numbers + strspn(numbers, "0123456789;");

		if (*end != 'h' && *end != 'l')
			continue;
		for (const char *q = numbers; q < end; q += strcspn(q, ";hl") + 1)
			for (size_t i = 0; i < NMODES; i++)
				if (atoi(q) == modes[i].number)
					state[i] = *end == 'h';
		screen |= state[0];
	}
	return screen;
}

static void check_screen(const struct run *r)
{
	bool state[NMODES];

	for (size_t i = 0; i < NMODES; i++)
		state[i] = modes[i].before;
	if (!follow_modes(r, state))
		fail("it never used the alternate screen");
	for (size_t i = 0; i < NMODES; i++)
		if (state[i] != modes[i].before)
			fail("%s not restored (ESC [ ? %d %c missing)", modes[i].name, modes[i].number,
			    modes[i].before ? 'h' : 'l');
}

static void check_settings(const struct run *r)
{
	struct termios now;

	if (tcgetattr(r->slave, &now))
		die("tcgetattr");
	if (now.c_iflag != r->settings.c_iflag || now.c_oflag != r->settings.c_oflag ||
	    now.c_cflag != r->settings.c_cflag || now.c_lflag != r->settings.c_lflag ||
	    memcmp(now.c_cc, r->settings.c_cc, sizeof now.c_cc))
		fail("the line settings are not as before");
}

/* A signal may end the program itself, or give status 128 + its number; after SIGINT or ^C a plain 0 is
 * right, too. */
static void check_status(const struct run *r, const struct options *o)
{
	int sig = o->keys && strchr(o->keys, 3) ? SIGINT : o->signal;

	if (WIFEXITED(r->status)) {
		int status = WEXITSTATUS(r->status);

		if (status != (sig ? 128 + sig : 0) && !(sig == SIGINT && !status))
			fail("exit status %d", status);
	} else if (WTERMSIG(r->status) != sig)
		fail("killed by signal %d", WTERMSIG(r->status));
}

static void end_and_check(const struct options *o, struct run *r)
{
	int64_t end = now_ms() + END_MS;

	if (o->keys)
		type(r, o->keys);
	else
		kill(r->pid, o->signal);
	while (!r->ended && now_ms() < end)
		listen_ms(r, end - now_ms());
	if (!r->ended) {
		fail("still running after %d ms", END_MS);
		kill(r->pid, SIGKILL);
		return;
	}
	while (listen_ms(r, QUIET_MS) && r->reports >= 0) /* its last output */
		;
	check_screen(r);
	check_settings(r);
	check_status(r, o);
}

static void hang_up_and_check(struct run *r)
{
	int64_t end = now_ms() + HANGUP_MS;
	struct rusage used;
	pid_t got;

	close(r->slave);
	close(r->master);
	while (!(got = wait4(r->child, &r->status, WNOHANG, &used)) && now_ms() < end)
		poll(NULL, 0, 10);
	if (!got) {
		fail("still running %d ms after the line was closed", HANGUP_MS);
		kill(r->child, SIGKILL);
		wait4(r->child, &r->status, 0, &used);
	}
	if (used.ru_utime.tv_sec + used.ru_stime.tv_sec > 1)
		fail("it spent %ld s of processor time", (long)(used.ru_utime.tv_sec + used.ru_stime.tv_sec));
}

static void usage(void)
{
	fputs("usage: ptyrun [-t TERM] [-s COLSxROWS] [-w TEXT] [-b KEYS] [-i MS] (-k KEYS | -S SIGNAL | -c) "
	      "COMMAND...\n",
	    stderr);
	exit(2);
}

static struct options parse(int argc, char **argv)
{
	struct options o = { .term = "xterm-256color",
		.text = "\033[?1049h",
		.size = { .ws_col = 120, .ws_row = 40 } };
	int c;

	while ((c = getopt(argc, argv, "+t:s:w:b:i:k:S:c")) != -1) {
		switch (c) {
		case 't':
			o.term = optarg;
			break;
		case 's':
			if (sscanf(optarg, "%hux%hu", &o.size.ws_col, &o.size.ws_row) != 2)
				usage();
			break;
		case 'w':
			o.text = optarg;
			break;
		case 'b':
			o.before = optarg;
			break;
		case 'i':
			o.idle_ms = atoi(optarg);
			break;
		case 'k':
			o.keys = optarg;
			break;
		case 'S':
			if (!(o.signal = signal_number(optarg)))
				usage();
			break;
		case 'c':
			o.hangup = true;
			break;
		default:
			usage();
		}
	}
	if (!argv[optind] || !o.keys + !o.signal + !o.hangup != 2)
		usage();
	o.command = argv + optind;
	return o;
}

int main(int argc, char **argv)
{
	struct options o = parse(argc, argv);
	struct run r = { .out = calloc(1, OUTPUT_MAX) };

	if (!r.out)
		die("memory");
	signal(SIGPIPE, SIG_IGN);
	start(&o, &r);
	if (wait_for_text(&r, o.text)) {
		if (o.before) {
			type(&r, o.before);
			settle(&r);
		}
		if (o.idle_ms)
			be_idle(&r, o.idle_ms);
		if (o.hangup)
			hang_up_and_check(&r);
		else
			end_and_check(&o, &r);
	} else if (r.pid > 0)
		kill(r.pid, SIGKILL);
	close(r.release);
	free(r.out);
	return failed;
}
