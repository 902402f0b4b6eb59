/* Inside of opdb.c: an event of a device plane with what the database asks of it, read from its stats.  Nothing
 * is allocated; any thread. */
#ifndef ANALYZE_OPS_SPAN_H
#define ANALYZE_OPS_SPAN_H

#include "analyze/ops/internal.h"

struct span { /* an event on the device's clock */
	const struct opdb_names *names;
	int64_t begin, dur, dma;
	double multiplier, flops, bytes;
	int64_t whole[OPDB_WHOLES]; /* in the order of names->want; names->at has the positions */
	unsigned has;               /* bits: which of `whole` are set */
	bool own;                   /* begin and dur are the device's own */
};

static inline bool opdb_has_whole(const struct span *s, enum opdb_whole what)
{
	return s->has >> s->names->at[what] & 1;
}

/* What to read of an event besides its pair of times; this depends on its kind. */
enum { READ_REDUCE = 1, READ_ALL = 2 };

/* `read`: bits of READ_… */
void opdb_span(struct plane_scan *, const struct track *, size_t i, unsigned read, struct span *);

#endif
