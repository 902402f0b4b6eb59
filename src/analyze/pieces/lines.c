#include "config.h"
#include "analyze/pieces/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void read_waits(struct cutter *w, const struct track *t)
{
	const struct dump *d = w->ops->dump;
	strid barrier = strtab_find(&d->str, "barrier-cores", 13);
	strid dependency = strtab_find(&d->str, "dependency-wait", 15);

	for (size_t i = 0; i < t->n; i++) {
		strid name = d->trace.metas[track_meta(t, i)].name;
		int64_t start, dur;

		if (name != barrier && name != dependency)
			continue;
		clock_plain(d, t, i, &start, &dur);
		spans_push(name == barrier ? &w->barrier : &w->dependency, start, start + dur);
	}
}

/* From the first to the last marker, on the device's clock where they have times of it. */
static void read_extent(struct cutter *w, const struct track *t, int64_t until)
{
	for (size_t i = 0; i < t->n; i++) {
		int64_t start, dur;

		if (!steps_is_read(t, i, until))
			continue;
		if (!clock_pair(w->ops->dump, &w->names, t, i, &start, &dur))
			clock_plain(w->ops->dump, t, i, &start, &dur);
		w->steps_from = start < w->steps_from ? start : w->steps_from;
		w->steps_to = start + dur > w->steps_to ? start + dur : w->steps_to;
	}
}

VEC_ORDER(by_begin, struct cut_run, UP(from) UP(to) UP(event));

void cut_runs(const struct dump *d, struct cut_core *c)
{
	size_t cap = 0;

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, c->plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; i < t->n && t->role == TRACK_MODULES && t->file >= 0; i++) {
			struct cut_run r = { .enqueued = INT64_MIN, .event = i, .track = k };
			int64_t dur;

			clock_plain(d, t, i, &r.from, &dur);
			r.to = r.from + dur;
			VEC_ADD(c->run, c->nruns, cap, r);
		}
	}
	VEC_SORT(c->run, c->nruns, by_begin);
}

void lines_read(struct cutter *w)
{
	const struct dump *d = w->ops->dump;
	int64_t until = steps_read_until(d, w->core->plane);

	w->steps_from = w->core->at_least.to > w->core->at_least.from ? w->core->at_least.from : INT64_MAX;
	w->steps_to = w->core->at_least.to > w->core->at_least.from ? w->core->at_least.to : INT64_MIN;
	for (uint32_t k = UINT32_MAX;
	     (k = trace_track_of(&d->trace, w->core->plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		if (t->file < 0)
			continue;
		if (t->role == TRACK_STEPS)
			read_extent(w, t, until);
		if (t->role == TRACK_TRACEME)
			read_waits(w, t);
	}
	if (!w->core->run)
		cut_runs(d, w->core);
	for (size_t i = 0; i < w->core->nruns; i++)
		spans_push(&w->run, w->core->run[i].from, w->core->run[i].to);
	spans_join(&w->run);
	spans_join(&w->barrier);
	spans_join(&w->dependency);
}
