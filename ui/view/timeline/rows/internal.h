/* Makes rows from a dump, for the files of this folder: rows.c keeps and folds them, build.c decides which
 * there are and in which order, device.c makes those of a core or other device unit, threads.c sorts and
 * groups host threads, tracks.c arranges them as the user wants. */
#ifndef VIEW_TIMELINE_ROWS_INTERNAL_H
#define VIEW_TIMELINE_ROWS_INTERNAL_H

#include "view/timeline/rows/rows.h"

struct nodes {
	struct rows *rows;
	struct capture *cap;
	uint32_t *of_plane, *from;           /* tracks by plane: of_plane[from[p] … from[p + 1] - 1] */
	uint32_t *counter_of, *counter_from; /* counters likewise */
	bool *sampled;                       /* by track: it holds samples of a counter */
};

uint64_t nodes_id(enum node_kind, uint64_t a, uint64_t b);
bool nodes_folded(const struct rows *, uint64_t id, bool otherwise);
uint32_t nodes_union(const struct rows *, uint64_t id, bool *made);
uint32_t nodes_unite(struct rows *, struct capture *, uint64_t id, const uint32_t *tracks, size_t n,
    const char *name, size_t len);

struct rows_node nodes_new(enum node_kind, uint32_t plane, const char *name, size_t len);
/* id, kind, name … are given; fills in level, end, folds */
uint32_t nodes_add(struct nodes *, const struct rows_node *, uint32_t parent);
void nodes_close(struct nodes *, uint32_t node); /* everything added since is inside it */
uint32_t nodes_track(struct nodes *, uint32_t track, uint32_t parent, const char *name, size_t len,
    bool folded);
void nodes_counters(struct nodes *, uint32_t plane, uint32_t parent);
void nodes_device(struct nodes *, uint32_t plane, uint32_t parent, bool folded); /* a core or chip unit */
uint32_t nodes_occupancy(const struct nodes *, uint32_t plane);                  /* track, or ROWS_NONE */
uint32_t nodes_steps(struct nodes *, uint32_t plane);                            /* may be derived */
/* name NULL: the plane's */
void nodes_threads(struct nodes *, uint32_t plane, uint32_t parent, const char *name, size_t len,
    bool folded);
/* has events that are not samples of counters */
bool nodes_has_rows(const struct nodes *, uint32_t track);

#endif
