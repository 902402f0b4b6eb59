#include "config.h"
#include "analyze/graph/near.h"

#include <stdlib.h>

enum { TUPLES_MAX = 64 }; /* tuples in tuples */

static bool is_part(const struct hlo_graph *g, uint32_t i)
{
	return hlo_opcode_is(g, i, "get-tuple-element") && hlo_nlinks(&g->operands, i) > 0;
}

static int64_t index_of(const struct hlo_graph *g, uint32_t i)
{
	struct hlo_detail d;

	hlo_detail(g, i, &d);
	return d.index;
}

static void add_operand(const struct hlo_graph *g, uint32_t i, struct graph_links *l)
{
	int64_t index = -1;

	for (int depth = 0; i != HLO_NONE && is_part(g, i) && depth < TUPLES_MAX; depth++) {
		uint32_t tuple = hlo_link(&g->operands, i, 0);

		if (tuple == HLO_NONE)
			break;
		index = index < 0 ? index_of(g, i) : index;
		i = tuple;
	}
	if (i == HLO_NONE)
		l->missing++;
	else
		VEC_ADD(l->v, l->n, l->cap, (struct graph_link){ i, index, false });
}

/* Each part has one tuple, so that the parts of parts are a tree; `depth` ends those that are not. */
static void add_users(const struct hlo_graph *g, uint32_t of, int64_t index, int depth, struct graph_links *l)
{
	for (uint32_t k = 0; k < hlo_nlinks(&g->users, of); k++) {
		uint32_t u = hlo_link(&g->users, of, k);

		if (is_part(g, u) && hlo_link(&g->operands, u, 0) == of && hlo_nlinks(&g->users, u) &&
		    depth < TUPLES_MAX)
			add_users(g, u, index < 0 ? index_of(g, u) : index, depth + 1, l);
		else
			VEC_ADD(l->v, l->n, l->cap, (struct graph_link){ u, index, false });
	}
}

void graph_adjacent(const struct hlo_graph *g, uint32_t i, bool users, struct graph_links *l)
{
	const struct hlo_links *controls = users ? &g->control_users : &g->controls;

	*l = (struct graph_links){ .n = 0 };
	if (users)
		add_users(g, i, -1, 0, l);
	for (uint32_t k = 0; !users && k < hlo_nlinks(&g->operands, i); k++)
		add_operand(g, hlo_link(&g->operands, i, k), l);
	for (uint32_t k = 0; k < hlo_nlinks(controls, i); k++)
		if (hlo_link(controls, i, k) != HLO_NONE)
			VEC_ADD(l->v, l->n, l->cap,
			    (struct graph_link){ hlo_link(controls, i, k), -1, true });
}

void graph_links_free(struct graph_links *l)
{
	free(l->v);
	*l = (struct graph_links){ .n = 0 };
}

/* --- neighborhood --- */

struct search {
	const struct hlo_graph *g;
	struct graph_near *near;
	uint32_t *place; /* by instruction of the computation: its node + 1 */
	uint32_t first, most;
};

static uint32_t *place_of(const struct search *s, uint32_t i)
{
	return &s->place[i - s->first];
}

static bool leads_on(const struct search *s, const struct graph_node *n)
{
	const struct hlo_graph *g = s->g;

	return !n->distance ||
	    (hlo_nlinks(&g->operands, n->i) <= GRAPH_BUSY && hlo_nlinks(&g->users, n->i) <= GRAPH_BUSY &&
		!hlo_opcode_is(g, n->i, "constant"));
}

static void reach(struct search *s, uint32_t node, const struct graph_link *l, bool add)
{
	struct graph_near *near = s->near;
	uint32_t *place = place_of(s, l->i);

	if (*place)
		return;
	if (!add || near->n == s->most) {
		near->v[node].more = true;
		near->cut |= add;
		return;
	}
	VEC_ADD(near->v, near->n, near->cap, (struct graph_node){ l->i, near->v[node].distance + 1, false });
	*place = near->n;
}

static void expand(struct search *s, uint32_t node, bool add)
{
	for (int users = 0; users < 2; users++) {
		struct graph_links l;

		graph_adjacent(s->g, s->near->v[node].i, users, &l);
		for (uint32_t k = 0; k < l.n; k++)
			reach(s, node, &l.v[k], add);
		graph_links_free(&l);
	}
}

static void add_edges(struct search *s, uint32_t to)
{
	struct graph_near *near = s->near;
	struct graph_links l;

	graph_adjacent(s->g, near->v[to].i, false, &l);
	for (uint32_t k = 0; k < l.n; k++) {
		uint32_t from = *place_of(s, l.v[k].i);
		bool twice = false;

		for (uint32_t j = 0; j < k && k <= GRAPH_BUSY; j++)
			twice |= l.v[j].i == l.v[k].i;
		if (from && !twice)
			VEC_ADD(near->e, near->ne, near->ecap,
			    (struct graph_edge){ from - 1, to, l.v[k].index, l.v[k].control });
	}
	graph_links_free(&l);
}

void graph_near_make(const struct hlo_graph *g, uint32_t center, uint32_t radius, uint32_t most,
    struct graph_near *near)
{
	const struct hlo_computation *c = &g->computation[g->v[center].computation];
	struct search s = { .g = g, .near = near, .first = c->first, .most = most };

	*near = (struct graph_near){ .n = 0 };
	s.place = xcalloc(c->n, sizeof *s.place);
	VEC_ADD(near->v, near->n, near->cap, (struct graph_node){ center, 0, false });
	*place_of(&s, center) = 1;
	for (uint32_t i = 0; i < near->n; i++)
		expand(&s, i, near->v[i].distance < radius && leads_on(&s, &near->v[i]));
	for (uint32_t i = 0; i < near->n; i++)
		add_edges(&s, i);
	free(s.place);
}

void graph_near_all(const struct hlo_graph *g, uint32_t computation, uint32_t most, struct graph_near *near)
{
	const struct hlo_computation *c = &g->computation[computation];
	struct search s = { .g = g, .near = near, .first = c->first, .most = most };

	*near = (struct graph_near){ .cut = c->n > most };
	s.place = xcalloc((size_t)c->n + 1, sizeof *s.place);
	for (uint32_t i = c->first; i < c->first + c->n && near->n < most; i++) {
		VEC_ADD(near->v, near->n, near->cap, (struct graph_node){ i, 0, false });
		*place_of(&s, i) = near->n;
	}
	for (uint32_t i = 0; i < near->n; i++)
		add_edges(&s, i);
	free(s.place);
}

void graph_near_free(struct graph_near *near)
{
	free(near->v);
	free(near->e);
	*near = (struct graph_near){ .n = 0 };
}

uint32_t graph_caller(const struct hlo_graph *g, uint32_t computation)
{
	return hlo_nlinks(&g->callers, computation) ? hlo_link(&g->callers, computation, 0) : HLO_NONE;
}
