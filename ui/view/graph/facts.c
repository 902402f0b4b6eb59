#include "config.h"
#include "view/graph/graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/graph/text/print.h"
#include "base/text/units.h"
#include "widget/bar.h"
#include "widget/card.h"
#include "widget/kind.h"
#include "widget/text.h"

enum { FACTS = 12, LABEL = 9, CARD_TEXT = 8192 };

struct fact_line {
	const char *label;
	char text[400];
};
struct facts_of {
	struct fact_line v[FACTS];
	size_t n;
};

static char *new_line(struct facts_of *f, const char *label)
{
	if (f->n == FACTS)
		f->n--;
	f->v[f->n].label = label;
	*f->v[f->n].text = 0;
	return f->v[f->n++].text;
}

static void add_text(struct facts_of *f, const char *label, struct slice s)
{
	if (s.n)
		snprintf(new_line(f, label), sizeof f->v->text, "%.*s", (int)(s.n < 390 ? s.n : 390), s.s);
}

/* Time per step or, without steps, of one run, and how often it runs. */
static void add_time(struct facts_of *f, const struct graph_view *s, uint32_t i)
{
	const struct graph_cost *v = &s->costs.v[i];
	double step = graph_step_us(&s->costs, v->self), share = graph_share(&s->costs, v->self);
	char time[40], percent[24];

	if (v->occurrences <= 0)
		return;
	text_percent(percent, sizeof percent, share);
	text_ms(time, sizeof time, isnan(step) ? (double)v->self / 1e9 / (double)v->occurrences : step / 1e3);
	snprintf(new_line(f, isnan(step) ? "per run" : "per step"), sizeof f->v->text,
	    "%s  %s  %" PRId64 " runs", time, percent, v->occurrences);
}

static void add_rates(struct facts_of *f, const struct graph_view *s, uint32_t i)
{
	const struct graph_cost *v = &s->costs.v[i];
	double runs = (double)v->occurrences, seconds = (double)v->self / 1e12;
	char n[40];

	if (v->occurrences <= 0 || v->self <= 0)
		return;
	if (!isnan(v->flops))
		snprintf(new_line(f, "FLOPS"), sizeof f->v->text, "%.4g TFLOP/s  %.4g GFLOP",
		    v->flops / seconds / 1e12, v->flops / runs / 1e9);
	if (v->bytes > 0)
		snprintf(new_line(f, "HBM"), sizeof f->v->text, "%.4g GB/s  %s", v->bytes / seconds / 1e9,
		    text_bytes(n, sizeof n, v->bytes / runs));
}

static void add_memory(struct facts_of *f, const struct graph_view *s, uint32_t i)
{
	const struct graph_cost *v = &s->costs.v[i];
	int64_t size = graph_size(s->g, i), unpadded = graph_size_unpadded(s->g, i);
	char n[32], part[96] = "";

	if (size < 0)
		return;
	if (unpadded > 0 && size > unpadded)
		snprintf(part, sizeof part, "  %.0f %% padding",
		    100 * (double)(size - unpadded) / (double)size);
	if (v->hbm > 0 || v->chip > 0)
		snprintf(part + strlen(part), sizeof part - strlen(part), "  buffers %s%s",
		    text_bytes(n, sizeof n, (double)(v->hbm > 0 ? v->hbm : v->chip)),
		    v->hbm > 0 ? "" : " on chip");
	snprintf(new_line(f, "size"), sizeof f->v->text, "%s%s", text_bytes(n, sizeof n, (double)size), part);
}

static void add_calls(struct facts_of *f, const struct graph_view *s, uint32_t i)
{
	for (uint32_t k = 0; k < hlo_nlinks(&s->g->calls, i) && k < 2; k++) {
		uint32_t c = hlo_link(&s->g->calls, i, k);
		struct slice name;

		if (c == HLO_NONE)
			continue;
		name = hlo_computation_name(s->g, c);
		snprintf(new_line(f, k ? "" : "calls"), sizeof f->v->text, "%.*s, %u instructions",
		    (int)(name.n < 300 ? name.n : 300), name.s, s->g->computation[c].n);
	}
}

static void make_facts(struct facts_of *f, const struct graph_view *s, uint32_t i)
{
	struct arena a = { 0 };
	struct hlo_detail d;
	char source[400];

	f->n = 0;
	hlo_detail(s->g, i, &d);
	add_time(f, s, i);
	add_rates(f, s, i);
	add_memory(f, s, i);
	add_text(f, "shape", graph_shape_text(&a, s->g, i));
	add_calls(f, s, i);
	add_text(f, "target", d.target);
	if (hlo_opcode_is(s->g, i, "constant"))
		add_text(f, "value", graph_literal(&a, s->g, i));
	add_text(f, "op", d.op_name);
	snprintf(source, sizeof source, d.line >= 0 ? "%.*s:%d" : "%.*s",
	    (int)(d.source.n < 380 ? d.source.n : 380), d.source.s ? d.source.s : "", d.line);
	add_text(f, "source", d.source.n ? slice_of(source) : d.source);
	arena_free(&a);
}

/* name, opcode and kind */
static int draw_name(const struct graph_view *s, struct canvas *c, struct rect r, uint32_t i)
{
	enum time_kind kind = (enum time_kind)s->costs.kind[i];
	struct slice name = hlo_name(s->g, i), opcode = hlo_opcode(s->g, i);
	struct hlo_detail d;
	int x = r.x;

	hlo_detail(s->g, i, &d);
	canvas_cut(c, r.y, x, r.w, ROLE_BOLD, ATTR_BOLD, name.s, name.n);
	x += canvas_text(c, r.y + 1, x, r.w, kind_role(kind), ATTR_BOLD, opcode.s, opcode.n) + 1;
	if (d.fusion_kind.n)
		x +=
		    canvas_text(c, r.y + 1, x, r.x + r.w - x, ROLE_DIM, 0, d.fusion_kind.s, d.fusion_kind.n) +
		    1;
	card_start(c, r.y + 1, x + 1, r.x + r.w - x - 1, ROLE_DIM, 0, kind_info[kind].name);
	return r.y + 2;
}

/* Values that are cut at the left, because their ends matter more. */
static bool is_path(const char *label)
{
	return !strcmp(label, "op") || !strcmp(label, "source");
}

int graph_view_facts_draw(const struct graph_view *s, struct canvas *c, struct rect r, uint32_t i)
{
	struct facts_of f;
	double share = graph_share(&s->costs, s->costs.v[i].self);
	int y = draw_name(s, c, r, i), end = r.y + r.h;

	make_facts(&f, s, i);
	if (!isnan(share) && r.h > 14)
		bar_draw_dotted(c, y++, r.x, r.w, share, kind_role((enum time_kind)s->costs.kind[i]));
	for (size_t k = 0; k < f.n && y < end; k++, y++) {
		const char *text = f.v[k].text;
		int w = r.w - LABEL;

		canvas_str(c, y, r.x, LABEL - 1, ROLE_DIM, 0, f.v[k].label);
		if (is_path(f.v[k].label))
			card_tail(c, y, r.x + LABEL, w, ROLE_TEXT, text, strlen(text));
		else
			card_start(c, y, r.x + LABEL, w, ROLE_TEXT, 0, text);
	}
	return y;
}

/* The HLO text of an instruction in full. */
static char *full_text(const struct graph_view *s, uint32_t i, size_t most, size_t *n)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, n);

	if (!f)
		return NULL;
	graph_print_instr(f, s->g, i, GRAPH_LONG, most);
	fclose(f);
	return text;
}

int graph_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct graph_view *s = v->state;
	uint32_t i = graph_view_here(s);
	int y = r.y;
	char *text;
	size_t n;

	if (i == HLO_NONE)
		return y;
	if (how == FRAME_BELOW)
		y = card_rule(c, r, y, s->mode == GRAPH_COMPUTATIONS ? "root instruction" : "instruction",
		    "");
	y = graph_view_facts_draw(s, c, (struct rect){ y, r.x + 1, r.y + r.h - y, r.w - 2 }, i) + 1;
	if (how == FRAME_BELOW || !(text = full_text(s, i, CARD_TEXT, &n)))
		return y;
	y = card_text(c, (struct rect){ r.y, r.x + 1, r.h, r.w - 2 }, y, 0, ROLE_DIM, text, n);
	free(text);
	return y;
}

void graph_view_facts_write(const struct graph_view *s, uint32_t i, FILE *out)
{
	struct facts_of f;
	size_t n;
	char *text = full_text(s, i, SIZE_MAX, &n);

	make_facts(&f, s, i);
	for (size_t k = 0; k < f.n; k++)
		fprintf(out, "%s\t%s\n", f.v[k].label, f.v[k].text);
	fprintf(out, "hlo\t%s\n", text ? text : "");
	free(text);
}
