#include "config.h"
#include "widget/step_cols.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "widget/card.h"

enum { VALUE_COLS = 6 };

void step_cols_fit(struct step_cols *s, size_t n, const double *height, size_t nparts, int cols)
{
	struct chart *ch = &s->chart;

	s->n = ch->ncol = n;
	ch->nparts = nparts;
	if (n && !chart_fit(ch, cols)) {
		ch->ncol = cols > CHART_AXIS ? (size_t)(cols - CHART_AXIS) : 0;
		ch->width = 1;
		ch->gap = 0;
	}
	s->step = xrealloc(s->step, ch->ncol + 1, sizeof *s->step);
	s->v = xrealloc(s->v, ch->ncol * nparts + 1, sizeof *s->v);
	memset(s->v, 0, (ch->ncol * nparts + 1) * sizeof *s->v);
	ch->v = s->v;
	for (size_t i = 0, last = SIZE_MAX; i < n && ch->ncol; i++) {
		size_t at = step_cols_of(s, i);

		if (at != last || height[i] > height[s->step[at]])
			s->step[at] = i;
		last = at;
	}
}

void step_cols_free(struct step_cols *s)
{
	free(s->step);
	free(s->v);
	*s = (struct step_cols){ 0 };
}

size_t step_cols_of(const struct step_cols *s, size_t step)
{
	return s->chart.ncol >= s->n ? step : (size_t)((double)step * (double)s->chart.ncol / (double)s->n);
}

size_t step_cols_at(const struct step_cols *s, struct rect chart, int x)
{
	for (size_t i = 0; i < s->chart.ncol; i++) {
		int from = chart_x(&s->chart, chart, i);

		if (x >= from && x < from + s->chart.width + s->chart.gap)
			return s->step[i];
	}
	return SIZE_MAX;
}

const char *short_number(char *buf, size_t size, double v)
{
	if (isnan(v))
		snprintf(buf, size, "–");
	else if (fabs(v) < 9999.5)
		snprintf(buf, size, "%.*f",
		    v && fabs(v) < 0.9995 ? units_decimals(v)
			: fabs(v) < 9.995 ? 2
			: fabs(v) < 99.95 ? 1
					  : 0,
		    v);
	else if (fabs(v) < 1e15)
		chart_label(buf, size, v, false);
	else
		snprintf(buf, size, "%.0e", v);
	return buf;
}

static int cols_of(const char *s)
{
	return utf8_cols(s, strlen(s));
}

/* Draws the numbers of steps, only every `each`-th when there is no room for all. */
static void draw_numbers(const struct step_cols *s, struct canvas *c, struct rect r, int y, size_t here,
    const struct step_labels *l, int each)
{
	const struct chart *ch = &s->chart;
	int free_from = r.x + CHART_AXIS;

	for (size_t i = 0; i < ch->ncol; i += (size_t)each) {
		const char *text = l->number(l->ctx, s->step[i]);
		int cols = cols_of(text), room = each * (ch->width + ch->gap);
		int x = chart_x(ch, r, i) + (each == 1 ? (ch->width - cols) / 2 : 0);
		bool chosen = each == 1 && i == here;

		if (x < free_from)
			x = free_from;
		if (x + cols > r.x + r.w)
			break;
		canvas_cut(c, y, x, room, chosen ? ROLE_BOLD : ROLE_DIM, chosen ? ATTR_BOLD : 0, text,
		    strlen(text));
		if (chosen)
			canvas_glyph(c, y, x + (cols < room ? cols : room), GLYPH_SORT_UP, ROLE_WARN,
			    ATTR_BOLD);
		free_from = x + cols + 1;
	}
}

static void draw_values(const struct step_cols *s, struct canvas *c, struct rect r, int y, size_t here,
    const struct step_labels *l)
{
	const struct chart *ch = &s->chart;
	char text[24];

	for (size_t i = 0; i < ch->ncol; i++) {
		short_number(text, sizeof text, l->value(l->ctx, s->step[i]));
		canvas_str(c, y, chart_x(ch, r, i) + (ch->width - cols_of(text)) / 2, VALUE_COLS,
		    i == here ? ROLE_BOLD : ROLE_TEXT, 0, text);
	}
}

/* "▲ 4.78" below the column, or at its left where the row ends. */
static void draw_one_value(const struct step_cols *s, struct canvas *c, struct rect r, int y, size_t here,
    size_t step, const struct step_labels *l)
{
	int x = chart_x(&s->chart, r, here) + s->chart.width / 2, cols;
	char text[24], both[160];

	short_number(text, sizeof text, l->value(l->ctx, step));
	snprintf(both, sizeof both, "%s: %s", l->number(l->ctx, step), text);
	canvas_glyph(c, y, x, GLYPH_SORT_UP, ROLE_WARN, ATTR_BOLD);
	cols = cols_of(both);
	if (x + 2 + cols <= r.x + r.w)
		canvas_str(c, y, x + 2, cols, ROLE_TEXT, 0, both);
	else if (x - 1 - cols >= r.x + CHART_AXIS)
		canvas_str(c, y, x - 1 - cols, cols, ROLE_TEXT, 0, both);
}

/* Every how many columns a number is drawn. */
static int each_of(const struct step_cols *s, const struct step_labels *l)
{
	int pitch = s->chart.width + s->chart.gap, widest = 1;

	for (size_t i = 0; i < s->chart.ncol; i++) {
		int cols = cols_of(l->number(l->ctx, s->step[i]));

		widest = cols > widest ? cols : widest;
	}
	return (widest + 2 + pitch - 1) / pitch;
}

static bool all_values(const struct step_cols *s, int each)
{
	return each == 1 && s->chart.width + s->chart.gap >= VALUE_COLS;
}

void step_cols_labels(const struct step_cols *s, struct canvas *c, struct rect r, int y, size_t step,
    const struct step_labels *l)
{
	size_t here = step < s->n && s->chart.ncol ? step_cols_of(s, step) : SIZE_MAX;
	int each = s->chart.ncol ? each_of(s, l) : 1;

	if (!s->chart.ncol)
		return;
	canvas_str(c, y, r.x + 1, CHART_AXIS - 2, ROLE_DIM, 0, l->head);
	draw_numbers(s, c, r, y, here, l, each);
	canvas_str(c, y + 1, r.x + 1, CHART_AXIS - 2, ROLE_DIM, 0, l->unit);
	if (all_values(s, each))
		draw_values(s, c, r, y + 1, here, l);
	else if (here != SIZE_MAX)
		draw_one_value(s, c, r, y + 1, here, step, l);
}

void step_cols_values(const struct step_cols *s, struct canvas *c, struct rect r, int y, size_t step,
    const struct step_labels *l)
{
	if (!s->chart.ncol || !all_values(s, each_of(s, l)))
		return;
	canvas_str(c, y, r.x + 1, CHART_AXIS - 2, ROLE_DIM, 0, l->unit);
	draw_values(s, c, r, y, step < s->n ? step_cols_of(s, step) : SIZE_MAX, l);
}

void step_cols_none(bool tpu, bool of_result, struct canvas *c, struct rect r)
{
	static const char averages[] = "The profiler's result lists no steps, only averages over them.";
	const char *why = tpu
	    ? "No steps: the device has no Steps line, and no host step that launched a program "
	      "was recorded."
	    : "No steps: no host thread has step events.";
	const char *how = "Annotate the training loop and capture again: with "
			  "jax.profiler.StepTraceAnnotation(\"train\", step_num=i) "
			  "(TensorFlow: tf.profiler.experimental.Trace(\"train\", step_num=i, _r=1)).";
	const char *brief = "Capture with jax.profiler.StepTraceAnnotation(\"train\", step_num=i).";
	int y;

	if (of_result) {
		card_text(c, r, r.y, 0, ROLE_TEXT, averages, sizeof averages - 1);
		return;
	}
	y = card_text(c, r, r.y, 0, ROLE_WARN, why, strlen(why));
	if (card_text_rows(r.w - 2, how, strlen(how)) > r.y + r.h - y)
		how = brief;
	card_text(c, r, y, 0, ROLE_DIM, how, strlen(how));
}
