#include "config.h"
#include "analyze/kernels/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void key_put(struct kernels_making *m, const void *bytes, size_t n)
{
	if (m->key.n + n > m->key.cap) {
		m->key.cap = (m->key.n + n) * 2;
		m->key.s = xrealloc(m->key.s, m->key.cap, 1);
	}
	if (n)
		memcpy(m->key.s + m->key.n, bytes, n);
	m->key.n += n;
}

static void key_put_text(struct kernels_making *m, struct slice t)
{
	key_put(m, &t.n, sizeof t.n);
	key_put(m, t.s, t.n);
}

/* --- the op of a kernel --- */

static struct slice text_before(struct slice t, char end, bool last)
{
	const char *p = t.n ? (last ? memrchr(t.s, end, t.n) : memchr(t.s, end, t.n)) : NULL;

	return p ? (struct slice){ t.s, (size_t)(p - t.s) } : t;
}

static struct slice last_part(struct slice t)
{
	struct slice rest = t;

	for (const char *p; (p = slice_find(rest, "::"));)
		rest = (struct slice){ p + 2, (size_t)(t.s + t.n - p - 2) };
	return rest;
}

/* As XProf: the op of the HLO instruction, else what tf_op says, which is only "XlaModule:" for programs of XLA. */
static struct slice op_of(struct kernels_making *m, strid external)
{
	const struct sight *s = &m->sight;
	struct slice tf_op = sight_text(s, SIGHT_TF_OP), op = { "", 0 };

	if (external)
		return dump_text(m->k->dump, external);
	if (!slice_begins(tf_op, "XlaModule"))
		op = text_before(tf_op, ':', true);
	if (sight_text(s, SIGHT_HLO_OP).n) {
		struct slice found = kernel_programs_op(&m->programs, m->k->dump,
		    SIGHT_HAS(s, SIGHT_PROGRAM) ? (uint64_t)s->whole[SIGHT_PROGRAM] : 0,
		    last_part(sight_text(s, SIGHT_HLO_OP)));

		op = found.s ? found : op;
	}
	return op;
}

/* --- rows --- */

static struct slice keep_text(struct kernels_making *m, struct slice t)
{
	return strtab_text(&m->k->text, strtab_add(&m->k->text, t.s, t.n));
}

static uint32_t row_of(struct kernels_making *m, struct slice name, struct slice op,
    const struct kernel_shape *s, double occupancy)
{
	struct kernels *k = m->k;
	struct kernel *row;
	uint32_t i;

	m->key.n = 0;
	key_put(m, s->block, sizeof s->block);
	key_put(m, s->grid, sizeof s->grid);
	key_put(m, &s->registers, sizeof s->registers);
	key_put(m, &s->static_shared, sizeof s->static_shared);
	key_put(m, &s->dynamic_shared, sizeof s->dynamic_shared);
	key_put_text(m, name);
	key_put_text(m, op);
	i = strtab_add(&m->rows, m->key.s, m->key.n) - 1;
	if (i == k->n) {
		VEC_PUSH(k->v, k->n, m->row_cap);
		k->v[k->n++] = (struct kernel){
			.name = keep_text(m, name),
			.op = keep_text(m, op),
			.shape = *s,
			.uses = kernel_uses_matrix_unit(name),
		};
		k->v[i].eligible = k->v[i].uses || kernel_op_is_eligible(op);
	}
	row = &k->v[i];
	row->occupancy = occupancy > row->occupancy ? occupancy : row->occupancy;
	row->shape.lds = s->lds > row->shape.lds ? s->lds : row->shape.lds;
	row->shape.scratch = s->scratch > row->shape.scratch ? s->scratch : row->shape.scratch;
	return i;
}

static uint32_t op_row_of(struct kernels_making *m, struct slice op)
{
	struct kernels *k = m->k;
	strid i;

	m->key.n = 0;
	key_put_text(m, op); /* never empty, because of the length */
	i = strtab_add(&m->ops, m->key.s, m->key.n) - 1;
	if (i == k->nops)
		VEC_ADD(k->ops, k->nops, m->op_cap, (struct kernel_op){ .name = keep_text(m, op) });
	return i;
}

/* The row and the op of the event that was read last. */
struct kernel_variant kernel_variant_of(struct kernels_making *m, uint32_t meta)
{
	const struct sight *s = &m->sight;
	struct slice name = dump_text(m->k->dump, m->k->dump->trace.metas[meta].name), op;
	strid id,
	    external = SIGHT_HAS(s, SIGHT_EXTERNAL)
	    ? kernel_externals_name(&m->externals, s->whole[SIGHT_EXTERNAL])
	    : 0;
	struct kernel_shape shape;
	double occupancy;

	m->key.n = 0;
	key_put(m, &meta, sizeof meta);
	key_put(m, &external, sizeof external);
	for (int i = 0; i < SIGHT_TEXTS; i++)
		key_put_text(m, sight_text(s, i));
	for (int i = SIGHT_PROGRAM; i < SIGHT_STATS; i++) {
		bool has = i != SIGHT_EXTERNAL && SIGHT_HAS(s, i);

		key_put(m, &has, sizeof has);
		key_put(m, &s->whole[i], has ? sizeof s->whole[i] : 0);
		key_put(m, &s->number[i], has ? sizeof s->number[i] : 0);
	}
	id = strtab_add(&m->variants, m->key.s, m->key.n) - 1;
	if (id < m->variant_cap && m->variant[id].row != UINT32_MAX)
		return m->variant[id];
	if (id >= m->variant_cap) {
		size_t cap = (size_t)id * 2 + 64;

		m->variant = xrealloc(m->variant, cap, sizeof *m->variant);
		memset(m->variant + m->variant_cap, 0xff, (cap - m->variant_cap) * sizeof *m->variant);
		m->variant_cap = cap;
	}
	sight_shape(s, &shape, &occupancy);
	op = op_of(m, external);
	m->variant[id].row = row_of(m, name, op, &shape, occupancy);
	if (!op.n) /* captures of TensorFlow before it had tf_op */
		op = text_before(sight_text(s, SIGHT_ANNOTATION), '#', false);
	m->variant[id].op = op_row_of(m, op);
	return m->variant[id];
}
