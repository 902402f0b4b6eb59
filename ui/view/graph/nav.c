#include "config.h"
#include "view/graph/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/graph/text/print.h"
#include "base/text/units.h"
#include "widget/card.h"
#include "widget/kind.h"

enum {
	SIDE_MIN = 18,
	SIDE_MOST = 56,
	INSIDE_FROM = 150,
	INSIDE_COLS = 44,
	NARROW = 72,     /* below, one of operands, middle and users is shown */
	STEADY_FROM = 30 /* rows from which the list below the facts keeps its place */
};

void graph_view_sides(struct graph_view *s)
{
	if (s->sides_of == s->at)
		return;
	for (int users = 0; users < 2; users++) {
		graph_links_free(&s->side[users]);
		graph_adjacent(s->g, s->at, users, &s->side[users]);
		s->list[users] = (struct list){ .n = s->side[users].n };
	}
	s->sides_of = s->at;
	if (s->focus != SIDE_CENTER && !s->side[s->focus == SIDE_USERS].n)
		s->focus = SIDE_CENTER;
}

static enum time_kind kind_of(const struct graph_view *s, uint32_t i)
{
	return (enum time_kind)s->costs.kind[i];
}

/* "38.4 %" of the program's time; "" = not known, or none */
static void share_text(const struct graph_view *s, uint32_t i, char *buf, size_t size)
{
	double share = graph_share(&s->costs, s->costs.v[i].self);
	char n[16];

	*buf = 0;
	if (!isnan(share))
		snprintf(buf, size, "%s %%", units_percent(n, sizeof n, share));
}

/* Draws a line about an instruction: kind, name, share; index: element of a tuple, -1 = none. */
static void graph_view_line_draw(const struct graph_view *s, struct canvas *c, struct rect r, uint32_t i,
    int64_t index, bool selected)
{
	struct slice name = hlo_name(s->g, i), opcode = hlo_opcode(s->g, i);
	char share[24], mark[2] = { kind_info[kind_of(s, i)].letter, 0 }, part[24] = "";
	int x = r.x, end = r.x + r.w, used;
	struct arena a = { 0 };

	share_text(s, i, share, sizeof share);
	canvas_str(c, r.y, x, 1, kind_role(kind_of(s, i)), ATTR_BOLD, mark);
	x += 2;
	if (*share)
		end = canvas_right(c, r.y, end, ROLE_TEXT, 0, share) - 1;
	if (index >= 0)
		snprintf(part, sizeof part, "[%lld]", (long long)index);
	used = end - x - (int)strlen(part);
	used =
	    canvas_cut(c, r.y, x, used > 0 ? used : 0, ROLE_TEXT, selected ? ATTR_BOLD : 0, name.s, name.n);
	x += used;
	x += canvas_str(c, r.y, x, end - x, ROLE_DIM, 0, part) + 2;
	if (end - x > 8 && !slice_begins(name, "fusion") &&
	    memcmp(name.s, opcode.s, opcode.n < name.n ? opcode.n : name.n))
		x += canvas_text(c, r.y, x, end - x, ROLE_DIM, 0, opcode.s, opcode.n) + 2;
	if (end - x > 12)
		card_start(c, r.y, x, end - x, ROLE_DIM, 0, graph_shape_short(&a, s->g, i));
	arena_free(&a);
	if (selected)
		canvas_role(c, (struct rect){ r.y, r.x, 1, r.w }, ROLE_SELECTED, 0);
}

/* The computations around the instruction, from the entry inwards, as far as there is room. */
void graph_view_path_draw(const struct graph_view *s, struct canvas *c, struct rect a)
{
	uint32_t chain[16], n = 0, of = s->g->v[s->at].computation;
	int x = a.x + 1, end = a.x + a.w - 1;
	char text[80];

	while (n < 16) {
		uint32_t caller = graph_caller(s->g, of);

		chain[n++] = of;
		if (of == s->g->entry || caller == HLO_NONE)
			break;
		of = s->g->v[caller].computation;
	}
	of = s->g->v[s->at].computation;
	snprintf(text, sizeof text, "%u of %u", s->at - s->g->computation[of].first + 1,
	    s->g->computation[of].n);
	if (a.w > 60)
		end = canvas_right(c, a.y, end, ROLE_DIM, 0, text) - 2;
	while (n-- > 0 && x < end - 4) {
		struct slice name = hlo_computation_name(s->g, chain[n]);

		x += canvas_cut(c, a.y, x, n ? end - x < 24 ? end - x : 24 : end - x,
		    n ? ROLE_DIM : ROLE_HEAD, 0, name.s, name.n);
		if (n)
			canvas_glyph(c, a.y, x + 1, GLYPH_CUT_RIGHT, ROLE_DIM, 0);
		x += n ? 3 : 0;
	}
}

static void draw_side(struct graph_view *s, struct canvas *c, struct rect r, int users)
{
	struct list *l = &s->list[users];
	bool focus = s->focus == (users ? SIDE_USERS : SIDE_OPERANDS);
	char about[48];

	snprintf(about, sizeof about, "%u%s", s->side[users].n,
	    s->side[users].missing ? ", some missing" : "");
	card_head(c, r.y, r, users ? "USERS" : "OPERANDS", about);
	s->area[users ? SIDE_USERS : SIDE_OPERANDS] = r;
	l->n = s->side[users].n;
	list_fit(l, r.h - 1);
	l->y = r.y + 1;
	for (int y = 0; y < r.h - 1 && l->top + (size_t)y < l->n; y++) {
		const struct graph_link *link = &s->side[users].v[l->top + (size_t)y];

		graph_view_line_draw(s, c, (struct rect){ r.y + 1 + y, r.x, 1, r.w }, link->i, link->index,
		    focus && l->top + (size_t)y == l->at);
		if (link->control)
			canvas_right(c, r.y + 1 + y, r.x + r.w, ROLE_DIM, 0, users ? "after" : "before");
	}
	if (!l->n)
		canvas_str(c, r.y + 1, r.x, r.w, ROLE_DIM, 0,
		    s->side[users].missing ? "not in the module"
			: users
			? s->g->computation[s->g->v[s->at].computation].root == s->at ? "the result" : "none"
			: "none");
}

/* What comes before and after it in the program. */
static void draw_order(struct graph_view *s, struct canvas *c, struct rect r)
{
	const struct hlo_computation *of = &s->g->computation[s->g->v[s->at].computation];
	int64_t top = (int64_t)s->at - of->first - (r.h - 1) / 2, last = (int64_t)of->n - (r.h - 1);

	if (r.h < 3)
		return;
	card_head(c, r.y, r, "PROGRAM ORDER", "");
	top = top > last ? last : top;
	top = top < 0 ? 0 : top;
	for (int y = 1; y < r.h && top + y - 1 < of->n; y++) {
		uint32_t i = of->first + (uint32_t)(top + y - 1);

		graph_view_line_draw(s, c, (struct rect){ r.y + y, r.x, 1, r.w }, i, -1,
		    i == s->at && s->focus == SIDE_CENTER);
	}
	s->area[SIDE_CENTER] = (struct rect){ r.y + 1 - (int)top, r.x, r.h - 1 + (int)top, r.w };
}

/* What the instruction calls, where there is room for a fourth column. */
static void draw_inside(struct graph_view *s, struct canvas *c, struct rect r, uint32_t called)
{
	const struct hlo_computation *of = &s->g->computation[called];
	struct slice name = hlo_computation_name(s->g, called);
	char about[120];

	snprintf(about, sizeof about, "%.*s", (int)(name.n < 100 ? name.n : 100), name.s);
	card_head(c, r.y, r, "INSIDE", about);
	for (int y = 1; y < r.h && (uint32_t)y <= of->n; y++)
		graph_view_line_draw(s, c, (struct rect){ r.y + y, r.x, 1, r.w }, of->first + (uint32_t)y - 1,
		    -1, false);
}

/* The facts of the instruction, as high as those of any before, and its neighbors in the program. */
static int draw_middle(struct graph_view *s, struct canvas *c, struct rect a, struct rect r)
{
	int y = graph_view_facts_draw(s, c, r, s->at);

	if (memcmp(&s->facts_in, &r, sizeof r) != 0 || y - a.y > s->facts_h || a.h < STEADY_FROM)
		s->facts_h = y - a.y;
	s->facts_in = r;
	y = a.y + s->facts_h + 1;
	draw_order(s, c, (struct rect){ y, r.x, a.y + a.h - y, r.w });
	return y;
}

void graph_view_nav_draw(struct graph_view *s, struct canvas *c, struct rect a)
{
	int side = (a.w - 4) * 3 / 11, inside = 0, y;
	uint32_t called = hlo_nlinks(&s->g->calls, s->at) ? hlo_link(&s->g->calls, s->at, 0) : HLO_NONE;
	struct rect r;

	graph_view_sides(s);
	memset(s->area, 0, sizeof s->area);
	if (a.w < NARROW && s->focus != SIDE_CENTER) {
		draw_side(s, c, (struct rect){ a.y, a.x + 1, a.h, a.w - 2 }, s->focus == SIDE_USERS);
		return;
	}
	if (a.w < NARROW) {
		draw_middle(s, c, a, (struct rect){ a.y, a.x + 1, a.h, a.w - 2 });
		return;
	}
	if (a.w >= INSIDE_FROM && called != HLO_NONE) {
		inside = INSIDE_COLS;
		side = (a.w - inside - 6) * 3 / 11;
	}
	side = side < SIDE_MIN ? SIDE_MIN : side > SIDE_MOST ? SIDE_MOST : side;
	draw_side(s, c, (struct rect){ a.y, a.x + 1, a.h, side }, 0);
	canvas_vline(c, a.y, a.x + side + 1, a.h);
	r = (struct rect){ a.y, a.x + side + 3, a.h, a.w - 2 * side - 6 - (inside ? inside + 2 : 0) };
	canvas_vline(c, a.y, r.x + r.w + 1, a.h);
	draw_side(s, c, (struct rect){ a.y, r.x + r.w + 3, a.h, side - 1 }, 1);
	if (inside) {
		canvas_vline(c, a.y, a.x + a.w - inside - 1, a.h);
		draw_inside(s, c, (struct rect){ a.y, a.x + a.w - inside + 1, a.h, inside - 2 }, called);
	}
	y = draw_middle(s, c, a, r);
	/* only what does not hold the selection may come later */
	if (s->focus == SIDE_CENTER) {
		canvas_late(c, (struct rect){ a.y, r.x, y - a.y, r.w });
		canvas_late(c, (struct rect){ a.y, a.x, a.h, side + 1 });
		canvas_late(c, (struct rect){ a.y, r.x + r.w + 2, a.h, side + 1 });
	}
}
