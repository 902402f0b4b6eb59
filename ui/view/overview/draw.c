#include "config.h"
#include "view/overview/overview.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "core/jump.h"
#include "widget/card.h"
#include "widget/step_cols.h"
#include "widget/text.h"

enum {
	AIRY = 30,
	TALL = 44,
	TALL_REST = 8,
	PROGRAMS_MOST = 4,
	CHART_MOST = 10,
	CHART_LEAST = 3,
	BAR = 14,
	OP_BAR = 10,
	FINDINGS_MOST = 3
};

/* --- gauges --- */

static void gauge_text(const struct overview_view *v, int i, char *buf, size_t size)
{
	char n[24];

	if (i)
		text_percent(buf, size, v->gauge[i].value);
	else if (isnan(v->gauge[0].value))
		snprintf(buf, size, "–");
	else
		snprintf(buf, size, "%s ms", short_number(n, sizeof n, v->gauge[0].value));
}

/* "sd .20", with two significant digits */
static void deviation_text(char *buf, size_t size, double sd)
{
	char text[32];
	int tens = 1, decimals;

	if (isnan(sd)) {
		snprintf(buf, size, "sd –");
		return;
	}
	snprintf(text, sizeof text, "%.1e", sd);
	if (sd > 0 && strchr(text, 'e'))
		tens = atoi(strchr(text, 'e') + 1);
	decimals = tens >= 1 ? 0 : tens > -5 ? 1 - tens : 1;
	snprintf(text, sizeof text, "%.*f", decimals, sd);
	snprintf(buf, size, "sd %s", text + (*text == '0' && text[1]));
}

/* "4.15–4.78 sd .20" in place of a bar, or the part of it that fits */
void overview_view_spread(char *buf, size_t size, const struct overview *o, int w)
{
	char a[24], b[24], range[64], sd[40];

	deviation_text(sd, sizeof sd, o->number[OVERVIEW_STEP_SD]);
	short_number(b, sizeof b, o->number[OVERVIEW_STEP_MAX]);
	if (o->number[OVERVIEW_STEP_MIN] > 0)
		snprintf(range, sizeof range, "%s–%s",
		    short_number(a, sizeof a, o->number[OVERVIEW_STEP_MIN]), b);
	else /* the profiler left it out */
		snprintf(range, sizeof range, "up to %s", b);
	snprintf(buf, size, "%s %s", range, sd);
	if (utf8_cols(buf, strlen(buf)) > w)
		snprintf(buf, size, "%s", utf8_cols(range, strlen(range)) <= w ? range : sd);
	if (utf8_cols(buf, strlen(buf)) > w)
		*buf = 0;
}

#define WORST "worst core"
enum { WORST_LEAST = (int)sizeof WORST + 4 };

static void draw_gauge(const struct overview_view *v, struct canvas *c, int y, struct rect r, int i)
{
	const struct ov_gauge *g = &v->gauge[i];
	int label = r.w >= 24 ? 13 : 10, bar = r.x + 1 + label + 9;
	bool here = v->at == OV_GAUGES && (int)v->list[OV_GAUGES].at == i;
	int room = r.x + r.w - 1 - bar;
	/* XProf takes the core that waited longest, while the numbers beside it are of all cores */
	bool worst = g->number == OVERVIEW_INPUT && v->o->tpu && v->ncores > 1 && room >= WORST_LEAST;
	char text[32];

	room -= worst ? (int)sizeof WORST : 0;
	gauge_text(v, i, text, sizeof text);
	canvas_cut(c, y, r.x + 1, label, here ? ROLE_SELECTED : ROLE_DIM, here ? ATTR_BOLD : 0, g->title,
	    strlen(g->title));
	canvas_right(c, y, bar - 1, ROLE_BOLD, ATTR_BOLD, text);
	if (i && !isnan(g->value) && room >= 4) {
		bar_draw_dotted(c, y, bar, room < BAR ? room : BAR, g->value, g->role);
		if (worst)
			canvas_str(c, y, bar + (room < BAR ? room : BAR) + 1, (int)sizeof WORST, ROLE_DIM, 0,
			    WORST);
	} else if (!i && !isnan(g->value)) {
		char spread[80];

		overview_view_spread(spread, sizeof spread, v->o, r.x + r.w - 1 - bar);
		canvas_str(c, y, bar, r.x + r.w - 1 - bar, ROLE_TEXT, 0, spread);
	}
}

static int draw_gauges(const struct overview_view *v, struct canvas *c, struct rect r)
{
	int cols = r.w >= 50 ? 2 : 1, rows = OV_GAUGE_COUNT / cols;

	if (rows > r.h / 2)
		rows = r.h / 2;
	for (int i = 0; i < rows * cols; i++)
		draw_gauge(v, c, r.y + i / cols,
		    (struct rect){ r.y, r.x + i % cols * (r.w / 2), 1, r.w / cols }, i);
	return r.y + rows;
}

/* --- the steps --- */

static const char *number_of(const void *ctx, size_t i)
{
	return ((const struct overview_view *)ctx)->account->step_of[i].number;
}
static double longest_of(const void *ctx, size_t i)
{
	return ((const struct overview_view *)ctx)->account->step_of[i].step;
}

/* Parts differ by color; without colors, by sign. */
static void layer_signs(const struct overview_view *v, const struct canvas *c, struct bar_part *part)
{
	memcpy(part, v->layer, v->account->nkinds * sizeof *part);
	for (size_t k = 0; !c->mono && k < v->account->nkinds; k++)
		part[k].sign = c->glyphs->g[GLYPH_FULL];
}

static int legend_cols(const struct overview_view *v)
{
	int cols = 0;

	for (size_t k = 0; k < v->account->nkinds; k++)
		cols += (k ? 4 : 2) + (int)strlen(v->layer[k].label);
	return cols;
}

static void draw_legend(const struct overview_view *v, struct canvas *c, int y, struct rect r,
    const struct bar_part *part)
{
	bool narrow = legend_cols(v) > r.w - 1 - CHART_AXIS;
	int x = r.x + (narrow ? 1 : CHART_AXIS);

	for (size_t k = 0; k < v->account->nkinds; k++) {
		const char *label = narrow ? kind_info[v->account->kind[k]].short_name : part[k].label;
		int cols = (int)strlen(label) + 2;

		if (x + cols > r.x + r.w - 1)
			break;
		canvas_put(c, y, x, part[k].sign, part[k].role, 0);
		canvas_str(c, y, x + 2, cols, ROLE_DIM, 0, label);
		x += cols + 2;
	}
}

/* Where programs alternate, their runs have no common mean: each program has its own.  Returns the row below. */
static int draw_programs(const struct overview_view *v, struct canvas *c, struct rect r)
{
	static const struct {
		enum program_column column;
		const char *title;
		int cols; /* from the right */
	} number[] = { { PROGRAM_gap_us, "gap before", 0 }, { PROGRAM_p90_us, "p90", 13 },
		{ PROGRAM_mean_us, "mean", 24 } };
	const struct table *t = &v->o->programs;
	int end = r.x + r.w - 1, rows = (int)t->nrows < PROGRAMS_MOST ? (int)t->nrows : PROGRAMS_MOST;
	bool ascii = c->glyphs->ascii;
	char text[48];

	card_head(c, r.y, r, "PROGRAMS", "");
	for (size_t k = 0; k < sizeof number / sizeof *number; k++)
		canvas_right(c, r.y, end - number[k].cols, ROLE_DIM, 0, number[k].title);
	canvas_right(c, r.y, end - 35, ROLE_DIM, 0, "runs");
	for (int i = 0; i < rows; i++) {
		struct slice name = slice_before(table_str(t, (size_t)i, PROGRAM_program), "(");
		int y = r.y + 1 + i;

		card_tail(c, y, r.x + 1, r.w - 44, ROLE_TEXT, name.s, name.n);
		snprintf(text, sizeof text, "%.0f", table_num(t, (size_t)i, PROGRAM_runs));
		canvas_right(c, y, end - 35, ROLE_TEXT, 0, text);
		for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
			double us = table_num(t, (size_t)i, number[k].column);

			canvas_right(c, y, end - number[k].cols, ROLE_TEXT, 0,
			    isnan(us) ? "–"
				      : units_time(text, sizeof text, (int64_t)(us * PS_PER_US), ascii));
		}
	}
	return r.y + 1 + rows;
}

/* Returns the row below. */
static int draw_steps(struct overview_view *v, struct canvas *c, struct rect r, int rows, bool legend)
{
	struct bar_part part[OV_LAYERS];
	struct step_labels labels = { number_of, longest_of, v, "step", "max" };
	char gloss[96], cores[24];
	double top = 0, *height;

	snprintf(cores, sizeof cores, v->one < 0 ? ", mean of %zu cores" : ", core %zu",
	    v->one < 0 ? v->o->cores.ncores : (size_t)v->one);
	snprintf(gloss, sizeof gloss, "ms per %s%s%s", v->account->several ? "run" : "step",
	    v->o->cores.source == STEPS_MODULES && !v->account->several ? " from program runs" : "",
	    v->one >= 0 || v->o->cores.ncores > 1 ? cores : "");
	card_head(c, r.y, r, "STEP TIME", v->account->nsteps ? gloss : "");
	v->chart = (struct rect){ r.y + 1, r.x, rows, r.w };
	if (!v->account->nsteps) {
		step_cols_none(v->o->tpu, v->o->file != NULL, c, v->chart);
		return r.y + 1 + rows;
	}
	height = xcalloc(v->account->nsteps, sizeof *height);
	for (size_t i = 0; i < v->account->nsteps; i++)
		height[i] = v->account->step_of[i].step;
	step_cols_fit(&v->cols, v->account->nsteps, height, v->account->nkinds, r.w);
	free(height);
	layer_signs(v, c, part);
	for (size_t i = 0; i < v->cols.chart.ncol; i++)
		for (size_t k = 0; k < v->account->nkinds; k++)
			v->cols.v[i * v->account->nkinds + k] =
			    v->account->step_of[v->cols.step[i]].ms[v->account->kind[k]];
	for (size_t i = 0; i < v->account->nsteps; i++)
		top = fmax(top, v->account->step_of[i].core_time);
	v->cols.chart.part = part;
	v->cols.chart.top = chart_top(top);
	chart_draw(&v->cols.chart, c, v->chart);
	v->cols.chart.part = NULL;
	step_cols_labels(&v->cols, c, v->chart, v->chart.y + rows, v->here, &labels);
	if (legend)
		draw_legend(v, c, v->chart.y + rows + 2, r, part);
	return v->chart.y + rows + 2 + legend;
}

/* --- lists --- */

static void select_row(struct canvas *c, int y, struct rect r)
{
	canvas_role(c, (struct rect){ y, r.x, 1, r.w }, ROLE_SELECTED, 0);
}

static enum role top_role(enum time_kind k)
{
	return k < KIND_COUNT ? kind_role(k) : ROLE_BLOCK_OTHER;
}

/* What the colors of the bars mean, those of the largest ops first, as far as there is room. */
static void top_legend(const struct overview_view *v, struct canvas *c, int y, int x, int end)
{
	unsigned done = 1u << KIND_COUNT;

	for (size_t i = 0; i < v->o->ntop; i++) {
		enum time_kind k = v->o->top[i].kind;
		const char *name = k < KIND_COUNT ? kind_info[k].short_name : "";

		if (done & 1u << k || x + 2 + (int)strlen(name) > end)
			continue;
		done |= 1u << k;
		if (c->mono)
			canvas_put(c, y, x, (uint32_t)kind_info[k].letter, ROLE_TEXT, 0);
		else
			bar_draw(c, y, x, 1, 1, kind_role(k));
		x += 2 + canvas_str(c, y, x + 2, end - x - 2, ROLE_DIM, 0, name) + 1;
	}
}

/* The bar of an op, in the color of its kind; without colors, of its letter. */
static void top_bar(struct canvas *c, int y, int x, double share, enum time_kind k)
{
	int n = share > 0 ? (int)(fmin(share, 1) * OP_BAR + .999) : 0; /* NaN: not known */

	if (!c->mono || k == KIND_COUNT)
		bar_draw(c, y, x, OP_BAR, share, top_role(k));
	else
		canvas_fill(c, (struct rect){ y, x, 1, n < OP_BAR ? n : OP_BAR },
		    (uint32_t)kind_info[k].letter, top_role(k), 0);
}

static void op_row(const struct overview_view *v, struct canvas *c, int y, struct rect r, size_t i)
{
	const struct overview_top *o = &v->o->top[i];
	double first = v->o->top[0].share;
	int rate_end = r.x + r.w - 1, cumulative_end = rate_end - 11,
	    self_end = cumulative_end - (r.w >= 64 ? OP_BAR + 10 : 10);
	char text[32];

	card_tail(c, y, r.x + 1, self_end - 7 - r.x - 1, ROLE_TEXT, o->name.n ? o->name.s : "", o->name.n);
	canvas_right(c, y, self_end, ROLE_TEXT, 0, units_percent(text, sizeof text, o->share));
	canvas_right(c, y, cumulative_end, ROLE_TEXT, 0, units_percent(text, sizeof text, o->cumulative));
	if (o->flop_rate > 0 && o->flop_rate < 1e8)
		units_count(text, sizeof text, (uint64_t)llround(o->flop_rate));
	else
		snprintf(text, sizeof text, o->flop_rate > 0 ? "%.2e" : "–", o->flop_rate);
	canvas_right(c, y, rate_end, ROLE_TEXT, 0, text);
	if (v->at == OV_OPS && i == v->list[OV_OPS].at)
		select_row(c, y, r);
	if (r.w >= 64)
		top_bar(c, y, self_end + 1, first > 0 ? o->share / first : 0, o->kind);
}

static void draw_ops(struct overview_view *v, struct canvas *c, struct rect r)
{
	struct list *l = &v->list[OV_OPS];
	int end = r.x + r.w - 1;
	bool legend = r.w >= 64 && v->o->ntop && v->o->top[0].kind < KIND_COUNT;

	card_head(c, r.y, r, "TOP 10 OPS", legend || r.w < 60 ? "" : "idle excluded");
	canvas_right(c, r.y, end, ROLE_DIM, 0, "GFLOP/s");
	canvas_right(c, r.y, end - 11, ROLE_DIM, 0, "cum. %");
	end = canvas_right(c, r.y, end - 11 - (r.w >= 64 ? OP_BAR + 10 : 10), ROLE_DIM, 0, "self %");
	if (legend)
		top_legend(v, c, r.y, r.x + 12, end);
	l->y = r.y + 1;
	list_fit(l, r.h - 1);
	for (size_t i = l->top; i < l->n && (int)(i - l->top) < l->rows; i++) {
		int y = l->y + (int)(i - l->top);

		op_row(v, c, y, r, i);
	}
	if (!l->n)
		canvas_str(c, l->y, r.x + 1, r.w - 2, ROLE_DIM, 0,
		    v->no_ops ? v->no_ops : "no ops in this capture");
}

static void finding_row(const struct overview_view *v, struct canvas *c, int y, struct rect r, size_t i)
{
	static const enum role role[] = { ROLE_BAD, ROLE_WARN, ROLE_DIM };
	const struct finding *f = &v->findings->v[i];
	char cost[40] = "", n[24];
	int x, end = r.x + r.w - 1;

	if (f->cost_kind == COST_TIME)
		snprintf(cost, sizeof cost, "%s %% time", units_percent(n, sizeof n, f->cost));
	else if (f->cost_kind == COST_BYTES)
		snprintf(cost, sizeof cost, "%s", units_bytes(n, sizeof n, f->cost));
	canvas_str(c, y, r.x + 1, 2, role[f->severity], ATTR_BOLD, overview_view_severity(v, i));
	if (r.w >= 70) {
		jump_view(f->proof.evidence, n, sizeof n);
		canvas_cut(c, y, end - 12, 12, ROLE_DIM, 0, n, strlen(n));
		end -= 15;
	}
	x = canvas_right(c, y, end, ROLE_TEXT, 0, cost);
	canvas_str(c, y, r.x + 4, x - r.x - 5, ROLE_TEXT, 0, f->title);
}

static void draw_findings(struct overview_view *v, struct canvas *c, struct rect r)
{
	struct list *l = &v->list[OV_FINDINGS];

	card_rule(c, r, r.y, "FINDINGS", "");
	l->y = r.y + 1;
	list_fit(l, r.h - 1);
	for (size_t i = l->top; i < l->n && (int)(i - l->top) < l->rows; i++) {
		int y = l->y + (int)(i - l->top);

		finding_row(v, c, y, r, i);
		if (v->at == OV_FINDINGS && i == l->at)
			select_row(c, y, r);
	}
}

/* When there is room for only one list, the one with the cursor is shown. */
static void draw_one_list(struct overview_view *v, struct canvas *c, struct rect r)
{
	if (r.h < 2)
		return;
	switch (v->at) {
	case OV_FINDINGS:
		draw_findings(v, c, r);
		break;
	case OV_CORES:
		overview_view_cores(v, c, r);
		break;
	case OV_ENVIRONMENT:
		overview_view_facts(v, c, r);
		break;
	default:
		draw_ops(v, c, r);
		break;
	}
}

/* Draws ops and, below them, findings, as rows allow; cores and environment are beside them. */
static void draw_lists(struct overview_view *v, struct canvas *c, struct rect r)
{
	int ops = (int)(v->list[OV_OPS].n ? v->list[OV_OPS].n : 1) + 1, want = (int)v->list[OV_FINDINGS].n,
	    findings;

	if (want > FINDINGS_MOST && r.h - ops < want + 1)
		want = FINDINGS_MOST;
	findings = want ? want + 1 : 0;
	if (r.h - ops < findings)
		findings = r.h - ops >= 2 ? r.h - ops : 0;
	if (v->at == OV_FINDINGS && findings < 2)
		findings = r.h / 2;
	draw_ops(v, c, (struct rect){ r.y, r.x, r.h - findings < ops ? r.h - findings : ops, r.w });
	if (findings >= 2)
		draw_findings(v, c,
		    (struct rect){ r.y + (r.h - findings < ops ? r.h - findings : ops), r.x, findings, r.w });
}

/* Rows of the chart: what the gauges and a few rows of a list leave; on tall screens, what the lists leave. */
static int chart_rows(const struct overview_view *v, int left, bool airy)
{
	int rows = left - (airy ? 18 : 10), most = CHART_MOST;
	size_t lists = v->list[OV_OPS].n + v->list[OV_FINDINGS].n + 2;

	if (!v->account->nsteps)
		return left >= 16 ? 5 : left >= 9 ? 3 : 0;
	if (left > TALL && (int)lists < left - TALL_REST - CHART_MOST)
		most = left - TALL_REST - (int)lists;
	return rows > most ? most : rows < CHART_LEAST ? (left >= CHART_LEAST + 6 ? CHART_LEAST : 0) : rows;
}

void overview_view_draw(struct view *view, struct canvas *c, struct rect r)
{
	struct overview_view *v = view->state;
	bool airy = view->area.h >= AIRY;
	int y = draw_gauges(v, c, r) + airy, rows = chart_rows(v, r.y + r.h - y, airy);

	if (v->account->several && r.y + r.h - y > PROGRAMS_MOST + 4) {
		int below = draw_programs(v, c, (struct rect){ y, r.x, r.y + r.h - y, r.w }) + airy;

		rows -= below - y;
		y = below;
	}
	v->chart = (struct rect){ 0 };
	if (rows > 2)
		y = draw_steps(v, c, (struct rect){ y, r.x, r.y + r.h - y, r.w }, rows, airy) + airy;
	r.h -= y - r.y;
	r.y = y;
	if (v->frame.at.how == FRAME_BESIDE)
		draw_lists(v, c, r);
	else
		draw_one_list(v, c, r);
}
