#include "config.h"
#include "view/roofline/roofline.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/tables/roofline.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "core/choice.h"
#include "core/results.h"
#include "view/frames.h"

enum { PLOT_ROWS = 5, PLOT_COLS = 24 };

static const char fields[] =
    "total_self_time total_self_time_percent occurrences avg_time total_time "
    "total_time_per_core measured_flop_rate model_flop_rate measured_memory_bw hbm_bw "
    "cmem_read_bw cmem_write_bw vmem_read_bw vmem_write_bw operational_intensity "
    "hbm_operational_intensity bottleneck_operational_intensity bound_by "
    "optimal_flop_rate roofline_efficiency compute_efficiency max_mem_bw_utilization "
    "dma_stall_percent";
static const struct op_text texts[] = {
	{ "category", 0 },
	{ "tf_op_name", 0 },
	{ "source_info", 0 },
	{ "hlo_module_id", 0 },
	{ "hlo_op_expression", 0 },
};
static const struct op_form form = { "operation", "category", "hlo_module_id", &roof_schema, fields, texts,
	sizeof texts / sizeof *texts, false };

/* --- the selected row --- */

static const struct op *op_of_row(const struct view *v, size_t row)
{
	const struct roof_view *r = v->state;
	const uint32_t *at = sheet_of(&r->t.sheet, row);

	return at ? &r->t.db->v[*at] : NULL;
}

/* Selects the most expensive op on the plot. */
static void go_to_first(struct roof_view *r)
{
	size_t i = 0;

	r->t.sheet.list.at = r->t.sheet.list.top = 0;
	while (i < r->plot.n && !(r->plot.v[i].plotted && sheet_go(&r->t.sheet, i)))
		i++;
}

void roofline_view_look_from(struct roof_view *r, enum roof_memory m)
{
	r->memory = roof_memory_peak(&r->t.db->peaks, m) > 0 ? m : ROOF_HBM;
	roofline_view_make_points(r);
}

static void roof_take(struct view *v)
{
	struct roof_view *r = v->state;

	r->t.db = ((const struct op_set *)result_get(v->app, RESULT_TABLE_OPS))->db;
	roofline_view_make_rows(r, v->cap->dump);
	sheet_set_rows(&r->t.sheet,
	    &(struct sheet_rows){ .table = &r->table, .of = r->op, .size = sizeof *r->op });
	roofline_view_look_from(r, r->memory);
	if (!sheet_return(&r->t.sheet))
		go_to_first(r);
}

static void roof_drop(struct view *v)
{
	struct roof_view *r = v->state;

	sheet_set(&r->t.sheet, NULL);
	table_free(&r->table);
	free(r->ops);
	r->table = (struct table){ 0 };
	r->op = r->ops = NULL;
	r->plot.n = 0;
	r->t.db = NULL;
}

static bool row_of(const struct roof_view *r, strid name, uint64_t program, size_t *row)
{
	for (*row = 0; *row < r->table.nrows; ++*row) {
		const struct op *o = &r->t.db->v[r->op[*row]];

		if (o->name == name && (!program || o->program == program))
			return true;
	}
	return false;
}

/* Clears a filter or a choice that hides the op. */
static bool go_to_op(struct view *v, const struct ref *ref)
{
	struct roof_view *r = v->state;
	strid name = ops_view_named(v->cap->dump, ref);
	uint64_t program = ref->kind == REF_OP ? ref->program : 0;
	bool only = r->only, without = r->without_transfers;
	size_t row;

	if (!row_of(r, name, program, &row) && (only || without)) {
		r->only = r->without_transfers = false;
		frame_renew(v);
		if (frame_ready(v) && !row_of(r, name, program, &row)) {
			r->only = only;
			r->without_transfers = without;
			frame_renew(v);
			frame_ready(v);
		}
	}
	if (!row_of(r, name, program, &row))
		return false;
	if (!sheet_show(&r->t.sheet, row))
		return false;
	sheet_keep(&r->t.sheet);
	return true;
}

/* --- life --- */

static int roof_open(struct view *v)
{
	struct roof_view *r = v->state;

	ops_view_table_init(&r->t, &form, "total_self_time", v->cap->nagainst);
	r->t.go_to = go_to_op;
	r->t.op_of_row = op_of_row;
	return 0;
}

static void roof_close(struct view *v)
{
	struct roof_view *r = v->state;

	frame_close(v);
	sheet_free(&r->t.sheet);
	table_free(&r->t.beside);
	free(r->plot.v);
}

static void roof_save(const struct view *v, struct kv *kv)
{
	const struct roof_view *r = v->state;

	sheet_save(&r->t.sheet, kv);
	kv_put_int(kv, "memory", r->memory);
	kv_put_int(kv, "only", r->only);
	kv_put_int(kv, "without", r->without_transfers);
	kv_put_int(kv, "table", r->as_table);
}

static bool restore_flag(const struct kv *kv, const char *name)
{
	int64_t v;

	return kv_get_int(kv, name, &v) && v;
}

static void roof_restore(struct view *v, const struct kv *kv)
{
	struct roof_view *r = v->state;
	int64_t m;

	sheet_restore(&r->t.sheet, kv);
	if (kv_get_int(kv, "memory", &m) && m >= 0 && m < ROOF_COUNT)
		r->memory = (enum roof_memory)m;
	r->only = restore_flag(kv, "only");
	r->without_transfers = restore_flag(kv, "without");
	r->as_table = restore_flag(kv, "table");
}

/* --- drawing --- */

static void draw_head(const struct roof_view *r, struct canvas *c, struct rect a)
{
	static const char *const gloss[] = { ", one point per op; size is share of time", ", a point per op",
		"" };
	char text[96], n[16];
	int x = a.x + 1, end = a.x + a.w - 1;

	x += canvas_str(c, a.y, x, a.w - 2, ROLE_HEAD, 0, "ROOFLINE") + 2;
	if (!isnan(r->program_use)) {
		end = canvas_right(c, a.y, end, ROLE_DIM, 0, "of the roof");
		snprintf(text, sizeof text, "%s %%", units_percent(n, sizeof n, r->program_use));
		end = canvas_right(c, a.y, end - 1, ROLE_BOLD, ATTR_BOLD, text);
		end = canvas_right(c, a.y, end - 1, ROLE_DIM, 0, "program") - 2;
		canvas_glyph(c, a.y, end, GLYPH_HIT_HERE, ROLE_WARN, ATTR_BOLD);
	}
	for (size_t i = r->as_table ? 2 : 0; i < sizeof gloss / sizeof *gloss; i++) {
		snprintf(text, sizeof text, "%s%s", r->plot.memory, gloss[i]);
		if (x + (int)strlen(text) + 2 > end)
			continue;
		canvas_str(c, a.y, x, end - x, ROLE_DIM, 0, text);
		return;
	}
}

static struct rect plot_of(struct rect a)
{
	return (struct rect){ a.y + 1, a.x + ROOF_AXIS, a.h - 1 - ROOF_BELOW, a.w - ROOF_AXIS - 2 };
}

/* A plot that would be too small is shown as a table. */
bool roofline_view_is_plot(const struct roof_view *r, struct rect a)
{
	struct rect p = plot_of(a);

	return !r->as_table && p.h >= PLOT_ROWS && p.w >= PLOT_COLS;
}

/* Shows above the plot what is missing. */
static struct rect say_missing(struct view *v, struct canvas *c, struct rect a)
{
	const struct roof_view *r = v->state;
	char text[256];

	ops_view_missing(v->cap->dump, r->t.db, text, sizeof text);
	return ops_view_note(c, a, text);
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	struct roof_view *r = v->state;

	roofline_view_look_at_filter(r);
	if (a.h >= 6)
		draw_head(r, c, a);
	if (roofline_view_is_plot(r, a)) {
		r->plot.a = plot_of(a);
		roofline_view_plot_fit(&r->plot);
		roofline_view_plot_place(&r->plot);
		roofline_view_plot_draw(&r->plot, c, sheet_row(&r->t.sheet));
		return;
	}
	if (a.h >= 6) {
		a.y++;
		a.h--;
	}
	sheet_draw(&r->t.sheet, c, a);
}

static int draw_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct roof_view *s = v->state;
	size_t row = sheet_row(&s->t.sheet);

	if (how == FRAME_FULL)
		return ops_view_profile_card_draw(v, c, r, how);
	(how == FRAME_BESIDE ? roofline_view_card_beside : roofline_view_card_below)(s, v->cap->dump, c, r,
	    row);
	return r.y;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_ROOFLINE],
	.results = 1u << RESULT_TABLE_OPS,
	.take = roof_take,
	.drop = roof_drop,
	.ready = ops_view_table_ready,
	.sheet = ops_view_sheet,
	.above = say_missing,
	.main = draw_main,
	.card = draw_card,
	.has_card = ops_view_has_row,
	.title = ops_view_profile_card_title,
	.act_always = ops_view_act_always,
	.act = roofline_view_act,
	.press = roofline_view_press };

/* What the ops that a filter leaves take. */
static void sum_text(const struct roof_view *r, bool ascii, char *buf, size_t size)
{
	struct ops_sum sum = { 0 }, all = { 0 };

	for (size_t i = 0; i < r->t.sheet.list.n; i++)
		ops_view_sum_add(&sum, &r->t.db->v[r->op[r->t.sheet.order[i]]]);
	for (size_t i = 0; i < r->table.nrows; i++)
		ops_view_sum_add(&all, &r->t.db->v[r->op[i]]);
	sum.all = all.self;
	ops_view_sum_text(&sum, ascii, buf, size);
}

static void roof_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct roof_view *r = v->state;
	const struct op_peaks *p;

	if (!frame_ready(v))
		return;
	p = &r->t.db->peaks;
	snprintf(left, size, "op %zu of %zu%s%.60s   %zu on %splot%s%s",
	    r->t.sheet.list.n ? r->t.sheet.list.at + 1 : 0, r->t.sheet.list.n,
	    r->t.sheet.filter ? "   &" : "", r->t.sheet.filter ? regex_shown(r->t.sheet.filter) : "",
	    r->plotted, r->t.sheet.filter ? "" : "the ",
	    !r->only                    ? ""
		: v->app->glyphs->ascii ? "   >= 1 %"
					: "   ≥ 1 %",
	    r->without_transfers ? "   no infeed, outfeed" : "");
	if (r->t.sheet.filter && r->t.sheet.list.n)
		sum_text(r, v->app->glyphs->ascii, right, size);
	else if (p->assumed || p->stated)
		snprintf(right, size, "peaks %s: %.4g TFLOP/s, %.4g GB/s", p->stated ? "given" : "assumed",
		    p->tflops, p->bw[PEAK_HBM]);
	else if (!(p->tflops > 0) || !(p->bw[PEAK_HBM] > 0))
		snprintf(right, size, "peaks unknown");
}

static void roof_title(const struct view *v, char *buf, size_t size)
{
	choice_text(v->app, buf, size);
}

/* --- search and filter --- */

/* On the plot, the search goes from hit to hit among the points, wrapping around. */
static int roof_find(struct view *v, const struct regex *re, int dir)
{
	struct roof_view *r = v->state;
	bool had = sheet_here(&r->t.sheet) != NULL;
	int hits = frame_find(v, re, dir);

	if (!re || hits <= 0 || !roofline_view_shows_plot(v))
		return hits;
	for (int i = 1; i < hits && !roofline_view_is_plotted(r); i++)
		sheet_find(&r->t.sheet, re, dir < 0 ? -1 : 1);
	if (!dir && had && !roofline_view_is_plotted(r))
		app_say(v->app, "no hit has FLOPS; t shows them in the table");
	return hits;
}

const struct view_ops view_roofline = {
	.id = "roofline",
	.of = "ops",
	.title = "Roofline",
	.short_title = "Roof",
	.letter = 'r',
	.scope = SCOPE_ROOFLINE,
	.needs = NEED_TRACE,
	.frame = &frame_ops,
	.size = sizeof(struct roof_view),
	.open = roof_open,
	.draw = frame_draw,
	.act = roofline_view_keys,
	.find = roof_find,
	.find_status = frame_find_status,
	.filter = frame_filter,
	.here = ops_view_table_here,
	.show = ops_view_table_show,
	.status = roof_status,
	.title_right = roof_title,
	.close = roof_close,
	.mouse = frame_mouse,
	.save = roof_save,
	.restore = roof_restore,
	.copy = ops_view_table_copy,
	.report = "roofline",
};
