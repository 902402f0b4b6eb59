#include "config.h"

#include <stdlib.h>

#include "analyze/memprof/internal.h"
#include "base/mem.h"
#include "base/text/python.h"

struct pprof_node *pprof_tree(const struct pprof *p, size_t device, size_t *n)
{
	struct pprof_node *out;
	struct sum_node *node;
	struct sumtree t;

	sumtree_init(&t);
	for (size_t i = 0; i < p->nstacks; i++) {
		const struct pprof_stack *s = &p->stack[i];
		uint32_t at = SUMTREE_ROOT;

		if (device != SIZE_MAX && s->device != device)
			continue;
		for (size_t k = s->depth; k; k--)
			at = sumtree_child(&t, at, s->frame[k - 1]);
		sumtree_add(&t, at, s->bytes, s->allocations);
	}
	*n = t.n - 1;
	node = sumtree_lay_out(&t);
	out = xcalloc(*n + 1, sizeof *out);
	for (size_t i = 0; i < *n; i++) {
		struct pprof_frame f = pprof_frame(p, node[i].key);

		out[i] = (struct pprof_node){ f.function, f.file, f.line, node[i].depth, node[i].parent,
			node[i].end, node[i].bytes, node[i].count, 1 };
	}
	free(node);
	sumtree_free(&t);
	return out;
}

/* Is all of the call in the one below it? */
static bool has_one(const struct pprof_node *v, size_t i)
{
	return v[i].end > i + 1 && v[i + 1].end == v[i].end && v[i + 1].bytes == v[i].bytes &&
	    v[i + 1].allocations == v[i].allocations;
}

size_t pprof_join(struct pprof_node *v, size_t n)
{
	uint32_t *to = xcalloc(n + 1, sizeof *to);
	size_t out = 0;

	for (size_t i = 0, last; i < n; i = last + 1, out++) {
		struct pprof_node node = v[i];

		to[i] = (uint32_t)out;
		for (last = i; has_one(v, last); last++) {
			to[last + 1] = (uint32_t)out;
			if (*v[last + 1].file && !python_is_library(v[last + 1].file)) {
				node.function = v[last + 1].function;
				node.file = v[last + 1].file;
				node.line = v[last + 1].line;
			}
		}
		node.frames = last - i + 1;
		node.parent = node.parent == UINT32_MAX ? UINT32_MAX : to[node.parent];
		node.depth = node.parent == UINT32_MAX ? 0 : v[node.parent].depth + 1;
		v[out] = node;
	}
	to[n] = (uint32_t)out;
	for (size_t i = 0; i < out; i++)
		v[i].end = to[v[i].end];
	free(to);
	return out;
}
