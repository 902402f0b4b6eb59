#include "config.h"

#include "analyze/interval/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"

static int by_self(const void *a, const void *b, void *ctx)
{
	const struct window_name *x = a, *y = b;
	const struct window *w = ctx;
	const struct strtab *str = &w->work->d->str;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return w->keys.row ? (x->name > y->name) - (x->name < y->name)
			   : slice_order(strtab_text(str, x->name), strtab_text(str, y->name));
}

static uint32_t row_of(const struct window *w, uint32_t key)
{
	return w->keys.row ? w->keys.row[key] : w->work->d->trace.metas[key].name;
}

/* Sums up what all workers saw of a key. */
static struct window_slot key_sum(const struct window_work *k, uint32_t key)
{
	struct window_slot sum = { .min = INT64_MAX, .max = -1 };

	for (int i = 0; i < k->nworkers; i++) {
		const struct window_slot *s = &k->workers[i].slots[key];

		if (!s->used)
			continue;
		sum.count += s->count;
		sum.cut += s->cut;
		sum.total = add_clamped(sum.total, s->total);
		sum.inside = add_clamped(sum.inside, s->inside);
		if (s->min < sum.min)
			sum.min = s->min;
		if (s->max > sum.max || (s->max == sum.max && s->task < sum.task)) {
			sum.max = s->max;
			sum.task = s->task;
			sum.longest = s->longest;
		}
	}
	return sum;
}

static void merge_name(const struct window_work *k, struct window_name *to, const struct window_slot *s)
{
	uint32_t track = k->tracks[k->tasks[s->task].k];

	to->count += s->count;
	to->cut += s->cut;
	to->total = add_clamped(to->total, s->total);
	to->self = add_clamped(to->self, sub_clamped(s->total, s->inside));
	if (s->min < to->min)
		to->min = s->min;
	if (s->max > to->max || (s->max == to->max && track < to->track)) {
		to->max = s->max;
		to->track = track;
		to->longest = s->longest;
	}
}

/* Returns the next key in the order in which a single worker would have met them; false = no more. */
static bool next_key(const struct window_work *k, size_t *at, uint32_t *key)
{
	const struct window_used *best = NULL;
	int of = 0;

	for (int i = 0; i < k->nworkers; i++) {
		const struct window_worker *o = &k->workers[i];

		if (at[i] < o->nused && (!best || o->used[at[i]].task < best->task)) {
			best = &o->used[at[i]];
			of = i;
		}
	}
	if (!best)
		return false;
	at[of]++;
	*key = best->key;
	return true;
}

/* Merges keys with one row; by_row[row] = index of the name + 1. */
static void merge_keys(struct window *w, uint32_t *by_row)
{
	struct window_work *k = w->work;
	const uint8_t *class = w->keys.row ? NULL : k->d->trace.meta_class;
	size_t cap = 0, most_cap = 0, *at = xcalloc((size_t)k->nworkers, sizeof *at);
	int64_t *most = NULL; /* self time of the kind that the class comes from */
	uint32_t key;

	while (next_key(k, at, &key)) {
		uint32_t row = row_of(w, key), n = by_row[row] - 1;
		struct window_slot s;

		if (k->name_of[key])
			continue;
		if (!by_row[row]) {
			VEC_PUSH(w->names, w->nnames, cap);
			VEC_PUSH(most, w->nnames, most_cap);
			n = (uint32_t)w->nnames++;
			most[n] = INT64_MIN;
			w->names[n] =
			    (struct window_name){ .name = row, .min = INT64_MAX, .max = -1, .met = n };
			by_row[row] = n + 1;
		}
		k->name_of[key] = n + 1;
		s = key_sum(k, key);
		merge_name(k, &w->names[n], &s);
		s.total = sub_clamped(s.total, s.inside);
		if (class && s.total > most[n]) {
			most[n] = s.total;
			w->names[n].class = META_CLASS(class[key]);
		}
	}
	free(most);
	free(at);
}

static void merge_names(struct window *w)
{
	struct window_work *k = w->work;
	uint32_t *by_row = xcalloc((w->keys.row ? w->keys.nrows : k->d->str.n) + 1, sizeof *by_row);

	k->name_of = xcalloc(k->nkeys + 1, sizeof *k->name_of);
	merge_keys(w, by_row);
	if (w->nnames)
		qsort_r(w->names, w->nnames, sizeof *w->names, by_self, w);
	for (size_t n = 0; n < w->nnames; n++)
		by_row[w->names[n].name] = (uint32_t)n;
	for (int i = 0; i < k->nworkers; i++)
		for (size_t u = 0; u < k->workers[i].nused; u++) {
			uint32_t key = k->workers[i].used[u].key;

			k->name_of[key] = by_row[row_of(w, key)];
		}
	free(by_row);
}

void window_merge(struct window *w)
{
	const struct window_work *k = w->work;

	for (int i = 0; i < k->nworkers; i++)
		for (int c = 0; c < CLASS_COUNT; c++)
			w->class_ps[c] = add_clamped(w->class_ps[c], k->workers[i].class_ps[c]);
	for (size_t i = 0; i < k->ntasks; i++) {
		w->events += k->tasks[i].events;
		if (k->spans)
			k->spans[k->tasks[i].k].events += k->tasks[i].events;
	}
	merge_names(w);
	for (size_t n = 0; w->keys.of && n < w->nnames; n++) {
		int64_t *sum = &w->class_ps[w->names[n].class];

		*sum = add_clamped(*sum, w->names[n].self);
	}
}
