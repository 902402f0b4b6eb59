#include "config.h"
#include "analyze/llo/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Regions are numbered from 0 without large gaps; numbers far beyond the bundles of a kernel are none. */
static size_t places_most(const struct llo_bundles *b)
{
	size_t most = 0;

	for (size_t i = 0; i < b->nregions; i++)
		if (b->region[i].number < b->n * 64 + 65536 && b->region[i].number >= most)
			most = b->region[i].number + 1;
	return most;
}

void llo_places_make(const struct llo_bundles *b, struct llo_places *p)
{
	*p = (struct llo_places){ .n = places_most(b) };
	p->start = xmalloc((p->n + 1) * sizeof *p->start);
	p->end = xmalloc((p->n + 1) * sizeof *p->end);
	memset(p->start, 0xff, (p->n + 1) * sizeof *p->start);
	memset(p->end, 0xff, (p->n + 1) * sizeof *p->end);
	for (size_t i = 0; i < b->nregions; i++) {
		const struct llo_region *r = &b->region[i];

		if (r->number >= p->n)
			continue;
		if (r->mark == LLO_END)
			p->end[r->number] = r->bundle;
		else if (p->start[r->number] == LLO_NONE)
			p->start[r->number] = r->bundle;
	}
}

void llo_places_free(struct llo_places *p)
{
	free(p->start);
	free(p->end);
}

struct flow {
	struct llo_kernel *k;
	uint32_t n;
	uint32_t *slots; /* by bundle: its last delay slot */
	uint32_t *back;  /* by bundle: the farthest branch back to it; LLO_NONE */
	uint32_t *after; /* by bundle: the last bundle whose depth is at least its own */
};

static void find_slots(struct flow *f)
{
	for (uint32_t i = f->n; i--;)
		f->slots[i] = i + 1 < f->n && !f->k->b.v[i + 1].real ? f->slots[i + 1] : i;
}

/* Bundles whose depth is more than that of all behind them, from the end, have ever more of it. */
static void find_after(struct flow *f)
{
	uint32_t *deep = xcalloc(f->n + 1, sizeof *deep), n = 0;
	const struct llo_bundle *v = f->k->b.v;

	for (uint32_t i = f->n; i--;) {
		uint32_t lo = 0, hi = n;

		while (lo < hi) {
			uint32_t mid = lo + (hi - lo) / 2;

			if (v[deep[mid]].depth >= v[i].depth)
				hi = mid;
			else
				lo = mid + 1;
		}
		f->after[i] = lo < n ? deep[lo] : i;
		if (!n || v[i].depth > v[deep[n - 1]].depth)
			deep[n++] = i;
	}
	free(deep);
}

static uint32_t target_of(const struct llo_kernel *k, const struct llo_ins *x, const struct llo_places *p)
{
	struct slice t = { x->text, x->n };
	int64_t number;

	if (!slice_is(llo_string(k, x->op), "sbr.rel"))
		return LLO_NONE;
	t = llo_between(t, "target = $region", "");
	if (!t.s || !llo_cut_number(&t, &number) || number < 0 || (uint64_t)number >= p->n)
		return LLO_NONE;
	return p->start[number];
}

/* Branches forward are counted in `skipped` over what they jump over. */
static void find_branches(struct flow *f, const struct llo_places *p)
{
	struct llo_kernel *k = f->k;
	int64_t *change = xcalloc(f->n + 1, sizeof *change), now = 0;

	for (uint32_t i = 0; i < f->n; i++)
		for (uint32_t j = 0; j < k->b.v[i].n; j++) {
			uint32_t to = target_of(k, &k->b.ins[k->b.v[i].first + j], p);

			if (to == LLO_NONE)
				continue;
			if (to <= i) {
				f->back[to] = i;
			} else if (f->slots[i] + 1 < to) {
				change[f->slots[i] + 1]++;
				change[to]--;
			}
		}
	for (uint32_t i = 0; i < f->n; i++) {
		now += change[i];
		k->skipped[i] = now < UINT32_MAX ? (uint32_t)now : UINT32_MAX;
	}
	free(change);
}

/* Loops begin in order.  One that ends before a later one does is never the innermost again, nor around another. */
static void find_loops(struct flow *f, const struct llo_regions_text *r)
{
	struct llo_kernel *k = f->k;
	uint32_t *open = xcalloc(f->n + 1, sizeof *open), nopen = 0;
	size_t cap = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		const struct llo_bundle *b = &k->b.v[i];

		while (nopen && k->loop[open[nopen - 1]].last < i)
			nopen--;
		if (b->loop) {
			struct llo_loop l = { .first = i,
				.last = f->back[i] == LLO_NONE ? f->after[i] : f->slots[f->back[i]],
				.depth = b->depth,
				.trips = k->nloops < r->n ? r->trips[k->nloops] : -1,
				.pipeline = b->pipeline };

			while (nopen && k->loop[open[nopen - 1]].last < l.last)
				nopen--;
			l.parent = nopen ? open[nopen - 1] : LLO_NONE;
			open[nopen++] = (uint32_t)k->nloops;
			VEC_ADD(k->loop, k->nloops, cap, l);
		}
		k->inner[i] = nopen ? open[nopen - 1] : LLO_NONE;
	}
	free(open);
}

/* The product over the loops around a bundle.  Where steps of a pipeline may skip it, the first and the last do. */
static void count_runs(struct llo_kernel *k)
{
	enum { PIPELINES_MOST = 64 };
	uint32_t *outer =
	    xcalloc(k->nloops + 1, sizeof *outer);              /* the next pipeline at or around each loop */
	int64_t *plain = xcalloc(k->nloops + 1, sizeof *plain); /* the product over the others */

	k->trips_known = true;
	for (size_t i = 0; i < k->nloops; i++) {
		const struct llo_loop *l = &k->loop[i];
		int64_t around = l->parent == LLO_NONE ? 1 : plain[l->parent];

		outer[i] = l->pipeline ? (uint32_t)i : l->parent == LLO_NONE ? LLO_NONE : outer[l->parent];
		plain[i] = l->pipeline || l->trips < 0 ? around : mul_clamped(around, l->trips);
	}
	for (size_t i = 0; i < (size_t)k->bundles; i++) {
		uint32_t at = k->inner[i];
		int levels = 0;
		int64_t v = at == LLO_NONE ? 1 : plain[at];

		for (at = at == LLO_NONE ? LLO_NONE : outer[at];
		     at != LLO_NONE && levels++ < PIPELINES_MOST;) {
			const struct llo_loop *l = &k->loop[at];
			bool skip = l->trips > 2 && k->skipped[i] > k->skipped[l->first];

			v = l->trips < 0 ? v : mul_clamped(v, l->trips - 2 * skip);
			at = l->parent == LLO_NONE ? LLO_NONE : outer[l->parent];
		}
		k->trips_known &= at == LLO_NONE;
		k->saturated |= v == INT64_MAX;
		k->runs[i] = v;
	}
	for (size_t i = 0; i < k->nloops; i++)
		k->trips_known &= k->loop[i].trips >= 0;
	free(outer);
	free(plain);
}

void llo_loops_make(struct llo_kernel *k, const struct llo_places *p, const struct llo_regions_text *r)
{
	struct flow f = { .k = k, .n = (uint32_t)k->b.n };

	k->inner = xmalloc(((size_t)k->bundles + 1) * sizeof *k->inner);
	memset(k->inner, 0xff, ((size_t)k->bundles + 1) * sizeof *k->inner);
	k->skipped = xcalloc((size_t)k->bundles + 1, sizeof *k->skipped);
	k->runs = xcalloc((size_t)k->bundles + 1, sizeof *k->runs);
	f.slots = xcalloc(f.n + 1, sizeof *f.slots);
	f.after = xcalloc(f.n + 1, sizeof *f.after);
	f.back = xmalloc((f.n + 1) * sizeof *f.back);
	memset(f.back, 0xff, (f.n + 1) * sizeof *f.back);
	find_slots(&f);
	find_after(&f);
	find_branches(&f, p);
	find_loops(&f, r);
	count_runs(k);
	free(f.slots);
	free(f.after);
	free(f.back);
}
