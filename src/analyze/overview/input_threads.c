#include "config.h"
#include "analyze/overview/internal.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/span.h"

/* Returns the time of the steps of every host or, without steps, that of its threads. */
static struct span *spans_of_hosts(const struct dump *d, const struct steps *steps, const uint8_t *tracks,
    size_t n)
{
	struct span *s = xcalloc(d->nhosts + 1, sizeof *s);

	for (size_t h = 0; h <= d->nhosts; h++)
		s[h] = SPAN_EMPTY;
	for (size_t i = 0; i < steps->n; i++)
		if (steps->v[i].host >= 0)
			span_widen(&s[steps->v[i].host], steps->v[i].start,
			    add_clamped(steps->v[i].start, steps->v[i].dur));
	for (size_t h = 0; h <= d->nhosts; h++) {
		struct span all = SPAN_EMPTY;

		if (s[h].to > s[h].from)
			continue;
		for (size_t k = 0; k < n; k++) {
			int host = d->trace.planes[d->trace.tracks[k].plane].host;

			if (tracks[k] && d->trace.tracks[k].n && (host < 0 ? d->nhosts : (size_t)host) == h)
				span_widen(&all, d->trace.tracks[k].first, d->trace.tracks[k].last);
		}
		s[h] = all;
	}
	return s;
}

/* Adds the time between `from` and `to` to the pieces that it overlaps; both are in units of pieces from the
 * begin of the span. */
static void fill_pieces(double *piece, double from, double to)
{
	for (int k = (int)from; k < INPUT_PIECES && k < to; k++) {
		double a = from > k ? from : k, b = to < k + 1 ? to : k + 1;

		if (b > a)
			piece[k] += b - a;
	}
}

static void occupy(const struct track *t, struct span s, struct input_thread *out)
{
	double scale = INPUT_PIECES / ((double)s.to - (double)s.from), sum = 0;
	int64_t covered = s.from;

	for (size_t i = 0; i < t->n && track_start(t, i) < s.to; i++) {
		int64_t from = track_start(t, i) > covered ? track_start(t, i) : covered,
			to = add_clamped(track_start(t, i), track_dur(t, i));

		if (to > s.to)
			to = s.to;
		if (to <= from)
			continue;
		fill_pieces(out->piece, ((double)from - (double)s.from) * scale,
		    ((double)to - (double)s.from) * scale);
		covered = to;
	}
	for (int k = 0; k < INPUT_PIECES; k++) {
		if (out->piece[k] > 1)
			out->piece[k] = 1;
		sum += out->piece[k];
	}
	out->busy = sum / INPUT_PIECES;
}

VEC_ORDER(by_busy, struct input_thread, DOWN(busy) UP(track));

void input_threads(const struct dump *d, const struct steps *steps, const uint8_t *tracks, size_t n,
    struct input_pipeline *p)
{
	struct span *spans = spans_of_hosts(d, steps, tracks, n);
	size_t cap = 0, empty = 0;

	for (uint32_t k = 0; k < n; k++) {
		const struct track *t = &d->trace.tracks[k];
		int host = d->trace.planes[t->plane].host;
		struct span s = spans[host < 0 ? d->nhosts : (size_t)host];

		if (!tracks[k])
			continue;
		if (!t->n || t->last <= t->first || s.to <= s.from) {
			empty++;
			continue;
		}
		VEC_PUSH(p->threads, p->nthreads, cap);
		p->threads[p->nthreads] = (struct input_thread){ .track = k };
		occupy(t, s, &p->threads[p->nthreads++]);
	}
	if (empty)
		table_say(&p->warnings,
		    "%zu host thread%s with input work of zero length: left out of the busy shares", empty,
		    empty > 1 ? "s" : "");
	VEC_SORT(p->threads, p->nthreads, by_busy);
	free(spans);
}
