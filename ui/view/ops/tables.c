#include "config.h"
#include "view/ops/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/compare.h"
#include "base/text/units.h"
#include "core/choice.h"
#include "core/overlay.h"
#include "core/results.h"
#include "model/toolfile.h"
#include "report/warnings.h"
#include "view/frames.h"
#include "widget/card.h"

/* rows that a view needs to show a warning; of the card when there are charts below it, and of these */
enum { NOTE_LEAST = 12, NOTE_ROWS = 2, CARD_ROWS = 22, CHART_ROWS = 8 };

/* --- the table and the row selected --- */

const struct cell *ops_view_table_cell(const struct op_table *t, size_t row, const char *column)
{
	const struct table *table = t->sheet.table;
	int at = table ? table_column(table, column) : -1;

	return at < 0 || row >= table->nrows ? NULL : &table->cells[row * table->ncolumns + (size_t)at];
}

strid ops_view_named(const struct dump *d, const struct ref *ref)
{
	const struct trace *t = &d->trace;

	if (ref->kind == REF_OP || ref->kind == REF_NAME)
		return ref->name;
	if (ref->kind != REF_EVENT || ref->track >= t->ntracks || ref->event >= t->tracks[ref->track].n)
		return 0;
	return t->metas[track_meta(&t->tracks[ref->track], ref->event)].name;
}

/* The name of an op in the table of framework ops. */
static struct slice framework_of(const struct dump *d, const struct op *o)
{
	struct slice name = dump_text(d, o->name), type;

	if (o->provenance.n)
		framework_parse(o->provenance, &name, &type);
	return name;
}

/* The op of the database that a row stands for: the most expensive of a framework op; NULL = not a device
 * op. */
static const struct op *op_of_row(const struct view *v, size_t row)
{
	const struct op_table *t = v->state;
	const struct cell *name = ops_view_table_cell(t, row, t->form->name),
			  *where = ops_view_table_cell(t, row, "host_or_device");

	if (row == SIZE_MAX || !t->db || !name)
		return NULL;
	if (!t->form->framework)
		return sheet_of(&t->sheet, row);
	for (size_t i = 0; where && where->n == strlen("Device") && i < t->db->n; i++) {
		struct slice framework = framework_of(v->cap->dump, &t->db->v[i]);

		if (framework.n == name->n && !memcmp(framework.s, name->s, name->n))
			return &t->db->v[i];
	}
	return NULL;
}

/* Key of the row of an op; NULL = not in the database. */
static char *key_of_op(const struct view *v, strid name, uint64_t program)
{
	const struct op_table *t = v->state;
	const struct opdb *db = t->db;

	for (size_t i = 0; i < db->n; i++) {
		const struct op *o = &db->v[i];
		struct slice text = op_short_name(v->cap->dump, o);

		if (o->name != name || (program && o->program != program))
			continue;
		if (!t->form->framework)
			return xasprintf("%" PRIu64 " %.*s", o->program, (int)text.n, text.s);
		text = framework_of(v->cap->dump, o);
		return xstrndup(text.s, text.n);
	}
	return NULL;
}

static bool go_to_op(struct view *v, const struct ref *ref)
{
	struct op_table *t = v->state;
	char *key = key_of_op(v, ops_view_named(v->cap->dump, ref), ref->kind == REF_OP ? ref->program : 0);
	bool there = key && sheet_show_named(&t->sheet, key);

	free(key);
	return there;
}

static void op_table_take(struct view *v)
{
	struct op_table *t = v->state;
	const struct framework_set *set = t->form->framework ? result_get(v->app, RESULT_FRAMEWORK) : NULL;

	t->db = ((const struct op_set *)result_get(v->app, RESULT_TABLE_OPS))->db;
	t->tool = set ? set->file : NULL;
	if (set)
		sheet_set(&t->sheet, &set->table[t->idle]);
	else
		sheet_set_rows(&t->sheet,
		    &(struct sheet_rows){ .table = result_get(v->app, RESULT_HLO_TABLE),
			.of = t->db->v,
			.size = sizeof *t->db->v });
}

static void op_table_drop(struct view *v)
{
	struct op_table *t = v->state;

	ops_charts_free(&t->charts);
	sheet_set(&t->sheet, NULL);
	t->db = NULL;
	t->tool = NULL;
}

/* Cells of the rows of the sheet, of those of all ops. */
static void pick_deltas(struct view *v, const struct table *all)
{
	struct op_table *t = v->state;

	table_free(&t->beside);
	table_begin(&t->beside, all->schema);
	for (size_t i = 0; i < t->sheet.table->nrows; i++) {
		const struct op *o = t->op_of_row(v, i);
		struct cell *row = table_row(&t->beside);

		if (o)
			memcpy(row, table_at(all, (size_t)(o - t->db->v), 0), all->ncolumns * sizeof *row);
	}
	sheet_beside(&t->sheet, &t->beside);
}

/* What each row takes more than in the capture to compare with, as soon as that is known. */
static void take_deltas(struct view *v)
{
	struct op_table *t = v->state;
	const struct deltas *d = result_get(v->app, RESULT_DELTAS);

	if (!d || t->sheet.beside)
		return;
	if (!t->form->framework && d->ops.nrows == t->db->n)
		pick_deltas(v, &d->ops);
	else if (t->form->framework && d->framework[t->idle].nrows == t->sheet.table->nrows)
		sheet_beside(&t->sheet, &d->framework[t->idle]);
}

bool ops_view_table_ready(struct view *v)
{
	struct op_table *t = v->state;
	struct ref want = t->want;

	if (v->cap->nagainst)
		take_deltas(v);
	t->want.kind = REF_NONE;
	if (want.kind == REF_NONE || t->go_to(v, &want))
		return true;
	if (v->cap->scope.program) { /* it may be of another module: search all */
		t->want = want;
		choice_all_modules(v->app);
		return false;
	}
	app_say(v->app, "the selection is not in %s", v->ops->title);
	return true;
}

void ops_view_missing(const struct dump *d, const struct opdb *db, char *buf, size_t size)
{
	const char *lack = op_lack(d);

	*buf = 0;
	if (lack)
		snprintf(buf, size, "%s", lack);
	else if (!db->n && db->dropped)
		snprintf(buf, size,
		    "ops without program_id or symbol_id are not counted: capture with HLO protos");
	else if (db->n && db->no_flops == db->n && db->no_bytes == db->n)
		snprintf(buf, size,
		    "no op has the stats flops and bytes_accessed: no rates; capture with the compiler's "
		    "costs");
	else if (db->n && (db->no_flops == db->n || db->no_bytes == db->n))
		snprintf(buf, size,
		    "no op has the stat %s: those rates are unknown (–); capture with the compiler's costs",
		    db->no_flops == db->n ? "flops" : "bytes_accessed");
	else if (!db->peaks.assumed && (!(db->peaks.tflops > 0) || !(db->peaks.bw[PEAK_HBM] > 0)))
		snprintf(buf, size,
		    "peaks unknown: give --peaks TFLOPS,GBPS (no plane stats peak_teraflops_per_second, "
		    "peak_hbm_bw_gigabytes_per_second)");
}

struct rect ops_view_note(struct canvas *c, struct rect a, const char *text)
{
	struct rect r = a;

	if (!*text || a.h < NOTE_LEAST)
		return a;
	r.h = card_text_rows(a.w - 2, text, strlen(text));
	r.h = r.h > NOTE_ROWS ? NOTE_ROWS : r.h;
	card_text(c, r, a.y, 0, ROLE_WARN, text, strlen(text));
	return (struct rect){ a.y + r.h, a.x, a.h - r.h, a.w };
}

/* Shows what is missing in the capture, or which file was used instead. */
static struct rect say_source(struct view *v, struct canvas *c, struct rect a)
{
	const struct op_table *t = v->state;
	char buf[256], of[80];

	if (!t->tool)
		ops_view_missing(v->cap->dump, t->db, buf, sizeof buf);
	else if (t->sheet.table->nrows)
		snprintf(buf, sizeof buf, "%s: %s", result_of_file(v->app, FILE_FRAMEWORK_OPS, of, sizeof of),
		    v->cap->dump->files[t->tool->file].base);
	else
		snprintf(buf, sizeof buf, "the file has no table %s idle time: %s",
		    t->idle ? "with" : "without", v->cap->dump->files[t->tool->file].base);
	return ops_view_note(c, a, buf);
}

/* --- life --- */

void ops_view_table_init(struct op_table *t, const struct op_form *form, const char *sort, bool against)
{
	t->form = form;
	sheet_open(&t->sheet, form->schema, NULL, sort);
	if (against)
		sheet_add(&t->sheet, &diff_delta_schema, "total_self_time");
	t->sheet.find_all = true;
	if (form->program)
		sheet_name(&t->sheet, form->program, form->name);
	else
		sheet_name(&t->sheet, form->name, NULL);
}

static int open_table(struct view *v, const struct op_form *form, const char *sort)
{
	struct op_table *t = v->state;

	ops_view_table_init(t, form, sort, v->cap->nagainst);
	t->go_to = go_to_op;
	t->op_of_row = op_of_row;
	return 0;
}

static int open_hlo(struct view *v)
{
	return open_table(v, &op_form_hlo, "total_self_time");
}

static int open_framework(struct view *v)
{
	return open_table(v, &op_form_framework, NULL);
}

static void op_table_close(struct view *v)
{
	struct op_table *t = v->state;

	frame_close(v);
	sheet_free(&t->sheet);
	table_free(&t->beside);
}

static void op_table_save(const struct view *v, struct kv *kv)
{
	const struct op_table *t = v->state;

	sheet_save(&t->sheet, kv);
	if (t->idle)
		kv_put_int(kv, "idle", 1);
	if (t->only_charts)
		kv_put_int(kv, "charts", 1);
}

static void op_table_restore(struct view *v, const struct kv *kv)
{
	struct op_table *t = v->state;
	int64_t idle, charts;

	sheet_restore(&t->sheet, kv);
	t->idle = t->form->framework && kv_get_int(kv, "idle", &idle) && idle;
	t->only_charts = kv_get_int(kv, "charts", &charts) && charts;
}

/* --- drawing --- */

static void draw_table(struct view *v, struct canvas *c, struct rect r)
{
	sheet_draw(ops_view_sheet(v), c, r);
}

/* Below the card of the row there are charts where there is room. */
static int draw_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	struct op_table *t = v->state;
	struct rect card = r;
	int rows;

	ops_charts_make(&t->charts, t, v->cap->dump);
	if (t->only_charts && how == FRAME_BELOW) {
		card_rule(c, r, r.y++, "time of the rows", "");
		r.h--;
	}
	if (t->only_charts)
		return ops_charts_draw(&t->charts, t, c, r, how == FRAME_BELOW);
	rows = ops_charts_rows(&t->charts);
	rows = rows < r.h / 2 ? rows : r.h / 2;
	rows = rows < r.h - CARD_ROWS ? rows : r.h - CARD_ROWS;
	if (how == FRAME_BESIDE && rows >= CHART_ROWS) {
		card.h -= rows + 1;
		ops_charts_draw(&t->charts, t, c, (struct rect){ r.y + r.h - rows, r.x, rows, r.w }, false);
	}
	return ops_view_profile_card_draw(v, c, card, how);
}

static void card_title(struct view *v, char *title, char *right, size_t size)
{
	const struct op_table *t = v->state;

	if (t->only_charts)
		snprintf(title, size, "time of the rows");
	else
		ops_view_profile_card_title(v, title, right, size);
}

struct sheet *ops_view_sheet(struct view *v)
{
	return &((struct op_table *)v->state)->sheet;
}

bool ops_view_has_row(struct view *v)
{
	return sheet_row(ops_view_sheet(v)) != SIZE_MAX;
}

static void op_table_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct op_table *t = v->state;
	bool ascii = v->app->glyphs->ascii;
	char peaks[96] = "";
	size_t n;

	if (!frame_ready(v))
		return;
	sheet_status(&t->sheet, left, size);
	n = strlen(left);
	if (t->form->framework)
		snprintf(left + n, size - n, "   idle %s", t->idle ? "included" : "excluded");
	if (t->db->peaks.assumed)
		snprintf(peaks, sizeof peaks, "peaks assumed: %.0f TFLOP/s, %.0f GB/s   ",
		    t->db->peaks.tflops, t->db->peaks.bw[PEAK_HBM]);
	if (!t->sheet.list.n)
		return;
	n = (size_t)snprintf(right, size, "%s", peaks);
	ops_view_table_sum(t, ascii, right + n, size - n);
}

static void op_table_title(const struct view *v, char *buf, size_t size)
{
	const struct op_table *t = v->state;
	char chosen[128];
	double custom;

	if (!frame_ready(v))
		return;
	choice_text(v->app, chosen, sizeof chosen);
	custom = tables_custom_calls(t->db);
	if (custom >= 10)
		snprintf(buf, size, "%scustom calls %.1f %% of op time: their FLOPs are not counted", chosen,
		    custom);
	else
		snprintf(buf, size, "%s", chosen);
}

/* --- acting --- */

static unsigned toggle_idle(struct view *v)
{
	struct op_table *t = v->state;

	if (!t->form->framework) {
		app_say(v->app, "this table has no idle row; see framework ops");
		return REACT_REDRAW;
	}
	t->idle = !t->idle;
	frame_renew(v);
	return REACT_REDRAW;
}

void ops_view_views_next(struct view *v)
{
	static const char *const ids[] = { "ops", "hlo_stats", "framework_ops", "roofline" };
	enum { N = sizeof ids / sizeof *ids };
	struct ref ref = v->ops->here ? v->ops->here(v) : (struct ref){ 0 };
	size_t at = 0;

	while (at < N && strcmp(ids[at], v->ops->id))
		at++;
	for (size_t i = 1; i < N; i++) {
		const char *id = ids[(at + i) % N];

		if (!app_view(v->app, id))
			continue;
		app_go(v->app, id, ref.kind == REF_NONE ? NULL : &ref);
		return;
	}
	app_say(v->app, "no other table of ops in this capture");
}

unsigned ops_view_act_always(struct view *v, enum action a, int count)
{
	(void)count;
	if (a == ACT_OP_TABLE || a == ACT_ROOF_NEXT)
		ops_view_views_next(v);
	else if (a == ACT_CORE)
		choice_core(v->app);
	else if (a == ACT_MODULE)
		choice_module(v->app);
	else
		return ACT_PASS;
	return REACT_REDRAW;
}

static unsigned op_table_act(struct view *v, enum action a, int count)
{
	struct op_table *t = v->state;

	(void)count;
	if (a == ACT_CHARTS) {
		t->only_charts = !t->only_charts;
		return REACT_REDRAW;
	}
	if (t->frame.full)
		return ACT_PASS;
	if (a == ACT_BACK && t->sheet.filter && !t->sheet.find)
		sheet_filter(&t->sheet, "", NULL);
	else
		return a == ACT_IDLE ? toggle_idle(v) : ACT_PASS;
	return REACT_REDRAW;
}

/* --- links --- */

struct ref ops_view_table_here(const struct view *v)
{
	const struct op_table *t = v->state;
	struct ref ref = REF_EMPTY;
	const struct op *op = frame_ready(v) ? t->op_of_row(v, sheet_row(&t->sheet)) : NULL;

	if (op) {
		ref.kind = REF_OP;
		ref.name = op->name;
		ref.program = op->program;
	}
	return ref;
}

int ops_view_table_show(struct view *v, const struct ref *ref)
{
	struct op_table *t = v->state;

	if (!ops_view_named(v->cap->dump, ref))
		return -1;
	if (!frame_ready(v)) {
		t->want = *ref;
		return 0;
	}
	frame_close_card(v);
	if (t->go_to(v, ref))
		return 0;
	if (!v->cap->scope.program)
		return -1;
	t->want = *ref; /* of another module: wait for the table of all */
	choice_all_modules(v->app);
	return 0;
}

/* --- text and files --- */

int ops_view_table_copy(struct view *v, FILE *out)
{
	const struct op_table *t = v->state;
	size_t row;

	if (!frame_ready(v) || (row = sheet_row(&t->sheet)) == SIZE_MAX)
		return -1;
	for (size_t i = 0; i < t->sheet.table->ncolumns; i++) {
		const struct column *col = &t->sheet.table->columns[i];
		const struct cell *c = &t->sheet.table->cells[row * t->sheet.table->ncolumns + i];

		if (c->type == CELL_STR && c->n)
			fprintf(out, "%-18s %.*s\n", col->label, (int)c->n, c->s);
		else if (c->type == CELL_INT)
			fprintf(out, "%-18s %" PRId64 "\n", col->label, c->u.i);
		else if (c->type == CELL_NUM)
			fprintf(out, "%-18s %.6g %s\n", col->label, c->u.d, col->unit);
	}
	return 0;
}

#define TABLE_FRAME(needed) \
	{ \
		.form = &frame_forms[FORM_OP_TABLE], .results = 1u << RESULT_TABLE_OPS | 1u << (needed), \
		.take = op_table_take, .drop = op_table_drop, .ready = ops_view_table_ready, \
		.sheet = ops_view_sheet, .above = say_source, .main = draw_table, .card = draw_card, \
		.has_card = ops_view_has_row, .title = card_title, .act_always = ops_view_act_always, \
		.act = op_table_act \
	}

static const struct frame_ops hlo_frame = TABLE_FRAME(RESULT_HLO_TABLE);
static const struct frame_ops framework_frame = TABLE_FRAME(RESULT_FRAMEWORK);

#define BOTH \
	.scope = SCOPE_TABLE, .needs = NEED_TRACE, .size = sizeof(struct op_table), FRAME_SLOTS, \
	.here = ops_view_table_here, .show = ops_view_table_show, .status = op_table_status, \
	.title_right = op_table_title, .close = op_table_close, .save = op_table_save, \
	.restore = op_table_restore, .copy = ops_view_table_copy

static bool any_framework(const struct dump *d)
{
	return toolfile_alone(d, FILE_FRAMEWORK_OPS, NULL, NULL);
}

const struct view_ops view_hlo_stats = { .id = "hlo_stats",
	.title = "HLO stats",
	.short_title = "HLO",
	.of = "ops",
	.letter = 'h',
	.open = open_hlo,
	.frame = &hlo_frame,
	.report = "hlo_stats",
	BOTH };
const struct view_ops view_framework_ops = { .id = "framework_ops",
	.title = "Framework ops",
	.short_title = "Fw",
	.of = "ops",
	.letter = 'w',
	.any = any_framework,
	.open = open_framework,
	.frame = &framework_frame,
	.report = "framework_ops",
	BOTH };
