#include "config.h"
#include "analyze/idle/digest.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/idle/internal.h"
#include "base/mem.h"

/* Numbers of a core: its number, four times, the causes, its steps; of a step: two times and the causes. */
enum { CORE_NUMBERS = 6 + IDLE_CAUSES, STEP_NUMBERS = 2 + IDLE_CAUSES };

void idle_digest(const struct idle *v, struct digest_part *part)
{
	Pb__DigestIdle m = PB__DIGEST_IDLE__INIT;
	uint8_t *bytes;
	size_t at = 0;

	m.core = xcalloc(v->ncores * CORE_NUMBERS + 1, sizeof *m.core);
	m.step = xcalloc(v->nsteps * STEP_NUMBERS + 1, sizeof *m.step);
	for (size_t i = 0; i < v->ncores; i++) {
		const struct idle_core *c = &v->core[i];
		int64_t *to = m.core + m.n_core, n = 0;

		for (; at < v->nsteps && v->step[at].host == c->host && v->step[at].core == c->core;
		     at++, n++) {
			const struct idle_core *s = &v->step[at];

			m.step[m.n_step] = s->window;
			m.step[m.n_step + 1] = s->idle;
			memcpy(m.step + m.n_step + 2, s->cause, sizeof s->cause);
			m.n_step += STEP_NUMBERS;
		}
		memcpy(to, (const int64_t[]){ c->core, c->window, c->idle, c->overlap, c->infeed },
		    5 * sizeof *to);
		memcpy(to + 5, c->cause, sizeof c->cause);
		to[CORE_NUMBERS - 1] = n;
		m.n_core += CORE_NUMBERS;
	}
	bytes = xmalloc(pb__digest_idle__get_packed_size(&m) + 1);
	digest_part_add(part, DIGEST_IDLE_STAT, bytes, pb__digest_idle__pack(&m, bytes));
	free(m.core);
	free(m.step);
}

static void take_steps(struct idle *v, const struct steps *steps, const struct idle_core *core,
    const int64_t *from, size_t n, const struct idle_options *o)
{
	const struct step *row;

	if (steps_of_core(steps, core->host, core->core, &row) < n)
		return;
	for (size_t i = 0; i < n; i++, from += STEP_NUMBERS) {
		struct idle_core s = { .host = core->host,
			.core = core->core,
			.step = &row[i],
			.window = from[0],
			.idle = from[1],
			.overlap = -1,
			.infeed = -1 };

		memcpy(s.cause, from + 2, sizeof s.cause);
		if (!o->step || steps_is(s.step, o->step))
			v->step[v->nsteps++] = s;
	}
}

static void take_message(struct idle *v, const struct steps *steps, const struct idle_options *o, int host,
    const Pb__DigestIdle *m)
{
	const size_t nsteps = m->n_step / STEP_NUMBERS;
	size_t at = 0;

	v->core =
	    xrealloc(v->core, v->ncores + m->n_core / CORE_NUMBERS + v->nsteps + nsteps + 1, sizeof *v->core);
	v->step = xrealloc(v->step, v->nsteps + nsteps + 1, sizeof *v->step);
	for (size_t i = 0; i + CORE_NUMBERS <= m->n_core; i += CORE_NUMBERS) {
		const int64_t *from = m->core + i, n = from[CORE_NUMBERS - 1];
		struct idle_core c = { .host = host,
			.core = (int)from[0],
			.window = from[1],
			.idle = from[2],
			.overlap = from[3],
			.infeed = from[4] };

		if (n < 0 || (size_t)n > nsteps - at)
			return;
		memcpy(c.cause, from + 5, sizeof c.cause);
		if (o->core < 0 || c.core == o->core) {
			v->core[v->ncores++] = c;
			idle_add(&v->sum, &c);
			take_steps(v, steps, &c, m->step + at * STEP_NUMBERS, (size_t)n, o);
		}
		at += (size_t)n;
	}
}

void idle_of_digests(const struct core_times *t, const struct idle_options *o, struct idle *v)
{
	const struct dump *d = t->dump;

	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		const uint8_t *bytes;
		Pb__DigestIdle *m;
		size_t n = 0;

		if (o->host && !dump_host_is(d, p->host, o->host))
			continue;
		bytes = digest_stat(d, i, DIGEST_IDLE_STAT, &n);
		m = n ? pb__digest_idle__unpack(NULL, n, bytes) : NULL;
		if (!m)
			continue;
		take_message(v, t->steps, o, p->host, m);
		pb__digest_idle__free_unpacked(m, NULL);
	}
}
