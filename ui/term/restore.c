#include "config.h"
#include "term/restore.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"
#include "term/terminfo.h"
#include "version.h"

static struct {
	int fd;
	struct termios line;
	int has_line;
	char bytes[512]; /* the sequences that undo everything */
	size_t n;
	char crash[128]; /* "tpuscope 1.0.0 (id): " */
	const char *volatile view;
	volatile sig_atomic_t armed;
} term;

/* crash: a description, NULL = an ordinary request to end */
static const struct {
	int sig;
	const char *crash;
} caught[] = {
	{ SIGTERM, NULL },
	{ SIGINT, NULL },
	{ SIGHUP, NULL },
	{ SIGQUIT, NULL },
	{ SIGPIPE, NULL },
	{ SIGSEGV, "invalid memory access (SIGSEGV)" },
	{ SIGBUS, "bad memory (SIGBUS)" },
	{ SIGFPE, "bad arithmetic (SIGFPE)" },
	{ SIGILL, "bad instruction (SIGILL)" },
	{ SIGABRT, "aborted (SIGABRT)" },
};
#define NCAUGHT (sizeof caught / sizeof *caught)
static struct sigaction before[NCAUGHT];

static void add_bytes(const char *s)
{
	size_t n = strlen(s);

	if (term.n + n < sizeof term.bytes) {
		memcpy(term.bytes + term.n, s, n);
		term.n += n;
	}
}

/* Adds a terminfo string without its padding: "$<5/>" asks for a delay, which a signal handler cannot
 * make. */
static void add_capability(const char *name)
{
	char c[2] = "";

	for (const char *s = terminfo_string(name); s && *s; s++) {
		const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;

		if (end) {
			s = end;
		} else {
			c[0] = *s;
			add_bytes(c);
		}
	}
}

void restore_prepare(int fd)
{
	static const char mouse_off[] = "\033[?1000l\033[?1002l\033[?1003l\033[?1006l";
	bool like_xterm = terminfo_string("kmous");

	term.fd = fd;
	term.n = 0;
	term.has_line = !tcgetattr(fd, &term.line);
	if (like_xterm) {
		add_bytes(mouse_off);
		add_bytes("\033[?2004l");
	}
	add_capability("sgr0");
	add_capability("op");
	add_capability("rmkx");
	add_capability("cnorm");
	add_capability("rmcup");
	if (like_xterm) /* some terminals turn the mouse on again when the screen changes */
		add_bytes(mouse_off);
	add_bytes("\r");
	strcpy(term.crash, "tpuscope " PACKAGE_VERSION);
	if (TPUSCOPE_GIT[0])
		strcat(term.crash, " (" TPUSCOPE_GIT ")");
	strcat(term.crash, ": ");
}

static void write_all(const char *s, size_t n)
{
	while (n > 0) {
		ssize_t done = write(term.fd, s, n);

		if (done <= 0)
			return;
		s += done;
		n -= (size_t)done;
	}
}

static void restore_line(void)
{
	if (term.has_line)
		tcsetattr(term.fd, TCSANOW, &term.line);
}

void restore_pause(void)
{
	term.armed = 0;
	restore_line();
}

void restore_resume(void)
{
	term.armed = 1;
}

static void restore_now(void)
{
	if (!term.armed)
		return;
	term.armed = 0;
	write_all(term.bytes, term.n);
	restore_line();
}

void restore_where(const char *view)
{
	term.view = view;
}

static void report_crash(const char *what)
{
	const char *view = term.view;
	static const char in[] = " in view ", end[] = "\n";

	write_all(term.crash, strlen(term.crash));
	write_all(what, strlen(what));
	if (view) {
		write_all(in, sizeof in - 1);
		write_all(view, strlen(view));
	}
	write_all(end, 1);
}

static void on_signal(int sig)
{
	int was_armed = term.armed;

	restore_now();
	for (size_t i = 0; i < NCAUGHT; i++)
		if (caught[i].sig == sig && caught[i].crash && was_armed)
			report_crash(caught[i].crash);
	raise(sig); /* SA_RESETHAND: now the default action */
}

void restore_arm(void)
{
	static char stack[1 << 16]; /* the crash may be a stack overflow */
	stack_t alt = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction sa = { .sa_handler = on_signal,
		.sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK) };

	sigaltstack(&alt, NULL);
	sigemptyset(&sa.sa_mask);
	sigaddset(&sa.sa_mask,
	    SIGTTOU); /* else a stopped viewer that is killed stops again at the line settings */
	for (size_t i = 0; i < NCAUGHT; i++)
		sigaction(caught[i].sig, &sa, &before[i]);
	term.armed = 1;
	mem_on_fail(restore_now);
}

void restore_disarm(void)
{
	term.armed = 0;
	mem_on_fail(NULL);
	for (size_t i = 0; i < NCAUGHT; i++)
		sigaction(caught[i].sig, &before[i], NULL);
}
