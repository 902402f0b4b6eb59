/* Checks what model/trace.h promises for any loaded dump: order, rows, nesting, spans, indices. dump_check()
 * returns NULL, or what is wrong.  Include it after cmocka.h. */
#ifndef TESTS_DUMPCHECK_H
#define TESTS_DUMPCHECK_H

#include <stdlib.h>

#include "model/dump.h"

static inline const char *dump_check_order(const struct dump *d, const struct track *t)
{
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < t->n; i++) {
		if (track_meta(t, i) >= d->trace.nmetas)
			return "an event of no kind";
		if (track_dur(t, i) < 0 || llabs(track_start(t, i)) > TRACE_TIME_MAX ||
		    track_end(t, i) > TRACE_TIME_MAX)
			return "a time out of range";
		if (i &&
		    (track_start(t, i) < track_start(t, i - 1) ||
			(track_start(t, i) == track_start(t, i - 1) &&
			    track_dur(t, i) > track_dur(t, i - 1))))
			return "events out of order";
		if (track_end(t, i) > last)
			last = track_end(t, i);
	}
	if (t->n ? t->first != track_start(t, 0) || t->last != last : t->first != 0 || t->last != -1)
		return "a wrong span";
	return NULL;
}

/* Events of one row never overlap (except in the last of all rows), and deeper events are inside those
 * above. */
static inline const char *dump_check_rows(const struct track *t)
{
	static int64_t end[TRACK_ROWS_MAX];
	static size_t in[TRACK_ROWS_MAX];

	for (int r = 0; r < TRACK_ROWS_MAX; r++)
		end[r] = INT64_MIN;
	for (size_t i = 0; i < t->n; i++) {
		int row = track_row(t, i);
		bool shared = t->rows == TRACK_ROWS_MAX && row == TRACK_ROWS_MAX - 1;

		if (row >= t->rows || (t->lane && t->lane[i] >= t->nlanes))
			return "an event below the last row";
		if (shared)
			continue;
		if (track_start(t, i) < end[row])
			return "events of one row overlap";
		if (t->depth[i] && (end[row - 1] < track_end(t, i) || track_parent(t, i) != in[row - 1]))
			return "an event outside of its parent";
		end[row] = track_end(t, i);
		in[row] = i;
	}
	return NULL;
}

static inline const char *dump_check(const struct dump *d)
{
	uint64_t events = 0;

	for (size_t i = 0; i < d->trace.ntracks; i++) {
		const struct track *t = &d->trace.tracks[i];
		const char *wrong = dump_check_order(d, t);

		if (wrong || (wrong = dump_check_rows(t)))
			return wrong;
		if (t->plane >= d->trace.nplanes || t->file >= (int)d->nfiles)
			return "a track of no plane or file";
		for (size_t k = 0; k < t->untimed; k++)
			if (t->agg[k].meta >= d->trace.nmetas)
				return "an aggregate of no kind";
		events += t->file >= 0 ? t->n + t->untimed : 0;
	}
	for (size_t i = 0; i < d->trace.nplanes; i++)
		if (d->trace.planes[i].host < 0 || d->trace.planes[i].host >= (int)d->nhosts)
			return "a plane of no host";
	return events == d->trace.events ? NULL : "a wrong number of events";
}

/* The dump that was loaded; the test fails with what is wrong with it, and without one with the error (NULL: there
 * may be none). */
static inline struct dump *dump_checked(struct dump *d, const struct err *err)
{
	const char *wrong = d ? dump_check(d) : err ? err->msg : NULL;

	if (wrong)
		fail_msg("%s", wrong);
	return d;
}

#endif
