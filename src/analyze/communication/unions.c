#include "config.h"
#include "analyze/communication/internal.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"

/* A piece of time in which something is in flight, and what was computed until its ends. */
struct stretch {
	struct cut_at from, to;
	int64_t before, hidden_before; /* sums of the stretches before it */
};

VEC_ORDER(by_begin, struct stretch, UP(from.time) UP(to.time));

static int64_t stretch_hidden(const struct stretch *s)
{
	return s->to.compute - s->from.compute;
}

/* Flights that touch or overlap become one. */
static size_t unite(struct stretch *v, size_t n)
{
	size_t k = 0;

	VEC_SORT(v, n, by_begin);
	for (size_t i = 0; i < n; i++) {
		if (k && v[i].from.time <= v[k - 1].to.time) {
			if (v[i].to.time > v[k - 1].to.time)
				v[k - 1].to = v[i].to;
			continue;
		}
		v[k++] = v[i];
	}
	for (size_t i = 1; i < k; i++) {
		v[i].before = v[i - 1].before + v[i - 1].to.time - v[i - 1].from.time;
		v[i].hidden_before = v[i - 1].hidden_before + stretch_hidden(&v[i - 1]);
	}
	return k;
}

struct amount {
	int64_t inflight, hidden;
};

/* What was in flight, and hidden, until a moment at which `compute` was computed. */
static struct amount until(const struct stretch *v, size_t n, int64_t time, int64_t compute)
{
	const struct stretch *s;

	BISECT_LAST(s, v, n, s->from.time <= time);
	if (!s)
		return (struct amount){ 0, 0 };
	if (time >= s->to.time)
		return (struct amount){ s->before + s->to.time - s->from.time,
			s->hidden_before + stretch_hidden(s) };
	return (
	    struct amount){ s->before + time - s->from.time, s->hidden_before + compute - s->from.compute };
}

static void step_times(const struct core_time *c, const struct stretch *v, size_t n, size_t i,
    struct comm_step *s)
{
	const struct cut_step *x = &c->cut.step[i];
	struct amount a = until(v, n, x->from, x->at_from.ps[PIECE_COMPUTE]),
		      b = until(v, n, x->to, x->at_to.ps[PIECE_COMPUTE]);

	*s = (struct comm_step){ .host = c->host,
		.core = c->core,
		.of = &c->row[i],
		.inflight = b.inflight - a.inflight,
		.hidden = b.hidden - a.hidden,
		.exposed = x->at_to.ps[PIECE_COMM] - x->at_from.ps[PIECE_COMM],
		.wait = -1 };
	s->other = s->inflight - s->hidden - s->exposed;
}

void comm_core_times(const struct core_time *c, struct comm_core *core, struct comm_step *steps)
{
	struct stretch *v = xcalloc(c->nflights + 1, sizeof *v);
	struct amount all;
	size_t n = 0;

	*core = (struct comm_core){ .host = c->host,
		.core = c->core,
		.compute = c->cut.sum.ps[PIECE_COMPUTE],
		.wait = -1,
		.last = -1,
		.first = -1 };
	for (size_t i = 0; i < c->nflights; i++) {
		const struct time_flight *f = &c->flight[i];

		if (f->role.kind == COMM_COPY)
			continue;
		v[n++] = (struct stretch){ .from = f->begin, .to = f->end };
		core->exposed = add_clamped(core->exposed, f->self);
	}
	n = unite(v, n);
	all = until(v, n, INT64_MAX, 0);
	core->inflight = all.inflight;
	core->hidden = all.hidden;
	core->other = core->inflight - core->hidden - core->exposed;
	for (size_t i = 0; i < c->nrows; i++)
		step_times(c, v, n, i, &steps[i]);
	free(v);
}
