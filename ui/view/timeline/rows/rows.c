#include "config.h"

#include "view/timeline/rows/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/trace/derive.h"
#include "base/bisect.h"

/* --- folding --- */

static struct rows_fold *fold_of(const struct rows *r, uint64_t id)
{
	for (size_t i = 0; i < r->nfold; i++)
		if (r->fold[i].id == id)
			return &r->fold[i];
	return NULL;
}

bool nodes_folded(const struct rows *r, uint64_t id, bool otherwise)
{
	const struct rows_fold *f = fold_of(r, id);

	return f ? f->folded : otherwise;
}

void rows_fold(struct rows *r, uint32_t node, bool folded)
{
	struct rows_node *v = &r->v[node];
	struct rows_fold *f = fold_of(r, v->id);

	if (!v->foldable)
		return;
	v->folded = folded;
	tracks_folded(r, v->id, folded);
	if (!f) {
		VEC_PUSH(r->fold, r->nfold, r->fold_cap);
		f = &r->fold[r->nfold++];
		f->id = v->id;
	}
	f->folded = folded;
}

void rows_show(struct rows *r)
{
	tracks_show(r);
}

void rows_open_to(struct rows *r, uint32_t node)
{
	tracks_reveal(r, node);
	for (uint32_t i = r->v[node].parent; i != ROWS_NONE; i = r->v[i].parent)
		if (r->v[i].folded)
			rows_fold(r, i, false);
}

static size_t place_of(const struct rows *r, uint32_t node)
{
	size_t first = r->tracks.npin;
	const uint32_t *last;

	for (size_t i = first; i-- > 0;) /* backward: the closest node around it */
		if (r->vis[i] <= node && node < r->v[r->vis[i]].end)
			return i;
	BISECT_LAST(last, r->vis + first, r->nvis - first, *last <= node);
	return last ? (size_t)(last - r->vis) : first;
}

size_t rows_find(const struct rows *r, uint64_t id)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->v[i].id == id)
			return place_of(r, i);
	return 0;
}

/* --- rows and events --- */

bool rows_shows_counter(const struct rows_node *v)
{
	return v->kind == NODE_COUNTER ||
	    (v->kind == NODE_DEVICE && v->counter >= 0 && (v->folded || v->steps == ROWS_NONE));
}

struct rows_source rows_source(const struct rows_node *v)
{
	struct rows_source s = { v->track, 0, 1 };

	switch (v->kind) {
	case NODE_HOST:
		s.track = v->steps;
		break;
	case NODE_DEVICE:
		s.track = rows_shows_counter(v)           ? ROWS_NONE
		    : !v->folded && v->steps != ROWS_NONE ? v->steps
							  : v->track;
		s.row = s.track == v->steps && s.track != ROWS_NONE ? 0 : -1;
		break;
	case NODE_TRACK:
		s.row = v->foldable && v->folded && !v->thin ? -1 : 0;
		break;
	case NODE_LANES:
		if (!v->folded)
			s.track = ROWS_NONE;
		s.row = v->row;
		s.rows = v->rows;
		break;
	case NODE_ROW:
		s.row = v->row;
		break;
	default:
		s.row = -1;
	}
	return s;
}

bool rows_source_has(struct rows_source s, const struct track *k, size_t event)
{
	int row = track_row(k, event);

	return s.row < 0 || (row >= s.row && row < s.row + s.rows);
}

/* Are there other events inside the event, so that a row of innermost time may not show it? */
static bool has_children(const struct track *t, size_t i)
{
	return i + 1 < t->n && t->depth[i + 1] > t->depth[i] && track_start(t, i + 1) < track_end(t, i);
}

uint32_t rows_of_event(struct rows *r, const struct trace *trace, uint32_t track, size_t event)
{
	const struct track *t;
	uint32_t node = track < r->ntracks ? r->node_of[track] : ROWS_NONE;
	int row;

	if (node == ROWS_NONE)
		return ROWS_NONE;
	rows_open_to(r, node);
	t = &trace->tracks[track];
	row = event < t->n ? track_row(t, event) : 0;
	if (r->v[node].track == track && r->v[node].kind == NODE_TRACK) {
		if (r->v[node].folded && (t->lane || has_children(t, event)))
			rows_fold(r, node, false);
		for (uint32_t i = node + 1; row && !r->v[node].folded && i < r->v[node].end; i++)
			if (r->v[i].kind == NODE_ROW && r->v[i].row == row) {
				rows_open_to(r, i);
				node = i;
				break;
			}
	}
	rows_show(r);
	return node;
}

/* --- unions: one track for several threads --- */

uint32_t nodes_union(const struct rows *r, uint64_t id, bool *made)
{
	*made = false;
	for (size_t i = 0; i < r->nmade; i++)
		if (r->made[i].id == id) {
			*made = true;
			return r->made[i].track;
		}
	return ROWS_NONE;
}

bool rows_want_union(const struct rows *r, uint32_t node)
{
	const struct rows_node *v = &r->v[node];
	bool made;

	if ((v->kind != NODE_GROUP && v->kind != NODE_THREADS) || v->members < 2 || v->track != ROWS_NONE)
		return false;
	nodes_union(r, v->id, &made);
	return !made;
}

uint32_t nodes_unite(struct rows *r, struct capture *c, uint64_t id, const uint32_t *tracks, size_t n,
    const char *name, size_t len)
{
	bool made;
	uint32_t track = nodes_union(r, id, &made);
	char *text;

	if (made)
		return track;
	text = xstrndup(name, len);
	track = derive_union(c->overlay, tracks, n, text);
	free(text);
	VEC_ADD(r->made, r->nmade, r->made_cap, (struct rows_union){ id, track });
	return track;
}

bool rows_make_union(struct rows *r, struct capture *c, uint32_t node)
{
	struct rows_node *v = &r->v[node];

	v->track = nodes_unite(r, c, v->id, r->member + v->member, v->members, v->name, v->len);
	return v->track != ROWS_NONE;
}

void rows_free(struct rows *r)
{
	free(r->v);
	free(r->vis);
	free(r->member);
	free(r->node_of);
	free(r->device);
	free(r->coarse);
	free(r->fold);
	free(r->made);
	tracks_free(&r->tracks);
	arena_free(&r->text);
	memset(r, 0, sizeof *r);
}
