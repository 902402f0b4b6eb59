#include "config.h"
#include "core/term.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>

#include "base/mem.h"
#include "term/curses_draw.h"
#include "term/curses_extra.h"
#include "term/curses_keys.h"
#include "term/restore.h"
#include "term/terminfo.h"

#define INSTEAD "use `tpuscope report TOOL PATH` or `tpuscope snapshot VIEW PATH` instead"

struct curses {
	struct term base;
	SCREEN *screen;
	const char *name; /* $TERM, or the terminal it is taken for */
	void *terminfo;   /* until the screen is open */
	FILE *in;         /* /dev/tty when standard input carries data */
	int in_fd;
	struct curses_draw draw;
	struct curses_keys keys;
	struct curses_extra extra;
	int wake[2]; /* pipe with a byte per signal: W window size, Z stop, C continue */
	bool stop_asked;
	struct sigaction old[3], away[2]; /* away: SIGINT, SIGQUIT */
};

/* Signal handlers talk to the event loop only through this pipe. */
static volatile sig_atomic_t wake_fd = -1;
static const struct {
	int sig;
	char byte;
} wakers[3] = { { SIGWINCH, 'W' }, { SIGTSTP, 'Z' }, { SIGCONT, 'C' } };

static void on_wake(int sig)
{
	int saved = errno;

	for (size_t i = 0; i < 3; i++)
		if (wakers[i].sig == sig && write(wake_fd, &wakers[i].byte, 1) < 0)
			break;
	errno = saved;
}

static void catch_wakers(struct curses *t, bool keep_old)
{
	struct sigaction sa = { .sa_handler = on_wake, .sa_flags = SA_RESTART };

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < 3; i++)
		sigaction(wakers[i].sig, &sa, keep_old ? &t->old[i] : NULL);
}

/* Returns whether ncurses will return KEY_RESIZE. */
static bool new_size(struct curses *t)
{
	struct winsize ws;

	curses_draw_all(&t->draw);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) || !ws.ws_row || !ws.ws_col ||
	    (ws.ws_row == LINES && ws.ws_col == COLS))
		return false;
	resizeterm(ws.ws_row, ws.ws_col);
	return true;
}

static void handle_signals(struct curses *t)
{
	char bytes[64];
	bool sized = false;
	ssize_t n;

	while ((n = read(t->wake[0], bytes, sizeof bytes)) > 0)
		for (ssize_t i = 0; i < n; i++) {
			if (bytes[i] == 'Z')
				t->stop_asked = true;
			else
				sized = true;
			if (bytes[i] == 'C')
				reset_prog_mode(); /* the shell may have changed the line settings */
		}
	/* after sizes in between, which the terminal had and may have cut the screen to, it may be the old one */
	if (sized && !new_size(t))
		ungetch(KEY_RESIZE);
}

static int curses_wait(struct term *term, int fd, int timeout)
{
	struct curses *t = (struct curses *)term;
	struct pollfd p[3] = { { t->in_fd, POLLIN, 0 }, { t->wake[0], POLLIN, 0 }, { fd, POLLIN, 0 } };
	int bits = 0;

	if (poll(p, fd >= 0 ? 3 : 2, timeout) < 0)
		return 0; /* interrupted by a signal: its byte is in the pipe */
	if (p[1].revents) {
		handle_signals(t);
		bits |= TERM_KEY;
	}
	if (p[0].revents & POLLIN)
		bits |= TERM_KEY;
	if (p[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		bits |= TERM_HUP;
	if (fd >= 0 && p[2].revents)
		bits |= TERM_FD;
	return bits;
}

static int curses_key(struct term *term, struct key *key)
{
	struct curses *t = (struct curses *)term;

	term->pasted = false;
	if (t->stop_asked) {
		t->stop_asked = false;
		*key = (struct key){ 'z', MOD_CTRL };
		return 1;
	}
	if (!curses_keys_get(&t->keys, key))
		return 0;
	term->mouse = t->keys.mouse;
	term->pasted = t->keys.pasting;
	return 1;
}

static void curses_size(struct term *term, int *rows, int *cols)
{
	(void)term;
	*rows = LINES;
	*cols = COLS;
}

static bool curses_draw(struct term *term, const struct canvas *c, int most)
{
	return curses_draw_frame(&((struct curses *)term)->draw, c, most);
}

static void curses_dress(struct term *term, const struct theme *theme, int colors)
{
	curses_draw_dress(&((struct curses *)term)->draw, theme, colors);
}

static void curses_redraw(struct term *term)
{
	curses_draw_all(&((struct curses *)term)->draw);
}

/* Signals of the terminal are for the program that has it, but Ctrl-Z stops this one, too. */
static void curses_leave(struct term *term)
{
	struct curses *t = (struct curses *)term;
	struct sigaction dfl = { .sa_handler = SIG_DFL }, ignore = { .sa_handler = SIG_IGN };

	curses_draw_stop(&t->draw);
	curses_extra_pause(&t->extra);
	endwin();
	curses_extra_pause(&t->extra);
	restore_pause();
	sigemptyset(&dfl.sa_mask);
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGTSTP, &dfl, NULL);
	sigaction(SIGINT, &ignore, &t->away[0]);
	sigaction(SIGQUIT, &ignore, &t->away[1]);
}

static void curses_back(struct term *term)
{
	struct curses *t = (struct curses *)term;
	char bytes[64];

	sigaction(SIGINT, &t->away[0], NULL);
	sigaction(SIGQUIT, &t->away[1], NULL);
	catch_wakers(t, false);
	while (read(t->wake[0], bytes, sizeof bytes) > 0) /* SIGCONT has been handled here */
		;
	reset_prog_mode();
	restore_resume();
	curses_extra_resume(&t->extra);
	curses_draw_all(&t->draw);
	new_size(t);
}

/* Like the terminal's own Ctrl-Z: a script that waits for the program stops, too, so that its shell comes back. */
static void curses_suspend(struct term *term)
{
	curses_leave(term);
	kill(0, SIGTSTP);
	curses_back(term);
}

static void curses_where(struct term *term, const char *view)
{
	(void)term;
	restore_where(view);
}

static void curses_close(struct term *term)
{
	struct curses *t = (struct curses *)term;

	if (t->screen) {
		curses_keys_close(&t->keys);
		curses_draw_stop(&t->draw);
		curses_extra_pause(&t->extra);
		endwin();
		/* some terminals turn the mouse on again when the screen changes */
		curses_extra_pause(&t->extra);
		restore_pause();
		restore_disarm();
		for (size_t i = 0; i < 3; i++)
			sigaction(wakers[i].sig, &t->old[i], NULL);
		delscreen(t->screen);
	}
	terminfo_close(t->terminfo);
	curses_draw_free(&t->draw);
	wake_fd = -1;
	for (int i = 0; i < 2; i++)
		if (t->wake[i] >= 0)
			close(t->wake[i]);
	if (t->in && t->in != stdin)
		fclose(t->in);
	free(t);
}

static int curses_mouse(struct term *term, enum mouse_mode mode)
{
	return curses_extra_mouse(&((struct curses *)term)->extra, mode);
}

static int curses_clipboard(struct term *term, const char *text, size_t n)
{
	(void)term;
	return curses_extra_clipboard(text, n);
}

static const struct term_ops curses_ops = {
	.wait = curses_wait,
	.key = curses_key,
	.size = curses_size,
	.draw = curses_draw,
	.redraw = curses_redraw,
	.dress = curses_dress,
	.suspend = curses_suspend,
	.leave = curses_leave,
	.back = curses_back,
	.where = curses_where,
	.mouse = curses_mouse,
	.clipboard = curses_clipboard,
	.close = curses_close,
};

/* Checks that the terminal can be used; -1 with a message that says what to do. */
static int check_terminal(struct curses *t, struct err *err)
{
	const char *name = getenv("TERM");

	if (!isatty(STDOUT_FILENO))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "standard output is not a terminal — " INSTEAD);
	if (!name || !*name)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "TERM is not set, so the kind of terminal is not known — set it, or " INSTEAD);
	t->name = name;
	if (!(t->terminfo = terminfo_open(STDOUT_FILENO, &t->name)))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "this machine does not know the terminal TERM=%.60s, nor %s — install ncurses-base, "
		    "or " INSTEAD,
		    name, t->name);
	if (t->name != name)
		snprintf(t->base.note, sizeof t->base.note,
		    "this machine does not know the terminal %.60s: it is used as %s", name, t->name);
	if (!terminfo_string("cup"))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "the terminal TERM=%.60s cannot move the cursor — " INSTEAD, name);
	return 0;
}

static int open_input(struct curses *t, struct err *err)
{
	t->in = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "re");
	if (!t->in)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "no terminal to read keys from — " INSTEAD);
	t->in_fd = fileno(t->in);
	return 0;
}

static int open_screen(struct curses *t, struct err *err)
{
	struct winsize ws;

	if (pipe2(t->wake, O_CLOEXEC | O_NONBLOCK))
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "cannot create a pipe: %s", strerror(errno));
	wake_fd = t->wake[1];
	restore_prepare(STDOUT_FILENO);
	if (!getenv("ESCDELAY"))
		set_escdelay(25);
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_row && ws.ws_col) {
		unsetenv("LINES"); /* may be of another terminal, or nonsense */
		unsetenv("COLUMNS");
	}
	catch_wakers(t, true); /* before newterm: ncurses does not replace existing handlers */
	if (!(t->screen = newterm((char *)t->name, stdout, t->in)))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "the terminal cannot be used — " INSTEAD);
	terminfo_close(t->terminfo); /* newterm() loaded its own */
	t->terminfo = NULL;
	restore_arm();
	raw();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	new_size(t);
	return curses_keys_open(&t->keys)
	    ? err_set(err, EXIT_NOTHING, ERR_NOWHERE, "the terminal cannot be read")
	    : 0;
}

void term_ground(struct theme_ground *g, int colors)
{
	const char *name = getenv("TERM"), *no_color = getenv("NO_COLOR");

	*g = (struct theme_ground){
		.colors = colors,
		.no_color = no_color && *no_color,
		.colorfgbg = getenv("COLORFGBG"),
		.unicode = !strcmp(nl_langinfo(CODESET), "UTF-8") && name && strcmp(name, "linux"),
		.lines = terminfo_string("acsc") != NULL,
	};
}

struct term *term_curses_open(struct theme_ground *ground, struct err *err)
{
	struct curses *t = xcalloc(1, sizeof *t);

	t->base.ops = &curses_ops;
	t->wake[0] = t->wake[1] = -1;
	if (check_terminal(t, err) || open_input(t, err) || open_screen(t, err)) {
		curses_close(&t->base);
		return NULL;
	}
	term_ground(ground, curses_draw_open(&t->draw));
	return &t->base;
}
