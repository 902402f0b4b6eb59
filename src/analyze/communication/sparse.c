#include "config.h"
#include "analyze/communication/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"
#include "base/span.h"

/* What runs on SparseCores: they have clocks of their own, hide nothing of a TensorCore and expose nothing. */
struct flight {
	uint64_t program;
	bool has_program;
	strid name;
	uint32_t meta, done_meta;
	struct op_role role;
	int64_t time;
};

VEC_ORDER(by_op, struct flight, UP(program) UP(has_program) UP(name));

struct sparse_plane {
	int host, core;
	uint32_t plane;
};

VEC_ORDER(by_core, struct sparse_plane, UP(host) UP(core) UP(plane));

struct gather {
	const struct dump *dump;
	struct sparse_plane *plane; /* by core */
	size_t nplanes;
	struct flight *v;
	size_t n, cap, from; /* from: where those of this plane begin */
};

static void begin(void *ctx)
{
	struct gather *g = ctx;

	g->n = g->from;
}

static void take_flight(void *ctx, const struct cut_flight *f)
{
	struct gather *g = ctx;
	struct flight x = { .name = g->dump->trace.metas[f->start->meta].name,
		.meta = f->start->meta,
		.done_meta = f->done_meta,
		.role = f->role,
		.time = sub_clamped(f->end.time, f->start->begin.time) };

	x.has_program = cut_program(g->dump, x.meta, &x.program);
	if (f->role.kind != COMM_COPY)
		VEC_ADD(g->v, g->n, g->cap, x);
}

static void add_op(struct communication *c, const struct flight *v, size_t n)
{
	const struct hlo_line l = hlo_line_of(cut_text(c->dump, v->meta));
	struct comm_op *o = &c->op[c->nops++];

	*o = comm_apart(dump_text(c->dump, v->name), v->meta, v->role.kind,
	    v->role.part == PART_SYNC         ? MODE_SYNC
		: v->role.part == PART_UPDATE ? MODE_UPDATE
					      : MODE_ASYNC);
	o->program = v->program;
	o->has_program = v->has_program;
	o->sparse = true;
	o->count = (int64_t)n;
	o->bytes = comm_bytes(v->role.kind, &l);
	for (size_t i = 0; i < n; i++) {
		o->wall = add_clamped(o->wall, v[i].time);
		if (v[i].done_meta != CUT_NONE && !o->done.n)
			o->done = dump_text(c->dump, c->dump->trace.metas[v[i].done_meta].name);
	}
	comm_describe(c, o);
}

/* When the plane runs ops, on the clock that all planes share. */
static void add_busy(const struct dump *d, uint32_t plane, struct spans *s)
{
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; i < t->n && t->role == TRACK_OPS && t->file >= 0; i++) {
			int64_t start, dur;

			clock_plain(d, t, i, &start, &dur);
			spans_push(s, start, add_clamped(start, dur));
		}
	}
}

static int64_t length_of_both(const struct spans *a, const struct spans *b)
{
	int64_t sum = 0;

	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		int64_t from = a->v[i].from > b->v[k].from ? a->v[i].from : b->v[k].from,
			to = a->v[i].to < b->v[k].to ? a->v[i].to : b->v[k].to;

		if (to > from)
			sum = add_clamped(sum, sub_clamped(to, from));
		if (a->v[i].to < b->v[k].to)
			i++;
		else
			k++;
	}
	return sum;
}

/* All SparseCores of a core. */
static void take_core(const struct core_times *t, const struct core_time *core, struct gather *g,
    struct communication *c)
{
	const struct dump *d = t->dump;
	const struct sparse_plane key = { core->host, core->core, 0 };
	struct spans sparse = { 0 }, tensor = { 0 };
	size_t i;

	BISECT(i, g->nplanes, by_core(&g->plane[i], &key) < 0);
	for (; i < g->nplanes && g->plane[i].host == key.host && g->plane[i].core == key.core; i++) {
		struct cut_core cut = { .plane = g->plane[i].plane };

		g->from = g->n;
		cut_core(t->ops, &cut, NULL, 0, NULL,
		    &(struct cut_visitor){ .begin = begin, .flight = take_flight, .ctx = g });
		cut_core_free(&cut);
		add_busy(d, g->plane[i].plane, &sparse);
	}
	if (sparse.n) {
		add_busy(d, core->cut.plane, &tensor);
		spans_join(&sparse);
		spans_join(&tensor);
		c->sparse.busy = add_clamped(c->sparse.busy < 0 ? 0 : c->sparse.busy, spans_length(&sparse));
		c->sparse.tensor =
		    add_clamped(c->sparse.tensor < 0 ? 0 : c->sparse.tensor, spans_length(&tensor));
		c->sparse.both =
		    add_clamped(c->sparse.both < 0 ? 0 : c->sparse.both, length_of_both(&sparse, &tensor));
	}
	free(sparse.v);
	free(tensor.v);
}

static void find_planes(struct gather *g)
{
	size_t cap = 0;

	for (uint32_t i = 0; i < g->dump->trace.nplanes; i++) {
		const struct plane *p = &g->dump->trace.planes[i];

		if (p->kind == PLANE_SPARSECORE)
			VEC_ADD(g->plane, g->nplanes, cap, (struct sparse_plane){ p->host, p->core, i });
	}
	VEC_SORT(g->plane, g->nplanes, by_core);
}

/* What they do in one step is not known: the markers of steps are those of the TensorCore. */
void comm_sparse_find(const struct core_times *t, const struct comm_options *o, struct communication *c)
{
	struct gather g = { .dump = t->dump };

	if (!o->step)
		find_planes(&g);
	c->sparse.busy = c->sparse.tensor = c->sparse.both = -1;
	for (size_t i = 0; g.nplanes && i < t->ncores; i++)
		if (o->core < 0 || t->core[i].core == o->core)
			take_core(t, &t->core[i], &g, c);
	VEC_SORT(g.v, g.n, by_op);
	c->op = xrealloc(c->op, c->nops + g.n + 1, sizeof *c->op);
	for (size_t a = 0, b; a < g.n; a = b) {
		for (b = a + 1; b < g.n && !by_op(&g.v[a], &g.v[b]);)
			b++;
		add_op(c, &g.v[a], b - a);
	}
	free(g.v);
	free(g.plane);
}

double communication_sparse_share(const struct communication *c)
{
	int64_t less = c->sparse.busy < c->sparse.tensor ? c->sparse.busy : c->sparse.tensor;

	return less > 0 ? (double)c->sparse.both / (double)less : NAN;
}
