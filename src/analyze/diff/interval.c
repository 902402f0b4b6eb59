#include "config.h"
#include "analyze/diff/interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

#define NORMAL_FROM 50  /* so many values on both sides: Mann-Whitney by the normal distribution */
#define LEAST_ORDERS 40 /* so many orders of the values are needed for 95 % */
#define MOST_DEPENDENT .95

struct ranked {
	int64_t v;
	size_t at;
};

VEC_ORDER(by_value, struct ranked, UP(v) UP(at));

/* Ranks less their mean; equal values share theirs. */
static double *ranks_of(const struct series *s)
{
	struct ranked *r = xcalloc(s->n + 1, sizeof *r);
	double *rank = xcalloc(s->n + 1, sizeof *rank);
	size_t end;

	for (size_t i = 0; i < s->n; i++)
		r[i] = (struct ranked){ s->v[i], i };
	VEC_SORT(r, s->n, by_value);
	for (size_t i = 0; i < s->n; i = end) {
		for (end = i; end < s->n && r[end].v == r[i].v;)
			end++;
		for (size_t k = i; k < end; k++)
			rank[r[k].at] = ((double)(i + end - 1) - (double)(s->n - 1)) / 2;
	}
	free(r);
	return rank;
}

static void add_dependence(const struct series *s, size_t n, double *products, double *squares)
{
	for (size_t c = 0; c < n; c++) {
		double *rank = ranks_of(&s[c]);

		for (size_t i = 0; i < s[c].n; i++) {
			*squares += rank[i] * rank[i];
			*products += i ? rank[i] * rank[i - 1] : 0;
		}
		free(rank);
	}
}

static double dependence(const struct series *a, size_t na, const struct series *b, size_t nb)
{
	double products = 0, squares = 0;

	add_dependence(a, na, &products, &squares);
	add_dependence(b, nb, &products, &squares);
	return squares > 0 ? fmin(MOST_DEPENDENT, fmax(0, products / squares)) : 0;
}

static int64_t *sort_all(const struct series *s, size_t n, size_t *total)
{
	int64_t *v;
	size_t at = 0;

	*total = 0;
	for (size_t i = 0; i < n; i++)
		*total += s[i].n;
	v = xcalloc(*total + 1, sizeof *v);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < s[i].n; k++)
			v[at++] = s[i].v[k];
	qsort(v, *total, sizeof *v, sort_by_int64);
	return v;
}

/* In how many orders of m and n values U is u, for all u: one more value of either side at a time. */
static double *orders_of(size_t m, size_t n)
{
	double *now = xcalloc((n + 1) * (m * n + 1), sizeof *now), *row;

	for (size_t k = 0; k <= n; k++)
		now[k * (m * n + 1)] = 1;
	for (size_t i = 1; i <= m; i++) /* of i and k values: those that end with one of the i are k higher */
		for (size_t k = 1; k <= n; k++) {
			const double *before = now + (k - 1) * (m * n + 1);

			row = now + k * (m * n + 1);
			for (size_t u = i * k + 1; u-- > 0;)
				row[u] = (u >= k ? row[u - k] : 0) + (u <= i * (k - 1) ? before[u] : 0);
		}
	memmove(now, now + n * (m * n + 1), (m * n + 1) * sizeof *now);
	return now;
}

static double orders_in_all(size_t m, size_t n)
{
	double all = 1;

	for (size_t i = 1; i <= n && all < 1e15; i++)
		all = all * (double)(m + i) / (double)i;
	return all;
}

/* The largest c with P(U < c) <= 2.5 % */
static size_t critical_u(size_t m, size_t n)
{
	double *orders, all, sum = 0, c;
	size_t k = 0;

	if (m + n > NORMAL_FROM) {
		c = floor((double)m * (double)n / 2 -
		    1.959964 * sqrt((double)m * (double)n * (double)(m + n + 1) / 12));
		return c > 0 ? (size_t)c : 0;
	}
	all = orders_in_all(m, n);
	orders = orders_of(m, n);
	for (; k <= m * n && (sum + orders[k]) * LEAST_ORDERS <= all + .5; k++)
		sum += orders[k];
	free(orders);
	return k;
}

/* How many of the differences b − a are at most d. */
static double differences_upto(const int64_t *a, size_t na, const int64_t *b, size_t nb, int64_t d)
{
	double count = 0;
	size_t k = 0;

	for (size_t i = 0; i < na; i++) {
		while (k < nb && b[k] - a[i] <= d)
			k++;
		count += (double)k;
	}
	return count;
}

/* The i-th of all differences, from 1; both are sorted. */
static int64_t difference_at(const int64_t *a, size_t na, const int64_t *b, size_t nb, double i)
{
	int64_t low = b[0] - a[na - 1], high = b[nb - 1] - a[0];

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (differences_upto(a, na, b, nb, middle) >= i)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* What n steps count as. */
static size_t effective(size_t n, double rho)
{
	return (size_t)((double)n * ((1 - rho) / (1 + rho)) + 1e-9);
}

struct interval interval_of_steps(const struct series *base, size_t nbase, const struct series *new,
    size_t nnew)
{
	double rho = dependence(base, nbase, new, nnew), place, all;
	struct interval x = { .effect = NAN };
	size_t na, nb, m, n, c;
	int64_t *a = sort_all(base, nbase, &na), *b = sort_all(new, nnew, &nb);

	m = x.count[0] = effective(na, rho);
	n = x.count[1] = effective(nb, rho);
	all = (double)na * (double)nb;
	c = m && n && orders_in_all(m, n) >= LEAST_ORDERS ? critical_u(m, n) : 0;
	if (na && nb)
		x.effect = 1 - (differences_upto(a, na, b, nb, 0) + differences_upto(a, na, b, nb, -1)) / all;
	if (c) {
		place = fmax(1, floor((double)c * all / ((double)m * (double)n) + 1e-9));
		x.known = true;
		x.low = (double)difference_at(a, na, b, nb, place);
		x.high = (double)difference_at(a, na, b, nb, all + 1 - place);
	}
	free(a);
	free(b);
	return x;
}

/* --- between runs --- */

static double mean_of(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return sum / (double)n;
}

static double squares_of(const double *v, size_t n, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sum;
}

/* Student's t, 97.5 %. */
static double student(size_t df)
{
	static const double t[] = { 0, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
		2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930,
		2.0860 };

	return df < sizeof t / sizeof *t ? t[df] : 1.96 + 2.5 / (double)df;
}

bool interval_has_runs(size_t nbase, size_t nnew)
{
	return nbase + nnew >= 5;
}

struct interval interval_of_runs(const double *base, size_t nbase, const double *new, size_t nnew)
{
	struct interval x = { .count = { nbase, nnew }, .effect = NAN };
	double a = mean_of(base, nbase), b = mean_of(new, nnew), s, half;
	size_t df = nbase + nnew - 2;

	if (!interval_has_runs(nbase, nnew) || !nbase || !nnew)
		return x;
	s = sqrt((squares_of(base, nbase, a) + squares_of(new, nnew, b)) / (double)df);
	half = student(df) * s * sqrt(1 / (double)nbase + 1 / (double)nnew);
	x.known = true;
	x.low = b - a - half;
	x.high = b - a + half;
	return x;
}
