#include "config.h"
#include "analyze/graph/text/print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/graph/text/attributes.h"
#include "analyze/graph/text/module.h"
#include "base/codec/pbread.h"

enum { SHORT_SHAPE = 60 }; /* bytes */

static void put_slice(FILE *f, struct slice s)
{
	fwrite(s.s, 1, s.n, f);
}

bool graph_shape(struct arena *a, const struct hlo_graph *g, uint32_t i, struct shape *shape)
{
	const struct hlo_instr *v = &g->v[i];
	const Pb__ShapeProto *proto;
	struct err err;

	if (!v->shape)
		return false;
	if (g->text)
		return shape_parse(a, v->shape, v->shape_len, shape) > 0;
	proto = pb_read(&pb__shape_proto__descriptor, a, v->shape, v->shape_len, &err);
	return proto && shape_of_proto(a, proto, shape);
}

struct slice graph_shape_text(struct arena *a, const struct hlo_graph *g, uint32_t i)
{
	struct shape shape;

	if (g->text)
		return g->v[i].shape ? (struct slice){ g->v[i].shape, g->v[i].shape_len }
				     : (struct slice){ "", 0 };
	return graph_shape(a, g, i, &shape) ? slice_of(shape_text(a, &shape)) : (struct slice){ "", 0 };
}

static int64_t size_of(const struct shape *s, bool padded, int depth)
{
	int64_t sum = 0;

	if (s->type != SHAPE_TUPLE || depth == SHAPE_DEPTH)
		return padded ? shape_padded(s) : shape_unpadded(s);
	for (size_t i = 0; i < s->nsub; i++) {
		int64_t n = size_of(&s->sub[i], padded, depth + 1);

		if (n < 0 || __builtin_add_overflow(sum, n, &sum))
			return -1;
	}
	return sum;
}

static int64_t result_size(const struct hlo_graph *g, uint32_t i, bool padded)
{
	struct arena a = { 0 };
	struct shape shape;
	int64_t n = graph_shape(&a, g, i, &shape) ? size_of(&shape, padded, 0) : -1;

	arena_free(&a);
	return n;
}

int64_t graph_size(const struct hlo_graph *g, uint32_t i)
{
	return result_size(g, i, true);
}

int64_t graph_size_unpadded(const struct hlo_graph *g, uint32_t i)
{
	return result_size(g, i, false);
}

/* Drops what is in braces and, of what is cut after `most` bytes, comments. */
static const char *without_layout(struct arena *a, struct slice s, size_t most)
{
	char *out = arena_alloc(a, (s.n < most ? s.n : most) + 8);
	size_t n = 0;
	int depth = 0;

	for (size_t i = 0; i < s.n && n < most; i++) {
		char c = s.s[i];

		if (most != SIZE_MAX && c == '/' && i + 1 < s.n && s.s[i + 1] == '*') {
			const char *end = memmem(s.s + i, s.n - i, "*/", 2);

			i = end ? (size_t)(end - s.s) + 1 : s.n;
			continue;
		}
		if (c == '{')
			depth++;
		if (!depth && c != '\n')
			out[n++] = c;
		if (c == '}')
			depth--;
	}
	if (n == most)
		strcpy(out + n, "…");
	return out;
}

const char *graph_shape_short(struct arena *a, const struct hlo_graph *g, uint32_t i)
{
	return without_layout(a, graph_shape_text(a, g, i), SHORT_SHAPE);
}

static void put_some(FILE *f, struct slice s, size_t most)
{
	put_slice(f, (struct slice){ s.s, s.n < most ? s.n : most });
	if (s.n > most)
		fputs("…", f);
}

static void print_operands(FILE *f, const struct hlo_graph *g, uint32_t i, size_t most)
{
	size_t n = 0;

	for (uint32_t k = 0; k < hlo_nlinks(&g->operands, i) && n < most; k++) {
		uint32_t o = hlo_link(&g->operands, i, k);
		struct slice name = o == HLO_NONE ? slice_of("?") : hlo_name(g, o);

		fputs(k ? ", " : "", f);
		if (k && k % 5 == 0 && most == SIZE_MAX)
			fprintf(f, "/*index=%" PRIu32 "*/", k);
		fputc('%', f);
		put_slice(f, name);
		n += name.n + 3;
	}
	if (n >= most)
		fputs("…", f);
}

static void print_arguments(FILE *f, const struct hlo_graph *g, uint32_t i, size_t most, struct arena *a)
{
	struct hlo_detail d;

	if (g->text) {
		put_some(f, hlo_operands_text(g, i), most);
	} else if (hlo_opcode_is(g, i, "constant")) {
		put_slice(f, graph_literal(a, g, i));
	} else if (hlo_opcode_is(g, i, "parameter")) {
		hlo_detail(g, i, &d);
		fprintf(f, "%" PRId64, d.parameter < 0 ? 0 : d.parameter);
	} else {
		print_operands(f, g, i, most);
	}
}

static bool is_root(const struct hlo_graph *g, uint32_t i)
{
	return g->computation[g->v[i].computation].root == i;
}

void graph_print_instr(FILE *f, const struct hlo_graph *g, uint32_t i, enum graph_form form, size_t most)
{
	struct arena a = { 0 };

	fputs(is_root(g, i) ? "ROOT %" : "%", f);
	put_slice(f, hlo_name(g, i));
	fputs(" = ", f);
	put_some(f, graph_shape_text(&a, g, i), most);
	fputc(' ', f);
	put_slice(f, hlo_opcode(g, i));
	fputc('(', f);
	print_arguments(f, g, i, most, &a);
	fputc(')', f);
	if (form == GRAPH_LONG && g->text)
		put_some(f, hlo_attributes(g, i), most);
	else if (form == GRAPH_LONG)
		graph_attributes(f, g, i);
	arena_free(&a);
}

/* The parameters of a computation in the order of their numbers; those whose number makes no sense come last. */
static uint32_t parameters_of(const struct hlo_graph *g, uint32_t c, size_t most, struct arena *a,
    uint32_t **v)
{
	const struct hlo_computation *of = &g->computation[c];
	uint32_t n = 0, last, *found = arena_alloc(a, ((size_t)of->n + 1) * sizeof *found), *order;
	struct hlo_detail d;

	for (uint32_t i = of->first; i < of->first + of->n && n < most; i++)
		if (hlo_opcode_is(g, i, "parameter"))
			found[n++] = i;
	order = arena_alloc(a, (2 * (size_t)n + 1) * sizeof *order);
	last = n;
	for (uint32_t k = 0; k < n; k++) {
		hlo_detail(g, found[k], &d);
		if (d.parameter >= 0 && d.parameter < n && !order[d.parameter])
			order[d.parameter] = found[k] + 1;
		else
			order[last++] = found[k] + 1;
	}
	n = 0;
	for (uint32_t k = 0; k < last; k++)
		if (order[k])
			order[n++] = order[k] - 1;
	*v = order;
	return n;
}

void graph_print_head(FILE *f, const struct hlo_graph *g, uint32_t c, size_t most)
{
	const struct hlo_computation *of = &g->computation[c];
	size_t shape = most == SIZE_MAX ? SIZE_MAX : SHORT_SHAPE;
	struct arena a = { 0 };
	uint32_t *v, n = parameters_of(g, c, most, &a, &v);
	size_t bytes = 0;

	fputs(c == g->entry ? "ENTRY %" : "%", f);
	put_slice(f, hlo_computation_name(g, c));
	fputs(" (", f);
	for (uint32_t k = 0; k < n && bytes < most; k++) {
		bytes += hlo_name(g, v[k]).n;
		fputs(k ? ", " : "", f);
		put_slice(f, hlo_name(g, v[k]));
		fprintf(f, ": %s", without_layout(&a, graph_shape_text(&a, g, v[k]), shape));
	}
	fprintf(f, ") -> %s {",
	    of->root == HLO_NONE ? "?" : without_layout(&a, graph_shape_text(&a, g, of->root), shape));
	arena_free(&a);
}

static void graph_print_computation(FILE *f, const struct hlo_graph *g, uint32_t c, enum graph_form form)
{
	const struct hlo_computation *of = &g->computation[c];

	graph_print_head(f, g, c, SIZE_MAX);
	fputc('\n', f);
	for (uint32_t i = of->first; i < of->first + of->n; i++) {
		fputs("  ", f);
		graph_print_instr(f, g, i, form, SIZE_MAX);
		fputc('\n', f);
	}
	fputc('}', f);
	if (of->thread.n && !slice_is(of->thread, "main"))
		fprintf(f, ", execution_thread=\"%.*s\"", (int)of->thread.n, of->thread.s);
	fputc('\n', f);
}

void graph_print_module(FILE *f, const struct hlo_graph *g, enum graph_form form)
{
	graph_print_module_head(f, g);
	for (uint32_t c = 0; c < g->ncomputations; c++) {
		fputc('\n', f);
		graph_print_computation(f, g, c, form);
	}
}
