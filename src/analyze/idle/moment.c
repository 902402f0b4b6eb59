#include "config.h"
#include "analyze/idle/idle.h"

#include "base/bisect.h"
#include "base/clamp.h"

static int64_t plain_from(const struct time_gap *g)
{
	return sub_clamped(g->from, g->shift);
}

static int64_t plain_to(const struct time_gap *g)
{
	return sub_clamped(g->to, g->shift);
}

static const struct core_time *core_of(const struct core_times *t, int host, int core)
{
	for (size_t i = 0; i < t->ncores; i++)
		if (t->core[i].host == host && t->core[i].core == core)
			return &t->core[i];
	return NULL;
}

/* All idle time outside of runs is kept, of that inside the longest pieces. */
static const struct time_gap *gap_at(const struct core_time *c, int64_t time)
{
	const struct time_gap *g;

	BISECT_LAST(g, c->outside, c->noutside, plain_from(g) <= time);
	if (g && time < plain_to(g))
		return g;
	for (size_t i = 0; i < c->nlongest; i++)
		if (plain_from(&c->longest[i]) <= time && time < plain_to(&c->longest[i]))
			return &c->longest[i];
	return NULL;
}

/* The call of a compiled function around that moment, else what is innermost. */
static uint32_t host_event_at(const struct dump *d, uint32_t track, int64_t time)
{
	const struct track *t = &d->trace.tracks[track];
	size_t i = track_lower(t, time + 1);
	uint32_t meta = CUT_NONE;

	for (i = i ? i - 1 : SIZE_MAX; i < t->n; i = track_parent(t, i)) {
		if (track_end(t, i) <= time)
			continue;
		if (slice_begins(dump_text(d, d->trace.metas[track_meta(t, i)].name), "PjitFunction"))
			return track_meta(t, i);
		meta = meta == CUT_NONE ? track_meta(t, i) : meta;
	}
	return meta;
}

bool idle_at(const struct core_times *t, int host, int core, int64_t time, struct idle_moment *m)
{
	const struct core_time *c = core_of(t, host, core);
	const struct time_gap *g = c ? gap_at(c, time) : NULL;
	uint32_t track = CUT_NONE;
	size_t i;

	if (!g)
		return false;
	*m = (struct idle_moment){ idle_cause_of(g->time), plain_from(g), plain_to(g), CUT_NONE };
	if (g->time != PIECE_LAUNCH && g->time != PIECE_INPUT)
		return true;
	BISECT(i, c->cut.nruns, c->cut.run[i].from <= time);
	if (i < c->cut.nruns)
		track = launches_thread(t->launches, &c->cut.run[i]);
	if (track != CUT_NONE)
		m->meta = host_event_at(t->dump, track, time);
	return true;
}
