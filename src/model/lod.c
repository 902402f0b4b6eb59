#include "config.h"

#include "model/lod.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/spill/spill.h"
#include "model/internal.h"

#define SHIFT_MIN 5
#define SHIFT_MAX 16
#define EVENT_BYTES 4        /* bytes of index per event at most: tracks with many rows get longer leaves */
#define EVENT_BYTES_LANES 16 /* lanes are rare, and slower to replay */

/* Puts the arrays in their places in a block. */
static void lay_out(struct lod *l, void *block)
{
	const size_t r = (size_t)l->rows;

	l->block = block;
	l->sum = (int64_t *)(((uintptr_t)block + LOD_ALIGN - 1) & ~(uintptr_t)(LOD_ALIGN - 1));
	l->start = l->sum + l->nleaf * (size_t)l->sums * CLASS_COUNT;
	l->coarse_start = l->start + l->nleaf;
	l->gaps = (struct lod_gaps *)(l->coarse_start + l->ncoarse);
	l->upto = (int64_t *)(l->gaps + l->nleaf);
	l->len = l->upto + l->nleaf;
	l->coarse_len = l->len + l->nleaf * r;
	l->last = (uint32_t *)(l->coarse_len + l->ncoarse * r);
	l->big = l->last + l->nleaf * r;
	l->coarse_big = l->big + l->nleaf * r;
}

static struct lod *lod_new(size_t n, int rows, size_t event_bytes)
{
	struct lod *l = xcalloc(1, sizeof *l);
	size_t r = (size_t)rows, leaf;
	void *block;

	l->rows = rows;
	l->sums = rows == 1 ? 1 : rows + 1;
	leaf = (size_t)l->sums * CLASS_COUNT * sizeof *l->sum + sizeof *l->start + sizeof *l->gaps +
	    sizeof *l->upto + r * (sizeof *l->len + 2 * sizeof *l->last);
	for (l->shift = SHIFT_MIN; l->shift < SHIFT_MAX && leaf > event_bytes << l->shift; l->shift++)
		;
	l->nleaf = (n + ((size_t)1 << l->shift) - 1) >> l->shift;
	l->ncoarse = (l->nleaf + LOD_FAN - 1) / LOD_FAN;
	l->bytes = l->nleaf * leaf + l->ncoarse * (sizeof *l->start + r * (sizeof *l->len + sizeof *l->big)) +
	    LOD_ALIGN;
	block = spill_make(l->bytes, l->bytes, &l->spill);
	if (!block) {
		free(l);
		return NULL;
	}
	lay_out(l, block);
	return l;
}

/* Moves an index that is whole to the file when memory should have no more of them. */
static void settle(struct lod *l)
{
	struct spill *spill = NULL;

	if (!l->spill)
		spill = spill_settle(l->block, l->bytes, (size_t)((char *)l->sum - (char *)l->block));
	if (!spill)
		return;
	l->spill = spill;
	lay_out(l, spill_bytes(spill));
}

struct building {
	const struct track *t;
	const uint8_t *meta_class;
	struct lod *l;
	int64_t sum[(TRACK_ROWS_MAX + 1) * CLASS_COUNT];
	int64_t inside[CLASS_COUNT + 1];    /* durations by class of the parent; CLASS_COUNT: no parent */
	uint8_t parent[TRACK_ROWS_MAX + 1]; /* class of the last event one row up */
	uint32_t last[TRACK_ROWS_MAX];
	int64_t upto; /* the latest end so far */
	struct sweep sweep;
};

static void build_leaf_flat(struct building *b, size_t leaf, size_t from, size_t to)
{
	const struct track t = *b->t; /* which no write changes */
	const uint8_t *meta_class = b->meta_class;
	int64_t len = -1;
	size_t big = 0;

	for (size_t i = from; i < to; i++) {
		int64_t d = track_dur(&t, i);
		bool more = d > len;

		add_to_sum(&b->sum[META_CLASS(meta_class[track_meta(&t, i)])], d);
		len = more ? d : len;
		big = more ? i + 1 : big;
	}
	b->last[0] = (uint32_t)to;
	b->l->len[leaf] = len;
	b->l->big[leaf] = (uint32_t)big;
}

static inline void build_leaf(struct building *b, size_t leaf, size_t from, size_t to, enum shape shape)
{
	const struct track *t = b->t;
	size_t rows = (size_t)b->l->rows;
	int64_t *len = b->l->len + leaf * rows;
	uint32_t *big = b->l->big + leaf * rows;

	for (size_t r = 0; r < rows; r++) {
		len[r] = -1;
		big[r] = 0;
	}
	for (size_t i = from; i < to; i++) {
		int row = row_of(t, i, shape), class = class_of(t, b->meta_class, i);
		int64_t d = track_dur(t, i);

		add_to_sum(&b->sum[row * CLASS_COUNT + class], d);
		if (shape == NEST) {
			add_to_sum(&b->inside[b->parent[row]], d);
			b->parent[row + 1] = (uint8_t) class;
		}
		b->last[row] = (uint32_t)i + 1;
		if (d > len[row]) {
			len[row] = d;
			big[row] = (uint32_t)i + 1;
		}
	}
}

/* Computes the sums of the innermost row before the leaf: all rows together less what children took from
 * their parents or, with lanes, the time of what was on top. */
static void build_inner(struct building *b, int64_t begin, enum shape shape)
{
	int64_t *inner = b->sum + b->l->rows * CLASS_COUNT;

	if (shape == LANES) {
		sweep_classes(&b->sweep, begin, b->meta_class, inner);
	} else if (shape == NEST) {
		memset(inner, 0, CLASS_COUNT * sizeof *inner);
		for (int r = 0; r < b->l->rows; r++)
			for (int c = 0; c < CLASS_COUNT; c++)
				add_to_sum(&inner[c], b->sum[r * CLASS_COUNT + c]);
		for (int c = 0; c < CLASS_COUNT; c++)
			inner[c] = minus(inner[c], b->inside[c]);
	}
}

static inline void build_levels(struct building *b, enum shape shape)
{
	struct lod *l = b->l;
	size_t rows = (size_t)l->rows, size = (size_t)1 << l->shift;

	for (size_t leaf = 0; leaf < l->nleaf; leaf++) {
		size_t from = leaf << l->shift, to = b->t->n - from < size ? b->t->n : from + size;

		l->start[leaf] = track_start(b->t, from);
		build_inner(b, l->start[leaf], shape);
		memcpy(sums_of(l, leaf, 0), b->sum, (size_t)l->sums * CLASS_COUNT * sizeof *l->sum);
		memcpy(l->last + leaf * rows, b->last, rows * sizeof *l->last);
		if (shape == FLAT)
			build_leaf_flat(b, leaf, from, to);
		else
			build_leaf(b, leaf, from, to, shape);
		l->upto[leaf] = b->upto;
		l->gaps[leaf] = (struct lod_gaps){ 0 };
		b->upto = see_gaps(b->t, from, to, b->upto, &l->gaps[leaf]);
	}
}

static void build_coarse(struct lod *l)
{
	size_t rows = (size_t)l->rows;

	for (size_t k = 0; k < l->ncoarse; k++) {
		size_t from = k * LOD_FAN, to = l->nleaf - from < LOD_FAN ? l->nleaf : from + LOD_FAN;

		l->coarse_start[k] = l->start[from];
		for (size_t r = 0; r < rows; r++) {
			size_t best = from * rows + r;

			for (size_t j = from; j < to; j++)
				if (l->len[j * rows + r] > l->len[best])
					best = j * rows + r;
			l->coarse_len[k * rows + r] = l->len[best];
			l->coarse_big[k * rows + r] = l->big[best];
			if (l->len[best] > l->longest)
				l->longest = l->len[best];
		}
	}
}

int lod_build(struct track *t, const uint8_t *meta_class)
{
	enum shape shape = shape_of(t);
	size_t bytes = shape == LANES ? EVENT_BYTES_LANES : EVENT_BYTES;
	struct building *b;

	assert(t->rows <= TRACK_ROWS_MAX);
	lod_free(t->lod);
	t->lod = NULL;
	if (t->n < UINT32_MAX)
		t->lod = lod_new(t->n, t->rows < 1 ? 1 : t->rows, bytes);
	if (!t->lod)
		return -1;
	b = xcalloc(1, sizeof *b);
	b->t = t;
	b->meta_class = meta_class;
	b->l = t->lod;
	b->parent[0] = CLASS_COUNT;
	b->upto = t->n ? track_start(t, 0) : 0;
	b->sweep = (struct sweep){ .track = t, .now = t->n ? track_start(t, 0) : 0 };
	if (shape == FLAT)
		build_levels(b, FLAT);
	else if (shape == NEST)
		build_levels(b, NEST);
	else
		build_levels(b, LANES);
	build_coarse(t->lod);
	sweep_free(&b->sweep);
	free(b);
	settle(t->lod);
	return 0;
}

void lod_free(struct lod *l)
{
	if (!l)
		return;
	spill_drop(l->block, l->bytes, l->spill);
	free(l);
}

uint32_t lod_open(const struct track *t, int row, int64_t at)
{
	const struct lod *l = t->lod;
	enum shape shape = shape_of(t);
	size_t leaf, i, end;
	uint32_t last;

	if (!t->n || row < 0 || row >= l->rows || at == INT64_MAX)
		return 0;
	leaf = leaf_before(l, 0, at + 1);
	last = l->last[leaf * (size_t)l->rows + (size_t)row];
	i = leaf << l->shift;
	end = t->n - i < (size_t)1 << l->shift ? t->n : i + ((size_t)1 << l->shift);
	for (; i < end && track_start(t, i) <= at; i++)
		if (row_of(t, i, shape) == row)
			last = (uint32_t)i + 1;
	return last && track_start(t, last - 1) <= at && end_of(t, last - 1) > at ? last : 0;
}
