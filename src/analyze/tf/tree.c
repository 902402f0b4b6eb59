#include "config.h"

#include "analyze/tf/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NONE UINT32_MAX
/* Names that are nothing but scopes would make many lines of few bytes. */
#define LINES_PER_NODE 16
#define LINES_LEAST (1u << 16)

static const char library_name[] = "__function_library__";

/* While the tree grows.  Children are linked in the order in which they were made. */
struct twig {
	const char *name;
	uint32_t len, parent, first, last, next;
	uint32_t node;  /* NONE: a scope alone */
	uint32_t after; /* of a scope with a node: the child that the node follows; NONE: it is the first */
	bool again;     /* the name stood before: it is not looked up */
};

struct growing {
	const struct tf_compat *compat;
	struct twig *v;
	uint32_t n, most;
	uint32_t *slot, mask; /* open addressing: ID + 1; mask 0: none yet */
	struct tf_tree *out;
	bool refused; /* no memory */
};

static uint32_t slot_of(const struct growing *g, uint32_t parent, const char *name, uint32_t len)
{
	return (strtab_hash(name, len) ^ parent * 0x9e3779b9u) & g->mask;
}

/* Makes room for one more; false: no memory. */
static bool grow_slots(struct growing *g)
{
	uint32_t mask = g->mask ? g->mask * 2 + 1 : 1023;
	uint32_t *slot;

	if (g->n < g->mask / 2)
		return true;
	if (!(slot = mem_try(NULL, (size_t)mask + 1, sizeof *slot))) {
		g->refused = true;
		return false;
	}
	memset(slot, 0, ((size_t)mask + 1) * sizeof *slot);
	free(g->slot);
	g->slot = slot;
	g->mask = mask;
	for (uint32_t id = 1; id < g->n; id++) {
		const struct twig *t = &g->v[id];
		uint32_t i = slot_of(g, t->parent, t->name, t->len);

		if (t->again)
			continue;
		while (slot[i])
			i = (i + 1) & mask;
		slot[i] = id + 1;
	}
	return true;
}

static bool is_twig(const struct twig *t, uint32_t parent, const char *name, uint32_t len)
{
	return t->parent == parent && t->len == len && !memcmp(t->name, name, len);
}

/* Makes a child; NONE: there is no room for more. */
static uint32_t add_twig(struct growing *g, uint32_t parent, const char *name, uint32_t len)
{
	uint32_t id = g->n;

	if (g->n == g->most)
		return NONE;
	g->v[g->n++] = (struct twig){ name, len, parent, NONE, NONE, NONE, NONE, NONE, false };
	if (parent == NONE)
		return id;
	if (g->v[parent].last == NONE)
		g->v[parent].first = id;
	else
		g->v[g->v[parent].last].next = id;
	g->v[parent].last = id;
	return id;
}

static uint32_t add_again(struct growing *g, uint32_t parent, const char *name, uint32_t len)
{
	uint32_t id = add_twig(g, parent, name, len);

	if (id != NONE)
		g->v[id].again = true;
	return id;
}

/* Finds or makes a child; NONE: there is no room. */
static uint32_t child_of(struct growing *g, uint32_t parent, const char *name, uint32_t len)
{
	uint32_t i, id;

	if (parent == NONE || !grow_slots(g))
		return NONE;
	for (i = slot_of(g, parent, name, len); g->slot[i]; i = (i + 1) & g->mask)
		if (is_twig(&g->v[g->slot[i] - 1], parent, name, len))
			return g->slot[i] - 1;
	id = add_twig(g, parent, name, len);
	if (id != NONE)
		g->slot[i] = id + 1;
	return id;
}

/* Room is kept for one line of each node and function that is still to come. */
static bool may_split(const struct growing *g, uint32_t node)
{
	return g->most - g->n > g->compat->nodes->n - node + g->compat->nodes->nfn + 4;
}

static void place_node(struct growing *g, uint32_t at, uint32_t node)
{
	struct slice name = tf_node_name(&g->compat->nodes->v[node]);
	const char *p = name.s, *end = p + name.n, *slash;
	uint32_t twig;

	for (int depth = 0; (slash = memchr(p, '/', (size_t)(end - p))); depth++, p = slash + 1) {
		if (depth == TF_DEPTH || !may_split(g, node)) {
			g->out->cut = true;
			break;
		}
		at = child_of(g, at, p, (uint32_t)(slash - p));
	}
	twig = child_of(g, at, p, (uint32_t)(end - p));
	if (twig != NONE && g->v[twig].node != NONE) /* a second node of that name */
		twig = add_again(g, at, p, (uint32_t)(end - p));
	g->out->of_node[node] = 0;
	if (twig == NONE)
		return;
	g->v[twig].node = node;
	g->v[twig].after = g->v[twig].last;
}

static void place_nodes(struct growing *g)
{
	const struct tf_nodes *x = g->compat->nodes;
	uint32_t root = add_twig(g, NONE, "__root__", 8), library;

	for (uint32_t i = 0; i < x->main; i++)
		place_node(g, root, i);
	if (!x->nfn)
		return;
	library = child_of(g, root, library_name, sizeof library_name - 1);
	for (size_t f = 0; f < x->nfn; f++) {
		uint32_t fn = child_of(g, library, x->fn[f].name, x->fn[f].name_len);

		for (size_t i = 0; i < x->fn[f].n; i++)
			place_node(g, fn, (uint32_t)(x->fn[f].first + i));
	}
}

/* --- laying out --- */

static uint32_t put_line(struct growing *g, const struct twig *t, uint32_t parent, uint32_t node, bool strict)
{
	struct tf_tree *out = g->out;
	struct tf_scope *s = &out->v[out->n];

	*s = (struct tf_scope){ .name = t->name,
		.name_len = t->len,
		.parent = parent,
		.node = node,
		.end = out->n + 1,
		.strict = strict };
	if (parent != NONE)
		out->v[parent].children++;
	if (node != TF_NO_NODE) {
		s->ops = 1;
		s->incompatible = !tf_compat_is(g->compat, &g->compat->nodes->v[node]);
		out->of_node[node] = out->n;
	}
	return out->n++;
}

/* Nesting is limited by TF_DEPTH. */
static void lay_out(struct growing *g, const struct twig *t, uint32_t parent)
{
	bool scope = t->first != NONE || t->node == NONE;
	uint32_t at = put_line(g, t, parent, scope ? TF_NO_NODE : t->node, false);
	struct tf_tree *out = g->out;

	if (scope && t->node != NONE && t->after == NONE)
		put_line(g, t, at, t->node, true);
	for (uint32_t c = t->first; c != NONE; c = g->v[c].next) {
		lay_out(g, &g->v[c], at);
		if (t->node != NONE && c == t->after)
			put_line(g, t, at, t->node, true);
	}
	out->v[at].end = out->n;
	for (uint32_t c = at + 1; c < out->n; c = out->v[c].end) {
		out->v[at].ops += out->v[c].ops;
		out->v[at].incompatible += out->v[c].incompatible;
	}
}

/* How many lines there may be: all that the names have, within the limit. */
static uint32_t count_lines(const struct tf_nodes *x)
{
	uint64_t most = (uint64_t)x->n * LINES_PER_NODE + x->nfn * 2 + LINES_LEAST, parts = 8 + x->nfn * 2;

	for (size_t i = 0; i < x->n; i++) {
		const char *p = x->v[i].name, *end = p + x->v[i].name_len;

		for (parts += 2; (p = memchr(p, '/', (size_t)(end - p))); p++)
			parts++;
	}
	return (uint32_t)(parts < most ? parts : most);
}

int tf_tree_make(const struct tf_compat *c, struct tf_tree *out, struct err *err)
{
	const struct tf_nodes *x = c->nodes;
	struct growing g = { .compat = c, .out = out };

	*out = (struct tf_tree){ 0 };
	if (x->n < NONE / LINES_PER_NODE / 2 && x->nfn < NONE / 4) {
		g.most = count_lines(x);
		g.v = mem_try(NULL, g.most, sizeof *g.v);
		out->of_node = mem_try(NULL, x->n + 1, sizeof *out->of_node);
	}
	if (g.v && out->of_node) {
		place_nodes(&g);
		out->v = g.refused ? NULL : mem_try(NULL, (size_t)g.n * 2, sizeof *out->v);
	}
	if (out->v)
		lay_out(&g, &g.v[0], NONE);
	free(g.v);
	free(g.slot);
	if (out->v)
		return 0;
	tf_tree_free(out);
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "not enough memory for the scopes of %zu nodes", x->n);
}

void tf_tree_free(struct tf_tree *t)
{
	free(t->v);
	free(t->of_node);
	*t = (struct tf_tree){ 0 };
}

struct cell tf_scope_name(const struct tf_scope *s, struct arena *text)
{
	char *name;

	if (!s->strict)
		return cell_str(s->name, s->name_len);
	name = arena_alloc(text, (size_t)s->name_len + 3);
	name[0] = '(';
	memcpy(name + 1, s->name, s->name_len);
	name[s->name_len + 1] = ')';
	return cell_str(name, (size_t)s->name_len + 2);
}
