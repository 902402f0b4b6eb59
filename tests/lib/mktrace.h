/* Dumps for tests of views, said in names and without a file:
 *
 *	struct mktrace m = { 0 };
 *	mk_host(&m, "w-0");
 *	mk_plane(&m, "/device:TPU:0");
 *	mk_track(&m, "XLA Ops");
 *	mk_event(&m, "fusion.1", 1000, 500);
 *	struct dump *d = mk_done(&m);		… nested, classified, indexed; dump_close(d) ends it */
#ifndef TESTS_MKTRACE_H
#define TESTS_MKTRACE_H

#include <stdlib.h>
#include <string.h>

#include "analyze/device/classify.h"
#include "analyze/trace/links.h"
#include "model/dump.h"
#include "model/lod.h"

/* Below n; the same in every run. */
static inline uint64_t rnd(uint64_t n)
{
	static uint64_t seed = 88172645463325252u;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 11) % n;
}

struct mktrace {
	struct dump *d;
	int host;
	uint32_t plane, track;
};

static inline struct dump *mk_dump(struct mktrace *m)
{
	if (!m->d) {
		m->d = dump_new();
		dump_add_file(m->d,
		    &(struct file){ .path = (char *)"made.xplane.pb", .kind = FILE_XSPACE, .host = -1 });
		m->host = -1;
	}
	return m->d;
}

static inline void mk_host(struct mktrace *m, const char *name)
{
	mk_dump(m);
	m->host = dump_host(m->d, name, strlen(name));
}

static inline uint32_t mk_plane(struct mktrace *m, const char *name)
{
	struct plane p = { .host = mk_dump(m) ? m->host : -1, .core = -1, .sub = -1 };

	p.name = strtab_addz(&m->d->str, name);
	p.kind = plane_kind_of(name, strlen(name), &p.core, &p.sub);
	return m->plane = trace_add_plane(&m->d->trace, &p);
}

static inline uint32_t mk_track(struct mktrace *m, const char *name)
{
	struct track t = { .plane = m->plane, .file = 0, .last = -1 };

	t.name = strtab_addz(&m->d->str, name);
	t.role = track_role_of(name, strlen(name));
	return m->track = trace_add_track(&m->d->trace, &t);
}

static inline uint32_t mk_meta(struct mktrace *m, const char *name)
{
	struct evmeta e = { .name = strtab_addz(&m->d->str, name), .plane = m->plane, .file = -1 };

	for (size_t i = 0; i < m->d->trace.nmetas; i++)
		if (m->d->trace.metas[i].name == e.name && m->d->trace.metas[i].plane == m->plane)
			return (uint32_t)i;
	return trace_add_meta(&m->d->trace, &e);
}

static inline void mk_event(struct mktrace *m, const char *name, int64_t start, int64_t dur)
{
	uint32_t meta = mk_meta(m, name);
	struct track *t = &m->d->trace.tracks[m->track];

	if (!track_grow(t, t->n + 1) || !track_add(t, start, dur, meta, 0))
		abort();
}

static inline void mk_counter(struct mktrace *m, const char *name, const char *unit, int n, double step)
{
	struct counter c = { .plane = m->plane, .track = -1 };

	c.name = strtab_addz(&m->d->str, name);
	c.unit = strtab_addz(&m->d->str, unit);
	for (int i = 0; i < n; i++) {
		counter_add(&c, i * 10, i * step);
		c.min = i && c.min < i * step ? c.min : i * step;
		c.max = i && c.max > i * step ? c.max : i * step;
	}
	trace_add_counter(&m->d->trace, &c);
}

/* An arrow between events of a dump that is done. */
static inline void mk_link(struct dump *d, struct edge e)
{
	struct trace *t = &d->trace;
	struct links_found f = { t->edges, t->nedges, t->edges_cap, t->edge_by_dst, 0 };

	VEC_ADD(f.edges, f.n, f.cap, e);
	links_order(&f, NULL);
	t->edges = f.edges;
	t->nedges = f.n;
	t->edges_cap = f.cap;
	t->edge_by_dst = f.by_dst;
}

static inline struct dump *mk_done(struct mktrace *m)
{
	struct dump *d = mk_dump(m);

	for (size_t i = 0; i < d->trace.ntracks; i++)
		track_nest(&d->trace.tracks[i]);
	trace_span(&d->trace);
	classify(d);
	for (size_t i = 0; i < d->trace.ntracks; i++)
		if (d->trace.tracks[i].n && lod_build(&d->trace.tracks[i], d->trace.meta_class))
			abort();
	return d;
}

#endif
