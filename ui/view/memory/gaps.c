/* Free ranges between the temporary buffers at one point of the program. */
#include "config.h"
#include <stdio.h>
#include <string.h>

#include "view/memory/memory.h"

static bool lives_at(const struct mem_view *s, const struct mem_box *b, int64_t p)
{
	int64_t last = (int64_t)s->m.npoints - 1;

	return b->t0 < p && (b->t1 > p || (p == last && b->t1 == last));
}

/* Keeps the largest, in order of size. */
static void keep_gap(struct mem_gaps *g, const struct mem_gap *gap)
{
	size_t at = g->listed;

	g->n++;
	g->bytes += gap->y1 - gap->y0;
	while (at > 0 && g->v[at - 1].y1 - g->v[at - 1].y0 < gap->y1 - gap->y0)
		at--;
	if (at == MEM_GAPS)
		return;
	g->listed += g->listed < MEM_GAPS;
	memmove(g->v + at + 1, g->v + at, (g->listed - at - 1) * sizeof *g->v);
	g->v[at] = *gap;
}

/* How long nothing is in a range, around the point. */
static void measure_time(const struct mem_view *s, struct mem_gap *gap, int64_t p)
{
	gap->t0 = 0;
	gap->t1 = (int64_t)s->m.npoints - 1;
	for (size_t i = 0; i < s->box.n && s->box.v[i].y0 < gap->y1; i++) {
		const struct mem_box *b = &s->box.v[i];

		if (b->y1 <= gap->y0)
			continue;
		if (b->t0 < p && b->t1 > gap->t0)
			gap->t0 = b->t1;
		if (b->t0 >= p && b->t0 < gap->t1)
			gap->t1 = b->t0;
	}
}

/* Adds what is free below a box; what is left of another allocation ends where that of the box begins. */
static void add_below(struct mem_gaps *g, const struct mem_box *b, const struct mem_box **below, double *from)
{
	double base = b->y0 - (double)b->b->offset;

	if (base > *from) {
		keep_gap(g, &(struct mem_gap){ .y0 = *from, .y1 = base, .below = *below });
		*from = base;
		*below = NULL;
	}
	if (b->y0 > *from)
		keep_gap(g, &(struct mem_gap){ .y0 = *from, .y1 = b->y0, .below = *below, .above = b });
	if (b->y1 > *from) {
		*from = b->y1;
		*below = b;
	}
}

const struct mem_gaps *memory_view_gaps(struct mem_view *s)
{
	struct mem_boxes *x = &s->box;
	struct mem_gaps *g = &x->gaps;
	const struct mem_box *below = NULL;
	double from = 0;

	if (g->made && g->point == s->point)
		return g;
	*g = (struct mem_gaps){ .made = true, .point = s->point };
	for (size_t i = 0; i < x->n; i++)
		if (lives_at(s, &x->v[i], s->point))
			add_below(g, &x->v[i], &below, &from);
	if (x->top > from)
		keep_gap(g, &(struct mem_gap){ .y0 = from, .y1 = x->top, .below = below });
	for (size_t i = 0; i < g->listed; i++)
		measure_time(s, &g->v[i], s->point);
	return g;
}

void memory_view_point_text(const struct mem_view *s, char *buf, size_t size)
{
	if (s->point == memory_view_peak_point(&s->m))
		snprintf(buf, size, "at the peak");
	else
		snprintf(buf, size, "at %lld", (long long)s->point);
}
