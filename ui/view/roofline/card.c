#include "config.h"
#include "view/roofline/roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "result/cell_text.h"
#include "widget/fields.h"
#include "widget/kind.h"
#include "widget/text.h"

enum { FIELD_ROWS = 8, WARNING_ROWS = 3, HLO_ROWS = 5, LABEL = 12, TALL = 46 };

static double known_rate(double v) /* 0 = unknown */
{
	return v > 0 ? v : NAN;
}

static void side_text(const struct roof_view *v, const struct roof_point *q, char *buf, size_t size)
{
	static const char *const name[] = { "compute", "memory" };

	*buf = 0;
	if (q->side != ROOF_NO_SIDE)
		snprintf(buf, size, "%s (%s %.*f FLOP/B)", name[q->side],
		    q->side != ROOF_COMPUTE_SIDE ? "<" : "≥", v->plot.flops < 10 * v->plot.bw,
		    v->plot.flops / v->plot.bw);
}

static void put_fields(struct pen *p, const struct roof_view *v, const struct op *o,
    const struct roof_point *q)
{
	static const char *const memory[ROOF_COUNT] = { "HBM rate", "CMEM rd", "CMEM wr", "VMEM rd",
		"VMEM wr" };
	double roof = v->plot.flops;
	struct roof r;
	char self[64], side[64], all[64], a[32], b[32];

	roof_of(&o->sum, &v->t.db->peaks, &r);
	if (q->plotted && v->plot.bw > 0 && (!(roof > 0) || v->plot.bw * pow(10, q->x) < roof))
		roof = v->plot.bw * pow(10, q->x);
	number_text(a, sizeof a, q->share, "fraction", false, NUMBER_SHORT);
	snprintf(self, sizeof self, "%s %8s", units_time(b, sizeof b, o->sum.self, false), a);
	snprintf(all, sizeof all, "%s × %s", units_count(a, sizeof a, (uint64_t)o->sum.occurrences),
	    units_time(b, sizeof b, o->sum.occurrences > 0 ? o->sum.time / o->sum.occurrences : 0, false));
	side_text(v, q, side, sizeof side);
	pen_fields(p,
	    FIELDS({ "self time", .text = self }, { "runs", .text = all },
		{ "FLOP rate", "GFLOP/s", .v = known_rate(r.flop_rate) },
		{ memory[v->memory], "GiB/s", .v = known_rate(r.bw[v->memory]) },
		{ "intensity", "FLOP/B", .v = known_rate(r.intensity[v->memory]) },
		{ "roof here", "FLOP/s", .v = q->plotted ? known_rate(roof) : NAN },
		{ "of the roof", "fraction", .v = q->use, .role = ROLE_BOLD }, { "side", .text = side }));
}

static bool slice_has(struct slice t, const char *part)
{
	return memmem(t.s, t.n, part, strlen(part)) != NULL;
}

/* A warning about the op's numbers; "" = none. */
static const char *point_warning(const struct op *o, const struct roof_point *q)
{
	if (q->above && slice_has(o->category, "custom"))
		return "Above the roof: the FLOPs of a custom call are its author's estimate, not a "
		       "count.";
	if (q->above &&
	    (slice_has(o->category, "async") || slice_has(o->category, "copy-") ||
		slice_has(o->category, "-start") || slice_has(o->category, "-done")))
		return "Above the roof: the bytes of an asynchronous op move while other ops run.";
	if (q->above)
		return "Above the roof: the compiler's cost or the peak is wrong.";
	if (o->event_flops > 0 && !(o->sum.flops > 0))
		return "Not on the plot: only its events have FLOPs, which are not counted.";
	if (!(o->sum.flops > 0))
		return "Not on the plot: no FLOPs.";
	return q->plotted ? "" : "Not on the plot: does not use this memory.";
}

static void put_warning(struct pen *p, const char *text)
{
	if (!*text || !pen_fits(p))
		return;
	canvas_put(p->c, p->y, p->r.x + 1, '!', ROLE_WARN, ATTR_BOLD);
	pen_text(p, 2, ROLE_TEXT, slice_of(text), WARNING_ROWS);
}

static void put_sides(struct pen *p, const struct roof_view *v)
{
	bool sides = v->plot.flops > 0 && v->plot.bw > 0;
	const struct {
		const char *label;
		double share;
		enum role role;
	} line[] = {
		{ "compute side", sides ? v->time[ROOF_COMPUTE_SIDE] : NAN, ROLE_BLOCK_MATMUL },
		{ "memory side", sides ? v->time[ROOF_MEMORY_SIDE] : NAN, ROLE_BLOCK_COMPUTE },
		{ sides ? "no FLOPs" : "ops", v->time[ROOF_NO_SIDE], ROLE_BLOCK_OTHER },
		{ kind_info[KIND_IDLE].name, v->idle, kind_role(KIND_IDLE) },
	};
	char text[24];

	pen_head(p, "TIME BY SIDE", "of the program");
	for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
		bar_draw(p->c, p->y, p->r.x + 15, p->r.w - 24, line[i].share, line[i].role);
		canvas_str(p->c, p->y, p->r.x + 1, 13, ROLE_TEXT, 0, line[i].label);
		canvas_right(p->c, p->y++, p->r.x + p->r.w - 1, ROLE_BOLD, ATTR_BOLD,
		    number_text(text, sizeof text, line[i].share, "fraction", false, NUMBER_SHORT));
	}
	p->y++;
}

static void put_far(struct pen *p, const struct roof_view *v, const struct dump *d)
{
	int end = p->r.x + p->r.w - 1;

	if (!v->nfar || p->y + 2 >= p->r.y + p->r.h)
		return;
	pen_head(p, "FARTHEST FROM THE ROOF", "");
	canvas_str(p->c, p->y, p->r.x + 1, p->r.w, ROLE_DIM, 0, "lost time");
	canvas_right(p->c, p->y++, end, ROLE_DIM, 0, "% of roof");
	for (size_t i = 0; i < v->nfar && pen_fits(p); i++, p->y++) {
		const struct roof_point *q = &v->plot.v[v->far[i]];
		struct slice name = op_short_name(d, &v->t.db->v[v->op[v->far[i]]]);
		char text[24];

		canvas_right(p->c, p->y, p->r.x + 8, ROLE_TEXT, 0,
		    number_text(text, sizeof text, q->share * (1 - q->use), "fraction", false, NUMBER_SHORT));
		canvas_right(p->c, p->y, end, ROLE_TEXT, 0, units_percent(text, sizeof text, q->use));
		canvas_cut(p->c, p->y, p->r.x + 10, end - 6 - p->r.x - 10, ROLE_TEXT, 0, name.s, name.n);
	}
}

/* On tall screens: where the op comes from, and what it does; always in as many rows, so that what follows stays in
 * place. */
static void put_origin(struct pen *p, const struct op *o)
{
	const struct slice from[] = { o->provenance, o->source }, none = slice_of(CELL_UNKNOWN);
	struct rect r = p->r;
	char *full, *text;

	for (int i = 0; i < 2; i++, p->y++) {
		struct slice s = from[i].n ? from[i] : none;

		canvas_str(p->c, p->y, r.x + 1, LABEL, ROLE_DIM, 0, i ? "source" : "framework");
		card_tail(p->c, p->y, r.x + 1 + LABEL, r.w - 2 - LABEL, ROLE_TEXT, s.s, s.n);
	}
	p->y++;
	pen_head(p, "HLO", "");
	full = o->expression.n ? xstrndup(o->expression.s, o->expression.n) : xstrdup(CELL_UNKNOWN);
	text = text_short_hlo(full);
	r.y = p->y;
	pen_text(p, 0, ROLE_TEXT, slice_of(text), HLO_ROWS);
	p->y = r.y + HLO_ROWS + 1;
	free(text);
	free(full);
}

void roofline_view_card_beside(const struct roof_view *v, const struct dump *d, struct canvas *c,
    struct rect r, size_t row)
{
	struct pen p = { .c = c, .r = r, .y = r.y };

	if (row != SIZE_MAX) {
		const struct op *o = &v->t.db->v[v->op[row]];
		struct slice name = op_short_name(d, o);

		canvas_cut(c, p.y++, r.x + 1, r.w - 2, ROLE_HEAD, 0, name.s, name.n);
		canvas_cut(c, p.y++, r.x + 1, r.w - 2, ROLE_DIM, 0, o->category.s, o->category.n);
		p.y++;
		put_fields(&p, v, o, &v->plot.v[row]);
		p.y++;
		if (r.h >= TALL)
			put_origin(&p, o);
		r.y = p.y;
		put_warning(&p, point_warning(o, &v->plot.v[row]));
		p.y = r.y + WARNING_ROWS + 1;
	} else {
		p.y += 4 + FIELD_ROWS + WARNING_ROWS + 1;
	}
	put_sides(&p, v);
	put_far(&p, v, d);
}

void roofline_view_card_below(const struct roof_view *v, const struct dump *d, struct canvas *c,
    struct rect r, size_t row)
{
	const struct bar_part part[] = {
		{ "compute side", v->time[ROOF_COMPUTE_SIDE], ROLE_BLOCK_MATMUL,
		    c->glyphs->ascii ? '#' : 0x2588 },
		{ "memory side", v->time[ROOF_MEMORY_SIDE], ROLE_BLOCK_COMPUTE,
		    c->glyphs->ascii ? '=' : 0x2593 },
		{ "no FLOPs", v->time[ROOF_NO_SIDE], ROLE_BLOCK_OTHER, c->glyphs->ascii ? '-' : 0x2592 },
		kind_part(KIND_IDLE, false, v->idle),
	};
	struct pen p = { .c = c, .r = r, .y = r.y + 1, .across = 2 };
	char name[512], category[64];
	const struct op *o;

	if (row == SIZE_MAX) {
		card_rule(c, r, r.y, "no op", "");
		return;
	}
	o = &v->t.db->v[v->op[row]];
	snprintf(name, sizeof name, "%.*s", (int)(op_short_name(d, o).n < 511 ? op_short_name(d, o).n : 511),
	    op_short_name(d, o).s);
	snprintf(category, sizeof category, "%.*s", (int)(o->category.n < 63 ? o->category.n : 63),
	    o->category.s);
	card_rule(c, r, r.y, name, category);
	put_fields(&p, v, o, &v->plot.v[row]);
	if (pen_fits(&p) && v->plot.flops > 0 && v->plot.bw > 0)
		bar_legend(c, p.y, r.x + 1, r.w - 2, part, sizeof part / sizeof *part);
	p.y++;
	put_warning(&p, point_warning(o, &v->plot.v[row]));
}
