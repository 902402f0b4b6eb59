#include "config.h"
#include "analyze/memory/beside.h"

#include <stdio.h>

#include "analyze/memory/memory.h"
#include "analyze/trace/clock.h"
#include "model/hlo.h"

const char *memory_when_name(enum memory_when when)
{
	static const char *const names[] = { NULL, "running", "next", "last" };

	return names[when];
}

/* A better fit replaces what was found on another track. */
static void look_at_runs(const struct dump *d, const struct track *t, int64_t time, int64_t *apart,
    struct memory_beside *b)
{
	for (size_t i = 0; i < t->n; i++) {
		int64_t start, dur, far;
		enum memory_when when;

		clock_plain(d, t, i, &start, &dur);
		when = start > time ? WHEN_NEXT : start + dur >= time ? WHEN_RUNNING : WHEN_LAST;
		far = when == WHEN_NEXT ? start - time : when == WHEN_LAST ? time - start - dur : 0;
		if (b->when && (when > b->when || (when == b->when && far >= *apart)))
			continue;
		*b = (struct memory_beside){ .when = when,
			.program = dump_text(d, d->trace.metas[track_meta(t, i)].name) };
		*apart = far;
	}
}

static int64_t bytes_of(double v)
{
	return v >= 0 && v < 9e18 ? (int64_t)v : -1;
}

static void read_module(const struct dump *d, int module, struct memory_beside *b)
{
	struct arena scratch = { 0 };
	struct memory m;
	struct err err;

	if (!memory_make(d, (size_t)module, MEMORY_HBM, -1, &scratch, &m, &err) && m.npeak) {
		b->peak = m.peak_bytes;
		b->allocated = m.allocated;
		b->parameters = bytes_of(m.sums.parameters);
		b->outputs = bytes_of(m.sums.live_out);
		b->temporaries = m.no_kinds ? -1 : m.category[MEMORY_TEMPORARY];
		b->gathered = m.hlo ? m.gathered : -1;
	}
	memory_free(&m);
	arena_free(&scratch);
}

static void find_run(const struct dump *d, int host, int core, int64_t time, struct memory_beside *b)
{
	const struct trace *t = &d->trace;
	int64_t apart = 0;

	*b = (struct memory_beside){ .when = WHEN_NONE };
	for (uint32_t i = 0; i < t->nplanes; i++) {
		const struct plane *p = &t->planes[i];

		if (p->kind != PLANE_TPU || p->host != host || p->core != core)
			continue;
		for (uint32_t k = UINT32_MAX; (k = trace_track_of(t, i, k)) < t->ntracks;)
			if (t->tracks[k].role == TRACK_MODULES && t->tracks[k].file >= 0)
				look_at_runs(d, &t->tracks[k], time, &apart, b);
	}
}

void memory_beside_make(const struct dump *d, int host, int core, int64_t t, const struct memory_beside *like,
    struct memory_beside *b)
{
	char name[HLO_TITLE];
	int module;

	find_run(d, host, core, t, b);
	if (b->when && like && like->when && slice_same(like->program, b->program)) {
		const enum memory_when when = b->when;

		*b = *like;
		b->when = when;
		return;
	}
	b->peak = b->parameters = b->outputs = b->temporaries = b->gathered = b->allocated = -1;
	snprintf(name, sizeof name, "%.*s", (int)(b->program.n < sizeof name ? b->program.n : 0),
	    b->program.n ? b->program.s : "");
	module = b->when ? hlo_module_find(d, name) : -1;
	if (module >= 0)
		read_module(d, module, b);
}
