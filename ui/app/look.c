#include "config.h"
#include "app/internal.h"

#include <stddef.h>
#include <stdio.h>

/* Options override the config file. */
static const struct {
	enum setting setting;
	size_t at;
} options[] = {
	{ SET_THEME, offsetof(struct app_options, theme) },
	{ SET_BG, offsetof(struct app_options, bg) },
	{ SET_GLYPHS, offsetof(struct app_options, glyphs) },
};
#define NOPTIONS (sizeof options / sizeof *options)

static const char *option_text(const struct app_options *o, size_t i)
{
	return *(const char *const *)((const char *)o + options[i].at);
}

int look_check(const struct app_options *o, struct err *err)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if (option_text(o, i) && setting_check(options[i].setting, option_text(o, i), err))
			return -1;
	return 0;
}

struct settings look_settings(const struct app_options *o)
{
	struct settings s = o->settings;
	struct err err;
	char colors[16];

	for (size_t i = 0; i < NOPTIONS; i++)
		if (option_text(o, i))
			settings_set(&s, options[i].setting, option_text(o, i), SET_BY_OPTION, &err);
	if (o->slow)
		settings_set(&s, SET_SLOW, "on", SET_BY_OPTION, &err);
	if (o->colors >= 0) {
		snprintf(colors, sizeof colors, o->colors ? "%d" : "never", o->colors);
		settings_set(&s, SET_COLORS, colors, SET_BY_OPTION, &err);
	}
	return s;
}

static void choose_look(struct app *app)
{
	struct app_private *p = app->p;
	struct theme_choice c = theme_choose(&app->settings, &p->ground);

	app->theme = p->canvas.theme = c.theme;
	app->glyphs = p->canvas.glyphs = c.glyphs;
	p->canvas.mono = c.theme->mono;
	if (p->term->ops->dress)
		p->term->ops->dress(p->term, c.theme, c.colors);
}

void look_open(struct app *app, const struct theme_ground *ground)
{
	app->p->ground = *ground;
	choose_look(app);
}

/* The terminal may not be able to show what was asked for: say what is used now. */
void set_look(struct app *app, const char *value)
{
	(void)value;
	choose_look(app);
	app_layout(app);
	app_say(app, "theme %s, glyphs %s", app->theme->name, app->glyphs->name);
}
