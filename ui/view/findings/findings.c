#include "config.h"
#include "view/findings/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/memory/rank.h"
#include "analyze/triage/triage.h"
#include "base/mem.h"
#include "core/jump.h"
#include "core/document.h"
#include "core/results.h"
#include "model/llo.h"
#include "model/tf/graph.h"
#include "view/frames.h"

/* --- the result --- */

const struct finding *findings_view_here(const struct findings_view *f)
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
	const struct finding *one = findings_view_here(f);

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

bool findings_view_match(const struct finding *f, const struct regex *re, struct regex_scratch *scratch)
{
	char *where = proof_where(&f->proof);
	const char *const text[] = { f->title, f->evidence, f->advice, f->detail, where, f->id };
	bool is = false;

	for (size_t i = 0; i < sizeof text / sizeof *text && !is; i++)
		is = regex_match(re, scratch, text[i], strlen(text[i]), NULL, NULL);
	free(where);
	return is;
}

/* Collects the findings that match the filter; the set is sorted by severity, then cost. */
static void collect_findings(struct findings_view *f)
{
	struct regex_scratch *scratch = f->filter ? regex_scratch_new(f->filter) : NULL;

	f->list.n = 0;
	f->order = xrealloc(f->order, f->set->n + 1, sizeof *f->order);
	for (size_t i = 0; i < f->set->n; i++) {
		size_t at = f->list.n;

		if (f->filter && !findings_view_match(&f->set->v[i], f->filter, scratch))
			continue;
		for (; f->by_cost && at > 0 &&
		     finding_share(&f->set->v[f->order[at - 1]]) < finding_share(&f->set->v[i]);
		     at--)
			f->order[at] = f->order[at - 1];
		f->order[at] = i;
		f->list.n++;
	}
	regex_scratch_free(scratch);
	f->list.at = f->list.top = 0;
	go_to_key(f);
}

static void findings_take(struct view *v)
{
	struct findings_view *f = v->state;

	f->set = result_findings(v->app);
	collect_findings(f);
}

/* The step is drawn before the findings are there.  More of them, and savings, are shown when they are known; nothing
 * waits for them. */
static unsigned findings_needs(const struct view *v)
{
	result_get(v->app, RESULT_ACCOUNT);
	return 1u << RESULT_ACCOUNT | 1u << result_findings_kind(v->app);
}

static void findings_drop(struct view *v)
{
	struct findings_view *f = v->state;

	f->set = NULL;
	f->list.n = 0;
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

	frame_close(v);
	free(f->order);
	free(f->key);
	regex_free(f->filter);
}

static void findings_save(const struct view *v, struct kv *kv)
{
	const struct findings_view *f = v->state;

	if (f->key)
		kv_put(kv, "finding", f->key);
	if (f->filter)
		kv_put(kv, "filter", regex_pattern(f->filter));
	if (f->by_cost)
		kv_put_int(kv, "by-cost", 1);
}

static int findings_filter(struct view *v, const char *text, struct err *err)
{
	struct findings_view *f = v->state;
	struct regex *re = NULL;

	if (*text && !(re = regex_new(text, REGEX_SMART_CASE, err)))
		return -1;
	regex_free(f->filter);
	f->filter = re;
	if (!frame_ready(v))
		return 0;
	collect_findings(f);
	if (!regex_too_expensive(f->filter, err))
		return (int)f->list.n;
	findings_filter(v, "", NULL);
	return -1;
}

static void findings_restore(struct view *v, const struct kv *kv)
{
	struct findings_view *f = v->state;
	const char *key = kv_get(kv, "finding"), *pattern = kv_get(kv, "filter");
	struct err err;
	int64_t n;

	if (key)
		f->key = xstrdup(key);
	f->by_cost = kv_get_int(kv, "by-cost", &n) && n;
	if (pattern)
		f->filter = regex_new(pattern, REGEX_SMART_CASE, &err);
}

/* --- what the app asks --- */

static void findings_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct findings_view *f = v->state;
	size_t n[3] = { 0 };

	if (!frame_ready(v) || !f->set->n)
		return;
	snprintf(left, size, "%zu of %zu%s%.60s   %s", f->list.n ? f->list.at + 1 : 0, f->list.n,
	    f->filter ? "   &" : "", f->filter ? regex_pattern(f->filter) : "",
	    f->by_cost              ? "by cost"
		: f->set->whole > 0 ? "by severity, then saving"
				    : "by severity, then cost");
	for (size_t i = 0; i < f->set->n; i++)
		n[f->set->v[i].severity]++;
	snprintf(right, size, "!! %zu high  ! %zu medium  · %zu low", n[SEVERITY_HIGH], n[SEVERITY_MEDIUM],
	    n[SEVERITY_LOW]);
}

static void find_status(const struct view *v, char *buf, size_t size)
{
	const struct findings_view *f = v->state;
	char hits[128];

	frame_find_status(v, hits, sizeof hits);
	snprintf(buf, size, "%s%s%.60s", hits, f->filter ? "   &" : "",
	    f->filter ? regex_pattern(f->filter) : "");
}

static void title_right(const struct view *v, char *buf, size_t size)
{
	if (!*result_of_file(v->app, FILE_OVERVIEW, buf, size))
		result_of_file(v->app, FILE_INPUT_PIPELINE, buf, size);
}

static struct ref findings_here(const struct view *v)
{
	const struct findings_view *f = v->state;
	const struct finding *one = frame_ready(v) ? findings_view_here(f) : NULL;

	return one ? jump_ref(&one->proof) : (struct ref){ .kind = REF_NONE };
}

static char *findings_name(const struct view *v)
{
	const struct finding *f = frame_ready(v) ? findings_view_here(v->state) : NULL;

	return f ? xstrdup(f->title) : NULL;
}

static int findings_copy(struct view *v, FILE *out)
{
	const struct finding *f = frame_ready(v) ? findings_view_here(v->state) : NULL;

	if (!f)
		return -1;
	findings_view_text(f, out);
	return 0;
}

static void findings_document(struct view *v, struct document *d)
{
	const struct findings_view *f = v->state;

	if (!frame_ready(v))
		return;
	d->screen.schema = &findings_schema;
	d->screen.rows = f->set->n;
	d->screen.row = f->order;
	d->screen.n = f->list.n;
}

struct looking {
	const struct findings_view *in;
	const struct regex *re;
	struct regex_scratch *scratch;
};

static bool card_line_is_hit(const void *ctx, size_t line)
{
	const struct looking *l = ctx;

	return findings_view_match(&l->in->set->v[l->in->order[line]], l->re, l->scratch);
}

static int findings_find(struct view *v, const struct regex *re, int dir, struct list_hits *hits)
{
	struct findings_view *f = v->state;
	struct looking l = { f, re, regex_scratch_new(re) };
	size_t to = list_find(hits, f->list.n, f->list.at, dir, card_line_is_hit, &l);

	regex_scratch_free(l.scratch);
	f->list.at = to == SIZE_MAX ? f->list.at : to;
	keep_key(f);
	return (int)hits->n;
}

/* --- acting --- */

static unsigned go_to_proof(struct view *v)
{
	struct findings_view *f = v->state;

	if (findings_view_here(f))
		jump_open(v->app, f->order[f->list.at]);
	return REACT_REDRAW;
}

/* Its mend is switched on there. */
static unsigned go_to_whatif(struct view *v)
{
	const struct findings_view *s = v->state;
	const struct finding *f = findings_view_here(s);
	struct ref r = REF_EMPTY;

	if (!f)
		return ACT_PASS;
	if (s->set->whole > 0 && (!f->mend || isnan(f->save))) {
		app_say(v->app, "What mending this would save is not known");
		return REACT_REDRAW;
	}
	r.kind = REF_NAME;
	r.name = 0;
	snprintf(r.text, sizeof r.text, "%s", f->id);
	app_go(v->app, "whatif", &r);
	return REACT_REDRAW;
}

static unsigned findings_act(struct view *v, enum action a, int count)
{
	struct findings_view *f = v->state;
	unsigned react = REACT_REDRAW;

	switch (a) {
	case ACT_PROOF:
	case ACT_OPEN:
		return go_to_proof(v);
	case ACT_MEND:
		return go_to_whatif(v);
	case ACT_BY_COST:
		f->by_cost = !f->by_cost;
		collect_findings(f);
		return REACT_REDRAW;
	case ACT_CHECKS:
		f->checks = !f->checks;
		if (f->checks && f->frame.at.how != FRAME_BESIDE)
			frame_open_card(v);
		return REACT_REDRAW;
	case ACT_DETAILS:
		frame_toggle_card(v);
		return REACT_REDRAW;
	case ACT_PROBLEM_NEXT:
		if (!f->list.n)
			return ACT_PASS;
		f->list.at = (f->list.at + (size_t)(count > 0 ? count : 1)) % f->list.n;
		f->frame.scroll = 0;
		break;
	default:
		if (f->frame.full)
			return ACT_PASS;
		react = list_react(&f->list, a, count);
	}
	keep_key(f);
	return react;
}

/* Until the findings are ready, the app waits for them and goes to the next one. */
static unsigned findings_keys(struct view *v, enum action a, int count)
{
	return frame_ready(v) ? frame_act(v, a, count) : ACT_PASS;
}

/* A click selects; a click on the selected finding goes to its proof. */
static unsigned findings_press(struct view *v, const struct mouse *m)
{
	struct findings_view *f = v->state;
	size_t line;

	if (m->y < f->list.y || m->x >= f->list_end)
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

static struct list *the_list(struct view *v)
{
	return &((struct findings_view *)v->state)->list;
}

static bool has_card(struct view *v)
{
	const struct findings_view *f = v->state;

	return findings_view_here(f) || (f->set && f->set->nchecks);
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_FINDINGS],
	.results = 1u << RESULT_FINDINGS,
	.needs = findings_needs,
	.take = findings_take,
	.drop = findings_drop,
	.draw_nothing = findings_view_draw_nothing,
	.list = the_list,
	.find = findings_find,
	.divide = findings_view_divide,
	.main = findings_view_draw,
	.card = findings_view_card,
	.has_card = has_card,
	.act = findings_act,
	.press = findings_press };

/* Without a trace: the rules on memory, and on the steps as a profiler reported them. */
static bool findings_any(const struct dump *d)
{
	if (input_toolfile(d, NULL) || toolfile_find(d, FILE_PPROF, NULL, NULL))
		return true;
	for (size_t i = 0; i < d->nmodules; i++)
		if (memory_is_known(&d->modules[i]))
			return true;
	return tf_graph_used(d) || triage_has_texts(d) || llo_any(d);
}

const struct view_ops view_findings = {
	.id = "findings",
	.title = "Findings",
	.short_title = "Find",
	.letter = 'i',
	.scope = SCOPE_FINDINGS,
	.needs = NEED_TRACE,
	.any = findings_any,
	.frame = &frame_ops,
	.size = sizeof(struct findings_view),
	.open = open_view,
	.draw = frame_draw,
	.act = findings_keys,
	.find = frame_find,
	.find_status = find_status,
	.filter = findings_filter,
	.here = findings_here,
	.status = findings_status,
	.title_right = title_right,
	.close = close_view,
	.mouse = frame_mouse,
	.save = findings_save,
	.restore = findings_restore,
	.name = findings_name,
	.copy = findings_copy,
	.report = "findings",
	.document = findings_document,
};
