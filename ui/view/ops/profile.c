#include "config.h"
#include "view/ops/profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/events/query.h"
#include "analyze/tables/legacy_op_profile.h"
#include "analyze/tables/ops.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "core/choice.h"
#include "core/document.h"
#include "core/results.h"
#include "model/toolfile.h"
#include "view/frames.h"
#include "view/ops/tables.h"
#include "model/hlo.h"

/* --- building the tree from the results --- */

static struct ops_source source_of(const struct view *v)
{
	struct ops_source s = { .host = v->cap->scope.host };
	const struct op_set *set;

	if (!v->cap->dump || !(set = result_get(v->app, RESULT_TABLE_OPS)))
		return s;
	if (!(s.tool = capture_file(v->cap, FILE_OP_PROFILE, NULL))) {
		s.db = set->db;
		s.v = s.db->v;
		s.n = s.db->n;
		s.total = s.db->total;
	}
	return s;
}

static bool same_source(const struct ops_source *a, const struct ops_source *b)
{
	return a->db == b->db && a->v == b->v && a->n == b->n && a->total == b->total && a->host == b->host &&
	    a->tool == b->tool;
}

struct fold_marks *ops_view_marks_now(struct ops *s)
{
	return s->filter ? &s->filtered : &s->marks;
}

const struct ops_view_row *ops_view_row(const struct ops *s)
{
	return s->list.at < s->tree.n ? &s->tree.row[s->list.at] : NULL;
}

static void place_cursor(struct ops *s)
{
	size_t at;

	s->list.n = s->tree.n;
	if ((at = ops_view_row_of(&s->tree, s->key)) != SIZE_MAX)
		s->list.at = at;
	list_fit(&s->list, s->list.rows);
}

void ops_view_make_rows(struct ops *s)
{
	ops_view_tree_rows(&s->tree, &s->o, ops_view_marks_now(s), &s->contents);
	place_cursor(s);
}

void ops_view_fill_rows(struct ops *s)
{
	ops_view_tree_fill(&s->tree, &s->o, ops_view_marks_now(s), &s->contents);
	place_cursor(s);
}

/* Moves the cursor back to the selected line, or to the closest visible line around it. */
void ops_view_changed(struct view *v)
{
	struct ops *s = v->state;
	uint64_t key[OPPROFILE_DEPTH * 2];
	size_t n = 0;

	for (const struct ops_view_row *r = ops_view_row(s); r && n < sizeof key / sizeof *key;
	     r = r->parent < s->tree.n ? &s->tree.row[r->parent] : NULL)
		key[n++] = r->key;
	for (size_t i = 0; !i || i < n; i++) {
		s->key = n ? key[i] : s->key;
		ops_view_make_rows(s);
		if (ops_view_row_of(&s->tree, s->key) != SIZE_MAX)
			break;
	}
	ops_view_find_again(s);
}

static void clear_tree(struct ops *s)
{
	ops_view_tree_free(&s->tree);
	free(s->hit);
	s->hit = NULL;
	s->nhits = 0;
	layout_fit_free(&s->fit);
	s->fit = (struct layout_fit){ 0 };
	s->fit_of = NULL;
	s->from = (struct ops_source){ 0 };
	s->list.n = 0;
}

static void from_file(const struct view *v, const struct toolfile *tool)
{
	static const char *const names[] = { "program", "category", "provenance" };
	struct ops *s = v->state;
	struct err err = { .at = ERR_NOWHERE };
	enum op_group asked = s->o.group;
	struct opprofile p;

	if (legacy_op_profile(tool, &s->o.group, &s->o.idle, &p, &err)) {
		app_error(v->app, "%s", err.msg);
		return;
	}
	ops_view_tree_take(&s->tree, &p);
	if (asked != s->o.group)
		app_say(v->app, "the file has no op profile grouped by %s", names[asked]);
}

/* Remembers the line under the cursor, which a key or a search may have changed. */
static void keep_row(struct ops *s)
{
	if (ops_view_row(s))
		s->key = ops_view_row(s)->key;
}

static bool is_ready(struct view *v)
{
	struct ops *s = v->state;
	struct ops_source now = source_of(v);
	struct ref want;

	keep_row(s);
	if (!now.db && !now.tool) {
		clear_tree(s);
		return false;
	}
	if (same_source(&now, &s->from))
		return true;
	clear_tree(s);
	s->from = now;
	s->o.program = v->cap->scope.program;
	s->contents.d = v->cap->dump;
	if (now.tool)
		from_file(v, now.tool);
	else
		ops_view_tree_build(&s->tree, v->cap->dump, now.db, &s->o);
	ops_view_tree_filter(&s->tree, s->filter);
	ops_view_fill_rows(s);
	ops_view_find_again(s);
	if (s->want.kind == REF_NONE)
		return true;
	want = s->want;
	s->want.kind = REF_NONE;
	if (!ops_view_go_to_op(v, want.program, want.name))
		app_say(v->app, "the selection is not in %s", v->ops->title);
	return true;
}

/* Builds a new tree after a change of options. */
static void ops_view_build_again(struct view *v)
{
	struct ops *s = v->state;

	s->from = (struct ops_source){ 0 };
	is_ready(v);
	ops_view_changed(v);
}

/* --- life --- */

static int ops_open(struct view *v)
{
	struct ops *s = v->state;

	s->o.limit = OPS_LIMIT_LEAST;
	return 0;
}

static void ops_close(struct view *v)
{
	struct ops *s = v->state;

	clear_tree(s);
	if (s->contents.hlo)
		contents_free(s->contents.hlo);
	regex_free(s->filter);
	free(s->marks.v);
	free(s->filtered.v);
}

static void ops_save(const struct view *v, struct kv *kv)
{
	struct ops *s = v->state;
	const struct {
		const char *name;
		int64_t value;
	} number[] = { { "group", s->o.group }, { "idle", s->o.idle }, { "top", s->o.top90 },
		{ "dvfs", s->o.dvfs }, { "all", s->o.all }, { "limit", s->o.limit }, { "sort", s->o.sort },
		{ "reverse", s->o.reverse } };

	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		if (number[i].value != (i == 5 ? OPS_LIMIT_LEAST : 0))
			kv_put_int(kv, number[i].name, number[i].value);
	keep_row(s);
	if (s->key)
		kv_putf(kv, "row", "%" PRIx64, s->key);
	if (s->filter)
		kv_put(kv, "filter", regex_pattern(s->filter));
	for (size_t i = 0; i < s->marks.n; i++)
		kv_putf(kv, "line", "%" PRIx64 " %d %" PRIu32, s->marks.v[i].key, s->marks.v[i].open,
		    s->marks.v[i].least);
}

static int64_t number_of(const struct kv *kv, const char *name, int64_t least, int64_t most,
    int64_t otherwise)
{
	int64_t n;

	return kv_get_int(kv, name, &n) && n >= least && n <= most ? n : otherwise;
}

enum { MARKS_MOST = 1000 }; /* all are looked through for each line */

static void ops_restore(struct view *v, const struct kv *kv)
{
	struct ops *s = v->state;
	const char *text;
	struct fold_mark m;
	int open;

	s->o = (struct ops_options){ .group = (enum op_group)number_of(kv, "group", 0, GROUP_PROVENANCE, 0),
		.idle = number_of(kv, "idle", 0, 1, 0),
		.top90 = number_of(kv, "top", 0, 1, 0),
		.dvfs = number_of(kv, "dvfs", 0, 1, 0),
		.all = number_of(kv, "all", 0, 1, 0),
		.limit = (int)number_of(kv, "limit", OPS_LIMIT_LEAST, OPS_LIMIT_MOST, OPS_LIMIT_LEAST),
		.sort = (enum ops_column)number_of(kv, "sort", 0, OPS_COLUMNS - 1, 0),
		.reverse = number_of(kv, "reverse", 0, 1, 0) };
	if ((text = kv_get(kv, "row")))
		s->key = strtoull(text, NULL, 16);
	if ((text = kv_get(kv, "filter")))
		s->filter = query_regex(text, NULL);
	for (size_t i = 0; s->marks.n < MARKS_MOST && (text = kv_next(kv, "line", &i));)
		if (sscanf(text, "%" SCNx64 " %d %" SCNu32, &m.key, &open, &m.least) == 3)
			*fold_mark(&s->marks, m.key) =
			    (struct fold_mark){ m.key, m.least, (int8_t)((open > 0) - (open < 0)) };
}

/* --- acting --- */

static bool has_dvfs(const struct ops *s)
{
	const struct opdb *db = s->from.db;

	return db && db->normalized > 0 && db->normalized != db->op_time;
}

/* Explains why a fusion has no contents: no HLO proto, or the fusion is not in it. */
static void say_contents(struct view *v, const struct ops_view_row *r)
{
	struct ops *s = v->state;
	const struct ops_view_row *next = r + 1;

	if (r->open && (r->part || r->node->kind == NODE_OP) &&
	    (next == s->tree.row + s->tree.n || next->level <= r->level))
		app_say(v->app, "%s",
		    contents_missing(s->contents.hlo) && hlo_modules_why(v->cap->dump)
			? hlo_modules_why(v->cap->dump)
			: contents_missing(s->contents.hlo)
			? "contents unknown: no HLO proto of the program "
			  "(capture with enable_hlo_proto on)"
			: "contents unknown: the HLO proto does not have this fusion");
}

static void set_open(struct view *v, const struct ops_view_row *r, bool open)
{
	struct ops *s = v->state;
	size_t at;

	s->key = r->key;
	fold_mark(ops_view_marks_now(s), r->key)->open = open ? 1 : -1;
	ops_view_changed(v);
	if (open && (at = ops_view_row_of(&s->tree, s->key)) != SIZE_MAX)
		say_contents(v, &s->tree.row[at]);
}

/* Shows more lines of a level; the first new one replaces the "… more" line. */
static void show_more(struct view *v, const struct ops_view_row *r)
{
	struct ops *s = v->state;
	const struct op_node *of = r->node->parent;
	size_t at = s->list.at, lines = 0;

	for (size_t i = 0; i < of->n; i++)
		lines += ops_view_kept(&s->tree, of->child[i]);
	fold_mark(ops_view_marks_now(s), ops_view_key(of))->least =
	    (uint32_t)(lines - r->more) + OPS_LIMIT_LEAST;
	ops_view_make_rows(s);
	s->list.at = at;
	list_fit(&s->list, s->list.rows);
	ops_view_find_again(s);
}

static void open_row(struct view *v)
{
	struct ops *s = v->state;
	const struct ops_view_row *r = ops_view_row(s);

	if (s->frame.full || (r && !r->more && !r->opens)) {
		frame_toggle_card(v);
	} else if (r && r->more) {
		show_more(v, r);
	} else if (r) {
		set_open(v, r, !r->open);
	}
}

static void collapse_row(struct view *v)
{
	struct ops *s = v->state;
	const struct ops_view_row *r = ops_view_row(s);

	if (r && r->open)
		set_open(v, r, false);
	else if (r && r->parent < s->tree.n)
		s->list.at = r->parent;
}

void ops_view_set_sort(struct ops *s, int column)
{
	s->o.sort = (enum ops_column)column;
	s->o.reverse = false;
}

static void toggle_dvfs(struct view *v)
{
	struct ops *s = v->state;

	if (has_dvfs(s)) {
		s->o.dvfs = !s->o.dvfs;
		ops_view_changed(v);
	} else {
		app_say(v->app, "the chip's clock did not change in this capture: nothing to scale");
	}
}

static void set_limit(struct view *v, int by)
{
	struct ops *s = v->state;
	int to = s->o.limit + by;

	s->o.limit = to < OPS_LIMIT_LEAST ? OPS_LIMIT_LEAST : to > OPS_LIMIT_MOST ? OPS_LIMIT_MOST : to;
	for (size_t i = 0; by < 0 && i < s->marks.n; i++)
		s->marks.v[i].least = 0;
	ops_view_changed(v);
}

/* The column in view beside the one that it is sorted by; those without values in this capture order nothing. */
static int next_column(const struct ops *s, int by)
{
	double num[OPS_COLUMNS];
	int at = (int)s->o.sort;

	ops_view_numbers(&s->tree, s->tree.profile.root, s->o.dvfs, num);
	for (int i = 0; i < OPS_COLUMNS; i++) {
		at = (at + OPS_COLUMNS + by) % OPS_COLUMNS;
		if (at == OPS_NAME || !isnan(num[at]) || (at == OPS_FRAMEWORK && s->head_x[at] > 0))
			break;
	}
	return at;
}

/* Category, name scope, program.  The scopes are a view of their own, which has what the provenance of XProf lacks:
 * the passes of a program side by side.  Files of results have no scopes, and what is run elsewhere has no cores. */
static void group_next(struct view *v, int count)
{
	static const enum op_group order[] = { GROUP_CATEGORY, GROUP_PROVENANCE, GROUP_PROGRAM };
	struct ops *s = v->state;
	struct ref here = ops_view_here(v);
	int at = 0;

	while (order[at] != s->o.group)
		at++;
	at = (at + count) % 3;
	if (order[at] != GROUP_PROVENANCE || s->from.tool || !app_view(v->app, "scopes")) {
		s->o.group = order[at];
		ops_view_build_again(v);
	} else if (here.kind == REF_NONE || app_go(v->app, "scopes", &here)) {
		app_go(v->app, "scopes", NULL);
	}
}

/* Actions that change what the tree is made of or how it is sorted. */
static unsigned act_switch(struct view *v, enum action a, int count)
{
	struct ops *s = v->state;

	switch (a) {
	case ACT_GROUP:
		group_next(v, count);
		return REACT_REDRAW;
	case ACT_WITH_IDLE:
		s->o.idle = !s->o.idle;
		ops_view_build_again(v);
		return REACT_REDRAW;
	case ACT_TOP_90:
		s->o.top90 = !s->o.top90;
		break;
	case ACT_BY_WASTED:
		ops_view_set_sort(s, s->o.sort == OPS_WASTED ? OPS_TIME : OPS_WASTED);
		break;
	case ACT_SORT_NEXT:
		ops_view_set_sort(s, next_column(s, 1));
		break;
	case ACT_SORT_PREV:
		ops_view_set_sort(s, next_column(s, -1));
		break;
	case ACT_SORT_REVERSE:
		s->o.reverse = !s->o.reverse;
		break;
	case ACT_EXPAND_ALL:
		s->o.all = !s->o.all;
		ops_view_marks_now(s)->n = 0;
		break;
	default:
		return ACT_PASS;
	}
	ops_view_changed(v);
	return REACT_REDRAW;
}

static unsigned act_tree(struct view *v, enum action a, int count)
{
	struct ops *s = v->state;
	const struct ops_view_row *r = ops_view_row(s);
	int n = count > 0 ? count : 1;

	switch (a) {
	case ACT_OPEN:
	case ACT_TOGGLE:
		open_row(v);
		break;
	case ACT_DETAILS:
		frame_open_card(v);
		break;
	case ACT_EXPAND:
		if (r && (r->more || (r->opens && !r->open)))
			open_row(v);
		break;
	case ACT_COLLAPSE:
		collapse_row(v);
		break;
	case ACT_MORE_LINES:
		set_limit(v, OPS_LIMIT_STEP * n);
		break;
	case ACT_FEWER_LINES:
		set_limit(v, -OPS_LIMIT_STEP * n);
		break;
	case ACT_DVFS:
		toggle_dvfs(v);
		break;
	case ACT_MODULE:
		choice_module(v->app);
		break;
	case ACT_CORE:
		choice_core(v->app);
		break;
	case ACT_SORT_BY:
		ops_view_choose_sort(v);
		break;
	case ACT_LEFT:
		s->shift = s->shift > 4 * n ? s->shift - 4 * n : 0;
		break;
	case ACT_RIGHT:
		s->shift = s->shift + 4 * n < s->shift_most ? s->shift + 4 * n : s->shift_most;
		break;
	default:
		return act_switch(v, a, count);
	}
	return REACT_REDRAW;
}

static unsigned act_always(struct view *v, enum action a, int count)
{
	(void)count;
	if (a != ACT_OPS_TABLE)
		return ACT_PASS;
	ops_view_views_next(v);
	return REACT_REDRAW;
}

static unsigned ops_press(struct view *v, const struct mouse *m)
{
	struct ops *s = v->state;

	if (m->x > s->head_x[OPS_COLUMNS])
		return REACT_NONE;
	for (int k = 0; m->y == s->head_y && k < OPS_COLUMNS; k++)
		if (s->head_x[k] && m->x >= s->head_x[k] &&
		    (k + 1 == OPS_COLUMNS || m->x < s->head_x[k] + 10)) {
			if ((int)s->o.sort == k)
				return frame_act(v, ACT_SORT_REVERSE, 1);
			ops_view_set_sort(s, k);
			ops_view_changed(v);
			return REACT_REDRAW;
		}
	return ACT_PASS;
}

static struct list *ops_list(struct view *v)
{
	return &((struct ops *)v->state)->list;
}

static bool has_card(struct view *v)
{
	const struct ops_view_row *r = ops_view_row(v->state);

	return r && !r->more;
}

static void draw_nothing(struct view *v, struct canvas *c, struct rect a)
{
	result_draw_what(v->app, RESULT_OPS, c, a);
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_OPS],
	.ready = is_ready,
	.draw_nothing = draw_nothing,
	.list = ops_list,
	.above = ops_view_warn,
	.main = ops_view_draw_lines,
	.card = ops_view_card_draw,
	.has_card = has_card,
	.title = ops_view_card_title,
	.act_always = act_always,
	.act = act_tree,
	.press = ops_press };

/* --- texts --- */

/* Sums the ops that the filter leaves, or all; those of offloaded ops are left out, as they run beside others. */
static void sum_kept(const struct ops_tree *t, struct ops_sum *sum)
{
	*sum = (struct ops_sum){ .self = t->profile.root->sum.time };
	if (!t->kept)
		return;
	sum->all = sum->self;
	sum->self = 0;
	for (size_t i = 0; i < t->nkept; i++) {
		const struct op_node *x = t->kept[i];

		if (x->kind != NODE_OP || (x->op && x->op->sparse))
			continue;
		sum->self += x->sum.self;
		sum->flops += x->sum.flops;
	}
}

static void ops_status(const struct view *v, char *left, char *right, size_t size)
{
	static const char *const by[OPS_COLUMNS] = { "", "by wasted time", "by share of HBM", "by name",
		"by framework op", "by FLOPS", "by HBM" };
	const struct ops *s = v->state;
	char limit[32] = "";
	const struct opdb *db;
	struct ops_sum sum;
	size_t n;

	if (!frame_ready(v))
		return;
	db = s->from.db;
	if (s->o.limit > OPS_LIMIT_LEAST)
		snprintf(limit, sizeof limit, "   %d a level", s->o.limit);
	n = (size_t)snprintf(left, size, "%zu of %zu%s%s%s%s%s%s%s", s->list.n ? s->list.at + 1 : 0,
	    s->list.n,
	    s->o.idle       ? "   idle included"
		: s->filter ? ""
			    : "   idle excluded",
	    *by[s->o.sort] ? "   " : "", by[s->o.sort], s->o.reverse ? ", reversed" : "",
	    s->o.top90 ? "   top 90 %" : "", limit, s->o.dvfs ? "   DVFS scaled" : "");
	if (s->filter && n < size)
		n += (size_t)snprintf(left + n, size - n, "   &%s: %zu ops", regex_shown(s->filter),
		    s->tree.kept_ops);
	n = 0;
	if (db && db->peaks.assumed)
		n = (size_t)snprintf(right, size, "peaks assumed: %.0f TFLOP/s, %.0f GB/s   ",
		    db->peaks.tflops, db->peaks.bw[PEAK_HBM]);
	if (s->tree.profile.root && s->tree.profile.root->n && s->tree.profile.knows & KNOWS_TIME) {
		sum_kept(&s->tree, &sum);
		ops_view_sum_text(&sum, v->app->glyphs->ascii, right + n, size - n);
	}
}

static void ops_title(const struct view *v, char *buf, size_t size)
{
	const struct ops *s = v->state;
	double custom;
	size_t n;

	if (!frame_ready(v) || !s->from.db)
		return;
	choice_text(v->app, buf, size);
	n = strlen(buf);
	custom = tables_custom_calls(s->from.db);
	if (custom >= 10)
		snprintf(buf + n, size - n, "custom calls %.1f %% of op time", custom);
}

/* Returns the text of the line of a level or of a part of a fusion. */
static char *ops_name(const struct view *v)
{
	const struct ops *s = v->state;
	const struct ops_view_row *r = frame_ready(v) ? ops_view_row(s) : NULL;
	char name[512];

	if (!r || (!r->part && ops_view_here(v).kind == REF_OP))
		return NULL;
	ops_view_row_name(s, v->cap->dump, r, name, sizeof name);
	return xstrdup(name);
}

static int ops_copy(struct view *v, FILE *out)
{
	const struct ops *s = v->state;

	if (!frame_ready(v) || !ops_view_row(s))
		return -1;
	ops_view_card_text(v, out);
	return 0;
}

static void ops_document(struct view *v, struct document *d)
{
	const struct ops *s = v->state;

	d->options.group = op_group_name[s->o.group];
	d->options.exclude_idle = !s->o.idle;
	d->screen.filter = s->filter ? regex_pattern(s->filter) : NULL;
}

/* Reads the HLO of a program ahead of the first card that needs it, because it takes longer than a key press
 * may. */
static int ops_step(struct view *v, int budget_ms)
{
	struct ops *s = v->state;
	const struct opdb *db = s->tree.profile.db;

	(void)budget_ms;
	if (s->read || !db || !db->n)
		return 0;
	if (!s->contents.hlo)
		s->contents.hlo = contents_new(s->contents.d);
	contents_instruction(s->contents.hlo, db->v[0].program, (struct slice){ "", 0 });
	s->read = true;
	return 0;
}

static bool ops_any(const struct dump *d)
{
	return toolfile_alone(d, FILE_OP_PROFILE, NULL, NULL);
}

const struct view_ops view_op_profile = { .id = "ops",
	.title = "Ops",
	.short_title = "Ops",
	.letter = 'o',
	.scope = SCOPE_OPS,
	.needs = NEED_TRACE,
	.any = ops_any,
	.frame = &frame_ops,
	.size = sizeof(struct ops),
	.open = ops_open,
	.step = ops_step,
	.draw = frame_draw,
	.act = frame_act,
	.find = ops_view_find,
	.find_status = ops_view_find_status,
	.filter = ops_view_filter,
	.here = ops_view_here,
	.show = ops_view_show,
	.status = ops_status,
	.title_right = ops_title,
	.close = ops_close,
	.mouse = frame_mouse,
	.save = ops_save,
	.restore = ops_restore,
	.name = ops_name,
	.columns = &profile_schema,
	.copy = ops_copy,
	.report = "op_profile",
	.document = ops_document };
