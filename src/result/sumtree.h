/* A tree of sums: what is added at a path also counts for everything that encloses it.  The tree is grown
 * through links and then laid out in an array: a node comes before its children, the largest of a level first
 * (then by count, then in order of creation).  No recursion is used, because paths come from files.  Nodes
 * are numbered as they are made; the root is 0 and is not laid out.  The caller frees (sumtree_free). */
#ifndef RESULT_SUMTREE_H
#define RESULT_SUMTREE_H

#include "base/text/strtab.h"

#define SUMTREE_ROOT 0u

struct sum_node {
	uint64_t key; /* as given: identifies it among the children of its parent */
	uint32_t id;
	uint32_t parent, end; /* indices; parent UINT32_MAX: none; end: after its last descendant */
	int depth;
	int64_t bytes, count; /* including its children */
};

struct sumtree {
	struct sum_twig *v;
	size_t n, cap;
	struct strtab keys;
};

void sumtree_init(struct sumtree *);
void sumtree_free(struct sumtree *);
/* makes the child if there is none */
uint32_t sumtree_child(struct sumtree *, uint32_t parent, uint64_t key);
/* adds to the node and to everything that encloses it */
void sumtree_add(struct sumtree *, uint32_t node, int64_t bytes, int64_t count);
/* returns tree->n - 1 nodes; the caller frees */
struct sum_node *sumtree_lay_out(struct sumtree *);

static inline int64_t sum_bytes(int64_t a, int64_t b) /* stops at INT64_MAX */
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

#endif
