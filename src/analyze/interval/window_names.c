#include "config.h"

#include "analyze/interval/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

#define EDGE 4096 /* events between two possible edges */

static int by_self(const void *a, const void *b, void *ctx)
{
	const struct window_name *x = a, *y = b;
	const struct strtab *str = ctx;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return slice_order(strtab_text(str, x->name), strtab_text(str, y->name));
}

/* Sums up what all workers saw of a kind. */
static struct window_slot kind_sum(const struct window_work *k, uint32_t meta)
{
	struct window_slot sum = { .min = INT64_MAX, .max = -1 };

	for (int i = 0; i < k->nworkers; i++) {
		const struct window_slot *s = &k->workers[i].slots[meta];

		if (!s->used)
			continue;
		sum.count += s->count;
		sum.cut += s->cut;
		window_add(&sum.total, s->total);
		window_add(&sum.inside, s->inside);
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
	window_add(&to->total, s->total);
	window_add(&to->self, s->total);
	window_add(&to->self, -s->inside);
	if (s->min < to->min)
		to->min = s->min;
	if (s->max > to->max || (s->max == to->max && track < to->track)) {
		to->max = s->max;
		to->track = track;
		to->longest = s->longest;
	}
}

/* Returns the next kind in the order in which a single worker would have met them; false = no more. */
static bool next_kind(const struct window_work *k, size_t *at, uint32_t *meta)
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
	*meta = best->meta;
	return true;
}

/* Merges kinds of events with one name; by_name[strid] = index of the name + 1. */
static void merge_kinds(struct window *w, uint32_t *by_name)
{
	struct window_work *k = w->work;
	const struct trace *tr = &k->d->trace;
	size_t cap = 0, most_cap = 0, *at = xcalloc((size_t)k->nworkers, sizeof *at);
	int64_t *most = NULL; /* self time of the kind that the class comes from */
	uint32_t meta;

	while (next_kind(k, at, &meta)) {
		strid name = tr->metas[meta].name;
		struct window_slot s;
		uint32_t n;

		if (k->name_of[meta])
			continue;
		if (!by_name[name]) {
			VEC_PUSH(w->names, w->nnames, cap);
			VEC_PUSH(most, w->nnames, most_cap);
			most[w->nnames] = INT64_MIN;
			w->names[w->nnames++] =
			    (struct window_name){ .name = name, .min = INT64_MAX, .max = -1 };
			by_name[name] = (uint32_t)w->nnames;
		}
		k->name_of[meta] = by_name[name];
		n = by_name[name] - 1;
		s = kind_sum(k, meta);
		merge_name(k, &w->names[n], &s);
		window_add(&s.total, -s.inside);
		if (s.total > most[n] && tr->meta_class) {
			most[n] = s.total;
			w->names[n].class = META_CLASS(tr->meta_class[meta]);
		}
	}
	free(most);
	free(at);
}

static void merge_names(struct window *w)
{
	struct window_work *k = w->work;
	uint32_t *by_name = xcalloc(k->d->str.n, sizeof *by_name);

	k->name_of = xcalloc(k->d->trace.nmetas, sizeof *k->name_of);
	merge_kinds(w, by_name);
	if (w->nnames)
		qsort_r(w->names, w->nnames, sizeof *w->names, by_self, (void *)(uintptr_t)&k->d->str);
	for (size_t n = 0; n < w->nnames; n++)
		by_name[w->names[n].name] = (uint32_t)n;
	for (int i = 0; i < k->nworkers; i++)
		for (size_t u = 0; u < k->workers[i].nused; u++) {
			uint32_t meta = k->workers[i].used[u].meta;

			k->name_of[meta] = by_name[k->d->trace.metas[meta].name];
		}
	free(by_name);
}

static void find_edges(const struct window *w)
{
	const struct window_work *k = w->work;
	struct window_extra *x = k->extra;
	size_t cap = 0;

	for (size_t i = 0; i < k->ntasks; i++) {
		const struct window_task *a = &k->tasks[i];
		struct window_span s = window_span(w, k->tracks[a->k]);

		for (size_t e = a->i; e < a->end; e += a->end - e < EDGE ? a->end - e : EDGE)
			VEC_ADD(x->edges, x->nedges, cap, track_start(s.t, e) - s.t0 + w->t0);
	}
	VEC_SORT(x->edges, x->nedges, sort_by_int64);
}

void window_merge(struct window *w)
{
	const struct window_work *k = w->work;

	for (int i = 0; i < k->nworkers; i++)
		for (int c = 0; c < CLASS_COUNT; c++)
			window_add(&w->class_ps[c], k->workers[i].class_ps[c]);
	for (size_t i = 0; i < k->ntasks; i++) {
		w->events += k->tasks[i].events;
		if (k->extra)
			k->extra->tracks[k->tasks[i].k].events += k->tasks[i].events;
	}
	merge_names(w);
	for (size_t n = 0; w->counts && n < w->nnames; n++)
		window_add(&w->class_ps[w->names[n].class], w->names[n].self);
	if (k->extra)
		find_edges(w);
}
