#include "config.h"
#include "view/ops/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "core/overlay.h"
#include "core/results.h"
#include "model/toolfile.h"
#include "report/warnings.h"
#include "view/ops/choice.h"
#include "widget/card.h"

/* columns for a card at the right, below; rows of a view that has one */
enum { CARD_BESIDE = 100, CARD_BELOW = 60, CARD_LEAST = 12 };

/* --- the table and the row selected --- */

const struct cell *op_table_cell(const struct op_table *t, size_t row, const char *column)
{
	const struct table *table = t->sheet.table;
	int at = table ? table_column(table, column) : -1;

	return at < 0 || row >= table->nrows ? NULL : &table->cells[row * table->ncolumns + (size_t)at];
}

/* Program and name: what a row is called in any table of its kind; the caller frees. */
static char *key_of(const struct op_table *t, size_t row)
{
	const struct cell *program = op_table_cell(t, row, "program_id"),
			  *name = op_table_cell(t, row, t->form->name);

	if (!name)
		return NULL;
	return program ? xasprintf("%.*s %.*s", (int)program->n, program->s, (int)name->n, name->s)
		       : xstrndup(name->s, name->n);
}

static void keep_row(struct op_table *t)
{
	char *key = key_of(t, sheet_row(&t->sheet));

	if (!key)
		return;
	free(t->key);
	t->key = key;
}

static bool go_to_key(struct op_table *t, const char *key)
{
	for (size_t i = 0; i < t->sheet.list.n; i++) {
		char *one = key_of(t, t->sheet.order[i]);
		bool same = one && !strcmp(one, key);

		free(one);
		if (same)
			return sheet_go(&t->sheet, t->sheet.order[i]);
	}
	return false;
}

static strid name_of(const struct dump *d, const struct ref *ref)
{
	const struct trace *t = &d->trace;

	if (ref->kind == REF_OP || ref->kind == REF_NAME)
		return ref->name;
	if (ref->kind != REF_EVENT || ref->track >= t->ntracks || ref->event >= t->tracks[ref->track].n)
		return 0;
	return t->metas[t->tracks[ref->track].meta[ref->event]].name;
}

/* What the table of framework ops calls an op. */
static struct slice framework_of(const struct dump *d, const struct op *o)
{
	struct slice name = dump_text(d, o->name), type;

	if (o->provenance.n)
		framework_parse(o->provenance, &name, &type);
	return name;
}

/* Key of the row of an op; NULL = it is not in the database. */
static char *key_of_op(const struct view *v, strid name, uint64_t program)
{
	const struct op_table *t = v->state;
	const struct opdb *db = t->db;

	for (size_t i = 0; i < db->n; i++) {
		const struct op *o = &db->v[i];
		struct slice text = op_short_name(v->app->dump, o);

		if (o->name != name || (program && o->program != program))
			continue;
		if (!t->form->framework)
			return xasprintf("%" PRIu64 " %.*s", o->program, (int)text.n, text.s);
		text = framework_of(v->app->dump, o);
		return xstrndup(text.s, text.n);
	}
	return NULL;
}

/* A filter that hides the row goes. */
static bool go_to_op(const struct view *v, const struct ref *ref)
{
	struct op_table *t = v->state;
	char *key = key_of_op(v, name_of(v->app->dump, ref), ref->kind == REF_OP ? ref->program : 0);

	if (!key)
		return false;
	free(t->key);
	t->key = key;
	if (!go_to_key(t, key))
		sheet_filter(&t->sheet, "", NULL);
	return go_to_key(t, key);
}

bool op_table_sync(const struct view *v)
{
	struct op_table *t = v->state;
	const struct op_set *ops = result_get(v->app, RESULT_TABLE_OPS);
	const struct framework_set *set = t->form->framework ? result_get(v->app, RESULT_FRAMEWORK) : NULL;
	const struct table *table =
	    t->form->framework ? set ? &set->table[t->idle] : NULL : result_get(v->app, RESULT_HLO_TABLE);

	t->db = table && ops ? ops->db : NULL;
	t->tool = set ? set->file : NULL;
	if (table == t->sheet.table)
		return table;
	sheet_set(&t->sheet, table);
	if (table && t->key && !go_to_key(t, t->key))
		t->sheet.list.at = t->sheet.list.top = 0;
	if (!table || t->want.kind == REF_NONE || go_to_op(v, &t->want)) {
		t->want.kind = table ? REF_NONE : t->want.kind;
	} else if (v->app->program) { /* of another module: once more among all */
		op_all_modules(v->app);
		sheet_set(&t->sheet, NULL);
		return false;
	} else {
		app_message(v->app, false, "what is selected is not in the %s", v->ops->title);
		t->want.kind = REF_NONE;
	}
	return table;
}

void op_missing(const struct dump *d, const struct opdb *db, char *buf, size_t size)
{
	bool ops = false, tpu = false;

	*buf = 0;
	for (size_t i = 0; i < d->trace.ntracks; i++)
		ops |= d->trace.tracks[i].role == TRACK_OPS && d->trace.tracks[i].n;
	for (size_t i = 0; i < d->trace.nplanes; i++)
		tpu |= d->trace.planes[i].kind == PLANE_TPU;
	if (!tpu)
		snprintf(buf, size, "no /device:TPU plane, so no HLO ops: capture while the device runs");
	else if (!ops)
		snprintf(buf, size,
		    "no line \"XLA Ops\", so no HLO ops: capture with tracing of the device on");
	else if (!db->n && db->dropped)
		snprintf(buf, size,
		    "ops without program_id or symbol_id are not counted: capture with the HLO on");
	else if (db->n && db->no_flops == db->n && db->no_bytes == db->n)
		snprintf(buf, size,
		    "no op has the stats flops and bytes_accessed: no rates; capture with the compiler's "
		    "costs");
	else if (db->n && (db->no_flops == db->n || db->no_bytes == db->n))
		snprintf(buf, size,
		    "no op has the stat %s: such rates are –; capture with the compiler's costs",
		    db->no_flops == db->n ? "flops" : "bytes_accessed");
	else if (!db->peaks.assumed && (!(db->peaks.tflops > 0) || !(db->peaks.bw[PEAK_HBM] > 0)))
		snprintf(buf, size,
		    "no peaks: --peaks TFLOPS,GBPS states them, or plane stats peak_teraflops_per_second, "
		    "peak_hbm_bw_gigabytes_per_second");
}

/* What is missing in the capture, or what was taken in its place. */
static void say_source(const struct view *v, char *buf, size_t size)
{
	const struct op_table *t = v->state;
	char of[80];

	if (!t->tool)
		op_missing(v->app->dump, t->db, buf, size);
	else if (t->sheet.table->nrows)
		snprintf(buf, size, "%s: %s", result_of_file(v->app, FILE_FRAMEWORK_OPS, of, sizeof of),
		    v->app->dump->files[t->tool->file].base);
	else
		snprintf(buf, size, "the file has no table %s idle: %s", t->idle ? "with" : "without",
		    v->app->dump->files[t->tool->file].base);
}

/* --- life --- */

static int open_form(struct view *v, const struct op_form *form, const char *sort)
{
	struct op_table *t = v->state;

	t->form = form;
	sheet_open(&t->sheet, form->schema, NULL, sort);
	return 0;
}

static int open_hlo(struct view *v)
{
	return open_form(v, &op_form_hlo, "total_self_time");
}

static int open_framework(struct view *v)
{
	return open_form(v, &op_form_framework, NULL);
}

static void op_table_close(struct view *v)
{
	struct op_table *t = v->state;

	sheet_free(&t->sheet);
	free(t->key);
}

static void op_table_save(const struct view *v, struct kv *kv)
{
	const struct op_table *t = v->state;

	sheet_save(&t->sheet, kv);
	if (t->key)
		kv_put(kv, "row", t->key);
	if (t->idle)
		kv_put_int(kv, "idle", 1);
}

static void op_table_restore(struct view *v, const struct kv *kv)
{
	struct op_table *t = v->state;
	const char *row = kv_get(kv, "row");
	int64_t idle;

	sheet_restore(&t->sheet, kv);
	t->idle = t->form->framework && kv_get_int(kv, "idle", &idle) && idle;
	if (row)
		t->key = xstrdup(row);
}

/* --- drawing --- */

static void draw_table(struct op_table *t, struct canvas *c, struct rect a)
{
	struct rect card = a, sheet = a;
	size_t row;

	if (a.w >= CARD_BESIDE && a.h >= CARD_LEAST) {
		card.w = OP_CARD_COLS;
		card.x = a.x + a.w - card.w;
		sheet.w = a.w - card.w - 2;
		for (int y = 0; y < a.h; y++)
			canvas_glyph(c, a.y + y, card.x - 1, GLYPH_VLINE, ROLE_LINE, 0);
	} else if (a.w >= CARD_BELOW && a.h >= CARD_LEAST) {
		card.h = a.h - OP_CARD_ROWS < OP_CARD_ROWS ? 5 : OP_CARD_ROWS;
		sheet.h = a.h - card.h;
		card.y = a.y + sheet.h;
	} else {
		card.h = 0;
	}
	sheet_draw(&t->sheet, c, sheet);
	if (card.h && (row = sheet_row(&t->sheet)) != SIZE_MAX)
		op_card_draw(t, c, card, row);
}

struct rect op_airy(struct rect a)
{
	int empty = a.h >= OP_AIRY;

	return (struct rect){ a.y + empty, a.x, a.h - empty, a.w };
}

static void op_table_draw(struct view *v, struct canvas *c)
{
	struct op_table *t = v->state;
	enum result which = t->form->framework ? RESULT_FRAMEWORK : RESULT_HLO_TABLE;
	struct rect a = op_airy(v->area);
	char text[256];

	if (!op_table_sync(v)) {
		result_draw_what(v->app, which, c, a);
		return;
	}
	keep_row(t);
	if (t->full && sheet_row(&t->sheet) != SIZE_MAX) {
		op_card_draw(t, c, a, sheet_row(&t->sheet));
		return;
	}
	say_source(v, text, sizeof text);
	if (*text && a.h >= CARD_LEAST) {
		canvas_str(c, a.y, a.x + 1, a.w - 2, ROLE_WARN, 0, text);
		a.y++;
		a.h--;
	}
	draw_table(t, c, a);
}

/* µs of self time of the rows that the filter left, of the device and of host threads: ops that others
 * offloaded run beside them and are in no total. */
static void sum_shown(const struct op_table *t, double *device, double *host)
{
	*device = *host = 0;
	for (size_t i = 0; i < t->sheet.list.n; i++) {
		size_t row = t->sheet.order[i];
		const struct cell *c = op_table_cell(t, row, "total_self_time");
		const struct cell *where = op_table_cell(t, row, "host_or_device");

		if (where && where->n == strlen("Host"))
			*host += c->u.d;
		else if (where || !t->db->v[row].sparse)
			*device += c->u.d;
	}
}

static void op_table_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct op_table *t = v->state;
	bool ascii = v->app->glyphs->ascii;
	char self[32], peaks[96] = "";
	double device, host;
	struct cell sum;
	size_t n;

	if (!op_table_sync(v))
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
	sum_shown(t, &device, &host);
	sum = cell_num(device);
	op_value_text(&sum, OP_TIME, ascii, self, sizeof self);
	n = (size_t)snprintf(right, size, "%s%s self %s", peaks, ascii ? "sum" : "Σ", self);
	sum = cell_num(host);
	op_value_text(&sum, OP_TIME, ascii, self, sizeof self);
	if (host > 0)
		snprintf(right + n, size - n, ", of hosts %s", self);
}

static void op_table_title(const struct view *v, char *buf, size_t size)
{
	const struct op_table *t = v->state;
	char chosen[128];
	double custom;

	if (!op_table_sync(v))
		return;
	op_choice(v->app, chosen, sizeof chosen);
	custom = tables_custom_calls(t->db);
	if (custom >= 10)
		snprintf(buf, size, "%scustom calls %.1f %% of op time: their FLOPs are not counted", chosen,
		    custom);
	else
		snprintf(buf, size, "%s", chosen);
}

/* --- acting --- */

static void picked_column(struct app *app, int i)
{
	struct op_table *t = app->views[app->current].state;

	op_table_sync(&app->views[app->current]);
	sheet_toggle(&t->sheet, (size_t)i);
	sheet_choose(&t->sheet, app, picked_column); /* until Esc: they come in groups */
}

static unsigned toggle_idle(struct view *v)
{
	struct op_table *t = v->state;

	if (!t->form->framework) {
		app_message(v->app, false, "idle time is no row here: framework ops have it");
		return REACT_REDRAW;
	}
	t->idle = !t->idle;
	op_table_sync(v);
	return REACT_REDRAW;
}

static unsigned op_table_act(struct view *v, enum action a, int count)
{
	struct op_table *t = v->state;

	switch (a) { /* what can be done without a table, too */
	case ACT_OP_TABLE:
		op_views_next(v);
		return REACT_REDRAW;
	case ACT_CORE:
		op_choose_core(v->app);
		return REACT_REDRAW;
	case ACT_MODULE:
		op_choose_module(v->app);
		return REACT_REDRAW;
	default:
		break;
	}
	if (!op_table_sync(v))
		return a == ACT_BACK ? ACT_PASS : REACT_NONE;
	if (a == ACT_OPEN || (a == ACT_BACK && t->full)) {
		t->full = !t->full && t->sheet.list.n;
		t->scroll = 0;
		return REACT_REDRAW;
	}
	if (a == ACT_BACK && t->sheet.filter && !t->sheet.find) {
		sheet_filter(&t->sheet, "", NULL);
		return REACT_REDRAW;
	}
	if (t->full)
		return card_scroll(&t->scroll, t->lines, v->area.h - 1, a, count) ? REACT_REDRAW : ACT_PASS;
	if (a == ACT_COLUMNS)
		sheet_choose(&t->sheet, v->app, picked_column);
	else if (a == ACT_IDLE)
		return toggle_idle(v);
	else
		return sheet_act(&t->sheet, a, count);
	return REACT_REDRAW;
}

static unsigned op_table_mouse(struct view *v, const struct mouse *m)
{
	struct op_table *t = v->state;
	size_t row;

	if (!op_table_sync(v) || m->kind == MOUSE_WHEEL)
		return ACT_PASS;
	if (m->kind != MOUSE_PRESS || m->button != 1 || t->full || m->x >= t->sheet.x[t->sheet.ncol])
		return REACT_NONE;
	row = sheet_row(&t->sheet);
	if (!sheet_click(&t->sheet, m->y, m->x))
		return REACT_NONE;
	if (m->y != t->sheet.y && row == sheet_row(&t->sheet))
		return op_table_act(v, ACT_OPEN, 1);
	return REACT_REDRAW;
}

static int op_table_find(struct view *v, const struct regex *re, int dir)
{
	struct op_table *t = v->state;

	return re && !op_table_sync(v) ? -1 : sheet_find(&t->sheet, re, dir);
}

static void op_table_find_status(const struct view *v, char *buf, size_t size)
{
	const struct op_table *t = v->state;

	sheet_find_status(&t->sheet, buf, size);
}

static int op_table_filter(struct view *v, const char *text, struct err *e)
{
	struct op_table *t = v->state;

	op_table_sync(v);
	t->full = false;
	return sheet_filter(&t->sheet, text, e);
}

/* --- links --- */

/* The op of the database that a row stands for: the costliest of a framework op; NULL = it is none of the
 * device. */
static const struct op *op_of_row(const struct view *v, size_t row)
{
	const struct op_table *t = v->state;
	const struct cell *name = op_table_cell(t, row, t->form->name),
			  *where = op_table_cell(t, row, "host_or_device");

	if (row == SIZE_MAX || !t->db)
		return NULL;
	if (!t->form->framework)
		return &t->db->v[row];
	for (size_t i = 0; where->n == strlen("Device") && i < t->db->n; i++) {
		struct slice framework = framework_of(v->app->dump, &t->db->v[i]);

		if (framework.n == name->n && !memcmp(framework.s, name->s, name->n))
			return &t->db->v[i];
	}
	return NULL;
}

static struct ref op_table_here(const struct view *v)
{
	const struct op_table *t = v->state;
	struct ref ref = { .kind = REF_NONE, .track = UINT32_MAX, .file = -1, .host = -1, .core = -1 };
	const struct op *op = op_table_sync(v) ? op_of_row(v, sheet_row(&t->sheet)) : NULL;

	if (op) {
		ref.kind = REF_OP;
		ref.name = op->name;
		ref.program = op->program;
	}
	return ref;
}

static int op_table_show(struct view *v, const struct ref *ref)
{
	struct op_table *t = v->state;

	if (!name_of(v->app->dump, ref))
		return -1;
	if (!op_table_sync(v)) {
		t->want = *ref;
		return 0;
	}
	t->full = false;
	if (go_to_op(v, ref))
		return 0;
	if (!v->app->program)
		return -1;
	t->want = *ref; /* of another module */
	op_all_modules(v->app);
	return 0;
}

/* --- text and files --- */

int op_table_copy_row(const struct op_table *t, FILE *out)
{
	size_t row = sheet_row(&t->sheet);

	if (row == SIZE_MAX)
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

static int op_table_copy(struct view *v, FILE *out)
{
	return op_table_sync(v) ? op_table_copy_row(v->state, out) : -1;
}

/* The rows that the filter left, in the order shown, with all columns. */
static void op_table_export(struct view *v, struct report *r)
{
	const struct op_table *t = v->state;
	const struct table *table;

	if (!op_table_sync(v)) {
		report_warning(r, "the table was not there yet");
		return;
	}
	table = t->sheet.table;
	if (t->tool) {
		result_warnings(v->app, r, FILE_FRAMEWORK_OPS);
	} else {
		report_op_warnings(r, v->app->dump, t->db);
		if (!t->form->framework)
			report_custom_warning(r, tables_custom_calls(t->db));
		report_sum_num(r, "total_time_us", (double)t->db->total / 1e6);
		report_sum_num(r, "op_time_us", (double)t->db->op_time / 1e6);
	}
	report_table_like(r, NULL, table);
	for (size_t i = 0; i < t->sheet.list.n; i++)
		report_row(r, &table->cells[t->sheet.order[i] * table->ncolumns]);
	report_table_end(r);
}

#define BOTH \
	.scope = SCOPE_TABLE, .needs = NEED_TRACE, .size = sizeof(struct op_table), .draw = op_table_draw, \
	.act = op_table_act, .find = op_table_find, .find_status = op_table_find_status, \
	.filter = op_table_filter, .here = op_table_here, .show = op_table_show, .status = op_table_status, \
	.title_right = op_table_title, .close = op_table_close, .mouse = op_table_mouse, \
	.save = op_table_save, .restore = op_table_restore, .copy = op_table_copy, .export = op_table_export

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
	BOTH };
const struct view_ops view_framework_ops = { .id = "framework_ops",
	.title = "Framework ops",
	.short_title = "Fw",
	.of = "ops",
	.letter = 'w',
	.any = any_framework,
	.open = open_framework,
	BOTH };
