#include "config.h"
#include "view/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/graph/text/print.h"
#include "base/bisect.h"
#include "base/text/utf8.h"

enum { AROUND = 3, CUT = 4096 }; /* a line longer than that is cut */

/* A computation of n instructions has n + 3 lines: its head, them, "}" and an empty one. */
static size_t first_line(const struct hlo_graph *g, size_t c)
{
	return g->computation[c].first + AROUND * c;
}

size_t graph_view_lines(const struct hlo_graph *g)
{
	return g->n + AROUND * (size_t)g->ncomputations;
}

size_t graph_view_line_of(const struct hlo_graph *g, uint32_t i)
{
	return i + AROUND * (size_t)g->v[i].computation + 1;
}

static uint32_t computation_on(const struct hlo_graph *g, size_t line)
{
	size_t c;

	BISECT(c, g->ncomputations, first_line(g, c) <= line);
	return (uint32_t)c - 1;
}

uint32_t graph_view_instr_on(const struct hlo_graph *g, size_t line)
{
	const struct hlo_computation *of = &g->computation[computation_on(g, line)];
	size_t at = line - first_line(g, computation_on(g, line));

	return at >= 1 && at <= of->n ? of->first + (uint32_t)at - 1 : HLO_NONE;
}

/* Its operands, then the computations that it calls. */
static uint32_t name_at(const struct hlo_graph *g, uint32_t i, int k, struct slice *name)
{
	uint32_t operands = hlo_nlinks(&g->operands, i), to;

	if (k < 0 || (uint32_t)k >= operands + hlo_nlinks(&g->calls, i))
		return HLO_NONE;
	if ((uint32_t)k < operands) {
		to = hlo_link(&g->operands, i, (uint32_t)k);
		*name = to == HLO_NONE ? slice_of("") : hlo_name(g, to);
		return to;
	}
	to = hlo_link(&g->calls, i, (uint32_t)k - operands);
	*name = to == HLO_NONE ? slice_of("") : hlo_computation_name(g, to);
	return to == HLO_NONE ? HLO_NONE : g->computation[to].root;
}

uint32_t graph_view_named_on_line(const struct graph_view *s)
{
	uint32_t i = graph_view_instr_on(s->g, s->line);
	struct slice name;

	return i == HLO_NONE ? HLO_NONE : name_at(s->g, i, s->name, &name);
}

int graph_view_names_on_line(const struct graph_view *s)
{
	uint32_t i = graph_view_instr_on(s->g, s->line);

	return i == HLO_NONE ? 0 : (int)(hlo_nlinks(&s->g->operands, i) + hlo_nlinks(&s->g->calls, i));
}

static char *line_text(const struct graph_view *s, size_t line, size_t *n)
{
	uint32_t c = computation_on(s->g, line), i = graph_view_instr_on(s->g, line);
	char *text = NULL;
	FILE *f = open_memstream(&text, n);

	if (!f)
		return NULL;
	if (line == first_line(s->g, c)) {
		graph_print_head(f, s->g, c, CUT);
	} else if (i != HLO_NONE) {
		fputs("  ", f);
		graph_print_instr(f, s->g, i, s->full_text ? GRAPH_LONG : GRAPH_SHORT, CUT);
	} else if (line == first_line(s->g, c) + s->g->computation[c].n + 1) {
		fputc('}', f);
	}
	fclose(f);
	for (size_t k = 0; k < *n; k++)
		text[k] = text[k] == '\n' ? ' ' : text[k];
	*n = *n < CUT ? *n : CUT;
	return text;
}

/* Where a name stands in a line behind its "=", as a whole word; NULL. */
static const char *place_of(const char *text, size_t n, struct slice name)
{
	const char *end = text + n, *p = memchr(text, '=', n);

	while (p && name.n && (p = memmem(p, (size_t)(end - p), name.s, name.n))) {
		const char *after = p + name.n;
		bool before = p > text && strchr("% (,/={", p[-1]);

		if (before && (after == end || strchr("), }", *after)))
			return p;
		p = after;
	}
	return NULL;
}

/* Highlights the selected name, and scrolls so that it can be seen. */
static void draw_name(struct graph_view *s, struct canvas *c, struct rect r, const char *text, size_t n)
{
	uint32_t i = graph_view_instr_on(s->g, s->line);
	struct slice name;
	const char *p;
	int x;

	if (i == HLO_NONE || s->name < 0 ||
	    (name_at(s->g, i, s->name, &name), !(p = place_of(text, n, name))))
		return;
	x = utf8_cols(text, (size_t)(p - text)) - s->shift;
	if (x + (int)name.n > r.w || x < 0)
		return;
	canvas_role(c, (struct rect){ r.y, r.x + x, 1, (int)name.n }, ROLE_HIT, ATTR_BOLD);
}

static void shift_to_name(struct graph_view *s, int w)
{
	uint32_t i = graph_view_instr_on(s->g, s->line);
	struct slice name = { "", 0 };
	const char *p = NULL;
	char *text;
	size_t n;
	int x;

	if (s->name < 0) {
		s->shift = 0;
		return;
	}
	text = line_text(s, s->line, &n);
	if (i != HLO_NONE && text)
		name_at(s->g, i, s->name, &name);
	p = text ? place_of(text, n, name) : NULL;
	x = p ? utf8_cols(text, (size_t)(p - text)) : 0;
	s->shift = x + (int)name.n > w ? x - w / 3 : 0;
	free(text);
}

static bool instruction_is_hit(const struct graph_view *s, uint32_t i)
{
	size_t k;

	BISECT(k, s->nhits, s->hit[k] < i);
	return k < s->nhits && s->hit[k] == i;
}

static void draw_line(struct graph_view *s, struct canvas *c, struct rect r, size_t line)
{
	uint32_t i = graph_view_instr_on(s->g, line);
	bool here = line == s->line;
	size_t n = 0, from = 0;
	char *text = line_text(s, line, &n);
	int cols = here ? s->shift : 0;

	if (!text)
		return;
	while (cols > 0 && from < n) {
		size_t one = 1;

		while (from + one < n && ((unsigned char)text[from + one] & 0xc0) == 0x80)
			one++;
		from += one;
		cols--;
	}
	canvas_start(c, r.y, r.x, r.w,
	    i == HLO_NONE                  ? ROLE_HEAD
		: instruction_is_hit(s, i) ? ROLE_HIT
					   : ROLE_TEXT,
	    0, text + from, n - from);
	if (from)
		canvas_glyph(c, r.y, r.x, GLYPH_ELLIPSIS, ROLE_TEXT, 0);
	if (here) {
		canvas_role(c, r, ROLE_SELECTED, 0);
		draw_name(s, c, r, text, n);
	}
	free(text);
}

void graph_view_text_draw(struct graph_view *s, struct canvas *c, struct rect a)
{
	size_t lines = graph_view_lines(s->g), rows = a.h > 0 ? (size_t)a.h : 0;

	if (s->line < s->top)
		s->top = s->line;
	if (s->line >= s->top + rows)
		s->top = s->line - rows + 1;
	if (s->top + rows > lines)
		s->top = lines > rows ? lines - rows : 0;
	shift_to_name(s, a.w - 2);
	s->area[SIDE_CENTER] = a;
	for (size_t y = 0; y < rows && s->top + y < lines; y++)
		draw_line(s, c, (struct rect){ a.y + (int)y, a.x + 1, 1, a.w - 2 }, s->top + y);
}
