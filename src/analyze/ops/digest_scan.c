#include "config.h"
#include "analyze/ops/internal.h"

#include "analyze/device/digest.h"

static bool arrays_fit(const Pb__DigestOps *m)
{
	size_t n = m->n_kind, mems = 0;

	for (size_t i = 0; i < m->n_has_mem; i++)
		mems += m->has_mem[i] != 0;
	return m->n_program == n && m->n_symbol == n && m->n_texts == n &&
	    m->n_number == n * DIGEST_NUMBERS && m->n_amount == n * DIGEST_AMOUNTS && m->n_has_mem == n &&
	    m->n_mem == mems * DIGEST_MEMS;
}

static Pb__DigestOps *ops_of_plane(const struct dump *d, uint32_t plane)
{
	Pb__DigestOps *m = NULL;
	size_t n;
	const uint8_t *bytes = digest_stat(d, plane, DIGEST_OPS_STAT, &n);

	if (bytes)
		m = pb__digest_ops__unpack(NULL, n, bytes);
	if (m && !arrays_fit(m)) {
		pb__digest_ops__free_unpacked(m, NULL);
		return NULL;
	}
	return m;
}

/* A digest with other measures is of another version, so that a program which cannot read it says so. */
_Static_assert(DIGEST_VERSION == 4 && DIGEST_NUMBERS == 6 && DIGEST_AMOUNTS == 5,
    "other measures: count DIGEST_VERSION up, and state here which version has how many");

void digest_put_op(const struct plane_op *o, int64_t *number, uint64_t *amount)
{
#define WHOLE(m, run) *number++ = o->sum.m;
#define AMOUNT(m, run) *amount++ = digest_bits(o->sum.m);
#include "analyze/ops/opsum.def"
	*amount++ = digest_bits(o->event_flops);
	*amount = digest_bits(o->event_bytes);
}

void digest_take_op(struct plane_op *o, const int64_t *number, const uint64_t *amount)
{
#define WHOLE(m, run) o->sum.m = *number++;
#define AMOUNT(m, run) o->sum.m = digest_double(*amount++);
#include "analyze/ops/opsum.def"
	o->event_flops = digest_double(*amount++);
	o->event_bytes = digest_double(*amount);
}

static struct plane_op op_of(const Pb__DigestOps *m, size_t i, uint32_t meta, const uint64_t *mem)
{
	struct plane_op o = { .program = m->program[i],
		.symbol = m->symbol[i],
		.meta = meta,
		.texts = m->texts[i] };

	digest_take_op(&o, m->number + i * DIGEST_NUMBERS, m->amount + i * DIGEST_AMOUNTS);
	o.sum.cores = 1;
	if (m->has_mem[i]) {
		double *to = &o.sum.mem[0][0];

		for (size_t k = 0; k < DIGEST_MEMS; k++)
			to[k] = digest_double(mem[k]);
		o.sum.has_mem = true;
	}
	return o;
}

bool digest_scan(struct plane_scan *p)
{
	Pb__DigestOps *m = ops_of_plane(p->dump, p->plane);
	const uint64_t *mem;
	uint32_t base;
	size_t kinds;

	if (!m)
		return false;
	p->first = INT64_MAX;
	p->last = INT64_MIN;
	base = digest_kinds(p->dump, p->plane, &kinds);
	mem = m->mem;
	for (size_t i = 0; i < m->n_kind && !p->window; i++) {
		if (m->kind[i] < kinds)
			VEC_ADD(p->v, p->n, p->cap, op_of(m, i, base + m->kind[i], mem));
		if (m->has_mem[i])
			mem += DIGEST_MEMS;
	}
	if (!p->window) {
		p->first = m->first;
		p->last = m->last;
		p->dropped = m->dropped;
		p->absurd = m->absurd;
		p->overlap = m->overlap;
	}
	pb__digest_ops__free_unpacked(m, NULL);
	return true;
}
