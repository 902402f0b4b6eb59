#include "config.h"
#include "analyze/trace/step_program.h"

#include <stdlib.h>

#include "base/clamp.h"

#define LEAST_SHARE 10 /* what repeats makes the steps if it takes a tenth of the time or more */

struct program {
	int64_t time;
	uint32_t plane, runs; /* runs: on the plane seen last */
	bool repeats;
};

static bool is_runs(const struct dump *d, const struct track *t, enum plane_kind kind)
{
	return t->role == TRACK_MODULES && t->file >= 0 && d->trace.planes[t->plane].kind == kind;
}

static void take_run(struct program *p, uint32_t plane, int64_t dur)
{
	p->runs = p->runs && p->plane == plane ? p->runs + 1 : 1;
	p->plane = plane;
	p->repeats |= p->runs > 1;
	p->time = add_clamped(p->time, dur + 1); /* runs without a length count, too */
}

strid step_program(const struct dump *d, enum plane_kind kind)
{
	const struct trace *t = &d->trace;
	struct program *of = xcalloc((size_t)d->str.n + 1, sizeof *of);
	strid longest = 0, repeated = 0;
	int64_t all = 0;

	for (size_t k = 0; k < t->ntracks; k++) {
		const struct track *m = &t->tracks[k];

		for (size_t i = 0; is_runs(d, m, kind) && i < m->n; i++)
			take_run(&of[t->metas[track_meta(m, i)].name], m->plane, track_dur(m, i));
	}
	for (strid i = 1; i < d->str.n; i++) {
		all = add_clamped(all, of[i].time);
		longest = of[i].time > of[longest].time ? i : longest;
		repeated = of[i].repeats && of[i].time > of[repeated].time ? i : repeated;
	}
	if (of[repeated].time < all / LEAST_SHARE)
		repeated = 0;
	free(of);
	return repeated ? repeated : longest;
}
