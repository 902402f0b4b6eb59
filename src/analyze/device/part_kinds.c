#include "config.h"
#include "analyze/device/part_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LOOKS 4
#define SEEN_BITS (UINT64_C(1) << 24)

struct parts {
	struct dump *d;
	size_t metas;      /* those of the file */
	uint32_t *program; /* by meta: number of the program whose run it is, from 1 */
	uint32_t programs;
	uint8_t *looks;   /* by meta: ops whose args were read, at most LOOKS */
	bool *mixed;      /* by meta: its ops state several categories */
	uint64_t *seen;   /* a bit for programs with kinds */
	struct strtab of; /* kinds with a category: that of entry k + 1 is made[k] */
	uint32_t *made;
	size_t n, cap;
};

/* Texts of an event, interned while they can be read; 0 = it has none. */
struct wanted {
	struct dump *d;
	strid category, long_name;
};

static bool take_category(void *ctx, const struct stat_value *v)
{
	struct wanted *w = ctx;

	if (v->type != STAT_STR || !stat_is(v, "hlo_category"))
		return true;
	w->category = strtab_add(&w->d->str, v->s, v->n);
	return false;
}

static bool take_long_name(void *ctx, const struct stat_value *v)
{
	struct wanted *w = ctx;

	if (v->type != STAT_STR || !stat_is(v, "long_name"))
		return true;
	if (v->n && v->n < UINT32_MAX)
		w->long_name = strtab_add(&w->d->str, v->s, v->n);
	return false;
}

static uint32_t new_kind(struct dump *d, const struct track *t, size_t i, strid category)
{
	struct evmeta m = d->trace.metas[track_meta(t, i)];
	struct wanted w = { .d = d };

	stats_of_event(d, t, i, take_long_name, &w);
	m.category = category;
	m.full = NULL;
	m.full_len = 0;
	if (w.long_name && w.long_name != m.name) {
		m.full = strtab_str(&d->str, w.long_name);
		m.full_len = (uint32_t)strtab_len(&d->str, w.long_name);
	}
	VEC_ADD(d->trace.metas, d->trace.nmetas, d->trace.metas_cap, m);
	return (uint32_t)(d->trace.nmetas - 1);
}

/* Returns the kind of an event's name and category. */
static uint32_t part_of(struct parts *p, const struct track *t, size_t i, strid id)
{
	const uint32_t of[] = { track_meta(t, i), id };
	strid entry = strtab_add(&p->of, (const char *)of, sizeof of);

	if (entry > p->n)
		VEC_ADD(p->made, p->n, p->cap, new_kind(p->d, t, i, id));
	return p->made[entry - 1];
}

/* Does the event state another category than that of its kind? */
static bool differs(struct dump *d, const struct track *t, size_t i, struct wanted *w)
{
	strid own = d->trace.metas[track_meta(t, i)].category;

	*w = (struct wanted){ .d = d };
	if (own)
		stats_of_event(d, t, i, take_category, w);
	return own && w->category && w->category != own;
}

/* Marks the kinds that have to be parted.  Args are read of the first ops of a kind, and of the first in each
 * program, as far as the times of the runs tell: few of many. */
static void find_mixed(struct parts *p, const struct track *t, const struct track *runs)
{
	size_t run = 0;

	for (size_t i = 0; i < t->n; i++) {
		uint32_t meta = track_meta(t, i);
		uint64_t bit;
		struct wanted w;

		while (run < runs->n && track_start(runs, run) <= track_start(t, i))
			run++;
		bit = ((uint64_t)(run ? p->program[track_meta(runs, run - 1)] : 0) * p->metas + meta) %
		    SEEN_BITS;
		if (p->mixed[meta] || (p->looks[meta] >= LOOKS && p->seen[bit / 64] >> bit % 64 & 1))
			continue;
		p->seen[bit / 64] |= UINT64_C(1) << bit % 64;
		p->looks[meta] += p->looks[meta] < LOOKS;
		p->mixed[meta] = differs(p->d, t, i, &w);
	}
}

static void part_track(struct parts *p, struct track *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct wanted w;

		if (p->mixed[track_meta(t, i)] && differs(p->d, t, i, &w))
			track_set_meta(t, i, part_of(p, t, i, w.category));
	}
}

/* Returns the runs of programs of several names on the plane; NULL: it has none, or is not of a converted
 * trace. */
static const struct track *runs_of_several(struct parts *p, uint32_t plane)
{
	const struct trace *trace = &p->d->trace;
	const struct track *runs = NULL;
	bool several = false;

	if (trace->planes[plane].kind != PLANE_TPU || trace->planes[plane].file < 0 ||
	    !file_is_converted(&p->d->files[trace->planes[plane].file]))
		return NULL;
	for (uint32_t k = UINT32_MAX; !runs && (k = trace_track_of(trace, plane, k)) < trace->ntracks;)
		if (trace->tracks[k].role == TRACK_MODULES && trace->tracks[k].n)
			runs = &trace->tracks[k];
	for (size_t i = 0; runs && i < runs->n; i++) {
		uint32_t *number = &p->program[track_meta(runs, i)];

		*number = *number ? *number : ++p->programs;
		several |= *number != p->program[track_meta(runs, 0)];
	}
	return several ? runs : NULL;
}

static bool is_ops(const struct track *t)
{
	return t->role == TRACK_OPS && t->file >= 0;
}

/* Returns whether anything has to be parted. */
static bool find_all_mixed(struct parts *p)
{
	const struct trace *trace = &p->d->trace;
	const struct track *runs;

	for (size_t k = 0; k < trace->ntracks; k++) {
		const struct track *t = &trace->tracks[k];

		if (!is_ops(t) || !(runs = runs_of_several(p, t->plane)))
			continue;
		if (!p->seen)
			p->seen = xcalloc(SEEN_BITS / 64, sizeof *p->seen);
		find_mixed(p, t, runs);
	}
	return p->seen;
}

void kinds_part(struct dump *d)
{
	struct parts p = { .d = d, .metas = d->trace.nmetas };

	if (d->trace.meta_class || !p.metas)
		return;
	p.program = xcalloc(p.metas, sizeof *p.program);
	p.looks = xcalloc(p.metas, sizeof *p.looks);
	p.mixed = xcalloc(p.metas, sizeof *p.mixed);
	if (find_all_mixed(&p)) {
		strtab_init(&p.of);
		for (size_t k = 0; k < d->trace.ntracks; k++)
			if (is_ops(&d->trace.tracks[k]))
				part_track(&p, &d->trace.tracks[k]);
	}
	free(p.program);
	free(p.looks);
	free(p.mixed);
	free(p.seen);
	strtab_free(&p.of);
	free(p.made);
}
