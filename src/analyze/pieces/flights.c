#include "config.h"
#include "analyze/pieces/internal.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/mem.h"

void flights_begin(struct flights *f, uint32_t nslots)
{
	*f = (struct flights){ .first = xcalloc(nslots + 1, sizeof *f->first),
		.last = xcalloc(nslots + 1, sizeof *f->last) };
}

void flights_free(struct flights *f)
{
	free(f->v);
	free(f->first);
	free(f->last);
}

static void push_start(struct flights *f, uint32_t slot, const struct cut_op *op)
{
	uint32_t i = f->free;

	if (i) {
		f->free = f->v[i - 1].next;
	} else {
		VEC_PUSH(f->v, f->n, f->cap);
		i = (uint32_t)++f->n;
	}
	f->v[i - 1] = (struct open_flight){ .op = *op };
	if (f->last[slot])
		f->v[f->last[slot] - 1].next = i;
	else
		f->first[slot] = i;
	f->last[slot] = i;
}

static bool pop_start(struct flights *f, uint32_t slot, struct cut_op *op)
{
	uint32_t i = f->first[slot];

	if (!i)
		return false;
	*op = f->v[i - 1].op;
	f->first[slot] = f->v[i - 1].next;
	if (!f->first[slot])
		f->last[slot] = 0;
	f->v[i - 1].next = f->free;
	f->free = i;
	return true;
}

static void report_flight(struct cutter *w, struct cut_flight f)
{
	if (w->visitor->flight)
		w->visitor->flight(w->visitor->ctx, &f);
}

/* An op of a flight is over.  A start has no end yet: of one without a done, it is its own. */
void flights_take(struct cutter *w, const struct cut_op *op, const struct cut_at *end)
{
	const struct op_role role = w->ops->role[op->meta];
	uint32_t slot = w->ops->slot[op->meta];
	struct cut_flight f = { .start = op,
		.end = *end,
		.self = op->self,
		.done_meta = CUT_NONE,
		.done_event = SIZE_MAX,
		.role = role };
	struct cut_op start;

	if (role.part == PART_START) {
		push_start(&w->flights, slot, op);
		return;
	}
	if (role.part == PART_DONE && slot != CUT_NONE && pop_start(&w->flights, slot, &start)) {
		f.start = &start;
		f.self = add_clamped(start.self, op->self);
		f.done_meta = op->meta;
		f.done_event = op->track == start.track ? op->event : SIZE_MAX;
		f.role = w->ops->role[start.meta];
	} else if (role.part == PART_DONE) {
		f.unpaired = true;
	}
	report_flight(w, f);
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Nothing is hidden by a flight whose end is not known.  Few slots are those of starts of this core. */
void flights_end(struct cutter *w)
{
	const size_t n = w->flights.n;
	uint32_t *slot = xcalloc(n + 1, sizeof *slot);

	for (size_t i = 0; i < n; i++)
		slot[i] = w->ops->slot[w->flights.v[i].op.meta];
	VEC_SORT(slot, n, by_number);
	for (size_t i = 0; i < n; i++) {
		struct cut_op op;

		while (pop_start(&w->flights, slot[i], &op))
			report_flight(w,
			    (struct cut_flight){ .start = &op,
				.end = { op.end, op.begin.compute, op.begin.in_run },
				.self = op.self,
				.done_meta = CUT_NONE,
				.done_event = SIZE_MAX,
				.role = w->ops->role[op.meta],
				.unpaired = true });
	}
	free(slot);
}
