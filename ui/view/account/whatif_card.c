#include "config.h"
#include "view/account/account.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text/units.h"
#include "core/app.h"
#include "widget/bar.h"
#include "widget/fields.h"

enum { LABEL = 14, BARS = 8, BAR_AT = 7, TIME = 12 };

static void draw_bar(struct canvas *c, struct rect a, int y, const char *label, double ps, double whole,
    enum role role)
{
	char text[48] = "";
	int w = a.w - BAR_AT - TIME - 2;

	canvas_str(c, y, a.x + 1, BAR_AT - 1, ROLE_TEXT, 0, label);
	if (isnan(ps)) {
		canvas_str(c, y, a.x + BAR_AT, w, ROLE_DIM, 0, "the steps are replayed …");
		return;
	}
	units_time_short(text, sizeof text, (int64_t)ps, c->glyphs->ascii);
	bar_draw(c, y, a.x + BAR_AT, w, ps / whole, role);
	canvas_right(c, y, a.x + a.w - 1, ROLE_TEXT, 0, text);
}

/* Now, with what is on, and at the roofs of the chip; then what the changes save alone and together. */
struct rect whatif_above(struct view *v, struct canvas *c, struct rect a)
{
	const struct whatif_view *s = v->state;
	const bool ascii = c->glyphs->ascii;
	double whole = s->n ? s->v[0].whole : NAN, alone = 0,
	       light = replay_mean(s->r, s->r->light, s->r->used);
	char text[200], sum[40], together[40];
	bool any = false;

	if (a.h < BARS || isnan(whole))
		return a;
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].on) {
			alone += s->v[i].save;
			any = true;
		}
	draw_bar(c, a, a.y, "now", whole, whole, ROLE_TEXT);
	draw_bar(c, a, a.y + 1, "then", s->joint.step, whole, ROLE_GOOD);
	draw_bar(c, a, a.y + 2, "roofs", light > 0 ? light : NAN, whole, ROLE_DIM);
	snprintf(text, sizeof text, "Nothing is switched on: Space takes the change of a row, 0 none.");
	if (any && !isnan(s->joint.save))
		snprintf(text, sizeof text, "On: alone %s, together %s, %.1f %% of the step",
		    units_time_short(sum, sizeof sum, (int64_t)alone, ascii),
		    units_time_short(together, sizeof together, (int64_t)s->joint.save, ascii),
		    100 * s->joint.save / whole);
	else if (any)
		*text = 0;
	canvas_str(c, a.y + 3, a.x + 1, a.w - 2, ROLE_BOLD, ATTR_BOLD, text);
	return (struct rect){ a.y + 5, a.x, a.h - 5, a.w };
}

int whatif_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct whatif_view *s = v->state;
	const struct whatif_row *row = sheet_here(&s->sheet);
	struct pen p = { .c = c, .r = r, .y = r.y, .label = how == FRAME_BESIDE ? 0 : LABEL };

	if (!row)
		return r.y;
	pen_name(&p, slice_of(row->text));
	pen_row(&p, &s->table, sheet_row(&s->sheet), "at_most save_us more_us share", how == FRAME_FULL);
	if (how != FRAME_BELOW) {
		pen_head(&p, "CHANGE", "as of --whatif");
		pen_text(&p, 0, ROLE_TEXT, slice_of(row->change), how == FRAME_FULL ? 0 : 8);
	}
	if (isnan(row->save))
		pen_text(&p, 0, ROLE_TEXT,
		    slice_of("What it saves cannot be known: not all cores that take part in collectives are "
			     "in the "
			     "capture, or there is one core."),
		    4);
	else if (row->at_most)
		pen_text(&p, 0, ROLE_TEXT, slice_of("An upper bound: less can be had."), 2);
	if (how != FRAME_BELOW)
		pen_text(&p, 0, ROLE_TEXT,
		    slice_of(
			"Replayed with durations only: own work, waits, transfers, launches. What one change "
			"takes away another cannot save again, and what one hides another shows."),
		    6);
	return p.y;
}
