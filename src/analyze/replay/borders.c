#include "config.h"
#include "analyze/replay/internal.h"

#include <stdlib.h>

#include "analyze/trace/clock.h"
#include "base/mem.h"

VEC_ORDER(in_time, struct border, UP(from) UP(to));
VEC_ORDER(by_name, struct border, UP(name));

static void read_borders(const struct dump *d, struct replay_core *c, enum track_role role, strid name)
{
	struct clock_names names = clock_names_of(d);

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, c->plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; i < t->n && t->role == role && t->file >= 0; i++) {
			struct border b = { .of_run = role == TRACK_MODULES,
				.name = d->trace.metas[track_meta(t, i)].name };
			int64_t dur;

			if (name && b.name != name)
				continue;
			if (b.of_run || !clock_pair(d, &names, t, i, &b.from, &dur))
				clock_plain(d, t, i, &b.from, &dur);
			b.to = b.from + dur;
			VEC_ADD(c->border, c->nborders, c->borders_cap, b);
		}
	}
	VEC_SORT(c->border, c->nborders, in_time);
}

/* Runs have times of the host's clock only: the first op in each moves it to the device's. */
static void move_runs(const struct dump *d, struct replay_core *c)
{
	struct clock_names names = clock_names_of(d);

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, c->plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];
		size_t next = 0, moved = SIZE_MAX;
		int64_t at = 0, by = 0;

		for (size_t i = 0; i < t->n && t->role == TRACK_OPS && t->file >= 0; i++) {
			int64_t plain, begin, dur;
			size_t first = SIZE_MAX;

			clock_plain(d, t, i, &plain, &dur);
			for (; next < c->nborders && c->border[next].from <= plain; next++)
				first = next;
			if (first != SIZE_MAX) {
				moved = plain < c->border[first].to ? first : SIZE_MAX;
				at = plain;
				by = 0;
			}
			/* of several that begin together on the host's clock, the first one */
			if (moved == SIZE_MAX || plain != at || !clock_pair(d, &names, t, i, &begin, &dur) ||
			    (first == SIZE_MAX && begin - plain >= by))
				continue;
			c->border[moved].from += begin - plain - by;
			c->border[moved].to += begin - plain - by;
			by = begin - plain;
		}
	}
}

/* Steps end where the next one begins; runs of a program last until then. */
static void cut_borders(struct replay_core *c, bool to_next)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nborders; i++) {
		struct border *b = &c->border[i];

		if (i + 1 < c->nborders && (to_next || c->border[i + 1].from < b->to))
			b->to = c->border[i + 1].from;
		if (b->to > b->from)
			c->border[n++] = *b;
	}
	c->nborders = n;
}

static bool are_unique(const struct replay_core *c)
{
	struct border *v = xmalloc((c->nborders + 1) * sizeof *v);
	bool unique = true;

	for (size_t i = 0; i < c->nborders; i++)
		v[i] = c->border[i];
	VEC_SORT(v, c->nborders, by_name);
	for (size_t i = 1; i < c->nborders; i++)
		unique &= v[i].name != v[i - 1].name;
	free(v);
	return unique;
}

/* Steps that all cores have, where their names tell them apart. */
static void keep_common(struct replay *r)
{
	uint32_t *count = xcalloc(r->dump->str.n + 1, sizeof *count);
	bool unique = true;

	for (size_t i = 0; i < r->ncores; i++) {
		unique &= are_unique(&r->core[i]);
		for (size_t k = 0; k < r->core[i].nborders; k++)
			count[r->core[i].border[k].name]++;
	}
	for (size_t i = 0; i < r->ncores && unique; i++) {
		struct replay_core *c = &r->core[i];
		size_t n = 0;

		for (size_t k = 0; k < c->nborders; k++)
			if (count[c->border[k].name] == r->ncores)
				c->border[n++] = c->border[k];
		c->nborders = n;
	}
	free(count);
}

/* The program that takes most time; 0: there is none. */
static strid main_program(const struct replay *r)
{
	const struct dump *d = r->dump;
	double *time = xcalloc(d->str.n + 1, sizeof *time);
	strid most = 0;

	for (size_t i = 0; i < r->ncores; i++)
		for (uint32_t k = UINT32_MAX;
		     (k = trace_track_of(&d->trace, r->core[i].plane, k)) < d->trace.ntracks;) {
			const struct track *t = &d->trace.tracks[k];

			for (size_t e = 0; e < t->n && t->role == TRACK_MODULES && t->file >= 0; e++) {
				const strid name = d->trace.metas[track_meta(t, e)].name;
				int64_t start, dur;

				clock_plain(d, t, e, &start, &dur);
				time[name] += (double)dur;
				if (!most || time[name] > time[most])
					most = name;
			}
		}
	free(time);
	return most;
}

void borders_find(struct replay *r, const uint32_t *plane, size_t n)
{
	const struct dump *d = r->dump;
	bool line = n > 0;
	strid program;

	r->core = xcalloc(n + 1, sizeof *r->core);
	r->ncores = n;
	for (size_t i = 0; i < n; i++) {
		r->core[i] = (struct replay_core){ .plane = plane[i],
			.host = d->trace.planes[plane[i]].host,
			.core = d->trace.planes[plane[i]].core };
		read_borders(d, &r->core[i], TRACK_STEPS, 0);
		line &= r->core[i].nborders > 0;
	}
	program = line ? 0 : main_program(r);
	for (size_t i = 0; i < n; i++) {
		if (!line) {
			r->core[i].nborders = 0;
			if (program)
				read_borders(d, &r->core[i], TRACK_MODULES, program);
			move_runs(d, &r->core[i]);
		}
		cut_borders(&r->core[i], !line);
	}
	if (line)
		keep_common(r);
}
