/* Which rows of the timeline stand where by the user's will: pinned ones on top, hidden ones away, others
 * moved, sorted or filtered by name.  Everything is remembered by the id of the node, so that it outlives
 * tl_rows_build(), and by struct kv from session to session.
 *
 * tl_rows_build() calls arrange (the order of siblings) and filter; tl_rows_show() calls show, which
 * makes rows.vis: the pinned rows first (`npin` of them), then the others in order of their nodes.  A
 * filter opens what its hits lie in for as long as it is on; what the user folds meanwhile stays folded.
 * Belongs to struct tl_rows, freed by tl_rows_free(). */
#ifndef VIEW_TIMELINE_TRACKS_H
#define VIEW_TIMELINE_TRACKS_H

#include "base/text/regex.h"
#include "core/action.h"
#include "core/kv.h"
#include "model/dump.h"

struct tl;
struct tl_rows;

enum tl_sort { TL_SORT_FILE, TL_SORT_NAME, TL_SORT_BUSY, TL_SORT_COUNT, TL_SORT_WAYS };

struct tl_ids {
	uint64_t *v;
	size_t n, cap;
};

struct tl_tracks {
	/* order: siblings that were moved; shut: folded while a filter is on */
	struct tl_ids pinned, hidden, order, shut;
	enum tl_sort sort;
	struct regex *filter; /* NULL = none */
	uint8_t *keep;        /* by node, while a filter is on */
	size_t npin;          /* rows at the front of rows.vis */
	size_t shown, all;    /* tracks that the filter leaves, of how many */
};

bool tl_ids_has(const struct tl_ids *, uint64_t id);
void tl_tracks_arrange(struct tl_rows *, const struct dump *);
void tl_tracks_match(struct tl_rows *);
void tl_tracks_show(struct tl_rows *);
void tl_tracks_folded(struct tl_rows *, uint64_t id, bool folded);
void tl_tracks_reveal(struct tl_rows *, uint32_t node); /* neither hidden nor filtered away from now on */
void tl_tracks_free(struct tl_tracks *);
void tl_tracks_put(const struct tl_tracks *, struct kv *);
void tl_tracks_get(struct tl_tracks *, const struct kv *);
/* "file", "name", "busy", "count"; false: none of them */
bool tl_tracks_set_sort(struct tl_tracks *, const char *how);

/* of the whole view */
unsigned tl_tracks_act(struct tl *, enum action, int count);           /* ACT_PASS: none of its actions */
int tl_tracks_command(struct tl *, const char *name, const char *arg); /* sort, show; -1 = not one of its */
/* "12 of 96 tracks, 2 hidden", or nothing */
void tl_tracks_status(const struct tl *, char *buf, size_t size);
void tl_tracks_filter(struct tl *, const char *pattern); /* "" = none */

#endif
