#include "config.h"
#include "analyze/diff/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

#define LEAST_OF_STEP .005 /* a change is that much of the step */
#define LEAST_OTHER .005   /* bytes or FLOPs differ */
#define STRAGGLES 1.05

static double least_change(const struct comparison *c)
{
	return LEAST_OF_STEP * c->value[BASE];
}

static struct change *add_change(struct comparison *c, const char *kind, const struct unit *u, double delta)
{
	VEC_ADD(c->change, c->nchanges, c->changes_cap,
	    (struct change){ .kind = kind, .unit = u, .core = -1, .delta = delta });
	return &c->change[c->nchanges - 1];
}

/* Beyond the margin, in percent of itself. */
static bool is_proven(const struct comparison *c, struct interval x)
{
	enum verdict v = verdict_of(&x, c->d->margin);

	return v == VERDICT_SLOWER || v == VERDICT_FASTER;
}

/* The unit's ops of each capture, per step; a capture without them has a single 0. */
struct interval interval_of_unit(const struct comparison *c, const struct unit *u)
{
	size_t all = c->n[BASE] + c->n[NEW];
	struct series *s = xcalloc(all, sizeof *s);
	int64_t **v = xcalloc(all, sizeof *v);
	struct interval x;

	for (size_t i = 0; i < all; i++)
		v[i] = xcalloc(c->v[i]->nseries + 1, sizeof **v);
	for (size_t i = 0; i < all; i++)
		s[i] = (struct series){ v[i], 1 };
	for (size_t i = 0; i < u->nmembers; i++) {
		const struct member *m = &u->member[i];

		s[m->side].n = c->v[m->side]->nseries;
		for (size_t k = 0; k < s[m->side].n; k++)
			v[m->side][k] += m->op->step[k];
	}
	x = interval_of_values(c, s, u->self[BASE] + u->wait[BASE]);
	for (size_t i = 0; i < all; i++)
		free(v[i]);
	free(v);
	free(s);
	return x;
}

static bool has_remat(const struct comparison *c, const struct unit *u, bool new)
{
	bool remat = false;

	for (size_t i = 0; i < u->nmembers; i++)
		remat |= (u->member[i].side >= c->first[NEW]) == new && u->member[i].op->remat;
	return remat;
}

static bool differ(double a, double b)
{
	return fabs(b - a) > LEAST_OTHER * a;
}

static const char *kind_of_op_change(const struct comparison *c, const struct unit *u, double delta)
{
	const struct side_op *a = u->op[BASE], *b = u->op[NEW];

	if (has_remat(c, u, false) != has_remat(c, u, true))
		return "remat";
	if (!a || !b)
		return a ? "op_gone" : "op_new";
	if (u->group)
		return "fusion";
	if (fabs(u->runs[NEW] - u->runs[BASE]) > 1e-9)
		return "count";
	if (differ(a->bytes, b->bytes))
		return "bytes";
	return differ(a->flops, b->flops) ? "flops" : delta > 0 ? "op_slower" : "op_faster";
}

static void find_in_unit(struct comparison *c, const struct unit *u)
{
	enum part_kind kind = (u->op[BASE] ? u->op[BASE] : u->op[NEW])->kind;
	double wait = u->wait[NEW] - u->wait[BASE], delta = u->self[NEW] - u->self[BASE] + wait;

	if (fabs(delta) < least_change(c) ||
	    (u->op[BASE] && u->op[NEW] && !is_proven(c, interval_of_unit(c, u))))
		return;
	if (kind == PART_COMM && fabs(wait) > fabs(delta) / 2)
		add_change(c, "comm_wait", u, delta);
	else
		add_change(c, kind == PART_OP ? kind_of_op_change(c, u, delta) : part_info[kind].id, u,
		    delta);
}

static double idle_mean(const struct comparison *c, int which)
{
	double sum = 0;

	for (size_t i = 0; i < c->n[which]; i++)
		sum += per_step(c->v[c->first[which] + i], (double)c->v[c->first[which] + i]->idle);
	return sum / (double)c->n[which];
}

static void find_idle(struct comparison *c)
{
	size_t all = c->n[BASE] + c->n[NEW];
	double a = idle_mean(c, BASE), b = idle_mean(c, NEW);
	struct series *s;

	if (fabs(b - a) < least_change(c) || no_ops_of(c))
		return;
	s = xcalloc(all, sizeof *s);
	for (size_t i = 0; i < all; i++)
		s[i] = (struct series){ c->v[i]->idle_step, c->v[i]->nseries };
	if (is_proven(c, interval_of_values(c, s, a)))
		add_change(c, "idle", NULL, b - a);
	free(s);
}

/* --- stragglers --- */

static double busy_of(const struct comparison *c, int which, size_t core)
{
	double sum = 0;

	for (size_t i = 0; i < c->n[which]; i++) {
		const struct side *s = c->v[c->first[which] + i];

		sum += s->nused ? (double)s->core[core].busy / (double)s->nused : 0;
	}
	return sum / (double)c->n[which];
}

static double wait_delta(const struct comparison *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->nunits; i++)
		sum += c->unit[i].wait[NEW] - c->unit[i].wait[BASE];
	return sum;
}

/* A straggler explains the waiting. */
static void add_straggler(struct comparison *c, size_t core, double extra)
{
	size_t n = 0;
	struct change *x;

	for (size_t i = 0; i < c->nchanges; i++)
		if (strcmp(c->change[i].kind, "comm_wait"))
			c->change[n++] = c->change[i];
	c->nchanges = n;
	x = add_change(c, "straggler", NULL, extra / (double)c->v[0]->ncores + wait_delta(c));
	x->host = c->v[c->first[NEW]]->core[core].host_name;
	x->core = c->v[c->first[NEW]]->core[core].core;
}

static void find_stragglers(struct comparison *c)
{
	size_t n = c->v[0]->ncores;
	double *grew, *sorted, median;

	if (n < 2 || c->v[c->first[NEW]]->ncores != n)
		return;
	grew = xcalloc(n, sizeof *grew);
	sorted = xcalloc(n, sizeof *sorted);
	for (size_t i = 0; i < n; i++)
		grew[i] = sorted[i] = busy_of(c, BASE, i) > 0 ? busy_of(c, NEW, i) / busy_of(c, BASE, i) : 1;
	qsort(sorted, n, sizeof *sorted, sort_by_double);
	median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
	for (size_t i = 0; i < n && median > 0; i++) {
		double extra = busy_of(c, NEW, i) - busy_of(c, BASE, i) * median;

		if (grew[i] / median >= STRAGGLES && extra >= least_change(c))
			add_straggler(c, i, extra);
	}
	free(grew);
	free(sorted);
}

static int by_delta(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (fabs(y->delta) > fabs(x->delta)) - (fabs(y->delta) < fabs(x->delta));
}

void compare_changes(struct comparison *c)
{
	for (size_t i = 0; i < c->nunits; i++)
		find_in_unit(c, &c->unit[i]);
	find_idle(c);
	find_stragglers(c);
	VEC_SORT(c->change, c->nchanges, by_delta);
}
