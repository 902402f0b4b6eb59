#include "config.h"
#include "analyze/replay/nodes.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/device/peaks.h"
#include "analyze/pieces/spans.h"
#include "analyze/trace/clock.h"
#include "base/bisect.h"
#include "base/mem.h"
#include "model/stat.h"

#define SHORTEST_MOST 1e6 /* ps: a done that waits for nothing takes no longer */
#define WAITED 1e5        /* ps: one that takes so much longer than the shortest waited */

struct known {
	strid name;
	double flight;
};

VEC_ORDER(by_name, struct known, UP(name) UP(flight));

struct measure {
	const struct dump *dump;
	struct replay_core *c;
	struct async_span *span;
	size_t nspans, *taken;
	struct known *known;
	size_t nknown;
	uint32_t *late; /* pairs whose flight nothing tells */
	size_t nlate;
};

static strid name_of(const struct measure *m, const struct pair *p)
{
	return m->dump->trace.metas[m->c->node[p->done].meta].name;
}

static const struct async_span *next_span(struct measure *m, strid name)
{
	size_t a;

	BISECT(a, m->nspans, m->span[a].done < name);
	if (a + m->taken[a] >= m->nspans || m->span[a + m->taken[a]].done != name)
		return NULL;
	return &m->span[a + m->taken[a]++];
}

static void set_flight(struct measure *m, struct pair *p, double ready)
{
	const double d = (double)m->c->node[p->done].d, until = (double)p->until;

	p->flight = fmax(0, fmin(ready, until + d));
	p->base = d - fmax(0, p->flight - until);
	m->known[m->nknown++] = (struct known){ name_of(m, p), p->flight };
}

static void measure_one(struct measure *m, const struct done_op *o, double shortest)
{
	struct pair *p = &m->c->pair[o->pair];
	const double d = (double)m->c->node[p->done].d, until = (double)p->until;
	const struct async_span *s = next_span(m, name_of(m, p));

	if (s && s->start + s->dur > o->plain && o->plain_dur > 0)
		set_flight(m, p,
		    until + fmin(1, (double)(s->start + s->dur - o->plain) / (double)o->plain_dur) * d);
	else if (s)
		set_flight(m, p, fmin(until, (double)(s->start + s->dur - o->start_plain_end)));
	else if (d > shortest + WAITED)
		set_flight(m, p, until + d - shortest);
	else
		m->late[m->nlate++] = o->pair;
}

static double bytes_of_start(const struct measure *m, const struct pair *p)
{
	int64_t bytes = 0;

	if (p->start != NODE_NONE)
		stat_meta_int(m->dump, m->c->node[p->start].meta, "bytes_accessed", &bytes);
	return (double)bytes;
}

/* The median of those of its name, or what its bytes take. */
static void guess_flight(const struct measure *m, struct pair *p)
{
	const strid name = name_of(m, p);
	double flight = (double)p->until;
	struct peaks peaks;
	size_t a, b;

	BISECT(a, m->nknown, m->known[a].name < name);
	for (b = a; b < m->nknown && m->known[b].name == name;)
		b++;
	if (b > a)
		flight = m->known[a + (b - a - 1) / 2].flight;
	else if (m->c->node[p->done].group == GROUP_DMA && peaks_of_plane(m->dump, m->c->plane, &peaks) &&
	    peaks.hbm > 0)
		flight = floor(bytes_of_start(m, p) * 1000 / (peaks.hbm / 1e9));
	p->flight = fmin((double)p->until, flight);
	p->base = (double)m->c->node[p->done].d;
}

void flights_measure(const struct dump *d, struct replay_core *c, const struct done_op *done, size_t n)
{
	struct measure m = { .dump = d,
		.c = c,
		.known = xcalloc(n + 1, sizeof *m.known),
		.late = xcalloc(n + 1, sizeof *m.late) };
	double shortest = SHORTEST_MOST;

	m.span = n ? async_spans(d, c->plane, &m.nspans) : NULL;
	m.taken = xcalloc(m.nspans + 1, sizeof *m.taken);
	for (size_t i = 0; i < n; i++)
		if (c->pair[done[i].pair].done != NODE_NONE)
			shortest = fmin(shortest, (double)c->node[c->pair[done[i].pair].done].d);
	for (size_t i = 0; i < n; i++)
		if (c->pair[done[i].pair].done != NODE_NONE)
			measure_one(&m, &done[i], shortest);
	VEC_SORT(m.known, m.nknown, by_name);
	for (size_t i = 0; i < m.nlate; i++)
		guess_flight(&m, &c->pair[m.late[i]]);
	c->guessed = m.nlate;
	free(m.span);
	free(m.taken);
	free(m.known);
	free(m.late);
}
