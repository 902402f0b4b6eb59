#include "config.h"
#include "analyze/graph/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/graph/kind.h"
#include "base/clamp.h"
#include "base/codec/wire.h"
#include "model/hlo.h"

/* Whether an op belongs to the module; without ids, as in HLO text, the names of modules decide. */
static bool is_of(const struct dump *d, const struct op *op, const struct hlo_module *m)
{
	size_t n;
	uint64_t *programs;
	bool is = false;

	if (op->module == OP_NO_MODULE)
		return false;
	if (op->module)
		return slice_is(dump_text(d, op->module), m->name);
	if (m->program)
		return op->program == m->program;
	programs = op_programs(d, m->name, &n);
	for (size_t i = 0; i < n; i++)
		is |= programs[i] == op->program;
	free(programs);
	return is;
}

static void join_op(const struct dump *d, const struct hlo_graph *g, const struct opdb *db, size_t row,
    struct graph_costs *c)
{
	const struct op *op = &db->v[row];
	uint32_t i = hlo_instr_named(g, op_short_name(d, op));
	struct graph_cost *v = i == HLO_NONE ? NULL : &c->v[i];

	c->program = add_clamped(c->program, op->sum.self);
	if (!v)
		return;
	c->timed = true;
	c->self = add_clamped(c->self, op->sum.self);
	v->self = add_clamped(op->sum.self, v->self > 0 ? v->self : 0);
	v->total = add_clamped(op->sum.time, v->total > 0 ? v->total : 0);
	v->occurrences = add_clamped(op->sum.occurrences, v->occurrences > 0 ? v->occurrences : 0);
	v->flops = op->sum.flops > 0 ? op->sum.flops + (isnan(v->flops) ? 0 : v->flops) : v->flops;
	v->bytes = opsum_hbm_only(&op->sum) + (isnan(v->bytes) ? 0 : v->bytes);
	v->op = (uint32_t)row;
}

static void join_ops(const struct dump *d, const struct hlo_module *m, const struct hlo_graph *g,
    const struct opdb *db, struct graph_costs *c)
{
	uint64_t program = 0, other = 0; /* the last one that is, and that is not; 0: none yet */

	for (size_t i = 0; i < db->n; i++) {
		const struct op *op = &db->v[i];
		bool same = op->program && !op->module;

		if (op->sparse || (same && op->program == other))
			continue;
		if (!(same && op->program == program) && !is_of(d, op, m)) {
			other = same ? op->program : other;
			continue;
		}
		program = same ? op->program : program;
		join_op(d, g, db, i, c);
	}
}

/* LogicalBufferProto: id 1, size 2, defined at 3 (instruction 2, its id 4), color 4 */
static void join_buffer(const struct hlo_graph *g, struct wire w, struct graph_costs *c)
{
	struct slice name = { "", 0 };
	int64_t size = 0, color = 0;
	uint64_t id = 0;
	uint32_t i;

	while (wire_next(&w)) {
		if (w.field == 2 && w.type == 0) {
			size = (int64_t)w.u;
		} else if (w.field == 4 && w.type == 0) {
			color = (int64_t)w.u;
		} else if (w.field == 3 && w.type == 2) {
			struct wire at = wire_open(w.s, w.n);

			while (wire_next(&at)) {
				if (at.field == 2 && at.type == 2)
					name = wire_text(&at);
				else if (at.field == 4 && at.type == 0)
					id = at.u;
			}
		}
	}
	i = name.n ? hlo_instr_named(g, name) : hlo_instr_with_id(g, id);
	if (i == HLO_NONE || size < 0)
		return;
	c->buffered = true;
	if (color)
		c->v[i].chip = add_clamped(size, c->v[i].chip > 0 ? c->v[i].chip : 0);
	else
		c->v[i].hbm = add_clamped(size, c->v[i].hbm > 0 ? c->v[i].hbm : 0);
}

static void join_buffers(const struct hlo_graph *g, struct graph_costs *c)
{
	struct wire w = wire_open(g->assignment.s, g->assignment.n);

	while (wire_next(&w))
		if (w.field == 1 && w.type == 2)
			join_buffer(g, wire_open(w.s, w.n), c);
}

/* Loops and calls hold the time of what they run, which has rows of its own. */
static void sum_computations(const struct hlo_graph *g, struct graph_costs *c)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (c->v[i].self >= 0) {
			int64_t *sum = &c->computation[g->v[i].computation];

			*sum = add_clamped(c->v[i].self, *sum > 0 ? *sum : 0);
		}
	for (uint32_t k = 0; k < g->ncomputations; k++) {
		if (c->computation[k] >= 0)
			continue;
		for (uint32_t j = 0; j < hlo_nlinks(&g->callers, k); j++) {
			int64_t self = c->v[hlo_link(&g->callers, k, j)].self;

			if (self >= 0)
				c->computation[k] =
				    add_clamped(self, c->computation[k] > 0 ? c->computation[k] : 0);
		}
	}
}

static uint32_t cores_of(const struct opdb *db, const struct graph_costs *c, uint32_t n)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < n; i++)
		if (c->v[i].op != OP_NONE && db->v[c->v[i].op].sum.cores > most)
			most = db->v[c->v[i].op].sum.cores;
	return most;
}

void graph_costs_make(const struct dump *d, size_t module, const struct hlo_graph *g, const struct opdb *db,
    const struct steps *steps, struct graph_costs *c)
{
	*c = (struct graph_costs){ .v = xmalloc(((size_t)g->n + 1) * sizeof *c->v),
		.computation = xmalloc(((size_t)g->ncomputations + 1) * sizeof *c->computation),
		.runs = NAN };
	for (uint32_t i = 0; i < g->n; i++)
		c->v[i] = (struct graph_cost){ -1, -1, -1, NAN, NAN, -1, -1, OP_NONE };
	for (uint32_t i = 0; i < g->ncomputations; i++)
		c->computation[i] = -1;
	c->kind = graph_kinds(g);
	join_buffers(g, c);
	if (db)
		join_ops(d, &d->modules[module], g, db, c);
	if (c->timed && steps && steps->distinct)
		c->runs = (double)steps->distinct * cores_of(db, c, g->n);
	sum_computations(g, c);
}

void graph_costs_free(struct graph_costs *c)
{
	free(c->v);
	free(c->computation);
	free(c->kind);
	*c = (struct graph_costs){ .v = NULL };
}

double graph_step_us(const struct graph_costs *c, int64_t ps)
{
	return ps < 0 || !(c->runs > 0) ? NAN : (double)ps / c->runs / 1e6;
}

double graph_share(const struct graph_costs *c, int64_t ps)
{
	return ps < 0 || c->program <= 0 ? NAN : (double)ps / (double)c->program;
}

static int first_of_program(const struct dump *d, uint64_t program)
{
	return program ? hlo_module_by_program(d, program, NULL, 0) : -1;
}

size_t graph_main_module(const struct dump *d, const struct opdb *db, int64_t *time)
{
	int64_t *of = xcalloc(d->nmodules + 1, sizeof *of);
	size_t most = 0;
	int first;

	*time = -1;
	for (size_t i = 0; db && i < db->n; i++)
		if (!db->v[i].module && (first = first_of_program(d, db->v[i].program)) >= 0)
			of[first] = add_clamped(of[first], db->v[i].sum.self);
	for (size_t m = 0; m < d->nmodules; m++) {
		int64_t self = (first = first_of_program(d, d->modules[m].program)) < 0 ? 0 : of[first];

		if (self > *time || (self == *time && d->modules[m].len > d->modules[most].len)) {
			*time = self;
			most = m;
		}
	}
	free(of);
	return most;
}
