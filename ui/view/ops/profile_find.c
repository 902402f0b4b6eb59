#include "config.h"
#include "view/ops/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/events/query.h"
#include "core/app.h"
#include "core/choice.h"
#include "core/overlay.h"
#include "view/ops/tables.h"
#include "widget/text.h"

/* --- moving the cursor --- */

void ops_view_find_again(struct ops *s)
{
	const struct ops_view_row *r = ops_view_row(s);

	free(s->hit);
	s->hit = NULL;
	s->nhits = s->at_hit = 0;
	if (s->find)
		s->hit = ops_view_tree_find(&s->tree, &s->o, s->find, r && !r->more ? r->node : NULL,
		    &s->nhits, &s->at_hit);
}

static void set_filter(struct ops *s, struct regex *re)
{
	regex_free(s->filter);
	s->filter = re;
	s->filtered.n = 0;
	ops_view_tree_filter(&s->tree, re);
}

static void go_to_node(struct view *v, const struct op_node *x)
{
	struct ops *s = v->state;

	ops_view_reveal(&s->tree, &s->o, ops_view_marks_now(s), x);
	s->key = ops_view_key(x);
	ops_view_make_rows(s);
}

/* Clears a filter or a choice of module that hides the op. */
bool ops_view_go_to_op(struct view *v, uint64_t program, strid name)
{
	struct ops *s = v->state;
	const struct op_node *x = ops_view_tree_op(&s->tree, program, name);

	if (!x && v->cap->scope.program) { /* found again when the tree of all programs is ready */
		s->want = (struct ref){ .kind = REF_OP, .name = name, .program = program };
		choice_all_modules(v->app);
		return true;
	}
	if (!x)
		return false;
	if (!ops_view_kept(&s->tree, x))
		set_filter(s, NULL);
	go_to_node(v, x);
	return true;
}

/* --- searching --- */

/* A new search begins at the first hit from the cursor on whose name matches, if there is one: others only
 * mention it in their HLO. */
static void prefer_name(struct ops *s)
{
	struct regex_scratch *scratch = regex_scratch_new(s->find);

	for (size_t i = 0; i < s->nhits; i++) {
		size_t at = (s->at_hit + i) % s->nhits;
		struct slice name = s->hit[at]->name;

		if (regex_match(s->find, scratch, name.s, name.n, NULL, NULL)) {
			s->at_hit = at;
			break;
		}
	}
	regex_scratch_free(scratch);
}

int ops_view_find(struct view *v, const struct regex *re, int dir)
{
	struct ops *s = v->state;
	const struct ops_view_row *r;
	const struct op_node *here;

	if (re && !frame_ready(v))
		return -1;
	s->find = re;
	r = ops_view_row(s);
	here = r && !r->more ? r->node : NULL;
	ops_view_find_again(s);
	if (!s->nhits)
		return 0;
	if (!dir)
		prefer_name(s);
	else if (dir > 0 && s->hit[s->at_hit] == here)
		s->at_hit = (s->at_hit + 1) % s->nhits;
	else if (dir < 0)
		s->at_hit = (s->at_hit + s->nhits - 1) % s->nhits;
	s->frame.full = false;
	go_to_node(v, s->hit[s->at_hit]);
	return s->nhits < INT32_MAX ? (int)s->nhits : INT32_MAX;
}

/* Where an op matches if not in its name: "   HLO: …f32[8,1536]{1,0} dot(%a…". */
static void match_text(const struct op_node *x, const struct regex *re, char *buf, size_t size)
{
	const struct op *o = x->kind == NODE_OP || x->kind == NODE_PART ? x->op : NULL;
	char text[160];

	if (!o || *text_match(text, sizeof text, re, x->name.s, x->name.n))
		*buf = 0;
	else if (*text_match(text, sizeof text, re, o->provenance.s, o->provenance.n))
		snprintf(buf, size, "   from: %s", text);
	else if (*text_match(text, sizeof text, re, o->expression.s, o->expression.n))
		snprintf(buf, size, "   HLO: %s", text);
}

void ops_view_find_status(const struct view *v, char *buf, size_t size)
{
	const struct ops *s = v->state;
	char match[256] = "";

	if (!s->nhits) {
		snprintf(buf, size, "no hit");
		return;
	}
	match_text(s->hit[s->at_hit], s->find, match, sizeof match);
	snprintf(buf, size, "hit %zu of %zu%s", s->at_hit + 1, s->nhits, match);
}

int ops_view_filter(struct view *v, const char *text, struct err *e)
{
	struct ops *s = v->state;
	struct regex *re = *text ? query_regex(text, e) : NULL;

	if (*text && !re)
		return -1;
	s->frame.full = false;
	frame_ready(v);
	set_filter(s, re);
	ops_view_changed(v);
	if (!regex_too_expensive(re, e))
		return re ? (int)s->tree.kept_ops : 0;
	ops_view_filter(v, "", NULL);
	return -1;
}

/* --- links --- */

struct ref ops_view_here(const struct view *v)
{
	struct ref ref = REF_EMPTY;
	const struct ops *s = v->state;
	const struct ops_view_row *r = frame_ready(v) ? ops_view_row(s) : NULL;

	while (r && r->part && r->parent < s->tree.n) /* an instruction is part of the fusion that runs */
		r = &s->tree.row[r->parent];
	if (r && r->node && r->node->op && s->tree.profile.db && !r->more) {
		ref.kind = REF_OP;
		ref.name = r->node->op->name;
		ref.program = r->node->op->program;
	} else if (r && r->node && r->node->kind == NODE_PROGRAM && !r->more) {
		ref.kind = REF_MODULE;
		snprintf(ref.text, sizeof ref.text, "%.*s", (int)r->node->name.n, r->node->name.s);
	}
	return ref;
}

int ops_view_show(struct view *v, const struct ref *ref)
{
	const struct trace *t = &v->cap->dump->trace;
	struct ops *s = v->state;
	struct ref want = { .kind = REF_OP,
		.name = ref->name,
		.program = ref->kind == REF_OP ? ref->program : 0 };
	int64_t id;

	if (ref->kind == REF_EVENT && ref->track < t->ntracks && ref->event < t->tracks[ref->track].n) {
		uint32_t meta = track_meta(&t->tracks[ref->track], ref->event);

		want.name = t->metas[meta].name;
		if (stat_meta_int(v->cap->dump, meta, "program_id", &id))
			want.program = (uint64_t)id;
	} else if (ref->kind != REF_OP && ref->kind != REF_NAME) {
		return -1;
	}
	if (!want.name)
		return -1;
	s->frame.full = false;
	if (frame_ready(v))
		return ops_view_go_to_op(v, want.program, want.name) ? 0 : -1;
	s->want = want;
	return 0;
}

/* --- menus --- */

static void picked_sort(struct app *app, int i)
{
	struct view *v = &app->views[app->current];

	ops_view_set_sort(v->state, i);
	if (frame_ready(v))
		ops_view_changed(v);
}

void ops_view_choose_sort(struct view *v)
{
	static const struct menu_item item[OPS_COLUMNS] = { { 't', "time", "", NULL },
		{ 'w', "wasted time", "", NULL }, { 's', "share of the HBM traffic", "", NULL },
		{ 'n', "name", "", NULL }, { 'f', "framework op", "", NULL },
		{ 'c', "FLOPS, of peak", "", NULL }, { 'h', "HBM, of peak", "", NULL } };
	const struct ops *s = v->state;

	app_menu(v->app, "sort by", item, OPS_COLUMNS, (int)s->o.sort, picked_sort);
}
