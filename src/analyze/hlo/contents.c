#include "config.h"
#include "analyze/hlo/contents.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "model/hlo.h"

struct module {
	uint64_t program;
	const Pb__HloProto *proto; /* NULL: none, or not readable */
	const Pb__HloInstructionProto **by_name;
	size_t n;
	const Pb__HloComputationProto **by_id;
	size_t *contents; /* for each of by_id, the number of instructions inside it + 1; 0 = endless */
	size_t ncomputations, endless;
};

struct hlo_contents {
	const struct dump *dump;
	struct module *v;
	size_t n, cap;
};

struct hlo_contents *contents_new(const struct dump *d)
{
	struct hlo_contents *h = xcalloc(1, sizeof *h);

	h->dump = d;
	return h;
}

void contents_free(struct hlo_contents *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->v[i].by_name);
		free(h->v[i].by_id);
		free(h->v[i].contents);
	}
	free(h->v);
	free(h);
}

static const Pb__HloProto *read_proto(const struct dump *d, uint64_t program)
{
	int module = hlo_module_by_program(d, program, NULL, 0);
	const Pb__HloProto *p = module < 0 ? NULL : hlo_module_proto(d, (size_t)module, NULL);

	return p && !d->modules[module].damaged ? p : NULL;
}

static const char *name_of(const Pb__HloInstructionProto *i)
{
	return i->name ? i->name : "";
}

static int by_name(const void *a, const void *b)
{
	const Pb__HloInstructionProto *const *x = a, *const *y = b;

	return strcmp(name_of(*x), name_of(*y));
}

VEC_ORDER_POINTERS(by_id, Pb__HloComputationProto, UP(id));

/* Returns the index in by_id of the computation that a fusion runs; SIZE_MAX: none. */
static size_t body_of(const struct module *m, const Pb__HloInstructionProto *i)
{
	size_t a = 0, b = m->ncomputations;

	if (!i->opcode || strcmp(i->opcode, "fusion") || !i->n_called_computation_ids)
		return SIZE_MAX;
	while (a < b) {
		size_t mid = a + (b - a) / 2;
		int64_t id = m->by_id[mid]->id;

		if (id == i->called_computation_ids[0])
			return mid;
		if (id < i->called_computation_ids[0])
			a = mid + 1;
		else
			b = mid;
	}
	return SIZE_MAX;
}

static size_t contents_of(const struct module *m, const Pb__HloComputationProto *c)
{
	size_t n = 1;

	for (size_t i = 0; i < c->n_instructions; i++) {
		size_t body = body_of(m, c->instructions[i]);

		if (body != SIZE_MAX && !m->contents[body])
			return 0;
		n += contents_is(c->instructions[i]) + (body != SIZE_MAX ? m->contents[body] - 1 : 0);
		if (n > m->n + 1)
			return 0;
	}
	return n;
}

/* Counts the contents of fusions.  Fusions that contain themselves, or together more than the module has, are
 * damage and would never end. */
static void count_contents(struct module *m)
{
	bool more = true;

	m->contents = xcalloc(m->ncomputations + 1, sizeof *m->contents);
	for (int round = 0; more && round < HLO_DEPTH; round++) {
		more = false;
		for (size_t i = 0; i < m->ncomputations; i++)
			if (!m->contents[i])
				more |= (m->contents[i] = contents_of(m, m->by_id[i])) > 0;
	}
	for (size_t i = 0; i < m->n; i++) {
		size_t body = body_of(m, m->by_name[i]);

		m->endless += body != SIZE_MAX && !m->contents[body];
	}
}

static void index_module(struct module *m)
{
	const Pb__HloModuleProto *p = m->proto ? m->proto->hlo_module : NULL;
	size_t n = 0;

	for (size_t i = 0; p && i < p->n_computations; i++)
		n += p->computations[i]->n_instructions;
	m->by_name = xcalloc(n + 1, sizeof *m->by_name);
	m->by_id = xcalloc((p ? p->n_computations : 0) + 1, sizeof *m->by_id);
	for (size_t i = 0; p && i < p->n_computations; i++) {
		m->by_id[m->ncomputations++] = p->computations[i];
		for (size_t k = 0; k < p->computations[i]->n_instructions; k++)
			m->by_name[m->n++] = p->computations[i]->instructions[k];
	}
	VEC_SORT(m->by_name, m->n, by_name);
	VEC_SORT(m->by_id, m->ncomputations, by_id);
	count_contents(m);
}

static struct module *module_of(struct hlo_contents *h, uint64_t program)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->v[i].program == program)
			return &h->v[i];
	VEC_PUSH(h->v, h->n, h->cap);
	h->v[h->n] = (struct module){ .program = program, .proto = read_proto(h->dump, program) };
	index_module(&h->v[h->n]);
	return &h->v[h->n++];
}

const Pb__HloInstructionProto *contents_instruction(struct hlo_contents *h, uint64_t program,
    struct slice name)
{
	const struct module *m = module_of(h, program);
	size_t a;

	BISECT(a, m->n, slice_order(slice_of(name_of(m->by_name[a])), name) < 0);
	return a < m->n && slice_same(slice_of(name_of(m->by_name[a])), name) ? m->by_name[a] : NULL;
}

const Pb__HloComputationProto *contents_body(struct hlo_contents *h, uint64_t program,
    const Pb__HloInstructionProto *i)
{
	const struct module *m = module_of(h, program);
	size_t body = i ? body_of(m, i) : SIZE_MAX;

	return body != SIZE_MAX && m->contents[body] ? m->by_id[body] : NULL;
}

bool contents_is(const Pb__HloInstructionProto *i)
{
	return i->opcode && strcmp(i->opcode, "parameter") && strcmp(i->opcode, "tuple");
}

size_t contents_missing(const struct hlo_contents *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++)
		n += !h->v[i].proto;
	return n;
}

size_t contents_endless(const struct hlo_contents *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++)
		n += h->v[i].endless;
	return n;
}
