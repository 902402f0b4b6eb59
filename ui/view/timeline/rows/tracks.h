/* Rows of the timeline arranged by the user: pinned on top, hidden, moved, sorted or filtered by name.
 * Everything is stored by the id of the node, so that it survives rows_build(), and saved by struct kv in a
 * session. rows_build() calls arrange (the order of siblings) and filter; rows_show() calls show, which makes
 * rows.vis: first the `npin` pinned rows, then the others in the order of their nodes.  While a filter is on,
 * it opens what its hits are in; what the user folds meanwhile stays folded.  Belongs to struct rows, freed
 * by rows_free(). */
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
	/* order: siblings moved by the user; shut: folded while a filter is on */
	struct tracks_ids pinned, hidden, order, shut;
	enum tracks_sort sort;
	struct regex *filter; /* NULL = none */
	uint8_t *keep;        /* by node, while a filter is on */
	size_t npin;          /* rows at the front of rows.vis */
	size_t shown, all;    /* tracks that match the filter, and all of them */
};

bool tracks_has(const struct tracks_ids *, uint64_t id);
void tracks_arrange(struct rows *, const struct dump *);
void tracks_match(struct rows *);
void tracks_show(struct rows *);
void tracks_folded(struct rows *, uint64_t id, bool folded);
void tracks_reveal(struct rows *, uint32_t node); /* no longer hidden or filtered out */
void tracks_free(struct tracks *);
void tracks_put(const struct tracks *, struct kv *);
void tracks_get(struct tracks *, const struct kv *);
/* "file", "name", "busy", "count"; false: none of them */
bool tracks_set_sort(struct tracks *, const char *how);

#endif
