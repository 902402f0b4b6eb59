#include "config.h"
#include "analyze/memory/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"

/* Which buffers are weights that an all-gather has put together from the parts of all devices (FSDP): its operand is a
 * parameter of the program, or a part, copy or cast of one, also where a loop hands it through unchanged. */
enum { DEPTH = 200 };
enum answer { UNKNOWN, ASKED, NO, YES };

struct place {
	int64_t id;
	const Pb__HloInstructionProto *instruction;
	const Pb__HloComputationProto *in;
	enum answer weight;
};

struct caller { /* of a computation */
	int64_t id;
	const Pb__HloInstructionProto *by;
};

VEC_ORDER(by_id, struct place, UP(id));
VEC_ORDER(by_callee, struct caller, UP(id));

static int by_computation(const void *a, const void *b)
{
	const Pb__HloComputationProto *const *x = a, *const *y = b;

	return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

struct module {
	const Pb__HloModuleProto *hlo;
	struct place *v;
	struct caller *caller;
	const Pb__HloComputationProto **computation; /* by id */
	size_t n, ncallers, cap;
};

static const char *opcode_of(const Pb__HloInstructionProto *i)
{
	return i->opcode ? i->opcode : "";
}

static void read_module(struct module *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->hlo->n_computations; i++)
		n += m->hlo->computations[i]->n_instructions;
	m->v = xcalloc(n + 1, sizeof *m->v);
	m->computation = xcalloc(m->hlo->n_computations + 1, sizeof(void *));
	for (size_t i = 0; i < m->hlo->n_computations; i++)
		m->computation[i] = m->hlo->computations[i];
	VEC_SORT(m->computation, m->hlo->n_computations, by_computation);
	for (size_t i = 0; i < m->hlo->n_computations; i++)
		for (size_t k = 0; k < m->computation[i]->n_instructions; k++) {
			const Pb__HloComputationProto *c = m->computation[i];
			const Pb__HloInstructionProto *x = c->instructions[k];

			m->v[m->n++] = (struct place){ x->id, x, c, UNKNOWN };
			for (size_t j = 0; j < x->n_called_computation_ids; j++)
				VEC_ADD(m->caller, m->ncallers, m->cap,
				    (struct caller){ x->called_computation_ids[j], x });
		}
	VEC_SORT(m->v, m->n, by_id);
	VEC_SORT(m->caller, m->ncallers, by_callee);
}

static struct place *place_of(const struct module *m, int64_t id)
{
	size_t i;

	BISECT(i, m->n, m->v[i].id < id);
	return i < m->n && m->v[i].id == id ? &m->v[i] : NULL;
}

static struct place *root_of(const struct module *m, int64_t computation)
{
	const size_t n = m->hlo->n_computations;
	size_t i;

	BISECT(i, n, m->computation[i]->id < computation);
	return i < n && m->computation[i]->id == computation ? place_of(m, m->computation[i]->root_id) : NULL;
}

/* NULL: the entry, or several call it */
static const Pb__HloInstructionProto *caller_of(const struct module *m, int64_t computation)
{
	size_t i;

	BISECT(i, m->ncallers, m->caller[i].id < computation);
	if (i == m->ncallers || m->caller[i].id != computation)
		return NULL;
	return i + 1 < m->ncallers && m->caller[i + 1].id == computation ? NULL : m->caller[i].by;
}

static bool is_weight(const struct module *m, int64_t id, int depth);

static bool operand_is_weight(const struct module *m, const Pb__HloInstructionProto *x, int64_t n, int depth)
{
	return n >= 0 && (size_t)n < x->n_operand_ids && is_weight(m, x->operand_ids[n], depth);
}

static bool is_scalar(const struct module *m, int64_t id)
{
	const struct place *p = place_of(m, id);

	return p && p->instruction->shape && !p->instruction->shape->n_dimensions &&
	    !p->instruction->shape->n_tuple_shapes;
}

/* Are all operands weights?  Scalars do not count: they are places in an array. */
static bool all_are_weights(const struct module *m, const Pb__HloInstructionProto *x, int depth)
{
	size_t weights = 0;

	for (size_t i = 0; i < x->n_operand_ids; i++) {
		if (is_scalar(m, x->operand_ids[i]))
			continue;
		if (!is_weight(m, x->operand_ids[i], depth))
			return false;
		weights++;
	}
	return weights > 0;
}

/* Does the body of a loop return that part of its state as it got it? */
static bool is_handed_through(const struct module *m, const struct place *state, int64_t index)
{
	const struct place *root = place_of(m, state->in->root_id), *part;

	if (!root || strcmp(opcode_of(root->instruction), "tuple") || index < 0 ||
	    (size_t)index >= root->instruction->n_operand_ids)
		return false;
	part = place_of(m, root->instruction->operand_ids[index]);
	return part && !strcmp(opcode_of(part->instruction), "get-tuple-element") &&
	    part->instruction->tuple_index == index && part->instruction->n_operand_ids &&
	    part->instruction->operand_ids[0] == state->id;
}

/* An element of a tuple: of one that is made here, or of the state of a loop */
static bool element_is_weight(const struct module *m, int64_t tuple, int64_t index, int depth)
{
	const struct place *p = place_of(m, tuple);
	const Pb__HloInstructionProto *by;

	while (p && depth-- > 0) {
		const char *opcode = opcode_of(p->instruction);

		if (!strcmp(opcode, "tuple"))
			return operand_is_weight(m, p->instruction, index, depth);
		if (!strcmp(opcode, "get-tuple-element") || !strcmp(opcode, "bitcast"))
			return false; /* tuples in tuples */
		if (!strcmp(opcode, "parameter")) {
			if (p->in->id == m->hlo->entry_computation_id)
				return true;
			by = caller_of(m, p->in->id);
			if (!by || strcmp(opcode_of(by), "while") || !is_handed_through(m, p, index))
				return false;
			p = by->n_operand_ids ? place_of(m, by->operand_ids[0]) : NULL;
			continue;
		}
		if (!strcmp(opcode, "opt-barrier") || !strcmp(opcode, "while") || !strcmp(opcode, "copy")) {
			p = p->instruction->n_operand_ids ? place_of(m, p->instruction->operand_ids[0])
							  : NULL;
			continue;
		}
		return false;
	}
	return false;
}

static bool look_at(const struct module *m, const struct place *p, int depth)
{
	static const char *const same[] = { "bitcast", "copy", "copy-start", "copy-done", "convert",
		"reshape", "transpose", "slice", "dynamic-slice", "async-start", "async-done", "fusion",
		"opt-barrier", "bitcast-convert", "slice-start", "slice-done" };
	const Pb__HloInstructionProto *x = p->instruction, *by;

	if (!strcmp(opcode_of(x), "parameter")) {
		if (p->in->id == m->hlo->entry_computation_id)
			return true;
		by = caller_of(m, p->in->id);
		return by && strcmp(opcode_of(by), "while") != 0 &&
		    operand_is_weight(m, by, x->parameter_number, depth);
	}
	if (!strcmp(opcode_of(x), "get-tuple-element"))
		return x->n_operand_ids && element_is_weight(m, x->operand_ids[0], x->tuple_index, depth);
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (!strcmp(opcode_of(x), same[i]))
			return all_are_weights(m, x, depth);
	return false;
}

static bool is_weight(const struct module *m, int64_t id, int depth)
{
	struct place *p = place_of(m, id);

	if (!p || depth <= 0)
		return false;
	if (p->weight == UNKNOWN) {
		p->weight = ASKED; /* what depends on itself is none */
		p->weight = look_at(m, p, depth - 1) ? YES : NO;
	}
	return p->weight == YES;
}

/* The all-gather that makes it, also where it is wrapped into an asynchronous op or a fusion; NULL: none does. */
static const Pb__HloInstructionProto *gather_of(const struct module *m, const Pb__HloInstructionProto *x,
    int depth)
{
	const struct place *p;

	if (!strcmp(opcode_of(x), "all-gather") || !strcmp(opcode_of(x), "all-gather-start"))
		return x;
	if (depth <= 0)
		return NULL;
	if (!strcmp(opcode_of(x), "all-gather-done") || !strcmp(opcode_of(x), "async-done")) {
		p = x->n_operand_ids ? place_of(m, x->operand_ids[0]) : NULL;
		return p ? gather_of(m, p->instruction, depth - 1) : NULL;
	}
	if (strcmp(opcode_of(x), "async-start") && strcmp(opcode_of(x), "fusion"))
		return NULL;
	p = x->n_called_computation_ids == 1 ? root_of(m, x->called_computation_ids[0]) : NULL;
	return p ? gather_of(m, p->instruction, depth - 1) : NULL;
}

void memory_find_gathered(struct simulation *s)
{
	struct module m = { .hlo = s->module };

	if (!m.hlo)
		return;
	read_module(&m);
	for (size_t i = 0; i < s->m->npeak; i++) {
		struct memory_buffer *b = &s->m->peak[i];
		const Pb__HloInstructionProto *x = b->instruction && b->category == MEMORY_TEMPORARY
		    ? gather_of(&m, b->instruction, 4)
		    : NULL;

		b->gathered = x && all_are_weights(&m, x, DEPTH);
		if (b->gathered)
			s->m->gathered = sum_bytes(s->m->gathered, b->size);
	}
	free(m.v);
	free(m.caller);
	free(m.computation);
}
