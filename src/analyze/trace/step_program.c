#include "config.h"
#include "analyze/trace/step_program.h"

#include <stdlib.h>

#include "base/clamp.h"

#define LEAST_SHARE 10 /* what repeats makes the steps if it takes a tenth of the time or more */

struct program {
	int64_t time;
	uint32_t plane, runs; /* runs: on the plane seen last */
	uint64_t all_runs;
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
	p->all_runs++;
	p->repeats |= p->runs > 1;
	p->time = add_clamped(p->time, dur + 1); /* runs without a length count, too */
}

static struct program *sum_runs(const struct dump *d, enum plane_kind kind)
{
	const struct trace *t = &d->trace;
	struct program *of = xcalloc((size_t)d->str.n + 1, sizeof *of);

	for (size_t k = 0; k < t->ntracks; k++) {
		const struct track *m = &t->tracks[k];

		for (size_t i = 0; is_runs(d, m, kind) && i < m->n; i++)
			take_run(&of[t->metas[track_meta(m, i)].name], m->plane, track_dur(m, i));
	}
	return of;
}

/* Does the program run more or less often than the one of the steps?  The capture may lack one run of each core. */
static bool runs_apart(const struct program *x, const struct program *main)
{
	uint64_t more = x->all_runs > main->all_runs ? x->all_runs : main->all_runs,
		 less = x->all_runs > main->all_runs ? main->all_runs : x->all_runs;

	return x->repeats && main->repeats && more - less > more / 4 + 1;
}

void step_programs(const struct dump *d, enum plane_kind kind, struct step_programs *p)
{
	struct program *of = sum_runs(d, kind);
	strid longest = 0, repeated = 0;
	int64_t all = 0;

	for (strid i = 1; i < d->str.n; i++) {
		all = add_clamped(all, of[i].time);
		longest = of[i].time > of[longest].time ? i : longest;
		repeated = of[i].repeats && of[i].time > of[repeated].time ? i : repeated;
	}
	if (of[repeated].time < all / LEAST_SHARE)
		repeated = 0;
	*p = (struct step_programs){ .name = { repeated ? repeated : longest }, .n = longest != 0 };
	for (strid i = 1; i < d->str.n && p->n && p->n < STEP_PROGRAMS; i++)
		if (i != p->name[0] && of[i].time > all / STEP_PROGRAMS &&
		    runs_apart(&of[i], &of[p->name[0]]))
			p->name[p->n++] = i;
	free(of);
}

bool step_programs_have(const struct step_programs *p, strid name)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->name[i] == name)
			return true;
	return false;
}
