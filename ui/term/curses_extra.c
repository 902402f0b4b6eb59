#include "config.h"
#include "term/curses_extra.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/codec/base64.h"
#include "core/term.h"
#include "term/terminfo.h"

static void send_bytes(const char *s)
{
	fputs(s, stdout);
	fflush(stdout);
}

static const char *mouse_sequence(enum mouse_mode mode)
{
	switch (mode) {
	case MOUSE_CLICKS:
		return "\033[?1002l\033[?1000h\033[?1006h";
	case MOUSE_DRAGS:
		return "\033[?1000h\033[?1002h\033[?1006h";
	default:
		return "\033[?1002l\033[?1000l\033[?1006l";
	}
}

int curses_extra_mouse(struct curses_extra *e, enum mouse_mode mode)
{
	if (mode == e->mode)
		return 0;
	if (!terminfo_like_xterm())
		return -1;
	e->mode = mode;
	send_bytes(mouse_sequence(mode));
	return 0;
}

void curses_extra_pause(const struct curses_extra *e)
{
	if (e->mode != MOUSE_OFF)
		send_bytes(mouse_sequence(MOUSE_OFF));
}

void curses_extra_resume(const struct curses_extra *e)
{
	if (e->mode != MOUSE_OFF)
		send_bytes(mouse_sequence(e->mode));
}

int curses_extra_clipboard(const char *text, size_t n)
{
	char *coded;

	if (n > CLIPBOARD_MAX || !terminfo_clipboard())
		return -1;
	coded = base64_encode(text, n);
	fprintf(stdout, "\033]52;c;%s", coded);
	send_bytes("\033\\");
	/* tmux takes the sequence above only if set-clipboard is on, and passes this one on if allow-passthrough is */
	if (terminfo_in_tmux()) {
		fprintf(stdout, "\033Ptmux;\033\033]52;c;%s\a", coded);
		send_bytes("\033\\");
	}
	free(coded);
	return terminfo_in_tmux();
}
