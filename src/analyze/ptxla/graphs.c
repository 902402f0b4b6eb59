#include "config.h"
#include "analyze/ptxla/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text/digit.h"
#include "base/text/python.h"

#define NAME_MAX_BYTES 200
#define ROOTS_MAX ((size_t)16 << 20)

/* "[ScheduleSyncTensorsGraph]" alone on a line; the rest of a wrapped node may be "[8,10]{1,0}\"]". */
static bool is_name(struct slice s)
{
	size_t n = 1;

	if (s.n < 3 || s.n >= NAME_MAX_BYTES || *s.s != '[' || is_digit(s.s[1]))
		return false;
	while (n < s.n && !memchr(" =,\"[]{}", s.s[n], 8))
		n++;
	return n + 1 == s.n && s.s[n] == ']';
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
	if (!p->graph.user.file || (python_is_library(p->graph.user.file) && !python_is_library(f.file)))
		p->graph.user = f;
	return true;
}

/* NAME of "NAME-THREAD-NUMBER.FORMAT", as torch_xla.debug.graph_saver names its files; NULL: it is none. */
static const char *saver_name(struct ptxla *x)
{
	const char *path = x->files[x->work->file].path, *slash = strrchr(path, '/'),
		   *dot = strrchr(path, '.');
	struct slice s = slice_of(slash ? slash + 1 : path);

	if (!dot || dot < s.s)
		return NULL;
	s.n = (size_t)(dot - s.s);
	for (int i = 0; i < 2; i++) {
		size_t digits = 0;

		while (digits < s.n && s.s[s.n - 1 - digits] >= '0' && s.s[s.n - 1 - digits] <= '9')
			digits++;
		if (!digits || digits + 1 >= s.n || s.s[s.n - 1 - digits] != '-')
			return NULL;
		s.n -= digits + 1;
	}
	return ptxla_keep(x, s);
}

static void graph_begin(struct ptxla *x, struct ptxla_process *p, uint64_t line)
{
	p->bare = false;
	if (p->in == NO_GRAPH)
		p->graph = (struct ptxla_graph){ .line = line, .roots = -1, .distinct_roots = -1 };
	if (p->in == GRAPH_ROOTS)
		count_roots(p);
	p->graph.file = x->work->file;
	p->graph.content = HASH_START;
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

/* A line begins with a node however the file was wrapped; the first blank of a long one may be where it was cut. */
static bool is_node(const struct ptxla_process *p, const char *format, struct slice s)
{
	size_t n = 4;

	if (!strcmp(format, "hlo"))
		return p->in == GRAPH_ENTRY && slice_find(s, " = ");
	if (!strcmp(format, "text"))
		return *s.s == '%' && (slice_find(s, " = ") || slice_ends(s, " ="));
	if (strcmp(format, "dot") || !slice_begins(s, "node"))
		return false;
	while (n < s.n && is_digit(s.s[n]))
		n++;
	return n > 4 && (n == s.n || slice_begins((struct slice){ s.s + n, s.n - n }, " ["));
}

static void content_add(struct ptxla_graph *g, struct slice s)
{
	g->content = hash_bytes(hash_bytes(g->content, s.s, s.n), "\n", 1);
}

static void body_line(struct ptxla *x, struct ptxla_process *p, struct slice s)
{
	struct ptxla_graph *g = &x->graphs[p->graph_row];

	if (!slice_begins(s, "Graph Hash: "))
		content_add(g, s);
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

/* ">>> Dumping Computation 0"; the reader of lines takes ">>> " for a quotation where it begins the line. */
static bool is_dumped(struct slice s)
{
	slice_cut(&s, ">>> ");
	return slice_begins(s, "Dumping Computation ");
}

/* A graph without the lines that say where it begins and ends: a text that save_tensors_graph() or the user wrote,
 * HLO that could not be compiled (XLA_SAVE_HLO_FILE, XLA_DUMP_HLO_GRAPH). */
static bool bare_begins(struct ptxla *x, struct ptxla_process *p, uint64_t line, struct slice s)
{
	bool saved = slice_begins(s, "[HLO Graph ") && s.s[s.n - 1] == ']';
	bool dumped = is_dumped(s);

	if (!saved && !dumped &&
	    (p->in >= GRAPH_BODY || !(slice_is(s, "IR {") || slice_is(s, "digraph G {"))))
		return false;
	if (saved || dumped)
		p->in = NO_GRAPH;
	graph_begin(x, p, line);
	p->bare = true;
	if (saved || dumped)
		x->graphs[p->graph_row].name = saved ? "XLA_SAVE_HLO_FILE" : "XLA_DUMP_HLO_GRAPH";
	else
		body_line(x, p, s);
	if (!x->graphs[p->graph_row].name)
		x->graphs[p->graph_row].name = saver_name(x);
	return true;
}

/* HLO has several computations, whose ends look like its own. */
static bool bare_ends(struct ptxla *x, const struct ptxla_process *p, struct slice s)
{
	const char *format = x->graphs[p->graph_row].format;

	if (format && strcmp(format, "hlo"))
		return slice_is(s, "}");
	return slice_begins(s, "OutputShape:") || slice_begins(s, "StackTrace:") ||
	    slice_begins(s, "Status:");
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
	if (bare_begins(x, p, line, s))
		return true;
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
	if (body && p->bare && bare_ends(x, p, s))
		p->in = NO_GRAPH;
	return body || (p->in != NO_GRAPH && head_line(x, p, s));
}

/* --- graphs of one place --- */

VEC_ORDER(by_distinct, struct ptxla_saved, DOWN(distinct) UP(first));

struct ptxla_saved *ptxla_saved(const struct ptxla *x, size_t *n)
{
	struct ptxla_saved *v = NULL;
	struct strtab places, pairs;
	size_t cap = 0;

	*n = 0;
	strtab_init(&places);
	strtab_init(&pairs); /* places and their graphs */
	for (size_t i = 0; i < x->ngraphs; i++) {
		const struct ptxla_graph *g = &x->graphs[i];
		char *key = g->user.file ? xasprintf("%lld %s", (long long)g->user.line, g->user.file)
					 : xasprintf("%s %s", g->name ? g->name : "",
					       g->hash         ? ""
						   : g->format ? g->format
							       : "");
		strid id = strtab_addz(&places, key);
		uint32_t was = pairs.n;
		struct ptxla_saved *s;

		/* the first number is that of the empty text */
		if (id > *n)
			VEC_ADD(v, *n, cap, (struct ptxla_saved){ g, 0, 0, g->nodes, g->nodes });
		s = &v[id - 1];
		s->saved++;
		free(key);
		key = g->hash ? xasprintf("%u %s", id, g->hash)
			      : xasprintf("%u %llx", id, (unsigned long long)g->content);
		strtab_addz(&pairs, key);
		free(key);
		s->distinct += pairs.n > was;
		s->least = g->nodes < s->least ? g->nodes : s->least;
		s->most = g->nodes > s->most ? g->nodes : s->most;
	}
	strtab_free(&places);
	strtab_free(&pairs);
	VEC_SORT(v, *n, by_distinct);
	return v;
}

void ptxla_graph_end(struct ptxla *x, struct ptxla_process *p)
{
	(void)x;
	free(p->roots);
	p->roots = NULL;
	p->nroots = p->roots_cap = 0;
	p->in = NO_GRAPH;
}
