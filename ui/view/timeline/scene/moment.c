#include "config.h"

#include "view/timeline/scene/internal.h"

#include <stdio.h>

#include "base/text/units.h"
#include "view/timeline/viewport/utc.h"

bool scene_utc(const struct scene *sc)
{
	return *settings_get(&sc->view->app->settings, SET_TIME) == 'u' && utc_anchor(sc->cap->dump) &&
	    !sc->shift.on;
}

unsigned scene_toggle_utc(struct scene *sc)
{
	struct app *app = sc->view->app;
	bool utc = *settings_get(&app->settings, SET_TIME) == 'u';
	struct err err = { .at = ERR_NOWHERE };
	char key[32];

	if (!utc_anchor(sc->cap->dump)) {
		app_say(app, "the start time of this capture is unknown");
		return REACT_REDRAW;
	}
	settings_set(&app->settings, SET_TIME, utc ? "relative" : "utc", SET_BY_USER, &err);
	if (sc->shift.on)
		app_say(app, "Times count from the step while hosts are aligned; %s after %s",
		    utc ? "since start" : "UTC", scene_key(sc, ACT_ALIGN, key, sizeof key));
	else
		app_say(app, utc ? "times are since the start of the capture" : "times are UTC");
	return REACT_REDRAW;
}

static char *exact_time(const struct scene *sc, int64_t at, bool day, char *buf, size_t size)
{
	char utc[64];

	if (!scene_utc(sc))
		return units_time_exact(buf, size, at, scene_ascii(sc));
	snprintf(buf, size, "%s UTC", utc_text(utc_anchor(sc->cap->dump), at, 12, day, utc, sizeof utc));
	return buf;
}

char *scene_time_exact(const struct scene *sc, int64_t at, char *buf, size_t size)
{
	return exact_time(sc, at, false, buf, size);
}

char *scene_time_dated(const struct scene *sc, int64_t at, char *buf, size_t size)
{
	return exact_time(sc, at, true, buf, size);
}

void scene_time_brief(const struct scene *sc, int64_t at, char *buf, size_t size)
{
	if (scene_utc(sc))
		utc_text(utc_anchor(sc->cap->dump), at, utc_decimals(ticks_least(&sc->port)), false, buf,
		    size);
	else
		ticks_moment(&sc->port, at, scene_ascii(sc), buf, size);
}
