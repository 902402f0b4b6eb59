#include "config.h"
#include "analyze/graph/dot.h"

#include <math.h>

#include "analyze/graph/text/print.h"

enum { INSIDE_MOST = 200 }; /* instructions of a fusion that are drawn */

/* Colors of kinds of opcodes as in XProf's graph viewer; the first that fits. */
static const struct {
	const char *opcode, *color;
} colors[] = {
	{ "async", "#b3d4fc" },
	{ "all-", "#bcaaa4" },
	{ "reduce-scatter", "#bcaaa4" },
	{ "collective", "#bcaaa4" },
	{ "infeed", "#bcaaa4" },
	{ "outfeed", "#bcaaa4" },
	{ "send", "#bcaaa4" },
	{ "recv", "#bcaaa4" },
	{ "convolution", "#1565c0" },
	{ "dot", "#1565c0" },
	{ "fft", "#1565c0" },
	{ "call", "#2e7d32" },
	{ "conditional", "#2e7d32" },
	{ "custom-call", "#2e7d32" },
	{ "while", "#2e7d32" },
	{ "fusion", "#e0e0e0" },
	{ "map", "#e0e0e0" },
	{ "reshape", "#c8e6c9" },
	{ "copy", "#c8e6c9" },
	{ "transpose", "#c8e6c9" },
	{ "concatenate", "#c8e6c9" },
	{ "dynamic-slice", "#c8e6c9" },
	{ "parameter", "#ffcc80" },
	{ "reduce", "#e1bee7" },
	{ "gather", "#e1bee7" },
	{ "scatter", "#e1bee7" },
	{ "batch-norm", "#e1bee7" },
	{ "broadcast", "#fff59d" },
	{ "dynamic-update-slice", "#fff59d" },
};

static const char *color_of(struct slice opcode)
{
	for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
		if (slice_begins(opcode, colors[i].opcode))
			return colors[i].color;
	return "#ffffff";
}

static void put_quoted(FILE *f, struct slice s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.s[i];

		if (c == '"' || c == '\\')
			fputc('\\', f);
		fputc(c < ' ' ? ' ' : c, f);
	}
}

static void put_node(FILE *f, const struct hlo_graph *g, const struct graph_costs *costs, uint32_t i,
    bool center)
{
	const char *color = color_of(hlo_opcode(g, i));
	struct arena a = { 0 };
	double us = costs ? graph_step_us(costs, costs->v[i].self) : NAN;

	fprintf(f, "  n%u [label=\"", i);
	put_quoted(f, hlo_name(g, i));
	fputs("\\n", f);
	put_quoted(f, hlo_opcode(g, i));
	fputc(' ', f);
	put_quoted(f, slice_of(graph_shape_short(&a, g, i)));
	if (!isnan(us))
		fprintf(f, "\\n%.3f us per step", us);
	fprintf(f, "\", fillcolor=\"%s\"%s%s];\n", color,
	    color[1] == '1' || color[1] == '2' ? ", fontcolor=white" : "", center ? ", penwidth=3" : "");
	arena_free(&a);
}

/* The computation of a fusion as a box with its instructions, and what connects them. */
static void put_inside(FILE *f, const struct hlo_graph *g, uint32_t fusion)
{
	uint32_t c = hlo_nlinks(&g->calls, fusion) ? hlo_link(&g->calls, fusion, 0) : HLO_NONE;
	const struct hlo_computation *of = c == HLO_NONE ? NULL : &g->computation[c];
	uint32_t n = of ? of->n < INSIDE_MOST ? of->n : INSIDE_MOST : 0;

	if (!n || g->v[fusion].computation == c)
		return;
	fprintf(f, "  subgraph cluster_%u {\n  label=\"", fusion);
	put_quoted(f, hlo_computation_name(g, c));
	fputs("\"; style=filled; color=\"#f5f5f5\";\n", f);
	for (uint32_t i = of->first; i < of->first + n; i++)
		put_node(f, g, NULL, i, false);
	fputs("  }\n", f);
	for (uint32_t i = of->first; i < of->first + n; i++)
		for (uint32_t k = 0; k < hlo_nlinks(&g->operands, i); k++) {
			uint32_t o = hlo_link(&g->operands, i, k);

			if (o >= of->first && o < of->first + n)
				fprintf(f, "  n%u -> n%u;\n", o, i);
		}
	if (of->root >= of->first && of->root < of->first + n)
		fprintf(f, "  n%u -> n%u [style=dotted];\n", of->root, fusion);
}

void graph_dot(FILE *f, const struct hlo_graph *g, const struct graph_costs *costs,
    const struct graph_near *near, bool inside)
{
	fputs("digraph \"", f);
	put_quoted(f, slice_of(g->name));
	fputs("\" {\n  rankdir=TB;\n  node [shape=box, style=filled, fontname=\"monospace\"];\n", f);
	for (uint32_t k = 0; k < near->n; k++)
		put_node(f, g, costs, near->v[k].i, !k);
	for (uint32_t k = 0; k < near->ne; k++) {
		const struct graph_edge *e = &near->e[k];

		fprintf(f, "  n%u -> n%u", near->v[e->from].i, near->v[e->to].i);
		if (e->index >= 0)
			fprintf(f, " [label=\"%lld\"]", (long long)e->index);
		else if (e->control)
			fputs(" [style=dashed]", f);
		fputs(";\n", f);
	}
	for (uint32_t k = 0; inside && k < near->n; k++)
		if (hlo_opcode_is(g, near->v[k].i, "fusion"))
			put_inside(f, g, near->v[k].i);
	fputs("}\n", f);
}
