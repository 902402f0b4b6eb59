#include "config.h"
#include "view/overview/overview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/framework/ops.h"
#include "base/text/regex.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "core/jump.h"
#include "core/results.h"
#include "view/frames.h"
#include "widget/text.h"

enum { WARNING_COLS = 64 };

/* --- what is shown --- */

static void keep_step(struct overview_view *v)
{
	if (v->o && v->here < v->account->nsteps)
		snprintf(v->wanted, sizeof v->wanted, "%s", v->account->step_of[v->here].number);
}

/* Moves the cursor to a part that has lines. */
static void fix_cursor(struct overview_view *v)
{
	for (int k = 0; k < OV_PARTS; k++)
		if (v->list[k].at >= v->list[k].n)
			v->list[k].at = v->list[k].n ? v->list[k].n - 1 : 0;
	if (!v->list[v->at].n)
		v->at = v->account->nsteps ? OV_STEPS : v->list[OV_OPS].n ? OV_OPS : OV_GAUGES;
}

static void overview_take(struct view *view)
{
	overview_view_model(view->state, view->app, result_get(view->app, RESULT_OVERVIEW),
	    result_get(view->app, RESULT_ACCOUNT));
}

static void overview_drop(struct view *view)
{
	overview_view_model_free(view->state);
}

/* Findings are used when they are ready; the view does not wait for them. */
static bool is_ready(struct view *view)
{
	struct overview_view *v = view->state;

	v->findings = result_findings(view->app);
	v->parts = v->o->cores.ncores && v->account->nsteps > 1 ? result_get(view->app, RESULT_STEPS) : NULL;
	v->dump = view->cap->base;
	v->list[OV_FINDINGS].n = v->findings ? v->findings->n : 0;
	fix_cursor(v);
	return true;
}

static int overview_open(struct view *view)
{
	struct overview_view *v = view->state;

	v->at = OV_STEPS;
	v->account = &account_none;
	return 0;
}

static void overview_close(struct view *view)
{
	struct overview_view *v = view->state;

	frame_close(view);
	step_cols_free(&v->cols);
}

static void overview_status(const struct view *view, char *left, char *right, size_t size)
{
	const struct overview_view *v = view->state;
	const struct steps *steps = &view->cap->steps;
	char text[160], ms[24];
	struct slice warning;

	if (!frame_ready(view))
		return;
	if (v->at != OV_STEPS) {
		overview_view_line(v, v->at, v->list[v->at].at, text, sizeof text);
		snprintf(left, size, "%zu of %zu   %s", v->list[v->at].at + 1, v->list[v->at].n, text);
	} else {
		const struct account_step *s = &v->account->step_of[v->here];
		bool slowest = true, fastest = true;

		for (size_t i = 0; i < v->account->nsteps; i++) {
			slowest &= v->account->step_of[i].step <= s->step;
			fastest &= v->account->step_of[i].step >= s->step;
		}
		text_ms(ms, sizeof ms, s->step);
		snprintf(left, size, "step %s, %zu of %zu   %s%s", s->number, v->here + 1, v->account->nsteps,
		    ms,
		    v->account->nsteps < 2 ? ""
			: slowest          ? ", the slowest"
			: fastest          ? ", the fastest"
					   : "");
	}
	warning = cell_text(table_at(&v->o->warnings, 0, 0));
	if (warning.n)
		snprintf(right, size, "! %.*s%s", (int)utf8_fit(warning.s, warning.n, WARNING_COLS),
		    warning.s, warning.n > WARNING_COLS ? "…" : "");
	else if (v->o->file)
		result_of_file(view->app, FILE_OVERVIEW, right, size);
	else if (steps->source == STEPS_MODULES)
		snprintf(right, size, "no step markers: runs of %s", steps->module);
	else if (v->o->cores.ncores > 1)
		snprintf(right, size, "%zu step%s on all %zu cores", v->account->nsteps,
		    v->account->nsteps == 1 ? "" : "s", v->o->cores.ncores);
}

static void title_right(const struct view *view, char *buf, size_t size)
{
	if (view->cap->scope.op_core >= 0)
		snprintf(buf, size, "core %d   ", view->cap->scope.op_core);
	else
		result_of_file(view->app, FILE_OVERVIEW, buf, size);
}

/* --- the cursor --- */

static void move_line(struct overview_view *v, int by)
{
	for (; by; by += by > 0 ? -1 : 1) {
		struct list *l = &v->list[v->at];
		int to = (int)v->at;

		if (by > 0 ? l->at + 1 < l->n : l->at > 0) {
			l->at += by > 0 ? 1 : (size_t)-1;
			continue;
		}
		do
			to += by > 0 ? 1 : -1;
		while (to >= 0 && to < OV_PARTS && !v->list[to].n);
		if (to < 0 || to >= OV_PARTS)
			return;
		v->at = (enum ov_part)to;
		v->list[to].at = by > 0 ? 0 : v->list[to].n - 1;
	}
}

/* Moves to the first line of the next or the previous part. */
static void move_part(struct overview_view *v, int by)
{
	int to = (int)v->at;

	do
		to += by;
	while (to >= 0 && to < OV_PARTS && !v->list[to].n);
	if (to < 0 || to >= OV_PARTS)
		return;
	v->at = (enum ov_part)to;
	v->list[to].at = 0;
}

static void move_end(struct overview_view *v, bool last)
{
	int to = last ? OV_PARTS - 1 : 0;

	while (!v->list[to].n)
		to += last ? -1 : 1;
	v->at = (enum ov_part)to;
	v->list[to].at = last ? v->list[to].n - 1 : 0;
}

static void move_step(struct overview_view *v, int by)
{
	size_t left = v->here, right = v->account->nsteps ? v->account->nsteps - 1 - v->here : 0,
	       n = (size_t)(by < 0 ? -by : by);

	v->here = by < 0 ? v->here - (n < left ? n : left) : v->here + (n < right ? n : right);
	keep_step(v);
}

/* --- links --- */

static struct ref step_ref(const struct overview_view *v, int host, int core)
{
	struct ref r = REF_EMPTY;

	if (!v->account->nsteps)
		return r;
	r.kind = REF_STEP;
	r.host = host;
	r.core = core;
	snprintf(r.text, sizeof r.text, "%s", v->account->step_of[v->here].number);
	return r;
}

/* Returns the most expensive HLO op of that framework op. */
static struct ref op_ref(const struct view *view, size_t row)
{
	const struct overview_view *v = view->state;
	const struct opdb *db = result_get(view->app, RESULT_OPS);
	struct ref r = REF_EMPTY;
	struct slice want = v->o->top[row].name;

	for (size_t i = 0; db && i < db->n; i++) {
		const struct op *op = &db->v[i];
		struct slice own = op_short_name(view->cap->dump, op), name = own, type;

		if (op->provenance.n)
			framework_parse(op->provenance, &name, &type);
		if (!slice_same(name, want) && !slice_same(own, want))
			continue;
		r.kind = REF_OP;
		r.name = op->name;
		r.program = op->program;
		break;
	}
	return r;
}

static struct ref overview_here(const struct view *view)
{
	const struct overview_view *v = view->state;

	if (!frame_ready(view))
		return REF_EMPTY;
	if (v->at == OV_OPS)
		return op_ref(view, v->list[OV_OPS].at);
	if (v->at == OV_CORES) {
		const struct ov_core *c = &v->core[v->list[OV_CORES].at];
		struct ref r = step_ref(v, c->host, c->core);

		if (r.kind == REF_NONE) {
			r.kind = REF_CORE;
			r.host = c->host;
			r.core = c->core;
		}
		return r;
	}
	return step_ref(v, -1, -1);
}

static bool go_to_core(struct overview_view *v, int host, int core)
{
	for (size_t i = 0; i < v->ncores; i++)
		if (v->core[i].host == host && (v->core[i].core == core || v->hosts)) {
			v->at = OV_CORES;
			v->list[OV_CORES].at = i;
			return true;
		}
	return false;
}

static int overview_show(struct view *view, const struct ref *r)
{
	struct overview_view *v = view->state;
	bool there = frame_ready(view);
	size_t step;

	if (r->kind == REF_CORE)
		return there && go_to_core(v, r->host, r->core) ? 0 : -1;
	if (r->kind != REF_STEP || !*r->text)
		return -1;
	snprintf(v->wanted, sizeof v->wanted, "%s", r->text);
	if (!there)
		return 0; /* found when the result is ready */
	if ((step = overview_step_named(v->o, &v->o->steps, r->text)) >= v->account->nsteps)
		return -1;
	v->here = step;
	v->at = OV_STEPS;
	if (r->core >= 0)
		go_to_core(v, r->host, r->core);
	return 0;
}

/* Opens the view that shows what the cursor is on in more detail. */
static void drill_down(struct view *view)
{
	const struct overview_view *v = view->state;
	struct ref ref = overview_here(view);
	const char *to = app_view(view->app, "timeline") ? "timeline" : "input";

	if (v->at == OV_GAUGES)
		to = v->gauge[v->list[OV_GAUGES].at].view;
	else if (v->at == OV_OPS)
		to = "ops";
	if (v->at == OV_FINDINGS) {
		jump_open(view->app, v->list[OV_FINDINGS].at);
		return;
	}
	if (v->at == OV_ENVIRONMENT) {
		app_say(view->app, "%s: %s", v->fact[v->list[OV_ENVIRONMENT].at].label,
		    v->fact[v->list[OV_ENVIRONMENT].at].value);
		return;
	}
	if (app_go(view->app, to,
		ref.kind == REF_NONE || (v->at == OV_GAUGES && strcmp(to, "timeline") && strcmp(to, "input"))
		    ? NULL
		    : &ref))
		app_say(view->app, "no other view shows this");
}

static void next_formula(struct view *view)
{
	struct overview_view *v = view->state;
	struct list *l = &v->list[OV_GAUGES];

	if (v->at == OV_GAUGES)
		l->at = (l->at + 1) % OV_GAUGE_COUNT;
	v->at = OV_GAUGES;
	app_say(view->app, "%s = %s", v->gauge[l->at].title,
	    fact_meaning(overview_number_id[v->gauge[l->at].number]));
}

static unsigned overview_act(struct view *view, enum action a, int count)
{
	struct overview_view *v = view->state;
	int n = count > 0 ? count : 1;

	switch (a) {
	case ACT_UP:
		move_line(v, -n);
		break;
	case ACT_DOWN:
		move_line(v, n);
		break;
	case ACT_LEFT:
	case ACT_STEP_LEFT:
		move_step(v, -n);
		break;
	case ACT_RIGHT:
	case ACT_STEP_RIGHT:
		move_step(v, n);
		break;
	case ACT_PAGE_UP:
		move_part(v, -1);
		break;
	case ACT_PAGE_DOWN:
		move_part(v, 1);
		break;
	case ACT_TOP:
	case ACT_BOTTOM:
		move_end(v, a == ACT_BOTTOM);
		break;
	case ACT_OPEN:
	case ACT_DRILL:
		drill_down(view);
		break;
	case ACT_FORMULA:
		next_formula(view);
		break;
	case ACT_SLOWEST_STEP:
		v->here = account_slowest(v->account);
		keep_step(v);
		break;
	default:
		return ACT_PASS;
	}
	return REACT_REDRAW;
}

static unsigned overview_press(struct view *view, const struct mouse *m)
{
	struct overview_view *v = view->state;
	struct rect r = v->chart;
	int line;

	if (m->y >= r.y && m->y < r.y + r.h + 2 && m->x < r.x + r.w) {
		size_t step = step_cols_at(&v->cols, r, m->x);

		if (step == SIZE_MAX)
			return REACT_NONE;
		if (step == v->here && v->at == OV_STEPS)
			return overview_act(view, ACT_OPEN, 1);
		v->here = step;
		v->at = OV_STEPS;
		keep_step(v);
		return REACT_REDRAW;
	}
	for (int k = OV_OPS; k < OV_PARTS; k++) {
		bool beside = v->frame.at.how == FRAME_BESIDE, right = k == OV_CORES || k == OV_ENVIRONMENT;

		if ((beside ? right != (m->x >= v->frame.at.card.x)
			    : k != (int)(v->at < OV_OPS ? OV_OPS : v->at)) ||
		    (line = list_line_at(&v->list[k], m->y)) < 0)
			continue;
		if (v->at == (enum ov_part)k && v->list[k].at == (size_t)line)
			return overview_act(view, ACT_OPEN, 1);
		v->at = (enum ov_part)k;
		v->list[k].at = (size_t)line;
		return REACT_REDRAW;
	}
	return REACT_NONE;
}

/* --- searching --- */

struct lines {
	const struct overview_view *of;
	const struct regex *re;
	struct regex_scratch *scratch;
};

/* Lines of a part that can be searched: all but steps. */
static size_t lines_of(const struct overview_view *v, int part)
{
	return part == OV_STEPS ? 0 : v->list[part].n;
}

static bool line_matches(const void *ctx, size_t line)
{
	const struct lines *l = ctx;
	char text[256];
	int part = 0;

	for (; line >= lines_of(l->of, part); part++)
		line -= lines_of(l->of, part);
	overview_view_line(l->of, (enum ov_part)part, line, text, sizeof text);
	return regex_match(l->re, l->scratch, text, strlen(text), NULL, NULL);
}

static int overview_find(struct view *view, const struct regex *re, int dir, struct list_hits *hits)
{
	struct overview_view *v = view->state;
	struct lines l = { v, re, regex_scratch_new(re) };
	size_t n = 0, at = v->at == OV_STEPS ? 0 : v->list[v->at].at, to;

	for (int part = 0; part < OV_PARTS; part++) {
		at += part < (int)v->at ? lines_of(v, part) : 0;
		n += lines_of(v, part);
	}
	dir = dir ? dir : 1; /* start after the cursor */
	to = list_find(hits, n, at, v->at == OV_STEPS && dir > 0 ? 0 : dir, line_matches, &l);
	regex_scratch_free(l.scratch);
	if (to == SIZE_MAX)
		return 0;
	for (v->at = OV_GAUGES; to >= lines_of(v, v->at); v->at++)
		to -= lines_of(v, v->at);
	v->list[v->at].at = to;
	return (int)hits->n;
}

/* --- text, files --- */

static char *overview_name(const struct view *view)
{
	const struct overview_view *v = view->state;
	size_t i = frame_ready(view) ? v->list[v->at].at : 0;

	if (!frame_ready(view))
		return NULL;
	switch (v->at) {
	case OV_GAUGES:
		return xstrdup(v->gauge[i].title);
	case OV_STEPS:
		return xasprintf("step %s", v->account->step_of[v->here].number);
	case OV_OPS:
		return NULL;
	case OV_FINDINGS:
		return xstrdup(v->findings->v[i].title);
	case OV_CORES:
		return xstrdup(v->core[i].name);
	default:
		return xstrdup(v->fact[i].value);
	}
}

static int overview_copy(struct view *view, FILE *out)
{
	const struct overview_view *v = view->state;
	char text[512];

	if (!frame_ready(view))
		return -1;
	overview_view_line(v, v->at, v->list[v->at].at, text, sizeof text);
	fprintf(out, "%s\n", text);
	for (size_t k = 0; v->at == OV_STEPS && k < v->account->nkinds; k++) {
		text_ms(text, sizeof text, v->account->step_of[v->here].ms[v->account->kind[k]]);
		fprintf(out, "%-16s %s\n", v->layer[k].label, text);
	}
	return 0;
}

static const char *overview_table(const struct view *view)
{
	static const char *const names[OV_PARTS] = { "steps", "steps", "top_ops", "steps", "hosts",
		"environment" };

	const struct overview_view *v = view->state;
	const char *name = names[v->at];

	return v->o && v->o->own_ids && !strcmp(name, "steps") ? "program_runs" : name;
}

static void overview_save(const struct view *view, struct kv *kv)
{
	const struct overview_view *v = view->state;

	if (*v->wanted)
		kv_put(kv, "step", v->wanted);
	kv_put_int(kv, "part", v->at);
}

static void overview_restore(struct view *view, const struct kv *kv)
{
	struct overview_view *v = view->state;
	const char *step = kv_get(kv, "step");
	int64_t part;

	if (step)
		snprintf(v->wanted, sizeof v->wanted, "%s", step);
	if (kv_get_int(kv, "part", &part) && part >= 0 && part < OV_PARTS)
		v->at = (enum ov_part)part;
}

static bool overview_any(const struct dump *d)
{
	return toolfile_alone(d, FILE_OVERVIEW, NULL, NULL);
}

static bool has_card(struct view *view)
{
	(void)view;
	return false; /* the environment fills the whole view */
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_OVERVIEW],
	.results = 1u << RESULT_OVERVIEW | 1u << RESULT_ACCOUNT,
	.of_core = true,
	.take = overview_take,
	.drop = overview_drop,
	.ready = is_ready,
	.find = overview_find,
	.main = overview_view_draw,
	.card = overview_view_card,
	.has_card = has_card,
	.act = overview_act,
	.press = overview_press };

const struct view_ops view_overview = {
	.id = "overview",
	.title = "Overview",
	.short_title = "Over",
	.letter = 'v',
	.scope = SCOPE_OVERVIEW,
	.needs = NEED_TRACE,
	.any = overview_any,
	.frame = &frame_ops,
	.size = sizeof(struct overview_view),
	.open = overview_open,
	.draw = frame_draw,
	.act = frame_act,
	.find = frame_find,
	.find_status = frame_find_status,
	.here = overview_here,
	.show = overview_show,
	.status = overview_status,
	.title_right = title_right,
	.close = overview_close,
	.mouse = frame_mouse,
	.save = overview_save,
	.restore = overview_restore,
	.name = overview_name,
	.copy = overview_copy,
	.report = "overview",
	.table = overview_table,
};
