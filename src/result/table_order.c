/* The order of the rows of a table by one column. */
#include "config.h"
#include "result/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text/natural.h"

static int order_numbers(const struct cell *a, const struct cell *b)
{
	if (a->type == CELL_INT && b->type == CELL_INT)
		return (a->u.i > b->u.i) - (a->u.i < b->u.i);

	double x = a->type == CELL_INT ? (double)a->u.i : a->u.d;
	double y = b->type == CELL_INT ? (double)b->u.i : b->u.d;

	return (x > y) - (x < y);
}

static int cell_order(const struct cell *a, const struct cell *b)
{
	if (a->type == CELL_BOOL && b->type == CELL_BOOL)
		return a->u.b - b->u.b;
	if ((a->type == CELL_INT || a->type == CELL_NUM) && (b->type == CELL_INT || b->type == CELL_NUM))
		return order_numbers(a, b);
	return natural_cmp(a->s ? a->s : "", a->n, b->s ? b->s : "", b->n);
}

/* A merge sort of row numbers, because it has to be stable and qsort() is not. */
struct sorter {
	const struct table *t;
	size_t column;
	bool down;
};

static bool before(const struct sorter *s, size_t a, size_t b) /* a comes strictly before b */
{
	const struct cell *x = &s->t->cells[a * s->t->ncolumns + s->column];
	const struct cell *y = &s->t->cells[b * s->t->ncolumns + s->column];

	if (x->type == CELL_NULL || y->type == CELL_NULL)
		return x->type != CELL_NULL && y->type == CELL_NULL;
	if (x->beyond != y->beyond)
		return y->beyond;
	return s->down ? cell_order(x, y) > 0 : cell_order(x, y) < 0;
}

static void merge_runs(const struct sorter *s, const size_t *from, size_t *to, size_t a, size_t mid,
    size_t end)
{
	size_t b = mid, k = a, stop = mid;

	while (a < stop && b < end)
		to[k++] = before(s, from[b], from[a]) ? from[b++] : from[a++];
	while (a < stop)
		to[k++] = from[a++];
	while (b < end)
		to[k++] = from[b++];
}

static size_t *order_by_merging(const struct sorter *s)
{
	size_t n = s->t->nrows;
	size_t *v = xcalloc(n + 1, sizeof *v), *w = xcalloc(n + 1, sizeof *w);

	for (size_t i = 0; i < n; i++)
		v[i] = i;
	for (size_t width = 1; width < n; width *= 2) {
		for (size_t a = 0; a < n; a += 2 * width) {
			size_t mid = a + width < n ? a + width : n;
			size_t end = a + 2 * width < n ? a + 2 * width : n;

			merge_runs(s, v, w, a, mid, end);
		}
		size_t *x = v;

		v = w;
		w = x;
	}
	free(w);
	return v;
}

/* A number as bits that compare as the numbers do. */
static uint64_t bits_of(const struct cell *c, bool whole)
{
	const uint64_t sign = (uint64_t)1 << 63;
	double d = c->type == CELL_INT ? (double)c->u.i : c->u.d;
	uint64_t u;

	if (whole)
		return (uint64_t)c->u.i ^ sign;
	d = d == 0 ? 0 : d; /* not -0 */
	memcpy(&u, &d, sizeof u);
	return u & sign ? ~u : u | sign;
}

struct place {
	uint64_t key;
	size_t row;
};

/* Sorts by one byte of the keys, keeping the order of equals. */
static void scatter(const struct place *from, struct place *to, size_t n, const size_t *count, int shift)
{
	size_t at[256] = { 0 };

	for (int i = 1; i < 256; i++)
		at[i] = at[i - 1] + count[i - 1];
	for (size_t i = 0; i < n; i++)
		to[at[from[i].key >> shift & 255]++] = from[i];
}

/* Byte by byte from the lowest; bytes that all keys share, of small numbers the most of them, take no time. */
static const struct place *sort_places(struct place *v, struct place *w, size_t n)
{
	uint64_t differ = 0;

	for (size_t i = 1; i < n; i++)
		differ |= v[i].key ^ v[0].key;
	for (int shift = 0; shift < 64; shift += 8) {
		size_t count[256] = { 0 };
		struct place *x = v;

		if (!(differ >> shift & 255))
			continue;
		for (size_t i = 0; i < n; i++)
			count[v[i].key >> shift & 255]++;
		scatter(v, w, n, count, shift);
		v = w;
		w = x;
	}
	return v;
}

enum rank { RANK_VALUE, RANK_BEYOND, RANK_NULL, RANKS };

static enum rank rank_of(const struct cell *c)
{
	return c->type == CELL_NULL ? RANK_NULL : c->beyond ? RANK_BEYOND : RANK_VALUE;
}

static const struct cell *cell_of(const struct sorter *s, size_t row)
{
	return &s->t->cells[row * s->t->ncolumns + s->column];
}

/* Sorts rows by keys that compare as their cells do; the key of null does not matter. */
static size_t *order_by_keys(const struct sorter *s, const uint64_t *key)
{
	size_t n = s->t->nrows, *order = xcalloc(n + 1, sizeof *order), count[RANKS] = { 0 };
	struct place *v = xcalloc(n + 1, sizeof *v), *w = xcalloc(n + 1, sizeof *w);
	size_t at[RANKS] = { 0 };

	for (size_t i = 0; i < n; i++)
		count[rank_of(cell_of(s, i))]++;
	for (int rank = 1; rank < RANKS; rank++)
		at[rank] = at[rank - 1] + count[rank - 1];
	for (size_t i = 0; i < n; i++) {
		enum rank rank = rank_of(cell_of(s, i));

		v[at[rank]++] = (struct place){ rank == RANK_NULL ? 0 : s->down ? ~key[i] : key[i], i };
	}
	for (int rank = 0; rank < RANKS; rank++) {
		size_t from = at[rank] - count[rank];
		const struct place *sorted = sort_places(v + from, w + from, count[rank]);

		for (size_t i = 0; i < count[rank]; i++)
			order[from + i] = sorted[i].row;
	}
	free(v);
	free(w);
	return order;
}

/* NULL: not all cells of the column are numbers or null. */
static uint64_t *keys_of_numbers(const struct sorter *s)
{
	size_t n = s->t->nrows;
	uint64_t *key;
	bool whole = true;

	for (size_t i = 0; i < n; i++) {
		const struct cell *c = cell_of(s, i);

		if (c->type != CELL_NULL && c->type != CELL_INT && (c->type != CELL_NUM || isnan(c->u.d)))
			return NULL;
		whole &= c->type != CELL_NUM;
	}
	key = xcalloc(n + 1, sizeof *key);
	for (size_t i = 0; i < n; i++)
		if (cell_of(s, i)->type != CELL_NULL)
			key[i] = bits_of(cell_of(s, i), whole);
	return key;
}

/* --- a column of few texts, such as ops or devices: the texts are compared, not the rows --- */

enum { TEXTS_MOST = 2048, SLOTS = 4 * TEXTS_MOST };

struct text {
	const struct cell *cell;
	uint32_t number; /* in the order of the table */
};

struct texts {
	struct text v[TEXTS_MOST];
	uint64_t rank[TEXTS_MOST]; /* by number: those that are before it */
	uint32_t n, slot[SLOTS];   /* slot: a number + 1; 0 = free */
};

/* The number of a text, a new one if it is new; TEXTS_MOST: there are too many. */
static uint32_t text_number(struct texts *x, const struct cell *c)
{
	size_t at = hash_mix(hash_bytes(HASH_START, c->s ? c->s : "", c->s ? c->n : 0), c->n) % SLOTS;

	for (; x->slot[at]; at = (at + 1) % SLOTS)
		if (!cell_order(x->v[x->slot[at] - 1].cell, c))
			return x->slot[at] - 1;
	if (x->n == TEXTS_MOST)
		return TEXTS_MOST;
	x->v[x->n] = (struct text){ c, x->n };
	x->slot[at] = ++x->n;
	return x->n - 1;
}

static int by_text(const void *a, const void *b)
{
	return cell_order(((const struct text *)a)->cell, ((const struct text *)b)->cell);
}

/* NULL: not all cells of the column are texts or null, or there are too many texts. */
static uint64_t *keys_of_texts(const struct sorter *s)
{
	size_t n = s->t->nrows;
	struct texts *x = xcalloc(1, sizeof *x);
	uint64_t *key = xcalloc(n + 1, sizeof *key);
	bool few = true;

	for (size_t i = 0; few && i < n; i++) {
		const struct cell *c = cell_of(s, i);

		if (c->type == CELL_NULL)
			continue;
		key[i] = c->type == CELL_STR ? text_number(x, c) : TEXTS_MOST;
		few = key[i] < TEXTS_MOST;
	}
	qsort(x->v, x->n, sizeof *x->v, by_text);
	for (uint32_t i = 0; i < x->n; i++)
		x->rank[x->v[i].number] = i;
	for (size_t i = 0; few && i < n; i++)
		key[i] = x->rank[key[i]];
	free(x);
	if (!few) {
		free(key);
		return NULL;
	}
	return key;
}

size_t *table_order(const struct table *t, size_t column, bool down)
{
	const struct sorter s = { t, column, down };
	uint64_t *key = keys_of_numbers(&s);
	size_t *order;

	if (!key)
		key = keys_of_texts(&s);
	order = key ? order_by_keys(&s, key) : order_by_merging(&s);
	free(key);
	return order;
}
