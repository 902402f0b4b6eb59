#include "config.h"
#include "view/memprof/memprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/app.h"
#include "core/results.h"
#include "report/warnings.h"
#include "view/frames.h"
#include "widget/card.h"

const struct sheet_column memprof_active_columns[] = {
	{ "allocationBytes", "allocated", 15, 0, SHEET_PLAIN, false },
	{ "share", "share", 7, 4, SHEET_PERCENT, false },
	{ "numOccurrences", "count", 6, 3, SHEET_PLAIN, false },
	{ "requestedBytes", "requested", 15, 5, SHEET_PLAIN, false },
	{ "tfOpName", "op", -16, 0, SHEET_LEFT, false },
	{ "dataType", "type", 8, 6, SHEET_PLAIN, false },
	{ "tensorShape", "shape", 18, 2, SHEET_PLAIN, false },
	{ "regionType", "region", 12, 7, SHEET_PLAIN, true },
	{ "stepId", "step", 8, 1, SHEET_PLAIN, true },
};
const size_t memprof_nactive = sizeof memprof_active_columns / sizeof *memprof_active_columns;

const struct sheet_column memprof_tree_columns[] = {
	{ "bytes", "bytes", 15, 0, SHEET_PLAIN, false },
	{ "share", "share", 7, 1, SHEET_PERCENT, false },
	{ "bar", "", 10, 3, SHEET_BAR, false },
	{ "allocations", "count", 6, 2, SHEET_PLAIN, false },
	{ "function", "function", -20, 0, SHEET_TREE, false },
	{ "source", "source", 26, 4, SHEET_LEFT, false },
};
const size_t memprof_ntree = sizeof memprof_tree_columns / sizeof *memprof_tree_columns;

const struct sheet_column memprof_stack_columns[] = {
	{ "bytes", "bytes", 15, 0, SHEET_PLAIN, false },
	{ "share", "share", 7, 2, SHEET_PERCENT, false },
	{ "allocations", "count", 6, 1, SHEET_PLAIN, false },
	{ "kind", "kind", 10, 5, SHEET_PLAIN, false },
	{ "function", "function", -18, 0, SHEET_PLAIN, false },
	{ "source", "source", 26, 3, SHEET_LEFT, false },
	{ "depth", "depth", 5, 6, SHEET_PLAIN, false },
};
const size_t memprof_nstack = sizeof memprof_stack_columns / sizeof *memprof_stack_columns;

static const struct column active_columns[] = {
	{ "allocationBytes", "allocated", "B", COL_INTEGER },
	{ "share", "%", "fraction", COL_NUMBER },
	{ "numOccurrences", "count", "", COL_INTEGER },
	{ "requestedBytes", "requested", "B", COL_INTEGER },
	{ "tfOpName", "op", "", COL_STRING },
	{ "dataType", "type", "", COL_STRING },
	{ "tensorShape", "shape", "", COL_STRING },
	{ "regionType", "region", "", COL_STRING },
	{ "stepId", "step", "", COL_INTEGER },
};

static const struct column tree_columns[] = {
	{ "bytes", "bytes", "B", COL_INTEGER },
	{ "share", "%", "fraction", COL_NUMBER },
	{ "bar", "", "fraction", COL_NUMBER },
	{ "allocations", "count", "", COL_INTEGER },
	{ "function", "function", "", COL_STRING },
	{ "source", "source", "", COL_STRING },
};

static const struct column stack_columns[] = {
	{ "bytes", "bytes", "B", COL_INTEGER },
	{ "share", "%", "fraction", COL_NUMBER },
	{ "allocations", "count", "", COL_INTEGER },
	{ "kind", "kind", "", COL_STRING },
	{ "function", "function", "", COL_STRING },
	{ "source", "source", "", COL_STRING },
	{ "depth", "depth", "", COL_INTEGER },
};

/* --- rows of the device chosen --- */

static struct cell share(int64_t part, int64_t whole)
{
	return whole > 0 ? cell_num((double)part / (double)whole) : cell_null();
}

static struct cell source_cell(struct table *t, const char *file, int64_t line)
{
	char *text;
	struct cell c;

	if (!*file)
		return cell_null();
	text = line > 0 ? xasprintf("%s:%lld", file, (long long)line) : xstrdup(file);
	c = table_text(t, text);
	free(text);
	return c;
}

static void active_rows(struct memprof *s, const struct steps *steps)
{
	static const char *const same[] = { "allocationBytes", NULL, "numOccurrences", "requestedBytes",
		"tfOpName", "dataType", "tensorShape", "regionType", "stepId" };
	const struct memory_device *m = &s->events->device[s->device];
	const struct table *from = &s->events->active;
	int64_t use = memprof_event_use(&m->v[m->peak]);

	table_init(&s->table, active_columns, sizeof active_columns / sizeof *active_columns);
	for (size_t i = 0; i < m->nactive; i++) {
		const struct cell *row = from->cells + (m->first_active + i) * from->ncolumns;
		struct cell *c = table_row(&s->table);
		int bytes = table_column(from, "allocationBytes"),
		    count = table_column(from, "numOccurrences");

		for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
			const struct cell *own = same[k] ? &row[table_column(from, same[k])] : NULL;

			if (own && (own->type != CELL_STR || own->n))
				c[k] = *own;
		}
		c[1] = use > 0 ? cell_num((double)row[bytes].u.i * (double)row[count].u.i / (double)use)
			       : cell_null();
	}
	memprof_label_steps(&s->table, steps, s->events->host);
	s->step = steps_group_label(steps, s->events->host, m->v[m->peak].step);
}

static int64_t total_of(const struct memprof *s)
{
	const struct table *t = &s->pprof.devices;

	return s->device ? t->cells[(s->device - 1) * t->ncolumns + table_column(t, "bytes")].u.i
			 : facts_get(&s->pprof.summary, "bytes")->u.i;
}

static void tree_rows(struct memprof *s)
{
	int64_t total = total_of(s);

	s->node = pprof_tree(&s->pprof, s->device ? s->device - 1 : SIZE_MAX, &s->nnodes);
	table_init(&s->table, tree_columns, sizeof tree_columns / sizeof *tree_columns);
	s->parent = xcalloc(s->nnodes + 1, sizeof *s->parent);
	s->key = xcalloc(s->nnodes + 1, sizeof *s->key);
	for (size_t i = 0; i < s->nnodes; i++) {
		const struct pprof_node *n = &s->node[i];
		struct cell *c = table_row(&s->table);
		const char *name = *n->function ? n->function : "(unknown)";

		s->parent[i] = n->parent;
		s->key[i] = fold_key(n->parent == UINT32_MAX ? 1 : s->key[n->parent], name, strlen(name),
		    (unsigned)n->line);
		c[0] = cell_int(n->bytes);
		c[1] = c[2] = share(n->bytes, total);
		c[3] = cell_int(n->allocations);
		c[4] = table_text(&s->table, name);
		c[5] = source_cell(&s->table, n->file, n->line);
	}
}

static void stack_rows(struct memprof *s)
{
	const struct table *from = &s->pprof.stacks;
	int64_t total = total_of(s);

	table_init(&s->table, stack_columns, sizeof stack_columns / sizeof *stack_columns);
	s->of = xcalloc(from->nrows + 1, sizeof *s->of);
	for (size_t i = 0; i < from->nrows; i++) {
		const struct cell *row = from->cells + i * from->ncolumns;
		struct cell *c;

		if (s->device && s->pprof.stack[i].device + 1 != s->device)
			continue;
		s->of[s->nof++] = i;
		c = table_row(&s->table);
		c[0] = row[4];
		c[1] = share(row[4].u.i, total);
		c[2] = row[3];
		c[3] = row[2];
		c[4] = row[5];
		c[5] = row[6].type == CELL_STR
		    ? source_cell(&s->table, row[6].s, row[7].type == CELL_INT ? row[7].u.i : 0)
		    : cell_null();
		c[6] = row[8];
	}
}

static enum memprof_table table_of(const struct memprof *s)
{
	return !s->has_pprof ? MEMPROF_ACTIVE : s->stacks ? MEMPROF_STACKS : MEMPROF_TREE;
}

struct sheet *memprof_sheet(struct view *v)
{
	struct memprof *s = v->state;

	return &s->sheet[table_of(s)];
}

static void drop(struct view *v)
{
	struct memprof *s = v->state;

	for (size_t i = 0; i < MEMPROF_TABLES; i++)
		sheet_set(&s->sheet[i], NULL);
	table_free(&s->table);
	s->table = (struct table){ 0 };
	free(s->node);
	free(s->of);
	free(s->parent);
	free(s->key);
	s->node = NULL;
	s->of = NULL;
	s->parent = NULL;
	s->key = NULL;
	s->nnodes = s->nof = 0;
	s->events = NULL;
}

size_t memprof_devices(const struct memprof *s)
{
	return s->has_pprof ? s->pprof.devices.nrows + 1 : s->events ? s->events->ndevices : 0;
}

void memprof_device_name(const struct memprof *s, size_t i, char *buf, size_t size)
{
	const struct cell *c;

	if (!s->has_pprof) {
		snprintf(buf, size, "%s",
		    *s->events->device[i].name ? s->events->device[i].name : "(no name)");
		return;
	}
	if (!i) {
		snprintf(buf, size, "all");
		return;
	}
	c = s->pprof.devices.cells + (i - 1) * s->pprof.devices.ncolumns;
	snprintf(buf, size, "%.*s%s%.*s", c[0].type == CELL_STR ? (int)c[0].n : 0,
	    c[0].type == CELL_STR ? c[0].s : "", c[0].type == CELL_STR && c[1].type == CELL_STR ? " " : "",
	    c[1].type == CELL_STR ? (int)c[1].n : 0, c[1].type == CELL_STR ? c[1].s : "");
}

static unsigned needs(const struct view *v)
{
	const struct memprof *s = v->state;

	return s->has_pprof || s->failed ? 0 : 1u << RESULT_MEMORY_PROFILE;
}

static void take(struct view *v)
{
	struct memprof *s = v->state;

	if (needs(v))
		s->events = result_get(v->app, RESULT_MEMORY_PROFILE);
	if (!memprof_devices(s))
		return;
	if (s->device >= memprof_devices(s))
		s->device = 0;
	if (!s->has_pprof)
		active_rows(s, &v->app->steps);
	else if (s->stacks)
		stack_rows(s);
	else
		tree_rows(s);
	sheet_set_rows(memprof_sheet(v),
	    &(struct sheet_rows){ &s->table, s->of, sizeof *s->of, s->parent, s->key });
}

/* There may be nothing to show in what is there. */
static bool is_ready(struct view *v)
{
	return memprof_devices(v->state) > 0;
}

static void choose_device(struct view *v, size_t device)
{
	struct memprof *s = v->state;

	if (device == s->device || device >= memprof_devices(s))
		return;
	frame_renew(v);
	s->device = device;
}

/* --- life --- */

static int memprof_open(struct view *v)
{
	struct memprof *s = v->state;
	const struct toolfile *t =
	    memprof_any(v->app->dump) ? NULL : toolfile_find(v->app->dump, FILE_PPROF, NULL, NULL);
	struct err e = { .status = 0 };

	if (t) {
		s->has_pprof = !pprof_build(t, &s->pprof, &e);
		s->failed = !s->has_pprof;
		if (s->failed) {
			pprof_free(&s->pprof);
			snprintf(s->why, sizeof s->why, "%.190s", e.msg);
		}
	}
	sheet_init(&s->sheet[MEMPROF_ACTIVE], memprof_active_columns, memprof_nactive, NULL);
	sheet_init(&s->sheet[MEMPROF_TREE], memprof_tree_columns, memprof_ntree, NULL);
	sheet_init(&s->sheet[MEMPROF_STACKS], memprof_stack_columns, memprof_nstack, NULL);
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
	const char *why = s->failed ? s->why : memprof_missing(v->app->dump);

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

void memory_views_next(struct view *v)
{
	const char *other = strcmp(v->ops->id, "memory") ? "memory" : "memory_profile";

	if (!app_view(v->app, other))
		app_message(v->app, false, "no other view of memory in this capture");
	else
		app_go(v->app, other, NULL);
}

static void move_device(struct view *v, int by)
{
	const struct memprof *s = v->state;
	size_t n = memprof_devices(s), at = s->device + n;

	choose_device(v, (size_t)((int64_t)at + by % (int64_t)n) % n);
}

static unsigned act_always(struct view *v, enum action a, int count)
{
	(void)count;
	if (a != ACT_MEMORY_VIEW)
		return ACT_PASS;
	memory_views_next(v);
	return REACT_REDRAW;
}

static unsigned act(struct view *v, enum action a, int count)
{
	struct memprof *s = v->state;
	int n = count > 0 ? count : 1;

	switch (a) {
	case ACT_DEVICE_NEXT:
	case ACT_DEVICE_PREV:
		move_device(v, a == ACT_DEVICE_NEXT ? n : -n);
		return REACT_REDRAW;
	case ACT_STACKS:
		if (!s->has_pprof) {
			app_message(v->app, false,
			    "the events have no stacks: a device memory profile has (memory.prof)");
			return REACT_REDRAW;
		}
		frame_renew(v);
		s->stacks = !s->stacks;
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

static unsigned press(struct view *v, const struct mouse *m)
{
	const struct memprof *s = v->state;

	for (size_t i = 0; m->y == s->tabs_y && i < s->ntabs; i++)
		if (m->x >= s->tabs_x[i] && m->x < s->tabs_x[i + 1]) {
			choose_device(v, i);
			return REACT_REDRAW;
		}
	return ACT_PASS;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_MEMPROF],
	.needs = needs,
	.take = take,
	.drop = drop,
	.ready = is_ready,
	.draw_nothing = draw_nothing,
	.sheet = memprof_sheet,
	.main = memprof_draw,
	.card = memprof_card,
	.act_always = act_always,
	.act = act,
	.press = press };

/* --- links, text --- */

/* The moment of the peak, for the timeline. */
static struct ref here(const struct view *v)
{
	const struct memprof *s = v->state;
	struct ref r = { .kind = REF_NONE, .track = UINT32_MAX, .file = -1, .host = -1, .core = -1 };

	if (!frame_ready(v) || s->has_pprof)
		return r;
	r.kind = REF_TIME;
	r.t0 = r.t1 = s->events->device[s->device].v[s->events->device[s->device].peak].t;
	r.host = s->events->host;
	return r;
}

static int show(struct view *v, const struct ref *r)
{
	(void)v;
	return r->kind == REF_CORE || r->kind == REF_NONE ? 0 : -1;
}

static void status(const struct view *v, char *left, char *right, size_t size)
{
	*right = 0;
	if (frame_ready(v))
		sheet_status(memprof_sheet((struct view *)v), left, size);
	else
		*left = 0;
}

static void title_right(const struct view *v, char *buf, size_t size)
{
	const struct memprof *s = v->state;
	char name[96];

	*buf = 0;
	if (!frame_ready(v))
		return;
	memprof_device_name(s, s->device, name, sizeof name);
	snprintf(buf, size, s->has_pprof ? "%s" : "device %s", name);
}

static int copy(struct view *v, FILE *out)
{
	return frame_ready(v) ? sheet_copy(memprof_sheet(v), out) : -1;
}

/* Of people's steps. */
static void put_events(struct report *r, const char *name, const struct table *t, const struct view *v)
{
	struct table called;

	table_init_like(&called, t);
	if (report_for_people(r))
		memprof_label_steps(&called, &v->app->steps,
		    ((const struct memprof *)v->state)->events->host);
	report_whole(r, name, &called);
	table_free(&called);
}

static void export(struct view *v, struct report *r)
{
	const struct memprof *s = v->state;

	if (!frame_ready(v)) {
		report_warning(r, "%s", s->failed ? s->why : memprof_missing(v->app->dump));
		return;
	}
	report_dump_warnings(r, v->app->dump);
	report_facts(r, s->has_pprof ? &s->pprof.summary : &s->events->summary);
	report_whole(r, "devices", s->has_pprof ? &s->pprof.devices : &s->events->devices);
	if (s->has_pprof) {
		report_whole(r, "stacks", &s->pprof.stacks);
		return;
	}
	put_events(r, "active", &s->events->active, v);
	put_events(r, "timeline", &s->events->timeline, v);
}

static const char *table(const struct view *v)
{
	return ((const struct memprof *)v->state)->has_pprof ? "stacks" : "active";
}

static void save(const struct view *v, struct kv *kv)
{
	sheet_save(memprof_sheet((struct view *)v), kv);
}

static void restore(struct view *v, const struct kv *kv)
{
	sheet_restore(memprof_sheet(v), kv);
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
	.draw = frame_draw,
	.act = frame_act,
	.find = frame_find,
	.find_status = frame_find_status,
	.filter = frame_filter,
	.here = here,
	.show = show,
	.status = status,
	.title_right = title_right,
	.close = memprof_close,
	.mouse = frame_mouse,
	.save = save,
	.restore = restore,
	.copy = copy,
	.export = export,
	.table = table,
};
