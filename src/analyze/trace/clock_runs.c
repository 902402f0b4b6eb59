#include "config.h"
#include "analyze/trace/clock.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/device/digest.h"
#include "base/bisect.h"
#include "base/clamp.h"

VEC_ORDER(by_start, struct clock_run, UP(from) DOWN(to) UP(event));

/* Returns the last run that begins at or before t on the plain clock, if it lasts until then; NULL. */
static struct clock_run *run_at(struct clock_run *v, size_t n, int64_t t)
{
	struct clock_run *run;

	BISECT_LAST(run, v, n, run->from <= t);
	return run && t <= run->to ? run : NULL;
}

/* Gives each run the time from the first begin to the last end of its ops; one without ops keeps its own. */
static void follow_ops(const struct dump *d, const struct clock_names *names, const struct clock_fit *fit,
    struct clock_run *v, size_t n)
{
	struct clock_run *moved = xcalloc(n + 1, sizeof *moved);

	for (size_t i = 0; i < n; i++)
		moved[i] = (struct clock_run){ .from = INT64_MAX, .to = INT64_MIN };
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, fit->plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; t->role == TRACK_OPS && t->file >= 0 && i < t->n; i++) {
			int64_t start, dur, offset;
			struct clock_run *run, *to;

			clock_plain(d, t, i, &start, &dur);
			if (!(run = run_at(v, n, start)))
				continue;
			if (clock_pair(d, names, t, i, &offset, &dur))
				start =
				    add_clamped(from_double(round(fit->slope * (double)offset)), fit->shift);
			to = &moved[run - v];
			track_clip(&start, &dur);
			to->from = start < to->from ? start : to->from;
			to->to = start + dur > to->to ? start + dur : to->to;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (moved[i].from <= moved[i].to) {
			v[i].from = moved[i].from;
			v[i].to = moved[i].to;
		}
	free(moved);
}

uint32_t clock_modules(const struct dump *d, uint32_t plane)
{
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;)
		if (d->trace.tracks[k].role == TRACK_MODULES)
			return k;
	return UINT32_MAX;
}

/* Moves the runs of a digest as its capture's ops said. */
static void follow_digest(const struct dump *d, uint32_t track, struct clock_run *v, size_t n)
{
	uint32_t plane = d->trace.tracks[track].plane;
	Pb__DigestPlane *m = digest_of_plane(d, plane);

	for (size_t i = 0; m && m->n_module == 2 * n && i < n && clock_modules(d, plane) == track; i++) {
		v[i].from = trace_clip(add_clamped(v[i].from, m->module[2 * v[i].event]));
		v[i].to = trace_clip(add_clamped(v[i].to, m->module[2 * v[i].event + 1]));
		v[i].to = v[i].to < v[i].from ? v[i].from : v[i].to;
	}
	digest_free(m);
}

struct clock_run *clock_runs(const struct dump *d, const struct clock_names *names, uint32_t track)
{
	const struct track *t = &d->trace.tracks[track];
	struct clock_run *v = xcalloc(t->n + 1, sizeof *v);
	struct clock_fit fit;

	for (size_t i = 0; i < t->n; i++) {
		int64_t start = track_start(t, i), dur = track_dur(t, i);

		if (!t->device_clock)
			clock_plain(d, t, i, &start, &dur);
		v[i] = (struct clock_run){ start, start + dur, i };
	}
	VEC_SORT(v, t->n, by_start);
	if (!t->device_clock && clock_fit_plane(d, names, t->plane, &fit) && fit.differs) {
		if (t->file >= 0 && d->files[t->file].digest)
			follow_digest(d, track, v, t->n);
		else
			follow_ops(d, names, &fit, v, t->n);
		qsort(v, t->n, sizeof *v, by_start);
	}
	return v;
}
