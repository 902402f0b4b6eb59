#include "config.h"

#include "model/internal.h"

int64_t lod_open_end(const struct track *t, size_t i, int64_t at)
{
	int64_t upto = at;

	if (!lod_can_look_up(t)) {
		for (size_t e = 0; e < i; e++)
			upto = end_of(t, e) > upto ? end_of(t, e) : upto;
		return upto;
	}
	for (int lane = 0; i && lane < (t->lane ? t->nlanes : 1); lane++) {
		uint32_t o = lod_open(t, t->lane ? t->lane_base[lane] : 0, at - 1);
		int64_t end = o ? end_of(t, o - 1) : at;

		upto = end > upto ? end : upto;
	}
	return upto;
}

static void add_gaps(struct lod_gaps *sum, const struct lod_gaps *g)
{
	sum->n += g->n;
	add_to_sum(&sum->idle, g->idle);
	if (g->longest > sum->longest) {
		sum->longest = g->longest;
		sum->at = g->at;
	}
}

/* Adds whole leaves from event i on, but not the last leaf of the track; returns the index of the next
 * event. */
static size_t add_leaves(const struct track *t, size_t i, size_t end, struct lod_gaps *g)
{
	size_t leaf = i >> t->lod->shift, to = end >> t->lod->shift;

	if (i != leaf << t->lod->shift)
		return i;
	for (; leaf < to && leaf + 1 < t->lod->nleaf; leaf++)
		add_gaps(g, &t->lod->gaps[leaf]);
	return leaf << t->lod->shift;
}

void lod_gaps(const struct track *t, int64_t t0, int64_t t1, struct lod_gaps *g)
{
	size_t i = track_lower(t, t0), end = track_lower(t, t1), to;
	int64_t upto = lod_open_end(t, i, t0);

	*g = (struct lod_gaps){ .at = t0 };
	for (; i < end; i = to) {
		/* Until an event with a length was seen, the gaps that a leaf counted may begin before t0. */
		if (lod_can_look_up(t) && upto > t0 && (to = add_leaves(t, i, end, g)) > i) {
			upto = t->lod->upto[to >> t->lod->shift];
			continue;
		}
		to = end;
		if (lod_can_look_up(t) && end - i > (size_t)1 << t->lod->shift)
			to = ((i >> t->lod->shift) + 1) << t->lod->shift;
		upto = see_gaps(t, i, to, upto, g);
	}
	if (upto < t1)
		add_gaps(g, &(struct lod_gaps){ 1, t1 - upto, t1 - upto, upto });
}
