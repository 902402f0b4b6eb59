#include "config.h"

#include "view/timeline/rows/internal.h"

#include <string.h>

#include "analyze/device/core_details.h"
#include "analyze/device/digest.h"
#include "analyze/trace/derive.h"
#include "model/stat.h"

enum {
	ROWS_OPEN = 8,          /* ops nested deeper than this are folded at first */
	DERIVE_AT_ONCE = 50000, /* number of ops up to which scopes are derived without being asked for */
	PROBE = 64              /* ops checked for a stat that rows can be derived from */
};

static uint32_t track_with(const struct nodes *b, uint32_t plane, enum track_role role)
{
	for (uint32_t i = b->from[plane]; i < b->from[plane + 1]; i++)
		if (b->cap->dump->trace.tracks[b->of_plane[i]].role == role &&
		    b->cap->dump->trace.tracks[b->of_plane[i]].n)
			return b->of_plane[i];
	return ROWS_NONE;
}

/* A digest only has the ops that meet others; its occupancy is a counter. */
static bool is_digest(const struct nodes *b, uint32_t plane)
{
	int file = b->cap->dump->trace.planes[plane].file;

	return file >= 0 && b->cap->dump->files[file].digest;
}

static int digest_counter(const struct nodes *b, uint32_t plane)
{
	for (uint32_t i = b->counter_from[plane]; is_digest(b, plane) && i < b->counter_from[plane + 1]; i++)
		if (digest_is_counter(b->cap->dump, &b->cap->dump->trace.counters[b->counter_of[i]]))
			return (int)b->counter_of[i];
	return -1;
}

/* The track of the ops or, without one, the track with most events. */
uint32_t nodes_occupancy(const struct nodes *b, uint32_t plane)
{
	uint32_t best = track_with(b, plane, TRACK_OPS);
	size_t most = 0;

	if (best != ROWS_NONE || is_digest(b, plane))
		return best;
	for (uint32_t i = b->from[plane]; i < b->from[plane + 1]; i++) {
		uint32_t track = b->of_plane[i];
		size_t n = b->cap->dump->trace.tracks[track].n;

		if (n > most && nodes_has_rows(b, track)) {
			best = track;
			most = n;
		}
	}
	return best;
}

/* Do the first kinds of ops have the stat that rows are made from? */
static bool has_stat(const struct nodes *b, uint32_t ops, const char *stat)
{
	const struct track *t = &b->cap->dump->trace.tracks[ops];
	char text[8];

	for (size_t i = 0; i < t->n && i < PROBE; i++)
		if (stat_meta_str(b->cap->dump, track_meta(t, i), stat, text, sizeof text) && *text)
			return true;
	return false;
}

/* Adds a row that is not in the file: derived at once where that is cheap, else when it is opened. */
static void add_derived(struct nodes *b, uint32_t plane, uint32_t ops, enum track_role role, uint32_t parent)
{
	static const struct {
		const char *name, *stat;
	} what[] = {
		[TRACK_SCOPE] = { "Name scope", "tf_op" },
		[TRACK_FRAMEWORK] = { "Framework ops", "tf_op" },
		[TRACK_SOURCE] = { "Source", "source" },
	};
	struct rows_node v = nodes_new(NODE_LAZY, plane, what[role].name, strlen(what[role].name));
	bool ask =
	    !b->rows->all && (role == TRACK_SOURCE || b->cap->dump->trace.tracks[ops].n > DERIVE_AT_ONCE);

	v.role = role;
	v.thin = v.foldable = v.folded = true;
	v.id = nodes_id(NODE_LAZY, plane, role);
	if (!has_stat(b, ops, what[role].stat))
		return;
	if (ask && nodes_folded(b->rows, v.id, true)) {
		nodes_add(b, &v, parent);
	} else {
		uint32_t track = derive_track(b->cap->overlay, plane, role);

		if (track != ROWS_NONE)
			nodes_track(b, track, parent, v.name, v.len, true);
	}
}

static void add_tracks_of(struct nodes *b, uint32_t plane, enum track_role role, uint32_t parent,
    uint32_t steps)
{
	for (uint32_t i = b->from[plane]; i < b->from[plane + 1]; i++) {
		uint32_t track = b->of_plane[i];
		const struct track *t = &b->cap->dump->trace.tracks[track];
		struct slice name = dump_text(b->cap->dump, t->name);

		if (t->role != role || track == steps || !nodes_has_rows(b, track))
			continue;
		if (role == TRACK_SCOPE)
			slice_cut(&name, "Framework ");
		if (role == TRACK_OPS && is_digest(b, plane))
			name = slice_of("Traffic ops");
		nodes_track(b, track, parent, name.s, name.n, !(role == TRACK_OPS && t->rows <= ROWS_OPEN));
	}
}

/* Adds the rows below an open core, from top to bottom. */
static void add_device_rows(struct nodes *b, uint32_t plane, uint32_t node, uint32_t ops)
{
	static const enum track_role order[] = {
		TRACK_STEPS,
		TRACK_MODULES,
		TRACK_SCOPE,
		TRACK_OPS,
		TRACK_ASYNC,
		TRACK_TRACEME,
		TRACK_OFFLOAD,
		TRACK_FRAMEWORK,
		TRACK_SOURCE,
		TRACK_OTHER,
		TRACK_OVERLAY,
		TRACK_FLOWLANE,
		TRACK_COUNTERS,
	};
	bool core = b->cap->dump->trace.planes[plane].kind == PLANE_TPU && ops != ROWS_NONE &&
	    !is_digest(b, plane) && b->cap->dump->trace.tracks[ops].role == TRACK_OPS;
	uint32_t steps = b->rows->v[node].steps;

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		enum track_role role = order[i];

		add_tracks_of(b, plane, role, node, steps);
		if (core && (role == TRACK_SCOPE || role == TRACK_FRAMEWORK || role == TRACK_SOURCE) &&
		    track_with(b, plane, role) == ROWS_NONE)
			add_derived(b, plane, ops, role, node);
	}
	nodes_counters(b, plane, node);
}

uint32_t nodes_steps(struct nodes *b, uint32_t plane)
{
	uint32_t steps = track_with(b, plane, TRACK_STEPS);
	enum plane_kind kind = b->cap->dump->trace.planes[plane].kind;

	if (steps == ROWS_NONE && plane_is_tpu_core(kind))
		steps = derive_track(b->cap->overlay, plane, TRACK_STEPS);
	return steps;
}

void nodes_device(struct nodes *b, uint32_t plane, uint32_t parent, bool folded)
{
	const struct plane *p = &b->cap->dump->trace.planes[plane];
	struct slice name = plane_label(dump_text(b->cap->dump, p->name));
	struct rows_node v = nodes_new(NODE_DEVICE, plane, name.s, name.n);
	uint32_t node, ops = nodes_occupancy(b, plane);
	struct core_details at = core_details_of(b->cap->dump, plane);

	v.counter = digest_counter(b, plane);
	v.chip = at.chip;
	v.core_on_chip = at.core_on_chip;
	b->rows->chip_has_cores |= at.core_on_chip > 0;
	v.track = ops;
	v.foldable = true;
	v.folded = folded;
	v.id = nodes_id(NODE_DEVICE, plane, 0);
	v.steps =
	    nodes_folded(b->rows, v.id, folded) ? track_with(b, plane, TRACK_STEPS) : nodes_steps(b, plane);
	if (v.steps != ROWS_NONE && b->cap->dump->trace.tracks[v.steps].file < 0 &&
	    b->cap->steps.source == STEPS_MODULES) {
		v.note = b->cap->steps.module;
		v.note_len = (uint32_t)strcspn(v.note, "(");
	}
	node = nodes_add(b, &v, parent);
	add_device_rows(b, plane, node, ops);
	nodes_close(b, node);
}
