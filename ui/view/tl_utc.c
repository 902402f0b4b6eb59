#include "config.h"

#include "view/tl_utc.h"

#include <stdio.h>
#include <time.h>

#include "base/units.h"
#include "view/tl.h"

#define DAY_S INT64_C(86400)
#define EPOCH_LEAST INT64_C(1000000000000000000) /* 2001: smaller origins count from somewhere else */

int64_t tl_utc_anchor(const struct dump *d)
{
	return d->origin_ns >= EPOCH_LEAST ? d->origin_ns : d->start_unix_ns > 0 ? d->start_unix_ns : 0;
}

bool tl_utc_on(const struct tl *t)
{
	return *settings_get(&t->view->app->settings, SET_TIME) == 'u' && tl_utc_anchor(t->dump) && !t->align.on;
}

unsigned tl_utc_toggle(struct tl *t)
{
	struct app *app = t->view->app;
	bool utc = *settings_get(&app->settings, SET_TIME) == 'u';
	struct err err = { .at = ERR_NOWHERE };

	if (!tl_utc_anchor(t->dump)) {
		app_message(app, false, "This capture does not say when it began");
		return REACT_REDRAW;
	}
	settings_set(&app->settings, SET_TIME, utc ? "relative" : "utc", SET_BY_USER, &err);
	app_message(app, false, utc ? "Times count from the begin of the capture" : "Times are UTC");
	return REACT_REDRAW;
}

int tl_utc_decimals(int64_t ps)
{
	int64_t u = PS_PER_S;
	int n = 0;

	for (; u > ps && n < 12; n++)
		u /= 10;
	return n;
}

/* Whole seconds since 1970 and the ps behind them: together they are too large for 64 bits. */
static int64_t split(int64_t anchor_ns, int64_t t, int64_t *ps)
{
	int64_t seconds = tl_floor_div(anchor_ns, 1000000000),
		more = (anchor_ns - seconds * 1000000000) * PS_PER_NS, whole = tl_floor_div(t, PS_PER_S);

	more += t - whole * PS_PER_S;
	if (more >= PS_PER_S) {
		more -= PS_PER_S;
		whole++;
	}
	*ps = more;
	return seconds + whole;
}

char *tl_utc_text(int64_t anchor_ns, int64_t t, int decimals, bool day, char *buf, size_t size)
{
	int64_t ps;
	time_t when = (time_t)split(anchor_ns, t, &ps);
	struct tm tm = { 0 };
	char head[40], tail[16];

	gmtime_r(&when, &tm);
	strftime(head, sizeof head, day ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
	snprintf(tail, sizeof tail, "%012lld", (long long)ps);
	if (decimals > 0)
		snprintf(buf, size, "%s.%.*s", head, decimals > 12 ? 12 : decimals, tail);
	else
		snprintf(buf, size, "%s", head);
	return buf;
}

/* Round moments of the day, as far apart as their text is long. */
int tl_utc_ticks(const struct tl_grid *g, int64_t anchor_ns, struct tl_tick *out, int max)
{
	int64_t step, ps, begin = tl_grid_begin(g), of_day, at;
	int n = 0, decimals;

	for (int64_t columns = 12;; columns += 3) {
		if (__builtin_mul_overflow(columns, g->c, &step))
			step = INT64_MAX / 4;
		step = units_step_125(step);
		decimals = tl_utc_decimals(step);
		if (step / g->c >= 8 + (decimals ? decimals + 1 : 0) + 2 || columns > 60)
			break;
	}
	of_day = split(anchor_ns, begin, &ps) % DAY_S * PS_PER_S + ps;
	at = begin + (of_day % step ? step - of_day % step : 0);
	for (; n < max && at < tl_grid_end(g); at += step, n++) {
		out[n].t = at;
		out[n].x = tl_grid_column(g, at);
		tl_utc_text(anchor_ns, at, decimals, false, out[n].text, sizeof out[n].text);
	}
	return n;
}
