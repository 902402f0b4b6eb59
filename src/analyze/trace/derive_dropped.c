#include "config.h"

#include "analyze/trace/derive.h"

#define DROPPED "dropped_traces"

static int64_t first_event(const struct trace *t, uint32_t plane)
{
	int64_t first = INT64_MAX;

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(t, plane, k)) < t->ntracks;)
		if (t->tracks[k].n && track_start(&t->tracks[k], 0) < first)
			first = track_start(&t->tracks[k], 0);
	return first == INT64_MAX ? 0 : first;
}

static bool made_before(const struct dump *d)
{
	for (size_t i = 0; i < d->trace.ncounters; i++)
		if (d->trace.counters[i].track < 0 &&
		    slice_is(dump_text(d, d->trace.counters[i].name), DROPPED))
			return true;
	return false;
}

void derive_dropped_counters(struct dump *d)
{
	const bool made = made_before(d);

	for (uint32_t i = 0; i < d->trace.nplanes && !made; i++) {
		struct counter c = { .plane = i, .track = -1 };
		int64_t dropped;
		uint32_t at;

		if (!stat_plane_int(d, i, DROPPED, &dropped) || dropped <= 0)
			continue;
		c.name = strtab_addz(&d->str, DROPPED);
		at = trace_add_counter(&d->trace, &c);
		counter_add(&d->trace.counters[at], first_event(&d->trace, i), (double)dropped);
	}
}
