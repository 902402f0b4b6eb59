#include "config.h"
#include "analyze/memory/rank.h"

#include <stdlib.h>

bool memory_is_known(const struct hlo_module *h)
{
	return h->has_buffers || h->result;
}

bool memory_any(const struct dump *d)
{
	for (size_t i = 0; i < d->nmodules; i++)
		if (memory_is_known(&d->modules[i]))
			return true;
	return false;
}

int memory_failed(const struct dump *d)
{
	for (size_t i = 0; i < d->nmodules; i++)
		if (d->modules[i].oom && memory_is_known(&d->modules[i]))
			return (int)i;
	return -1;
}

int memory_first(const struct dump *d, const struct memory_ranks *ranks)
{
	int found = memory_failed(d), n = 0;

	if (found >= 0 || !d->nmodules)
		return found;
	for (size_t i = 0; i < d->nmodules; i++)
		if (memory_is_known(&d->modules[i])) {
			found = (int)i;
			n++;
		}
	if (n <= 1)
		return n ? found : 0;
	return ranks && ranks->n ? (int)ranks->v[0].module : -1;
}

const char *memory_first_why(const struct dump *d, size_t module)
{
	return (int)module == memory_failed(d) ? "is the first that did not fit" : "has the highest peak";
}

static int64_t peak_of(const struct dump *d, size_t i)
{
	struct arena arena = { 0 };
	struct memory m;
	struct err err;
	int64_t peak;

	memory_make(d, i, 0, -1, &arena, &m, &err);
	peak = m.problem && !m.peak_bytes ? -1 : m.peak_bytes;
	memory_free(&m);
	arena_free(&arena);
	return peak;
}

VEC_ORDER(by_peak, struct memory_rank, DOWN(peak) UP(module));

void memory_rank(const struct dump *d, struct progress *p, struct memory_ranks *r)
{
	uint64_t bytes = 0;

	*r = (struct memory_ranks){ .v = xcalloc(d->nmodules + 1, sizeof *r->v) };
	for (size_t i = 0; i < d->nmodules; i++)
		bytes += d->modules[i].len;
	progress_begin(p, bytes);
	for (size_t i = 0; i < d->nmodules && !progress_canceled(p); i++) {
		r->v[r->n++] =
		    (struct memory_rank){ i, memory_is_known(&d->modules[i]) ? peak_of(d, i) : -1 };
		progress_add(p, d->modules[i].len, 0);
	}
	VEC_SORT(r->v, r->n, by_peak);
}

void memory_ranks_free(struct memory_ranks *r)
{
	free(r->v);
	*r = (struct memory_ranks){ 0 };
}
