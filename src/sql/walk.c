#include "config.h"
#include "sql/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/steps/step_ops.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/stat.h"

static void walk_of(struct sql_walk *w, uint32_t track)
{
	if (w->track == track)
		return;
	sql_walk_free(w);
	w->track = track;
}

void sql_walk_free(struct sql_walk *w)
{
	free(w->self);
	free(w->self_ns);
	free(w->parent);
	free(w->depth);
	free(w->step);
	for (int i = 0; i < SQL_LINES; i++)
		free(w->holder[i]);
	*w = (struct sql_walk){ .track = UINT32_MAX };
}

/* Self time: the duration without the events directly inside.  An event that begins in one and ends behind it ends
 * that one: what follows is in the later one. */
void sql_walk_self(struct sql *q, struct sql_walk *w, uint32_t track)
{
	const struct track *t = &q->d->trace.tracks[track];
	uint32_t *open, n = 0;

	walk_of(w, track);
	if (w->self)
		return;
	w->self = xcalloc(t->n + 1, sizeof *w->self);
	w->parent = xcalloc(t->n + 1, sizeof *w->parent);
	w->depth = xcalloc(t->n + 1, sizeof *w->depth);
	open = xcalloc(t->n + 1, sizeof *open);
	for (size_t i = 0; i < t->n; i++) {
		while (n && track_end(t, open[n - 1]) < track_end(t, i))
			n--;
		w->self[i] = track_dur(t, i);
		w->parent[i] = n ? open[n - 1] : UINT32_MAX;
		w->depth[i] = n;
		if (n)
			w->self[open[n - 1]] = sub_clamped(w->self[open[n - 1]], track_dur(t, i));
		open[n++] = (uint32_t)i;
	}
	free(open);
}

/* Self times as XProf has them in its table: times are rounded down to whole ns, and only events of 1 ns or more hold
 * others. */
void sql_walk_self_ns(struct sql *q, struct sql_walk *w, uint32_t track)
{
	const struct track *t = &q->d->trace.tracks[track];
	size_t *open, n = 0;

	walk_of(w, track);
	if (w->self_ns)
		return;
	w->self_ns = xcalloc(t->n + 1, sizeof *w->self_ns);
	open = xcalloc(t->n + 1, sizeof *open);
	for (size_t i = 0; i < t->n; i++) {
		int64_t from = track_start(t, i) / 1000, dur = track_dur(t, i) / 1000;

		for (; n; n--) {
			int64_t begin = track_start(t, open[n - 1]) / 1000,
				end = begin + track_dur(t, open[n - 1]) / 1000;

			if (begin <= from && from < end && from + dur <= end)
				break;
		}
		w->self_ns[i] = dur;
		if (!dur)
			continue;
		if (n)
			w->self_ns[open[n - 1]] =
			    w->self_ns[open[n - 1]] > dur ? w->self_ns[open[n - 1]] - dur : 0;
		open[n++] = i;
	}
	free(open);
}

void sql_device_time(const struct sql *q, const struct track *t, size_t i, int64_t *start, int64_t *dur)
{
	if (!clock_pair(q->d, &q->clock, t, i, start, dur)) {
		*start = track_start(t, i);
		*dur = track_dur(t, i);
	}
}

bool sql_steps_paired(const struct sql *q, const struct step *first, size_t n)
{
	int64_t start, dur;

	return n &&
	    clock_pair(q->d, &q->clock, &q->d->trace.tracks[first->track], first->event, &start, &dur);
}

void sql_step_time(const struct sql *q, bool paired, const struct track *t, size_t i, int64_t *start,
    int64_t *dur)
{
	if (!paired || !clock_pair(q->d, &q->clock, t, i, start, dur)) {
		*start = track_start(t, i);
		*dur = track_dur(t, i);
	}
}

struct visiting {
	struct sql_walk *w;
	const struct step *rows;
	size_t n; /* events of the track */
};

static void take_op(void *ctx, const struct step_op *op)
{
	struct visiting *v = ctx;

	if (!op) /* what was told before is void */
		memset(v->w->step, 0, v->n * sizeof *v->w->step);
	else if (op->track == v->w->track)
		v->w->step[op->event] = &v->rows[op->step];
}

void sql_walk_steps(struct sql *q, struct sql_walk *w, uint32_t track)
{
	const struct track *t = &q->d->trace.tracks[track];
	struct visiting v = { .w = w, .n = t->n };
	size_t n = steps_of_plane(&q->c->steps, q->d, t->plane, &v.rows);

	walk_of(w, track);
	if (w->step)
		return;
	w->step = xcalloc(t->n + 1, sizeof *w->step);
	if (n)
		step_ops_visit(q->d, v.rows, n, NULL, &(struct step_ops_visitor){ take_op, &v, NULL });
}

static void find_holders(const struct sql *q, struct sql_walk *w, const struct track *of, enum sql_line line)
{
	const struct trace *tr = &q->d->trace;
	const struct track *t = &tr->tracks[w->track];
	size_t k = 0;

	for (size_t i = 0; i < t->n; i++) {
		while (k < of->n && track_end(of, k) <= track_start(t, i))
			k++;
		if (k < of->n && track_start(of, k) <= track_start(t, i) &&
		    track_end(t, i) <= track_end(of, k))
			w->holder[line][i] = tr->metas[track_meta(of, k)].name;
	}
}

strid sql_walk_holder(struct sql *q, struct sql_walk *w, uint32_t track, enum sql_line line, size_t i)
{
	const struct trace *tr = &q->d->trace;
	const struct track *t = &tr->tracks[track];

	walk_of(w, track);
	if (!w->holder[line]) {
		w->holder[line] = xcalloc(t->n + 1, sizeof *w->holder[line]);
		for (uint32_t k = UINT32_MAX; (k = trace_track_of(tr, t->plane, k)) < tr->ntracks;)
			if (tr->tracks[k].id == (int64_t)line && tr->tracks[k].file >= 0) {
				find_holders(q, w, &tr->tracks[k], line);
				break;
			}
	}
	return w->holder[line][i];
}

/* --- waiting for others --- */

struct sql_waits {
	strid id; /* of the stat that all cores of a collective share */
	struct wait {
		int64_t id, least;
	} * v;
	size_t n, cap; /* a hash table; least -1: empty */
};

static bool is_collective(const struct sql *q, uint32_t meta)
{
	static const char *const names[] = { "all-reduce", "all-gather", "all-to-all", "reduce-scatter",
		"collective-permute", "collective-broadcast", "ragged-all-to-all" };
	struct slice c = strtab_text(&q->d->str, q->d->trace.metas[meta].category);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_begins(c, names[i]))
			return true;
	return false;
}

static struct wait *wait_place(struct sql_waits *w, int64_t id)
{
	size_t at = (size_t)hash_mix((uint64_t)id, 0) % w->cap;

	while (w->v[at].least >= 0 && w->v[at].id != id)
		at = (at + 1) % w->cap;
	return &w->v[at];
}

static void waits_grow(struct sql_waits *w)
{
	struct sql_waits more = { .id = w->id, .n = w->n, .cap = w->cap * 2 + 1024 };

	more.v = xcalloc(more.cap, sizeof *more.v);
	for (size_t i = 0; i < more.cap; i++)
		more.v[i].least = -1;
	for (size_t i = 0; i < w->cap; i++)
		if (w->v[i].least >= 0)
			*wait_place(&more, w->v[i].id) = w->v[i];
	free(w->v);
	*w = more;
}

static bool wait_id(const struct sql *q, uint32_t track, size_t i, int64_t *id, int64_t *dur)
{
	const struct track *t = &q->d->trace.tracks[track];
	int64_t start;

	if (t->role != TRACK_OPS || t->file < 0 || !is_collective(q, track_meta(t, i)) ||
	    !(stats_event_ints(q->d, t, i, &q->waits->id, 1, id) & 1) || !*id)
		return false;
	sql_device_time(q, t, i, &start, dur);
	return true;
}

static void make_waits(struct sql *q)
{
	struct sql_waits *w = q->waits = xcalloc(1, sizeof *w);

	w->id = strtab_find(&q->d->str, "all_reduce_unique_id", strlen("all_reduce_unique_id"));
	waits_grow(w);
	for (uint32_t k = 0; k < q->d->trace.ntracks && w->id != UINT32_MAX; k++)
		for (size_t i = 0; i < q->d->trace.tracks[k].n; i++) {
			struct wait *at;
			int64_t id, dur;

			if (!wait_id(q, k, i, &id, &dur))
				continue;
			if (w->n * 2 > w->cap)
				waits_grow(w);
			at = wait_place(w, id);
			w->n += at->least < 0;
			if (at->least < 0 || dur < at->least)
				*at = (struct wait){ id, dur };
		}
}

int64_t sql_wait(struct sql *q, uint32_t track, size_t i)
{
	int64_t id, dur;

	if (!q->waits)
		make_waits(q);
	return q->waits->id != UINT32_MAX && wait_id(q, track, i, &id, &dur)
	    ? dur - wait_place(q->waits, id)->least
	    : -1;
}

void sql_waits_free(struct sql_waits *w)
{
	if (w)
		free(w->v);
	free(w);
}
