#include "config.h"
#include "view/graph/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/graph/text/print.h"
#include "base/text/units.h"
#include "widget/card.h"
#include "widget/kind.h"
#include "widget/text.h"

enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8 };
enum { TALL = 5, LOW = 4 }; /* rows of a box: borders, name, shape, time */
enum { READABLE = 20 };     /* columns of a box that has most of a name */

/* By the directions that meet in a cell. */
static const uint32_t lines[16] = { ' ', 0x2500, 0x2500, 0x2500, 0x2502, 0x2518, 0x2514, 0x2534, 0x2502,
	0x2510, 0x250c, 0x252c, 0x2502, 0x2524, 0x251c, 0x253c };
static const char ascii_lines[] = " ---|+++|+++|+++";

struct picture {
	const struct graph_view *s;
	struct canvas *c;
	struct rect a;
	uint8_t *cell; /* directions of lines */
	int *y;        /* of each layer, within the picture */
	int box_h, h;
};

static void line_cell(struct picture *p, int y, int x, uint8_t directions)
{
	if (y >= 0 && y < p->h && x >= 0 && x < p->a.w)
		p->cell[(size_t)y * (size_t)p->a.w + (size_t)x] |= directions;
}

static void down(struct picture *p, int x, int from, int to)
{
	for (int y = from; y <= to; y++)
		line_cell(p, y, x, (uint8_t)((y > from ? UP : 0) | (y < to ? DOWN : 0)));
}

static void across(struct picture *p, int y, int from, int to)
{
	for (int x = from; x <= to; x++)
		line_cell(p, y, x, (uint8_t)((x > from ? LEFT : 0) | (x < to ? RIGHT : 0)));
}

static int middle(const struct graph_item *v)
{
	return v->x + v->w / 2;
}

static bool is_box(const struct graph_item *v)
{
	return v->node != HLO_NONE;
}

static void add_segment(struct picture *p, const struct graph_segment *s)
{
	const struct graph_item *from = &p->s->layers.v[s->from], *to = &p->s->layers.v[s->to];
	int x0 = middle(from), x1 = middle(to);
	int top = p->y[from->layer] + p->box_h - 1, bottom = p->y[to->layer],
	    bend = top + 1 + (s->track < 0 ? 0 : s->track);

	if (!from->w || !to->w)
		return;
	if (!is_box(from)) /* the line goes through its own layer */
		down(p, x0, p->y[from->layer], top);
	if (x0 == x1) {
		down(p, x0, top, bottom);
		return;
	}
	down(p, x0, top, bend);
	across(p, bend, x0 < x1 ? x0 : x1, x0 < x1 ? x1 : x0);
	down(p, x1, bend, bottom);
}

static void draw_lines(struct picture *p, int scroll)
{
	bool ascii = p->c->glyphs->ascii;

	for (int y = 0; y < p->a.h && y + scroll < p->h; y++)
		for (int x = 0; x < p->a.w; x++) {
			uint8_t d = p->cell[(size_t)(y + scroll) * (size_t)p->a.w + (size_t)x];

			if (d)
				canvas_put(p->c, p->a.y + y, p->a.x + x,
				    ascii ? (uint32_t)ascii_lines[d] : lines[d], ROLE_LINE, 0);
		}
}

static void put_line(struct picture *p, int y, int x, uint8_t d, enum role role)
{
	canvas_put(p->c, y, x, p->c->glyphs->ascii ? (uint32_t)ascii_lines[d] : lines[d], role, 0);
}

static void draw_border(struct picture *p, struct rect r, enum role role)
{
	for (int x = 0; x < r.w; x++)
		for (int k = 0; k < 2; k++) {
			uint8_t side = x == 0 ? RIGHT : x == r.w - 1 ? LEFT : LEFT | RIGHT;
			bool corner = x == 0 || x == r.w - 1;

			put_line(p, k ? r.y + r.h - 1 : r.y, r.x + x,
			    (uint8_t)(corner ? side | (k ? UP : DOWN) : side), role);
		}
	for (int y = 1; y < r.h - 1; y++) {
		put_line(p, r.y + y, r.x, UP | DOWN, role);
		put_line(p, r.y + y, r.x + r.w - 1, UP | DOWN, role);
	}
}

static void draw_box(struct picture *p, const struct graph_item *v, int scroll)
{
	const struct graph_view *s = p->s;
	uint32_t i = s->near.v[v->node].i;
	struct rect r = { p->a.y + p->y[v->layer] - scroll, p->a.x + v->x, p->box_h, v->w };
	struct slice name = hlo_name(s->g, i), opcode = hlo_opcode(s->g, i);
	enum role role = kind_role((enum time_kind)s->costs.kind[i]);
	double share = graph_share(&s->costs, s->costs.v[i].self);
	struct arena a = { 0 };
	char text[40], n[16];
	int x = r.x + 1, w = r.w - 2;

	canvas_fill(p->c, r, ' ', ROLE_TEXT, 0);
	draw_border(p, r, role);
	canvas_cut(p->c, r.y + 1, x, w, i == s->at ? ROLE_BOLD : ROLE_TEXT, i == s->at ? ATTR_BOLD : 0,
	    name.s, name.n);
	if (r.h == TALL)
		canvas_text(p->c, r.y + 2, x, w, role, 0, opcode.s, opcode.n);
	if (!isnan(share)) {
		snprintf(text, sizeof text, " %s %%", units_percent(n, sizeof n, share));
		w -= (int)strlen(text);
		canvas_str(p->c, r.y + r.h - 2, x + w, r.w, ROLE_TEXT, 0, text);
	}
	card_start(p->c, r.y + r.h - 2, x, w, ROLE_DIM, 0, graph_shape_short(&a, s->g, i));
	if (s->near.v[v->node].more)
		canvas_glyph(p->c, r.y + r.h - 1, r.x + r.w - 2, GLYPH_ELLIPSIS, ROLE_DIM, 0);
	if (v->node == s->box)
		canvas_role(p->c, (struct rect){ r.y + 1, r.x + 1, r.h - 2, r.w - 2 }, ROLE_SELECTED, 0);
	arena_free(&a);
}

static void make_layers(struct graph_view *s, uint32_t radius, int w)
{
	graph_view_boxes_free(s);
	graph_near_make(s->g, s->at, radius, GRAPH_BOXES_MAX, &s->near);
	graph_layers_make(&s->near, w, &s->layers);
	s->near_radius = radius;
}

static int layer_height(const struct graph_layers *l, uint32_t i, int box_h)
{
	if (l->first[i] == l->first[i + 1])
		return 0;
	return box_h + (i + 1 < l->nlayers ? l->tracks[i] + (l->tracks[i] == 0) : 0);
}

/* Whether all of it is shown at once, with names that can be read. */
static bool fits(const struct graph_view *s, struct rect a, int box_h)
{
	const struct graph_layers *l = &s->layers;
	int h = 0;

	for (uint32_t i = 0; i < l->nlayers && h <= a.h; i++)
		h += layer_height(l, i, box_h);
	for (uint32_t i = 0; i < l->n; i++)
		if (is_box(&l->v[i]) && l->v[i].w < READABLE)
			return false;
	return h <= a.h && !l->hidden && !s->near.cut;
}

/* The largest radius that fits, at least 1. */
static uint32_t radius_for(struct graph_view *s, struct rect a, int box_h)
{
	uint32_t radius = 1, n = 0;

	for (;;) {
		make_layers(s, radius, a.w);
		if (!fits(s, a, box_h) || s->near.n == n || radius == GRAPH_RADIUS_MAX)
			break;
		n = s->near.n;
		radius++;
	}
	return radius > 1 ? radius - 1 : 1;
}

static void make_picture(struct graph_view *s, struct rect a, int box_h)
{
	bool same = s->near_of == s->at;
	uint32_t radius = s->near_radius;

	if (same && s->layers_w == a.w && (s->radius_set ? s->near_radius == s->radius : s->layers_h == a.h))
		return;
	if (!s->radius_set)
		s->radius = radius_for(s, a, box_h);
	if (!same || radius != s->radius)
		s->box = 0;
	make_layers(s, s->radius, a.w);
	s->near_of = s->at;
	s->layers_w = a.w;
	s->layers_h = a.h;
	s->scroll = 0;
}

void graph_view_boxes_free(struct graph_view *s)
{
	graph_near_free(&s->near);
	graph_layers_free(&s->layers);
	free(s->layer_y);
	s->layer_y = NULL;
	s->near_of = HLO_NONE;
}

uint32_t graph_view_box_at(const struct graph_view *s, int y, int x)
{
	for (uint32_t i = 0; s->layer_y && i < s->layers.n; i++) {
		const struct graph_item *v = &s->layers.v[i];
		int top = s->layer_y[v->layer], left = s->area[SIDE_CENTER].x + v->x;

		if (is_box(v) && y >= top && y < top + s->box_h && x >= left && x < left + v->w)
			return v->node;
	}
	return HLO_NONE;
}

/* Rows of the layers; empty ones take none. */
static void place_layers(struct picture *p)
{
	const struct graph_layers *l = &p->s->layers;

	for (uint32_t i = 0; i < l->nlayers; i++) {
		p->y[i] = p->h;
		p->h += layer_height(l, i, p->box_h);
	}
}

void graph_view_boxes_draw(struct graph_view *s, struct canvas *c, struct rect a)
{
	struct picture p = { .s = s, .c = c, .a = a, .box_h = a.h >= 24 ? TALL : LOW };
	const struct graph_item *here;

	make_picture(s, a, p.box_h);
	p.y = xcalloc((size_t)s->layers.nlayers + 1, sizeof *p.y);
	place_layers(&p);
	p.cell = xcalloc((size_t)p.h * (size_t)a.w + 1, 1);
	here = &s->layers.v[s->layers.item[s->box]];
	if (p.h <= a.h) {
		s->scroll = 0;
		p.a.y += (a.h - p.h) / 3;
	} else if (p.y[here->layer] < s->scroll || p.y[here->layer] + p.box_h > s->scroll + a.h) {
		s->scroll = p.y[here->layer] - (a.h - p.box_h) / 2;
	}
	s->scroll = s->scroll > p.h - a.h ? p.h - a.h : s->scroll;
	s->scroll = s->scroll < 0 ? 0 : s->scroll;
	s->area[SIDE_CENTER] = p.a;
	for (uint32_t k = 0; k < s->layers.ns; k++)
		add_segment(&p, &s->layers.s[k]);
	draw_lines(&p, s->scroll);
	for (uint32_t i = 0; i < s->layers.n; i++)
		if (is_box(&s->layers.v[i]) && s->layers.v[i].w)
			draw_box(&p, &s->layers.v[i], s->scroll);
	for (uint32_t i = 0; i < s->layers.nlayers; i++)
		p.y[i] += p.a.y - s->scroll;
	free(s->layer_y);
	s->layer_y = p.y;
	s->box_h = p.box_h;
	free(p.cell);
}

/* From box to box: along the layer, or to the nearest one of the next layer that has boxes. */
void graph_view_boxes_step(struct graph_view *s, int dy, int dx)
{
	const struct graph_layers *l = &s->layers;
	const struct graph_item *here, *best = NULL;

	if (s->near_of != s->at || !l->n)
		return;
	here = &l->v[l->item[s->box]];
	for (uint32_t i = 0; i < l->n; i++) {
		const struct graph_item *v = &l->v[i];
		int64_t way = dx ? (int64_t)(v->x - here->x) * dx : ((int64_t)v->layer - here->layer) * dy;
		int64_t best_way = !best ? 0
		    : dx                 ? (int64_t)(best->x - here->x) * dx
					 : ((int64_t)best->layer - here->layer) * dy;

		if (!is_box(v) || !v->w || way <= 0 || (dx && v->layer != here->layer))
			continue;
		if (!best || way < best_way ||
		    (way == best_way && abs(middle(v) - middle(here)) < abs(middle(best) - middle(here))))
			best = v;
	}
	if (best)
		s->box = best->node;
}
