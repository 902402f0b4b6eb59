#include "config.h"
#include "analyze/steps/rows.h"

#include <stdlib.h>

#include "analyze/device/digest.h"
#include "analyze/steps/step_ops.h"
#include "analyze/trace/clock.h"

struct extent {
	int64_t *from, *to;
	size_t n;
};

static void take_extent(void *ctx, const struct step_op *o)
{
	struct extent *x = ctx;

	for (size_t i = 0; !o && i < x->n; i++) {
		x->from[i] = INT64_MAX;
		x->to[i] = 0;
	}
	if (!o)
		return;
	x->from[o->step] = o->start < x->from[o->step] ? o->start : x->from[o->step];
	x->to[o->step] = o->start + o->dur > x->to[o->step] ? o->start + o->dur : x->to[o->step];
}

/* From the first op of a run to that of the next one. */
static void core_extent(const struct dump *d, struct step *row, size_t n)
{
	struct extent x = { xcalloc(n, sizeof *x.from), xcalloc(n, sizeof *x.to), n };

	step_ops_visit(d, row, n, NULL, &(struct step_ops_visitor){ .visit = take_extent, .ctx = &x });
	for (size_t i = 0; i < n; i++) {
		int64_t to = i + 1 < n && x.from[i + 1] < INT64_MAX ? x.from[i + 1] : x.to[i];

		if (x.from[i] < to)
			row[i].dur = to - x.from[i];
	}
	free(x.from);
	free(x.to);
}

/* A digest keeps the lengths, but not the ops that tell them. */
static bool digest_extent(const struct dump *d, struct step *row, size_t n)
{
	Pb__DigestPlane *m = digest_of_plane(d, row->plane);
	bool has = m && m->n_run == m->n_step;

	for (size_t i = 0, k = 0; has && i < n; i++) {
		while (k < m->n_step && m->step[k] != row[i].event)
			k++;
		if (k < m->n_step && m->run[k] >= 0)
			row[i].dur = m->run[k];
	}
	digest_free(m);
	return has;
}

void steps_extent(const struct dump *d, struct steps *s)
{
	struct clock_names names = clock_names_of(d);
	struct clock_fit fit;

	for (size_t a = 0; a < s->n;) {
		size_t n = steps_core_end(s, a) - a;

		if (!digest_extent(d, s->v + a, n) && clock_fit_plane(d, &names, s->v[a].plane, &fit) &&
		    fit.differs)
			core_extent(d, s->v + a, n);
		a += n;
	}
}
