#include "config.h"
#include "view/input/input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "core/app.h"
#include "result/advice.h"
#include "widget/card.h"
#include "widget/text.h"

enum { LABEL = 15, BAR = 8, THREAD_NAME = 24 };

static const struct overview_part tpu_parts[] = {
	{ KIND_ANY_COMPUTE, { TPU_tcComputeTimeMs } },
	{ KIND_INFEED, { TPU_tcInfeedTimeMs } },
	{ KIND_OUTFEED, { TPU_tcOutfeedTimeMs } },
	{ KIND_HOST_TRANSFER, { TPU_hostTransferTimeMs } },
	{ KIND_IDLE, { TPU_tcIdleTimeMs } },
};

static const struct overview_part *parts_of(const struct input_view *v, size_t *n)
{
	*n = v->tpu ? sizeof tpu_parts / sizeof *tpu_parts : OVERVIEW_PARTS;
	return v->tpu ? tpu_parts : overview_parts;
}

/* --- the step --- */

/* NaN: not known */
static double part_of_step(const struct input_view *v, size_t step, const struct overview_part *l)
{
	double ms = NAN;

	for (size_t i = 0; i < 3 && l->column[i]; i++) {
		double x = table_num(v->steps, step, l->column[i]);

		if (!isnan(x))
			ms = (isnan(ms) ? 0 : ms) + x;
	}
	return ms;
}

static double part_ms(const struct input_view *v, const struct overview_part *l)
{
	return part_of_step(v, v->here, l);
}

double input_view_compute(const struct input_view *v, size_t step)
{
	size_t n;
	const struct overview_part *part = parts_of(v, &n);
	double ms = NAN;

	for (size_t i = 0; i < n; i++) {
		enum time_kind k = part[i].kind;
		double x = k == KIND_ANY_COMPUTE || k == KIND_DEVICE || k == KIND_COLLECTIVE ||
			k == KIND_HOST_COMPUTE
		    ? part_of_step(v, step, &part[i])
		    : NAN;

		ms = isnan(x) ? ms : isnan(ms) ? x : ms + x;
	}
	return ms;
}

/* Captures do not tell compiling from other work of the host; what other profilers left may. */
static bool part_shown(const struct input_view *v, const struct overview_part *l)
{
	return l->kind != KIND_COMPILE || !isnan(part_ms(v, l));
}

static void part_line(const struct input_view *v, struct canvas *c, int y, struct rect r,
    const struct overview_part *l)
{
	double ms = part_ms(v, l), of = v->step[v->here].ms;
	char text[32];
	int room;

	if (l->kind == KIND_IDLE && !isnan(v->step[v->here].idle_ms))
		ms = v->step[v->here].idle_ms;
	if (y < r.y || y >= r.y + r.h)
		return;
	canvas_str(c, y, r.x + 1, LABEL, ROLE_DIM, 0, kind_info[l->kind].name);
	text_ms(text, sizeof text, ms);
	room = canvas_right(c, y, r.x + r.w - 1, ROLE_TEXT, 0, text) - 1 - (r.x + 1 + LABEL);
	if (!isnan(ms))
		bar_draw(c, y, r.x + 1 + LABEL, room < BAR ? room : BAR, of > 0 ? ms / of : 0,
		    kind_role(l->kind));
}

/* "": no core waited for infeed */
static const char *worst_core(const struct input_view *v, char *buf, size_t size)
{
	struct slice name = table_str(&v->in->max_infeed_core, v->here, INPUT_CORE_coreName);

	snprintf(buf, size, "%.*s", (int)name.n, name.n ? name.s : "");
	return buf;
}

int input_view_step_card(const struct input_view *v, struct canvas *c, struct rect r, int y)
{
	char text[300];
	size_t n, len;
	const struct overview_part *part = parts_of(v, &n);
	int x;

	text_ms(text, sizeof text, v->step[v->here].ms);
	x = canvas_right(c, y, r.x + r.w - 1, ROLE_BOLD, ATTR_BOLD, text);
	snprintf(text, sizeof text, "STEP %s", v->step[v->here].number);
	canvas_cut(c, y++, r.x + 1, x - r.x - 2, ROLE_HEAD, 0, text, strlen(text));
	for (size_t i = 0; i < n; i++)
		if (part_shown(v, &part[i]))
			part_line(v, c, y++, r, &part[i]);
	if (!v->tpu)
		return y;
	if (!*worst_core(v, text, sizeof text))
		snprintf(text, sizeof text, "–");
	len = strlen(text);
	canvas_str(c, y, r.x + 1, LABEL, ROLE_DIM, 0, "worst core");
	if (len > (size_t)(r.w - LABEL - 2))
		canvas_cut(c, y, r.x + 1 + LABEL, r.w - 2 - LABEL, ROLE_TEXT, 0, text, len);
	else
		canvas_right(c, y, r.x + r.w - 1, ROLE_TEXT, 0, text);
	return y + 1;
}

/* --- the host --- */

/* The stages in the order in which the data pass them on the way to the device. */
static const struct {
	enum input_category category;
	enum role role;
	uint32_t sign;
} stages[] = {
	{ INPUT_DEMANDED_READ, ROLE_BLOCK_HOST, 0x2588 },
	{ INPUT_ADVANCED_READ, ROLE_BLOCK_COMPUTE, 0x2593 },
	{ INPUT_PREPROCESSING, ROLE_BLOCK_COPY, 0x2592 },
	{ INPUT_ENQUEUE, ROLE_BLOCK_COLLECTIVE, 0x2591 },
	{ INPUT_OTHER, ROLE_BLOCK_OTHER, '-' },
};
enum { STAGES = sizeof stages / sizeof *stages };

static double host_ms(const struct input_view *v)
{
	double sum = 0;

	for (enum input_category i = 0; i < INPUT_CATEGORIES; i++)
		sum += fmax(0, input_measured_us(v->in, i));
	return sum / 1e3;
}

/* The sum of XProf's breakdown, which stretches what was measured. */
static double stretched_ms(const struct input_view *v)
{
	double sum = 0;

	for (size_t i = 0; i < v->in->breakdown.nrows; i++)
		sum += fmax(0, table_num(&v->in->breakdown, i, INPUT_PART_time_us));
	return sum / 1e3;
}

static void stage_line(const struct input_view *v, struct canvas *c, int y, struct rect r, size_t i)
{
	double us = input_measured_us(v->in, stages[i].category), share = us / 1e3 / host_ms(v);
	char text[32];
	int room;

	canvas_put(c, y, r.x + 1, stages[i].sign, stages[i].role, 0);
	if (us > 0)
		units_time_short(text, sizeof text, from_double(us * PS_PER_US), c->glyphs->ascii);
	else
		snprintf(text, sizeof text, "–");
	room = canvas_right(c, y, r.x + r.w - 8, ROLE_TEXT, 0, text) - 1 - (r.x + 3);
	card_start(c, y, r.x + 3, room < 20 ? room : 20, ROLE_DIM, 0,
	    input_category_info[stages[i].category].name);
	text_percent(text, sizeof text, us > 0 ? share : NAN);
	canvas_right(c, y, r.x + r.w - 1, ROLE_TEXT, 0, text);
}

struct spread {
	double mean, sd, least, most;
};

/* The spread of the step times that are known, or, with `wait`, of their waits. */
static struct spread spread_of(const struct input_view *v, bool wait)
{
	struct spread s = { NAN, NAN, NAN, NAN };
	double sum = 0, squares = 0, n = 0;

	for (size_t i = 0; i < v->nsteps; i++) {
		double x = wait ? v->step[i].wait_ms : v->step[i].ms;

		if (isnan(x))
			continue;
		s.least = fmin(s.least, x);
		s.most = fmax(s.most, x);
		sum += x;
		n++;
	}
	s.mean = n ? sum / n : NAN;
	for (size_t i = 0; i < v->nsteps; i++) {
		double d = (wait ? v->step[i].wait_ms : v->step[i].ms) - s.mean;

		squares += isnan(d) ? 0 : d * d;
	}
	s.sd = n > 1 ? sqrt(squares / (n - 1)) : NAN;
	return s;
}

static void spread_line(struct canvas *c, struct rect r, int y, const char *label, struct spread s)
{
	const double value[] = { s.mean, s.sd, s.least, s.most };
	int x = r.x + r.w - 1;

	canvas_str(c, y, r.x + 1, r.w - 2, ROLE_DIM, 0, label);
	for (int i = 3; i >= 0; i--, x -= 7) {
		char text[24] = "–";

		if (!isnan(value[i]))
			snprintf(text, sizeof text, "%.*f", value[i] < 100 ? 2 : 0, value[i]);
		canvas_right(c, y, x, ROLE_TEXT, 0, text);
	}
}

/* Step times and waits over all steps, in ms. */
static int spread_card(const struct input_view *v, struct canvas *c, struct rect r, int y)
{
	if (v->nsteps < 2)
		return y;
	canvas_right(c, y, r.x + r.w - 1, ROLE_DIM, 0, "mean     sd    min    max");
	card_head(c, y++, r, "ALL STEPS", "");
	spread_line(c, r, y++, "step ms", spread_of(v, false));
	if (!v->hidden)
		spread_line(c, r, y++, "wait ms", spread_of(v, true));
	return y + 1;
}

/* The host's work per step, and the time without waiting for input of the steps of which the wait is known. */
static int per_step(const struct input_view *v, struct canvas *c, struct rect r, int y)
{
	double step = 0, wait = 0, n = 0, need, best;
	char text[48];

	for (size_t i = 0; i < v->nsteps; i++)
		if (!isnan(v->step[i].ms + v->step[i].wait_ms)) {
			step += v->step[i].ms;
			wait += v->step[i].wait_ms;
			n++;
		}
	if (!v->nsteps || (!(wait > 0) && !(host_ms(v) > 0)))
		return y - 1;
	need = host_ms(v) / (double)v->nsteps;
	best = n > 0 ? (step - wait) / n : NAN;
	card_head(c, y++, r, "PER STEP ON THE HOST", "");
	text_ms(text, sizeof text, need > 0 ? need : NAN);
	y = card_sides(c, r, y, "host work per step", text);
	if (v->hidden)
		return y;
	text_ms(text, sizeof text, best);
	y = card_sides(c, r, y, "step without waits", text);
	snprintf(text, sizeof text, best > 0 ? "%.2f%s" : "–", step / n / best, c->glyphs->ascii ? "x" : "×");
	return card_sides(c, r, y, "speedup without waits", text);
}

int input_view_host_card(const struct input_view *v, struct canvas *c, struct rect r, int y)
{
	struct bar_part part[STAGES];
	double all = host_ms(v);
	char gloss[64], ms[24];

	y = spread_card(v, c, r, y);
	text_ms(ms, sizeof ms, all > 0 ? all : NAN);
	snprintf(gloss, sizeof gloss, v->nsteps ? "%s in %zu step%s" : "%s", ms, v->nsteps,
	    v->nsteps == 1 ? "" : "s");
	card_head(c, y++, r, "HOST SIDE", all > 0 ? gloss : "no input work was traced");
	if (all > 0) {
		for (size_t i = 0; i < STAGES; i++)
			part[i] = (struct bar_part){ input_category_info[stages[i].category].name,
				input_measured_us(v->in, stages[i].category) / 1e3 / all, stages[i].role,
				stages[i].sign };
		bar_stack(c, y++, r.x + 1, r.w - 2, part, STAGES);
		for (size_t i = 0; i < STAGES; i++)
			stage_line(v, c, y++, r, i);
		if (fabs(stretched_ms(v) - all) > all / 100) {
			text_ms(ms, sizeof ms, stretched_ms(v));
			y = card_sides(c, r, y, "XProf, scaled", ms);
		}
	}
	return per_step(v, c, r, y + 1);
}

/* --- what to do --- */

int input_view_advice_card(const struct input_view *v, struct canvas *c, struct rect r, int y)
{
	static const unsigned column[] = { ADVICE_title, ADVICE_evidence, ADVICE_advice };
	static const enum role role[] = { ROLE_BOLD, ROLE_TEXT, ROLE_TEXT };
	const struct table *t = &v->in->recommendations, *w = &v->in->warnings;

	if (t->nrows)
		card_head(c, y++, r, "WHAT TO DO", "");
	for (size_t i = 0; i < t->nrows; i++) {
		char number[24];

		snprintf(number, sizeof number, "%zu", i + 1);
		if (y < r.y + r.h)
			canvas_str(c, y, r.x + 1, 2, ROLE_DIM, 0, number);
		for (int k = 0; k < 3; k++) {
			struct slice text = table_str(t, i, column[k]);

			y = card_text(c, r, y, 2, role[k], text.s, text.n);
		}
	}
	for (size_t i = 0; i < w->nrows; i++) {
		struct slice text = table_str(w, i, 0);

		if (y < r.y + r.h)
			canvas_put(c, y, r.x + 1, '!', ROLE_WARN, ATTR_BOLD);
		y = card_text(c, r, y, 2, ROLE_TEXT, text.s, text.n);
	}
	return y;
}

/* Draws a rule, then the step at the left and the host's work at the right. */
void input_view_card_below(const struct input_view *v, struct canvas *c, struct rect r)
{
	struct rect left = { r.y + 1, r.x, r.h - 1, r.w / 2 },
		    right = { r.y + 1, r.x + r.w / 2, r.h - 1, r.w - r.w / 2 };
	char title[400] = "INPUT", core[300], ms[24];
	size_t n;
	const struct overview_part *part = parts_of(v, &n);

	if (v->nsteps && v->tpu && *worst_core(v, core, sizeof core))
		snprintf(title, sizeof title, "STEP %s  worst core %s", v->step[v->here].number, core);
	else if (v->nsteps)
		snprintf(title, sizeof title, "STEP %s", v->step[v->here].number);
	text_ms(ms, sizeof ms, v->nsteps ? v->step[v->here].ms : NAN);
	card_rule(c, r, r.y, title, v->nsteps ? ms : "");
	for (size_t i = 0; v->nsteps && i < n; i++)
		part_line(v, c, left.y + (int)i, left, &part[i]);
	for (int i = 0; i < STAGES && i < right.h; i++)
		stage_line(v, c, right.y + i, right, (size_t)i);
}

/* --- threads --- */

/* Draws the pieces in `cols` cells; a cell shows the mean of its pieces, or a piece takes several. */
static void draw_strip(struct canvas *c, int y, int x, int cols, const double piece[INPUT_PIECES])
{
	for (int k = 0; k < cols; k++) {
		int from = k * INPUT_PIECES / cols, to = (k + 1) * INPUT_PIECES / cols, eighths;
		double sum = 0;

		for (int i = from; i < to; i++)
			sum += piece[i];
		sum = to > from ? sum / (to - from) : piece[from];
		eighths = (int)(sum * 8 + .5);
		if (eighths < 1)
			canvas_glyph(c, y, x + k, GLYPH_BULLET, ROLE_DIM, 0);
		else
			canvas_put(c, y, x + k, c->glyphs->height[eighths < 8 ? eighths : 8], ROLE_BLOCK_HOST,
			    0);
	}
}

void input_view_threads_draw(const struct input_view *v, const struct app *app, struct canvas *c,
    struct rect r)
{
	const struct dump *d = app->cap->dump;
	int name = r.w < 60 ? r.w / 3 : THREAD_NAME, cols = r.w - name - 10;

	cols = cols > INPUT_PIECES ? cols / INPUT_PIECES * INPUT_PIECES : cols;
	card_head(c, r.y, r, "HOST THREADS", "busy share over the steps");
	canvas_right(c, r.y, r.x + r.w - 1, ROLE_DIM, 0, "busy");
	for (int i = 0; i + 1 < r.h && (size_t)i < v->in->nthreads; i++) {
		const struct input_thread *t = &v->in->threads[i];
		strid id = d->trace.tracks[t->track].name;
		char text[16];

		canvas_cut(c, r.y + 1 + i, r.x + 1, name, ROLE_TEXT, 0, strtab_str(&d->str, id),
		    strtab_len(&d->str, id));
		if (cols > 0)
			draw_strip(c, r.y + 1 + i, r.x + 2 + name, cols, t->piece);
		text_percent(text, sizeof text, t->busy);
		canvas_right(c, r.y + 1 + i, r.x + r.w - 1, ROLE_TEXT, 0, text);
	}
}
