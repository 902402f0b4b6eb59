#include "config.h"
#include "analyze/memory/pick.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/memory/rank.h"

#define PICKS 3

struct pick {
	size_t module;
	double worth; /* sort key, largest first */
};

struct picks {
	struct pick v[PICKS];
	size_t n;
};

static void add_pick(struct picks *p, size_t module, double worth)
{
	size_t at = p->n;

	while (at > 0 && p->v[at - 1].worth < worth)
		at--;
	if (at == PICKS)
		return;
	p->n += p->n < PICKS;
	memmove(&p->v[at + 1], &p->v[at], (p->n - 1 - at) * sizeof *p->v);
	p->v[at] = (struct pick){ module, worth };
}

struct program {
	uint64_t id;
	double self;
};

VEC_ORDER(by_id, struct program, UP(id));

/* Orders programs by the total time of their ops. */
static void by_time(const struct dump *d, const struct opdb *db, struct picks *p)
{
	struct program *v = xcalloc(db->n + 1, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < db->n; i++)
		if (!db->v[i].sparse)
			v[n++] = (struct program){ db->v[i].program, (double)db->v[i].sum.self };
	VEC_SORT(v, n, by_id);
	for (size_t i = 0; i < n;) {
		double self = 0;
		uint64_t id = v[i].id;
		int module = hlo_module_by_program(d, id, NULL, 0);

		for (; i < n && v[i].id == id; i++)
			self += v[i].self;
		if (module >= 0)
			add_pick(p, (size_t)module, self);
	}
	free(v);
}

static bool is_candidate(const struct hlo_module *h)
{
	return memory_is_known(h) && h->len <= MEMORY_PICK_BYTES;
}

static void by_size(const struct dump *d, struct picks *p)
{
	for (size_t i = 0; i < d->nmodules; i++) {
		const struct hlo_module *h = &d->modules[i];

		if (is_candidate(h))
			add_pick(p, i, (double)h->len);
	}
}

static bool build_module(const struct dump *d, size_t module, const int64_t *said, struct memory *m)
{
	struct err err;

	if (!memory_is_known(&d->modules[module]))
		return false;
	if (!memory_make(d, module, 0, said ? said[module] : -1, NULL, m, &err) && m->peak_bytes > 0)
		return true;
	memory_free(m);
	return false;
}

/* Takes programs that ran in the order of their time.  Of programs that did not run, takes the one with the
 * highest peak. */
const struct hlo_module *memory_pick(const struct dump *d, const struct opdb *db, int asked,
    const int64_t *said, struct progress *progress, struct memory *m)
{
	const struct hlo_module *best = NULL, *h;
	bool ran = db && db->op_time > 0;
	struct picks p = { 0 };
	struct memory one;

	if (!d)
		return NULL;
	if (asked < 0 && !ran)
		asked = memory_failed(d);
	if (asked >= 0)
		return build_module(d, (size_t)asked, said, m) ? &d->modules[asked] : NULL;
	if (ran)
		by_time(d, db, &p);
	else
		by_size(d, &p);
	for (size_t i = 0; i < p.n && !progress_canceled(progress) && !(best && ran); i++) {
		h = &d->modules[p.v[i].module];
		if (!is_candidate(h) || !build_module(d, p.v[i].module, said, &one))
			continue;
		if (best && one.peak_bytes <= m->peak_bytes) {
			memory_free(&one);
			continue;
		}
		if (best)
			memory_free(m);
		*m = one;
		best = h;
	}
	return best;
}
