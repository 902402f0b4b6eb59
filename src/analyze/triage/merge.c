#include "config.h"
#include "analyze/triage/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}
static bool text_fits(const char *a, const char *b)
{
	return !a || !b || !strcmp(a, b);
}

static size_t bucket(const struct triage_work *w, const struct triage_occurrence *o)
{
	const char *space = o->text[TEXT_SPACE] ? o->text[TEXT_SPACE] : "";
	/* the allocator of a GPU and XLA round it differently */
	bool gpu = o->kind == w->special[KIND_GPU] && o->num[NUM_NEEDED] > 0;
	int64_t needed = gpu ? (int64_t)round(16 * log2((double)o->num[NUM_NEEDED])) : o->num[NUM_NEEDED];
	int64_t key[2] = { o->kind, o->headless ? o->num[NUM_PROGRAM] : needed };
	uint64_t h = hash_bytes(hash_bytes(HASH_START, space, strlen(space)), key, sizeof key);

	return (h ^ h >> 32) & (w->nbuckets - 1);
}

static bool same_need(const struct triage_work *w, int64_t a, int64_t b, int kind)
{
	return a == b ||
	    (kind == w->special[KIND_GPU] && a > 0 && b > 0 &&
		fabs((double)a - (double)b) < 0.005 * (double)a);
}

static bool same_error(const struct triage_work *w, const struct triage_occurrence *a,
    const struct triage_occurrence *b)
{
	static const enum triage_number alike[] = { NUM_LIMIT, NUM_EXCEEDED, NUM_USED, NUM_FREE };

	if (a->kind != b->kind || a->headless != b->headless || a->tentative != b->tentative ||
	    !same_text(a->text[TEXT_SPACE], b->text[TEXT_SPACE]) ||
	    !same_need(w, a->num[NUM_NEEDED], b->num[NUM_NEEDED], a->kind))
		return false;
	if (a->headless && a->num[NUM_PROGRAM] != b->num[NUM_PROGRAM])
		return false;
	for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
		if (a->num[alike[i]] != b->num[alike[i]] && a->num[alike[i]] != SIZE_NONE &&
		    b->num[alike[i]] != SIZE_NONE)
			return false;
	return text_fits(a->text[TEXT_MODULE], b->text[TEXT_MODULE]) &&
	    text_fits(a->text[TEXT_DEVICE], b->text[TEXT_DEVICE]);
}

static bool has_lists(const struct triage_occurrence *o)
{
	return o->nbuffers || o->nneeds || o->report.nspaces;
}

/* Fills what the row lacks from a later occurrence of the same error.  Takes over or frees the later one. */
static void merge(struct triage_occurrence *row, struct triage_occurrence *o)
{
	row->count += o->count;
	for (int i = 0; i < NUM_COUNT; i++)
		if (row->num[i] == SIZE_NONE)
			row->num[i] = o->num[i];
	for (int i = 0; i < TEXT_COUNT; i++)
		if (!row->text[i] && o->text[i])
			row->text[i] = arena_strndup(&row->arena, o->text[i], strlen(o->text[i]));
	if (o->special && !row->special) { /* the later one says why */
		row->special = true;
		row->advice = o->advice ? arena_strndup(&row->arena, o->advice, strlen(o->advice)) : NULL;
		row->text[TEXT_MESSAGE] = NULL;
		triage_set(row, TEXT_MESSAGE, slice_of(o->text[TEXT_MESSAGE]));
	}
	if (!has_lists(row->lists) && has_lists(o)) {
		row->truncated = o->truncated;
		row->lists = o;
		return;
	}
	row->truncated |= !has_lists(row->lists) && o->truncated;
	triage_occurrence_free(o);
}

static void rehash(struct triage_work *w)
{
	free(w->buckets);
	w->nbuckets = w->nbuckets ? w->nbuckets * 4 : 256;
	w->buckets = xcalloc(w->nbuckets, sizeof(void *));
	for (size_t i = w->nrows; i-- > 0;) { /* backward, so that earlier rows come first in their bucket */
		struct triage_occurrence **b = &w->buckets[bucket(w, w->rows[i])];

		w->rows[i]->next = *b;
		*b = w->rows[i];
	}
}

static void commit(struct triage_work *w, struct triage_occurrence *o)
{
	struct triage_occurrence **b;

	if (w->nrows >= w->nbuckets)
		rehash(w);
	for (b = &w->buckets[bucket(w, o)]; *b; b = &(*b)->next)
		if (same_error(w, *b, o)) {
			merge(*b, o);
			return;
		}
	o->lists = o;
	o->count = o->count ? o->count : 1;
	*b = o;
	VEC_ADD(w->rows, w->nrows, w->rows_cap, o);
}

void triage_merge_queue(struct triage_work *w)
{
	while (w->queue && w->queue->closed) {
		struct triage_occurrence *o = w->queue;

		if (!(w->queue = o->next))
			w->queue_end = &w->queue;
		o->next = NULL;
		if (o->dropped) {
			o->lists = o;
			triage_occurrence_free(o);
		} else {
			commit(w, o);
		}
	}
}

/* Removes the rows that `gone` selects and rebuilds the hash table, since the keys of the others may have
 * changed. */
static void again(struct triage_work *w, bool (*gone)(struct triage_work *, struct triage_occurrence *))
{
	size_t n = w->nrows, kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (gone(w, w->rows[i])) {
			triage_occurrence_free(w->rows[i]);
			continue;
		}
		w->rows[kept++] = w->rows[i];
	}
	w->nrows = kept;
	w->nbuckets = w->nbuckets > 256 ? w->nbuckets / 4 : 0;
	rehash(w);
}

/* A block outside of log records is an error only if the file has no log records at all. */
static bool in_a_log(struct triage_work *w, struct triage_occurrence *row)
{
	if (!row->tentative || row->file + 1 != w->nlogs)
		return false;
	row->tentative = false;
	return w->logs[row->file].records > 0;
}

void triage_merge_file_end(struct triage_work *w)
{
	for (size_t i = w->nrows; i-- > 0;)
		if (w->rows[i]->tentative) {
			again(w, in_a_log);
			return;
		}
}

/* In the order of the text: lines out of one line of JSON have one number. */
static int by_place(const struct triage_occurrence *x, const struct triage_occurrence *y)
{
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Adds a report without its sentence to the complete error of the same program and memory space, if there is
 * one. */
static bool has_sentence(struct triage_work *w, struct triage_occurrence *row)
{
	if (!row->headless)
		return false;
	for (size_t i = 0; i < w->nrows; i++) {
		struct triage_occurrence *o = w->rows[i];

		if (o == row || o->headless || o->kind != row->kind ||
		    o->num[NUM_PROGRAM] != row->num[NUM_PROGRAM] || row->num[NUM_PROGRAM] == SIZE_NONE ||
		    !same_text(o->text[TEXT_SPACE], row->text[TEXT_SPACE]))
			continue;
		o->count += row->count;
		for (int k = 0; k < NUM_COUNT; k++)
			if (o->num[k] == SIZE_NONE)
				o->num[k] = row->num[k];
		if (!o->text[TEXT_TIME] && row->text[TEXT_TIME])
			o->text[TEXT_TIME] =
			    arena_strndup(&o->arena, row->text[TEXT_TIME], strlen(row->text[TEXT_TIME]));
		if (by_place(row, o) < 0) {
			o->file = row->file;
			o->line = row->line;
			o->place = row->place;
		}
		if (!has_lists(o->lists) && has_lists(row->lists) && row->lists == row) {
			struct triage_occurrence *lists = xcalloc(1, sizeof *lists);

			*lists = *row; /* its lists and texts move over; the rest of the row is freed */
			lists->lists = lists;
			lists->next = NULL;
			row->buffers = NULL, row->needs = NULL, row->report = (struct usage_report){ 0 };
			row->arena = (struct arena){ 0 };
			o->lists = lists;
			o->truncated = row->truncated;
		}
		return true;
	}
	return false;
}

void triage_merge_end(struct triage_work *w)
{
	struct triage_occurrence **merged = xcalloc(w->nrows + 1, sizeof *merged);
	size_t n = 0, kept = 0;

	/* Rows that are merged into others must stay until all have been compared. */
	for (size_t i = 0; i < w->nrows; i++)
		if (has_sentence(w, w->rows[i]))
			merged[n++] = w->rows[i];
	for (size_t i = 0, k = 0; i < w->nrows; i++) {
		if (k < n && merged[k] == w->rows[i]) {
			triage_occurrence_free(merged[k++]);
			continue;
		}
		w->rows[kept++] = w->rows[i];
	}
	free(merged);
	w->nrows = kept;
	/* Insertion sort: it is stable, so that errors of one line keep their order, and the rows are nearly
	 * sorted. */
	for (size_t i = 1; i < kept; i++)
		for (size_t k = i; k && by_place(w->rows[k - 1], w->rows[k]) > 0; k--) {
			struct triage_occurrence *x = w->rows[k];

			w->rows[k] = w->rows[k - 1];
			w->rows[k - 1] = x;
		}
}
