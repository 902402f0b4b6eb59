#include "config.h"
#include "analyze/replay/internal.h"

#include "base/mem.h"

enum { SHORT = 4 }; /* so few nodes are replayed one by one as fast */

/* Nobody waits for such a node, and what changes it changes all of its kind alike. */
static bool is_plain(const struct node *n)
{
	return !n->nshares &&
	    (n->kind == NODE_GAP ||
		(n->kind == NODE_WORK && n->group != GROUP_INFEED && n->group != GROUP_OUTFEED));
}

static bool fits(const struct stretch *s, const struct node *n)
{
	return s->nodes && n->step == s->step &&
	    (n->segment == NODE_NONE || s->segment == NODE_NONE || n->segment == s->segment);
}

static void add_node(struct stretch *s, const struct node *n)
{
	s->nodes++;
	s->total += n->d;
	s->gaps |= n->kind == NODE_GAP;
	s->segment = n->segment == NODE_NONE ? s->segment : n->segment;
	if (n->kind != NODE_WORK || n->group > GROUP_FORMAT)
		return;
	s->own[n->group] += n->d;
	s->roof[n->group] += n->bound >= 0 && n->bound < n->d ? n->bound : n->d;
}

static void keep(struct replay_core *c, const struct stretch *s)
{
	if (s->nodes >= SHORT)
		VEC_ADD(c->stretch, c->nstretches, c->stretches_cap, *s);
}

void stretches_make(struct replay_core *c)
{
	struct stretch s = { .nodes = 0 };

	for (uint32_t i = 0; i < c->nnodes; i++) {
		const struct node *n = &c->node[i];

		if (!is_plain(n) || !fits(&s, n)) {
			keep(c, &s);
			s = (struct stretch){ .first = i, .step = n->step, .segment = NODE_NONE };
		}
		if (is_plain(n))
			add_node(&s, n);
	}
	keep(c, &s);
}
