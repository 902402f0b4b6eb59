#include "config.h"
#include "analyze/hlo_contents.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct module {
	uint64_t program;
	Pb__HloProto *proto; /* NULL: none, or not readable */
	const Pb__HloInstructionProto **by_name;
	size_t n;
	const Pb__HloComputationProto **by_id;
	size_t ncomputations;
};

struct hlo_contents {
	const struct dump *dump;
	struct module *v;
	size_t n, cap;
};

struct hlo_contents *hlo_contents_new(const struct dump *d)
{
	struct hlo_contents *h = xcalloc(1, sizeof *h);

	h->dump = d;
	return h;
}

void hlo_contents_free(struct hlo_contents *h)
{
	for (size_t i = 0; i < h->n; i++) {
		if (h->v[i].proto)
			pb__hlo_proto__free_unpacked(h->v[i].proto, NULL);
		free(h->v[i].by_name);
		free(h->v[i].by_id);
	}
	free(h->v);
	free(h);
}

static bool take_proto(void *ctx, const struct stat_value *v)
{
	Pb__HloProto **proto = ctx;

	if (v->type != STAT_BYTES || v->name_len != 9 || memcmp(v->name, "Hlo Proto", 9))
		return true;
	*proto = pb__hlo_proto__unpack(NULL, v->n, (const uint8_t *)v->s);
	return false;
}

static Pb__HloProto *read_proto(const struct dump *d, uint64_t program)
{
	Pb__HloProto *proto = NULL;
	char tail[24];
	size_t n = (size_t)snprintf(tail, sizeof tail, "(%" PRIu64 ")", program);

	for (uint32_t i = 0; i < d->trace.nmetas && !proto; i++) {
		const struct evmeta *m = &d->trace.metas[i];
		struct optext t = op_text(d, m->name);

		if (m->plane != UINT32_MAX && d->trace.planes[m->plane].kind == PLANE_META && t.n >= n &&
		    !memcmp(t.s + t.n - n, tail, n))
			stats_of_meta(d, i, take_proto, &proto);
	}
	return proto;
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

static int by_id(const void *a, const void *b)
{
	const Pb__HloComputationProto *const *x = a, *const *y = b;

	return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
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
	if (m->n)
		qsort(m->by_name, m->n, sizeof *m->by_name, by_name);
	if (m->ncomputations)
		qsort(m->by_id, m->ncomputations, sizeof *m->by_id, by_id);
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

const Pb__HloInstructionProto *hlo_instruction(struct hlo_contents *h, uint64_t program, struct optext name)
{
	const struct module *m = module_of(h, program);
	size_t a = 0, b = m->n;

	while (a < b) {
		size_t mid = a + (b - a) / 2;
		const char *s = name_of(m->by_name[mid]);
		size_t n = strlen(s);
		int c = memcmp(s, name.s, n < name.n ? n : name.n);

		c = c ? c : (n > name.n) - (n < name.n);
		if (!c)
			return m->by_name[mid];
		if (c < 0)
			a = mid + 1;
		else
			b = mid;
	}
	return NULL;
}

const Pb__HloComputationProto *hlo_body(
    struct hlo_contents *h, uint64_t program, const Pb__HloInstructionProto *i)
{
	const struct module *m = module_of(h, program);
	size_t a = 0, b = m->ncomputations;

	if (!i || !i->opcode || strcmp(i->opcode, "fusion") || !i->n_called_computation_ids)
		return NULL;
	while (a < b) {
		size_t mid = a + (b - a) / 2;
		int64_t id = m->by_id[mid]->id;

		if (id == i->called_computation_ids[0])
			return m->by_id[mid];
		if (id < i->called_computation_ids[0])
			a = mid + 1;
		else
			b = mid;
	}
	return NULL;
}

bool hlo_is_content(const Pb__HloInstructionProto *i)
{
	return i->opcode && strcmp(i->opcode, "parameter") && strcmp(i->opcode, "tuple");
}

size_t hlo_missing(const struct hlo_contents *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++)
		n += !h->v[i].proto;
	return n;
}
