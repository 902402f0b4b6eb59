#include "config.h"
#include "analyze/replay/nodes.h"

#include <stdlib.h>

#include "analyze/pieces/hlo_line.h"
#include "base/mem.h"
#include "base/text/digit.h"

/* Ops of one computation that ran, in order of time: of a loop's body, or of a run of a program.  A collective could
 * run beside the compute from the last of them that makes one of its operands to the first that reads its result,
 * or to another run of itself. */
struct hider {
	const struct cut_ops *ops;
	struct hide_op *v;
	size_t n, cap, collectives;
	int64_t *work; /* until each of the ops of a group */
	size_t work_cap;
	strid **operands; /* by meta; ends with UINT32_MAX */
	size_t *seen;     /* by name: place in the group + 1 */
};

struct hider *hider_new(const struct cut_ops *ops)
{
	struct hider *h = xcalloc(1, sizeof *h);

	*h = (struct hider){ .ops = ops };
	return h;
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' ||
	    c == '-';
}

/* Of an op that has very many not all: they are looked at whenever it ran. */
static const strid *operands_of(struct hider *h, uint32_t meta)
{
	enum { OPERANDS_MOST = 4096 };
	const struct dump *d = h->ops->dump;
	size_t n = 0, cap = 0;
	strid *v = NULL, name;
	struct slice t;

	if (h->operands[meta])
		return h->operands[meta];
	t = hlo_line_of(cut_text(d, meta)).operands;
	for (size_t i = 0; i < t.n && n < OPERANDS_MOST; i++) {
		size_t to = i + 1;

		while (t.s[i] == '%' && to < t.n && is_name(t.s[to]))
			to++;
		name = to > i + 1 ? strtab_find(&d->str, t.s + i + 1, to - i - 1) : UINT32_MAX;
		if (name != UINT32_MAX)
			VEC_ADD(v, n, cap, name);
	}
	VEC_ADD(v, n, cap, UINT32_MAX);
	return h->operands[meta] = v;
}

static strid name_of(const struct hider *h, size_t i)
{
	return h->ops->dump->trace.metas[h->v[i].meta].name;
}

static int64_t work_between(const struct hider *h, size_t first, size_t from, size_t to)
{
	return to > from ? h->work[to - first] - h->work[from - first] : 0;
}

/* What runs after what it needs: ops from the last of those on. */
static int64_t work_before(struct hider *h, size_t first, size_t i)
{
	size_t from = h->seen[name_of(h, i)];

	for (const strid *o = operands_of(h, h->v[i].meta); *o != UINT32_MAX; o++)
		from = h->seen[*o] > from ? h->seen[*o] : from;
	return work_between(h, first, from > first ? from : first, i);
}

static void sweep_forward(struct hider *h, size_t first, struct replay_core *c)
{
	for (size_t i = first; i < h->n; i++) {
		if (h->v[i].node != NODE_NONE)
			c->node[h->v[i].node].bound = work_before(h, first, i);
		h->seen[name_of(h, i)] = i + 1;
	}
	for (size_t i = first; i < h->n; i++)
		h->seen[name_of(h, i)] = 0;
}

static void sweep_back(struct hider *h, size_t first, struct replay_core *c)
{
	for (size_t i = h->n; i-- > first;) {
		size_t to = h->seen[name_of(h, i)] ? h->seen[name_of(h, i)] - 1 : h->n;

		if (h->v[i].node != NODE_NONE)
			c->node[h->v[i].node].bound += work_between(h, first, i + 1, to);
		h->seen[name_of(h, i)] = i + 1;
		for (const strid *o = operands_of(h, h->v[i].meta); *o != UINT32_MAX; o++)
			h->seen[*o] = i + 1;
	}
	for (size_t i = first; i < h->n; i++) {
		h->seen[name_of(h, i)] = 0;
		for (const strid *o = operands_of(h, h->v[i].meta); *o != UINT32_MAX; o++)
			h->seen[*o] = 0;
	}
}

/* The ops from `first` on are those of one computation; nothing is kept of them. */
static void end_group(struct hider *h, size_t first, struct replay_core *c)
{
	const struct dump *d = h->ops->dump;
	size_t collectives = 0, n = h->n - first;

	for (size_t i = first; i < h->n && h->collectives; i++)
		collectives += h->v[i].node != NODE_NONE;
	if (collectives) {
		if (!h->seen) {
			h->seen = xcalloc(d->str.n + 1, sizeof *h->seen);
			h->operands = xcalloc(d->trace.nmetas + 1, sizeof *h->operands);
		}
		if (n + 1 > h->work_cap)
			h->work = xrealloc(h->work, h->work_cap = 2 * (n + 1), sizeof *h->work);
		h->work[0] = 0;
		for (size_t i = 0; i < n; i++)
			h->work[i + 1] = h->work[i] +
			    (h->ops->role[h->v[first + i].meta].time == PIECE_COMPUTE ? h->v[first + i].dur
										      : 0);
		sweep_forward(h, first, c);
		sweep_back(h, first, c);
		h->collectives -= collectives;
	}
	h->n = first;
}

/* An op is over: those that began in it are of its computation. */
void hider_take(struct hider *h, const struct hide_op *o, struct replay_core *c)
{
	size_t first = h->n;

	while (first && h->v[first - 1].begin >= o->begin &&
	    h->v[first - 1].begin + h->v[first - 1].dur <= o->begin + o->dur)
		first--;
	if (first < h->n)
		end_group(h, first, c);
	else if (h->n && h->v[h->n - 1].run != o->run &&
	    o->begin >= h->v[h->n - 1].begin + h->v[h->n - 1].dur)
		end_group(h, 0, c);
	h->collectives += o->node != NODE_NONE;
	VEC_ADD(h->v, h->n, h->cap, *o);
}

void hider_end(struct hider *h, struct replay_core *c)
{
	if (c)
		end_group(h, 0, c);
	for (size_t i = 0; h->operands && i < h->ops->dump->trace.nmetas; i++)
		free(h->operands[i]);
	free(h->operands);
	free(h->seen);
	free(h->work);
	free(h->v);
	free(h);
}
