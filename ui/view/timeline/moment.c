#include "config.h"

#include "view/timeline/tl.h"

#include <stdio.h>

#include "base/text/units.h"

bool tl_utc_on(const struct tl *t)
{
	return *settings_get(&t->scene.view->app->settings, SET_TIME) == 'u' && utc_anchor(t->scene.dump) &&
	    !t->scene.shift.on;
}

unsigned tl_utc_toggle(struct tl *t)
{
	struct app *app = t->scene.view->app;
	bool utc = *settings_get(&app->settings, SET_TIME) == 'u';
	struct err err = { .at = ERR_NOWHERE };
	char key[32];

	if (!utc_anchor(t->scene.dump)) {
		app_message(app, false, "This capture does not say when it began");
		return REACT_REDRAW;
	}
	settings_set(&app->settings, SET_TIME, utc ? "relative" : "utc", SET_BY_USER, &err);
	if (t->scene.shift.on)
		app_message(app, false, "Aligned: times count from the step; %s when %s ends it",
		    utc ? "from the begin of the capture" : "UTC",
		    scene_key(&t->scene, ACT_ALIGN, key, sizeof key));
	else
		app_message(app, false, utc ? "Times count from the begin of the capture" : "Times are UTC");
	return REACT_REDRAW;
}

char *tl_utc_or_exact(const struct tl *t, int64_t at, bool day, char *buf, size_t size)
{
	char utc[64];

	if (!tl_utc_on(t))
		return units_time_exact(buf, size, at, scene_ascii(&t->scene));
	snprintf(buf, size, "%s UTC", utc_text(utc_anchor(t->scene.dump), at, 12, day, utc, sizeof utc));
	return buf;
}

void tl_moment_brief(const struct tl *t, int64_t at, char *buf, size_t size)
{
	if (tl_utc_on(t))
		utc_text(utc_anchor(t->scene.dump), at, utc_decimals(ticks_least(&t->scene.port)), false, buf,
		    size);
	else
		ticks_moment(&t->scene.port, at, scene_ascii(&t->scene), buf, size);
}
