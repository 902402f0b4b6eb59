#include "config.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PIECE 2048

struct sort {
	size_t size;
	int (*cmp)(const void *, const void *);
	const struct progress *progress;
};

/* Merges two sorted runs, a to b and b to end. */
static bool merge_runs(const struct sort *s, const char *a, const char *b, const char *end, char *to)
{
	const char *mid = b;

	for (size_t i = 0; a < mid && b < end; i++, to += s->size) {
		const char **from = s->cmp(a, b) <= 0 ? &a : &b;

		if (i % PIECE == 0 && progress_canceled(s->progress))
			return false;
		memcpy(to, *from, s->size);
		*from += s->size;
	}
	memcpy(to, a, (size_t)(mid - a));
	memcpy(to + (mid - a), b, (size_t)(end - b));
	return true;
}

static bool merge_all(const struct sort *s, char *v, char *beside, size_t n)
{
	char *from = v, *to = beside, *t;

	for (size_t run = PIECE; run < n; run *= 2) {
		for (size_t i = 0; i < n; i += 2 * run) {
			size_t b = i + run < n ? i + run : n, end = b + run < n ? b + run : n;

			if (!merge_runs(s, from + i * s->size, from + b * s->size, from + end * s->size,
				to + i * s->size))
				return false;
		}
		t = from;
		from = to;
		to = t;
	}
	if (from != v)
		memcpy(v, from, n * s->size);
	return true;
}

bool sort_items(void *v, size_t n, size_t size, int (*cmp)(const void *, const void *),
    const struct progress *p)
{
	struct sort s = { size, cmp, p };
	char *beside;
	bool whole;

	if (!p || n <= PIECE) {
		if (n)
			qsort(v, n, size, cmp);
		return true;
	}
	for (size_t i = 0; i < n; i += PIECE) {
		if (progress_canceled(p))
			return false;
		qsort((char *)v + i * size, n - i < PIECE ? n - i : PIECE, size, cmp);
	}
	beside = xrealloc(NULL, n, size);
	whole = merge_all(&s, v, beside, n);
	free(beside);
	return whole;
}

int sort_by_int64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int sort_by_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}
