#include "config.h"

#include "view/timeline/rows/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/natural.h"
#include "model/lod.h"

static const char *const sort_name[TRACKS_SORTS] = { "file", "name", "busy", "count" };

/* --- sets of ids --- */

static size_t find_id(const struct tracks_ids *s, uint64_t id)
{
	size_t i = 0;

	while (i < s->n && s->v[i] != id)
		i++;
	return i;
}

bool tracks_has(const struct tracks_ids *s, uint64_t id)
{
	return find_id(s, id) < s->n;
}

static void drop_id(struct tracks_ids *s, uint64_t id)
{
	size_t i = find_id(s, id);

	if (i < s->n)
		memmove(s->v + i, s->v + i + 1, (--s->n - i) * sizeof *s->v);
}

static void put_rows(struct tracks_ids *s, uint64_t id)
{
	if (tracks_has(s, id))
		return;
	VEC_ADD(s->v, s->n, s->cap, id);
}

/* --- the order of siblings --- */

struct sibling {
	uint32_t node;
	size_t rank;
	int group;
	double weight;
	const char *name;
	size_t len;
};
struct moved {
	uint64_t id;
	size_t at;
}; /* index in the order made by the user */

struct arranging {
	struct rows *r;
	const struct dump *d;
	struct rows_node *to;
	uint32_t n;
	struct sibling *pool; /* siblings of all levels, one after the other */
	size_t used;
	struct moved *moved; /* sorted by id: a hostile file may have very many rows */
};

static double work_of(const struct dump *d, uint32_t track)
{
	struct track *t = &d->trace.tracks[track];
	int64_t busy[CLASS_COUNT];
	double sum = 0;

	if (!t->n || t->rows < 1 || (!t->lod && lod_build(t, d->trace.meta_class)))
		return 0;
	lod_sum(t, d->trace.meta_class, t->first, t->last + 1, busy);
	for (int c = 0; c < CLASS_COUNT; c++)
		sum += c == CLASS_WAIT ? 0 : (double)busy[c];
	return sum;
}

/* Busy time over the whole run, or the number of events. */
static double weight_of(const struct arranging *a, uint32_t node)
{
	const struct rows_node *v = &a->r->v[node];
	double sum = 0;

	if (v->kind == NODE_HOST) {
		for (uint32_t i = node + 1; i < v->end; i = a->r->v[i].end)
			sum += weight_of(a, i);
		return sum;
	}
	if (v->kind == NODE_GROUP || v->kind == NODE_THREADS) {
		for (uint32_t i = 0; i < v->members; i++) {
			uint32_t track = a->r->member[v->member + i];

			sum += a->r->tracks.sort == TRACKS_BY_BUSY ? work_of(a->d, track)
								   : (double)a->d->trace.tracks[track].n;
		}
		return sum;
	}
	if (v->track == ROWS_NONE)
		return 0;
	return a->r->tracks.sort == TRACKS_BY_BUSY ? work_of(a->d, v->track)
						   : (double)a->d->trace.tracks[v->track].n;
}

static bool is_section(const struct rows_node *v)
{
	return v->kind == NODE_HOST || v->kind == NODE_DEVICE || v->kind == NODE_THREADS;
}

/* Only sections, and threads of a process, are sorted: the rows of a core are in an order in which they
 * explain each other. */
static bool can_sort(const struct arranging *a, uint32_t node)
{
	const struct rows_node *v = &a->r->v[node];

	return is_section(v) || (v->parent != ROWS_NONE && a->r->v[v->parent].kind == NODE_THREADS) ||
	    (v->parent != ROWS_NONE && a->r->v[v->parent].kind == NODE_GROUP);
}

VEC_ORDER(by_weight, struct sibling, UP(group) DOWN(weight) UP(node));

VEC_ORDER(by_rank, struct sibling, UP(rank));

static int by_name(const void *pa, const void *pb)
{
	const struct sibling *a = pa, *b = pb;
	int c = a->group != b->group ? a->group - b->group : natural_cmp(a->name, a->len, b->name, b->len);

	return c ? c : (a->node > b->node) - (a->node < b->node);
}

VEC_ORDER(by_id, struct moved, UP(id));

static void sort_siblings(const struct arranging *a, struct sibling *s, size_t n)
{
	const struct tracks *k = &a->r->tracks;
	size_t rank = 0;
	bool moved = false;

	if (k->sort != TRACKS_BY_FILE && n > 1 && can_sort(a, s[0].node)) {
		for (size_t i = 0; i < n; i++) {
			s[i].group = a->r->v[s[i].node].kind == NODE_THREADS;
			s[i].name = a->r->v[s[i].node].name;
			s[i].len = a->r->v[s[i].node].len;
			s[i].weight = k->sort == TRACKS_BY_NAME ? 0 : weight_of(a, s[i].node);
		}
		qsort(s, n, sizeof *s, k->sort == TRACKS_BY_NAME ? by_name : by_weight);
	}
	for (size_t i = 0; i < n && k->order.n; i++) { /* what was not moved stays after what it followed */
		struct moved key = { .id = a->r->v[s[i].node].id };
		const struct moved *m = bsearch(&key, a->moved, k->order.n, sizeof key, by_id);

		rank = m ? m->at + 1 : rank;
		moved |= m != NULL;
		s[i].rank = rank * (n + 1) + i;
	}
	if (moved)
		qsort(s, n, sizeof *s, by_rank);
}

static void place_siblings(struct arranging *a, uint32_t from, uint32_t to, uint32_t parent)
{
	size_t first = a->used, n = 0;

	for (uint32_t i = from; i < to; i = a->r->v[i].end)
		a->pool[first + n++] = (struct sibling){ .node = i };
	a->used += n;
	sort_siblings(a, a->pool + first, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t old = a->pool[first + i].node, me = a->n++;

		a->to[me] = a->r->v[old];
		a->to[me].parent = parent;
		place_siblings(a, old + 1, a->r->v[old].end, me);
		a->to[me].end = a->n;
	}
	a->used = first;
}

void tracks_arrange(struct rows *r, const struct dump *d)
{
	struct arranging a = { .r = r, .d = d };

	if (!r->n || (r->tracks.sort == TRACKS_BY_FILE && !r->tracks.order.n))
		return;
	a.to = xcalloc(r->cap, sizeof *a.to);
	a.pool = xcalloc(r->n, sizeof *a.pool);
	a.moved = xcalloc(r->tracks.order.n + 1, sizeof *a.moved);
	for (size_t i = 0; i < r->tracks.order.n; i++)
		a.moved[i] = (struct moved){ r->tracks.order.v[i], i };
	qsort(a.moved, r->tracks.order.n, sizeof *a.moved, by_id);
	place_siblings(&a, 0, (uint32_t)r->n, ROWS_NONE);
	free(a.pool);
	free(a.moved);
	free(r->v);
	r->v = a.to;
}

/* --- filter --- */

/* Full path of a row: "w-0 TPU:2 XLA Ops". */
static size_t path_of(const struct rows *r, uint32_t node, char *buf, size_t size)
{
	uint32_t up[8];
	size_t n = 0, len = 0;

	for (uint32_t i = node; i != ROWS_NONE && n < 8; i = r->v[i].parent)
		up[n++] = i;
	while (n--) {
		/* cppcheck-suppress uninitvar // those up to n are set */
		const struct rows_node *v = &r->v[up[n]];
		int more = snprintf(buf + len, size - len, "%.*s%s", (int)(v->len < 200 ? v->len : 200),
		    v->name, n ? " " : "");

		if (more < 0 || (size_t)more >= size - len)
			break;
		len += (size_t)more;
	}
	return len;
}

static bool is_track(const struct rows_node *v)
{
	return v->kind == NODE_TRACK || v->kind == NODE_COUNTER;
}

static void keep_node(struct rows *r, uint32_t node)
{
	for (uint32_t i = node; i != ROWS_NONE && !r->tracks.keep[i]; i = r->v[i].parent)
		r->tracks.keep[i] = 1;
}

/* Rows of a track follow the track; a row inside a match matches too, because its path contains the match. */
static void match_rows(struct rows *r)
{
	struct regex_scratch *scratch = regex_scratch_new(r->tracks.filter);
	char path[1024];

	for (uint32_t i = 0; i < r->n; i++) {
		const struct rows_node *v = &r->v[i];
		bool row = v->kind == NODE_ROW || v->kind == NODE_LANES;

		if (row ? r->tracks.keep[v->parent]
			: regex_match(r->tracks.filter, scratch, v->name, v->len, NULL, NULL) ||
			    regex_match(r->tracks.filter, scratch, path, path_of(r, i, path, sizeof path),
				NULL, NULL))
			keep_node(r, i);
	}
	regex_scratch_free(scratch);
}

void tracks_match(struct rows *r)
{
	struct tracks *k = &r->tracks;

	k->shown = k->all = 0;
	free(k->keep);
	k->keep = NULL;
	if (!k->filter)
		return;
	k->keep = xcalloc(r->n + 1, sizeof *k->keep);
	match_rows(r);
	for (uint32_t i = 0; i < r->n; i++) {
		struct rows_node *v = &r->v[i];

		k->all += is_track(v);
		k->shown += is_track(v) && k->keep[i];
		if (k->keep[i] && v->foldable && v->folded &&
		    (is_section(v) || v->kind == NODE_GROUP || v->kind == NODE_COUNTERS) &&
		    !tracks_has(&k->shut, v->id))
			v->folded = false;
	}
}

void tracks_folded(struct rows *r, uint64_t id, bool folded)
{
	if (!r->tracks.filter)
		return;
	if (folded)
		put_rows(&r->tracks.shut, id);
	else
		drop_id(&r->tracks.shut, id);
}

/* --- visible rows --- */

static void push_visible(struct rows *r, uint32_t node)
{
	VEC_ADD(r->vis, r->nvis, r->vis_cap, node);
}

static uint32_t node_of_id(const struct rows *r, uint64_t id)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->v[i].id == id)
			return i;
	return ROWS_NONE;
}

static bool pinned_above(const struct rows *r, uint32_t node)
{
	for (uint32_t i = r->v[node].parent; i != ROWS_NONE; i = r->v[i].parent)
		if (tracks_has(&r->tracks.pinned, r->v[i].id))
			return true;
	return false;
}

static void show_from(struct rows *r, uint32_t from, uint32_t to, bool pinned)
{
	const struct tracks *k = &r->tracks;

	for (uint32_t i = from; i < to;) {
		const struct rows_node *v = &r->v[i];

		if (!pinned &&
		    ((k->hidden.n && tracks_has(&k->hidden, v->id)) || (k->keep && !k->keep[i]) ||
			(k->pinned.n && tracks_has(&k->pinned, v->id)))) {
			i = v->end;
			continue;
		}
		push_visible(r, i);
		i = v->foldable && v->folded ? v->end : i + 1;
	}
}

void tracks_show(struct rows *r)
{
	const struct tracks *k = &r->tracks;

	r->nvis = 0;
	for (size_t p = 0; p < k->pinned.n; p++) {
		uint32_t node = node_of_id(r, k->pinned.v[p]);

		if (node != ROWS_NONE && !pinned_above(r, node))
			show_from(r, node, r->v[node].end, true);
	}
	r->tracks.npin = r->nvis;
	show_from(r, 0, (uint32_t)r->n, false);
}

void tracks_reveal(struct rows *r, uint32_t node)
{
	for (uint32_t i = node; i != ROWS_NONE; i = r->v[i].parent)
		drop_id(&r->tracks.hidden, r->v[i].id);
	if (r->tracks.keep)
		keep_node(r, node);
}

void tracks_free(struct tracks *k)
{
	free(k->pinned.v);
	free(k->hidden.v);
	free(k->order.v);
	free(k->shut.v);
	free(k->keep);
	regex_free(k->filter);
	memset(k, 0, sizeof *k);
}

/* --- saved in a session --- */

static const struct {
	const char *name;
	size_t at;
} kept[] = {
	{ "pin", offsetof(struct tracks, pinned) },
	{ "hide", offsetof(struct tracks, hidden) },
	{ "order", offsetof(struct tracks, order) },
};

void tracks_put(const struct tracks *k, struct kv *kv)
{
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		const struct tracks_ids *s = (const void *)((const char *)k + kept[i].at);

		for (size_t n = 0; n < s->n; n++)
			kv_putf(kv, kept[i].name, "%016" PRIx64, s->v[n]);
	}
	if (k->sort != TRACKS_BY_FILE)
		kv_put(kv, "sort", sort_name[k->sort]);
	if (k->filter)
		kv_put(kv, "filter", regex_pattern(k->filter));
}

void tracks_get(struct tracks *k, const struct kv *kv)
{
	const char *s;

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		for (size_t at = 0; (s = kv_next(kv, kept[i].name, &at));) {
			char *end;
			uint64_t id = strtoull(s, &end, 16);

			if (*s && !*end)
				put_rows((struct tracks_ids *)(void *)((char *)k + kept[i].at), id);
		}
	if ((s = kv_get(kv, "sort")))
		tracks_set_sort(k, s);
	if ((s = kv_get(kv, "filter"))) {
		regex_free(k->filter);
		k->filter = regex_new(s, REGEX_SMART_CASE, NULL);
	}
}

bool tracks_set_sort(struct tracks *k, const char *how)
{
	for (int i = 0; i < TRACKS_SORTS; i++)
		if (!strcmp(how, sort_name[i])) {
			k->sort = (enum tracks_sort)i;
			return true;
		}
	return false;
}
