#include "config.h"
#include "analyze/events/meeting.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/stat.h"

enum { LOOK = 20000 }; /* events of a core looked at */

/* Without an ID, runs meet that end together: within 1/50 of the length of the shorter one. */
enum { TOGETHER = 50 };

static const struct track *track_of(const struct dump *d, uint32_t i)
{
	return &d->trace.tracks[i];
}

static bool is_core(const struct dump *d, uint32_t track)
{
	const struct track *k = track_of(d, track);

	return k->role == TRACK_OPS && k->file >= 0 && plane_runs_ops(d->trace.planes[k->plane].kind);
}

struct id {
	int64_t value;
	bool known;
};

static bool take_id(void *ctx, const struct stat_value *v)
{
	struct id *id = ctx;

	if (stat_is(v, "all_reduce_unique_id"))
		id->known = stat_whole(v, &id->value);
	return !id->known;
}

static struct id id_of(const struct dump *d, uint32_t track, size_t event)
{
	struct id id = { 0, false };

	stats_of_event(d, track_of(d, track), event, take_id, &id);
	return id;
}

static int64_t distance(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

static bool meets(const struct dump *d, const struct meeting_run *a, const struct id *id,
    const struct meeting_run *b)
{
	const struct track *x = track_of(d, a->track), *y = track_of(d, b->track);
	struct id other;

	if (!id->known)
		return distance(track_end(x, a->event), track_end(y, b->event)) <=
		    (track_dur(x, a->event) < track_dur(y, b->event) ? track_dur(x, a->event)
								     : track_dur(y, b->event)) /
		    TOGETHER;
	other = id_of(d, b->track, b->event);
	return other.known && other.value == id->value;
}

/* Finds the run of a core that meets the first of the meeting. */
static bool run_of_core(const struct dump *d, uint32_t track, const struct meeting *m, const struct id *id,
    struct meeting_run *run)
{
	const struct track *k = track_of(d, track), *own = track_of(d, m->v->track);
	int64_t from = track_start(own, m->v->event), to = from + track_dur(own, m->v->event);
	strid name = d->trace.metas[track_meta(own, m->v->event)].name;

	for (size_t i = track_lower(k, to), looked = 0; i-- > 0 && looked < LOOK; looked++) {
		if (d->trace.metas[track_meta(k, i)].name != name)
			continue;
		if (track_end(k, i) <= from)
			return false;
		*run = (struct meeting_run){ track, i };
		if (meets(d, m->v, id, run))
			return true;
	}
	return false;
}

bool meeting_of(const struct dump *d, uint32_t track, size_t event, struct meeting *m)
{
	const struct track *k = track_of(d, track);
	struct meeting_run run;
	struct id id;

	*m = (struct meeting){ .last = 0 };
	if (!is_core(d, track) || !d->trace.meta_class || track_dur(k, event) <= 0 ||
	    META_CLASS(d->trace.meta_class[track_meta(k, event)]) != CLASS_COLLECTIVE)
		return false;
	id = id_of(d, track, event);
	VEC_ADD(m->v, m->n, m->cap, ((struct meeting_run){ track, event }));
	for (uint32_t i = 0; i < d->trace.ntracks; i++) {
		const struct meeting_run *last = &m->v[m->last];

		if (!is_core(d, i) || track_of(d, i)->plane == k->plane || !run_of_core(d, i, m, &id, &run))
			continue;
		if (track_start(track_of(d, i), run.event) >
		    track_start(track_of(d, last->track), last->event))
			m->last = m->n;
		VEC_ADD(m->v, m->n, m->cap, run);
	}
	if (m->n > 1)
		return true;
	meeting_free(m);
	return false;
}

void meeting_free(struct meeting *m)
{
	free(m->v);
	*m = (struct meeting){ .n = 0 };
}
