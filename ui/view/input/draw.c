#include "config.h"
#include "view/input/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/app.h"
#include "widget/card.h"
#include "widget/step_cols.h"

enum {
	AIRY = 30,
	TALL = 36,
	CHART_MOST = 11,
	CHART_LEAST = 4,
	CHARTS_LEAST = 10,
	OPS_LEAST = 4,
	THREADS_MOST = 12,
	LIMIT = 20
};

const char *input_view_verdict(const struct input_view *v, bool xprof, const char **mark, enum role *role)
{
	static const struct {
		const char *class, *text, *mark;
		enum role role;
	} table[] = {
		{ "high", "Highly input bound", "!!", ROLE_BAD },
		{ "moderate", "Moderately input bound", "! ", ROLE_WARN },
		{ "potential", "Possibly input bound", "! ", ROLE_WARN },
		{ "none", "Not input bound", "", ROLE_GOOD },
	};
	const char *class = xprof ? facts_text(&v->in->summary, "input_class") : input_verdict(v->in);

	for (size_t i = 0; i < sizeof table / sizeof *table && !v->hidden; i++)
		if (!strcmp(class, table[i].class)) {
			*mark = table[i].mark;
			*role = table[i].role;
			return table[i].text;
		}
	*mark = "";
	*role = ROLE_DIM;
	return "Input wait unknown";
}

static void draw_verdict(const struct input_view *v, struct canvas *c, int y, struct rect r)
{
	double share = input_share(v->in), /* as findings and overview */
	    others = facts_number(&v->in->summary, "input_conclusion_percent");
	const char *class = facts_text(&v->in->summary, "input_class");
	bool hidden = !strcmp(class, "potential");
	const char *mark, *text;
	enum role role;
	char percent[16], line[128];
	int x = r.x + 1, end = r.x + r.w - 1;

	text = input_view_verdict(v, false, &mark, &role);
	if (*mark)
		x += canvas_str(c, y, x, 3, role, ATTR_BOLD, mark) + 1;
	x += canvas_str(c, y, x, end - x, ROLE_BOLD, ATTR_BOLD, text) + 2;
	if (v->hidden) {
		canvas_str(c, y, x, end - x, ROLE_TEXT, 0, v->why);
		return;
	}
	if (isnan(share) || !strcmp(class, "unknown")) {
		canvas_str(c, y, x, end - x, ROLE_TEXT, 0, v->nsteps ? "" : "no steps in this capture");
		return;
	}
	snprintf(percent, sizeof percent, "%.1f %%", share);
	x += canvas_str(c, y, x, end - x, ROLE_BOLD, ATTR_BOLD, percent) + 1;
	if (hidden)
		snprintf(line, sizeof line,
		    "of step time is spent waiting for input, %.1f %% is of unknown kind", others);
	else
		snprintf(line, sizeof line, "of step time is spent waiting for input%s",
		    v->tpu && end - x >= 52 ? " (worst core)" : "");
	if (end - x < (int)strlen(line))
		snprintf(line, sizeof line, end - x >= 16 ? "waiting for input" : "");
	canvas_str(c, y, x, end - x, ROLE_TEXT, 0, line);
}

/* --- the chart --- */

static const char *number_of(const void *ctx, size_t i)
{
	return ((const struct input_view *)ctx)->step[i].number;
}
static double percent_of(const void *ctx, size_t i)
{
	return 100 * ((const struct input_view *)ctx)->step[i].wait;
}
static double wait_of(const void *ctx, size_t i)
{
	return ((const struct input_view *)ctx)->step[i].wait_ms;
}
static double ms_of(const void *ctx, size_t i)
{
	return ((const struct input_view *)ctx)->step[i].ms;
}

/* Draws ┬ and ┴ in the gap after a column, where the range of the cores ends. */
static void draw_range(const struct input_view *v, struct canvas *c, struct rect r, size_t col)
{
	const struct in_step *s = &v->step[v->cols.step[col]];
	const struct chart *ch = &v->cols.chart;
	int x = chart_x(ch, r, col) + ch->width, row[2];
	double value[2] = { s->most * 100, s->least * 100 };

	if (!ch->gap || !(s->most > 0) || isnan(s->least) || (v->one >= 0 && s->least >= s->most) ||
	    v->nsteps > ch->ncol)
		return;
	for (int k = 0; k < 2; k++) {
		double part = value[k] / ch->top;

		row[k] = r.y + r.h - 1 - (int)((part > 0 ? part < 1 ? part : 1 : 0) * r.h * .999);
		row[k] = row[k] < r.y ? r.y : row[k];
	}
	if (row[0] == row[1]) {
		canvas_put(c, row[0], x, 0x253c, ROLE_TEXT, 0);
		return;
	}
	for (int y = row[0] + 1; y < row[1]; y++)
		canvas_glyph(c, y, x, GLYPH_VLINE, ROLE_DIM, 0);
	canvas_glyph(c, row[0], x, GLYPH_TEE_DOWN, ROLE_TEXT, 0);
	canvas_glyph(c, row[1], x, GLYPH_TEE_UP, ROLE_TEXT, 0);
}

static void waits_values(struct input_view *v, int cols)
{
	double *height = xcalloc(v->nsteps, sizeof *height), top = LIMIT;

	for (size_t i = 0; i < v->nsteps; i++) {
		height[i] = isnan(v->step[i].wait) ? 0 : v->step[i].wait;
		top = fmax(top, 100 * fmax(v->step[i].most, v->step[i].wait));
	}
	step_cols_fit(&v->cols, v->nsteps, height, 1, cols);
	for (size_t i = 0; i < v->cols.chart.ncol; i++)
		v->cols.v[i] = 100 * height[v->cols.step[i]];
	v->cols.chart.top = fmin(100, chart_top(top * 1.05));
	v->cols.chart.line = LIMIT;
	free(height);
}

/* Draws heading, chart, numbers, values; returns the row below. */
static int draw_waits(struct input_view *v, struct canvas *c, struct rect r, int rows, bool ms)
{
	const struct bar_part part = { "", 0, kind_role(KIND_IO), 0x2588 };
	struct step_labels percent = { number_of, percent_of, v, "step", "%" },
			   wait = { number_of, wait_of, v, "step", "ms" };
	struct rect plot = { r.y + 1, r.x, rows, r.w };
	char gloss[120], core[32];

	snprintf(core, sizeof core, "core %d   ", v->one);
	snprintf(gloss, sizeof gloss, "%% of step   %s%s limit 20 %%",
	    !v->tpu                ? ""
		: v->one >= 0      ? core
		: c->glyphs->ascii ? "# mean of cores   + their range   "
				   : "█ mean of cores   ┬┴ their range   ",
	    c->glyphs->ascii ? "-" : "┄");
	card_head(c, r.y, r, "WAIT FOR INPUT", gloss);
	waits_values(v, r.w);
	v->cols.chart.part = &part;
	chart_draw(&v->cols.chart, c, plot);
	v->cols.chart.part = NULL;
	for (size_t i = 0; i < v->cols.chart.ncol; i++)
		draw_range(v, c, plot, i);
	step_cols_labels(&v->cols, c, plot, plot.y + rows, v->here, &percent);
	if (ms)
		step_cols_values(&v->cols, c, plot, plot.y + rows + 2, v->here, &wait);
	return plot.y + rows + 2 + ms;
}

enum { TIMES = 3 };
static const enum time_kind times[TIMES] = { KIND_ANY_COMPUTE, KIND_IO, KIND_OTHER };
static const char *const times_name[TIMES] = { "compute", "wait for input", "other" };

/* The parts of a step from the bottom; the wait is the mean of the cores, as in the other chart. */
static void times_of(const struct input_view *v, size_t i, double part[TIMES])
{
	double all = fmax(0, v->step[i].ms), wait = fmin(all, fmax(0, v->step[i].wait * all));

	part[1] = wait;
	part[0] = fmin(all - wait, fmax(0, input_view_compute(v, i)));
	part[2] = all - wait - part[0];
}

static void times_values(struct input_view *v, int cols)
{
	double *height = xcalloc(v->nsteps, sizeof *height), top = 0;

	for (size_t i = 0; i < v->nsteps; i++)
		top = fmax(top, height[i] = fmax(0, v->step[i].ms));
	step_cols_fit(&v->cols, v->nsteps, height, TIMES, cols);
	for (size_t i = 0; i < v->cols.chart.ncol; i++)
		times_of(v, v->cols.step[i], v->cols.v + i * TIMES);
	v->cols.chart.top = chart_top(top);
	v->cols.chart.line = 0;
	free(height);
}

/* Draws the chart of the step times, with numbers only where no chart below has them. */
static int draw_times(struct input_view *v, struct canvas *c, struct rect r, int rows, bool numbers)
{
	struct step_labels labels = { number_of, ms_of, v, "step", "ms" };
	struct rect plot = { r.y + 1, r.x, rows, r.w };
	struct bar_part part[TIMES];
	double sum[TIMES] = { 0 };
	int x = r.x + 1 + canvas_str(c, r.y, r.x + 1, r.w - 2, ROLE_HEAD, 0, "STEP TIME ms") + 2;

	times_values(v, r.w);
	for (size_t i = 0; i < v->cols.chart.ncol; i++)
		for (int k = 0; k < TIMES; k++)
			sum[k] += v->cols.v[i * TIMES + (size_t)k];
	for (int k = 0; k < TIMES; k++) {
		part[k] = kind_part(times[k], false, 0);
		if (!c->mono)
			part[k].sign = c->glyphs->g[GLYPH_FULL];
		if (!(sum[k] > 0) || x + 2 + (int)strlen(times_name[k]) > r.x + r.w - 1)
			continue;
		canvas_put(c, r.y, x, part[k].sign, part[k].role, 0);
		x += 2 + canvas_str(c, r.y, x + 2, r.w, ROLE_DIM, 0, times_name[k]) + 2;
	}
	v->cols.chart.part = part;
	chart_draw(&v->cols.chart, c, plot);
	v->cols.chart.part = NULL;
	if (numbers)
		step_cols_labels(&v->cols, c, plot, plot.y + rows, v->here, &labels);
	else
		step_cols_values(&v->cols, c, plot, plot.y + rows, v->here, &labels);
	return plot.y + rows + 1 + numbers;
}

/* Draws the charts of the steps, for which there are `rows` besides a heading and two rows of numbers. */
static int draw_charts(struct input_view *v, struct canvas *c, struct rect r, int rows, bool airy)
{
	bool known = !v->hidden && !isnan(input_share(v->in));
	bool both = v->want == CHART_AUTO && known && rows >= CHARTS_LEAST;
	int y = r.y, lower = (rows + airy - 2) / 2;

	v->chart = (struct rect){ r.y + 1, r.x, rows, r.w };
	if (!v->nsteps) {
		card_head(c, r.y, r, "STEP TIME", "");
		step_cols_none(v->tpu, v->in->file, c, v->chart);
		return r.y + 1 + rows;
	}
	if (both) {
		y = draw_times(v, c, r, rows + airy - 2 - lower, false);
		r.h -= y - r.y;
		r.y = y;
		y = draw_waits(v, c, r, lower, false);
	} else if (v->want == CHART_WAITS || (v->want == CHART_AUTO && known && input_share(v->in) >= 1)) {
		y = draw_waits(v, c, r, rows, airy);
	} else {
		y = draw_times(v, c, r, rows + airy, true);
	}
	v->chart.h = y - v->chart.y;
	return y;
}

/* --- ops, threads --- */

static void draw_ops(struct input_view *v, struct canvas *c, struct rect r)
{
	const char *none =
	    "No input ops: the host ran no tf.data, or it was not traced (host tracer level 2).";

	if (r.h < 2)
		return;
	if (v->in->host_ops.nrows) {
		sheet_draw(&v->sheet, c, r);
		return;
	}
	card_head(c, r.y, r, "HOST INPUT OPS", "");
	card_text(c, r, r.y + 1, 0, ROLE_DIM, none, strlen(none));
}

static int thread_rows(const struct input_view *v)
{
	size_t n = v->in->nthreads;

	return n ? (int)(n < THREADS_MOST ? n : THREADS_MOST) + 1 : 0;
}

/* Rows of the list of ops that the chart leaves to it. */
static int ops_rows(const struct input_view *v, int left)
{
	int least = OPS_LEAST + (left > 24 ? 5 : 0),
	    want = (int)(v->in->host_ops.nrows < 99 ? v->in->host_ops.nrows : 99) + 1;

	return left <= TALL || want < least ? least : want < left / 3 ? want : left / 3;
}

/* --- all --- */

static int card_full(struct view *view, struct canvas *c, struct rect r)
{
	const struct input_view *v = view->state;
	struct rect narrow = { r.y, r.x, r.h, r.w > 78 ? 78 : r.w };
	int y = r.y, threads = thread_rows(v);

	if (v->nsteps)
		y = input_view_step_card(v, c, narrow, y) + 1;
	y = input_view_host_card(v, c, narrow, y) + 1;
	y = input_view_advice_card(v, c, narrow, y) + 1;
	if (threads)
		input_view_threads_draw(v, view->app, c, (struct rect){ y, r.x, threads, r.w });
	return y + threads;
}

int input_view_card(struct view *view, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct input_view *v = view->state;
	int y = r.y;

	if (how == FRAME_FULL)
		return card_full(view, c, r);
	if (how == FRAME_BELOW) {
		input_view_card_below(v, c, r);
		return y;
	}
	if (v->nsteps)
		y = input_view_step_card(v, c, r, y) + 1;
	y = input_view_host_card(v, c, r, y) + 1;
	return input_view_advice_card(v, c, r, y);
}

void input_view_draw(struct view *view, struct canvas *c, struct rect r)
{
	struct input_view *v = view->state;
	bool airy = view->area.h >= AIRY;
	int y = r.y, rows, left, threads, most;

	draw_verdict(v, c, y++, r);
	y += airy;
	left = r.y + r.h - y;
	threads = left >= 24 ? thread_rows(v) : 0;
	rows = left - 4 - 2 * airy - threads - (threads > 0) - ops_rows(v, left);
	most = left > TALL && input_share(v->in) >= 1 ? left / 2 : CHART_MOST;
	rows = rows > most ? most : rows;
	if (!v->nsteps)
		rows = rows > 5 ? 5 : rows;
	v->chart = (struct rect){ 0 };
	if (rows >= CHART_LEAST)
		y = draw_charts(v, c, (struct rect){ y, r.x, r.y + r.h - y, r.w }, rows, airy) + airy;
	left = r.y + r.h - y - threads - (threads > 0);
	if (threads && left > (int)v->in->host_ops.nrows + 1)
		left = (int)(v->in->host_ops.nrows ? v->in->host_ops.nrows : 2) + 1;
	draw_ops(v, c, (struct rect){ y, r.x, left, r.w });
	if (threads)
		input_view_threads_draw(v, view->app, c, (struct rect){ y + left + 1, r.x, threads, r.w });
}
