#include "config.h"
#include "analyze/memory/by_op.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "result/sumtree.h"

#define LEVELS_MAX 64            /* parts of an op name that are distinguished */
#define LEAF (UINT64_C(1) << 63) /* marks keys of buffers, as opposed to parts of names */

/* The tree while it grows.  Keys are numbers of the parts of names; `of` has the op of each node, with the
 * name up to that part. */
struct growing {
	struct sumtree t;
	struct strtab parts;
	struct memory_op *of;
	size_t nof, cap;
};

static uint32_t enter_op(struct growing *g, uint32_t parent, uint64_t key, struct memory_op op)
{
	uint32_t id = sumtree_child(&g->t, parent, key);

	while (g->nof <= id)
		VEC_ADD(g->of, g->nof, g->cap, op);
	return id;
}

/* Adds a buffer to its op and to everything that encloses the op: "a", "a/b", "a/b/c". */
static void grow_op(struct growing *g, const char *name, uint32_t buffer, int64_t size)
{
	struct memory_op op = { .name = name, .buffer = UINT32_MAX };
	uint32_t at = SUMTREE_ROOT;

	for (int k = 0; k < LEVELS_MAX && (k == 0 || name[op.len]); k++) {
		op.tail = op.len += k > 0;
		op.len += k + 1 < LEVELS_MAX ? strcspn(name + op.len, "/") : strlen(name + op.len);
		at = enter_op(g, at, strtab_add(&g->parts, name + op.tail, op.len - op.tail), op);
	}
	op.buffer = buffer;
	sumtree_add(&g->t, enter_op(g, at, LEAF | buffer, op), size, 1);
}

struct memory_op *memory_ops(const struct memory *m, size_t *n)
{
	struct growing g = { .of = NULL };
	struct memory_op *out;
	struct sum_node *node;

	sumtree_init(&g.t);
	strtab_init(&g.parts);
	VEC_ADD(g.of, g.nof, g.cap, (struct memory_op){ .name = "" }); /* the root */
	for (size_t i = 0; i < m->npeak; i++)
		grow_op(&g, m->peak[i].op_name, (uint32_t)i, m->peak[i].size);
	*n = g.t.n - 1;
	node = sumtree_lay_out(&g.t);
	out = xcalloc(*n + 1, sizeof *out);
	for (size_t i = 0; i < *n; i++) {
		out[i] = g.of[node[i].id];
		out[i].parent = node[i].parent;
		out[i].end = node[i].end;
		out[i].depth = node[i].depth;
		out[i].size = node[i].bytes;
		out[i].buffers = node[i].count;
	}
	free(node);
	free(g.of);
	strtab_free(&g.parts);
	sumtree_free(&g.t);
	return out;
}

static bool encloses_one(const struct memory_op *v, size_t i)
{
	return v[i].buffer == UINT32_MAX && v[i].end > i + 1 && v[i + 1].end == v[i].end;
}

size_t memory_ops_join(struct memory_op *v, size_t n)
{
	uint32_t *place = xcalloc(n + 1, sizeof *place);
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		size_t first = i;
		struct memory_op op;

		place[i] = (uint32_t)kept;
		while (encloses_one(v, i) && v[i + 1].buffer == UINT32_MAX)
			place[++i] = (uint32_t)kept;
		op = v[i];
		op.tail = v[first].tail;
		op.parent = v[first].parent == UINT32_MAX ? UINT32_MAX : place[v[first].parent];
		op.depth = op.parent == UINT32_MAX ? 0 : v[op.parent].depth + 1;
		if (encloses_one(v, i))
			op.buffer = v[++i].buffer;
		v[kept++] = op;
	}
	for (size_t i = 0; i < kept; i++)
		v[i].end = (uint32_t)i + 1;
	for (size_t i = kept; i-- > 0;)
		if (v[i].parent != UINT32_MAX && v[v[i].parent].end < v[i].end)
			v[v[i].parent].end = v[i].end;
	free(place);
	return kept;
}
