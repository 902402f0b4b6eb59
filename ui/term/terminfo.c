#include "config.h"
#include "term/terminfo.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

/* Terminals that speak as xterm does and that machines behind ssh rarely know by name. */
static const struct {
	const char *part, *as;
} stand_ins[] = {
	{ "kitty", "xterm-256color" },
	{ "ghostty", "xterm-256color" },
	{ "wezterm", "xterm-256color" },
	{ "alacritty", "xterm-256color" },
	{ "foot", "xterm-256color" },
	{ "tmux", "screen-256color" },
	{ "screen", "screen-256color" },
	{ "256color", "xterm-256color" },
	{ "direct", "xterm-256color" },
	{ "", "xterm" },
};

void *terminfo_open(int fd, const char **name)
{
	size_t i = 0;
	int why;

	if (setupterm(*name, fd, &why) == OK)
		return cur_term;
	while (!strstr(*name, stand_ins[i].part))
		i++;
	*name = stand_ins[i].as;
	return setupterm(*name, fd, &why) == OK ? cur_term : NULL;
}

void terminfo_close(void *description)
{
	if (description)
		del_curterm(description);
}

const char *terminfo_string(const char *capability)
{
	const char *s = tigetstr((char *)capability);

	return s == (char *)-1 ? NULL : s;
}

int terminfo_number(const char *capability)
{
	return tigetnum((char *)capability);
}

bool terminfo_like_xterm(void)
{
	return terminfo_string("kmous") != NULL;
}

bool terminfo_in_tmux(void)
{
	const char *tmux = getenv("TMUX");

	return tmux && *tmux;
}

/* GNU screen accepts the text and drops it; tmux supports OSC 52. */
bool terminfo_clipboard(void)
{
	const char *screen = getenv("STY");

	return terminfo_like_xterm() && (terminfo_in_tmux() || !screen || !*screen);
}
