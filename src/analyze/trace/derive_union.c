#include "config.h"

#include "analyze/trace/derive.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/trace/internal.h"
#include "base/mem.h"
#include "base/span.h"
#include "model/sweep.h"

static struct spans working(const struct dump *d, const struct track *t)
{
	const uint8_t *meta_class = d->trace.meta_class;
	struct sweep w = { .track = t, .now = t->n ? track_start(t, 0) : 0 };
	struct sweep_piece p;
	struct spans s = { .v = NULL };

	while (sweep_next(&w, INT64_MAX, &p))
		if (!meta_class || META_CLASS(meta_class[track_meta(t, p.event)]) != CLASS_WAIT)
			spans_append(&s, p.from, p.to);
	sweep_free(&w);
	return s;
}

uint32_t derive_union(struct overlay *o, const uint32_t *tracks, size_t n, const char *name)
{
	const struct dump *d = o->now;
	struct spans *all = xcalloc(n, sizeof *all);
	size_t open = 0;
	struct derived r;
	uint32_t meta, made = UINT32_MAX;

	/* Two lists that cover the same number of tracks are united right away, as a binary counter carries, so
	 * that only a few are kept. */
	for (size_t k = 0; k < n; k++) {
		all[open++] = working(d, &d->trace.tracks[tracks[k]]);
		for (size_t bits = k; bits & 1; bits >>= 1, open--)
			spans_unite(&all[open - 2], &all[open - 1]);
	}
	for (; open > 1; open--)
		spans_unite(&all[open - 2], &all[open - 1]);
	if (n && all[0].n) {
		derived_begin(&r, o, d->trace.tracks[tracks[0]].plane, TRACK_OTHER, name);
		meta = derived_meta(&r, name, strlen(name), r.t.name);
		for (size_t i = 0; i < all[0].n; i++)
			if (!derived_event(&r, all[0].v[i].from, all[0].v[i].to - all[0].v[i].from, meta))
				break;
		made = derived_end(&r, UINT32_MAX, CLASS_HOST);
		overlay_publish(o);
	}
	if (n)
		free(all[0].v);
	free(all);
	return made;
}
