#include "config.h"
#include "analyze/llo/internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A wait: its operands up to the last, which is how much is awaited. */
struct wait {
	struct slice operand;
	uint32_t inner, bundle;
};

struct dmas {
	struct llo_kernel *k;
	struct wait *wait;
	size_t nwaits, waits_cap;
	strid *sems; /* those that are awaited */
	size_t nsems;
};

static int by_operand(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;
	int by = slice_order(x->operand, y->operand);

	by = by ? by : (x->inner > y->inner) - (x->inner < y->inner);
	return by ? by : (x->bundle > y->bundle) - (x->bundle < y->bundle);
}

static int by_id(const void *a, const void *b)
{
	const strid *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static struct slice text_of(const struct llo_ins *x)
{
	return (struct slice){ x->text, x->n };
}

/* Takes "(!%p3), " off. */
static void cut_predicate(struct slice *t)
{
	const char *end = t->n ? memchr(t->s, ' ', t->n) : NULL;
	struct slice first = { t->s, end ? (size_t)(end - t->s) : 0 };

	if ((slice_begins(first, "(%") || slice_begins(first, "(!%")) && slice_ends(first, "),"))
		*t = (struct slice){ end + 1, t->n - first.n - 1 };
}

static struct slice wait_operand(const struct llo_ins *x)
{
	struct slice t = llo_between(text_of(x), "dma.done.wait ", "");
	size_t n;

	cut_predicate(&t);
	for (n = t.n; n && t.s[n - 1] != ',';)
		n--;
	return slice_trim((struct slice){ t.s, n ? n - 1 : t.n });
}

/* The allocation behind an operand, over at most so many definitions; 0: none. */
static strid semaphore_of(struct dmas *d, struct slice t)
{
	enum { STEPS_MOST = 8 };

	for (int i = 0; i < STEPS_MOST; i++) {
		struct slice s = llo_between(t, "#allocation", "");
		const char *p = t.n ? memchr(t.s, '%', t.n) : NULL;
		strid name;
		size_t n = 0;

		while (s.s && n < s.n && isdigit((unsigned char)s.s[n]))
			n++;
		if (n)
			return strtab_add(&d->k->str, s.s - strlen("allocation"), n + strlen("allocation"));
		if (!p)
			return 0;
		for (n = 0; p + n < t.s + t.n && !isspace((unsigned char)p[n]);)
			n++;
		while (n && p[n - 1] == ',')
			n--;
		name = strtab_find(&d->k->str, p, n);
		if (name == UINT32_MAX || !d->k->defined[name])
			return 0;
		t = llo_between(text_of(&d->k->b.ins[d->k->defined[name] - 1]), " = ", "");
	}
	return 0;
}

/* The operands of a start: source, granules, target, semaphore, … */
static size_t operands_of(const struct llo_ins *x, struct slice v[4])
{
	struct slice t = text_of(x), thread;
	size_t n = 0;
	const char *p;

	if (x->name)
		t = llo_between(t, " = ", "");
	p = t.n ? memchr(t.s, ' ', t.n) : NULL;
	if (!p)
		return 0;
	t = (struct slice){ p + 1, (size_t)(t.s + t.n - p - 1) };
	thread = t;
	if (slice_cut(&thread, "[thread:") && (p = memchr(thread.s, ' ', thread.n))) {
		t = (struct slice){ p + 1, (size_t)(thread.s + thread.n - p - 1) };
		t = slice_trim(t);
	}
	cut_predicate(&t);
	for (; n < 4 && t.s; n++) {
		p = t.n ? memchr(t.s, ',', t.n) : NULL;
		v[n] = slice_trim((struct slice){ t.s, p ? (size_t)(p - t.s) : t.n });
		t = p ? (struct slice){ p + 1, (size_t)(t.s + t.n - p - 1) } : (struct slice){ NULL, 0 };
	}
	return n;
}

static int64_t granules_of(struct slice t)
{
	int64_t v;

	return t.n && isdigit((unsigned char)*t.s) && !slice_begins(t, "0x") && llo_cut_number(&t, &v) && !t.n
	    ? v
	    : -1;
}

/* The first wait on the same operand behind it, in the same loop. */
static const struct wait *wait_of(const struct dmas *d, struct slice operand, uint32_t bundle)
{
	struct wait key = { operand, d->k->inner[bundle], bundle };
	size_t lo = 0, hi = d->nwaits;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (by_operand(&d->wait[mid], &key) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < d->nwaits && slice_same(d->wait[lo].operand, operand) && d->wait[lo].inner == key.inner
	    ? &d->wait[lo]
	    : NULL;
}

static void spaces_of(struct slice op, struct slice *from, struct slice *to)
{
	const char *end;

	op = llo_between(op, ".", "");
	end = op.n ? memchr(op.s, '.', op.n) : NULL;
	op.n = end ? (size_t)(end - op.s) : op.n;
	end = slice_find(op, "_to_");
	*from = (struct slice){ op.s, end ? (size_t)(end - op.s) : op.n };
	*to = end ? (struct slice){ end + 4, (size_t)(op.s + op.n - end - 4) } : (struct slice){ NULL, 0 };
	if (to->s && slice_find(*to, "_to_"))
		to->n = (size_t)(slice_find(*to, "_to_") - to->s);
}

/* A start with a condition of its own, and no branch over it, is not in every step of a pipeline. */
static int64_t runs_of(const struct llo_kernel *k, const struct llo_ins *x, uint32_t i)
{
	const struct llo_loop *l = k->inner[i] == LLO_NONE ? NULL : &k->loop[k->inner[i]];

	if (!x->predicated || k->skipped[i] || !l || !l->pipeline || l->trips <= 2)
		return k->runs[i];
	return mul_clamped(k->runs[i] / l->trips, l->trips - 2);
}

static void add_dma(struct dmas *d, const struct llo_ins *x, uint32_t i, size_t *cap)
{
	struct llo_kernel *k = d->k;
	struct slice v[4] = { { NULL, 0 } };
	size_t n = operands_of(x, v);
	const struct wait *w = n > 3 ? wait_of(d, v[3], i) : NULL;
	struct llo_dma m = { .address = i,
		.op = x->op,
		.granules = n > 1 ? granules_of(v[1]) : -1,
		.bytes = -1,
		.runs = runs_of(k, x, i),
		.predicated = x->predicated,
		.source = x->source,
		.gap = -1,
		.wait = LLO_WAIT_NONE };

	m.semaphore = n > 3 ? semaphore_of(d, v[3]) : 0;
	spaces_of(llo_string(k, x->op), &m.from, &m.to);
	if (m.granules >= 0 && k->chip)
		m.bytes = mul_clamped(m.granules, k->chip->granule);
	if (w) {
		m.wait = LLO_WAIT_SAME;
		m.gap = k->aligned ? k->start[w->bundle] - k->start[i] - 1 : -1;
	} else if (m.semaphore && d->nsems &&
	    bsearch(&m.semaphore, d->sems, d->nsems, sizeof *d->sems, by_id)) {
		m.wait = LLO_WAIT_LATER;
	}
	k->dma_unsized += m.granules < 0;
	if (m.bytes >= 0 && (slice_is(m.from, "hbm") || slice_is(m.to, "hbm")))
		k->hbm_bytes = add_clamped(k->hbm_bytes, mul_clamped(m.bytes, m.runs));
	VEC_ADD(k->dma, k->ndma, *cap, m);
}

static void find_waits(struct dmas *d)
{
	struct llo_kernel *k = d->k;

	for (size_t i = 0; i < k->b.n; i++)
		for (uint32_t j = 0; j < k->b.v[i].n; j++) {
			const struct llo_ins *x = &k->b.ins[k->b.v[i].first + j];

			if (x->real && slice_is(llo_string(k, x->op), "dma.done.wait"))
				VEC_ADD(d->wait, d->nwaits, d->waits_cap,
				    (struct wait){ wait_operand(x), k->inner[i], (uint32_t)i });
		}
	k->dma_waits = (int64_t)d->nwaits;
	d->sems = xcalloc(d->nwaits + 1, sizeof *d->sems);
	for (size_t i = 0; i < d->nwaits; i++)
		d->sems[i] = semaphore_of(d, d->wait[i].operand);
	d->nsems = d->nwaits;
	VEC_SORT(d->sems, d->nsems, by_id);
	VEC_SORT(d->wait, d->nwaits, by_operand);
}

void llo_dma_make(struct llo_kernel *k)
{
	struct dmas d = { .k = k };
	size_t cap = 0;

	k->defined = xcalloc((size_t)k->str.n + 1, sizeof *k->defined);
	for (size_t i = 0; i < k->b.nins; i++)
		k->defined[k->b.ins[i].name] = (uint32_t)i + 1;
	k->defined[0] = 0;
	k->hbm_bytes = k->chip && k->b.n ? 0 : -1;
	find_waits(&d);
	for (size_t i = 0; i < k->b.n; i++)
		for (uint32_t j = 0; j < k->b.v[i].n; j++) {
			const struct llo_ins *x = &k->b.ins[k->b.v[i].first + j];
			struct slice op = llo_string(k, x->op);

			if (x->real && slice_begins(op, "dma.") && !slice_begins(op, "dma.done"))
				add_dma(&d, x, (uint32_t)i, &cap);
		}
	k->hbm_us = k->hbm_bytes >= 0 ? (double)k->hbm_bytes / (k->chip->gbps * 1000) : NAN;
	free(d.wait);
	free(d.sems);
}
