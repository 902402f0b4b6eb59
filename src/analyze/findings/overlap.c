/* How much of the time in which collectives are under way runs beside compute. */
#include "config.h"
#include "analyze/findings/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/classify.h"

enum part { PART_NONE, PART_COMPUTE, PART_SYNC, PART_START, PART_DONE };

/* "all-gather-start.3" begins what "all-gather-done.3" waits for; a collective without either runs alone. */
static enum part part_of(struct slice name, enum time_kind kind)
{
	const char *dot = name.n ? memchr(name.s, '.', name.n) : NULL;
	struct slice base = { name.s, dot ? (size_t)(dot - name.s) : name.n };

	switch (kind) {
	case KIND_MATMUL:
	case KIND_COMPUTE:
	case KIND_ANY_COMPUTE:
		return PART_COMPUTE;
	case KIND_COLLECTIVE:
		return slice_ends(base, "-start") ? PART_START
		    : slice_ends(base, "-done")   ? PART_DONE
						  : PART_SYNC;
	default:
		return PART_NONE;
	}
}

static void add_core(const struct rule_work *w, const struct track *t, const uint8_t *part, struct overlap *o)
{
	double exposed = 0, apart = 0;
	size_t open = 0;

	for (size_t i = 0; i < t->n; i++) {
		bool leaf = i + 1 == t->n || t->depth[i + 1] <= t->depth[i];
		double dur = leaf ? (double)track_dur(t, i) : 0;
		enum part p = (enum part)part[track_meta(t, i)];

		if (i % 65536 == 0 && rule_stopped(w))
			return;
		open += p == PART_START;
		o->starts += p == PART_START;
		o->async += p == PART_START || p == PART_DONE ? dur : 0;
		exposed += p >= PART_SYNC ? dur : 0;
		o->hidden += p == PART_COMPUTE && open ? dur : 0;
		apart += p == PART_COMPUTE && !open ? dur : 0;
		open -= p == PART_DONE && open;
	}
	o->more += exposed < apart ? exposed : apart;
}

struct overlap rule_overlap(const struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	struct overlap o = { .async = 0 };
	uint8_t *class, *part;
	bool any = false;

	if (!d || !d->trace.ntracks)
		return o;
	class = d->trace.meta_class ? d->trace.meta_class : classes_of(d);
	part = xcalloc(d->trace.nmetas + 1, 1);
	for (size_t i = 0; i < d->trace.nmetas; i++) {
		const struct evmeta *m = &d->trace.metas[i];

		part[i] = (uint8_t)part_of(dump_text(d, m->name), kind_of_op(class[i], m -> category));
		any |= part[i] == PART_START;
	}
	for (size_t k = 0; k < d->trace.ntracks && any; k++) {
		const struct track *t = &d->trace.tracks[k];

		if (t->role != TRACK_OPS || t->file < 0 || d->trace.planes[t->plane].kind != PLANE_TPU)
			continue;
		if (d->files[t->file].digest)
			o.starts++;
		else
			add_core(w, t, part, &o);
	}
	free(part);
	if (class != d->trace.meta_class)
		free(class);
	return o;
}
