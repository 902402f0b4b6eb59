#include "config.h"
#include "view/memprof/memprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/app.h"
#include "core/results.h"
#include "report/write/writer.h"
#include "view/frames.h"
#include "widget/card.h"
#include "widget/text.h"

/* --- rows of the chosen device --- */

static void group_rows(struct memprof *s, const struct steps *steps)
{
	const struct memory_device *m = &s->events->device[s->device];

	table_begin(&s->table, &memprof_groups_schema);
	memprof_groups_table(s->events, s->device, &s->table);
	s->step = steps_group_label(steps, s->events->host, m->v[m->peak].step);
}

/* Row of the profile's devices. */
static size_t pprof_device(const struct memprof *s)
{
	return s->device ? s->device - 1 : SIZE_MAX;
}

static void tree_rows(struct memprof *s)
{
	s->node = pprof_tree(&s->pprof, pprof_device(s), &s->nnodes);
	s->nnodes = pprof_join(s->node, s->nnodes);
	pprof_calls_table(&s->pprof, pprof_device(s), s->node, s->nnodes, &s->table);
	s->parent = xcalloc(s->nnodes + 1, sizeof *s->parent);
	s->key = xcalloc(s->nnodes + 1, sizeof *s->key);
	for (size_t i = 0; i < s->nnodes; i++) {
		const struct pprof_node *n = &s->node[i];

		s->parent[i] = n->parent;
		s->key[i] = fold_key(n->parent == UINT32_MAX ? 1 : s->key[n->parent], n->function,
		    strlen(n->function), (unsigned)n->line);
	}
}

static enum memprof_table table_of(const struct memprof *s)
{
	return !s->has_pprof ? MEMPROF_GROUPS : s->stacks ? MEMPROF_STACKS : MEMPROF_TREE;
}

struct sheet *memprof_view_sheet(struct view *v)
{
	struct memprof *s = v->state;

	return &s->sheet[table_of(s)];
}

static void memprof_drop(struct view *v)
{
	struct memprof *s = v->state;

	for (size_t i = 0; i < MEMPROF_TABLES; i++)
		sheet_set(&s->sheet[i], NULL);
	table_free(&s->table);
	s->table = (struct table){ 0 };
	free(s->node);
	free(s->parent);
	free(s->key);
	s->node = NULL;
	s->parent = NULL;
	s->key = NULL;
	s->nnodes = 0;
	s->events = NULL;
}

size_t memprof_view_devices(const struct memprof *s)
{
	return s->has_pprof ? s->pprof.devices.nrows + 1 : s->events ? s->events->ndevices : 0;
}

const char *memprof_view_short_name(const char *name)
{
	return strncmp(name, "device ", 7) ? name : name + 7;
}

/* "TPU_0" of "TPU_0(process=0,(0,0,0,0))" */
static int device_cols(const struct cell *c)
{
	const char *paren = memchr(c->s, '(', c->n);

	return (int)(paren && paren > c->s ? (size_t)(paren - c->s) : c->n);
}

void memprof_view_device_name(const struct memprof *s, size_t i, char *buf, size_t size)
{
	const struct cell *c;

	if (!s->has_pprof) {
		const char *name = s->events->device[i].name;

		snprintf(buf, size, "%s%s", *name && !name[strspn(name, "0123456789")] ? "device " : "",
		    *name ? name : "(no name)");
		return;
	}
	if (!i) {
		snprintf(buf, size, "all");
		return;
	}
	c = s->pprof.devices.cells + (i - 1) * s->pprof.devices.ncolumns;
	snprintf(buf, size, "%.*s%s%.*s", c[0].type == CELL_STR ? device_cols(&c[0]) : 0,
	    c[0].type == CELL_STR ? c[0].s : "", c[0].type == CELL_STR && c[1].type == CELL_STR ? " " : "",
	    c[1].type == CELL_STR ? (int)c[1].n : 0, c[1].type == CELL_STR ? c[1].s : "");
}

static unsigned memprof_needs(const struct view *v)
{
	const struct memprof *s = v->state;

	return s->has_pprof || s->failed ? 0 : 1u << RESULT_MEMORY_PROFILE | 1u << RESULT_MEMORY_BESIDE;
}

static void memprof_take(struct view *v)
{
	struct memprof *s = v->state;

	if (memprof_needs(v))
		s->events = result_get(v->app, RESULT_MEMORY_PROFILE);
	s->beside = memprof_needs(v) ? result_get(v->app, RESULT_MEMORY_BESIDE) : NULL;
	if (!memprof_view_devices(s))
		return;
	if (s->device >= memprof_view_devices(s))
		s->device = 0;
	if (!s->has_pprof)
		group_rows(s, &v->cap->steps);
	else if (s->stacks)
		pprof_stacks_table(&s->pprof, pprof_device(s), &s->table);
	else
		tree_rows(s);
	sheet_set_rows(memprof_view_sheet(v),
	    &(struct sheet_rows){ .table = &s->table,
		.of = s->has_pprof ? NULL : s->events->device[s->device].group,
		.size = sizeof(struct memory_group),
		.parent = s->parent,
		.key = s->key });
}

/* Ready, but there may be nothing to show. */
static bool is_ready(struct view *v)
{
	return memprof_view_devices(v->state) > 0;
}

static void choose_device(struct view *v, size_t device)
{
	struct memprof *s = v->state;

	if (device == s->device || device >= memprof_view_devices(s))
		return;
	frame_renew(v);
	s->device = device;
}

/* --- life --- */

static int memprof_open(struct view *v)
{
	struct memprof *s = v->state;
	const struct toolfile *t =
	    memprof_any(v->cap->dump) ? NULL : toolfile_find(v->cap->dump, FILE_PPROF, NULL, NULL);
	struct err e = { .status = 0 };

	if (t) {
		s->has_pprof = !pprof_build(t, &s->pprof, &e);
		s->failed = !s->has_pprof;
		if (s->failed) {
			pprof_free(&s->pprof);
			snprintf(s->why, sizeof s->why, "%.190s", e.msg);
		}
	}
	sheet_open(&s->sheet[MEMPROF_GROUPS], &memprof_groups_schema, NULL, "bytes");
	sheet_open(&s->sheet[MEMPROF_TREE], &pprof_stacks_schema, "bytes share| allocations function source",
	    "bytes");
	sheet_open(&s->sheet[MEMPROF_STACKS], &pprof_stacks_schema, NULL, "bytes");
	for (size_t i = 0; i < MEMPROF_TABLES; i++)
		s->sheet[i].all = true;
	return 0;
}

static void memprof_close(struct view *v)
{
	struct memprof *s = v->state;

	frame_close(v);
	for (size_t i = 0; i < MEMPROF_TABLES; i++)
		sheet_free(&s->sheet[i]);
	if (s->has_pprof)
		pprof_free(&s->pprof);
}

static bool has_any_profile(const struct dump *d)
{
	return toolfile_find(d, FILE_PPROF, NULL, NULL) != NULL;
}

static void draw_nothing(struct view *v, struct canvas *c, struct rect a)
{
	const struct memprof *s = v->state;
	const char *why = s->failed ? s->why : memprof_missing(v->cap->dump);

	if (!s->failed && !s->events) {
		result_draw_what(v->app, RESULT_MEMORY_PROFILE, c, a);
		return;
	}
	canvas_str(c, a.y + 1, a.x + 2, a.w - 4, ROLE_BOLD, ATTR_BOLD,
	    s->failed ? "Not a memory profile." : "No memory events.");
	card_text(c, (struct rect){ a.y, a.x + 2, a.h, a.w > 84 ? 80 : a.w - 4 }, a.y + 3, 0, ROLE_TEXT, why,
	    strlen(why));
}

/* --- keys --- */

void memprof_view_views_next(struct view *v)
{
	const char *other = strcmp(v->ops->id, "memory") ? "memory" : "memory_profile";

	if (!app_view(v->app, other))
		app_say(v->app, "this capture has no other memory view");
	else
		app_go(v->app, other, NULL);
}

static void move_device(struct view *v, int by)
{
	const struct memprof *s = v->state;
	size_t n = memprof_view_devices(s), at = s->device + n;

	choose_device(v, (size_t)((int64_t)at + by % (int64_t)n) % n);
}

/* Says why a key that opens lines does nothing. */
static void say_flat(const struct view *v)
{
	const struct memprof *s = v->state;

	app_say(v->app,
	    s->has_pprof ? "these lines have no parts; the tree of stacks has them"
			 : "these lines have no parts; a device memory profile (memory.prof) has stacks");
}

static unsigned act_always(struct view *v, enum action a, int count)
{
	(void)count;
	if (a != ACT_MEMORY_VIEW)
		return ACT_PASS;
	memprof_view_views_next(v);
	return REACT_REDRAW;
}

static unsigned memprof_act(struct view *v, enum action a, int count)
{
	struct memprof *s = v->state;
	int n = count > 0 ? count : 1;

	switch (a) {
	case ACT_DEVICE_NEXT:
	case ACT_DEVICE_PREV:
		if (memprof_view_devices(s) < 2)
			app_say(v->app, "only one device is known here");
		move_device(v, a == ACT_DEVICE_NEXT ? n : -n);
		return REACT_REDRAW;
	case ACT_STACKS:
		if (!s->has_pprof) {
			app_say(v->app,
			    "the events have no stacks; a device memory profile (memory.prof) has them");
			return REACT_REDRAW;
		}
		frame_renew(v);
		s->stacks = !s->stacks;
		return REACT_REDRAW;
	case ACT_TOGGLE:
	case ACT_EXPAND:
	case ACT_COLLAPSE:
	case ACT_EXPAND_ALL:
		if (table_of(s) == MEMPROF_TREE)
			return ACT_PASS;
		say_flat(v);
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

static unsigned memprof_press(struct view *v, const struct mouse *m)
{
	const struct memprof *s = v->state;
	int tab = tabs_at(&s->tabs, m);

	if (tab < 0)
		return ACT_PASS;
	choose_device(v, (size_t)tab);
	return REACT_REDRAW;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_MEMPROF],
	.needs = memprof_needs,
	.take = memprof_take,
	.drop = memprof_drop,
	.ready = is_ready,
	.draw_nothing = draw_nothing,
	.sheet = memprof_view_sheet,
	.main = memprof_view_draw,
	.card = memprof_view_card,
	.act_always = act_always,
	.act = memprof_act,
	.press = memprof_press };

/* --- links, text --- */

/* The moment of the peak, for the timeline. */
static struct ref memprof_here(const struct view *v)
{
	const struct memprof *s = v->state;
	struct ref r = REF_EMPTY;

	if (!frame_ready(v) || s->has_pprof)
		return r;
	r.kind = REF_TIME;
	r.t0 = r.t1 = s->events->device[s->device].v[s->events->device[s->device].peak].t;
	r.host = s->events->host;
	return r;
}

static int memprof_show(struct view *v, const struct ref *r)
{
	(void)v;
	return r->kind == REF_CORE || r->kind == REF_NONE ? 0 : -1;
}

static void memprof_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct memprof *s = v->state;
	const struct memory_device *m;
	int64_t named = 0;
	char part[24], all[24];

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	sheet_status(memprof_view_sheet((struct view *)v), left, size);
	if (s->has_pprof)
		return;
	m = &s->events->device[s->device];
	for (size_t i = 0; i < m->ngroups; i++)
		named += m->group[i].event ? m->group[i].bytes : 0;
	snprintf(right, size, "events of the capture explain %s of %s",
	    text_bytes(part, sizeof part, (double)named),
	    text_bytes(all, sizeof all, (double)memprof_event_use(&m->v[m->peak])));
}

static void title_right(const struct view *v, char *buf, size_t size)
{
	const struct memprof *s = v->state;
	char name[96];

	*buf = 0;
	if (!frame_ready(v))
		return;
	memprof_view_device_name(s, s->device, name, sizeof name);
	snprintf(buf, size, "%s", name);
}

static const char *memprof_table(const struct view *v)
{
	return ((const struct memprof *)v->state)->has_pprof ? "stacks" : "groups";
}

static void memprof_save(const struct view *v, struct kv *kv)
{
	sheet_save(memprof_view_sheet((struct view *)v), kv);
}

static void memprof_restore(struct view *v, const struct kv *kv)
{
	sheet_restore(memprof_view_sheet(v), kv);
}

const struct view_ops view_memprof = {
	.id = "memory_profile",
	.title = "Memory profile",
	.short_title = "MemProf",
	.letter = 'M',
	.of = "memory",
	.scope = SCOPE_MEMPROF,
	.needs = NEED_TRACE,
	.any = has_any_profile,
	.frame = &frame_ops,
	.size = sizeof(struct memprof),
	.open = memprof_open,
	FRAME_SLOTS,
	.here = memprof_here,
	.show = memprof_show,
	.status = memprof_status,
	.title_right = title_right,
	.close = memprof_close,
	.save = memprof_save,
	.restore = memprof_restore,
	.copy = frame_copy,
	.report = "memory_profile",
	.table = memprof_table,
};
