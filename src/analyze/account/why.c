#include "config.h"
#include "analyze/account/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/account/differ.h"
#include "analyze/device/digest.h"
#include "analyze/account/ops_beside.h"
#include "analyze/ops/opdb.h"
#include "base/clamp.h"
#include "base/mem.h"

struct rows {
	const struct dump *dump;
	const struct step *v;
	const size_t *median;
	struct step_why *why;
};

/* One core.  Side 0 has the ops of the row that is read, side 1 those of a median. */
struct core {
	const struct rows *all;
	const struct step *row;
	size_t nrows, first, at,
	    median; /* at, median: the rows of the sides, counted from `first`; SIZE_MAX: none */
	struct ops_beside ops;
};

static void *begin(void *ctx, const struct step *row, size_t nrows)
{
	const struct rows *all = ctx;
	struct core *c = xcalloc(1, sizeof *c);

	*c = (struct core){ all, row, nrows, (size_t)(row - all->v), SIZE_MAX, SIZE_MAX, { .n = 0 } };
	ops_beside_begin(all->dump, &c->ops);
	return c;
}

/* Compares the row that was read. */
static void row_is_read(struct core *c)
{
	size_t median = c->at == SIZE_MAX ? SIZE_MAX : c->all->median[c->first + c->at], at[WHY_OPS];
	struct step_why *w;

	if (median == SIZE_MAX || (median -= c->first) == c->at)
		return;
	if (median != c->median)
		ops_beside_take(&c->ops, 1, c->row, c->nrows, median, 1, NULL);
	c->median = median;
	w = &c->all->why[c->first + c->at];
	w->n = ops_beside_most(&c->ops, WHY_OPS, at);
	for (size_t i = 0; i < w->n; i++) {
		const struct beside_op *o = &c->ops.v[at[i]];

		w->op[i] = (struct why_op){ o->full, { o->ps[0], o->ps[1] } };
	}
}

/* An op that ends when a later row has begun is of a row whose comparison is over: that is not known then. */
static void take_op(void *core, const struct step_op *o)
{
	struct core *c = core;

	if (o && c->at != SIZE_MAX && o->step < c->at) {
		c->all->why[c->first + o->step].n = 0;
		return;
	}
	if (o && o->step != c->at)
		row_is_read(c);
	if (!o || o->step != c->at)
		ops_beside_clear(&c->ops, 0);
	c->at = o ? o->step : SIZE_MAX;
	if (o)
		ops_beside_add(&c->ops, 0, o, 1);
}

static void end(void *core)
{
	struct core *c = core;

	row_is_read(c);
	ops_beside_free(&c->ops);
	free(c);
}

struct step_why *step_why_build(const struct dump *d, const struct steps *s, const size_t *medians,
    const char *host, int threads, struct progress *progress, struct step_cores *cores)
{
	struct step_why *why = xcalloc(s->n + 1, sizeof *why);
	struct rows rows = { d, s->v, medians, why };
	const struct step_cores_also also = { begin, take_op, end, &rows };

	step_cores_build_also(d, s, host, threads, progress, digest_count(d) ? NULL : &also, cores);
	return why;
}

char *step_why_say(const struct dump *d, const struct step_why *w, double by, size_t most, bool ascii,
    char *buf, size_t size)
{
	enum time_unit unit = unit_for(from_double(fabs(by)));
	size_t at = 0;

	*buf = 0;
	for (size_t i = 0; i < w->n && i < most; i++) {
		double ps = w->op[i].ps[0] - w->op[i].ps[1];
		struct slice name = op_name_in(dump_text(d, w->op[i].name));
		char text[48];

		if (!step_differ_counts(ps, by) || at + name.n + sizeof text > size)
			break;
		at += (size_t)snprintf(buf + at, size - at, "%s%.*s %s", i ? ", " : "", (int)name.n, name.s,
		    step_differ_time(ps, unit, ascii, text, sizeof text));
	}
	if (at)
		snprintf(buf + at, size - at, " %s", unit_name(unit, ascii));
	return buf;
}
