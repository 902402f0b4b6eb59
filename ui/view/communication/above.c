#include "config.h"
#include "view/communication/communication.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "core/app.h"

enum { LEGEND = 6, SMALL = 14 };

/* Parts of the time in flight, per step and core where there are steps. */
static void draw_part(struct canvas *c, struct rect a, int y, const char *label, int64_t ps, double per,
    const struct comm_core *sum, const char *about, bool ascii)
{
	char text[200], time[40];
	double share = sum->inflight > 0 ? 100 * (double)ps / (double)sum->inflight : 0;

	snprintf(text, sizeof text, " %-9s %12s  %5.1f %%  %s", label,
	    units_time(time, sizeof time, (int64_t)((double)ps / per), ascii), share, about);
	canvas_str(c, y, a.x, a.w, ROLE_TEXT, 0, text);
}

static void draw_sums(struct view *v, struct canvas *c, struct rect a)
{
	const struct communication *m = ((const struct communication_view *)v->state)->c;
	double per = (double)(m->steps ? m->steps : 1) * (double)(m->ncores ? m->ncores : 1);
	bool ascii = v->app->glyphs->ascii;
	char about[120], wait[40], move[40], text[200];

	snprintf(text, sizeof text, " In flight, %s: %zu core%s, %zu step%s",
	    m->steps ? "per step and core" : "per core", m->ncores, m->ncores == 1 ? "" : "s", m->steps,
	    m->steps == 1 ? "" : "s");
	canvas_str(c, a.y, a.x, a.w, ROLE_BOLD, 0, text);
	if (m->sum.wait >= 0)
		snprintf(about, sizeof about, "transfer %s, waiting %s",
		    units_time(move, sizeof move, (int64_t)((double)(m->sum.exposed - m->sum.wait) / per),
			ascii),
		    units_time(wait, sizeof wait, (int64_t)((double)m->sum.wait / per), ascii));
	else
		snprintf(about, sizeof about, "the core sits in it");
	draw_part(c, a, a.y + 1, "in flight", m->sum.inflight, per, &m->sum,
	    "flights overlap: rows add up to more", ascii);
	draw_part(c, a, a.y + 2, "hidden", m->sum.hidden, per, &m->sum, "behind compute", ascii);
	draw_part(c, a, a.y + 3, "exposed", m->sum.exposed, per, &m->sum, about, ascii);
	draw_part(c, a, a.y + 4, "other", m->sum.other, per, &m->sum, "idle or copying meanwhile", ascii);
	if (m->steps) {
		snprintf(text, sizeof text,
		    " If all of it were hidden, a step would be shorter by at most %s.",
		    units_time(wait, sizeof wait, m->save / (int64_t)m->steps, ascii));
		canvas_str(c, a.y + 5, a.x, a.w, ROLE_TEXT, 0, text);
	}
}

struct rect communication_above(struct view *v, struct canvas *c, struct rect a)
{
	if (a.h <= 3)
		return a;
	if (a.h >= SMALL) {
		draw_sums(v, c, a);
		a = (struct rect){ a.y + LEGEND, a.x, a.h - LEGEND, a.w };
	}
	return pages_tabs(v, c, a);
}
