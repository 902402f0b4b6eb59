#include "config.h"
#include "analyze/diff/internal.h"

#include <math.h>
#include <stdlib.h>

#define MARGIN_STEPS 2
#define MARGIN_RUNS 1

const char *verdict_name(enum verdict v)
{
	static const char *const name[VERDICTS] = { "faster", "slower", "same", "inconclusive",
		"not_comparable" };

	return name[v];
}

enum verdict verdict_of(const struct interval *x, double margin)
{
	if (!x->known)
		return VERDICT_INCONCLUSIVE;
	if (-margin <= x->low && x->high <= margin)
		return VERDICT_SAME;
	return x->low >= margin ? VERDICT_SLOWER : x->high <= -margin ? VERDICT_FASTER : VERDICT_INCONCLUSIVE;
}

static double mean_of_series(const struct series *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += (double)s->v[i];
	return s->n ? sum / (double)s->n : 0;
}

static struct interval in_percent(struct interval x, double own)
{
	x.known = x.known && own > 0;
	x.low = x.known ? 100 * x.low / own : NAN;
	x.high = x.known ? 100 * x.high / own : NAN;
	return x;
}

struct interval interval_of_values(const struct comparison *c, const struct series *s, double own)
{
	size_t all = c->n[BASE] + c->n[NEW], cores = c->v[0]->ncores;
	double *value = xcalloc(all + 1, sizeof *value);
	struct interval x;

	for (size_t i = 0; i < all; i++)
		value[i] = mean_of_series(&s[i]);
	x = c->runs ? interval_of_runs(value, c->n[BASE], value + c->n[BASE], c->n[NEW])
		    : interval_of_steps(s, c->n[BASE], s + c->n[BASE], c->n[NEW]);
	free(value);
	return in_percent(x, own * (double)(cores ? cores : 1));
}

/* The value of a capture is the median of its steps. */
static void compare_steps(struct comparison *c)
{
	size_t all = c->n[BASE] + c->n[NEW];
	struct series *s = xcalloc(all + 1, sizeof *s);
	double *value = xcalloc(all + 1, sizeof *value);

	for (size_t i = 0; i < all; i++) {
		s[i] = (struct series){ c->v[i]->step, c->v[i]->nsteps };
		value[i] = c->v[i]->median;
	}
	c->interval = interval_of_steps(s, c->n[BASE], s + c->n[BASE], c->n[NEW]);
	if (c->runs) {
		double effect = c->interval.effect;

		c->interval = interval_of_runs(value, c->n[BASE], value + c->n[BASE], c->n[NEW]);
		c->interval.effect = effect;
	}
	c->interval = in_percent(c->interval, (double)c->d->base);
	free(value);
	free(s);
}

static double median_mean(const struct comparison *c, int which)
{
	double sum = 0;

	for (size_t i = 0; i < c->n[which]; i++)
		sum += c->v[c->first[which] + i]->median;
	return sum / (double)c->n[which];
}

static void judge(struct comparison *c)
{
	struct diff *d = c->d;

	d->margin = isnan(c->o->margin) ? c->runs ? MARGIN_RUNS : MARGIN_STEPS : c->o->margin;
	for (int k = 0; k < SIDES; k++)
		c->value[k] = median_mean(c, k);
	d->base = isnan(c->value[BASE]) ? 0 : (int64_t)floor(c->value[BASE] + .5);
	d->new = isnan(c->value[NEW]) ? 0 : (int64_t)floor(c->value[NEW] + .5);
	compare_steps(c);
	d->low = c->interval.known ? c->interval.low : NAN;
	d->high = c->interval.known ? c->interval.high : NAN;
	d->verdict = c->fatal ? VERDICT_NOT_COMPARABLE : verdict_of(&c->interval, d->margin);
	if (!c->fatal && c->memory_alone)
		d->reason = "no_steps";
	else if (!c->fatal && !c->interval.known)
		d->reason = "too_few_steps";
	else if (!c->fatal && d->verdict == VERDICT_INCONCLUSIVE)
		d->reason = c->runs ? "runs" : "noise";
	if (!d->reason)
		d->reason = no_ops_of(c);
}

static void free_comparison(struct comparison *c)
{
	matches_free(&c->matches);
	free(c->unit);
	free(c->fall);
	free(c->change);
	free((void *)c->v);
	arena_free(&c->text);
}

int diff_make(const struct side *const *base, size_t nbase, const struct side *const *new, size_t nnew,
    const struct diff_options *o, struct diff *d, struct err *err)
{
	const struct side **v = xcalloc(nbase + nnew, sizeof *v);
	struct comparison c = { .v = v, .n = { nbase, nnew }, .first = { 0, nbase }, .o = o, .d = d };
	int bad;

	*d = (struct diff){ .low = NAN, .high = NAN };
	for (size_t i = 0; i < nbase + nnew; i++)
		v[i] = i < nbase ? base[i] : new[i - nbase];
	c.pieces = true;
	for (size_t i = 0; i < nbase + nnew; i++)
		c.pieces &= !v[i]->has_findings || v[i]->has_pieces;
	for (size_t i = 0; i < DIFF_TABLES; i++)
		table_begin(&d->table[i], diff_schema_of((enum diff_table)i));
	compare_captures(&c);
	judge(&c);
	compare_ops(&c);
	compare_memory(&c);
	compare_rest(&c);
	if (!c.fatal && !c.memory_alone) {
		compare_parts(&c);
		compare_changes(&c);
	}
	bad = compare_gates(&c, err);
	make_tables(&c);
	free_comparison(&c);
	if (bad)
		diff_free(d);
	return bad;
}

void diff_free(struct diff *d)
{
	for (size_t i = 0; i < DIFF_TABLES; i++)
		table_free(&d->table[i]);
	facts_free(&d->summary);
	free(d->op);
}
