#include "config.h"
#include "view/overview/overview.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/account/differ.h"
#include "analyze/account/why.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/results.h"
#include "widget/card.h"
#include "widget/text.h"

enum { MS_COLS = 10, LABEL = 17, FACT_LABEL = 18, BAR = 6 };

/* --- the step, or the gauge chosen --- */

static void parts_of(const struct overview_view *v, const struct account_step *s, struct bar_part *part)
{
	memcpy(part, v->layer, v->account->nkinds * sizeof *part);
	for (size_t k = 0; k < v->account->nkinds; k++)
		part[k].share = s->core_time > 0 ? s->ms[v->account->kind[k]] / s->core_time : 0;
}

static void step_title(const struct account_step *s, char *buf, size_t size)
{
	if (s->name && s->name_len &&
	    (s->name_len != strlen(s->number) || memcmp(s->name, s->number, s->name_len)))
		snprintf(buf, size, "STEP %s  %.*s", s->number, (int)(s->name_len < 64 ? s->name_len : 64),
		    s->name);
	else
		snprintf(buf, size, "STEP %s", s->number);
}

static void part_line(struct canvas *c, int y, struct rect r, const struct bar_part *p, double ms)
{
	char text[32];
	int room;

	canvas_put(c, y, r.x + 1, p->sign, p->role, 0);
	text_ms(text, sizeof text, ms);
	room = canvas_right(c, y, r.x + r.w - 10, ROLE_TEXT, 0, text) - r.x - 4;
	card_start(c, y, r.x + 3, room < LABEL - 2 ? room : LABEL - 2, ROLE_DIM, 0, p->label);
	text_percent(text, sizeof text, p->share);
	canvas_right(c, y, r.x + r.w - 1, ROLE_TEXT, 0, text);
}

static void range_text(const struct account_step *s, char *buf, size_t size)
{
	if (isnan(s->wait_min) || isnan(s->wait_max))
		snprintf(buf, size, "–");
	else
		snprintf(buf, size, "%.1f – %.1f %%", 100 * s->wait_min, 100 * s->wait_max);
}

/* The row of the chosen step on the core where it is longest, among those that are shown. */
static size_t longest_row(const struct overview_view *v, const struct steps *steps)
{
	const struct step_cores *cores = &v->o->cores;
	size_t at = step_cores_named(cores, v->account->step_of[v->here].number), best = SIZE_MAX;

	for (size_t i = 0; at != SIZE_MAX && i < steps->n; i++)
		if (steps->v[i].id == cores->step[at].id && steps->v[i].core >= 0 &&
		    (v->one < 0 || steps->v[i].core == v->one) &&
		    (best == SIZE_MAX || steps->v[i].dur > steps->v[best].dur))
			best = i;
	return best;
}

/* "; TPU:3 by op infeed.6 +233 µs" */
static void ops_text(const struct overview_view *v, bool ascii, char *buf, size_t size)
{
	const struct step_parts *p = v->parts;
	size_t row = p ? longest_row(v, &p->steps) : SIZE_MAX;
	char text[WHY_TEXT], core[24] = "";
	struct step_differ d;

	*buf = '\0';
	if (row == SIZE_MAX || !account_row_differ(&p->steps, p->row, p->median, row, &d) ||
	    !*step_why_say(v->dump, &p->why[row], d.by, 3, ascii, text, sizeof text))
		return;
	if (v->o->cores.ncores > 1 && v->one < 0)
		snprintf(core, sizeof core, "TPU:%d ", p->steps.v[row].core);
	snprintf(buf, size, "; %sby op %s", core, text);
}

/* "vs. median +0.25 ms: infeed +0.26; TPU:3 by op infeed.6 +0.23 ms": how the step differs from the median one. */
static void why_text(const struct overview_view *v, bool ascii, char *buf, size_t size)
{
	struct step_differ d;
	char text[DIFFER_TEXT], ops[WHY_TEXT + 32];

	if (account_differ(v->account, v->here, &d)) {
		ops_text(v, ascii, ops, sizeof ops);
		snprintf(buf, size, "vs. median %s%s", step_differ_say(&d, ascii, text, sizeof text), ops);
	} else {
		snprintf(buf, size, account_median(v->account) == v->here ? "the median step" : "");
	}
}

static void step_card(const struct overview_view *v, struct canvas *c, struct rect r)
{
	const struct account_step *s = &v->account->step_of[v->here];
	struct bar_part part[OV_LAYERS];
	char text[WHY_TEXT + DIFFER_TEXT], right[32];
	int x, y = r.y;

	step_title(s, text, sizeof text);
	text_ms(right, sizeof right, s->step);
	x = canvas_right(c, y, r.x + r.w - 1, ROLE_BOLD, ATTR_BOLD, right);
	canvas_cut(c, y, r.x + 1, x - r.x - 2, ROLE_HEAD, 0, text, strlen(text));
	parts_of(v, s, part);
	bar_stack(c, ++y, r.x + 1, r.w - 2, part, v->account->nkinds);
	for (size_t k = 0; k < v->account->nkinds && y + 1 < r.y + r.h; k++)
		part_line(c, ++y, r, &part[k], s->ms[v->account->kind[k]]);
	range_text(s, text, sizeof text);
	if (v->o->cores.ncores > 1 && v->one < 0)
		card_sides(c, r, ++y, "input wait over cores", text);
	why_text(v, c->glyphs->ascii, text, sizeof text);
	y++;
	card_text(c, (struct rect){ y, r.x, r.y + r.h - y, r.w }, y, 0, ROLE_BOLD, text, strlen(text));
}

static void gauge_card(const struct overview_view *v, struct canvas *c, struct rect r)
{
	const struct ov_gauge *g = &v->gauge[v->list[OV_GAUGES].at];
	const char *id = overview_number_id[g->number], *formula = fact_meaning(id);
	int y = r.y;

	card_head(c, y++, r, g->title, id);
	if (!*formula)
		formula = "No formula available.";
	y = card_text(c, r, y, 0, ROLE_TEXT, formula, strlen(formula));
	if (isnan(g->value)) {
		const char *text = "Unknown in this capture; – is not 0.";

		card_text(c, r, y, 0, ROLE_WARN, text, strlen(text));
	}
}

/* --- cores, hosts --- */

static void core_cell(struct canvas *c, int y, int end, double v, bool share)
{
	char text[24];

	if (isnan(v))
		snprintf(text, sizeof text, "–");
	else if (share)
		snprintf(text, sizeof text, "%.1f", 100 * v);
	else
		snprintf(text, sizeof text, "%.*f", v < 100 ? units_decimals(v) : 1, v);
	canvas_right(c, y, end, ROLE_TEXT, 0, text);
}

/* Columns for three numbers per line, with a bar after the second where there is room. */
struct core_cols {
	int end[3], bar, bar_cols;
};

static struct core_cols core_cols(struct rect r, bool hosts)
{
	int end = r.x + r.w - 1;

	if (hosts || r.w < 36)
		return (struct core_cols){ { end - 18, end - 9, end }, 0, 0 };
	return (struct core_cols){ { end - 15 - BAR, end - 7 - BAR, end }, end - 6 - BAR, BAR - 1 };
}

static void core_values(const struct overview_view *v, size_t i, double value[3])
{
	const struct ov_core *k = &v->core[i];

	value[0] = v->hosts ? k->step : k->busy;
	value[1] = k->wait;
	value[2] = v->hosts ? k->busy : k->collectives;
}

/* Draws the ratio of the largest to the smallest value of each column. */
static void spread_row(const struct overview_view *v, struct canvas *c, int y, struct rect r,
    const struct core_cols *cols)
{
	canvas_str(c, y, r.x + 1, 8, ROLE_DIM, 0, "max/min");
	for (int k = 0; k < 3; k++) {
		double least = INFINITY, most = -INFINITY;
		char text[24];

		for (size_t i = 0; i < v->ncores; i++) {
			double value[3];

			core_values(v, i, value);
			least = fmin(least, value[k]);
			most = fmax(most, value[k]);
		}
		if (least > 0 && isfinite(most))
			snprintf(text, sizeof text, most / least < 1000 ? "%.2f" : ">999", most / least);
		else
			snprintf(text, sizeof text, "–");
		canvas_right(c, y, cols->end[k], ROLE_TEXT, 0, text);
	}
}

static void cores_head(const struct overview_view *v, struct canvas *c, struct rect r,
    const struct core_cols *cols)
{
	static const char *const titles[2][3] = { { "busy ms", "wait ms", "coll. ms" },
		{ "step ms", "input %", "idle %" } };
	char gloss[64];

	snprintf(gloss, sizeof gloss,
	    v->account->several           ? "sum of %zu runs"
		: v->account->nsteps > 1  ? "mean of %zu steps"
		: v->account->nsteps == 1 ? "one step"
					  : "no steps",
	    v->account->nsteps);
	card_head(c, r.y, r, v->hosts ? "HOSTS" : "CORES", gloss);
	for (int k = 0; k < 3; k++)
		canvas_right(c, r.y + 1, cols->end[k], ROLE_DIM, 0, titles[v->hosts][k]);
}

void overview_view_cores(struct overview_view *v, struct canvas *c, struct rect r)
{
	struct core_cols cols = core_cols(r, v->hosts);
	struct list *l = &v->list[OV_CORES];
	bool spread = r.h > 4 && v->ncores > 1;
	double most = 0;

	cores_head(v, c, r, &cols);
	l->y = r.y + 2;
	list_fit(l, r.h - 2 - spread);
	for (size_t i = 0; i < v->ncores; i++)
		most = fmax(most, v->core[i].wait);
	for (size_t i = l->top; i < l->n && (int)(i - l->top) < l->rows; i++) {
		int y = l->y + (int)(i - l->top);
		double value[3];

		core_values(v, i, value);
		card_tail(c, y, r.x + 1, cols.end[0] - 8 - r.x - 1, ROLE_TEXT, v->core[i].name,
		    strlen(v->core[i].name));
		for (int k = 0; k < 3; k++)
			core_cell(c, y, cols.end[k], value[k], v->hosts && k);
		if (v->at == OV_CORES && i == l->at)
			canvas_role(c, (struct rect){ y, r.x, 1, r.w }, ROLE_SELECTED, 0);
		if (cols.bar_cols && most > 0)
			bar_draw(c, y, cols.bar, cols.bar_cols, value[1] / most, kind_role(KIND_IO));
	}
	if (spread)
		spread_row(v, c,
		    l->y + (int)(l->n - l->top < (size_t)l->rows ? l->n - l->top : (size_t)l->rows), r,
		    &cols);
}

/* --- environment --- */

void overview_view_facts(struct overview_view *v, struct canvas *c, struct rect r)
{
	struct list *l = &v->list[OV_ENVIRONMENT];
	char n[72] = "";

	l->y = r.y + 1;
	list_fit(l, r.h - 1);
	if (l->n > (size_t)l->rows)
		snprintf(n, sizeof n, "%zu–%zu of %zu", l->top + 1, l->top + (size_t)l->rows, l->n);
	card_head(c, r.y, r, "ENVIRONMENT", n);
	for (size_t i = l->top; i < l->n && (int)(i - l->top) < l->rows; i++) {
		const struct ov_fact *f = &v->fact[i];
		int y = l->y + (int)(i - l->top), label = f->warning ? 2 : FACT_LABEL, least, long_from;

		least = utf8_cols(f->label, strlen(f->label)) + 1;
		long_from =
		    r.w - 2 - utf8_cols(f->value, strlen(f->value)); /* where a long value has to begin */
		if (!f->warning && long_from < label)
			label = long_from > least ? long_from : least < label ? least : label;
		canvas_cut(c, y, r.x + 1, label - 1, f->warning ? ROLE_WARN : ROLE_DIM,
		    f->warning ? ATTR_BOLD : 0, f->label, strlen(f->label));
		canvas_cut(c, y, r.x + 1 + label, r.w - 2 - label, ROLE_TEXT, 0, f->value, strlen(f->value));
		if (v->at == OV_ENVIRONMENT && i == l->at)
			canvas_role(c, (struct rect){ y, r.x, 1, r.w }, ROLE_SELECTED, 0);
	}
}

/* --- both forms --- */

static void top_card(const struct overview_view *v, struct canvas *c, struct rect r)
{
	if (v->at == OV_GAUGES)
		gauge_card(v, c, r);
	else if (v->account->nsteps)
		step_card(v, c, r);
}

static void clear_rect(struct canvas *c, struct rect r)
{
	canvas_fill(c, r, ' ', ROLE_TEXT, 0);
}

/* The card keeps the height of the step's card, so that what is below does not move when a gauge is
 * chosen. */
static void card_beside(struct overview_view *v, struct canvas *c, struct rect r)
{
	int top = v->account->nsteps ? (int)v->account->nkinds + 5 + (v->o->cores.ncores > 1)
	    : v->at == OV_GAUGES     ? 6
				     : 0;
	int y = r.y + top + (top > 0), left = r.h - top - (top > 0), facts, cores;

	top_card(v, c, (struct rect){ r.y, r.x, top, r.w });
	if (!v->ncores) {
		overview_view_facts(v, c, (struct rect){ y, r.x, left, r.w });
		return;
	}
	cores = (int)(v->ncores < 64 ? v->ncores : 64) + 2 + (v->ncores > 1);
	facts = (int)v->nfacts + 1;
	if (cores + 1 + facts > left) /* shorten the environment first, then the cores */
		facts = left - cores - 1 > 5 ? left - cores - 1 : left >= 14 ? 5 : 0;
	if (!facts && v->at == OV_ENVIRONMENT)
		facts = left / 2;
	if (cores > left - facts - (facts > 0))
		cores = left - facts - (facts > 0);
	if (cores >= 3)
		overview_view_cores(v, c, (struct rect){ y, r.x, cores, r.w });
	if (facts > 1)
		overview_view_facts(v, c, (struct rect){ y + cores + 1, r.x, facts, r.w });
}

/* The range of the input wait stands behind it where there is room. */
static void why_below(const struct overview_view *v, const struct account_step *s, struct canvas *c,
    struct rect line, int end)
{
	char why[WHY_TEXT + DIFFER_TEXT], range[32], text[64];
	int cols;

	if (line.y >= end)
		return;
	why_text(v, c->glyphs->ascii, why, sizeof why);
	cols = card_start(c, line.y, line.x + 1, line.w - 2, ROLE_BOLD, 0, why);
	range_text(s, range, sizeof range);
	snprintf(text, sizeof text, "input wait over cores %s", range);
	if (v->o->cores.ncores > 1 && v->one < 0 && cols + utf8_cols(text, strlen(text)) + 4 < line.w)
		canvas_right(c, line.y, line.x + line.w - 1, ROLE_TEXT, 0, text);
}

static void card_below(struct overview_view *v, struct canvas *c, struct rect r)
{
	const struct account_step *s = v->account->nsteps ? &v->account->step_of[v->here] : NULL;
	struct bar_part part[OV_LAYERS];
	char title[160], right[32];
	int half = r.w / 2;

	clear_rect(c, r);
	if (v->at == OV_GAUGES || !s) {
		card_rule(c, r, r.y, v->gauge[v->list[OV_GAUGES].at].title, "");
		gauge_card(v, c, (struct rect){ r.y + 1, r.x, r.h - 1, r.w });
		return;
	}
	step_title(s, title, sizeof title);
	text_ms(right, sizeof right, s->step);
	card_rule(c, r, r.y, title, right);
	parts_of(v, s, part);
	bar_stack(c, r.y + 1, r.x + 1, r.w - 2, part, v->account->nkinds);
	for (size_t k = 0; k < v->account->nkinds && r.y + 2 + (int)k / 2 < r.y + r.h; k++)
		part_line(c, r.y + 2 + (int)k / 2, (struct rect){ 0, r.x + (int)(k % 2) * half, 1, half },
		    &part[k], s->ms[v->account->kind[k]]);
	why_below(v, s, c, (struct rect){ r.y + 2 + (int)(v->account->nkinds + 1) / 2, r.x, 1, r.w },
	    r.y + r.h);
}

int overview_view_card(struct view *view, struct canvas *c, struct rect r, enum frame_card how)
{
	(how == FRAME_BESIDE ? card_beside : card_below)(view->state, c, r);
	return r.y;
}
