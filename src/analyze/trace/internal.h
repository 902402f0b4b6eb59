/* Making versions of a dump (overlay.h), for the files of this folder.  overlay_next() begins a version as a copy of
 * the newest one; its maker changes the copy, never what it points to, and overlay_publish() shows it.  Arrays grow in
 * place behind what earlier versions see of them.
 *
 * A derived track: call derived_begin(), add kinds and events, then derived_end(), which nests, classifies and indexes
 * the track and puts it into a new version.  Events may come in any order; the order of track_nest() saves sorting. */
#ifndef ANALYZE_TRACE_INTERNAL_H
#define ANALYZE_TRACE_INTERNAL_H

#include "analyze/trace/overlay.h"

struct overlay {
	const struct dump *base, *now, **shown;
	struct arena arena;  /* versions and their arrays */
	struct strtab names; /* strings that base does not have: its number i is base->str.n + i - 1 */
	size_t tracks_cap, metas_cap, class_cap,
	    strings_cap;   /* of the arrays of `now` that are not those of base */
	struct track *own; /* structs with the columns to free */
	size_t nown, own_cap;
	struct links_found *links; /* arrays to free */
	size_t nlinks, links_cap;
	/* Derived tracks from base->trace.ntracks on, with each clock; union: the clock is the same. */
	struct overlay_track {
		uint32_t plane;
		enum track_role role;
		struct track of[2];
		bool made[2];
	} * derived;
	size_t nderived, derived_cap;
	bool moved; /* device events are on the clock that base does not have */
	struct overlay_clock {
		bool linked; /* edges are known */
		struct links_found links;
	} clock[2];                 /* by `moved` */
	struct track *moved_tracks; /* those of base on the other clock; NULL: not made yet */
	uint32_t **to_moved;        /* by track: new index of each event, NULL = none moved */
};

struct dump *overlay_next(struct overlay *);
void overlay_publish(struct overlay *);
strid overlay_string(struct overlay *, const char *, size_t);
/* puts arrows into a version */
void overlay_put_links(struct overlay *, struct dump *, const struct links_found *);

struct derived {
	struct overlay *o;
	struct track t;
	struct evmeta *metas;
	size_t n, cap;
};

void derived_begin(struct derived *, struct overlay *, uint32_t plane, enum track_role, const char *name);
/* `full` is from overlay_string() */
uint32_t derived_meta(struct derived *, const char *name, size_t len, strid full);
bool derived_event(struct derived *, int64_t start, int64_t dur, uint32_t meta); /* false = no memory */
/* at: the derived track that it replaces, UINT32_MAX = none.  Returns UINT32_MAX when there are no events. */
uint32_t derived_end(struct derived *, uint32_t at, enum event_class);
/* derive.c: the same for a track of a role */
uint32_t derive_make(struct overlay *, uint32_t plane, enum track_role, uint32_t at);

/* clock_use.c: gives device events the times of another clock.  `tracks` are those of the dump, or a copy of the
 * structs, in which tracks that move get columns of their own; moved[track] becomes the new index of each event. */
void clock_move(const struct dump *, const struct clocks *, enum clock_kind, int threads,
    struct track *tracks, uint32_t **moved);
void clock_move_links(struct links_found *, uint32_t *const *moved);

#endif
