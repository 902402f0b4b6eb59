#include "config.h"
#include "view/scopes/scopes.h"

#include <stdio.h>

#include "base/text/units.h"
#include "core/app.h"
#include "widget/fields.h"

enum { LABEL = 14, WIDE = 72, OPS = 8 };

/* The ops in it, longest first. */
static void put_ops(struct view *v, struct pen *p, size_t row)
{
	const struct scopes *s = ((const struct scopes_view *)v->state)->s;
	int n = 0;

	pen_head(p, "ops", "longest first");
	for (size_t i = 0; i < s->nops && n < OPS; i++) {
		const struct scope_op *o = &s->op[i];
		char time[40], text[64];

		if (o->scope < row || o->scope >= s->v[row].end)
			continue;
		snprintf(text, sizeof text, "%s %s", scope_phase_name(o->phase),
		    units_time(time, sizeof time, o->time, v->app->glyphs->ascii));
		pen_line(p, ROLE_TEXT, dump_text(v->cap->dump, o->name), text);
		n++;
	}
}

int scopes_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct scopes_view *s = v->state;
	size_t row = sheet_row(&s->sheet);
	struct pen p = { .c = c, .r = r, .y = r.y, .label = how == FRAME_BESIDE ? 0 : LABEL };

	if (row >= s->table.nrows)
		return r.y;
	p.across = how == FRAME_BESIDE || r.w < WIDE ? 1 : 2;
	pen_path(&p, slice_of(s->s->v[row].path));
	pen_row(&p, &s->table, row,
	    "time_us share self_us count count_per_step forward_us backward_us recompute_us other_us "
	    "exposed_us "
	    "flops_percent hbm_percent gap_before_us step_mean_us step_min_us step_max_us core_min_us "
	    "core_max_us",
	    how == FRAME_FULL);
	if (how != FRAME_BELOW)
		put_ops(v, &p, row);
	return p.y;
}
