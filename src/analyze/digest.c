#include "config.h"
#include "analyze/digest.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 6, AMOUNTS = 5, MEMS = SPACE_COUNT * ACCESS_COUNT, CELLS = METRIC_COUNT + 3 };

static bool take_message(void *ctx, const struct stat_value *v)
{
	Pb__DigestPlane **m = ctx;

	if (v->type != STAT_BYTES || v->name_len != strlen(DIGEST_STAT) ||
	    memcmp(v->name, DIGEST_STAT, v->name_len))
		return true;
	*m = pb__digest_plane__unpack(NULL, v->n, (const uint8_t *)v->s);
	return false;
}

static bool fits(const Pb__DigestPlane *m)
{
	size_t n = m->n_kind, mems = 0;

	for (size_t i = 0; i < m->n_has_mem; i++)
		mems += m->has_mem[i] != 0;
	return m->version == DIGEST_VERSION && m->n_program == n && m->n_symbol == n && m->n_texts == n &&
	       m->n_number == n * NUMBERS && m->n_amount == n * AMOUNTS && m->n_has_mem == n &&
	       m->n_mem == mems * MEMS && m->n_cell == m->n_step * CELLS;
}

Pb__DigestPlane *digest_of_plane(const struct dump *d, uint32_t plane)
{
	Pb__DigestPlane *m = NULL;

	if (strtab_find(&d->str, DIGEST_STAT, strlen(DIGEST_STAT)) == UINT32_MAX)
		return NULL;
	stats_of_plane(d, plane, take_message, &m);
	if (m && !fits(m)) {
		digest_free(m);
		return NULL;
	}
	return m;
}

void digest_free(Pb__DigestPlane *m)
{
	if (m)
		pb__digest_plane__free_unpacked(m, NULL);
}

size_t digest_count(const struct dump *d)
{
	size_t n = 0;
	int last = -1;

	if (strtab_find(&d->str, DIGEST_STAT, strlen(DIGEST_STAT)) == UINT32_MAX)
		return 0;
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		Pb__DigestPlane *m = p->kind == PLANE_TPU && p->file != last ? digest_of_plane(d, i) : NULL;

		if (m) {
			n++;
			last = p->file;
		}
		digest_free(m);
	}
	return n;
}

/* The kinds of a plane follow each other, in order of planes; what was added later stands behind. */
static uint32_t first_kind(const struct dump *d, uint32_t plane, size_t *n)
{
	const struct trace *t = &d->trace;
	size_t a = 0, b = t->nmetas;

	while (a < b) {
		size_t m = a + (b - a) / 2;

		if (t->metas[m].plane < plane)
			a = m + 1;
		else
			b = m;
	}
	for (b = a; b < t->nmetas && t->metas[b].plane == plane;)
		b++;
	*n = b - a;
	return (uint32_t)a;
}

uint64_t digest_bits(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	return __builtin_bswap64(bits);
}

double digest_double(uint64_t bits)
{
	double v;

	bits = __builtin_bswap64(bits);
	memcpy(&v, &bits, sizeof v);
	return v;
}

static struct plane_op op_of(const Pb__DigestPlane *m, size_t i, uint32_t meta, const uint64_t *mem)
{
	const int64_t *v = m->number + i * NUMBERS;
	double x[AMOUNTS];
	struct plane_op o = {
		.program = m->program[i], .symbol = m->symbol[i], .meta = meta, .texts = m->texts[i]
	};

	for (size_t k = 0; k < AMOUNTS; k++)
		x[k] = digest_double(m->amount[i * AMOUNTS + k]);
	o.event_flops = x[3];
	o.event_bytes = x[4];
	o.sum = (struct opsum){ .occurrences = v[0],
		.time = v[1],
		.self = v[2],
		.normalized = v[3],
		.dma = v[4],
		.min_time = v[5],
		.flops = x[0],
		.model_flops = x[1],
		.bytes = x[2],
		.cores = 1 };
	if (m->has_mem[i]) {
		double *to = &o.sum.mem[0][0];

		for (size_t k = 0; k < MEMS; k++)
			to[k] = digest_double(mem[k]);
		o.sum.has_mem = true;
	}
	return o;
}

bool digest_scan(struct plane_scan *p)
{
	Pb__DigestPlane *m = digest_of_plane(p->dump, p->plane);
	const uint64_t *mem;
	uint32_t base;
	size_t kinds;

	if (!m)
		return false;
	p->first = INT64_MAX;
	p->last = INT64_MIN;
	base = first_kind(p->dump, p->plane, &kinds);
	mem = m->mem;
	for (size_t i = 0; i < m->n_kind && !p->window; i++) {
		if (m->kind[i] < kinds) {
			VEC_PUSH(p->v, p->n, p->cap);
			p->v[p->n++] = op_of(m, i, base + m->kind[i], mem);
		}
		if (m->has_mem[i])
			mem += MEMS;
	}
	if (!p->window) {
		p->first = m->first;
		p->last = m->last;
		p->dropped = m->dropped;
		p->absurd = m->absurd;
		p->overlap = m->overlap;
	}
	digest_free(m);
	return true;
}

bool digest_cell(const Pb__DigestPlane *m, size_t event, struct step_core *c)
{
	for (size_t i = 0; i < m->n_step; i++) {
		const int64_t *v = m->cell + i * CELLS;

		if (m->step[i] != event)
			continue;
		*c = (struct step_core){ .crs = v[METRIC_COUNT],
			.async_done = v[METRIC_COUNT + 1],
			.nameless = v[METRIC_COUNT + 2] };
		memcpy(c->ps, v, sizeof c->ps);
		return true;
	}
	return false;
}
