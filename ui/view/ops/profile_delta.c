/* The column about the capture to compare with: of each line the ops below it that are known. */
#include "config.h"
#include "view/ops/profile.h"

#include <math.h>
#include <stdio.h>

#include "base/text/units.h"
#include "capture/compare.h"
#include "core/results.h"

/* false: nothing is known of them */
static bool add_delta(const struct dump *d, const struct diff *diff, const struct op_node *x, double *ps)
{
	const struct diff_op *o;
	bool known = false;

	if (x->kind == NODE_PART)
		return false;
	if (x->kind == NODE_OP) {
		o = x->op ? diff_op_of(diff, x->op->program, op_short_name(d, x->op)) : NULL;
		*ps += o ? o->new - o->base : 0;
		return o;
	}
	for (size_t i = 0; i < x->n; i++)
		known |= add_delta(d, diff, x->child[i], ps);
	return known;
}

void ops_view_draw_delta(struct view *v, struct canvas *c, int y, int end, const struct ops_view_row *r,
    bool here)
{
	const struct compared *x = result_get(v->app, RESULT_DIFF);
	char text[40] = "+";
	double ps = 0;
	int64_t whole;

	if (!x || !r->node || r->more || !add_delta(v->cap->dump, &x->diff, r->node, &ps)) {
		canvas_right(c, y, end, here ? ROLE_SELECTED : ROLE_DIM, 0, "–");
		return;
	}
	whole = (int64_t)llround(ps);
	units_time(text + (whole > 0), sizeof text - 1, whole, v->app->glyphs->ascii);
	canvas_right(c, y, end,
	    here            ? ROLE_SELECTED
		: whole > 0 ? ROLE_BAD
		: whole < 0 ? ROLE_GOOD
			    : ROLE_TEXT,
	    0, text);
}
