#include "config.h"
#include "view/idle/idle.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "widget/fields.h"

enum { SMALL = 14, LABEL = 14, WIDE = 72, TIME_TO = 51, BAR_AT = 61, LEAST = 4 };

static void draw_cause(struct view *v, struct canvas *c, struct rect a, int y, enum idle_cause cause)
{
	const struct idle *d = ((const struct idle_view *)v->state)->v;
	const bool ascii = v->app->glyphs->ascii;
	const double part = (double)d->sum.cause[cause] / (double)d->sum.idle;
	char percent[16], time[40];
	int n;

	units_time(time, sizeof time, d->sum.cause[cause] / (int64_t)d->ncores, ascii);
	snprintf(percent, sizeof percent, "%5.1f %%", 100 * part);
	canvas_str(c, y, a.x + 1, a.w - 1, ROLE_TEXT, 0, idle_cause_name[cause]);
	canvas_str(c, y, a.x + TIME_TO - utf8_cols(time, strlen(time)), a.w - TIME_TO, ROLE_TEXT, 0, time);
	canvas_str(c, y, a.x + TIME_TO + 1, a.w - TIME_TO - 1, ROLE_TEXT, 0, percent);
	n = (int)(part * (a.w - BAR_AT - 1) + .5);
	for (int i = 0; i < n; i++)
		canvas_str(c, y, a.x + BAR_AT + i, 1, ROLE_TEXT, 0, ascii ? "#" : "█");
}

/* Causes of which there is something, the largest first, as many as there is room for. */
static int draw_causes(struct view *v, struct canvas *c, struct rect a, int room)
{
	const struct idle *d = ((const struct idle_view *)v->state)->v;
	bool done[IDLE_CAUSES] = { false };
	int y = a.y;

	for (; y < a.y + room; y++) {
		int most = -1;

		for (int i = 0; i < IDLE_CAUSES; i++)
			if (!done[i] && d->sum.cause[i] > 0 &&
			    (most < 0 || d->sum.cause[i] > d->sum.cause[most]))
				most = i;
		if (most < 0)
			break;
		done[most] = true;
		draw_cause(v, c, a, y, (enum idle_cause)most);
	}
	return y - a.y;
}

static void draw_head(struct view *v, struct canvas *c, struct rect a)
{
	const struct idle *d = ((const struct idle_view *)v->state)->v;
	const bool ascii = v->app->glyphs->ascii;
	char text[200], idle[40], all[40];
	const int64_t n = d->ncores ? (int64_t)d->ncores : 1;

	snprintf(text, sizeof text, " Idle %s per core of %s, %.1f %%; the causes add up to it",
	    units_time(idle, sizeof idle, d->sum.idle / n, ascii),
	    units_time(all, sizeof all, d->sum.window / n, ascii), idle_percent(&d->sum));
	canvas_str(c, a.y, a.x, a.w, ROLE_BOLD, 0, text);
}

struct rect idle_above(struct view *v, struct canvas *c, struct rect a)
{
	struct idle_view *s = v->state;
	int used = 0;

	if (a.h <= 3)
		return a;
	if (a.h >= SMALL && s->v->sum.idle > 0) {
		draw_head(v, c, a);
		used = 1 +
		    draw_causes(v, c, (struct rect){ a.y + 1, a.x, a.h - 1, a.w },
			a.h < 2 * SMALL ? LEAST : IDLE_CAUSES);
	}
	a = (struct rect){ a.y + used, a.x, a.h - used, a.w };
	return pages_tabs(v, c, a);
}

static const char *const forms[IDLE_PAGES] = {
	[IDLE_LONGEST] = "host core start_us idle_us cause before after",
	[IDLE_LAUNCHES] = "thread time_us count",
	[IDLE_CORES] =
	    "host core window_us idle_us launch_us between_us input_us in_run_us other_cores_us dma_us "
	    "communication_us dependency_us unknown_us infeed_us",
	[IDLE_STEPS] = "host core step idle_us launch_us between_us input_us in_run_us other_cores_us dma_us "
		       "communication_us dependency_us unknown_us",
};

int idle_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct idle_view *s = v->state;
	const struct table *t = &s->pages.table[s->pages.page];
	size_t row = sheet_row(&s->pages.sheet[s->pages.page]);
	struct pen p = { .c = c, .r = r, .y = r.y, .label = how == FRAME_BESIDE ? 0 : LABEL };

	if (row >= t->nrows)
		return r.y;
	p.across = how == FRAME_BESIDE || r.w < WIDE ? 1 : 2;
	if (s->pages.page == IDLE_LAUNCHES)
		pen_path(&p, table_str(t, row, (size_t)table_column(t, "event")));
	pen_row(&p, t, row, forms[s->pages.page], how == FRAME_FULL);
	return p.y;
}
