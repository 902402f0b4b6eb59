/* Making the rows of the timeline from a dump: tl_rows.c keeps and folds them, tl_build.c says which
 * there are and in which order, tl_threads.c sorts and groups host threads. Owner thread; derives tracks
 * (steps, scopes), which moves trace.tracks. */
#ifndef VIEW_TIMELINE_BUILD_H
#define VIEW_TIMELINE_BUILD_H

#include "view/timeline/tl.h"

struct tl_build {
	struct tl_rows *rows;
	struct dump *dump;
	const struct steps *steps;
	uint32_t *of_plane, *from;           /* tracks by plane: of_plane[from[p] … from[p + 1] - 1] */
	uint32_t *counter_of, *counter_from; /* counters likewise */
};

uint64_t tl_build_id(enum tl_kind, uint64_t a, uint64_t b);
bool tl_build_folded(const struct tl_rows *, uint64_t id, bool otherwise);
uint32_t tl_build_union(const struct tl_rows *, uint64_t id, bool *made);
uint32_t tl_build_unite(struct tl_rows *, struct dump *, uint64_t id, const uint32_t *tracks, size_t n,
    const char *name, size_t len);

/* id, kind, name … given; level, end, folds filled in */
uint32_t tl_build_add(struct tl_build *, const struct tl_node *, uint32_t parent);
void tl_build_close(struct tl_build *, uint32_t node); /* everything since belongs inside */
uint32_t tl_build_track(struct tl_build *, uint32_t track, uint32_t parent, const char *name, size_t len,
    bool folded);
void tl_build_counters(struct tl_build *, uint32_t plane, uint32_t parent);
/* name NULL: the plane's */
void tl_build_threads(struct tl_build *, uint32_t plane, uint32_t parent, const char *name, size_t len,
    bool folded);
/* has events, and they are not samples of counters */
bool tl_build_has_rows(const struct tl_build *, uint32_t track);
/* time at work of a track, the waits left out */
int64_t tl_build_work(const struct track *, const struct dump *);

#endif
