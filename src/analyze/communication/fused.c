#include "config.h"
#include "analyze/communication/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/contents.h"
#include "base/clamp.h"
#include "base/mem.h"

enum { READS = 1 << 22 }; /* instructions, in all; a file may have a body that all its fusions call */

struct reader {
	struct hlo_contents *h;
	size_t left;
};

static enum comm_kind kind_in(struct reader *r, uint64_t program, const Pb__HloInstructionProto *fusion,
    int depth)
{
	const Pb__HloComputationProto *body = contents_body(r->h, program, fusion);

	for (size_t i = 0; body && depth < HLO_DEPTH && i < body->n_instructions && r->left; i++) {
		const Pb__HloInstructionProto *x = body->instructions[i];
		struct slice opcode = slice_of(x->opcode ? x->opcode : "");
		const struct op_role role = op_role_of(opcode, opcode);
		enum comm_kind kind;

		r->left--;
		kind = role.time == PIECE_COMM ? role.kind : kind_in(r, program, x, depth + 1);
		if (kind)
			return kind;
	}
	return COMM_NONE;
}

struct fusion {
	uint64_t program;
	strid name;
	uint32_t meta;
	int64_t time, count;
};

VEC_ORDER(by_op, struct fusion, UP(program) UP(name));

static size_t find_fusions(const struct core_times *t, const struct comm_options *o, struct fusion **v)
{
	const struct evmeta *metas = t->dump->trace.metas;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < t->ncores; i++)
		for (uint32_t k = 0; k < t->core[i].nops && (o->core < 0 || t->core[i].core == o->core);
		     k++) {
			const struct time_op *op = &t->core[i].op[k];
			struct fusion x = { 0, metas[t->core[i].base + k].name, t->core[i].base + k, op->self,
				op->count };

			if (op->count && !t->ops->role[x.meta].kind &&
			    slice_ends(dump_text(t->dump, metas[x.meta].category), "fusion") &&
			    cut_program(t->dump, x.meta, &x.program))
				VEC_ADD(*v, n, cap, x);
		}
	VEC_SORT(*v, n, by_op);
	return n;
}

static void add_fused(struct communication *c, const struct fusion *v, size_t n, enum comm_kind kind)
{
	struct comm_op *o = &c->op[c->nops++];

	*o = comm_apart(dump_text(c->dump, v->name), v->meta, kind, MODE_FUSED);
	o->program = v->program;
	o->has_program = true;
	for (size_t i = 0; i < n; i++) {
		o->count = add_clamped(o->count, v[i].count);
		o->wall = add_clamped(o->wall, v[i].time);
	}
	comm_describe(c, o);
	c->fused = add_clamped(c->fused, o->wall);
}

/* What they take in one step is not known. */
void comm_fused_find(const struct core_times *t, const struct comm_options *o, struct communication *c)
{
	const bool known = !o->step && (t->ncores < 2 || t->dump->nmodules);
	struct reader r = { contents_new(t->dump), READS };
	struct fusion *v = NULL;
	size_t n = !known || t->ncores < 2 ? 0 : find_fusions(t, o, &v);

	c->fused = known ? 0 : -1;
	c->op = xrealloc(c->op, c->nops + n + 1, sizeof *c->op);
	for (size_t a = 0, b; a < n; a = b) {
		const Pb__HloInstructionProto *x =
		    contents_instruction(r.h, v[a].program, dump_text(t->dump, v[a].name));
		enum comm_kind kind = x ? kind_in(&r, v[a].program, x, 0) : COMM_NONE;

		for (b = a; b < n && !by_op(&v[a], &v[b]);)
			b++;
		if (kind)
			add_fused(c, &v[a], b - a, kind);
	}
	contents_free(r.h);
	free(v);
}
