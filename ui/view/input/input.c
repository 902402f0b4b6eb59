#include "config.h"
#include "view/input/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "core/app.h"
#include "core/results.h"
#include "model/toolfile.h"
#include "view/frames.h"

/* --- what is shown --- */

static void input_drop(struct view *view)
{
	struct input_view *v = view->state;

	sheet_set(&v->sheet, NULL);
	free(v->step);
	v->step = NULL;
	v->nsteps = 0;
	v->in = NULL;
}

static size_t worst_step(const struct input_view *v)
{
	size_t worst = 0;

	for (size_t i = 1; i < v->nsteps; i++)
		if (!(v->step[i].wait <= v->step[worst].wait) && !isnan(v->step[i].wait))
			worst = i;
	return worst;
}

/* Sets the wait to that of one core; of several cores with the same number (on several hosts) the mean and
 * the range. */
static void waits_of_core(const struct step_cores *c, size_t at, int core, struct in_step *s)
{
	double n = 0, ms = 0, share = 0;

	s->least = s->most = NAN;
	for (size_t k = 0; k < c->ncores; k++) {
		const struct step_core *x = step_core_at(c, k, at);
		double one = x->total > 0 ? (double)x->ps[METRIC_INFEED] / (double)x->total : 0;

		if (c->core[k].core != core || x->total < 0)
			continue;
		s->least = fmin(s->least, one);
		s->most = fmax(s->most, one);
		ms += (double)x->ps[METRIC_INFEED] / 1e9;
		share += one;
		n++;
	}
	s->wait_ms = n > 0 ? ms / n : NAN;
	s->wait = n > 0 ? share / n : NAN;
}

static void input_take(struct view *view)
{
	struct input_view *v = view->state;
	const struct overview *o = result_get(view->app, RESULT_OVERVIEW);
	const struct account *a = result_get(view->app, RESULT_ACCOUNT);
	const struct input_pipeline *in = result_get(view->app, RESULT_INPUT);
	const struct table *t = in->file ? &in->device : &o->steps;
	int core = view->cap->scope.op_core;
	size_t here;

	v->in = in;
	v->overview = o;
	v->steps = t;
	v->tpu = t->schema == &overview_tpu_schema;
	v->one = core;
	v->hidden = !isnan(overview_hidden_input(o));
	overview_hidden_text(o, v->why, sizeof v->why);
	v->nsteps = t->nrows;
	v->step = xcalloc(t->nrows + 1, sizeof *v->step);
	for (size_t i = 0; i < t->nrows; i++) {
		struct in_step *s = &v->step[i];
		const char *label = overview_step_label(o, t, i, s->number);

		if (label != s->number)
			snprintf(s->number, sizeof s->number, "%s", label);
		s->ms = table_num(t, i, v->tpu ? TPU_stepTimeMs : GENERIC_stepTimeMs);
		s->idle_ms = o->tpu && !o->file && i < a->nsteps ? a->step_of[i].ms[KIND_IDLE] : NAN;
		s->wait_ms = table_num(t, i, v->tpu ? TPU_tcInfeedTimeMs : GENERIC_infeedTimeMs);
		s->wait = v->tpu ? table_num(t, i, TPU_infeedPercentAverage) / 100
		    : s->ms > 0  ? s->wait_ms / s->ms
				 : NAN;
		s->least = v->tpu ? table_num(t, i, TPU_infeedPercentMin) / 100 : NAN;
		s->most = v->tpu ? table_num(t, i, TPU_infeedPercentMax) / 100 : NAN;
		if (v->hidden)
			s->wait = s->wait_ms = s->least = s->most = NAN;
		else if (o->tpu && core >= 0 && i < o->nsteps)
			waits_of_core(&o->cores, o->step[i].step, core, s);
	}
	if ((here = overview_step_named(o, t, v->wanted)) < v->nsteps)
		v->here = here;
	if (!*v->wanted || v->here >= v->nsteps)
		v->here = worst_step(v);
	sheet_set(&v->sheet, &in->host_ops);
}

static int input_open(struct view *view)
{
	struct input_view *v = view->state;

	sheet_open(&v->sheet, &input_host_ops_schema, NULL, "selfTimeInMs");
	sheet_name(&v->sheet, "opName", NULL);
	return 0;
}

static void input_close(struct view *view)
{
	struct input_view *v = view->state;

	frame_close(view);
	sheet_free(&v->sheet);
	step_cols_free(&v->cols);
}

/* "& map   Σ self 12.3 ms, 34.0 %": what the input ops that a filter leaves take. */
static void sum_text(const struct input_view *v, bool ascii, char *buf, size_t size)
{
	const struct table *t = v->sheet.table;
	double left = 0, all = 0;
	char time[40], share[16];

	for (size_t i = 0; i < v->sheet.list.n; i++)
		left += fmax(table_num(t, v->sheet.order[i], INPUT_OP_selfTimeInMs), 0);
	for (size_t i = 0; i < t->nrows; i++)
		all += fmax(table_num(t, i, INPUT_OP_selfTimeInMs), 0);
	snprintf(buf, size, "&%.40s   %s self %s, %s %%", regex_shown(v->sheet.filter), ascii ? "sum" : "Σ",
	    units_time(time, sizeof time, from_double(round(left * 1e9)), ascii),
	    units_percent(share, sizeof share, safe_div(left, all)));
}

/* Shows XProf's verdict next to ours: its percentage counts all-reduce twice. */
static void input_status(const struct view *view, char *left, char *right, size_t size)
{
	const struct input_view *v = view->state;
	double xprof;
	const char *mark;
	enum role role;
	size_t n = 0;

	if (!frame_ready(view))
		return;
	if (v->nsteps)
		n = (size_t)snprintf(left, size, "step %s, %zu of %zu   ", v->step[v->here].number,
		    v->here + 1, v->nsteps);
	if (n < size && v->sheet.list.n)
		snprintf(left + n, size - n, "input op %zu of %zu", v->sheet.list.at + 1, v->sheet.list.n);
	xprof = facts_number(&v->in->summary, "input_conclusion_percent");
	if (v->sheet.filter)
		sum_text(v, view->app->glyphs->ascii, right, size);
	else if (!strcmp(facts_text(&v->in->summary, "step_source"), steps_source_name(STEPS_MODULES)))
		snprintf(right, size, "steps from program runs");
	else if (!isnan(xprof) && !v->hidden)
		snprintf(right, size, "XProf: %s, %.1f %% by its formula",
		    input_view_verdict(v, true, &mark, &role), xprof);
}

static void title_right(const struct view *view, char *buf, size_t size)
{
	if (view->cap->scope.op_core >= 0)
		snprintf(buf, size, "core %d   ", view->cap->scope.op_core);
	else if (!*result_of_file(view->app, FILE_INPUT_PIPELINE, buf, size))
		result_of_file(view->app, FILE_OVERVIEW, buf, size);
}

/* --- acting --- */

static void move_step(struct input_view *v, int by)
{
	size_t left = v->here, right = v->nsteps ? v->nsteps - 1 - v->here : 0,
	       n = (size_t)(by < 0 ? -by : by);

	v->here = by < 0 ? v->here - (n < left ? n : left) : v->here + (n < right ? n : right);
	if (v->nsteps)
		snprintf(v->wanted, sizeof v->wanted, "%s", v->step[v->here].number);
}

static unsigned input_act(struct view *view, enum action a, int count)
{
	struct input_view *v = view->state;
	int n = count > 0 ? count : 1;

	switch (a) {
	case ACT_WAIT_LEFT:
		move_step(v, -n);
		break;
	case ACT_WAIT_RIGHT:
		move_step(v, n);
		break;
	case ACT_WORST_STEP:
		v->here = worst_step(v);
		move_step(v, 0);
		break;
	case ACT_INPUT_CHART:
		v->want = (v->want + 1) % INPUT_CHARTS;
		break;
	case ACT_INPUT_CARD:
		frame_toggle_card(view);
		break;
	default:
		return ACT_PASS;
	}
	return REACT_REDRAW;
}

static unsigned input_press(struct view *view, const struct mouse *m)
{
	struct input_view *v = view->state;
	struct rect r = v->chart;
	size_t step;

	if (m->y < r.y || m->y >= r.y + r.h || m->x >= r.x + r.w)
		return ACT_PASS;
	if ((step = step_cols_at(&v->cols, r, m->x)) == SIZE_MAX)
		return REACT_NONE;
	v->here = step;
	move_step(v, 0);
	return REACT_REDRAW;
}

static struct sheet *input_sheet(struct view *view)
{
	return &((struct input_view *)view->state)->sheet;
}

/* --- links --- */

static struct ref input_here(const struct view *view)
{
	const struct input_view *v = view->state;
	struct ref r = REF_EMPTY;

	if (!frame_ready(view) || !v->nsteps)
		return r;
	r.kind = REF_STEP;
	snprintf(r.text, sizeof r.text, "%s", v->step[v->here].number);
	return r;
}

static bool go_to_op(struct input_view *v, const char *name, size_t n)
{
	for (size_t i = 0; i < v->in->host_ops.nrows; i++) {
		struct slice own = table_str(&v->in->host_ops, i, INPUT_OP_opName);

		if (own.n == n && !memcmp(own.s, name, n))
			return sheet_go(&v->sheet, i);
	}
	return false;
}

static int input_show(struct view *view, const struct ref *r)
{
	const struct strtab *str = &view->cap->dump->str;
	struct input_view *v = view->state;
	bool there = frame_ready(view);
	size_t step;

	if (r->kind == REF_NAME || r->kind == REF_OP)
		return there && go_to_op(v, strtab_str(str, r->name), strtab_len(str, r->name)) ? 0 : -1;
	if (r->kind == REF_CORE)
		return 0;
	if (r->kind != REF_STEP || !*r->text)
		return -1;
	frame_close_card(view);
	snprintf(v->wanted, sizeof v->wanted, "%s", r->text);
	if (!there)
		return 0;
	step = overview_step_named(result_get(view->app, RESULT_OVERVIEW), v->steps, r->text);
	if (step >= v->nsteps)
		return -1;
	v->here = step;
	return 0;
}

/* --- text, files --- */

static int input_copy(struct view *view, FILE *out)
{
	const struct input_view *v = view->state;
	const char *mark;
	enum role role;

	if (!frame_ready(view))
		return -1;
	fprintf(out, "%s", input_view_verdict(v, false, &mark, &role));
	if (v->hidden)
		fprintf(out, ": %s", v->why);
	else if (!isnan(input_share(v->in)))
		fprintf(out, ", %.1f %% of the step", input_share(v->in));
	fputc('\n', out);
	if (v->nsteps && !isnan(v->step[v->here].wait_ms + v->step[v->here].ms))
		fprintf(out, "step %s: waits %.*f of %.*f ms\n", v->step[v->here].number,
		    units_decimals(v->step[v->here].wait_ms), v->step[v->here].wait_ms,
		    units_decimals(v->step[v->here].ms), v->step[v->here].ms);
	sheet_copy(&v->sheet, out);
	return 0;
}

static const char *input_table(const struct view *view)
{
	(void)view;
	return "device";
}

static void input_save(const struct view *view, struct kv *kv)
{
	const struct input_view *v = view->state;

	sheet_save(&v->sheet, kv);
	if (*v->wanted)
		kv_put(kv, "step", v->wanted);
}

static void input_restore(struct view *view, const struct kv *kv)
{
	struct input_view *v = view->state;
	const char *step = kv_get(kv, "step");

	sheet_restore(&v->sheet, kv);
	if (step)
		snprintf(v->wanted, sizeof v->wanted, "%s", step);
}

static bool input_any(const struct dump *d)
{
	return input_toolfile(d, NULL);
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_INPUT],
	.results = 1u << RESULT_INPUT | 1u << RESULT_OVERVIEW | 1u << RESULT_ACCOUNT,
	.of_core = true,
	.take = input_take,
	.drop = input_drop,
	.sheet = input_sheet,
	.main = input_view_draw,
	.card = input_view_card,
	.act = input_act,
	.press = input_press };

const struct view_ops view_input = {
	.id = "input",
	.title = "Input",
	.short_title = "Input",
	.letter = 'n',
	.scope = SCOPE_INPUT,
	.needs = NEED_TRACE,
	.any = input_any,
	.frame = &frame_ops,
	.size = sizeof(struct input_view),
	.open = input_open,
	FRAME_SLOTS,
	.here = input_here,
	.show = input_show,
	.status = input_status,
	.title_right = title_right,
	.close = input_close,
	.save = input_save,
	.restore = input_restore,
	.copy = input_copy,
	.report = "input_pipeline",
	.table = input_table,
};
