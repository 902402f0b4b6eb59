/* How much of the time in which asynchronous collectives are under way runs beside compute. */
#include "config.h"
#include "analyze/findings/internal.h"

#include "analyze/communication/communication.h"

/* A digest has the kinds of ops, but not when they ran. */
static size_t starts_of(const struct dump *d)
{
	size_t n = 0;

	for (size_t i = 0; d && i < d->trace.nmetas; i++) {
		const struct evmeta *m = &d->trace.metas[i];
		const struct op_role r = op_role_of(dump_text(d, m->name), dump_text(d, m->category));

		n += r.part == PART_START && r.time == PIECE_COMM;
	}
	return n;
}

struct overlap rule_overlap(const struct rule_work *w)
{
	const struct communication *c = w->in->communication;
	struct overlap o = { .async = 0 };

	if (!c)
		return o;
	if (!c->ncores)
		o.starts = starts_of(c->dump);
	for (size_t i = 0; i < c->nops; i++)
		if (c->op[i].mode == MODE_ASYNC) {
			o.starts += (size_t)c->op[i].count;
			o.async += (double)c->op[i].exposed;
		}
	o.hidden = (double)c->sum.hidden;
	for (size_t i = 0; i < c->ncores; i++) {
		int64_t apart = c->core[i].compute - c->core[i].hidden, exposed = c->core[i].exposed;

		o.more += (double)(exposed < apart ? exposed : apart);
	}
	return o;
}
