/* Which rows of the timeline stand where by the user's will: pinned ones on top, hidden ones away, others
 * moved, sorted or filtered by name.  Everything is remembered by the id of the node, so that it outlives
 * rows_build(), and by struct kv from session to session.
 *
 * rows_build() calls arrange (the order of siblings) and filter; rows_show() calls show, which
 * makes rows.vis: the pinned rows first (`npin` of them), then the others in order of their nodes.  A
 * filter opens what its hits lie in for as long as it is on; what the user folds meanwhile stays folded.
 * Belongs to struct rows, freed by rows_free(). */
#ifndef VIEW_TIMELINE_TRACKS_H
#define VIEW_TIMELINE_TRACKS_H

#include "base/text/regex.h"
#include "core/config/kv.h"
#include "model/dump.h"

struct rows;

enum tracks_sort { TRACKS_BY_FILE, TRACKS_BY_NAME, TRACKS_BY_BUSY, TRACKS_BY_COUNT, TRACKS_SORTS };

struct tracks_ids {
	uint64_t *v;
	size_t n, cap;
};

struct tracks {
	/* order: siblings that were moved; shut: folded while a filter is on */
	struct tracks_ids pinned, hidden, order, shut;
	enum tracks_sort sort;
	struct regex *filter; /* NULL = none */
	uint8_t *keep;        /* by node, while a filter is on */
	size_t npin;          /* rows at the front of rows.vis */
	size_t shown, all;    /* tracks that the filter leaves, of how many */
};

bool tracks_has(const struct tracks_ids *, uint64_t id);
void tracks_arrange(struct rows *, const struct dump *);
void tracks_match(struct rows *);
void tracks_show(struct rows *);
void tracks_folded(struct rows *, uint64_t id, bool folded);
void tracks_reveal(struct rows *, uint32_t node); /* neither hidden nor filtered away from now on */
void tracks_free(struct tracks *);
void tracks_put(const struct tracks *, struct kv *);
void tracks_get(struct tracks *, const struct kv *);
/* "file", "name", "busy", "count"; false: none of them */
bool tracks_set_sort(struct tracks *, const char *how);

#endif
