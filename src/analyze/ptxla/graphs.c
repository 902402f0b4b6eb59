#include "config.h"
#include "analyze/ptxla/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/digit.h"

#define NAME_MAX_BYTES 200
#define ROOTS_MAX ((size_t)16 << 20)

/* "[ScheduleSyncTensorsGraph]" alone on a line */
static bool is_name(struct slice s)
{
	return s.n > 2 && s.n < NAME_MAX_BYTES && *s.s == '[' && s.s[s.n - 1] == ']' &&
	    !memchr(s.s, ' ', s.n) && !memchr(s.s, '=', s.n);
}

static int by_text(const void *a, const void *b)
{
	return slice_order(*(const struct slice *)a, *(const struct slice *)b);
}

/* Counts the hashes of "a, b, a": all, and different ones. */
static void count_roots(struct ptxla_process *p)
{
	struct slice *v = NULL, rest = { p->roots, p->nroots };
	size_t n = 0, cap = 0;

	while (rest.n) {
		const char *comma = memchr(rest.s, ',', rest.n);
		size_t len = comma ? (size_t)(comma - rest.s) : rest.n;
		struct slice one = slice_trim((struct slice){ rest.s, len });

		if (one.n)
			VEC_ADD(v, n, cap, one);
		len += comma != NULL;
		rest = (struct slice){ rest.s + len, rest.n - len };
	}
	VEC_SORT(v, n, by_text);
	p->graph.roots = (int64_t)n;
	p->graph.distinct_roots = n > 0;
	for (size_t i = 1; i < n; i++)
		p->graph.distinct_roots += !slice_same(v[i], v[i - 1]);
	free(v);
}

/* The rest of "Root Hashes: (a, b, c)", which may be on several lines. */
static void roots_line(struct ptxla_process *p, struct slice s)
{
	const char *end = memchr(s.s, ')', s.n);
	size_t n = end ? (size_t)(end - s.s) : s.n;

	if (p->nroots + n + 1 < ROOTS_MAX) {
		while (p->nroots + n + 1 > p->roots_cap) {
			p->roots_cap = 2 * (p->nroots + n + 1);
			p->roots = xrealloc(p->roots, p->roots_cap, 1);
		}
		memcpy(p->roots + p->nroots, s.s, n);
		p->nroots += n;
	}
	p->in = end ? GRAPH_HEAD : GRAPH_ROOTS;
	if (end)
		count_roots(p);
}

static bool head_line(struct ptxla *x, struct ptxla_process *p, struct slice s)
{
	struct ptxla_frame f;

	if (slice_is(s, "TensorsGraphInfo:")) {
		p->in = GRAPH_FRAMES;
		return true;
	}
	if (slice_cut(&s, "Root Hashes: (") || slice_cut(&s, "Hashes: (")) {
		p->nroots = 0;
		roots_line(p, s);
		return true;
	}
	if (p->in == GRAPH_ROOTS) {
		roots_line(p, s);
		return true;
	}
	if (p->in != GRAPH_FRAMES || !ptxla_frame_of(x, s, &f))
		return !s.n;
	if (!p->graph.user.file || (ptxla_is_library(&p->graph.user) && !ptxla_is_library(&f)))
		p->graph.user = f;
	return true;
}

static void graph_begin(struct ptxla *x, struct ptxla_process *p, uint64_t line)
{
	if (p->in == NO_GRAPH)
		p->graph = (struct ptxla_graph){ .line = line, .roots = -1, .distinct_roots = -1 };
	if (p->in == GRAPH_ROOTS)
		count_roots(p);
	p->graph.file = x->work->file;
	p->graph_row = x->ngraphs;
	VEC_ADD(x->graphs, x->ngraphs, x->graphs_cap, p->graph);
	p->in = GRAPH_BODY;
}

static const char *format_of(struct slice s)
{
	return slice_begins(s, "IR {")     ? "text"
	    : slice_begins(s, "digraph")   ? "dot"
	    : slice_begins(s, "HloModule") ? "hlo"
	    : slice_begins(s, "module")    ? "stablehlo"
					   : NULL;
}

static bool is_node(const struct ptxla_process *p, const char *format, struct slice s)
{
	size_t n = 4;

	if (!strcmp(format, "hlo"))
		return p->in == GRAPH_ENTRY && slice_find(s, " = ");
	if (!strcmp(format, "text"))
		return *s.s == '%' && slice_find(s, " = ");
	if (strcmp(format, "dot") || !slice_begins(s, "node"))
		return false;
	while (n < s.n && is_digit(s.s[n]))
		n++;
	return n > 4 && n + 1 < s.n && s.s[n] == ' ' && s.s[n + 1] == '[';
}

static void body_line(struct ptxla *x, struct ptxla_process *p, struct slice s)
{
	struct ptxla_graph *g = &x->graphs[p->graph_row];

	if (!g->format) {
		g->format = format_of(s);
		return;
	}
	if (slice_begins(s, "ENTRY "))
		p->in = GRAPH_ENTRY;
	else if (p->in == GRAPH_ENTRY && *s.s == '}')
		p->in = GRAPH_BODY;
	else if (slice_cut(&s, "Graph Hash: "))
		g->hash = ptxla_keep(x, s);
	else
		g->nodes += is_node(p, g->format, s);
}

bool ptxla_graph_line(struct ptxla *x, struct ptxla_process *p, uint64_t line, struct slice s)
{
	bool body = p->in >= GRAPH_BODY;

	if (slice_is(s, "## BEGIN_GRAPH")) {
		p->in = body ? NO_GRAPH : p->in;
		graph_begin(x, p, line);
		return true;
	}
	if (slice_is(s, "## END_GRAPH")) {
		p->in = NO_GRAPH;
		return true;
	}
	if (is_name(s)) {
		p->graph = (struct ptxla_graph){ .line = line,
			.name = ptxla_keep(x, (struct slice){ s.s + 1, s.n - 2 }),
			.roots = -1,
			.distinct_roots = -1 };
		p->in = GRAPH_HEAD;
		return false;
	}
	if (body && s.n)
		body_line(x, p, s);
	return body || (p->in != NO_GRAPH && head_line(x, p, s));
}

void ptxla_graph_end(struct ptxla *x, struct ptxla_process *p)
{
	(void)x;
	free(p->roots);
	p->roots = NULL;
	p->nroots = p->roots_cap = 0;
	p->in = NO_GRAPH;
}
