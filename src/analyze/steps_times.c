#include "config.h"
#include "analyze/steps_part.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/clamp.h"
#include "analyze/clock.h"

/* TRANSFER: outfeed, host send, host recv: neither compute nor idle. */
enum kind { KIND_OTHER, KIND_INFEED, KIND_TRANSFER };

static const struct {
	const char *category;
	enum kind kind;
} kinds[] = {
	{ "infeed", KIND_INFEED },
	{ "outfeed", KIND_TRANSFER },
	{ "host send", KIND_TRANSFER },
	{ "host send-done", KIND_TRANSFER },
	{ "host recv", KIND_TRANSFER },
	{ "host recv-done", KIND_TRANSFER },
};
#define NKINDS (sizeof kinds / sizeof *kinds)

/* An op on the device's clock and the step that it overlaps on the plain one. */
struct op {
	int64_t start, dur, inner;	/* inner: ops directly inside */
	size_t index, step;		/* row; SIZE_MAX none */
	enum kind kind;
};

struct core {
	struct step *row; size_t nrows;	/* of one core, by start */
	int64_t *end;			/* of each marker, plain clock (dur may be the device's) */
	struct op *op; size_t n, cap;
};

static int by_start(const void *a, const void *b)
{
	const struct op *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->dur != y->dur)
		return x->dur > y->dur ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static struct core core_open(const struct dump *d, struct step *row, size_t nrows)
{
	struct core c = { .row = row, .nrows = nrows, .end = xcalloc(nrows, sizeof *c.end) };
	int64_t start, dur;

	for (size_t i = 0; i < nrows; i++) {
		clock_plain(d, &d->trace.tracks[row[i].track], row[i].last, &start, &dur);
		c.end[i] = start + dur;
	}
	return c;
}

static void core_close(struct core *c)
{
	free(c->end);
	free(c->op);
}

/* The first step that overlaps the span. */
static size_t step_of(const struct core *c, int64_t start, int64_t end)
{
	size_t a = 0, b = c->nrows;

	while (a < b) {
		size_t m = a + (b - a) / 2;

		if (c->end[m] <= start)
			a = m + 1;
		else
			b = m;
	}
	if (a == c->nrows)
		return SIZE_MAX;
	return end > c->row[a].start || (start == end && start == c->row[a].start) ? a : SIZE_MAX;
}

/* The ops of one plane, in the device's order. */
static void read_ops(
    const struct dump *d, const struct clock_names *names, struct core *c, const strid *category)
{
	for (size_t k = 0; k < d->trace.ntracks; k++) {
		const struct track *t = &d->trace.tracks[k];
		bool sorted = true;

		if (t->plane != c->row->plane || t->role != TRACK_OPS || t->file < 0)
			continue;
		for (size_t i = 0; i < t->n; i++) {
			int64_t start, dur;
			struct op *o;

			clock_plain(d, t, i, &start, &dur);
			VEC_PUSH(c->op, c->n, c->cap);
			o = &c->op[c->n++];
			*o = (struct op){ .index = i, .step = step_of(c, start, start + dur) };
			if (!clock_pair(d, names, t, i, &o->start, &o->dur)) {
				o->start = start;
				o->dur = dur;
			}
			for (size_t q = 0; category && q < NKINDS; q++)
				if (d->trace.metas[t->meta[i]].category == category[q])
					o->kind = kinds[q].kind;
			sorted = sorted && (c->n < 2 || by_start(o - 1, o) <= 0);
		}
		if (!sorted)
			qsort(c->op, c->n, sizeof *c->op, by_start);
	}
}

static void finish(const struct core *c, const struct op *o)
{
	int64_t self = sub_clamped(o->dur, o->inner);
	struct step *s;

	if (o->step == SIZE_MAX)
		return;
	s = &c->row[o->step];
	s->idle = sub_clamped(s->idle, self);
	if (o->kind == KIND_INFEED)
		s->infeed = add_clamped(s->infeed, self);
	else if (o->kind == KIND_OTHER)
		s->compute = add_clamped(s->compute, self);
}

static void add_self_times(struct core *c)
{
	struct op **stack = NULL;
	size_t depth = 0, cap = 0;

	for (size_t i = 0; i <= c->n; i++) {
		struct op *o = &c->op[i];

		while (depth &&
		       (i == c->n || stack[depth - 1]->start + stack[depth - 1]->dur < o->start + o->dur)) {
			struct op *done = stack[--depth];

			finish(c, done);
			if (depth)
				stack[depth - 1]->inner = add_clamped(stack[depth - 1]->inner, done->dur);
		}
		if (i == c->n)
			break;
		VEC_PUSH(stack, depth, cap);
		stack[depth++] = o;
	}
	free(stack);
}

void steps_times(const struct dump *d, struct steps *s)
{
	struct clock_names names = clock_names_of(d);
	strid category[NKINDS];

	for (size_t i = 0; i < NKINDS; i++)
		category[i] = strtab_find(&d->str, kinds[i].category, strlen(kinds[i].category));
	for (size_t a = 0; a < s->n;) {
		size_t n = steps_run_end(s, a, true) - a;
		struct step *row = s->v + a;

		a += n;
		if (row->core < 0)
			continue;
		struct core c = core_open(d, row, n);

		for (size_t i = 0; i < c.nrows; i++) {
			c.row[i].idle = c.row[i].dur;
			c.row[i].has_ops = true;
		}
		read_ops(d, &names, &c, category);
		add_self_times(&c);
		core_close(&c);
	}
}

void steps_extent(const struct dump *d, struct steps *s)
{
	struct clock_names names = clock_names_of(d);
	struct clock_fit fit;

	for (size_t a = 0; a < s->n;) {
		size_t n = steps_run_end(s, a, true) - a;
		struct step *row = s->v + a;

		a += n;
		if (!clock_fit_plane(d, &names, row->plane, &fit) || !fit.differs)
			continue;
		struct core c = core_open(d, row, n);
		int64_t *from = xcalloc(c.nrows, sizeof *from), *to = xcalloc(c.nrows, sizeof *to);

		for (size_t i = 0; i < c.nrows; i++)
			from[i] = INT64_MAX;
		read_ops(d, &names, &c, NULL);
		for (size_t i = 0; i < c.n; i++) {
			const struct op *o = &c.op[i];

			if (o->step == SIZE_MAX)
				continue;
			from[o->step] = o->start < from[o->step] ? o->start : from[o->step];
			to[o->step] = o->start + o->dur > to[o->step] ? o->start + o->dur : to[o->step];
		}
		for (size_t i = 0; i < c.nrows; i++)
			if (from[i] < to[i])
				c.row[i].dur = to[i] - from[i];
		free(from);
		free(to);
		core_close(&c);
	}
}
