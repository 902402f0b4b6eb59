#include "config.h"
#include "analyze/communication/digest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/communication/internal.h"
#include "analyze/device/digest.h"
#include "base/clamp.h"
#include "base/mem.h"

/* The numbers of a struct, in the order of the message. */
enum { CORE_NUMBERS = 10, STEP_NUMBERS = 5, OP_NUMBERS = 18 };
#define CORE(x) \
	{ \
		&(x)->inflight, &(x)->hidden, &(x)->exposed, &(x)->other, &(x)->wait, &(x)->compute, \
		    &(x)->last, &(x)->first \
	}
#define STEP(x) \
	{ \
		&(x)->inflight, &(x)->hidden, &(x)->exposed, &(x)->other, &(x)->wait \
	}
#define OP(x) \
	{ \
		&(x)->group_size, &(x)->count, &(x)->wall, &(x)->hidden, &(x)->exposed, &(x)->wait, \
		    &(x)->barrier, &(x)->wire, &(x)->bytes, &(x)->runs_hidden, &(x)->runs_partly, \
		    &(x)->runs_exposed, &(x)->unpaired, &(x)->save \
	}

static char *copy_of(struct arena *a, const char *s, size_t n)
{
	return s ? (char *)arena_strndup(a, s, n) : NULL;
}

static char *text_of(struct arena *a, const char *s)
{
	return s ? copy_of(a, s, strlen(s)) : NULL;
}

static Pb__DigestCommunicationOp *op_message(struct arena *a, struct comm_op o)
{
	Pb__DigestCommunicationOp *m = arena_alloc(a, sizeof *m);
	const int64_t *const number[] = OP(&o);

	*m = (Pb__DigestCommunicationOp)PB__DIGEST_COMMUNICATION_OP__INIT;
	m->name = copy_of(a, o.name.s, o.name.n);
	m->done = o.done.n ? copy_of(a, o.done.s, o.done.n) : NULL;
	m->groups = text_of(a, o.groups);
	m->axis = text_of(a, o.axis);
	m->hidden_by = text_of(a, o.hidden_by);
	m->source = o.source.n ? copy_of(a, o.source.s, o.source.n) : NULL;
	m->tf_op = o.tf_op.n ? copy_of(a, o.tf_op.s, o.tf_op.n) : NULL;
	m->has_program = o.has_program;
	m->program = o.program;
	m->has_peak = !isnan(o.peak);
	m->peak = o.peak;
	m->n_number = OP_NUMBERS;
	m->number = arena_alloc(a, OP_NUMBERS * sizeof *m->number);
	memcpy(m->number, (const int64_t[]){ o.kind, o.mode, o.to_host, o.sparse }, 4 * sizeof *m->number);
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		m->number[4 + i] = *number[i];
	return m;
}

static void put_cores(const struct communication *c, struct arena *a, Pb__DigestCommunication *m)
{
	size_t at = 0;

	m->core = arena_alloc(a, (c->ncores * CORE_NUMBERS + 1) * sizeof *m->core);
	m->step = arena_alloc(a, (c->nsteps * STEP_NUMBERS + 1) * sizeof *m->step);
	for (size_t i = 0; i < c->ncores; i++) {
		struct comm_core x = c->core[i];
		const int64_t *const number[] = CORE(&x);
		size_t first = at;

		m->core[m->n_core++] = x.core;
		for (size_t k = 0; k < CORE_NUMBERS - 2; k++)
			m->core[m->n_core++] = *number[k];
		for (; at < c->nsteps && c->step[at].host == x.host && c->step[at].core == x.core; at++) {
			struct comm_step s = c->step[at];
			const int64_t *const of_step[] = STEP(&s);

			for (size_t k = 0; k < STEP_NUMBERS; k++)
				m->step[m->n_step++] = *of_step[k];
		}
		m->core[m->n_core++] = (int64_t)(at - first);
	}
}

void communication_digest(const struct communication *c, struct digest_part *part)
{
	Pb__DigestCommunication m = PB__DIGEST_COMMUNICATION__INIT;
	struct arena a = { 0 };
	uint8_t *bytes;

	put_cores(c, &a, &m);
	m.op = arena_alloc(&a, (c->nops + c->ncopies + 1) * sizeof(void *));
	for (size_t i = 0; i < c->nops; i++)
		m.op[m.n_op++] = op_message(&a, c->op[i]);
	for (size_t i = 0; i < c->ncopies; i++)
		m.op[m.n_op++] = op_message(&a, c->copy[i]);
	m.has_save = m.has_fused = m.has_unpaired = true;
	m.save = c->save;
	m.fused = c->fused;
	m.unpaired = c->unpaired;
	m.n_sparse = 3;
	m.sparse = (int64_t[]){ c->sparse.busy, c->sparse.tensor, c->sparse.both };
	bytes = xmalloc(pb__digest_communication__get_packed_size(&m) + 1);
	digest_part_add(part, DIGEST_COMMUNICATION_STAT, bytes, pb__digest_communication__pack(&m, bytes));
	arena_free(&a);
}

/* --- and back --- */

static struct slice text_back(struct arena *a, const char *s)
{
	return s ? (struct slice){ arena_strndup(a, s, strlen(s)), strlen(s) } : (struct slice){ "", 0 };
}

static bool take_op(struct communication *c, const Pb__DigestCommunicationOp *m, struct comm_op *o)
{
	int64_t *const number[] = OP(o);

	if (m->n_number != OP_NUMBERS || m->number[0] <= COMM_NONE || m->number[0] >= COMM_KINDS ||
	    m->number[1] < 0 || m->number[1] > MODE_NETWORK)
		return false;
	*o = (struct comm_op){ .kind = (enum comm_kind)m->number[0],
		.mode = (enum comm_mode)m->number[1],
		.to_host = m->number[2],
		.sparse = m->number[3],
		.name = text_back(&c->text, m->name),
		.done = text_back(&c->text, m->done),
		.groups = m->groups ? text_back(&c->text, m->groups).s : NULL,
		.axis = m->axis ? text_back(&c->text, m->axis).s : NULL,
		.hidden_by = m->hidden_by ? text_back(&c->text, m->hidden_by).s : NULL,
		.source = text_back(&c->text, m->source),
		.tf_op = text_back(&c->text, m->tf_op),
		.program = m->program,
		.has_program = m->has_program,
		.meta = CUT_NONE,
		.peak = m->has_peak ? m->peak : NAN };
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		*number[i] = m->number[4 + i];
	return true;
}

/* The markers of a core are in the file, as its steps. */
static void take_steps(struct communication *c, const struct steps *steps, const struct comm_core *core,
    const int64_t *v, size_t n)
{
	const struct step *row;

	if (steps_of_core(steps, core->host, core->core, &row) != n)
		return;
	for (size_t i = 0; i < n; i++) {
		struct comm_step *s = &c->step[c->nsteps++];
		int64_t *const number[] = STEP(s);

		*s = (struct comm_step){ .host = core->host, .core = core->core, .of = &row[i] };
		for (size_t k = 0; k < STEP_NUMBERS; k++)
			*number[k] = v[i * STEP_NUMBERS + k];
	}
	c->steps = n > c->steps ? n : c->steps;
}

static void take_cores(struct communication *c, const struct steps *steps, int host,
    const Pb__DigestCommunication *m)
{
	size_t at = 0;

	c->core = xrealloc(c->core, c->ncores + m->n_core / CORE_NUMBERS + 1, sizeof *c->core);
	c->step = xrealloc(c->step, c->nsteps + m->n_step / STEP_NUMBERS + 1, sizeof *c->step);
	for (size_t i = 0; i + CORE_NUMBERS <= m->n_core; i += CORE_NUMBERS) {
		struct comm_core *x = &c->core[c->ncores++];
		int64_t *const number[] = CORE(x);
		const int64_t n = m->core[i + CORE_NUMBERS - 1];

		*x = (struct comm_core){ .host = host, .core = (int)m->core[i] };
		for (size_t k = 0; k < CORE_NUMBERS - 2; k++)
			*number[k] = m->core[i + 1 + k];
		if (n < 0 || (size_t)n > m->n_step / STEP_NUMBERS - at)
			return;
		take_steps(c, steps, x, m->step + at * STEP_NUMBERS, (size_t)n);
		at += (size_t)n;
	}
}

/* Sums of several hosts; what is known of one alone is not known of all. */
static void add_known(int64_t *to, int64_t more)
{
	*to = *to < 0 || more < 0 ? -1 : add_clamped(*to, more);
}

static void join_ops(struct comm_op *o, const struct comm_op *more)
{
	o->count = add_clamped(o->count, more->count);
	o->wall = add_clamped(o->wall, more->wall);
	add_known(&o->hidden, more->hidden);
	add_known(&o->exposed, more->exposed);
	add_known(&o->wait, more->wait);
	add_known(&o->barrier, more->barrier);
	o->wire = add_clamped(o->wire, more->wire);
	o->runs_hidden = add_clamped(o->runs_hidden, more->runs_hidden);
	o->runs_partly = add_clamped(o->runs_partly, more->runs_partly);
	o->runs_exposed = add_clamped(o->runs_exposed, more->runs_exposed);
	o->unpaired = add_clamped(o->unpaired, more->unpaired);
	o->save = more->save && (!o->save || more->save < o->save) ? more->save : o->save;
	o->hidden_by = NULL;
}

static int by_op(const void *a, const void *b)
{
	const struct comm_op *x = a, *y = b;
	const int names = slice_order(x->name, y->name);

	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	if (names)
		return names;
	return x->sparse != y->sparse ? x->sparse - y->sparse : (int)x->kind - (int)y->kind;
}

static void join_all(struct communication *c)
{
	size_t n = 0;

	VEC_SORT(c->op, c->nops, by_op);
	for (size_t i = 0; i < c->nops; i++)
		if (n && !by_op(&c->op[n - 1], &c->op[i]))
			join_ops(&c->op[n - 1], &c->op[i]);
		else
			c->op[n++] = c->op[i];
	c->nops = n;
}

static void take_message(struct communication *c, const struct core_times *t, const struct comm_options *o,
    int host, const Pb__DigestCommunication *m)
{
	take_cores(c, t->steps, host, m);
	if (o->step || o->core >= 0) { /* the rest is of all cores and steps */
		c->save = c->fused = c->unpaired = -1;
		return;
	}
	c->op = xrealloc(c->op, c->nops + m->n_op + 1, sizeof *c->op);
	for (size_t i = 0; i < m->n_op; i++)
		c->nops += take_op(c, m->op[i], &c->op[c->nops]);
	c->save = c->save && m->save > c->save ? c->save : m->save;
	add_known(&c->fused, m->has_fused ? m->fused : -1);
	c->unpaired = add_clamped(c->unpaired, m->unpaired);
	if (m->n_sparse == 3 && m->sparse[0] >= 0) {
		c->sparse.busy = add_clamped(c->sparse.busy < 0 ? 0 : c->sparse.busy, m->sparse[0]);
		c->sparse.tensor = add_clamped(c->sparse.tensor < 0 ? 0 : c->sparse.tensor, m->sparse[1]);
		c->sparse.both = add_clamped(c->sparse.both < 0 ? 0 : c->sparse.both, m->sparse[2]);
	}
}

bool comm_of_digests(const struct core_times *t, const struct comm_options *o, struct communication *c)
{
	const struct dump *d = t->dump;
	bool any = false;

	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		Pb__DigestCommunication *m;
		const uint8_t *bytes;
		size_t n = 0;

		if (o->host && !dump_host_is(d, p->host, o->host))
			continue;
		bytes = digest_stat(d, i, DIGEST_COMMUNICATION_STAT, &n);
		m = n ? pb__digest_communication__unpack(NULL, n, bytes) : NULL;
		if (!m)
			continue;
		if (!any)
			c->sparse.busy = c->sparse.tensor = c->sparse.both = -1;
		take_message(c, t, o, p->host, m);
		pb__digest_communication__free_unpacked(m, NULL);
		any = true;
	}
	if (any)
		join_all(c);
	return any;
}
