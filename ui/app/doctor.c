/* The lines of `tpuscope doctor` about the screen, the keyboard and what the user set. */
#include "config.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/internal.h"
#include "base/checks.h"
#include "base/file/disk.h"
#include "core/input/conf.h"
#include "core/state.h"
#include "term/terminfo.h"

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

/* Adds the line of the terminal; false: it has no description, and nothing more can be said about it. */
static bool check_terminal(struct checks *c)
{
	static const char other[] = "export TERM=xterm-256color; reports and snapshots need no terminal";
	const char *named = getenv("TERM"), *name = named;
	char advice[200];

	if (!is_set("TERM")) {
		checks_add(c, "terminal", CHECK_WARN, other, "TERM is not set: the viewer does not open");
		return false;
	}
	if (!terminfo_open(STDOUT_FILENO, &name)) {
		checks_add(c, "terminal", CHECK_WARN, "install ncurses-base",
		    "%.60s is not known to this machine, nor is %s: the viewer does not open", named, name);
		return false;
	}
	snprintf(advice, sizeof advice, "to have its own: infocmp -x %.60s | ssh HOST tic -x -", named);
	if (!terminfo_string("cup"))
		checks_add(c, "terminal", CHECK_WARN, other,
		    "%.60s cannot move the cursor: the viewer does not open", named);
	else if (name != named)
		checks_add(c, "terminal", CHECK_WARN, advice,
		    "%.60s is not known to this machine; driven as %s", named, name);
	else
		checks_add(c, "terminal", CHECK_OK, NULL, "%.60s", named);
	return true;
}

static void check_size(struct checks *c)
{
	struct winsize ws = { 0 };
	bool known = false;

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && !known; fd++)
		known = !ioctl(fd, TIOCGWINSZ, &ws) && ws.ws_col && ws.ws_row;
	if (!known)
		checks_add(c, "size", CHECK_OFF, NULL, "not known: no terminal here");
	else if (ws.ws_col < MIN_COLS || ws.ws_row < MIN_ROWS)
		checks_add(c, "size", CHECK_WARN, "make the window larger", "%dx%d: the viewer needs %dx%d",
		    ws.ws_col, ws.ws_row, MIN_COLS, MIN_ROWS);
	else
		checks_add(c, "size", CHECK_OK, NULL, "%dx%d", ws.ws_col, ws.ws_row);
}

static void check_colors(struct checks *c, const struct settings *s, const struct theme_ground *g,
    const struct theme_choice *look)
{
	const char *bg = settings_get(s, SET_BG);
	char why[120] = "";

	if (!look->colors)
		snprintf(why, sizeof why, "%s",
		    g->no_color && !settings_ask_colors(s) ? ", because NO_COLOR is set" : "");
	else if (strcmp(bg, "auto"))
		snprintf(why, sizeof why, ", on a %s background, as set", bg);
	else if (g->colorfgbg)
		snprintf(why, sizeof why, ", background by COLORFGBG=%.20s", g->colorfgbg);
	else
		snprintf(why, sizeof why, "; background taken as dark, COLORFGBG is not set (--bg light)");
	if (look->colors)
		checks_add(c, "colors", CHECK_OK, NULL, "%d, theme %s%s", look->colors, look->theme->name,
		    why);
	else
		checks_add(c, "colors", CHECK_OFF, NULL, "none%s", why);
}

/* The variable that says which characters there are. */
static const char *locale_variable(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (is_set(names[i]))
			return names[i];
	return NULL;
}

static void check_characters(struct checks *c, const struct theme_ground *g, const struct glyphs *glyphs)
{
	const char *variable = locale_variable(), *codeset = nl_langinfo(CODESET);
	bool utf8 = !strcmp(codeset, "UTF-8"), unknown = !setlocale(LC_CTYPE, "");
	char advice[100];

	snprintf(advice, sizeof advice, "%s=C.UTF-8", variable ? variable : "LANG");
	if (utf8)
		checks_add(c, "characters", CHECK_OK, NULL, "UTF-8%s",
		    g->unicode ? "" : ", of which this terminal shows ASCII alone");
	else if (!variable)
		checks_add(c, "characters", CHECK_WARN, advice, "ASCII, because LANG is not set");
	else
		checks_add(c, "characters", CHECK_WARN, advice, "ASCII, because %s=%.60s%s", variable,
		    getenv(variable), unknown ? " is not installed on this machine" : "");
	if (utf8 && !glyphs->ascii && glyphs != &glyphs_box)
		checks_add(c, "drawn as", CHECK_OK, NULL, "%s  if this is not readable: --glyphs ascii",
		    "▁▂▃▄▅▆▇█ ├─┼─┤ ⣿");
	else
		checks_add(c, "drawn as", CHECK_OK, NULL, "%s", glyphs->name);
}

static void check_keys(struct checks *c, const struct settings *s)
{
	const char *delay = getenv("ESCDELAY"), *version = getenv("TERM_PROGRAM_VERSION");
	bool tmux = is_set("TMUX"), own = is_set("TERM_PROGRAM") && !strcmp(getenv("TERM_PROGRAM"), "tmux");

	checks_add(c, "keys", CHECK_OK, NULL, "mouse %s, ESCDELAY %.20s ms%s%s%.20s",
	    settings_get(s, SET_MOUSE), delay ? delay : "25",
	    tmux                ? ", inside tmux"
		: is_set("STY") ? ", inside screen"
				: "",
	    tmux && own && version ? " " : "", tmux && own && version ? version : "");
}

static void check_clipboard(struct checks *c)
{
	if (!terminfo_clipboard())
		checks_add(c, "clipboard", CHECK_OFF, NULL,
		    "y cannot copy: this terminal takes no text for it");
	else
		checks_add(c, "clipboard", CHECK_OK, NULL, "y copies with OSC 52%s",
		    is_set("TMUX") ? "; tmux: needs set-clipboard on" : "");
}

static void check_files(struct checks *c, const struct config *conf, const struct settings *s)
{
	char *state = state_path(0), *slash = state ? strrchr(state, '/') : NULL;
	size_t set = 0, mistakes = conf->nnotes + conf->lost;

	for (int i = 0; i < SET_COUNT; i++)
		set += conf->settings.source[i] == SET_BY_CONFIG;
	if (mistakes)
		checks_add(c, "config", CHECK_WARN, conf->notes[0], "%s: %zu mistake%s",
		    conf->path ? conf->path : "a file of the user", mistakes, mistakes == 1 ? "" : "s");
	else if (conf->path)
		checks_add(c, "config", CHECK_OK, NULL, "%s: %zu setting%s", conf->path, set,
		    set == 1 ? "" : "s");
	else
		checks_add(c, "config", CHECK_OFF, NULL, "no file; man 5 tpuscope");
	if (slash)
		*slash = 0;
	if (!state)
		checks_add(c, "state", CHECK_WARN, "set HOME, or XDG_STATE_HOME",
		    "no folder: captures do not open where they were left");
	else if (!disk_writable(state))
		checks_add(c, "state", CHECK_WARN, "set XDG_STATE_HOME to a folder that can be written",
		    "%s cannot be written: captures do not open where they were left", state);
	else
		checks_add(c, "state", settings_on(s, SET_STATE) ? CHECK_OK : CHECK_OFF, NULL, "%s%s", state,
		    settings_on(s, SET_STATE) ? "" : ", which is switched off");
	free(state);
}

void app_doctor(const struct app_options *o, const struct config *conf, struct checks *c)
{
	struct settings s = look_settings(o);
	bool described = check_terminal(c);
	int n = described ? terminfo_number("colors") : 0;
	struct theme_ground ground;
	struct theme_choice look;

	check_size(c);
	term_ground(&ground, n >= 256 ? 256 : n >= 16 ? 16 : n >= 8 ? 8 : 0);
	look = theme_choose(&s, &ground);
	if (described)
		check_colors(c, &s, &ground, &look);
	check_characters(c, &ground, look.glyphs);
	if (described) {
		check_keys(c, &s);
		check_clipboard(c);
	}
	check_files(c, conf, &s);
}
