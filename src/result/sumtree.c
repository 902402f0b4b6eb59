#include "config.h"
#include "result/sumtree.h"

#include <stdlib.h>

#include "base/mem.h"

struct sum_twig {
	uint64_t key;
	uint32_t parent, child, next;
	int64_t bytes, count;
};

void sumtree_init(struct sumtree *t)
{
	*t = (struct sumtree){ .n = 0 };
	strtab_init(&t->keys); /* it already has one text, so that IDs and nodes have the same numbers */
	VEC_ADD(t->v, t->n, t->cap,
	    (struct sum_twig){ .parent = 0, .child = UINT32_MAX, .next = UINT32_MAX });
}

void sumtree_free(struct sumtree *t)
{
	strtab_free(&t->keys);
	free(t->v);
}

uint32_t sumtree_child(struct sumtree *t, uint32_t parent, uint64_t key)
{
	const uint64_t name[2] = { parent, key };
	strid id = strtab_add(&t->keys, (const char *)name, sizeof name);

	if (id >= t->n) {
		VEC_ADD(t->v, t->n, t->cap,
		    (struct sum_twig){ .key = key,
			.parent = parent,
			.child = UINT32_MAX,
			.next = t->v[parent].child });
		t->v[parent].child = id;
	}
	return id;
}

void sumtree_add(struct sumtree *t, uint32_t node, int64_t bytes, int64_t count)
{
	for (; node != SUMTREE_ROOT; node = t->v[node].parent) {
		t->v[node].bytes = sum_bytes(t->v[node].bytes, bytes);
		t->v[node].count = sum_bytes(t->v[node].count, count);
	}
}

static int by_value(const void *a, const void *b, void *tree)
{
	const struct sumtree *t = tree;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct sum_twig *x = &t->v[i], *y = &t->v[k];

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (i > k) - (i < k);
}

static void sort_children(struct sumtree *t, uint32_t parent, uint32_t **buf, size_t *cap)
{
	size_t n = 0;

	for (uint32_t c = t->v[parent].child; c != UINT32_MAX; c = t->v[c].next)
		VEC_ADD(*buf, n, *cap, c);
	if (n < 2)
		return;
	qsort_r(*buf, n, sizeof **buf, by_value, t);
	for (size_t i = 0; i < n; i++)
		t->v[(*buf)[i]].next = i + 1 < n ? (*buf)[i + 1] : UINT32_MAX;
	t->v[parent].child = (*buf)[0];
}

/* Depth first. */
static void lay_out(const struct sumtree *t, struct sum_node *out, uint32_t *place)
{
	uint32_t here = t->v[0].child, n = 0;
	int depth = 0;

	while (here != UINT32_MAX) {
		const struct sum_twig *x = &t->v[here];

		place[here] = n;
		out[n++] = (struct sum_node){ .key = x->key,
			.id = here,
			.parent = x->parent ? place[x->parent] : UINT32_MAX,
			.depth = depth,
			.bytes = x->bytes,
			.count = x->count };
		if (x->child != UINT32_MAX) {
			here = x->child;
			depth++;
			continue;
		}
		out[place[here]].end = n;
		while (t->v[here].next == UINT32_MAX && t->v[here].parent) {
			here = t->v[here].parent;
			out[place[here]].end = n;
			depth--;
		}
		here = t->v[here].next;
	}
}

struct sum_node *sumtree_lay_out(struct sumtree *t)
{
	struct sum_node *out = xcalloc(t->n, sizeof *out);
	uint32_t *place = xcalloc(t->n, sizeof *place), *buf = NULL;
	size_t cap = 0;

	for (uint32_t i = 0; i < t->n; i++)
		sort_children(t, i, &buf, &cap);
	lay_out(t, out, place);
	free(buf);
	free(place);
	return out;
}
