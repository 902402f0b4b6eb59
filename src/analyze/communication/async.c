#include "config.h"
#include "analyze/communication/internal.h"

#include <stdlib.h>

#include "analyze/pieces/spans.h"
#include "base/bisect.h"
#include "base/mem.h"

/* The flights of one name are in the order of their spans. */
static void deal_spans(const struct dump *d, const struct core_time *c, struct async_span *v, size_t n,
    int64_t *wire)
{
	size_t *taken = xcalloc(n + 1, sizeof *taken);

	for (size_t i = 0; i < c->nflights; i++) {
		const struct time_flight *f = &c->flight[i];
		uint32_t meta = f->done_meta != CUT_NONE ? f->done_meta : f->meta;
		strid name = d->trace.metas[meta].name;
		size_t a;

		if (f->done_meta == CUT_NONE && f->role.part != PART_DONE)
			continue;
		BISECT(a, n, v[a].done < name);
		if (a + taken[a] < n && v[a + taken[a]].done == name)
			wire[i] = v[a + taken[a]++].dur;
	}
	free(taken);
}

int64_t *comm_async_spans(const struct dump *d, const struct core_time *c)
{
	int64_t *wire = xcalloc(c->nflights + 1, sizeof *wire);
	struct async_span *v = NULL;
	size_t n = 0;
	bool any = false;

	for (size_t i = 0; i < c->nflights; i++) {
		wire[i] = c->flight[i].end.time - c->flight[i].begin.time;
		any |= c->flight[i].role.part != PART_SYNC && c->flight[i].role.kind != COMM_COPY;
	}
	if (any)
		v = async_spans(d, c->cut.plane, &n);
	deal_spans(d, c, v, n, wire);
	free(v);
	return wire;
}
