#include "config.h"
#include "analyze/pieces/spans.h"

#include "analyze/trace/clock.h"
#include "base/mem.h"
#include "model/stat.h"

VEC_ORDER(by_op, struct async_span, UP(done) UP(start) UP(event));

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

struct async_span *async_spans(const struct dump *d, uint32_t plane, size_t *n)
{
	struct find f = { .dump = d, .key = strtab_find(&d->str, "hlo_op", 6) };
	struct async_span *v = NULL;
	size_t cap = 0;

	*n = 0;
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];
		bool async = t->role == TRACK_ASYNC && t->file >= 0 && f.key != UINT32_MAX;

		for (size_t i = 0; async && i < t->n; i++) {
			struct async_span s = { .event = i };

			f.found = UINT32_MAX;
			stats_of_event(d, t, i, take_name, &f);
			if (f.found == UINT32_MAX)
				continue;
			s.done = f.found;
			clock_plain(d, t, i, &s.start, &s.dur);
			VEC_ADD(v, *n, cap, s);
		}
	}
	VEC_SORT(v, *n, by_op);
	return v;
}

uint32_t cut_kinds(const struct dump *d, uint32_t plane, uint32_t *base)
{
	uint32_t lo = UINT32_MAX, hi = 0;

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; i < t->n && t->role == TRACK_OPS && t->file >= 0; i++) {
			uint32_t meta = track_meta(t, i);

			lo = meta < lo ? meta : lo;
			hi = meta > hi ? meta : hi;
		}
	}
	*base = lo;
	return lo <= hi ? hi - lo + 1 : 0;
}
