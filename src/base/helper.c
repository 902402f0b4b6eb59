#include "config.h"
#include "base/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#include <sys/prctl.h>
#endif

#include "base/mem.h"

enum { WORDS_MAX = 32, TMUX_SECONDS = 5, NOT_STARTED = 127, BY_SIGNAL = 128 };

struct helper {
	int fd;
};

struct request {
	int32_t wish, line;
	char text[HELPER_TEXT];
};

/* --- in the helper --- */

/* Editors that do not know +LINE; all others do. */
static const struct {
	const char *name, *before;
} colon_editors[] = { { "code", "-g" }, { "codium", "-g" }, { "cursor", "-g" }, { "hx", NULL },
	{ "helix", NULL }, { "subl", NULL }, { "zed", NULL } };

static int colon_editor(const char *program)
{
	const char *base = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;

	for (int i = 0; i < (int)(sizeof colon_editors / sizeof *colon_editors); i++)
		if (!strcmp(base, colon_editors[i].name))
			return i;
	return -1;
}

/* Cuts the next word off; quotes keep blanks in it, as in a shell, of which nothing else is known here. */
static char *next_word(char **rest)
{
	char *s = *rest + strspn(*rest, " \t"), *word = s, *to = s;

	if (!*s)
		return NULL;
	for (char quote = 0; *s && (quote || (*s != ' ' && *s != '\t')); s++) {
		if (quote ? *s == quote : *s == '"' || *s == '\'')
			quote = quote ? 0 : *s;
		else
			*to++ = *s;
	}
	*rest = s + (*s != 0);
	*to = 0;
	return word;
}

int helper_editor(const char *command, const char *path, int line, char *buf, size_t size, char **argv,
    int most)
{
	size_t n = strlen(command) + 1, left;
	int argc = 0, colon;
	char *end = buf;

	if (n > size)
		return 0;
	memcpy(buf, command, n);
	if (strchr(command, ' ') && !access(command, X_OK))
		argv[argc++] = buf; /* a path with blanks that nobody quoted */
	else
		for (char *word; argc < most && (word = next_word(&end));)
			argv[argc++] = word;
	if (!argc || argc + 4 > most)
		return 0;
	end = buf + n;
	left = size - n;
	colon = line > 0 ? colon_editor(argv[0]) : -1;
	if (colon >= 0 && colon_editors[colon].before)
		argv[argc++] = (char *)colon_editors[colon].before;
	n = 0;
	if (colon < 0 && line > 0) {
		argv[argc++] = end;
		n = (size_t)snprintf(end, left, "+%d", line) + 1;
	}
	if (n + strlen(path) + 16 > left)
		return 0;
	argv[argc++] = end + n;
	snprintf(end + n, left - n, colon >= 0 ? "%s:%d" : "%s", path, line);
	argv[argc] = NULL;
	return argc;
}

static void on_interrupt(int sig)
{
	(void)sig; /* ends a read(); a program that is started has the default action again */
}

static int run(char *const *argv, int in, bool quiet)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return NOT_STARTED;
	if (!pid) {
		int null = quiet ? open("/dev/null", O_WRONLY) : -1;

		if (in >= 0)
			dup2(in, STDIN_FILENO);
		if (null >= 0) {
			dup2(null, STDOUT_FILENO);
			dup2(null, STDERR_FILENO);
			alarm(TMUX_SECONDS);
		}
		execvp(argv[0], argv);
		_exit(NOT_STARTED);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return NOT_STARTED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL + WTERMSIG(status);
}

static void say(const char *text)
{
	while (*text) {
		ssize_t n = write(STDOUT_FILENO, text, strlen(text));

		if (n <= 0)
			return;
		text += n;
	}
}

/* Whether the user presses Enter and nothing else.  What was typed before the question is no answer. */
static bool is_confirmed(int tty)
{
	char c = 0, first = 0;
	bool none = true;

	tcflush(tty, TCIFLUSH);
	while (read(tty, &c, 1) == 1 && c != '\n') {
		first = c;
		none = false;
	}
	return none && !first && c == '\n';
}

/* A control character in the command would show another one than is run. */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			return false;
	return true;
}

static int run_command(const char *text, int in, int tty)
{
	char *const argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)text, NULL };
	int status;

	if (tty < 0 || !is_plain(text))
		return HELPER_CANCELED;
	say("\n$ ");
	say(text);
	say("\n\nEnter runs this, Ctrl-C does not. ");
	if (!is_confirmed(tty))
		return HELPER_CANCELED;
	status = run(argv, in >= 0 ? in : tty, false);
	say("\nEnter goes back. ");
	is_confirmed(tty);
	return status;
}

static int run_editor(const char *path, int line, int tty)
{
	const char *editor = getenv("VISUAL");
	char buf[3 * HELPER_TEXT], *argv[WORDS_MAX];

	if (!editor || !editor[strspn(editor, " \t")])
		editor = getenv("EDITOR");
	if (!editor || !editor[strspn(editor, " \t")])
		editor = "vi";
	if (*path != '/' || !helper_editor(editor, path, line, buf, sizeof buf, argv, WORDS_MAX))
		return NOT_STARTED;
	return run(argv, isatty(STDIN_FILENO) ? -1 : tty, false);
}

/* tmux before 3.2 has no -w, which passes the text on to the terminal around it. */
static int run_tmux(int in)
{
	char *const both[] = { (char *)"tmux", (char *)"load-buffer", (char *)"-w", (char *)"-", NULL };
	char *const only[] = { (char *)"tmux", (char *)"load-buffer", (char *)"-", NULL };
	int status = in < 0 ? NOT_STARTED : run(both, in, true);

	if (!status || status == NOT_STARTED || lseek(in, 0, SEEK_SET))
		return status;
	return run(only, in, true);
}

/* -1: the viewer has ended.  *data: a file that came with it, -1 = none. */
static int receive(int fd, struct request *r, int *data)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { r, sizeof *r };
	struct msghdr m = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control };
	ssize_t n;
	struct cmsghdr *c;

	*data = -1;
	do
		n = recvmsg(fd, &m, MSG_WAITALL | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof *data))
		memcpy(data, CMSG_DATA(c), sizeof *data);
	r->text[HELPER_TEXT - 1] = 0;
	return n == sizeof *r ? 0 : -1;
}

static void serve(int fd)
{
	struct sigaction interrupt = { .sa_handler = on_interrupt };
	struct request r;
	int data;

	sigemptyset(&interrupt.sa_mask);
	sigaction(SIGINT, &interrupt, NULL); /* of a program in the terminal, not ours */
	sigaction(SIGQUIT, &interrupt, NULL);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
#endif
	while (!receive(fd, &r, &data)) {
		int32_t status = -1;
		int tty = r.wish == HELPER_TMUX ? -1 : open("/dev/tty", O_RDWR | O_CLOEXEC);

		if (r.wish == HELPER_EDIT)
			status = run_editor(r.text, r.line, tty);
		else if (r.wish == HELPER_SHELL)
			status = run_command(r.text, data, tty);
		else if (r.wish == HELPER_TMUX)
			status = run_tmux(data);
		if (data >= 0)
			close(data);
		if (tty >= 0)
			close(tty);
		if (send(fd, &status, sizeof status, MSG_NOSIGNAL) != sizeof status)
			break;
	}
	_exit(0);
}

/* --- in the viewer --- */

struct helper *helper_start(void)
{
	struct helper *h;
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return NULL;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(ends[0]);
		serve(ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return NULL;
	}
	h = xcalloc(1, sizeof *h);
	h->fd = ends[0];
	return h;
}

/* A file without a name that has these bytes, at its beginning; -1: none. */
static int file_with(const char *data, size_t n)
{
#ifdef __linux__
	int fd = memfd_create("tpuscope", MFD_CLOEXEC);
#else
	FILE *f = tmpfile();
	int fd = f ? fcntl(fileno(f), F_DUPFD_CLOEXEC, 3) : -1;

	if (f)
		fclose(f);
#endif
	while (fd >= 0 && n > 0) {
		ssize_t done = write(fd, data, n);

		if (done <= 0) {
			close(fd);
			return -1;
		}
		data += done;
		n -= (size_t)done;
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

static bool send_request(int fd, const struct request *r, int data)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .bytes = { 0 } };
	struct iovec part = { (void *)r, sizeof *r };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };

	if (data >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof control;
		*CMSG_FIRSTHDR(&m) = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS,
			.cmsg_len = CMSG_LEN(sizeof data) };
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &data, sizeof data);
	}
	return sendmsg(fd, &m, MSG_NOSIGNAL) == (ssize_t)sizeof *r;
}

int helper_ask(struct helper *h, enum helper_wish wish, int line, const char *text, const char *data,
    size_t n)
{
	struct request r = { .wish = (int32_t)wish, .line = line };
	int file = h && data ? file_with(data, n) : -1;
	int32_t status = -1;
	ssize_t got;
	bool sent;

	if (!h || strlen(text) >= HELPER_TEXT || (data && file < 0))
		return -1;
	strcpy(r.text, text);
	sent = send_request(h->fd, &r, file);
	if (file >= 0)
		close(file);
	if (!sent)
		return -1;
	do
		got = recv(h->fd, &status, sizeof status, MSG_WAITALL);
	while (got < 0 && errno == EINTR);
	return got == sizeof status ? status : -1;
}

void helper_end(struct helper *h)
{
	if (h)
		close(h->fd);
	free(h);
}
