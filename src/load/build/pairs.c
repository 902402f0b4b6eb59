#include "config.h"

#include "load/build/builder.h"

#include <stdlib.h>

VEC_ORDER(marks_by_time, struct build_mark, UP(ts) UP(seq));

static void sort_marks(struct build_track *k)
{
	size_t i;

	for (i = 1; i < k->nmarks && k->marks[i - 1].ts <= k->marks[i].ts; i++)
		;
	if (i < k->nmarks)
		qsort(k->marks, k->nmarks, sizeof *k->marks, marks_by_time);
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
		track_set_time(&k->t, top->event, track_start(&k->t, top->event), m.ts - top->ts);
		said->misnamed += m.name && m.name != top->name;
	}
	said->unclosed += nopen;
	while (nopen--) {
		const struct build_mark *m = &k->marks[nopen];

		track_set_time(&k->t, m->event, track_start(&k->t, m->event), end - m->ts);
	}
}
