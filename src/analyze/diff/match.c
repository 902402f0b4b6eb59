#include "config.h"
#include "analyze/diff/match.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

/* An op that later captures are matched with. */
struct known {
	const struct side_op *op;
	uint32_t unit;
};

struct pool {
	struct known *v;
	size_t n, cap;
};

/* What is not matched yet. */
struct left {
	const struct side_op *op;
	bool taken;
};

struct keyed {
	uint64_t key;
	int which; /* 0: of the pool, 1: of the side */
	size_t order, at;
};

VEC_ORDER(by_key, struct keyed, UP(key) UP(which) UP(order));

struct matcher {
	struct matches *m;
	struct pool *pool;
	const struct side *s;
	uint32_t side;
	struct left *a, *b;
	struct keyed *v;
};

static uint64_t add_part(uint64_t h, struct slice t)
{
	return hash_bytes(hash_bytes(h, t.s, t.n), "\n", 1);
}

static uint64_t add_bare(uint64_t h, struct slice name)
{
	for (size_t i = 0; i < name.n; i++)
		if (name.s[i] != '.' && !isdigit((unsigned char)name.s[i]))
			h = hash_bytes(h, name.s + i, 1);
	return hash_bytes(h, "\n", 1);
}

/* Keys of the levels; 0: this op has none. */
static uint64_t key_name(const struct side_op *o)
{
	return add_part(HASH_START, o->name);
}

static uint64_t key_place(const struct side_op *o)
{
	return o->signature ? add_part(add_part(hash_mix(o->signature, 0), o->tf_op), o->source) : 0;
}

static uint64_t key_signature(const struct side_op *o)
{
	return o->signature ? add_part(hash_mix(o->signature, 0), o->tf_op) : 0;
}

static uint64_t key_loose(const struct side_op *o)
{
	return o->signature ? 0 : add_part(add_bare(HASH_START, o->name), o->category);
}

static uint64_t key_shape(const struct side_op *o)
{
	return o->signature ? add_part(add_part(add_part(HASH_START, o->category), o->shape), o->tf_op) : 0;
}

static uint64_t key_provenance(const struct side_op *o)
{
	return o->signature ? add_part(add_part(HASH_START, o->category), o->tf_op) : 0;
}

static uint64_t key_scope(const struct side_op *o)
{
	size_t n = o->tf_op.n;

	while (n && o->tf_op.s[n - 1] != '/')
		n--;
	return n > 1 ? add_part(HASH_START, (struct slice){ o->tf_op.s, n - 1 }) : 0;
}

enum take { TAKE_EQUAL, TAKE_IN_ORDER, TAKE_GROUP };

static const struct level {
	const char *how;
	uint64_t (*key)(const struct side_op *);
	enum take take;
} levels[] = {
	{ "name", key_name, TAKE_IN_ORDER }, /* of one compilation only */
	{ "signature", key_place, TAKE_EQUAL },
	{ "signature", key_signature, TAKE_IN_ORDER },
	{ "loose", key_loose, TAKE_IN_ORDER },
	{ "shape", key_shape, TAKE_EQUAL },
	{ "provenance", key_provenance, TAKE_IN_ORDER },
	{ "group", key_scope, TAKE_GROUP },
};

static void add_member(struct matcher *w, uint32_t unit, size_t b, const struct side_op *with,
    const char *how)
{
	w->b[b].taken = true;
	VEC_ADD(w->m->v, w->m->n, w->m->cap, (struct member){ unit, w->side, w->b[b].op, with, how });
}

static void pair_ops(struct matcher *w, const struct keyed *a, const struct keyed *b, size_t n,
    const char *how)
{
	for (size_t i = 0; i < n; i++) {
		w->a[a[i].at].taken = true;
		add_member(w, w->pool->v[a[i].at].unit, b[i].at, w->a[a[i].at].op, how);
	}
}

/* All of the one against all of the other: the largest leads, and its unit takes the others. */
static void group_ops(struct matcher *w, const struct keyed *a, size_t na, const struct keyed *b, size_t nb,
    uint32_t *becomes)
{
	size_t lead = a[0].at;

	for (size_t i = 1; i < na; i++)
		if (w->a[a[i].at].op->self > w->a[lead].op->self)
			lead = a[i].at;
	for (size_t i = 0; i < na; i++) {
		w->a[a[i].at].taken = true;
		becomes[w->pool->v[a[i].at].unit] = w->pool->v[lead].unit;
	}
	for (size_t i = 0; i < nb; i++)
		add_member(w, w->pool->v[lead].unit, b[i].at, w->a[lead].op, "group");
	w->m->group[w->pool->v[lead].unit] = true;
}

static size_t list_keys(struct matcher *w, const struct level *l)
{
	size_t n = 0;

	for (size_t i = 0; i < w->pool->n; i++)
		if (!w->a[i].taken && l->key(w->a[i].op))
			w->v[n++] = (struct keyed){ l->key(w->a[i].op), 0, i, i };
	for (size_t i = 0; i < w->s->nops; i++)
		if (!w->b[i].taken && l->key(w->b[i].op))
			w->v[n++] = (struct keyed){ l->key(w->b[i].op), 1, w->b[i].op->order, i };
	VEC_SORT(w->v, n, by_key);
	return n;
}

static void match_level(struct matcher *w, const struct level *l, uint32_t *becomes)
{
	size_t n = list_keys(w, l), end, middle;

	for (size_t i = 0; i < n; i = end) {
		size_t na, nb;

		for (middle = i; middle < n && w->v[middle].key == w->v[i].key && !w->v[middle].which;)
			middle++;
		for (end = middle; end < n && w->v[end].key == w->v[i].key;)
			end++;
		na = middle - i;
		nb = end - middle;
		if (!na || !nb || (l->take == TAKE_EQUAL && na != nb))
			continue;
		if (l->take == TAKE_GROUP)
			group_ops(w, w->v + i, na, w->v + middle, nb, becomes);
		else
			pair_ops(w, w->v + i, w->v + middle, na < nb ? na : nb, l->how);
	}
}

static uint32_t new_unit(struct matches *m)
{
	m->group = xrealloc(m->group, (size_t)m->nunits + 1, sizeof *m->group);
	m->group[m->nunits] = false;
	return m->nunits++;
}

static void add_to_pool(struct matcher *w, const struct side_op *op)
{
	uint32_t unit = new_unit(w->m);

	VEC_ADD(w->pool->v, w->pool->n, w->pool->cap, (struct known){ op, unit });
	VEC_ADD(w->m->v, w->m->n, w->m->cap, (struct member){ unit, w->side, op, NULL, NULL });
}

static void follow_units(struct matcher *w, const uint32_t *becomes)
{
	for (size_t i = 0; i < w->m->n; i++)
		w->m->v[i].unit = becomes[w->m->v[i].unit];
	for (size_t i = 0; i < w->pool->n; i++)
		w->pool->v[i].unit = becomes[w->pool->v[i].unit];
}

static void match_side(struct matcher *w, bool same_program)
{
	size_t n = w->pool->n + w->s->nops;
	uint32_t *becomes = xcalloc((size_t)w->m->nunits + 1, sizeof *becomes);

	w->a = xcalloc(w->pool->n + 1, sizeof *w->a);
	w->b = xcalloc(w->s->nops + 1, sizeof *w->b);
	w->v = xcalloc(n + 1, sizeof *w->v);
	for (uint32_t i = 0; i < w->m->nunits; i++)
		becomes[i] = i;
	for (size_t i = 0; i < w->pool->n; i++)
		w->a[i].op = w->pool->v[i].op;
	for (size_t i = 0; i < w->s->nops; i++)
		w->b[i].op = &w->s->op[i];
	for (size_t i = same_program ? 0 : 1; i < sizeof levels / sizeof *levels; i++)
		match_level(w, &levels[i], becomes);
	follow_units(w, becomes);
	for (size_t i = 0; i < w->s->nops; i++)
		if (!w->b[i].taken)
			add_to_pool(w, w->b[i].op);
	free(w->a);
	free(w->b);
	free(w->v);
	free(becomes);
}

static int by_unit(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	if (x->op->self != y->op->self)
		return x->op->self > y->op->self ? -1 : 1;
	return (x->op->order > y->op->order) - (x->op->order < y->op->order);
}

void matches_make(const struct side *const *s, size_t n, struct matches *m)
{
	struct pool pool = { .n = 0 };

	*m = (struct matches){ .n = 0 };
	for (size_t i = 0; i < n; i++) {
		struct matcher w = { .m = m, .pool = &pool, .s = s[i], .side = (uint32_t)i };

		match_side(&w,
		    s[i]->program_id && s[0]->program_id && !strcmp(s[i]->program_id, s[0]->program_id));
	}
	VEC_SORT(m->v, m->n, by_unit);
	free(pool.v);
}

void matches_free(struct matches *m)
{
	free(m->v);
	free(m->group);
	*m = (struct matches){ .n = 0 };
}
