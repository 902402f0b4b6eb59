#include "config.h"
#include "analyze/ops/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "base/codec/wire.h"
#include "base/hash.h"

static size_t slot_of(const struct kinds *k, uint32_t meta, uint32_t program)
{
	size_t i = hash_mix(program, meta) & (k->nslots - 1);

	for (; k->slot[i]; i = (i + 1) & (k->nslots - 1)) {
		const struct kind *x = &k->v[k->slot[i] - 1];

		if (x->meta == meta && x->program == program)
			break;
	}
	return i;
}

static void grow_slots(struct kinds *k)
{
	free(k->slot);
	k->nslots = k->nslots ? k->nslots * 2 : 256;
	k->slot = xcalloc(k->nslots, sizeof *k->slot);
	for (size_t i = 0; i < k->n; i++)
		k->slot[slot_of(k, k->v[i].meta, k->v[i].program)] = (uint32_t)i + 1;
}

uint32_t kinds_find(struct kinds *k, uint32_t meta, uint32_t program)
{
	size_t i;

	if (k->n * 2 >= k->nslots)
		grow_slots(k);
	i = slot_of(k, meta, program);
	if (k->slot[i])
		return k->slot[i] - 1;
	VEC_ADD(k->v, k->n, k->cap,
	    (struct kind){ .meta = meta,
		.program = program,
		.custom = k->p->dump->trace.metas[meta].category == k->p->names->custom_call,
		.track = UINT32_MAX });
	k->slot[i] = (uint32_t)k->n;
	return (uint32_t)k->n - 1;
}

enum { HAS_PROGRAM = 1, HAS_SYMBOL = 2 };

struct numbers {
	const struct opdb_names *names;
	struct plane_op *op;
	unsigned has;
};

typedef double access_bytes[SPACE_COUNT][ACCESS_COUNT];

/* A message MemoryAccess; false: it is damaged. */
static bool add_access(access_bytes to, struct wire w)
{
	uint64_t is[4] = { 0 }; /* by field: operation_type, memory_space, bytes_accessed */
	enum op_space space;
	enum op_access access;

	while (wire_next(&w))
		if (w.type == 0 && w.field < 4)
			is[w.field] = w.u;
	space = is[2] >= 1 && is[2] <= 3 ? (enum op_space)(is[2] - 1) : SPACE_OTHER;
	access = is[1] == 1 ? ACCESS_READ : is[1] == 2 ? ACCESS_WRITE : ACCESS_OTHER;
	to[space][access] += (double)is[3];
	return !w.bad;
}

/* A MemoryAccessBreakdown: its field 1 repeats. */
void opsum_take_access(struct opsum *s, const struct stat_value *v)
{
	struct wire w = wire_open(v->s, v->n);
	access_bytes bytes = { { 0 } };
	bool whole = true, any = false;

	while (whole && wire_next(&w))
		if (w.field == 1 && w.type == 2) {
			whole = add_access(bytes, wire_open(w.s, w.n));
			any = true;
		}
	if (!whole || w.bad || !any)
		return;
	for (size_t i = 0; i < SPACE_COUNT; i++)
		for (size_t k = 0; k < ACCESS_COUNT; k++)
			s->mem[i][k] += bytes[i][k];
	s->has_mem = true;
}

static void take_number(struct numbers *n, const struct stat_value *v)
{
	const struct opdb_names *x = n->names;

	if (v->name_id == x->flops && v->d > 0) {
		n->op->sum.flops = v->d;
	} else if (v->name_id == x->model_flops && v->d > 0) {
		n->op->sum.model_flops = v->d;
	} else if (v->name_id == x->bytes && v->d > 0) {
		n->op->sum.bytes = v->d;
	}
}

static bool take_id(struct numbers *n, const struct stat_value *v)
{
	bool program = v->name_id == n->names->program;
	int64_t id;

	if ((!program && v->name_id != n->names->symbol) || !stat_whole(v, &id))
		return false;
	*(program ? &n->op->program : &n->op->symbol) = (uint64_t)id;
	n->has |= program ? HAS_PROGRAM : HAS_SYMBOL;
	return true;
}

static bool take_stat(void *ctx, const struct stat_value *v)
{
	struct numbers *n = ctx;
	const strid texts[] = { n->names->provenance, n->names->dedup, n->names->source, n->names->stack,
		n->names->shape };

	if (v->name_id == UINT32_MAX || take_id(n, v))
		return true;
	if (v->type < STAT_STR)
		take_number(n, v);
	else if (v->type == STAT_BYTES && v->name_id == n->names->access)
		opsum_take_access(&n->op->sum, v);
	for (unsigned i = 0; i < sizeof texts / sizeof *texts && v->type == STAT_STR; i++)
		if (v->name_id == texts[i] && v->n)
			n->op->texts |= 1u << i;
	return true;
}

static void multiply(struct opsum *s)
{
	double n = (double)s->occurrences;

	s->flops *= n;
	s->model_flops = s->model_flops > 0 ? s->model_flops * n : s->flops;
	s->bytes *= n;
	for (size_t i = 0; i < SPACE_COUNT; i++)
		for (size_t k = 0; k < ACCESS_COUNT; k++)
			s->mem[i][k] *= n;
}

VEC_ORDER(by_symbol, struct plane_op, UP(program) UP(module) UP(symbol) UP(meta));

/* Takes what a kind of event states for one of its events; multiply() follows. */
static void op_of_kind(const struct kind *k, struct plane_op *op)
{
	if (k->custom) {
		op->event_flops = op->sum.flops > 0 ? 0 : k->sum.flops;
		op->event_bytes = op->sum.bytes > 0 ? 0 : k->sum.bytes;
	}
}

/* In a converted trace events say it themselves, and the run around them what their program is. */
static void op_of_events(const struct kind *k, const struct op_program *program, const struct plane_scan *p,
    unsigned has, struct plane_op *op)
{
	if (!(has & HAS_PROGRAM)) {
		op->program = program->id;
		op->module = program->module;
	}
	if (!(has & HAS_SYMBOL) || !op->symbol)
		op->symbol = (uint64_t)p->dump->trace.metas[op->meta].name + 1;
	op->sum.flops = k->sum.flops;
	op->sum.model_flops = k->sum.model_flops > 0 ? k->sum.model_flops : k->sum.flops;
	op->sum.bytes = k->sum.bytes;
	op->sum.no_spaces = true;
}

static void become_op(const struct kind *k, const struct op_runs *runs, bool converted, struct plane_scan *p)
{
	struct plane_op op = { .sum = k->sum,
		.meta = k->meta,
		.by_event = converted,
		.track = k->track,
		.event = k->event };
	struct numbers numbers = { p->names, &op, 0 };

	op.sum.flops = op.sum.model_flops = op.sum.bytes = 0;
	op.sum.cores = 1;
	plane_op_stats(p->dump, &op, take_stat, &numbers);
	if (!converted && (numbers.has != (HAS_PROGRAM | HAS_SYMBOL) || !op.symbol)) {
		p->dropped += (uint64_t)k->sum.occurrences;
		return;
	}
	if (converted)
		op_of_events(k, &runs->program[k->program], p, numbers.has, &op);
	else
		op_of_kind(k, &op);
	VEC_ADD(p->v, p->n, p->cap, op);
}

/* The numbers of a kind are those of the first. */
static void join_ops(struct plane_op *first, const struct plane_op *other)
{
	struct opsum more = other->sum;

	if (!other->by_event) {
		more.flops = more.model_flops = more.bytes = 0;
		memset(more.mem, 0, sizeof more.mem);
		more.has_mem = false;
	}
	more.cores = 0;
	opsum_add(&first->sum, &more);
	first->event_flops += other->event_flops;
	first->event_bytes += other->event_bytes;
}

static bool same_op(const struct plane_op *x, const struct plane_op *y)
{
	return x->program == y->program && x->module == y->module && x->symbol == y->symbol;
}

void kinds_become_ops(const struct kinds *k, const struct op_runs *runs, bool converted)
{
	struct plane_scan *p = k->p;
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		if (k->v[i].sum.occurrences)
			become_op(&k->v[i], runs, converted, p);
	VEC_SORT(p->v, p->n, by_symbol);
	for (size_t i = 0; i < p->n; i++)
		if (n && same_op(&p->v[n - 1], &p->v[i]))
			join_ops(&p->v[n - 1], &p->v[i]);
		else
			p->v[n++] = p->v[i];
	p->n = n;
	for (size_t i = 0; i < n && !converted; i++)
		multiply(&p->v[i].sum);
}

void plane_op_stats(const struct dump *d, const struct plane_op *o, stat_fn *fn, void *ctx)
{
	if (!o->by_event)
		stats_of_meta(d, o->meta, fn, ctx);
	else if (o->track != UINT32_MAX)
		stats_of_event(d, &d->trace.tracks[o->track], o->event, fn, ctx);
}

void kinds_free(struct kinds *k)
{
	free(k->v);
	free(k->slot);
}
