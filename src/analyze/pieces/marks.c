#include "config.h"
#include "analyze/pieces/internal.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/mem.h"

/* Ends come before begins of the same moment, but for a step that takes no time. */
VEC_ORDER(in_time, struct mark, UP(time) DOWN(begun) UP(step) UP(end));

/* Where a marker has times of the device's own, they are its borders; else those of the host's clock, which the ops
 * near them move. */
static void place(struct cutter *w, const struct step *row, uint32_t step, struct mark *m)
{
	const struct dump *d = w->ops->dump;
	const struct track *t = &d->trace.tracks[row->track];
	int64_t from = row->start, to = steps_plain_end(row, d), start, dur, last, last_dur;
	bool own = !row->to_next && clock_pair(d, &w->names, t, row->event, &start, &dur);

	if (own) {
		from = start;
		to = start + dur;
		if (row->last != row->event && clock_pair(d, &w->names, t, row->last, &last, &last_dur))
			to = last + last_dur;
	}
	m[0] = (struct mark){ from, step, false, !own, false };
	m[1] = (struct mark){ to > from ? to : from, step, true, !own, to > from };
}

void marks_begin(struct cutter *w, const struct step *row, size_t nrows)
{
	w->nmarks = nrows * 2;
	w->at_mark = 0;
	w->mark = xcalloc(w->nmarks + 1, sizeof *w->mark);
	w->core->step = xcalloc(nrows + 1, sizeof *w->core->step);
	for (size_t i = 0; i < nrows; i++)
		place(w, &row[i], (uint32_t)i, &w->mark[2 * i]);
	VEC_SORT(w->mark, w->nmarks, in_time);
}

bool marks_next(struct cutter *w, int64_t before, int64_t begin_shift, int64_t end_shift, int64_t *at)
{
	const struct mark *m = &w->mark[w->at_mark];

	if (w->at_mark == w->nmarks)
		return false;
	*at = add_clamped(m->time, !m->plain ? 0 : m->end ? end_shift : begin_shift);
	return *at < before;
}

void marks_pass(struct cutter *w, int64_t at)
{
	const struct mark *m = &w->mark[w->at_mark++];
	struct cut_step *s = &w->core->step[m->step];

	if (m->end) {
		s->to = at > s->from ? at : s->from;
		s->at_to = w->core->sum;
	} else {
		s->from = at;
		s->at_from = w->core->sum;
	}
	if (w->visitor->step)
		w->visitor->step(w->visitor->ctx, m->step, m->end);
}
