#include "config.h"

#include "view/timeline/search/internal.h"

#include <limits.h>
#include <stdlib.h>

#include "analyze/interval/window.h"
#include "base/text/units.h"

enum { AT_ONCE_MS = 10 }; /* a filter that takes no longer is shown in the next frame */

static void filter_message(struct filter *f)
{
	char a[32], b[32], hint[128];

	if (f->match.expensive)
		app_error(f->sc->view->app, "%s", f->match.why.msg);
	else if (!f->match.find->hits)
		app_say(f->sc->view->app, "&%.200s: no event matches%s; Esc clears the filter", f->match.text,
		    query_hint(f->match.text, hint, sizeof hint));
	else
		app_say(f->sc->view->app, "&%.200s: %s of %s events match; Esc clears the filter",
		    f->match.text, units_count(a, sizeof a, f->match.find->hits),
		    units_count(b, sizeof b, f->sc->rows.events));
}

static uint32_t key_of_hit(const void *filter, uint32_t track, size_t event)
{
	const struct filter *f = filter;
	const struct track *t = scene_track(f->sc, track);
	size_t k;

	return matches_slot(&f->match, track, &k) && find_holds(f->match.find, t, k, event)
	    ? track_meta(t, event)
	    : WINDOW_OUT;
}

void filter_apply(const struct filter *f, struct window *w)
{
	if (filter_on(f))
		w->keys = (struct window_keys){ .of = key_of_hit, .ctx = f };
}

int filter_set(struct filter *f, const char *text, struct err *e)
{
	struct matches m = { 0 };

	if (*text && matches_begin(f->sc, &m, text, e))
		return -1;
	matches_end(&f->match);
	f->match = m;
	f->sc->changes.hits++;
	f->changes++;
	f->sc->view->stale = true;
	if (*text && !matches_step(f->sc, &f->match, AT_ONCE_MS))
		filter_message(f);
	f->sc->filtered = filter_on(f);
	if (!*text)
		return 0;
	return f->match.find->hits > INT_MAX ? INT_MAX : (int)f->match.find->hits;
}

bool filter_leave(struct filter *f)
{
	if (!f->match.find)
		return false;
	filter_set(f, "", NULL);
	return true;
}

void filter_again(struct filter *f)
{
	char *text;

	if (!f->match.find)
		return;
	text = xstrdup(f->match.text);
	filter_set(f, text, NULL);
	free(text);
}

bool filter_step(struct filter *f, int budget_ms)
{
	if (!f->match.working)
		return false;
	f->sc->view->stale = true;
	if (matches_step(f->sc, &f->match, budget_ms))
		return true;
	f->sc->filtered = true;
	f->sc->changes.hits++;
	f->changes++;
	filter_message(f);
	return false;
}
