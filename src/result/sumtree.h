/* A tree of sums: what is added at a path counts for all that encloses it.  It is grown with links and
 * then laid out in order: a node before its children, the largest of a level first (then by count, then as
 * they came).  No recursion: paths come from files.  Nodes are numbered as they are made, the root is 0
 * and is not laid out.  The caller frees. */
#ifndef RESULT_SUMTREE_H
#define RESULT_SUMTREE_H

#include "base/text/strtab.h"

#define SUMTREE_ROOT 0u

struct sum_node {
	uint64_t key; /* as given: which of its parent's children it is */
	uint32_t id;
	uint32_t parent, end; /* places; UINT32_MAX: none; end: behind its last descendant */
	int depth;
	int64_t bytes, count; /* with its children */
};

struct sumtree {
	struct sum_twig *v;
	size_t n, cap;
	struct strtab keys;
};

void sumtree_init(struct sumtree *);
void sumtree_free(struct sumtree *);
uint32_t sumtree_child(struct sumtree *, uint32_t parent, uint64_t key); /* made when there is none */
/* and to all that enclose it */
void sumtree_add(struct sumtree *, uint32_t node, int64_t bytes, int64_t count);
/* tree->n - 1 of them; the caller frees */
struct sum_node *sumtree_lay_out(struct sumtree *);

static inline int64_t sum_bytes(int64_t a, int64_t b) /* as large as it gets */
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

#endif
