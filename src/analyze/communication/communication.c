#include "config.h"
#include "analyze/communication/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/groups.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"

/* An op by its program and name; kinds of it on all cores are brought together. */
struct kind {
	uint64_t program;
	bool has_program;
	strid name;
	uint32_t meta;
};

VEC_ORDER(by_op, struct kind, UP(program) UP(has_program) UP(name) UP(meta));

struct builder {
	const struct core_times *times;
	const struct comm_options *o;
	struct communication *c;
	uint32_t *op_of; /* by meta: index in `all`, CUT_NONE */
	bool *whole;     /* by op: all devices of its groups are in the capture */
	size_t *first;   /* by core: index of its first step in c->step */
	uint32_t *net;   /* by op: its place in waits.net + 1, of the core at hand or one before */
	struct comm_waits waits;
	struct comm_hiders hiders;
};

static void find_kinds(struct builder *b, struct kind **v, size_t *n)
{
	const struct dump *d = b->times->dump;
	size_t cap = 0;

	for (size_t i = 0; i < b->times->ncores; i++)
		for (size_t k = 0; k < b->times->core[i].nflights; k++) {
			uint32_t meta = b->times->core[i].flight[k].meta;
			struct kind x = { .name = d->trace.metas[meta].name, .meta = meta };

			if (b->op_of[meta]++)
				continue;
			x.has_program = cut_program(d, meta, &x.program);
			VEC_ADD(*v, *n, cap, x);
		}
	VEC_SORT(*v, *n, by_op);
	for (size_t i = 0; i < d->trace.nmetas; i++)
		b->op_of[i] = CUT_NONE;
}

struct texts {
	strid source, tf_op;
	struct comm_op *op;
	struct arena *to;
};

static bool take_text(void *ctx, const struct stat_value *v)
{
	struct texts *t = ctx;
	struct slice *to = v->name_id == t->source ? &t->op->source
	    : v->name_id == t->tf_op               ? &t->op->tf_op
						   : NULL;

	if (to && v->type == STAT_STR && !to->n)
		*to = (struct slice){ arena_strndup(t->to, v->s, v->n), v->n };
	return true;
}

struct comm_op comm_apart(struct slice name, uint32_t meta, enum comm_kind kind, enum comm_mode mode)
{
	return (struct comm_op){ .name = name,
		.meta = meta,
		.kind = kind,
		.mode = mode,
		.hidden = -1,
		.exposed = -1,
		.wait = -1,
		.bytes = -1,
		.group_size = -1,
		.algbw = NAN,
		.busbw = NAN,
		.peak = NAN };
}

void comm_describe(struct communication *c, struct comm_op *o)
{
	struct texts t = { .source = strtab_find(&c->dump->str, "source", 6),
		.tf_op = strtab_find(&c->dump->str, "tf_op", 5),
		.op = o,
		.to = &c->text };

	stats_of_meta(c->dump, o->meta, take_text, &t);
}

static void find_message(struct builder *b, struct comm_op *o, bool *whole)
{
	const struct dump *d = b->times->dump;
	const struct hlo_line l = hlo_line_of(cut_text(d, o->meta));
	struct slice pairs = hlo_text_list(l.attributes, "source_target_pairs="),
		     list = hlo_text_list(l.attributes, "replica_groups=");
	struct hlo_group_size size;

	o->bytes = o->kind == COMM_COPY ? -1 : comm_bytes(o->kind, &l);
	o->to_host = o->kind == COMM_COPY && slice_find(cut_text(d, o->meta), "S(5)");
	o->groups = hlo_groups(&b->c->text, pairs.n ? pairs : list, &size);
	o->groups = size.known ? o->groups : NULL;
	o->group_size = !size.known                                                   ? -1
	    : o->kind == COMM_PERMUTE || o->kind == COMM_SEND || o->kind == COMM_RECV ? 2
	    : size.largest                                                            ? (int64_t)size.largest
										      : -1;
	*whole = !size.known || !size.largest || size.devices <= b->times->ncores;
}

static void make_ops(struct builder *b)
{
	struct kind *v = NULL;
	size_t n = 0;

	find_kinds(b, &v, &n);
	b->c->op = xcalloc(n + 1, sizeof *b->c->op);
	b->whole = xcalloc(n + 1, sizeof *b->whole);
	for (size_t i = 0; i < n; i++) {
		const struct op_role role = b->times->ops->role[v[i].meta];

		if (!i || v[i].program != v[i - 1].program || v[i].has_program != v[i - 1].has_program ||
		    v[i].name != v[i - 1].name) {
			struct comm_op *o = &b->c->op[b->c->nops];

			*o = (struct comm_op){ .program = v[i].program,
				.has_program = v[i].has_program,
				.name = dump_text(b->times->dump, v[i].name),
				.meta = v[i].meta,
				.kind = role.kind,
				.mode = role.part == PART_SYNC ? MODE_SYNC
				    : role.part == PART_UPDATE ? MODE_UPDATE
							       : MODE_ASYNC,
				.wait = -1,
				.barrier = b->o->step ? -1 : 0,
				.peak = NAN };
			comm_describe(b->c, o);
			find_message(b, o, &b->whole[b->c->nops++]);
		}
		b->op_of[v[i].meta] = (uint32_t)(b->c->nops - 1);
	}
	free(v);
}

/* The last step of the core that has begun then, if it is not over. */
static uint32_t step_at(const struct core_time *c, int64_t time)
{
	const struct cut_step *s;

	BISECT_LAST(s, c->cut.step, c->nrows, s->from <= time);
	return s && time < s->to ? (uint32_t)(s - c->cut.step) : CUT_NONE;
}

static bool is_wanted(const struct builder *b, const struct core_time *c, uint32_t step)
{
	if (b->o->core >= 0 && c->core != b->o->core)
		return false;
	return !b->o->step || (step != CUT_NONE && steps_is(&c->row[step], b->o->step));
}

static void count_flight(struct comm_op *o, const struct time_flight *f)
{
	int64_t wall = f->end.time - f->begin.time, hidden = f->end.compute - f->begin.compute;

	o->count++;
	o->wall = add_clamped(o->wall, wall);
	o->hidden = add_clamped(o->hidden, hidden);
	o->exposed = add_clamped(o->exposed, f->self);
	if (wall > 0) {
		double share = (double)hidden / (double)wall;

		*(share >= .9 ? &o->runs_hidden : share <= .1 ? &o->runs_exposed : &o->runs_partly) += 1;
	}
}

static void add_net(struct builder *b, uint32_t op, uint32_t core, int64_t exposed)
{
	struct comm_waits *w = &b->waits;
	struct comm_net *n;

	if (!b->net[op] || w->net[b->net[op] - 1].core != core) {
		VEC_ADD(w->net, w->nnet, w->net_cap, (struct comm_net){ op, core, 0 });
		b->net[op] = (uint32_t)w->nnet;
	}
	n = &w->net[b->net[op] - 1];
	n->exposed = add_clamped(n->exposed, exposed);
}

static void take_flight(struct builder *b, size_t core, const struct time_flight *f, int64_t wire)
{
	const struct core_time *c = &b->times->core[core];
	struct communication *all = b->c;
	uint32_t i = b->op_of[f->meta], step = c->nrows ? step_at(c, f->begin.time) : CUT_NONE;
	struct comm_op *o = &all->op[i];
	bool wanted = is_wanted(b, c, step);

	if (o->mode == MODE_SYNC && f->id != CUT_NO_ID && o->kind != COMM_COPY)
		VEC_ADD(b->waits.v, b->waits.n, b->waits.cap,
		    (struct comm_run){ .id = f->id,
			.dur = f->end.time - f->begin.time,
			.op = i,
			.core = (uint32_t)core,
			.step = step == CUT_NONE ? CUT_NONE : (uint32_t)b->first[core] + step,
			.counted = wanted });
	if (!wanted)
		return;
	count_flight(o, f);
	if (o->mode == MODE_ASYNC)
		comm_hiders_take(b->times, &b->hiders, i, f);
	o->wire = add_clamped(o->wire, wire);
	add_net(b, i, (uint32_t)core, f->self);
	if (f->done_meta != CUT_NONE && !o->done.n)
		o->done = dump_text(b->times->dump, b->times->dump->trace.metas[f->done_meta].name);
	o->unpaired += f->unpaired;
	all->unpaired += f->unpaired && o->kind != COMM_COPY;
}

static void make_cores(struct builder *b)
{
	const struct core_times *t = b->times;
	struct communication *c = b->c;
	size_t n = 0;

	for (size_t i = 0; i < t->ncores; i++)
		n += t->core[i].nrows;
	c->core = xcalloc(t->ncores + 1, sizeof *c->core);
	c->step = xcalloc(n + 1, sizeof *c->step);
	b->first = xcalloc(t->ncores + 1, sizeof *b->first);
	for (size_t i = 0; i < t->ncores; i++) {
		comm_core_times(&t->core[i], &c->core[i], c->step + c->nsteps);
		b->first[i] = c->nsteps;
		c->nsteps += t->core[i].nrows;
		c->steps = t->core[i].nrows > c->steps ? t->core[i].nrows : c->steps;
	}
	c->ncores = t->ncores;
}

/* Barriers stand before the op, in no flight. */
static void add_barriers(struct builder *b, const struct core_time *c)
{
	for (uint32_t i = 0; i < c->nops; i++) {
		uint32_t op = b->op_of[c->base + i];

		if (c->op[i].barrier && b->times->ops->role[c->base + i].kind && op != CUT_NONE)
			b->c->op[op].barrier = add_clamped(b->c->op[op].barrier, c->op[i].barrier);
	}
}

static void rates_of(struct comm_op *o)
{
	double time = (double)(o->wire - (o->wait > 0 ? o->wait : 0)) / 1e3;

	o->algbw = o->bytes > 0 && time > 0 ? (double)o->bytes * (double)o->count / time : NAN;
	o->busbw = o->algbw * comm_bus_factor(o->kind, o->group_size);
}

static void sum_cores(struct communication *c, const struct comm_options *o)
{
	size_t n = 0;

	c->sum = (struct comm_core){ .wait = -1 };
	for (size_t i = 0; i < c->ncores; i++) {
		const struct comm_core *x = &c->core[i];

		if (o->core >= 0 && x->core != o->core)
			continue;
		c->core[n++] = *x;
		x = &c->core[n - 1];
		c->sum.inflight = add_clamped(c->sum.inflight, x->inflight);
		c->sum.hidden = add_clamped(c->sum.hidden, x->hidden);
		c->sum.exposed = add_clamped(c->sum.exposed, x->exposed);
		c->sum.other = add_clamped(c->sum.other, x->other);
		if (x->wait >= 0)
			c->sum.wait = add_clamped(c->sum.wait < 0 ? 0 : c->sum.wait, x->wait);
	}
	c->ncores = n;
	n = 0;
	for (size_t i = 0; i < c->nsteps; i++)
		if ((o->core < 0 || c->step[i].core == o->core) &&
		    (!o->step || steps_is(c->step[i].of, o->step)))
			c->step[n++] = c->step[i];
	c->nsteps = n;
}

/* Times in a step are those of the core's own marker. */
static void only_steps(struct communication *c)
{
	for (size_t i = 0; i < c->ncores; i++) {
		struct comm_core *x = &c->core[i];
		const int64_t wait = x->wait, last = x->last, first = x->first;

		*x = (struct comm_core){ .host = x->host,
			.core = x->core,
			.wait = wait,
			.last = last,
			.first = first };
		for (size_t k = 0; k < c->nsteps; k++) {
			const struct comm_step *s = &c->step[k];

			if (s->host != x->host || s->core != x->core)
				continue;
			x->inflight = add_clamped(x->inflight, s->inflight);
			x->hidden = add_clamped(x->hidden, s->hidden);
			x->exposed = add_clamped(x->exposed, s->exposed);
			x->other = add_clamped(x->other, s->other);
		}
	}
}

static int most_exposed(const void *a, const void *b)
{
	const struct comm_op *x = a, *y = b;
	int names = slice_order(x->name, y->name);

	if (x->exposed != y->exposed)
		return x->exposed > y->exposed ? -1 : 1;
	return names ? names : (x->program > y->program) - (x->program < y->program);
}

/* Copies go to a list of their own. */
static void part_ops(struct communication *c)
{
	size_t n = 0;

	c->copy = xcalloc(c->nops + 1, sizeof *c->copy);
	for (size_t i = 0; i < c->nops; i++) {
		if (!c->op[i].count)
			continue;
		rates_of(&c->op[i]);
		if (c->op[i].kind == COMM_COPY)
			c->copy[c->ncopies++] = c->op[i];
		else
			c->op[n++] = c->op[i];
	}
	c->nops = n;
	VEC_SORT(c->copy, c->ncopies, most_exposed);
}

static void take_core(struct builder *b, size_t i)
{
	const struct core_time *c = &b->times->core[i];
	int64_t *wire = comm_async_spans(b->times->dump, c);

	for (size_t k = 0; k < c->nflights; k++)
		take_flight(b, i, &c->flight[k], wire[k]);
	if (!b->o->step && (b->o->core < 0 || c->core == b->o->core))
		add_barriers(b, c);
	free(wire);
}

/* Those of the dump may go on in the file: here they end. */
static void end_names(struct communication *c, struct comm_op *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		v[i].name.s = arena_strndup(&c->text, v[i].name.s, v[i].name.n);
		if (v[i].done.n)
			v[i].done.s = arena_strndup(&c->text, v[i].done.s, v[i].done.n);
	}
}

void communication_make(const struct core_times *t, const struct comm_options *o, struct communication *c)
{
	struct builder b = { .times = t, .o = o, .c = c, .hiders.names = clock_names_of(t->dump) };
	struct comm_links links;
	bool digests;

	*c = (struct communication){ .dump = t->dump };
	b.op_of = xcalloc(t->dump->trace.nmetas + 1, sizeof *b.op_of);
	make_cores(&b);
	make_ops(&b);
	b.net = xcalloc(c->nops + 1, sizeof *b.net);
	b.hiders.wall = xcalloc(c->nops + 1, sizeof *b.hiders.wall);
	b.hiders.looks = xcalloc(c->nops + 1, sizeof *b.hiders.looks);
	for (size_t i = 0; i < t->ncores; i++)
		take_core(&b, i);
	comm_waits_find(c, &b.waits, b.whole, o->core);
	comm_hiders_end(c, &b.hiders);
	comm_links_find(t, o->topology, &links);
	comm_axes(c, &links);
	comm_links_free(&links);
	digests = comm_of_digests(t, o, c);
	sum_cores(c, o);
	if (o->step) {
		only_steps(c);
		sum_cores(c, &(struct comm_options){ .core = -1 });
	}
	part_ops(c);
	if (!digests) {
		comm_fused_find(t, o, c);
		comm_sparse_find(t, o, c);
		comm_network_find(o, c);
	}
	end_names(c, c->op, c->nops);
	end_names(c, c->copy, c->ncopies);
	VEC_SORT(c->op, c->nops, most_exposed);
	free(b.op_of);
	free(b.whole);
	free(b.first);
	free(b.net);
}

void communication_free(struct communication *c)
{
	free(c->op);
	free(c->copy);
	free(c->core);
	free(c->step);
	arena_free(&c->text);
	*c = (struct communication){ .nops = 0 };
}
