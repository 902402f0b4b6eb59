#include "config.h"
#include "view/findings/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/memory/rank.h"
#include "base/mem.h"
#include "core/jump.h"
#include "core/results.h"
#include "report/parts.h"
#include "widget/card.h"

/* --- the result --- */

const struct finding *findings_here(const struct findings_view *f)
{
	return f->set && f->list.at < f->list.n ? &f->set->v[f->order[f->list.at]] : NULL;
}

static char *key_of(const struct finding *f)
{
	char *where = proof_where(&f->proof), *key = xasprintf("%s %s", f->id, where);

	free(where);
	return key;
}

static void keep_key(struct findings_view *f)
{
	const struct finding *one = findings_here(f);

	if (!one)
		return;
	free(f->key);
	f->key = key_of(one);
}

static void go_to_key(struct findings_view *f)
{
	for (size_t i = 0; f->key && i < f->list.n; i++) {
		char *one = key_of(&f->set->v[f->order[i]]);
		bool same = !strcmp(one, f->key);

		free(one);
		if (same) {
			f->list.at = i;
			return;
		}
	}
}

bool findings_match(const struct finding *f, const struct regex *re, struct regex_scratch *scratch)
{
	char *where = proof_where(&f->proof);
	const char *const text[] = { f->title, f->evidence, f->advice, f->detail, where, f->id };
	bool is = false;

	for (size_t i = 0; i < sizeof text / sizeof *text && !is; i++)
		is = regex_match(re, scratch, text[i], strlen(text[i]), NULL, NULL);
	free(where);
	return is;
}

/* Those that pass the filter; the set is sorted by severity, then cost. */
static void arrange(struct findings_view *f)
{
	struct regex_scratch *scratch = f->filter ? regex_scratch_new(f->filter) : NULL;

	f->list.n = 0;
	f->order = xrealloc(f->order, f->set->n + 1, sizeof *f->order);
	for (size_t i = 0; i < f->set->n; i++) {
		size_t at = f->list.n;

		if (f->filter && !findings_match(&f->set->v[i], f->filter, scratch))
			continue;
		for (; f->by_cost && at > 0 &&
		     findings_share(&f->set->v[f->order[at - 1]]) < findings_share(&f->set->v[i]);
		     at--)
			f->order[at] = f->order[at - 1];
		f->order[at] = i;
		f->list.n++;
	}
	regex_scratch_free(scratch);
	f->list.at = f->list.top = 0;
	go_to_key(f);
}

static void sync_model(struct findings_view *f, struct app *app)
{
	const struct overview *overview = result_get(app, RESULT_OVERVIEW);
	unsigned long made = result_serial(app, RESULT_OVERVIEW);

	if (made == f->made_overview)
		return;
	f->made_overview = made;
	overview_model_free(&f->model);
	if (overview)
		overview_model(&f->model, app, overview);
}

bool findings_sync(struct view *v)
{
	struct findings_view *f = v->state;
	const struct findings *set = result_get(v->app, RESULT_FINDINGS);
	unsigned long made = result_serial(v->app, RESULT_FINDINGS);

	sync_model(f, v->app);
	if (made != f->made) {
		f->made = made;
		f->set = set;
		f->list.n = 0;
		if (set)
			arrange(f);
	}
	return set != NULL;
}

/* --- life --- */

static int open_view(struct view *v)
{
	(void)v;
	return 0;
}

static void close_view(struct view *v)
{
	struct findings_view *f = v->state;

	overview_model_free(&f->model);
	free(f->order);
	free(f->key);
	regex_free(f->filter);
}

static void save(const struct view *v, struct kv *kv)
{
	const struct findings_view *f = v->state;

	if (f->key)
		kv_put(kv, "finding", f->key);
	if (f->filter)
		kv_put(kv, "filter", regex_pattern(f->filter));
	if (f->by_cost)
		kv_put_int(kv, "by-cost", 1);
}

static int filter(struct view *v, const char *text, struct err *err)
{
	struct findings_view *f = v->state;
	struct regex *re = NULL;

	if (*text && !(re = regex_new(text, true, err)))
		return -1;
	regex_free(f->filter);
	f->filter = re;
	if (!findings_sync(v))
		return 0;
	arrange(f);
	return (int)f->list.n;
}

static void restore(struct view *v, const struct kv *kv)
{
	struct findings_view *f = v->state;
	const char *key = kv_get(kv, "finding"), *pattern = kv_get(kv, "filter");
	struct err err;
	int64_t n;

	if (key)
		f->key = xstrdup(key);
	f->by_cost = kv_get_int(kv, "by-cost", &n) && n;
	if (pattern)
		f->filter = regex_new(pattern, true, &err);
}

/* --- what the app asks --- */

/* Before a draw the findings may be gone. */
static bool is_there(const struct view *v)
{
	const struct findings_view *f = v->state;

	return f->set && f->made == result_serial(v->app, RESULT_FINDINGS);
}

static void status(const struct view *v, char *left, char *right, size_t size)
{
	const struct findings_view *f = v->state;
	size_t n[3] = { 0 };

	if (!is_there(v) || !f->set->n)
		return;
	snprintf(left, size, "%zu of %zu%s%.60s   %s", f->list.n ? f->list.at + 1 : 0, f->list.n,
	    f->filter ? "   & " : "", f->filter ? regex_pattern(f->filter) : "",
	    f->by_cost ? "by cost" : "by severity, then cost");
	for (size_t i = 0; i < f->set->n; i++)
		n[f->set->v[i].severity]++;
	snprintf(right, size, "!! %zu high  ! %zu medium  · %zu low", n[SEVERITY_HIGH], n[SEVERITY_MEDIUM],
	    n[SEVERITY_LOW]);
}

static void title_right(const struct view *v, char *buf, size_t size)
{
	if (!*result_of_file(v->app, FILE_OVERVIEW, buf, size))
		result_of_file(v->app, FILE_INPUT_PIPELINE, buf, size);
}

static struct ref here(const struct view *v)
{
	const struct findings_view *f = v->state;
	const struct finding *one = is_there(v) ? findings_here(f) : NULL;

	return one ? jump_ref(&one->proof) : (struct ref){ .kind = REF_NONE };
}

static int copy(struct view *v, FILE *out)
{
	const struct finding *f = findings_sync(v) ? findings_here(v->state) : NULL;

	if (!f)
		return -1;
	findings_text(f, out);
	return 0;
}

/* As `report findings`: those that the filter left. */
static void export(struct view *v, struct report *out)
{
	const struct findings_view *f = v->state;
	struct table t;

	if (!findings_sync(v)) {
		report_warning(out, "the findings were not there yet");
		return;
	}
	result_warnings(v->app, out, FILE_INPUT_PIPELINE);
	findings_table(f->set, f->order, f->list.n, &t);
	report_finding_rows(out, v->app->dump, f->set, f->model.o, &t, 0);
	table_free(&t);
}

/* dir 0: the one selected, if it is a hit. */
static int find(struct view *v, const struct regex *re, int dir)
{
	struct findings_view *f = v->state;
	struct regex_scratch *scratch;
	size_t to = SIZE_MAX, n;

	f->find = re;
	f->hits = f->hit = 0;
	if (!re || !findings_sync(v))
		return re ? -1 : 0;
	scratch = regex_scratch_new(re);
	n = f->list.n;
	for (size_t i = 0; i < n; i++) { /* as they follow each other from where the cursor is */
		size_t far = dir < 0 ? n - 1 - i : i, at = (f->list.at + far + (dir > 0)) % n;

		if (!findings_match(&f->set->v[f->order[at]], re, scratch))
			continue;
		f->hits++;
		to = to == SIZE_MAX ? at : to;
	}
	if (to != SIZE_MAX)
		f->list.at = to;
	for (size_t i = 0; n && i <= f->list.at; i++)
		f->hit += findings_match(&f->set->v[f->order[i]], re, scratch);
	regex_scratch_free(scratch);
	keep_key(f);
	return (int)f->hits;
}

static void find_status(const struct view *v, char *buf, size_t size)
{
	const struct findings_view *f = v->state;

	snprintf(buf, size, "hit %zu of %zu", f->hit, f->hits);
}

/* --- acting --- */

static unsigned go_to_proof(struct view *v)
{
	struct findings_view *f = v->state;

	if (findings_here(f))
		jump_open(v->app, f->order[f->list.at]);
	return REACT_REDRAW;
}

static unsigned act(struct view *v, enum action a, int count)
{
	struct findings_view *f = v->state;

	if (!findings_sync(v))
		return ACT_PASS;
	switch (a) {
	case ACT_PROOF:
		return go_to_proof(v);
	case ACT_BY_COST:
		f->by_cost = !f->by_cost;
		arrange(f);
		return REACT_REDRAW;
	case ACT_FINDING_CARD:
		f->full = !f->full;
		f->scroll = 0;
		return REACT_REDRAW;
	case ACT_BACK:
		if (!f->full)
			return ACT_PASS;
		f->full = false;
		return REACT_REDRAW;
	case ACT_PROBLEM_NEXT:
		if (f->list.n)
			f->list.at = (f->list.at + (size_t)(count > 0 ? count : 1)) % f->list.n;
		f->scroll = 0;
		keep_key(f);
		return f->list.n ? REACT_REDRAW : ACT_PASS;
	default:
		break;
	}
	if (f->full)
		return card_scroll(&f->scroll, f->card_lines, v->area.h, a, count) ? REACT_REDRAW : ACT_PASS;
	if (!list_act(&f->list, a, count))
		return a == ACT_UP || a == ACT_DOWN || a == ACT_PAGE_UP || a == ACT_PAGE_DOWN ||
			a == ACT_TOP || a == ACT_BOTTOM
		    ? REACT_NONE
		    : ACT_PASS;
	keep_key(f);
	return REACT_REDRAW;
}

/* A click selects; on the one selected it goes to the proof. */
static unsigned mouse(struct view *v, const struct mouse *m)
{
	struct findings_view *f = v->state;
	size_t line;

	if (m->kind == MOUSE_WHEEL || !findings_sync(v))
		return ACT_PASS;
	if (m->kind != MOUSE_PRESS || m->button != 1 || f->full || m->y < f->list.y || m->x >= f->list_end)
		return REACT_NONE;
	line = f->list.top + (size_t)((m->y - f->list.y) / f->lines);
	if (line >= f->list.n || (int)(line - f->list.top) >= f->list.rows)
		return REACT_NONE;
	if (line == f->list.at)
		return go_to_proof(v);
	f->list.at = line;
	keep_key(f);
	return REACT_REDRAW;
}

/* Without a trace: rules of the memory, and of what a profiler found out about the steps. */
static bool findings_any(const struct dump *d)
{
	if (input_toolfile(d, NULL, NULL))
		return true;
	for (size_t i = 0; i < d->nmodules; i++)
		if (memory_is_known(&d->modules[i]))
			return true;
	return false;
}

const struct view_ops view_findings = {
	.id = "findings",
	.title = "Findings",
	.short_title = "Find",
	.letter = 'i',
	.scope = SCOPE_FINDINGS,
	.needs = NEED_TRACE,
	.any = findings_any,
	.size = sizeof(struct findings_view),
	.open = open_view,
	.draw = findings_draw,
	.act = act,
	.find = find,
	.find_status = find_status,
	.filter = filter,
	.here = here,
	.status = status,
	.title_right = title_right,
	.close = close_view,
	.mouse = mouse,
	.save = save,
	.restore = restore,
	.copy = copy,
	.export = export,
};
