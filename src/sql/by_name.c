#include "config.h"
#include "sql/rows.h"

#include <stdlib.h>

#include "base/mem.h"

static int by_name(const void *a, const void *b, void *ctx)
{
	const struct dump *d = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	strid p = d->trace.metas[x].name, q = d->trace.metas[y].name;
	int order = p == q ? 0 : slice_order(strtab_text(&d->str, p), strtab_text(&d->str, q));

	return order ? order : (x > y) - (x < y);
}

/* Where the events of each kind begin among all of them, by name; `count` has how many there are, by meta. */
static void place_kinds(const struct dump *d, bool down, size_t *count)
{
	size_t n = 0, at = 0, here;
	uint32_t *kind = xcalloc(d->trace.nmetas + 1, sizeof *kind);

	for (uint32_t i = 0; i < d->trace.nmetas; i++)
		if (count[i])
			kind[n++] = i;
	if (n)
		qsort_r(kind, n, sizeof *kind, by_name, (void *)d);
	for (size_t i = 0; i < n; i++) {
		uint32_t k = kind[down ? n - 1 - i : i];

		here = count[k];
		count[k] = at;
		at += here;
	}
	free(kind);
}

/* Rows that only have to be different come as they are found. */
static bool is_distinct(sqlite3_index_info *x)
{
#if SQLITE_VERSION_NUMBER >= 3038000
	return sqlite3_vtab_distinct(x) == 2;
#else
	(void)x;
	return false;
#endif
}

bool sql_can_order(const struct sql *q, sqlite3_index_info *x)
{
	const sqlite3_uint64 walks =
	    1ull << S_self_ps | 1ull << S_depth | 1ull << S_parent_id | 1ull << S_step | 1ull << S_wait_ps;

	return x->nOrderBy == 1 && x->aOrderBy[0].iColumn == S_name && !(x->colUsed & walks) &&
	    !is_distinct(x) && q->first[q->d->trace.ntracks] <= UINT32_MAX;
}

void sql_order(struct cursor *c, bool down, void (*first)(struct cursor *), void (*next)(struct cursor *))
{
	const struct trace *t = &c->q->d->trace;
	size_t *count = xcalloc(t->nmetas + 1, sizeof *count), n = 0;

	for (first(c); c->track < t->ntracks; next(c), n++)
		count[track_meta(track_here(c), c->i)]++;
	place_kinds(c->q->d, down, count);
	c->order = xcalloc(n + 1, sizeof *c->order);
	c->norder = n;
	for (first(c); c->track < t->ntracks; next(c))
		c->order[count[track_meta(track_here(c), c->i)]++] = (uint32_t)(c->q->first[c->track] + c->i);
	free(count);
	c->at_order = 0;
}

void sql_ordered_row(struct cursor *c)
{
	if (c->at_order == c->norder)
		c->track = (uint32_t)c->q->d->trace.ntracks;
	else
		c->track = sql_track_of(c->q, c->order[c->at_order++], &c->i);
}
