#include "config.h"
#include "analyze/communication/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"

const char *comm_by_name(enum comm_by by)
{
	static const char *const names[COMM_BYS] = { "op", "kind", "axis", "source", "scope" };

	return by < COMM_BYS ? names[by] : NULL;
}

/* Names and other texts of the struct end with NUL. */
static const char *text_or(struct slice s, const char *none)
{
	return s.n ? s.s : none;
}

static const char *key_of(const struct comm_op *o, enum comm_by by)
{
	switch (by) {
	case COMM_BY_KIND:
		return comm_kind_name(o->kind);
	case COMM_BY_AXIS:
		return o->axis ? o->axis : "(no groups)";
	case COMM_BY_SOURCE:
		return text_or(o->source, "(no source)");
	case COMM_BY_SCOPE:
		return text_or(o->tf_op, "(no scope)");
	default:
		return text_or(o->name, "");
	}
}

struct keyed {
	const char *key;
	const struct comm_op *op;
};

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct keyed *)a)->key, ((const struct keyed *)b)->key);
}

/* Bandwidths of ops are weighted by the time they took. */
static void add_op(struct comm_group *g, const struct comm_op *o, double *rated)
{
	int64_t bytes;

	g->count = add_clamped(g->count, o->count);
	g->wall = add_clamped(g->wall, o->wall);
	g->hidden = add_clamped(g->hidden, o->hidden);
	g->exposed = add_clamped(g->exposed, o->exposed);
	if (o->wait >= 0)
		g->wait = add_clamped(g->wait < 0 ? 0 : g->wait, o->wait);
	if (o->bytes >= 0 && !__builtin_mul_overflow(o->bytes, o->count, &bytes))
		g->bytes = add_clamped(g->bytes < 0 ? 0 : g->bytes, bytes);
	if (!isnan(o->busbw)) {
		double time = (double)(o->wire - (o->wait > 0 ? o->wait : 0));

		g->busbw = (isnan(g->busbw) ? 0 : g->busbw) + o->busbw * time;
		*rated += time;
	}
}

static int most_exposed(const void *a, const void *b)
{
	const struct comm_group *x = a, *y = b;

	if (x->exposed != y->exposed)
		return x->exposed > y->exposed ? -1 : 1;
	return strcmp(x->key, y->key);
}

struct comm_group *communication_groups(const struct communication *c, enum comm_by by, size_t *n)
{
	struct keyed *v = xcalloc(c->nops + 1, sizeof *v);
	struct comm_group *g = xcalloc(c->nops + 1, sizeof *g);
	size_t ops = 0;

	*n = 0;
	for (size_t i = 0; i < c->nops; i++)
		if (!comm_in_no_sum(&c->op[i]))
			v[ops++] = (struct keyed){ key_of(&c->op[i], by), &c->op[i] };
	VEC_SORT(v, ops, by_key);
	for (size_t a = 0, b; a < ops; a = b, ++*n) {
		double rated = 0;

		g[*n] = (struct comm_group){ .key = v[a].key, .wait = -1, .bytes = -1, .busbw = NAN };
		for (b = a; b < ops && !by_key(&v[a], &v[b]); b++)
			add_op(&g[*n], v[b].op, &rated);
		g[*n].busbw /= rated;
		g[*n].share = c->sum.exposed > 0 ? (double)g[*n].exposed / (double)c->sum.exposed : NAN;
	}
	VEC_SORT(g, *n, most_exposed);
	free(v);
	return g;
}
