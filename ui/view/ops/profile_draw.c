#include "config.h"
#include "view/ops/profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/results.h"
#include "model/toolfile.h"
#include "view/ops/tables.h"
#include "widget/bar.h"

enum { BAR = 8, NAME_LEAST = 20, NAME_MOST = 60, FRAMEWORK = 12, HEAD_BAR = 7, DELTA = 12 };

/* Columns of the pane: the end column of numbers, the first column of texts; 0 = left out. */
struct place {
	int bar, end[OPS_COLUMNS], name_w, framework_w, delta; /* delta: against another capture */
};

static struct place column_places(struct rect a, bool against)
{
	struct place p = { 0 };
	/* room left for name and framework op */
	int room = a.w - 1 - 6 - 1 - BAR - 6 - 7 - 2 - 7 - 6 - 1, x = a.x + 1 + 6;
	bool delta = against && room - DELTA >= NAME_LEAST;
	bool framework = (room -= delta ? DELTA : 0) >= NAME_LEAST + 1 + FRAMEWORK, share, bar;

	share = framework || room >= NAME_LEAST;
	room += share ? 0 : 7;
	bar = share || room >= NAME_LEAST;
	room += bar ? 0 : BAR - 1;
	p.end[OPS_TIME] = x;
	if (bar) {
		p.bar = x + 1;
		x += BAR + 1;
	}
	p.end[OPS_WASTED] = x += bar ? 6 : 8;
	if (share)
		p.end[OPS_SHARE] = x += 7;
	if (delta)
		p.delta = x += DELTA;
	p.end[OPS_NAME] = x + 2;
	p.name_w = !framework                  ? room
	    : room - 1 - FRAMEWORK > NAME_MOST ? NAME_MOST
	    : room > 60                        ? NAME_LEAST + (room - 1 - FRAMEWORK - NAME_LEAST) * 2 / 3
					       : room - 1 - FRAMEWORK;
	if (framework) {
		p.end[OPS_FRAMEWORK] = x + 2 + p.name_w + 1;
		p.framework_w = room - p.name_w - 1;
	}
	p.end[OPS_HBM] = a.x + a.w - 1;
	p.end[OPS_FLOPS] = p.end[OPS_HBM] - 6;
	return p;
}

/* "12.3", ">100", "–" */
static const char *ops_view_percent(double v, char *buf, size_t size)
{
	if (isnan(v))
		snprintf(buf, size, "–");
	else if (v > 1.0005)
		snprintf(buf, size, ">100");
	else
		snprintf(buf, size, "%.1f", v * 100);
	return buf;
}

/* Length of a program's name, without its id if no other program has that name. */
static size_t program_name(const struct op_node *x)
{
	const char *cut = memrchr(x->name.s, '(', x->name.n);
	size_t n = cut ? (size_t)(cut - x->name.s) : x->name.n;

	for (size_t i = 0; n && n < x->name.n && x->parent && i < x->parent->n; i++) {
		const struct op_node *y = x->parent->child[i];

		if (y != x && y->name.n > n && !memcmp(y->name.s, x->name.s, n + 1))
			return x->name.n;
	}
	return n ? n : x->name.n;
}

void ops_view_row_name(const struct ops *s, const struct dump *d, const struct ops_view_row *r, char *buf,
    size_t size)
{
	struct slice t;
	int n;

	if (r->part) {
		snprintf(buf, size, "%s", r->part->name && *r->part->name ? r->part->name : r->part->opcode);
		return;
	}
	if (r->more) {
		snprintf(buf, size, "… %u more", r->more);
		return;
	}
	t = r->node->name;
	if (r->node->kind == NODE_PROGRAM)
		t.n = program_name(r->node);
	else if (s->tree.profile.db && r->node->op)
		t = op_short_name(d, r->node->op);
	n = snprintf(buf, size, "%.*s", (int)(t.n < size ? t.n : size - 1), t.s);
	if (r->node->kind == NODE_DUPLICATES && n > 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, " ×%zu", r->node->n);
}

static bool row_is_hit(const struct ops *s, const struct ops_view_row *r)
{
	for (size_t i = 0; r->node && i < s->nhits; i++)
		if (s->hit[i] == r->node)
			return true;
	return false;
}

/* Lines that hold ops: programs and categories. */
static bool is_head(const struct ops_view_row *r)
{
	return r->node && !r->more && r->node->kind != NODE_OP && r->node->kind != NODE_PART &&
	    r->node->kind != NODE_DUPLICATES;
}

static void draw_name(struct ops *s, const struct dump *d, struct canvas *c, int y, int x, int w,
    const struct ops_view_row *r)
{
	unsigned attr = (is_head(r) ? ATTR_BOLD : 0) | (row_is_hit(s, r) ? ATTR_UNDERLINE : 0);
	enum role role = r->more ? ROLE_DIM : ROLE_TEXT;
	int indent = r->level < FOLD_INDENT ? r->level : FOLD_INDENT, cols, skip;
	char name[1024];
	size_t len, cut;

	indent = indent < w / 2 ? indent : w / 2;
	if (r->more)
		canvas_put(c, y, x + indent, '+', ROLE_DIM, 0);
	else if (r->opens)
		canvas_glyph(c, y, x + indent, r->open ? GLYPH_OPEN : GLYPH_FOLDED, ROLE_TEXT, 0);
	x += indent + 2;
	w -= indent + 2;
	ops_view_row_name(s, d, r, name, sizeof name);
	len = strlen(name);
	cols = utf8_cols(name, len);
	if (cols - w > s->shift_most)
		s->shift_most = cols - w;
	skip = cols > w ? s->shift < cols - w ? s->shift : cols - w : 0;
	if (!skip) {
		canvas_cut(c, y, x, w, role, attr, name, len);
		return;
	}
	canvas_glyph(c, y, x, GLYPH_ELLIPSIS, role, attr);
	cut = utf8_fit(name, len, skip + 1);
	canvas_text(c, y, x + 1, w - 1, role, attr, name + cut, len - cut);
}

static void draw_framework(struct canvas *c, int y, int x, int w, const struct ops_view_row *r)
{
	struct slice t = r->node && !r->more ? ops_view_framework_of(r->node) : (struct slice){ "", 0 };
	char text[128];
	size_t n = r->node && !r->more && r->node->n ? ops_view_below(r->node) : 0;

	if (r->part) {
		canvas_str(c, y, x, w, ROLE_DIM, 0, r->part->opcode);
	} else if (t.n) {
		canvas_cut(c, y, x, w, ROLE_TEXT, 0, t.s, t.n);
	} else if (n && r->node->kind != NODE_PROGRAM && r->node->kind != NODE_OP) {
		snprintf(text, sizeof text, "%zu op%s", n, n == 1 ? "" : "s");
		canvas_str(c, y, x, w, ROLE_TEXT, 0, text);
	}
}

static void draw_row(struct view *v, struct canvas *c, int y, struct rect a, const struct place *p,
    const struct ops_view_row *r)
{
	static const enum ops_column percents[] = { OPS_TIME, OPS_WASTED, OPS_SHARE, OPS_FLOPS, OPS_HBM };
	struct ops *s = v->state;
	bool here = r == ops_view_row(s);
	unsigned attr = is_head(r) ? ATTR_BOLD : 0;
	double num[OPS_COLUMNS], best;
	char text[32];

	draw_name(s, v->cap->dump, c, y, p->end[OPS_NAME], p->name_w, r);
	if (p->framework_w)
		draw_framework(c, y, p->end[OPS_FRAMEWORK], p->framework_w, r);
	if (here) {
		canvas_role(c, (struct rect){ y, a.x, 1, a.w }, ROLE_SELECTED, ATTR_BOLD);
		canvas_role(c, (struct rect){ y, p->bar, 1, p->bar ? BAR : 0 }, ROLE_TEXT, 0);
	}
	for (size_t i = 0; r->node && i < sizeof percents / sizeof *percents; i++) {
		enum ops_column k = percents[i];

		if (!i)
			ops_view_numbers(&s->tree, r->node, s->o.dvfs, num);
		if (p->end[k])
			canvas_right(c, y, p->end[k], here ? ROLE_SELECTED : ROLE_TEXT,
			    here                ? ATTR_BOLD
				: k == OPS_TIME ? attr
						: 0,
			    ops_view_percent(num[k], text, sizeof text));
	}
	if (p->delta)
		ops_view_draw_delta(v, c, y, p->delta, r, here);
	if (!r->node || !p->bar || !(num[OPS_TIME] > 0))
		return;
	best = ops_view_best_use(num);
	bar_draw(c, y, p->bar, BAR, num[OPS_TIME], isnan(best) ? ROLE_BLOCK_OTHER : bar_use_role(best));
	if (c->mono && best < .36) /* signs in place of colors: very low, low utilization */
		canvas_str(c, y, p->bar + BAR - 2, 2, ROLE_TEXT, 0, best >= .16 ? " !" : "!!");
}

/* --- above the lines --- */

static const char *group_text(const struct ops_options *o)
{
	static const char *const text[] = { "by program › category", "by category",
		"by program › provenance › category" };

	return text[o->group];
}

static int draw_gauge(struct canvas *c, int y, int x, const char *label, double use, enum role role)
{
	char text[16];

	x += canvas_str(c, y, x, 8, ROLE_DIM, 0, label) + 1;
	x += canvas_fmt(c, y, x, 8, ROLE_BOLD, 0, isnan(use) ? "%s" : "%s %%",
		 ops_view_percent(use, text, sizeof text)) +
	    2;
	if (!isnan(use))
		bar_draw_dotted(c, y, x, HEAD_BAR, use, role);
	return x + (isnan(use) ? 0 : HEAD_BAR + 2);
}

/* Overview has MFU of the steps; these leave out the time between ops. */
#define OF_OP_TIME "of op time"

static void draw_overall(const struct ops *s, struct canvas *c, int y, struct rect a)
{
	double num[OPS_COLUMNS];
	const char *text = group_text(&s->o);
	int x = a.x + 1, cols = utf8_cols(text, strlen(text));

	ops_view_numbers(&s->tree, s->tree.profile.root, s->o.dvfs, num);
	x = draw_gauge(c, y, x, "FLOPS", num[OPS_FLOPS], bar_use_role(num[OPS_FLOPS]));
	x = draw_gauge(c, y, x, "HBM", num[OPS_HBM], ROLE_BLOCK_COMPUTE);
	if (x + 1 + cols > a.x + a.w - 1)
		cols = (int)strcspn(text, " ") + 1 + (int)strcspn(text + strcspn(text, " ") + 1, " ");
	if (x + 1 + cols > a.x + a.w - 1)
		return;
	canvas_text(c, y, a.x + a.w - 1 - cols, cols, ROLE_DIM, 0, text, utf8_fit(text, strlen(text), cols));
	if (!s->o.idle && x + (int)strlen(OF_OP_TIME) + 2 + cols <= a.x + a.w - 1)
		canvas_str(c, y, x, (int)strlen(OF_OP_TIME), ROLE_DIM, 0, OF_OP_TIME);
}

static void draw_units(const struct ops *s, struct canvas *c, int y, struct rect a, const struct place *p)
{
	int x = a.x + 1, end = p->end[OPS_SHARE] ? p->end[OPS_SHARE] : p->end[OPS_WASTED];

	x += canvas_str(c, y, x, end - x, ROLE_DIM, 0,
		 s->o.program    ? "share of program, %"
		     : s->o.idle ? "share of all time, %"
				 : "share of op time, %") +
	    1;
	for (; x < end; x++)
		canvas_glyph(c, y, x, GLYPH_HLINE, ROLE_LINE, 0);
	canvas_right(c, y, p->end[OPS_HBM], ROLE_DIM, 0, "of peak, %");
}

static void draw_titles(struct ops *s, struct canvas *c, int y, const struct place *p)
{
	static const char *const title[OPS_COLUMNS] = { "Time", "Wasted", "HBM", "Op", "Framework", "FLOPS",
		"HBM" };

	s->head_y = y;
	for (int k = 0; k < OPS_COLUMNS; k++) {
		bool texts = k == OPS_NAME || k == OPS_FRAMEWORK, down = texts == s->o.reverse,
		     sorted = (int)s->o.sort == k;
		int x = p->end[k], cols = (int)strlen(title[k]);
		enum role role = sorted ? ROLE_TEXT : ROLE_DIM;

		s->head_x[k] = texts ? x : x - cols;
		if (!x)
			continue;
		if (texts)
			x += canvas_str(c, y, k == OPS_NAME ? x + 2 : x, p->end[OPS_FLOPS] - x, role, 0,
				 title[k]) +
			    1 + 2 * (k == OPS_NAME);
		else
			canvas_right(c, y, x, role, 0, title[k]);
		if (sorted)
			canvas_glyph(c, y, x + (k == OPS_TIME), down ? GLYPH_SORT_DOWN : GLYPH_SORT_UP, role,
			    0);
	}
	if (p->delta)
		canvas_right(c, y, p->delta, ROLE_DIM, 0, "Δ per step");
	s->head_x[OPS_COLUMNS] = p->end[OPS_HBM];
}

void ops_view_draw_lines(struct view *v, struct canvas *c, struct rect a)
{
	struct ops *s = v->state;
	struct place p = column_places(a, v->cap->nagainst);
	int y = a.y, end = a.y + a.h, room;

	if (a.h > 4)
		draw_overall(s, c, y++, a);
	if (a.h >= OP_AIRY - 2)
		draw_units(s, c, y++, a, &p);
	draw_titles(s, c, y++, &p);
	room = v->area.h >= OP_AIRY && end > y ? end - y : 0;
	if (s->o.room != room) {
		s->o.room = room;
		ops_view_fill_rows(s);
	}
	list_fit(&s->list, end - y);
	s->list.y = y;
	s->shift_most = 0;
	for (size_t i = s->list.top; i < s->tree.n && y < end; i++, y++)
		draw_row(v, c, y, a, &p, &s->tree.row[i]);
	if (s->shift > s->shift_most)
		s->shift = s->shift_most;
	if (!s->tree.n && y < end)
		canvas_str(c, y, a.x + 1, a.w - 2, ROLE_DIM, 0,
		    s->filter ? "no op matches the filter (& and Enter ends it)" : "no ops");
}

struct rect ops_view_warn(struct view *v, struct canvas *c, struct rect a)
{
	struct ops *s = v->state;
	char text[256] = "";

	if (s->from.db)
		ops_view_missing(v->cap->dump, s->from.db, text, sizeof text);
	else if (s->from.tool)
		snprintf(text, sizeof text, "made by a profiler, without the events: %s",
		    v->cap->dump->files[s->from.tool->file].base);
	return ops_view_note(c, a, text);
}
