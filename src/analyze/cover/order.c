#include "config.h"
#include "analyze/cover/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define CHANGES 8                   /* times that tell which way a log goes */
#define UNDECIDED ((size_t)1 << 20) /* bytes that wait for them */

static void give_line(struct cover *c, const struct cover_line *l)
{
	c->give(c->ctx, c->order.bytes + l->at, l->n, l->line);
}

static void give_kept(struct cover *c)
{
	struct cover_order *o = &c->order;

	for (size_t i = 0; i < o->nlines; i++)
		give_line(c, &o->lines[i]);
	o->nlines = o->nentry = o->n = 0;
}

static void give_turned(struct cover *c)
{
	struct cover_order *o = &c->order;
	size_t to = o->nlines;

	for (size_t e = o->nentry; e-- > 0; to = o->entry[e])
		for (size_t i = o->entry[e]; i < to; i++)
			give_line(c, &o->lines[i]);
	for (size_t i = 0; i < to; i++)
		give_line(c, &o->lines[i]);
	o->nlines = o->nentry = o->n = 0;
}

void cover_order_line(struct cover *c, struct slice line, uint64_t number)
{
	struct cover_order *o = &c->order;

	if (o->known == ORDER_KEPT) {
		c->give(c->ctx, line.s, line.n, number);
		return;
	}
	if (o->n + line.n > o->cap) {
		o->cap = 2 * (o->n + line.n);
		o->bytes = xrealloc(o->bytes, o->cap, 1);
	}
	memcpy(o->bytes + o->n, line.s, line.n);
	VEC_ADD(o->lines, o->nlines, o->lines_cap, (struct cover_line){ o->n, line.n, number });
	o->n += line.n;
	if (o->known == ORDER_UNKNOWN && o->n > UNDECIDED) {
		o->known = ORDER_KEPT;
		give_kept(c);
	}
}

void cover_order_entry(struct cover *c)
{
	struct cover_order *o = &c->order;
	int way;

	if (o->known != ORDER_KEPT)
		VEC_ADD(o->entry, o->nentry, o->entry_cap, o->nlines);
	if (!o->ntime)
		return;
	way = o->nlast ? slice_order((struct slice){ o->time, o->ntime }, (struct slice){ o->last, o->nlast })
		       : 0;
	o->up += way > 0;
	o->down += way < 0;
	memcpy(o->last, o->time, o->ntime);
	o->nlast = o->ntime;
	o->ntime = 0;
	if (o->known != ORDER_UNKNOWN || o->up + o->down < CHANGES)
		return;
	o->known = o->down > o->up ? ORDER_TURNED : ORDER_KEPT;
	if (o->known == ORDER_KEPT)
		give_kept(c);
}

void cover_order_end(struct cover *c)
{
	struct cover_order *o = &c->order;

	if (o->known == ORDER_TURNED || (o->known == ORDER_UNKNOWN && o->down > o->up))
		give_turned(c);
	else
		give_kept(c);
	o->known = ORDER_UNKNOWN;
	o->nlast = o->ntime = 0;
	o->up = o->down = 0;
}
