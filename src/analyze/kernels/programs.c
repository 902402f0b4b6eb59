#include "config.h"
#include "analyze/kernels/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/hlo.h"

struct kernel_program {
	struct strtab names;  /* of its instructions; IDs count from 1 */
	const char **op_name; /* by ID; NULL: it names no op */
};

static void read_instructions(struct kernel_program *p, const Pb__HloProto *proto)
{
	const Pb__HloModuleProto *m = proto->hlo_module;
	size_t cap = 0;

	for (size_t c = 0; m && c < m->n_computations; c++) {
		for (size_t i = 0; i < m->computations[c]->n_instructions; i++) {
			const Pb__HloInstructionProto *x = m->computations[c]->instructions[i];
			strid id = x->name ? strtab_ref(&p->names, x->name, strlen(x->name)) : 0;

			if (id >= cap) {
				size_t more = (size_t)id * 2 + 64;

				p->op_name = xrealloc(p->op_name, more, sizeof *p->op_name);
				memset(p->op_name + cap, 0, (more - cap) * sizeof *p->op_name);
				cap = more;
			}
			p->op_name[id] = x->metadata ? x->metadata->op_name : NULL;
		}
	}
}

static struct kernel_program *program_of(struct kernel_programs *all, const struct dump *d, uint64_t id)
{
	struct kernel_program *p;
	const Pb__HloProto *proto;
	struct err err = { 0 };
	int module;
	strid at;

	if (!all->n)
		strtab_init(&all->ids);
	at = strtab_add(&all->ids, (const char *)&id, sizeof id);
	if (at <= all->n)
		return &all->v[at - 1];
	VEC_PUSH(all->v, all->n, all->cap);
	p = &all->v[all->n++];
	*p = (struct kernel_program){ 0 };
	strtab_init(&p->names);
	module = id ? hlo_module_by_program(d, id, NULL, 0) : -1;
	proto = module >= 0 ? hlo_module_proto(d, (size_t)module, &err) : NULL;
	if (proto)
		read_instructions(p, proto);
	return p;
}

struct slice kernel_programs_op(struct kernel_programs *all, const struct dump *d, uint64_t program,
    struct slice instruction)
{
	const struct kernel_program *p = program_of(all, d, program);
	strid id = strtab_find(&p->names, instruction.s, instruction.n);

	if (!p->op_name || id == UINT32_MAX)
		return (struct slice){ NULL, 0 };
	return p->op_name[id] ? slice_of(p->op_name[id]) : (struct slice){ "", 0 };
}

void kernel_programs_free(struct kernel_programs *all)
{
	for (size_t i = 0; i < all->n; i++) {
		strtab_free(&all->v[i].names);
		free(all->v[i].op_name);
	}
	strtab_free(&all->ids);
	free(all->v);
}
