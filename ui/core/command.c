#include "config.h"
#include "core/app_private.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

static void do_view(struct app *app, const char *arg)
{
	struct view *v = app_view(app, arg);

	if (v)
		app_switch(app, (size_t)(v - app->views));
	else if (app_view_ops(arg))
		app_message(app, true, "nothing for the %s view in this capture", arg);
	else
		app_message(app, true, "there is no view %s", arg);
}

/* The timeline knows what a change of the clock means for what it shows: it does it. */
static void do_set(struct app *app, const char *arg)
{
	struct view *v = app_view(app, "timeline");
	bool device = !strcmp(arg, "clock device");

	if (!device && strcmp(arg, "clock plain")) {
		app_message(app, true, "what can be set: clock device, clock plain");
		return;
	}
	if (!v || !app->clocks.any_differs) {
		app_message(app, false, "this capture has one clock only");
		return;
	}
	app_switch(app, (size_t)(v - app->views));
	if ((app->clocks.in_use == CLOCK_DEVICE) != device)
		app_action(app, ACT_CLOCK, 1);
}

static void do_goto(struct app *app, const char *arg)
{
	struct ref ref = { .kind = REF_TIME, .track = UINT32_MAX, .file = -1 };

	if (units_parse_time(arg, &ref.t0)) {
		app_message(app, true, "%s is not a time: 1.5ms, 20us, 3s, or ps", arg);
		return;
	}
	ref.t1 = ref.t0;
	if (app_go(app, "timeline", &ref))
		app_message(app, true, "cannot go there");
}

static const struct command {
	const char *name, *usage;
	void (*run)(struct app *, const char *arg);
} commands[] = {
	{ "view", "view NAME", do_view },
	{ "set", "set clock device|plain", do_set },
	{ "goto", "goto TIME", do_goto },
};
#define NCOMMANDS (sizeof commands / sizeof *commands)

static bool is_word(const char *line, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(line, word, n);
}

static void do_action(struct app *app, enum action a)
{
	enum scope scope = action_info[a].scope;

	if (scope != SCOPE_ALL && scope != app_scope(app))
		app_message(app, true, "%s belongs to: %s", action_info[a].name, scope_title[scope]);
	else
		app_action(app, a, 1);
}

void app_command(struct app *app, const char *line)
{
	char name[64];
	size_t n;
	enum action a;

	line += strspn(line, " ");
	n = strcspn(line, " ");
	if (!n)
		return;
	for (size_t i = 0; i < NCOMMANDS; i++) {
		const char *arg = line + n + strspn(line + n, " ");

		if (!is_word(line, n, commands[i].name))
			continue;
		if (*arg)
			commands[i].run(app, arg);
		else
			app_message(app, true, "what is missing: %s", commands[i].usage);
		return;
	}
	snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), line);
	if ((a = action_by_name(!strcmp(name, "q") ? "quit" : name)) != ACT_NONE)
		do_action(app, a);
	else
		app_message(app, true, "no command %s: Tab shows what there is", name);
}

/* Candidates for what is being typed: `n` of them are counted, their common beginning is kept, and as many
 * as fit are listed. */
struct candidates {
	const char *typed;
	size_t len, n;
	char common[64], list[256];
};

static void offer(struct candidates *c, const char *word)
{
	size_t same = 0;

	if (strncmp(word, c->typed, c->len))
		return;
	if (!c->n++)
		snprintf(c->common, sizeof c->common, "%s", word);
	while (c->common[same] && c->common[same] == word[same])
		same++;
	c->common[same] = 0;
	if (strlen(c->list) + strlen(word) + 2 < sizeof c->list)
		snprintf(c->list + strlen(c->list), sizeof c->list - strlen(c->list), "%s%s",
		    *c->list ? " " : "", word);
}

static void offer_first_word(struct app *app, struct candidates *c)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		offer(c, commands[i].name);
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (action_info[a].scope == SCOPE_ALL || action_info[a].scope == app_scope(app))
			offer(c, action_info[a].name);
}

void app_complete(struct app *app, struct prompt *p)
{
	static const char *const settings[] = { "clock device", "clock plain" };
	size_t first = strcspn(p->text, " ");
	bool has_arg = p->text[first] == ' ';
	const char *arg = p->text + first + strspn(p->text + first, " ");
	struct candidates c = { .typed = has_arg ? arg : p->text };
	char line[PROMPT_MAX + 1];

	c.len = strlen(c.typed);
	if (!has_arg)
		offer_first_word(app, &c);
	else if (is_word(p->text, first, "view"))
		for (size_t i = 0; i < app->nviews; i++)
			offer(&c, app->views[i].ops->id);
	else if (is_word(p->text, first, "set"))
		for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
			offer(&c, settings[i]);
	if (!c.n)
		return;
	snprintf(line, sizeof line, "%.*s%s%s", (int)(c.typed - p->text), p->text, c.common, c.n == 1 &&
	    !has_arg ? " " : "");
	prompt_set(p, line);
	if (c.n > 1)
		snprintf(p->hint, sizeof p->hint, "%s", c.list);
}
