#include "config.h"
#include "view/scopes/scopes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "core/document.h"
#include "core/results.h"
#include "view/frames.h"

static uint64_t key_of(const char *path)
{
	uint64_t key = 1;

	for (; *path; path++)
		key = hash_mix(key, (unsigned char)*path);
	return key;
}

static void scopes_take(struct view *v)
{
	struct scopes_view *s = v->state;

	if (!(s->s = result_get(v->app, RESULT_SCOPES)))
		return;
	scopes_table(s->s, true, 0, &s->table);
	s->parent = xcalloc(s->s->n + 1, sizeof *s->parent);
	s->key = xcalloc(s->s->n + 1, sizeof *s->key);
	for (size_t i = 0; i < s->s->n; i++) {
		s->parent[i] = s->s->v[i].parent;
		s->key[i] = key_of(s->s->v[i].path);
	}
	sheet_set_rows(&s->sheet,
	    &(struct sheet_rows){ .table = &s->table, .parent = s->parent, .key = s->key });
}

static void drop_rows(struct view *v)
{
	struct scopes_view *s = v->state;

	if (!s->s)
		return;
	sheet_set(&s->sheet, NULL);
	table_free(&s->table);
	free(s->parent);
	free(s->key);
	s->parent = NULL;
	s->key = NULL;
	s->s = NULL;
}

static struct sheet *scopes_sheet(struct view *v)
{
	struct scopes_view *s = v->state;

	return &s->sheet;
}

/* "forward 6.7 ms 21.5 %  …"; without times where there is no room for them */
static void phases_text(const struct scopes *s, double per, bool times, bool ascii, char *buf, size_t size)
{
	char time[40];
	size_t n = 0;

	for (int i = 0; i < PHASE_COUNT && n < size; i++) {
		units_time(time, sizeof time, (int64_t)((double)s->sum.phase[i] / per), ascii);
		n += (size_t)snprintf(buf + n, size - n, " %s %s%s%.1f %% ",
		    scope_phase_name((enum scope_phase)i), times ? time : "", times ? " " : "",
		    s->sum.time > 0 ? 100 * (double)s->sum.phase[i] / (double)s->sum.time : 0);
	}
}

/* The phases of all time, per step and core where there are steps. */
static struct rect draw_phases(struct view *v, struct canvas *c, struct rect a)
{
	const struct scopes *s = ((const struct scopes_view *)v->state)->s;
	double per = (double)(s->steps ? s->steps : 1) * (double)(s->cores ? s->cores : 1);
	char text[300];

	if (a.h <= 6)
		return a;
	phases_text(s, per, true, v->app->glyphs->ascii, text, sizeof text);
	if (utf8_cols(text, strlen(text)) > a.w)
		phases_text(s, per, false, v->app->glyphs->ascii, text, sizeof text);
	canvas_str(c, a.y, a.x, a.w, ROLE_TEXT, 0, text);
	snprintf(text, sizeof text, " tree: %s   %s; columns are sums",
	    scope_tree_name((enum scope_tree)v->cap->scope.scope_tree),
	    s->steps ? "phases are per step and core" : "phases are per core");
	canvas_str(c, a.y + 1, a.x, a.w, ROLE_DIM, 0, text);
	return (struct rect){ a.y + 2, a.x, a.h - 2, a.w };
}

/* From here the grouping of the op profile goes on behind the scopes. */
static void group_next(struct view *v)
{
	struct view *ops = app_view(v->app, "ops");

	if (ops && !app_go(v->app, "ops", NULL))
		ops->ops->act(ops, ACT_GROUP, 2);
}

static unsigned act_always(struct view *v, enum action a, int count)
{
	(void)count;
	if (a == ACT_GROUP)
		group_next(v);
	if (a != ACT_SCOPES_NEXT)
		return a == ACT_GROUP ? REACT_REDRAW : ACT_PASS;
	if (frame_ready(v))
		sheet_keep(scopes_sheet(v));
	results_renew(v->app, RESULT_SCOPES); /* first, because a job may read the scope */
	v->cap->scope.scope_tree = (v->cap->scope.scope_tree + 1) % SCOPES_TREES;
	return REACT_REDRAW;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_SCOPES],
	.results = 1u << RESULT_SCOPES,
	.take = scopes_take,
	.drop = drop_rows,
	.sheet = scopes_sheet,
	.above = draw_phases,
	.card = scopes_card,
	.act_always = act_always };

static int scopes_open(struct view *v)
{
	struct scopes_view *s = v->state;

	sheet_open(&s->sheet, &scopes_schema, NULL, "time_us");
	sheet_name(&s->sheet, "path", NULL);
	return 0;
}

static void scopes_close(struct view *v)
{
	struct scopes_view *s = v->state;

	frame_close(v);
	sheet_free(&s->sheet);
}

/* The longest op of the scope, for the timeline and the table of ops. */
static struct ref scopes_here(const struct view *v)
{
	const struct scopes_view *s = v->state;
	struct ref r = REF_EMPTY;
	size_t row;

	if (!frame_ready(v) || (row = sheet_row(&s->sheet)) >= s->table.nrows)
		return r;
	for (size_t i = 0; i < s->s->nops; i++)
		if (s->s->op[i].scope >= row && s->s->op[i].scope < s->s->v[row].end) {
			r.kind = REF_NAME;
			r.name = s->s->op[i].name;
			return r;
		}
	return r;
}

static int scopes_show(struct view *v, const struct ref *r)
{
	struct scopes_view *s = v->state;
	const struct trace *t = &v->cap->dump->trace;
	strid name = r->name;

	if (r->kind == REF_NONE)
		return 0;
	if (!frame_ready(v))
		return -1;
	if (r->kind == REF_EVENT && r->track < t->ntracks && r->event < t->tracks[r->track].n)
		name = t->metas[track_meta(&t->tracks[r->track], r->event)].name;
	else if (r->kind != REF_NAME && r->kind != REF_OP)
		return -1;
	for (size_t i = 0; i < s->s->nops; i++)
		if (s->s->op[i].name == name)
			return sheet_show(&s->sheet, s->s->op[i].scope) ? 0 : -1;
	return -1;
}

static void scopes_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct scopes_view *s = v->state;
	char time[40];

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	sheet_status(&s->sheet, left, size);
	snprintf(right, size, "%s in ops without a scope",
	    units_time(time, sizeof time, s->s->no_scope, v->app->glyphs->ascii));
}

static void scopes_document(struct view *v, struct document *d)
{
	d->options.tree = scope_tree_name((enum scope_tree)v->cap->scope.scope_tree);
}

static void scopes_save(const struct view *v, struct kv *kv)
{
	sheet_save(&((const struct scopes_view *)v->state)->sheet, kv);
}

static void scopes_restore(struct view *v, const struct kv *kv)
{
	sheet_restore(scopes_sheet(v), kv);
}

static bool has_cores(const struct dump *d)
{
	return trace_has_plane(&d->trace, PLANE_TPU);
}

const struct view_ops view_scopes = {
	.id = "scopes",
	.title = "Scopes",
	.short_title = "Scopes",
	.of = "ops",
	.letter = 's',
	.scope = SCOPE_SCOPES,
	.needs = NEED_ANY,
	.any = has_cores,
	.frame = &frame_ops,
	.size = sizeof(struct scopes_view),
	.open = scopes_open,
	FRAME_SLOTS,
	.here = scopes_here,
	.show = scopes_show,
	.status = scopes_status,
	.close = scopes_close,
	.save = scopes_save,
	.restore = scopes_restore,
	.copy = frame_copy,
	.report = "scopes",
	.document = scopes_document,
};
