#include "config.h"

#include "load/build/builder.h"

#include <stdlib.h>

#include "base/clamp.h"

VEC_ORDER(marks_by_time, struct build_mark, UP(ts) UP(seq));

static void sort_marks(struct build_track *k)
{
	size_t i;

	for (i = 1; i < k->nmarks && k->marks[i - 1].ts <= k->marks[i].ts; i++)
		;
	if (i < k->nmarks)
		qsort(k->marks, k->nmarks, sizeof *k->marks, marks_by_time);
}

static void push_mark(struct build_track *k, int64_t ts, uint32_t event, uint32_t seq)
{
	VEC_PUSH(k->marks, k->nmarks, k->marks_cap);
	k->marks[k->nmarks++] = (struct build_mark){ .ts = ts, .event = event, .seq = seq };
}

static void set_end(struct build_track *k, const struct build_mark *begin, int64_t ts)
{
	track_set_time(&k->t, begin->event, track_start(&k->t, begin->event), ts - begin->ts);
}

/* Order of marks of one moment that were joined already: ends of what began before, what has no length, begins. */
enum { SEQ_END, SEQ_EMPTY_BEGIN, SEQ_EMPTY_END, SEQ_BEGIN };

static uint32_t seq_of_new(const struct build_track *k)
{
	return (uint32_t)(SEQ_BEGIN + k->t.n + k->nmarks);
}

/* Makes the marks again that were joined: one comes that belongs before them, perhaps that of the event which was added
 * last.  An instant is as good as a slice without length. */
static void part_marks(struct build_track *k, uint32_t event)
{
	size_t ends = 0, nopen = k->nmarks, next;

	while (ends < nopen && k->marks[ends].event == UINT32_MAX)
		k->marks[ends++].seq = SEQ_END;
	next = ends;
	for (size_t i = 0; i < k->t.n; i++) {
		int64_t start = track_start(&k->t, i), dur = track_dur(&k->t, i);

		if (i == event)
			continue;
		if (next < nopen && k->marks[next].event == i) {
			k->marks[next++].seq = (uint32_t)(SEQ_BEGIN + i);
			continue;
		}
		push_mark(k, start, (uint32_t)i, dur ? (uint32_t)(SEQ_BEGIN + i) : SEQ_EMPTY_BEGIN);
		push_mark(k, add_clamped(start, dur), UINT32_MAX, dur ? SEQ_END : SEQ_EMPTY_END);
	}
}

void build_mark(struct build_track *k, int64_t ts, uint32_t event)
{
	struct build_mark *top = k->nmarks ? &k->marks[k->nmarks - 1] : NULL;

	if (k->order == MARKS_IN_ORDER && ts < k->last_mark) {
		part_marks(k, event);
		k->order = MARKS_IN_ANY_ORDER;
	}
	if (k->order == MARKS_NONE)
		k->order = MARKS_IN_ORDER;
	k->last_mark = ts;
	if (k->order == MARKS_IN_ORDER && event == UINT32_MAX && top && top->event != UINT32_MAX) {
		set_end(k, top, ts);
		k->nmarks--;
	} else {
		push_mark(k, ts, event, seq_of_new(k));
	}
}

void build_pair(struct build_track *k, int64_t end, struct build_paired *said)
{
	size_t nopen = 0; /* the stack of open events overwrites the marks already handled */

	sort_marks(k);
	for (size_t i = 0; i < k->nmarks; i++) {
		const struct build_mark m = k->marks[i], *top;

		if (m.event != UINT32_MAX) {
			k->marks[nopen++] = m;
			continue;
		}
		if (!nopen) {
			said->unopened++;
			continue;
		}
		top = &k->marks[--nopen];
		set_end(k, top, m.ts);
		said->misnamed += m.name && m.name != top->name;
	}
	said->unclosed += nopen;
	while (nopen--)
		set_end(k, &k->marks[nopen], end);
}
