#include "config.h"
#include "analyze/communication/internal.h"

#include <stdlib.h>

#include "analyze/trace/clock.h"
#include "base/bisect.h"
#include "base/mem.h"

/* What the line "Async XLA Ops" says of a flight: the op that ended it, and how long it took. */
struct span_of_op {
	strid done;
	int64_t start, dur;
	size_t event;
};

VEC_ORDER(by_op, struct span_of_op, UP(done) UP(start) UP(event));

struct find {
	const struct dump *dump;
	strid key, found;
};

static bool take_name(void *ctx, const struct stat_value *v)
{
	struct find *f = ctx;

	if (v->name_id != f->key || v->type != STAT_STR)
		return true;
	f->found = strtab_find(&f->dump->str, v->s, v->n);
	return false;
}

static void read_line(const struct dump *d, const struct track *t, struct span_of_op **v, size_t *n,
    size_t *cap)
{
	struct find f = { .dump = d, .key = strtab_find(&d->str, "hlo_op", 6) };

	for (size_t i = 0; i < t->n && f.key != UINT32_MAX; i++) {
		struct span_of_op s = { .event = i };

		f.found = UINT32_MAX;
		stats_of_event(d, t, i, take_name, &f);
		if (f.found == UINT32_MAX)
			continue;
		s.done = f.found;
		clock_plain(d, t, i, &s.start, &s.dur);
		VEC_ADD(*v, *n, *cap, s);
	}
}

/* The flights of one name are in the order of their spans. */
static void deal_spans(const struct dump *d, const struct core_time *c, struct span_of_op *v, size_t n,
    int64_t *wire)
{
	size_t *taken = xcalloc(n + 1, sizeof *taken);

	VEC_SORT(v, n, by_op);
	for (size_t i = 0; i < c->nflights; i++) {
		const struct time_flight *f = &c->flight[i];
		uint32_t meta = f->done_meta != CUT_NONE ? f->done_meta : f->meta;
		strid name = d->trace.metas[meta].name;
		size_t a;

		if (f->done_meta == CUT_NONE && f->role.part != PART_DONE)
			continue;
		BISECT(a, n, v[a].done < name);
		if (a + taken[a] < n && v[a + taken[a]].done == name)
			wire[i] = v[a + taken[a]++].dur;
	}
	free(taken);
}

int64_t *comm_async_spans(const struct dump *d, const struct core_time *c)
{
	int64_t *wire = xcalloc(c->nflights + 1, sizeof *wire);
	struct span_of_op *v = NULL;
	size_t n = 0, cap = 0;
	bool any = false;

	for (size_t i = 0; i < c->nflights; i++) {
		wire[i] = c->flight[i].end.time - c->flight[i].begin.time;
		any |= c->flight[i].role.part != PART_SYNC && c->flight[i].role.kind != COMM_COPY;
	}
	for (uint32_t k = UINT32_MAX;
	     any && (k = trace_track_of(&d->trace, c->cut.plane, k)) < d->trace.ntracks;)
		if (d->trace.tracks[k].role == TRACK_ASYNC && d->trace.tracks[k].file >= 0)
			read_line(d, &d->trace.tracks[k], &v, &n, &cap);
	deal_spans(d, c, v, n, wire);
	free(v);
	return wire;
}
