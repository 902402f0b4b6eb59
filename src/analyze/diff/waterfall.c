#include "config.h"
#include "analyze/diff/internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The largest fractions are rounded up, so that whole numbers add up to the total. */
struct fraction {
	double part;
	size_t at;
};

VEC_ORDER(largest_first, struct fraction, DOWN(part) UP(at));

void largest_remainders(const double *v, size_t n, int64_t total, int64_t *out)
{
	struct fraction *f = xcalloc(n + 1, sizeof *f);
	int64_t rest = total;

	for (size_t i = 0; i < n; i++) {
		out[i] = (int64_t)floor(v[i]);
		f[i] = (struct fraction){ v[i] - floor(v[i]), i };
		rest -= out[i];
	}
	/* what is not of the parts at all, such as all of a step without ops, stays in the last */
	if (n && llabs(rest) > (int64_t)n) {
		out[n - 1] += rest;
		rest = 0;
	}
	VEC_SORT(f, n, largest_first);
	for (size_t i = 0; n && rest > 0; i = (i + 1) % n, rest--)
		out[f[i].at]++;
	for (size_t i = n; n && rest < 0; i = i ? i : n, rest++)
		out[f[--i].at]--;
	free(f);
}

static struct fall *add_fall(struct comparison *c, enum part_kind kind, double base, double new)
{
	VEC_ADD(c->fall, c->nfalls, c->falls_cap, (struct fall){ .kind = kind, .ps = { base, new } });
	return &c->fall[c->nfalls - 1];
}

static void add_units(struct comparison *c)
{
	for (size_t i = 0; i < c->nunits; i++) {
		const struct unit *u = &c->unit[i];
		const struct side_op *op = u->op[BASE] ? u->op[BASE] : u->op[NEW];
		struct fall *f = add_fall(c, op->kind, u->self[BASE], u->self[NEW]);

		f->op[BASE] = u->op[BASE];
		f->op[NEW] = u->op[NEW];
		if (u->wait[BASE] <= 0 && u->wait[NEW] <= 0)
			continue;
		f = add_fall(c, PART_COMM_WAIT, u->wait[BASE], u->wait[NEW]);
		f->op[BASE] = u->op[BASE];
		f->op[NEW] = u->op[NEW];
	}
}

static double part_mean(const struct comparison *c, int which, int64_t (*part)(const struct side *))
{
	double sum = 0;

	for (size_t i = 0; i < c->n[which]; i++) {
		const struct side *s = c->v[c->first[which] + i];

		sum += per_step(s, (double)part(s));
	}
	return sum / (double)c->n[which];
}

static int64_t idle_of(const struct side *s)
{
	return s->idle;
}

static int64_t overhang_of(const struct side *s)
{
	return s->overhang;
}

static int64_t spread_of(const struct side *s)
{
	return s->spread;
}

static double mean_step(const struct comparison *c, int which)
{
	double sum = 0;

	for (size_t i = 0; i < c->n[which]; i++)
		sum += c->v[c->first[which] + i]->mean;
	return sum / (double)c->n[which];
}

/* Without ops, what is not spread is time of which nothing more is known. */
static void add_other(struct comparison *c)
{
	double spread[SIDES] = { part_mean(c, BASE, spread_of), part_mean(c, NEW, spread_of) };
	double over[SIDES] = { part_mean(c, BASE, overhang_of), part_mean(c, NEW, overhang_of) };

	if (no_ops_of(c)) {
		add_fall(c, PART_OP, mean_step(c, BASE) - spread[BASE], mean_step(c, NEW) - spread[NEW])
		    ->name = "not told apart";
	} else {
		add_fall(c, PART_IDLE, part_mean(c, BASE, idle_of), part_mean(c, NEW, idle_of));
		if (over[BASE] < 0 || over[NEW] < 0)
			add_fall(c, PART_OP, over[BASE], over[NEW])->name = "beyond the marker";
	}
	add_fall(c, PART_SPREAD, spread[BASE], spread[NEW]);
	add_fall(c, PART_TYPICAL, (double)c->d->base - mean_step(c, BASE),
	    (double)c->d->new - mean_step(c, NEW));
}

static void round_parts(struct comparison *c)
{
	double *v = xcalloc(c->nfalls + 1, sizeof *v), part[SIDES][PARTS] = { { 0 } };
	int64_t *whole = xcalloc(c->nfalls + 1, sizeof *whole), sum = 0;

	for (size_t i = 0; i < c->nfalls; i++) {
		v[i] = c->fall[i].ps[NEW] - c->fall[i].ps[BASE];
		for (int k = 0; k < SIDES; k++)
			part[k][c->fall[i].kind] += c->fall[i].ps[k];
	}
	largest_remainders(v, c->nfalls, c->d->new - c->d->base, whole);
	for (size_t i = 0; i < c->nfalls; i++)
		sum += c->fall[i].delta = whole[i];
	assert(sum == c->d->new - c->d->base);
	largest_remainders(part[BASE], PARTS, c->d->base, c->d->part[BASE]);
	largest_remainders(part[NEW], PARTS, c->d->new, c->d->part[NEW]);
	free(v);
	free(whole);
}

static int by_delta(const void *a, const void *b)
{
	const struct fall *x = a, *y = b;
	int64_t p = llabs(x->delta), q = llabs(y->delta);

	if (p != q)
		return p > q ? -1 : 1;
	return (y->ps[BASE] > x->ps[BASE]) - (y->ps[BASE] < x->ps[BASE]);
}

void compare_parts(struct comparison *c)
{
	add_units(c);
	add_other(c);
	round_parts(c);
	VEC_SORT(c->fall, c->nfalls, by_delta);
}
