#include "config.h"
#include "app/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/events/query.h"
#include "base/mem.h"
#include "base/text/regex.h"

/* Ends the search; views must let go of the pattern before it is freed. */
bool app_search_end(struct app *app)
{
	struct app_private *p = app->p;

	free(p->search_wanted);
	p->search_wanted = NULL;
	if (!p->pattern)
		return false;
	for (size_t i = 0; i < app->nviews; i++) {
		struct view *v = &app->views[i];

		if (v->opened && v->ops->find)
			v->ops->find(v, NULL, 0);
	}
	regex_free(p->pattern);
	p->pattern = NULL;
	p->dirty = p->working = true;
	return true;
}

#define FIELDS_HERE "fields of events are found in the timeline"

/* Does the text ask for fields of events, which only the timeline has? */
static bool is_of_events(const struct view *v, const char *text)
{
	return v->ops->scope != SCOPE_TIMELINE && query_meant(text);
}

void app_search(struct app *app, const char *pattern)
{
	struct app_private *p = app->p;
	struct view *v = app_here(app);
	struct err err = { .at = ERR_NOWHERE };
	struct regex *re;
	char hint[128];
	int hits;

	if (!*pattern) {
		app_search_end(app);
		return;
	}
	if (!v->ops->find) {
		app_error(app, "nothing to search in %s", v->ops->title);
		return;
	}
	if (!(re = query_regex(pattern, &err))) {
		app_error(app, "%s", err.msg);
		return;
	}
	app_search_end(app);
	p->pattern_view = app->current;
	if (view_computes(v)) {
		regex_free(re);
		p->search_wanted = xstrdup(pattern);
		return;
	}
	p->pattern = re;
	hits = v->ops->find(v, re, 0);
	p->dirty = p->working = true;
	if (regex_too_expensive(re, &err)) {
		app_error(app, "%s", err.msg);
		if (hits <= 0)
			app_search_end(app);
	} else if (hits <= 0) {
		app_search_end(app);
		if (hits == 0 && is_of_events(v, pattern))
			snprintf(hint, sizeof hint, "; " FIELDS_HERE);
		else
			query_hint(pattern, hint, sizeof hint);
		if (hits < 0)
			app_error(app, "/%s: cannot be searched here", pattern);
		else
			app_say(app, "/%s: not found%s", pattern, hint);
	}
}

void app_search_step(struct app *app, int dir)
{
	struct app_private *p = app->p;
	struct view *v = app_here(app);

	if (!p->pattern) {
		if (!p->patterns.n) {
			app_say(app, "no search yet; press / to start one");
			return;
		}
		app_search(app, p->patterns.v[p->patterns.n - 1]);
		return;
	}
	if (p->pattern_view != app->current) /* started in another view: start it in this one */
		dir = 0;
	p->pattern_view = app->current;
	if (!v->ops->find || v->ops->find(v, p->pattern, dir) <= 0)
		app_say(app, "/%s: not found here", regex_pattern(p->pattern));
	p->dirty = p->working = true;
}

char *app_search_text(const struct app *app)
{
	const struct app_private *p = app->p;

	return p->pattern && p->pattern_view == app->current ? xstrdup(regex_pattern(p->pattern)) : NULL;
}

void app_search_due(struct app *app)
{
	struct app_private *p = app->p;
	const struct view *v = app_here(app);
	char *text = p->search_wanted;

	if (!text || !v || (p->pattern_view == app->current && view_computes(v)))
		return;
	p->search_wanted = NULL;
	if (p->pattern_view == app->current)
		app_search(app, text);
	free(text);
}

void app_filter(struct app *app, const char *text)
{
	struct view *v = app_here(app);
	struct err err = { .at = ERR_NOWHERE };
	int rows;

	banner_forget(app);
	if (!v->ops->filter)
		app_error(app, "nothing to filter in %s", v->ops->title);
	else if ((rows = v->ops->filter(v, text, &err)) < 0)
		app_error(app, "%s", err.msg);
	else if (!rows && is_of_events(v, text))
		app_say(app, "&%s: no line has this text; " FIELDS_HERE, text);
	app->p->dirty = app->p->working = true;
}
