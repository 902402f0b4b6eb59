#include "config.h"
#include "view/diff/diff.h"

#include <math.h>
#include <stdio.h>

#include "core/app.h"
#include "widget/fields.h"

enum { LABEL = 14, WIDE = 72 };

/* What is known of both as a whole. */
static void put_whole(struct view *v, struct pen *p)
{
	const struct diff_view *s = v->state;
	const struct facts *f = &s->x->diff.summary;
	const struct table *t = &s->x->diff.table[DIFF_FINDINGS];
	size_t fresh = 0, gone = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		struct slice change = table_str(t, i, (size_t)table_column(t, "change"));

		fresh += slice_is(change, "new");
		gone += slice_is(change, "gone");
	}
	pen_head(p, "steps", "the longest core's, median");
	pen_fields(p,
	    FIELDS({ "base", "ps", .v = facts_number(f, "step_time_base_ps") },
		{ "new", "ps", .v = facts_number(f, "step_time_new_ps") },
		{ "steps of base", COUNT, .v = facts_number(f, "steps_base") },
		{ "steps of new", COUNT, .v = facts_number(f, "steps_new") },
		{ "base counts as", COUNT, .v = facts_number(f, "effective_base") },
		{ "new counts as", COUNT, .v = facts_number(f, "effective_new") }));
	pen_head(p, "memory", "at the peak");
	pen_fields(p, FIELDS({ "difference", "B", .v = facts_number(f, "memory_delta_bytes") }));
	pen_head(p, "findings", "");
	pen_fields(p, FIELDS({ "new", COUNT, .v = (double)fresh }, { "gone", COUNT, .v = (double)gone }));
}

int diff_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct diff_view *s = v->state;
	const struct table *t = diff_view_table(s);
	size_t row = diff_view_row(v);
	int name = table_column(t, "name_new");
	struct pen p = { .c = c, .r = r, .y = r.y, .label = how == FRAME_BESIDE ? 0 : LABEL };

	p.across = how == FRAME_BESIDE || r.w < WIDE ? 1 : 2;
	if (row < t->nrows) {
		if (name >= 0 && table_str(t, row, (size_t)name).n)
			pen_name(&p, table_str(t, row, (size_t)name));
		p.label = s->page == PAGE_CHANGES || s->page == PAGE_FINDINGS ? LABEL : p.label;
		pen_row(&p, t, row, "!", true);
		p.label = how == FRAME_BESIDE ? 0 : LABEL;
	}
	if (how != FRAME_BELOW && s->page == PAGE_WATERFALL)
		put_whole(v, &p);
	return p.y;
}
