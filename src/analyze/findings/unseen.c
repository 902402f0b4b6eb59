/* The time of the host's steps in which no thread did anything that was traced.  The overview counts, as XProf does,
 * what the step itself contains or launched: work that other threads do for it, without saying so, is not in that. */
#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/device/classify.h"
#include "base/bisect.h"
#include "base/mem.h"
#include "base/span.h"

/* Steps of one host, by start. */
struct own_steps {
	const struct step *v;
	size_t n;
};

/* Is it a step, or an event around one, like a loop over all of them? */
static bool is_around(const struct own_steps *s, int64_t from, int64_t to)
{
	size_t i;

	BISECT(i, s->n, s->v[i].start < from);
	return i < s->n && s->v[i].start < to && s->v[i].start + s->v[i].dur <= to;
}

/* Python's frames are around what they wait for, too. */
static bool is_work(const struct dump *d, uint32_t meta)
{
	unsigned class = d->trace.meta_class ? d->trace.meta_class[meta] : 0;

	return META_CLASS(class) != CLASS_WAIT && !(class & META_CONTAINER) &&
	    !slice_begins(dump_text(d, d->trace.metas[meta].name), "$");
}

static void add_work(const struct rule_work *w, const struct track *t, const struct own_steps *s,
    struct spans *work)
{
	struct spans own = { 0 };

	for (size_t i = track_lower(t, s->v[0].start); i < t->n && !rule_stopped(w); i++)
		if (track_dur(t, i) > 0 && is_work(w->in->dump, track_meta(t, i)) &&
		    !is_around(s, track_start(t, i), track_end(t, i)))
			spans_append(&own, track_start(t, i), track_end(t, i));
	spans_add(work, &own);
	free(own.v);
}

/* Returns how much of the steps lies in the spans; both are in order of time. */
static double covered(const struct own_steps *s, const struct spans *work)
{
	double sum = 0;
	size_t at = 0;

	for (size_t i = 0; i < s->n; i++) {
		int64_t from = s->v[i].start, to = from + s->v[i].dur;

		while (at < work->n && work->v[at].to <= from)
			at++;
		for (size_t k = at; k < work->n && work->v[k].from < to; k++) {
			int64_t a = work->v[k].from > from ? work->v[k].from : from,
				b = work->v[k].to < to ? work->v[k].to : to;

			sum += (double)(b - a);
		}
	}
	return sum;
}

static double work_of_host(const struct rule_work *w, const struct own_steps *s)
{
	const struct trace *t = &w->in->dump->trace;
	struct spans work = { 0 };
	double sum;

	for (size_t i = 0; i < t->ntracks; i++)
		if (t->tracks[i].file >= 0 && t->planes[t->tracks[i].plane].host == s->v->host)
			add_work(w, &t->tracks[i], s, &work);
	spans_join(&work);
	sum = covered(s, &work);
	free(work.v);
	return sum;
}

double rule_unseen(const struct rule_work *w)
{
	const struct steps *steps = w->in->steps;
	double all = 0, work = 0;

	for (size_t a = 0, b; steps && steps->source == STEPS_HOST && a < steps->n; a = b) {
		for (b = a; b < steps->n && steps->v[b].host == steps->v[a].host; b++)
			all += (double)steps->v[b].dur;
		work += work_of_host(w, &(struct own_steps){ steps->v + a, b - a });
	}
	return all > 0 ? fmax(0, 1 - work / all) : NAN;
}
