#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/pprof_part.h"
#include "base/strtab.h"

/* The tree is grown with links, then laid out in order with a stack of our own: no recursion on what files say. */
struct twig {
	uint64_t location;
	uint32_t parent, child, next;
	int64_t bytes, allocations;
};

struct growing {
	struct twig *v;
	size_t n, cap;
	struct strtab keys;
};

static uint32_t child_of(struct growing *g, uint32_t parent, uint64_t location)
{
	const uint64_t key[2] = { parent, location };
	strid id = strtab_add(&g->keys, (const char *)key, sizeof key);

	if (id >= g->n) {
		VEC_PUSH(g->v, g->n, g->cap);
		g->v[g->n++] = (struct twig){ .location = location,
			.parent = parent,
			.child = UINT32_MAX,
			.next = g->v[parent].child };
		g->v[parent].child = id;
	}
	return id;
}

static void add(struct twig *t, const struct pprof_stack *s)
{
	t->bytes = pprof_plus(t->bytes, s->bytes);
	t->allocations = pprof_plus(t->allocations, s->allocations);
}

static int before(const struct growing *g, uint32_t a, uint32_t b)
{
	const struct twig *x = &g->v[a], *y = &g->v[b];

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes;
	return x->allocations != y->allocations ? x->allocations > y->allocations : a < b;
}

static int order(const void *a, const void *b, void *ctx)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return before(ctx, x, y) ? -1 : before(ctx, y, x);
}

static void sort_children(struct growing *g, uint32_t parent, uint32_t **buf, size_t *cap)
{
	size_t n = 0;

	for (uint32_t c = g->v[parent].child; c != UINT32_MAX; c = g->v[c].next) {
		VEC_PUSH(*buf, n, *cap);
		(*buf)[n++] = c;
	}
	if (n < 2)
		return;
	qsort_r(*buf, n, sizeof **buf, order, g);
	for (size_t i = 0; i < n; i++)
		g->v[(*buf)[i]].next = i + 1 < n ? (*buf)[i + 1] : UINT32_MAX;
	g->v[parent].child = (*buf)[0];
}

/* Depth first. */
static void lay_out(const struct pprof *p, const struct growing *g, struct pprof_node *out, size_t *n)
{
	uint32_t here = g->v[0].child, *place = xcalloc(g->n, sizeof *place);
	int depth = 0;

	while (here != UINT32_MAX) {
		const struct twig *t = &g->v[here];
		struct pprof_frame f = pprof_frame(p, t->location);

		place[here] = (uint32_t)*n;
		out[(*n)++] = (struct pprof_node){ .function = f.function,
			.file = f.file,
			.line = f.line,
			.depth = depth,
			.parent = t->parent ? place[t->parent] : UINT32_MAX,
			.bytes = t->bytes,
			.allocations = t->allocations };
		if (t->child != UINT32_MAX) {
			here = t->child;
			depth++;
			continue;
		}
		out[place[here]].end = (uint32_t)*n;
		while (g->v[here].next == UINT32_MAX && g->v[here].parent) {
			here = g->v[here].parent;
			out[place[here]].end = (uint32_t)*n;
			depth--;
		}
		here = g->v[here].next;
	}
	free(place);
}

struct pprof_node *pprof_tree(const struct pprof *p, size_t device, size_t *n)
{
	struct growing g = { .v = NULL };
	struct pprof_node *out;
	uint32_t *buf = NULL;
	size_t cap = 0;

	strtab_init(&g.keys);
	VEC_PUSH(g.v, g.n, g.cap);
	g.v[g.n++] = (struct twig){ .parent = 0, .child = UINT32_MAX, .next = UINT32_MAX };
	for (size_t i = 0; i < p->nstacks; i++) {
		const struct pprof_stack *s = &p->stack[i];
		uint32_t at = 0;

		if (device != SIZE_MAX && s->device != device)
			continue;
		for (size_t k = s->depth; k; k--) {
			at = child_of(&g, at, s->frame[k - 1]);
			add(&g.v[at], s);
		}
	}
	for (uint32_t i = 0; i < g.n; i++)
		sort_children(&g, i, &buf, &cap);
	*n = 0;
	out = xcalloc(g.n, sizeof *out);
	lay_out(p, &g, out, n);
	free(buf);
	strtab_free(&g.keys);
	free(g.v);
	return out;
}
