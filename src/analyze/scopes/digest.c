#include "config.h"
#include "analyze/scopes/digest.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/scopes/internal.h"
#include "base/mem.h"

enum { CORE_NUMBERS = 4, OP_TEXTS = 4, OP_NUMBERS = 6, OP_RATES = 2 };

static uint32_t number_of(struct strtab *t, struct slice s)
{
	return s.n ? strtab_add(t, s.s, s.n) : 0;
}

static void put_leaf(const struct dump *d, const struct leaf *l, struct strtab *texts, Pb__DigestScopes *m)
{
	const struct slice text[OP_TEXTS] = { dump_text(d, l->name), l->scope, l->line, l->frames };

	for (int i = 0; i < OP_TEXTS; i++)
		m->op_text[m->n_op_text++] = number_of(texts, text[i]);
	memcpy(m->op + m->n_op,
	    (const int64_t[]){ l->op.self, l->op.count, l->op.gap, l->phase, l->comm, l->op.around },
	    OP_NUMBERS * sizeof *m->op);
	m->n_op += OP_NUMBERS;
	m->rate[m->n_rate++] = l->flops;
	m->rate[m->n_rate++] = l->hbm;
}

void scopes_digest(const struct core_times *t, struct digest_part *part)
{
	Pb__DigestScopes m = PB__DIGEST_SCOPES__INIT;
	struct arena text = { 0 };
	struct leaves l = { .text = &text };
	struct strtab texts;
	uint8_t *bytes;

	leaves_of_times(t, -1, NULL, &l);
	strtab_init(&texts);
	m.core = arena_alloc(&text, (l.ncores * CORE_NUMBERS + 1) * sizeof *m.core);
	m.op_text = arena_alloc(&text, (l.n * OP_TEXTS + 1) * sizeof *m.op_text);
	m.op = arena_alloc(&text, (l.n * OP_NUMBERS + 1) * sizeof *m.op);
	m.rate = arena_alloc(&text, (l.n * OP_RATES + 1) * sizeof *m.rate);
	for (size_t i = 0, at = 0; i < l.ncores; i++) {
		const size_t from = at;

		for (; at < l.n && l.v[at].core == i; at++)
			put_leaf(t->dump, &l.v[at], &texts, &m);
		memcpy(m.core + m.n_core,
		    (const int64_t[]){ l.core[i].number, l.core[i].tail, (int64_t)l.core[i].steps,
			(int64_t)(at - from) },
		    CORE_NUMBERS * sizeof *m.core);
		m.n_core += CORE_NUMBERS;
	}
	m.n_text = texts.n;
	m.text = arena_alloc(&text, (texts.n + 1) * sizeof *m.text);
	for (uint32_t i = 0; i < texts.n; i++)
		m.text[i] = (char *)arena_strndup(&text, strtab_str(&texts, i), strtab_len(&texts, i));
	bytes = xmalloc(pb__digest_scopes__get_packed_size(&m) + 1);
	digest_part_add(part, DIGEST_SCOPES_STAT, bytes, pb__digest_scopes__pack(&m, bytes));
	strtab_free(&texts);
	free(l.v);
	free(l.core);
	arena_free(&text);
}

/* --- and back --- */

struct reading {
	const struct core_times *times;
	const Pb__DigestScopes *m;
	struct slice *text; /* those of the message, in the arena */
	uint32_t *meta;     /* by name: a kind of event that has it, + 1 */
	struct leaves *out;
};

static void take_op(struct reading *r, size_t op, uint32_t core)
{
	const Pb__DigestScopes *m = r->m;
	const uint32_t *text = m->op_text + op * OP_TEXTS;
	const int64_t *v = m->op + op * OP_NUMBERS;
	struct leaf l = { .core = core, .meta = CUT_NONE, .mix = MIX_UNKNOWN };

	for (int i = 0; i < OP_TEXTS; i++)
		if (text[i] >= m->n_text)
			return;
	if (v[3] < 0 || v[3] >= PHASE_COUNT)
		return;
	l.scope = r->text[text[1]];
	l.line = r->text[text[2]];
	l.frames = r->text[text[3]];
	l.name = strtab_find(&r->times->dump->str, r->text[text[0]].s, r->text[text[0]].n);
	if (l.name != UINT32_MAX && r->meta[l.name])
		l.meta = r->meta[l.name] - 1;
	l.op = (struct time_op){ .self = v[0], .count = v[1], .gap = v[2], .around = v[5] };
	l.phase = (enum scope_phase)v[3];
	l.comm = v[4];
	l.flops = m->rate[op * OP_RATES];
	l.hbm = m->rate[op * OP_RATES + 1];
	VEC_ADD(r->out->v, r->out->n, r->out->cap, l);
}

static void take_message(struct reading *r, int core)
{
	const Pb__DigestScopes *m = r->m;
	const size_t n = m->n_op / OP_NUMBERS;
	struct leaves *out = r->out;
	size_t at = 0;

	if (m->n_op_text / OP_TEXTS < n || m->n_rate / OP_RATES < n)
		return;
	r->text = arena_alloc(out->text, (m->n_text + 1) * sizeof *r->text);
	for (size_t i = 0; i < m->n_text; i++)
		r->text[i] = (struct slice){ arena_strndup(out->text, m->text[i], strlen(m->text[i])),
			strlen(m->text[i]) };
	for (size_t i = 0; i + CORE_NUMBERS <= m->n_core; i += CORE_NUMBERS) {
		const int64_t *v = m->core + i;

		if (v[3] < 0 || (size_t)v[3] > n - at)
			return;
		if (core < 0 || v[0] == core) {
			VEC_ADD(out->core, out->ncores, out->cores_cap,
			    (struct leaf_core){ (int)v[0], v[1], v[2] > 0 ? (size_t)v[2] : 0 });
			for (size_t k = 0; k < (size_t)v[3]; k++)
				take_op(r, at + k, (uint32_t)out->ncores - 1);
		}
		at += (size_t)v[3];
	}
}

void leaves_of_digests(const struct core_times *t, int core, struct leaves *l)
{
	const struct dump *d = t->dump;
	struct reading r = { .times = t, .out = l };

	if (!digest_count(d))
		return;
	r.meta = xcalloc(d->str.n + 1, sizeof *r.meta);
	for (uint32_t i = (uint32_t)d->trace.nmetas; i-- > 0;)
		r.meta[d->trace.metas[i].name] = i + 1;
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		Pb__DigestScopes *m;
		const uint8_t *bytes;
		size_t n = 0;

		if (t->host && !dump_host_is(d, p->host, t->host))
			continue;
		bytes = digest_stat(d, i, DIGEST_SCOPES_STAT, &n);
		if (!n || !(m = pb__digest_scopes__unpack(NULL, n, bytes)))
			continue;
		r.m = m;
		take_message(&r, core);
		pb__digest_scopes__free_unpacked(m, NULL);
	}
	free(r.meta);
}
