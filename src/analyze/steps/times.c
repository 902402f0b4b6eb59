#include "config.h"
#include "analyze/steps/rows.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/steps/step_ops.h"
#include "analyze/trace/clock.h"
#include "base/clamp.h"

/* TRANSFER: outfeed, host send and host recv, which are neither compute nor idle time. */
enum kind { OP_OTHER, OP_INFEED, OP_TRANSFER };

static const struct {
	const char *category;
	enum kind kind;
} kinds[] = {
	{ "infeed", OP_INFEED },
	{ "outfeed", OP_TRANSFER },
	{ "host send", OP_TRANSFER },
	{ "host send-done", OP_TRANSFER },
	{ "host recv", OP_TRANSFER },
	{ "host recv-done", OP_TRANSFER },
};
#define NKINDS (sizeof kinds / sizeof *kinds)

/* The rows of one core, while its ops are being visited. */
struct times {
	const struct dump *dump;
	const strid *category;
	struct step *row;
	size_t n;
};

static enum kind kind_of(const struct times *x, uint32_t meta)
{
	strid c = x->dump->trace.metas[meta].category;

	for (size_t i = 0; i < NKINDS; i++)
		if (c == x->category[i])
			return kinds[i].kind;
	return OP_OTHER;
}

static void take_op(void *ctx, const struct step_op *o)
{
	const struct times *x = ctx;
	enum kind kind;
	struct step *s;

	for (size_t i = 0; !o && i < x->n; i++) {
		x->row[i].idle = x->row[i].dur;
		x->row[i].infeed = x->row[i].compute = 0;
		x->row[i].has_ops = true;
	}
	if (!o)
		return;
	s = &x->row[o->step];
	kind = kind_of(x, o->meta);
	s->idle = sub_clamped(s->idle, o->self);
	if (kind == OP_INFEED)
		s->infeed = add_clamped(s->infeed, o->self);
	else if (kind == OP_OTHER)
		s->compute = add_clamped(s->compute, o->self);
}

/* A digest has no ops, but their sums. */
static bool digest_times(const struct dump *d, struct step *row, size_t n)
{
	Pb__DigestPlane *m = n ? digest_of_plane(d, row->plane) : NULL;
	struct step_core c;

	for (size_t i = 0; m && i < n; i++) {
		row[i].idle = row[i].dur;
		if (!(row[i].has_ops = digest_cell(m, row[i].event, &c)))
			continue;
		for (size_t k = 0; k < METRIC_COUNT; k++) {
			row[i].idle = sub_clamped(row[i].idle, c.ps[k]);
			if (k != METRIC_INFEED && k != METRIC_OUTFEED && k != METRIC_HOST_TRANSFER)
				row[i].compute = add_clamped(row[i].compute, c.ps[k]);
		}
		row[i].infeed = c.ps[METRIC_INFEED];
	}
	digest_free(m);
	return m != NULL;
}

static bool core_times(const struct dump *d, const strid *category, struct step *row, size_t n,
    struct progress *progress)
{
	struct times x = { d, category, row, n };

	/* without ops it is not known what the core did */
	return digest_times(d, row, n) || !step_ops_count(d, row->plane) ||
	    step_ops_visit(d, row, n, progress, &(struct step_ops_visitor){ .visit = take_op, .ctx = &x });
}

bool steps_times(const struct dump *d, struct steps *s, struct progress *progress)
{
	strid category[NKINDS];
	uint64_t ops = 0;
	bool whole = true;

	for (size_t a = 0; a < s->n; a = steps_core_end(s, a))
		ops += s->v[a].core >= 0 ? step_ops_count(d, s->v[a].plane) : 0;
	progress_begin(progress, ops);
	for (size_t i = 0; i < NKINDS; i++)
		category[i] = strtab_find(&d->str, kinds[i].category, strlen(kinds[i].category));
	for (size_t a = 0; a < s->n && whole;) {
		size_t n = steps_core_end(s, a) - a;

		if (s->v[a].core >= 0)
			whole = core_times(d, category, s->v + a, n, progress);
		a += n;
	}
	return whole;
}

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
