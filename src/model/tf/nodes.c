#include "config.h"

#include "model/tf/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/codec/wire.h"
#include "base/mem.h"

enum { GRAPH_NODE = 1, GRAPH_LIBRARY = 2 };
enum { LIBRARY_FUNCTION = 1 };
enum { FUNCTION_SIGNATURE = 1, FUNCTION_NODE = 3 };
enum { SIGNATURE_NAME = 1 };
enum { NODE_NAME = 1, NODE_OP, NODE_INPUT, NODE_DEVICE };
enum { BYTES = 2 }; /* the wire type of texts and messages */

/* Counts, and with `v` also keeps what it finds. */
struct scan {
	struct tf_nodes *out; /* NULL: only counts */
	size_t room, fn_room; /* of its arrays: a mapped file may have changed since it was counted */
	uint64_t nodes, library_nodes, functions, inputs, controls;
	struct strtab *seen; /* messages of earlier pieces, which may repeat; NULL: there is one piece */
	bool damaged;
};

static uint32_t to_32(size_t n)
{
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* Graphs of functions that were traced together repeat the functions they call. */
static bool is_repeated(struct scan *s, const struct wire *w)
{
	return s->seen && strtab_find(s->seen, (const char *)w->s, w->n) != UINT32_MAX;
}

static void remember(struct scan *s, const struct wire *w)
{
	if (s->seen)
		strtab_ref(s->seen, (const char *)w->s, w->n);
}

static void scan_node(struct scan *s, const uint8_t *p, size_t n, uint32_t function)
{
	struct tf_node x = { .name = "", .at = p, .len = to_32(n), .function = function };
	struct wire w = wire_open(p, n);
	struct slice op = { "", 0 }, device = { "", 0 };
	uint64_t inputs = 0, controls = 0;

	while (wire_next(&w)) {
		if (w.type != BYTES)
			continue;
		if (w.field == NODE_NAME) {
			x.name = (const char *)w.s;
			x.name_len = to_32(w.n);
		} else if (w.field == NODE_OP) {
			op = wire_text(&w);
		} else if (w.field == NODE_INPUT) {
			inputs++;
			controls += w.n && *w.s == '^';
		} else if (w.field == NODE_DEVICE) {
			device = wire_text(&w);
		}
	}
	s->damaged |= w.bad || !x.name_len;
	if (!x.name_len) /* nothing could name it, and millions of them take two bytes each */
		return;
	if (function == TF_NO_FUNCTION) {
		s->nodes++;
		s->inputs += inputs;
		s->controls += controls;
	} else {
		s->library_nodes++;
	}
	if (!s->out || s->out->n == s->room)
		return;
	x.op = strtab_ref(&s->out->text, op.s, op.n);
	x.device = strtab_ref(&s->out->text, device.s, device.n);
	s->out->v[s->out->n++] = x;
}

/* Reads the next field; a message that is cut off ends where its bytes end. */
static bool next_part(struct scan *s, struct wire *w)
{
	if (w->bad)
		return false;
	if (wire_next(w))
		return true;
	s->damaged |= w->bad;
	return w->bad && w->s;
}

static void scan_function(struct scan *s, const uint8_t *p, size_t n)
{
	struct tf_function f = { .name = "", .at = p, .len = to_32(n), .first = s->out ? s->out->n : 0 };
	struct wire w = wire_open(p, n), signature;

	while (next_part(s, &w)) {
		if (w.type != BYTES)
			continue;
		if (w.field == FUNCTION_NODE && !w.bad)
			scan_node(s, w.s, w.n, (uint32_t)s->functions);
		if (w.field != FUNCTION_SIGNATURE)
			continue;
		for (signature = wire_open(w.s, w.n); wire_next(&signature);)
			if (signature.field == SIGNATURE_NAME && signature.type == BYTES) {
				f.name = (const char *)signature.s;
				f.name_len = to_32(signature.n);
			}
	}
	s->functions++;
	if (!s->out || s->out->nfn == s->fn_room)
		return;
	f.n = s->out->n - f.first;
	s->out->fn[s->out->nfn++] = f;
}

static void scan_library(struct scan *s, const uint8_t *p, size_t n)
{
	struct wire w = wire_open(p, n);

	while (next_part(s, &w))
		if (w.field == LIBRARY_FUNCTION && w.type == BYTES && !is_repeated(s, &w))
			scan_function(s, w.s, w.n);
}

/* Nodes that an earlier piece has are left out of later ones; a node that one piece has twice counts twice. */
static void remember_piece(struct scan *s, struct slice piece)
{
	struct wire w = wire_open(piece.s, piece.n), f;

	while (s->seen && wire_next(&w)) {
		if (w.type != BYTES)
			continue;
		if (w.field == GRAPH_NODE)
			remember(s, &w);
		for (f = wire_open(w.s, w.field == GRAPH_LIBRARY ? w.n : 0); wire_next(&f);)
			if (f.field == LIBRARY_FUNCTION && f.type == BYTES)
				remember(s, &f);
	}
}

static void scan_piece(struct scan *s, struct slice piece, uint32_t field)
{
	struct wire w = wire_open(piece.s, piece.n);

	while (next_part(s, &w)) {
		if (w.field != field || w.type != BYTES)
			continue;
		if (field == GRAPH_LIBRARY)
			scan_library(s, w.s, w.n);
		else if (!w.bad && !is_repeated(s, &w))
			scan_node(s, w.s, w.n, TF_NO_FUNCTION);
	}
}

static void scan_graph(struct scan *s, const struct tf_graph *g)
{
	static const uint32_t fields[] = { GRAPH_NODE, GRAPH_LIBRARY };
	struct strtab seen;

	for (int k = 0; k < 2; k++) {
		if (g->npieces > 1) {
			strtab_init(&seen);
			s->seen = &seen;
		}
		for (size_t i = 0; i < g->npieces; i++) {
			scan_piece(s, g->piece[i], fields[k]);
			remember_piece(s, g->piece[i]);
		}
		if (s->seen)
			strtab_free(&seen);
	}
	s->seen = NULL;
}

void tf_nodes_count(struct tf_graph *g)
{
	struct scan s = { .out = NULL };

	scan_graph(&s, g);
	g->nodes = s.nodes;
	g->functions = s.functions;
	g->library_nodes = s.library_nodes;
	g->damaged = s.damaged;
}

int tf_nodes_read(const struct tf_graph *g, struct tf_nodes *out, struct err *err)
{
	size_t n = (size_t)(g->nodes + g->library_nodes);
	struct scan s = { .out = out, .room = n, .fn_room = (size_t)g->functions };

	*out = (struct tf_nodes){ 0 };
	strtab_init(&out->text);
	out->v = mem_try(NULL, n + 1, sizeof *out->v);
	out->fn = mem_try(NULL, (size_t)g->functions + 1, sizeof *out->fn);
	if (!out->v || !out->fn) {
		tf_nodes_free(out);
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "not enough memory for a graph of %zu nodes",
		    n);
	}
	scan_graph(&s, g);
	out->main = (size_t)s.nodes < out->n ? (size_t)s.nodes : out->n;
	out->inputs = s.inputs;
	out->controls = s.controls;
	out->damaged = s.damaged;
	return 0;
}

void tf_nodes_free(struct tf_nodes *x)
{
	free(x->v);
	free(x->fn);
	strtab_free(&x->text);
	*x = (struct tf_nodes){ 0 };
}
