#include "config.h"
#include "analyze/replay/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clamp.h"
#include "base/mem.h"

struct op_row {
	const struct dump *dump;
	uint64_t program;
	strid name, category;
	int64_t count, self, ideal, wait;
	bool has_program, known;
	const char *roof;
};

static struct cell program_text(const struct op_row *r, struct arena *text)
{
	char id[24];

	if (!r->has_program)
		return cell_null();
	snprintf(id, sizeof id, "%" PRIu64, r->program);
	return arena_cell(text, id);
}

#define SCHEMA ops
#define SCHEMA_ROW struct op_row
#define SCHEMA_DEF "analyze/replay/ops.def"
#include "result/schema_def.h"

const struct schema replay_ops_schema = { SCHEMA_COLUMNS(ops_columns) };

VEC_ORDER(by_op, struct op_row, UP(program) UP(name));
VEC_ORDER(by_self, struct op_row, DOWN(self) UP(name) UP(program));

/* A part of a node in a step: its first, or another. */
static void add_part(const struct replay *r, const struct node *n, int32_t step, int64_t ps, bool first,
    struct op_row *o)
{
	int64_t wait = replay_wait(r, n);

	if (step < 0 || (size_t)step >= r->nsteps)
		return;
	o->self = add_clamped(o->self, ps);
	o->count += first;
	if (n->over || !first)
		return;
	o->wait += n->group == GROUP_SYNC ? (ps < wait ? ps : wait) : 0;
	if (n->group > GROUP_FORMAT || n->bound < 0) {
		o->known &= n->group > GROUP_FORMAT;
		return;
	}
	o->ideal = add_clamped(o->ideal, ps < n->bound ? ps : n->bound);
	o->roof = n->by_flops ? "flops" : "hbm";
}

static void add_core(const struct replay *r, const struct replay_core *c, struct op_row *by_meta)
{
	for (size_t i = 0; i < c->nnodes; i++) {
		const struct node *n = &c->node[i];

		if (n->meta == NODE_NONE)
			continue;
		add_part(r, n, n->step, node_first(c, n), true, &by_meta[n->meta]);
		for (uint32_t k = 0; k < n->nshares; k++)
			add_part(r, n, c->share[n->share + k].step, c->share[n->share + k].ps, false,
			    &by_meta[n->meta]);
	}
}

static size_t join_ops(const struct dump *d, struct op_row *v)
{
	size_t n = 0, k = 0;

	for (uint32_t i = 0; i < d->trace.nmetas; i++) {
		struct op_row o = v[i];

		if (!o.count && !o.self)
			continue;
		o.dump = d;
		o.name = d->trace.metas[i].name;
		o.category = d->trace.metas[i].category;
		o.has_program = cut_program(d, i, &o.program);
		v[n++] = o;
	}
	VEC_SORT(v, n, by_op);
	for (size_t i = 0; i < n; i++) {
		if (!k || by_op(&v[k - 1], &v[i])) {
			v[k++] = v[i];
			continue;
		}
		v[k - 1].self = add_clamped(v[k - 1].self, v[i].self);
		v[k - 1].ideal = add_clamped(v[k - 1].ideal, v[i].ideal);
		v[k - 1].count += v[i].count;
		v[k - 1].wait += v[i].wait;
		v[k - 1].known &= v[i].known;
	}
	return k;
}

void replay_ops_table(const struct replay *r, struct table *t)
{
	struct op_row *v = xcalloc(r->dump->trace.nmetas + 1, sizeof *v);
	size_t n;

	table_begin(t, &replay_ops_schema);
	for (uint32_t i = 0; i < r->dump->trace.nmetas; i++)
		v[i].known = true;
	for (size_t k = 0; k < r->ncores; k++)
		add_core(r, &r->core[k], v);
	n = join_ops(r->dump, v);
	VEC_SORT(v, n, by_self);
	for (size_t i = 0; i < n; i++)
		table_add(t, &v[i]);
	free(v);
}
