#include "config.h"

#include <stdlib.h>

#include "analyze/memprof/internal.h"
#include "base/mem.h"

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
			node[i].end, node[i].bytes, node[i].count };
	}
	free(node);
	sumtree_free(&t);
	return out;
}
