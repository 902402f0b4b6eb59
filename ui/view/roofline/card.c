#include "config.h"
#include "view/roofline/roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "widget/card.h"
#include "widget/kind.h"
#include "widget/text.h"

enum { FIELDS = 8, WARNING_ROWS = 3, HLO_ROWS = 5, LABEL = 12, TALL = 46 };

struct field {
	const char *label;
	char text[48];
};

static void percent_text(char *buf, size_t size, double v)
{
	char n[16];

	if (isnan(v))
		snprintf(buf, size, "–");
	else
		snprintf(buf, size, "%s %%", units_percent(n, sizeof n, v));
}

/* 0 = unknown */
static void rate_text(char *buf, size_t size, double v, const char *unit)
{
	if (v > 0)
		units_si(buf, size, v, unit);
	else
		snprintf(buf, size, "–");
}

static void intensity_text(char *buf, size_t size, double v)
{
	if (v >= 1e5)
		units_si(buf, size, v, "FLOP/B");
	else if (v > 0)
		snprintf(buf, size, v < .01 ? "%.1e FLOP/B" : v < 10 ? "%.2f FLOP/B" : "%.1f FLOP/B", v);
	else
		snprintf(buf, size, "–");
}

static void side_text(const struct roof_view *v, const struct roof_point *q, bool ascii, char *buf,
    size_t size)
{
	static const char *const name[] = { "compute", "memory" };

	if (q->side == ROOF_NO_SIDE)
		snprintf(buf, size, "–");
	else
		snprintf(buf, size, "%s (%s %.*f FLOP/B)", name[q->side],
		    q->side != ROOF_COMPUTE_SIDE ? "<"
			: ascii                  ? ">="
						 : "≥",
		    v->plot.flops < 10 * v->plot.bw, v->plot.flops / v->plot.bw);
}

static void fill_fields(const struct roof_view *v, const struct op *o, const struct roof_point *q, bool ascii,
    struct field *f)
{
	static const char *const memory[ROOF_COUNT] = { "HBM rate", "CMEM rd", "CMEM wr", "VMEM rd",
		"VMEM wr" };
	double roof = v->plot.flops;
	struct roof r;
	char time[32], share[16], runs[32];

	roof_of(&o->sum, &v->t.db->peaks, &r);
	if (q->plotted && v->plot.bw > 0 && (!(roof > 0) || v->plot.bw * pow(10, q->x) < roof))
		roof = v->plot.bw * pow(10, q->x);
	percent_text(share, sizeof share, q->share);
	snprintf(f[0].text, sizeof f[0].text, "%s %8s", units_time(time, sizeof time, o->sum.self, ascii),
	    share);
	snprintf(f[1].text, sizeof f[1].text, "%s %s %s",
	    units_count(runs, sizeof runs, (uint64_t)o->sum.occurrences), ascii ? "x" : "×",
	    units_time(time, sizeof time, o->sum.occurrences > 0 ? o->sum.time / o->sum.occurrences : 0,
		ascii));
	rate_text(f[2].text, sizeof f[2].text, r.flop_rate * 1e9, "FLOP/s");
	rate_text(f[3].text, sizeof f[3].text, r.bw[v->memory] * GIB_PER_GB * 1e9, "B/s");
	intensity_text(f[4].text, sizeof f[4].text, r.intensity[v->memory]);
	rate_text(f[5].text, sizeof f[5].text, q->plotted ? roof : 0, "FLOP/s");
	percent_text(f[6].text, sizeof f[6].text, q->use);
	side_text(v, q, ascii, f[7].text, sizeof f[7].text);
	f[0].label = "self time";
	f[1].label = "runs";
	f[2].label = "FLOP rate";
	f[3].label = memory[v->memory];
	f[4].label = "intensity";
	f[5].label = "roof here";
	f[6].label = "of the roof";
	f[7].label = "side";
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

static void draw_warning(struct canvas *c, struct rect r, int y, const char *text)
{
	struct rect room = { r.y, r.x + 2, y + WARNING_ROWS - r.y, r.w - 2 };

	if (!*text || y >= r.y + r.h)
		return;
	canvas_put(c, y, r.x + 1, '!', ROLE_WARN, ATTR_BOLD);
	card_text(c, room, y, 0, ROLE_TEXT, text, strlen(text));
}

static int draw_sides(const struct roof_view *v, struct canvas *c, struct rect r, int y)
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

	canvas_str(c, y, r.x + 1, r.w, ROLE_HEAD, 0, "TIME BY SIDE");
	canvas_str(c, y, r.x + 15, r.w - 15, ROLE_DIM, 0, "of the program");
	for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
		int row = y + 1 + (int)i;

		percent_text(text, sizeof text, line[i].share);
		canvas_str(c, row, r.x + 1, 13, ROLE_TEXT, 0, line[i].label);
		bar_draw(c, row, r.x + 15, r.w - 24, line[i].share, line[i].role, false);
		canvas_right(c, row, r.x + r.w - 1, ROLE_BOLD, ATTR_BOLD, text);
	}
	return y + 6;
}

static void draw_far(const struct roof_view *v, const struct dump *d, struct canvas *c, struct rect r, int y)
{
	int end = r.x + r.w - 1;

	if (!v->nfar || y + 2 >= r.y + r.h)
		return;
	canvas_str(c, y, r.x + 1, r.w, ROLE_HEAD, 0, "FARTHEST FROM THE ROOF");
	canvas_str(c, y + 1, r.x + 1, r.w, ROLE_DIM, 0, "lost time");
	canvas_right(c, y + 1, end, ROLE_DIM, 0, "% of roof");
	for (size_t i = 0; i < v->nfar; i++) {
		const struct roof_point *q = &v->plot.v[v->far[i]];
		struct slice name = op_short_name(d, &v->t.db->v[v->op[v->far[i]]]);
		int row = y + 2 + (int)i;
		char text[24];

		if (row >= r.y + r.h)
			return;
		percent_text(text, sizeof text, q->share * (1 - q->use));
		canvas_right(c, row, r.x + 8, ROLE_TEXT, 0, text);
		units_percent(text, sizeof text, q->use);
		canvas_right(c, row, end, ROLE_TEXT, 0, text);
		canvas_cut(c, row, r.x + 10, end - 6 - r.x - 10, ROLE_TEXT, 0, name.s, name.n);
	}
}

/* On tall screens: where the op comes from. */
static int draw_origin(const struct op *o, struct canvas *c, struct rect r, int y)
{
	canvas_str(c, y, r.x + 1, LABEL, ROLE_DIM, 0, "framework");
	card_tail(c, y, r.x + 1 + LABEL, r.w - 2 - LABEL, ROLE_TEXT, o->provenance.n ? o->provenance.s : "–",
	    o->provenance.n ? o->provenance.n : strlen("–"));
	canvas_str(c, y + 1, r.x + 1, LABEL, ROLE_DIM, 0, "source");
	card_tail(c, y + 1, r.x + 1 + LABEL, r.w - 2 - LABEL, ROLE_TEXT, o->source.n ? o->source.s : "–",
	    o->source.n ? o->source.n : strlen("–"));
	return y + 3;
}

/* On tall screens: what the op does, always in as many rows, so that what follows stays in place. */
static int draw_hlo(const struct op *o, struct canvas *c, struct rect r, int y)
{
	struct rect room = { y + 1, r.x, HLO_ROWS, r.w };
	char *full, *text;

	canvas_str(c, y, r.x + 1, LABEL, ROLE_HEAD, 0, "HLO");
	full = xstrndup(o->expression.n ? o->expression.s : "–",
	    o->expression.n ? o->expression.n : strlen("–"));
	text = text_short_hlo(full);
	card_text(c, room, y + 1, 0, ROLE_TEXT, text, strlen(text));
	free(text);
	free(full);
	return y + HLO_ROWS + 2;
}

void roofline_view_card_beside(const struct roof_view *v, const struct dump *d, struct canvas *c,
    struct rect r, size_t row)
{
	struct field f[FIELDS];
	int y = r.y;

	if (row != SIZE_MAX) {
		const struct op *o = &v->t.db->v[v->op[row]];
		struct slice name = op_short_name(d, o);

		canvas_cut(c, y, r.x + 1, r.w - 2, ROLE_HEAD, 0, name.s, name.n);
		canvas_cut(c, y + 1, r.x + 1, r.w - 2, ROLE_DIM, 0, o->category.s, o->category.n);
		fill_fields(v, o, &v->plot.v[row], c->glyphs->ascii, f);
		for (int i = 0; i < FIELDS; i++) {
			bool answer = i == 6;

			canvas_str(c, y + 3 + i, r.x + 1, 12, ROLE_DIM, 0, f[i].label);
			canvas_right(c, y + 3 + i, r.x + r.w - 1, answer ? ROLE_BOLD : ROLE_TEXT,
			    answer ? ATTR_BOLD : 0, f[i].text);
		}
		if (r.h >= TALL)
			y = draw_hlo(o, c, r, draw_origin(o, c, r, y + 4 + FIELDS)) - 4 - FIELDS;
		draw_warning(c, r, y + 4 + FIELDS, point_warning(o, &v->plot.v[row]));
	}
	y += 4 + FIELDS + WARNING_ROWS + 1;
	draw_far(v, d, c, r, draw_sides(v, c, r, y));
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
	struct field f[FIELDS];
	char name[512], category[64];
	const struct op *o;
	int w = r.w / 2;

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
	fill_fields(v, o, &v->plot.v[row], c->glyphs->ascii, f);
	for (int i = 0; i < FIELDS; i++) {
		int y = r.y + 1 + i / 2, x = r.x + 1 + i % 2 * w;

		canvas_str(c, y, x, 12, ROLE_DIM, 0, f[i].label);
		canvas_right(c, y, x + w - 3, i == 6 ? ROLE_BOLD : ROLE_TEXT, i == 6 ? ATTR_BOLD : 0,
		    f[i].text);
	}
	if (*point_warning(o, &v->plot.v[row]) && r.h > 6)
		draw_warning(c, r, r.y + 6, point_warning(o, &v->plot.v[row]));
	if (r.h > 5 && v->plot.flops > 0 && v->plot.bw > 0)
		bar_legend(c, r.y + 5, r.x + 1, r.w - 2, part, sizeof part / sizeof *part);
}
