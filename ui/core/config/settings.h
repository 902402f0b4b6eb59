/* Settings: named values shared by the config file (`set NAME VALUE`), options and `:set`.  settings.def is
 * the one list; tpuscope(5) is checked against it.  A value has a source; a weaker source never replaces the
 * value of a stronger one, so the order in which file and options are read does not matter.  `:set` is the
 * strongest.  To add one: a row in settings.def and, where a change must do something at run time, the
 * function named there (in a file of your own).  set_redraw serves settings that are looked up at each
 * drawing.  Code that needs a value asks settings_get(&app->settings, SET_CLOCK), or settings_on(…) for
 * on|off.  Plain values, nothing to free; for the thread of the screen only. */
#ifndef CORE_CONFIG_SETTINGS_H
#define CORE_CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"

struct app;

enum setting {
#define SETTING(id, name, values, value, apply, help) SET_##id,
#include "core/config/settings.def"
#undef SETTING
	SET_COUNT
};

enum setting_source { SET_BY_DEFAULT, SET_BY_CONFIG, SET_BY_OPTION, SET_BY_USER };

#define SETTING_MAX 255 /* bytes of a value */

struct settings {
	char value[SET_COUNT][SETTING_MAX + 1]; /* "" with SET_BY_DEFAULT */
	enum setting_source source[SET_COUNT];
};

struct setting_info {
	const char *name, *values, *value;
	/* called at run time after the value was stored; may show a message */
	void (*apply)(struct app *, const char *value);
	const char *help;
};

extern const struct setting_info setting_info[SET_COUNT];

/* `--list-settings[=text|man]`: all, with their current values; -1 = unknown format */
int settings_list(FILE *, const struct settings *, const char *format);
enum setting setting_by_name(const char *name); /* SET_COUNT = no such setting */
/* i-th of the values that can be listed, into buf; NULL after the last */
const char *setting_value(enum setting, size_t i, char *buf, size_t size);
/* -1 with EXIT_USAGE: "theme nice: should be one of …" */
int setting_check(enum setting, const char *value, struct err *);

/* checks the value and stores it unless the current one has a stronger source; 1 = kept the current one */
int settings_set(struct settings *, enum setting, const char *value, enum setting_source, struct err *);
int settings_put(struct settings *, const char *name, const char *value, enum setting_source, struct err *);
const char *settings_get(const struct settings *, enum setting);
bool settings_on(const struct settings *, enum setting); /* its value is "on" */
/* true when an option or :set asks for a theme or colors, which overrides NO_COLOR */
bool settings_ask_colors(const struct settings *);

/* what to do when a value changes at run time */
void set_redraw(struct app *, const char *value); /* does the layout again and redraws */
#define SETTING(id, name, values, value, apply, help) void apply(struct app *, const char *);
#include "core/config/settings.def"
#undef SETTING

#endif
