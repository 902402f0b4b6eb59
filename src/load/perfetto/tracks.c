#include "config.h"

#include "load/perfetto/internal.h"

#include "base/hash.h"

#define CLIMB_MAX 64 /* parents of a track */

static struct pf_track *track_at(struct pf_reading *r, uint64_t uuid)
{
	uint32_t i = idmap_get(&r->track_of, (int64_t)uuid);

	if (i == IDMAP_NONE) {
		i = (uint32_t)r->ntracks;
		idmap_put(&r->track_of, (int64_t)uuid, i);
		VEC_ADD(r->track, r->ntracks, r->tracks_cap,
		    (struct pf_track){ .uuid = uuid,
			.multiplier = 1,
			.track = IDMAP_NONE,
			.samples = IDMAP_NONE });
	}
	return &r->track[i];
}

static strid text_of(struct pf_reading *r, const struct wire *w)
{
	return strtab_add(&r->b.dump->str, (const char *)w->s, w->n);
}

/* ThreadDescriptor { pid = 1, tid = 2, thread_name = 5 };
 * ProcessDescriptor { pid = 1, cmdline = 2, process_name = 6 } */
static void describe_place(struct pf_reading *r, struct pf_track *t, struct wire w, bool thread)
{
	strid name = 0, command = 0;

	while (wire_next(&w)) {
		if (w.field == 1 && w.type == 0)
			t->pid = (int64_t)w.u;
		else if (w.field == 2 && w.type == 0 && thread)
			t->tid = (int64_t)w.u;
		else if (w.field == 2 && w.type == 2 && !command)
			command = text_of(r, &w);
		else if (w.field == (thread ? 5 : 6) && w.type == 2)
			name = text_of(r, &w);
	}
	name = name ? name : command;
	*(thread ? &t->has_thread : &t->has_process) = true;
	*(thread ? &t->name : &t->process) = name ? name : thread ? t->name : t->process;
}

/* CounterDescriptor { unit = 3, unit_multiplier = 4, is_incremental = 5, unit_name = 6 } */
static void describe_counter(struct pf_reading *r, struct pf_track *t, struct wire w)
{
	static const char *const units[] = { "", "ns", "", "bytes" };

	t->counter = true;
	while (wire_next(&w)) {
		if (w.field == 3 && w.type == 0 && w.u < sizeof units / sizeof *units)
			t->unit = strtab_addz(&r->b.dump->str, units[w.u]);
		else if (w.field == 4 && w.type == 0)
			t->multiplier = w.u ? (double)(int64_t)w.u : 1;
		else if (w.field == 5 && w.type == 0)
			t->incremental = w.u;
		else if (w.field == 6 && w.type == 2)
			t->unit = text_of(r, &w);
	}
}

void pf_describe(struct pf_reading *r, struct slice descriptor)
{
	struct wire w = wire_open(descriptor.s, descriptor.n);
	struct pf_track *t;
	uint64_t uuid = 0;

	while (wire_next(&w))
		uuid = w.field == 1 && w.type == 0 ? w.u : uuid;
	t = track_at(r, uuid);
	t->described = true;
	for (w = wire_open(descriptor.s, descriptor.n); wire_next(&w);) {
		if (w.type == 2 && (w.field == 2 || w.field == 10 || w.field == 13))
			t->name = text_of(r, &w);
		else if (w.type == 2 && (w.field == 3 || w.field == 4))
			describe_place(r, t, wire_open(w.s, w.n), w.field == 4);
		else if (w.type == 2 && w.field == 8)
			describe_counter(r, t, wire_open(w.s, w.n));
		else if (w.type == 0 && w.field == 5)
			t->parent = w.u;
		else if (w.type == 0 && w.field == 12) {
			t->rank = (int32_t)w.u;
			t->has_rank = true;
		}
	}
}

/* The thread of a sequence is its default track; its times in us count from the one that it states. */
void pf_describe_thread(struct pf_reading *r, const struct pf_packet *p, struct pf_sequence *s)
{
	struct wire w = wire_open(p->thread.s, p->thread.n);
	struct pf_track *t;

	if (s->track == PF_NONE)
		s->track = hash_mix(0x7468726561640000u, p->sequence);
	t = track_at(r, s->track);
	t->described = true;
	describe_place(r, t, w, true);
	while (wire_next(&w))
		if (w.field == 6 && w.type == 0)
			s->legacy_us = (int64_t)w.u;
}

/* The track that stands for the process of another: it or a parent names one, else it is the outermost. */
static struct pf_track *process_of(struct pf_reading *r, struct pf_track *t)
{
	for (int i = 0; i < CLIMB_MAX && !t->has_process && !t->has_thread && t->parent; i++) {
		uint32_t parent = idmap_get(&r->track_of, (int64_t)t->parent);

		if (parent == IDMAP_NONE)
			break;
		t = &r->track[parent];
	}
	return t;
}

static uint32_t new_track(struct pf_reading *r, struct pf_track *t)
{
	struct pf_track *of = process_of(r, t);
	bool real = of->has_process || of->has_thread;
	int64_t pid = real || !of->described ? of->pid : (int64_t)hash_mix(0x726f6f7400000000u, of->uuid);
	uint32_t proc = build_proc(&r->b, pid), track;
	strid name = t->name ? t->name : t->process ? t->process : strtab_addz(&r->b.dump->str, "events");

	if (!r->b.procs[proc].name)
		r->b.procs[proc].name = of->process ? of->process : real ? 0 : of->name;
	if (t->has_thread) {
		track = build_thread(&r->b, pid, t->tid);
		if (t->name)
			r->b.tracks[track].t.name = t->name;
	} else {
		track = build_lane(&r->b, proc, t->counter ? BUILD_COUNTER : BUILD_ASYNC, t->uuid, name);
	}
	if (t->has_rank)
		r->b.tracks[track].sort = t->rank;
	return track;
}

struct pf_track *pf_track(struct pf_reading *r, uint64_t uuid)
{
	struct pf_track *t = track_at(r, uuid);

	if (t->track == IDMAP_NONE)
		t->track = new_track(r, t);
	return t;
}
