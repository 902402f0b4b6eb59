#include "config.h"
#include "analyze/steps/groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "analyze/trace/clock.h"
#include "analyze/trace/ties.h"
#include "base/bisect.h"
#include "base/clamp.h"

#define NOBODY UINT32_MAX
#define ASKED_KINDS 64
#define ASKED_DEPTH 3
#define TF_DATA INT64_MAX /* marks what tf.data runs while groups are being made; it belongs to no group */

/* An event that links others: a root, an end of a hand-over, or a region of a thread pool. */
struct node {
	uint32_t track, event32;
	uint32_t parent; /* node around it on the same thread, or NOBODY */
	int host;
	int64_t start, end;
	int64_t level;         /* > 0: it is a root */
	int64_t number, group; /* group: -1 = none yet */
	bool has_number, explicit_root;
	bool captured; /* a function that tf.data runs */
	bool region;   /* a region of a thread pool */
	bool counted;  /* in the group by XProf's rules, too, not only because of a region */
};

struct arrow {
	uint32_t from, to;
};

struct forest {
	const struct dump *d;
	struct ties_names names;
	uint8_t *special; /* by meta: enum special */
	/* By meta: of a converted trace and worth reading its stats; NULL: no converted traces. */
	uint8_t *asked;
	struct node *node;
	size_t n, cap;
	struct tie_ends ends; /* `event` of an end is the index of a node */
	struct arrow *arrow;
	size_t narrows, arrows_cap;
};

enum special { SPECIAL_NONE, SPECIAL_ROOT, SPECIAL_START, SPECIAL_STOP, SPECIAL_CAPTURED };

static const struct {
	const char *name;
	enum special what;
} specials[] = {
	{ "FunctionRun", SPECIAL_ROOT },
	{ "SessionRun", SPECIAL_ROOT },
	{ "RunGraph", SPECIAL_ROOT },
	{ "ExecutorState::Process", SPECIAL_ROOT },
	{ "TraceContext", SPECIAL_ROOT },
	{ "ThreadpoolListener::StartRegion", SPECIAL_START },
	{ "ThreadpoolListener::StopRegion", SPECIAL_STOP },
};

static const char captured[] = "InstantiatedCapturedFunction::Run"; /* also ...Async and so on */

static void find_specials(struct forest *f)
{
	const struct trace *t = &f->d->trace;
	strid id[sizeof specials / sizeof *specials];

	for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
		id[k] = strtab_find(&f->d->str, specials[k].name, strlen(specials[k].name));
	f->special = xcalloc(t->nmetas + 1, 1);
	for (size_t i = 0; i < t->nmetas; i++) {
		strid name = t->metas[i].name;

		if (slice_begins(dump_text(f->d, name), captured))
			f->special[i] = SPECIAL_CAPTURED;
		for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
			if (name == id[k])
				f->special[i] = (uint8_t)specials[k].what;
	}
}

static bool is_converted(const struct dump *d, const struct track *t)
{
	return file_is_converted(&d->files[t->file]);
}

/* The stats of converted traces are slow to reach (text, compressed).  Steps take most of the time of their
 * thread, so only the kinds of host events with the most time are checked for a step_num. */
static void choose_kinds(struct forest *f)
{
	const struct trace *t = &f->d->trace;
	int64_t *sum = NULL;

	for (size_t k = 0; k < t->ntracks; k++) {
		const struct track *h = &t->tracks[k];

		if (h->file < 0 || !is_converted(f->d, h) || t->planes[h->plane].kind != PLANE_HOST)
			continue;
		if (!sum)
			sum = xcalloc(t->nmetas + 1, sizeof *sum);
		for (size_t i = 0; i < h->n; i++)
			if (h->depth[i] < ASKED_DEPTH)
				sum[track_meta(h, i)] = add_clamped(sum[track_meta(h, i)], track_dur(h, i));
	}
	if (sum)
		f->asked = xcalloc(t->nmetas + 1, 1);
	for (int k = 0; sum && k < ASKED_KINDS; k++) {
		size_t best = 0;

		for (size_t i = 1; i < t->nmetas; i++)
			best = sum[i] > sum[best] ? i : best;
		if (!sum[best])
			break;
		f->asked[best] = 1;
		sum[best] = 0;
	}
	free(sum);
}

/* Converted traces lack _r, so a step_num is all that is left to recognize a root by. */
static bool says_step(const struct forest *f, const struct track *t, const struct ties *ties)
{
	return TIE_HAS(ties, TIE_STEP_NUM) && is_converted(f->d, t);
}

static uint32_t add_node(struct forest *f, uint32_t track, size_t i, const struct ties *ties, int64_t level)
{
	const struct track *t = &f->d->trace.tracks[track];
	struct node *n;

	VEC_PUSH(f->node, f->n, f->cap);
	n = &f->node[f->n];
	*n = (struct node){ .track = track, .event32 = (uint32_t)i, .parent = NOBODY, .group = -1 };
	n->level = level;
	n->host = f->d->trace.planes[t->plane].host;
	n->explicit_root = TIE_HAS(ties, TIE_ROOT) || says_step(f, t, ties);
	clock_plain(f->d, t, i, &n->start, &n->end);
	n->end += n->start;
	for (int k = 0; k < 2 && !n->has_number; k++) {
		enum tie name = k ? TIE_STEP_NUM : TIE_ITER_NUM;

		n->has_number = TIE_HAS(ties, name);
		n->number = n->has_number ? ties->v[name] : 0;
	}
	if (TIE_HAS(ties, TIE_GROUP))
		n->group = ties->v[TIE_GROUP];
	n->counted = n->group >= 0;
	tie_ends_add(&f->ends, f->d, track, f->n, ties);
	return (uint32_t)f->n++;
}

static void add_arrow(struct forest *f, uint32_t from, uint32_t to)
{
	VEC_ADD(f->arrow, f->narrows, f->arrows_cap, (struct arrow){ from, to });
}

static bool read_ties(struct forest *f, struct ties_reader *r, size_t i, struct ties *ties)
{
	const struct track *t = r->ints.track;
	bool converted = is_converted(f->d, t);

	ties->has = 0;
	if (converted && !f->asked[track_meta(t, i)])
		return false;
	ties_read(r, i, ties);
	if (converted && !ties->has)
		f->asked[track_meta(t, i)] = 0;
	return ties->has != 0;
}

/* Makes the nodes of one host thread and links each to what directly encloses it.  The file has two instants
 * for a region of a thread pool, and the region lasts until the second. */
static void walk_thread(struct forest *f, uint32_t track)
{
	const struct track *t = &f->d->trace.tracks[track];
	uint32_t *stack = NULL;
	size_t depth = 0, cap = 0, regions = 0; /* regions: how many of the stack */
	int64_t inside = INT64_MIN;
	struct ties_reader reader;

	ties_open(&reader, &f->names, f->d, t);
	for (size_t i = 0; i < t->n; i++) {
		enum special what = f->special[track_meta(t, i)];
		struct ties ties;
		int64_t level;

		if (what == SPECIAL_CAPTURED) {
			inside = inside > track_end(t, i) ? inside : track_end(t, i);
			what = SPECIAL_NONE;
		}
		if (what == SPECIAL_STOP) {
			while (regions && f->node[stack[--depth]].end != INT64_MAX)
				;
			regions -= regions > 0;
			continue;
		}
		if (!read_ties(f, &reader, i, &ties) && what == SPECIAL_NONE)
			continue;
		level = what == SPECIAL_ROOT || says_step(f, t, &ties);
		if (TIE_HAS(&ties, TIE_ROOT))
			level = ties.v[TIE_ROOT];
		if (level <= 0 && what != SPECIAL_START &&
		    !(ties.has & (1u << TIE_P | 1u << TIE_C | 1u << TIE_GROUP)))
			continue;
		uint32_t me = add_node(f, track, i, &ties, level);
		struct node *n = &f->node[me];

		n->captured = level > 0 && track_end(t, i) <= inside;
		if ((n->region = what == SPECIAL_START))
			n->end = INT64_MAX;
		regions += n->region;
		while (depth && (f->node[stack[depth - 1]].end < (what == SPECIAL_START ? n->start : n->end)))
			depth--;
		if (depth) {
			n->parent = stack[depth - 1];
			add_arrow(f, n->parent, me);
		}
		VEC_ADD(stack, depth, cap, me);
	}
	free(stack);
}

static void walk_markers(struct forest *f, uint32_t track)
{
	const struct track *t = &f->d->trace.tracks[track];
	struct ties_reader reader;
	struct ties ties;

	ties_open(&reader, &f->names, f->d, t);
	for (size_t i = 0; i < t->n; i++)
		if (ties_read(&reader, i, &ties) && (ties.has & (1u << TIE_C | 1u << TIE_GROUP)))
			add_node(f, track, i, &ties, 0);
}

static void join(struct forest *f, const struct tie_end *from, const struct tie_end *to)
{
	if (from->event != to->event)
		add_arrow(f, (uint32_t)from->event, (uint32_t)to->event);
}

static int by_start_of_node(const void *a, const void *b, void *ctx)
{
	const struct forest *f = ctx;
	const struct node *x = &f->node[((const struct tie_end *)a)->event],
			  *y = &f->node[((const struct tie_end *)b)->event];

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x > y) - (x < y);
}

/* Launches and runs of one core with an id that is used again.  Runs are in the order of their launches: the
 * last run is of the last launch if some were launched before the capture, else the first of the first. */
static void join_in_turn(struct forest *f, const struct tie_end *from, size_t nfrom, const struct tie_end *to,
    size_t nto)
{
	size_t before = nto > nfrom ? nto - nfrom : 0, each = nfrom % nto ? 1 : nfrom / nto;

	for (size_t k = before; k < nto; k++)
		for (size_t i = (k - before) * each; i < (k - before + 1) * each; i++)
			join(f, &from[i], &to[k]);
}

/* Events of one thread of the host with an id that is used again: each follows what handed over last before it. */
static void join_latest(struct forest *f, const struct tie_end *from, size_t nfrom, const struct tie_end *to,
    size_t nto)
{
	for (size_t i = 0, k = 0; i < nto; i++) {
		while (k + 1 < nfrom && f->node[from[k + 1].event].start <= f->node[to[i].event].start)
			k++;
		join(f, &from[k], &to[i]);
	}
}

static void join_key(void *ctx, const struct tie_end *v, size_t producers, size_t n)
{
	struct forest *f = ctx;
	struct tie_end *from = xcalloc(n, sizeof *from);

	memcpy(from, v, n * sizeof *from);
	qsort_r(from, producers, sizeof *from, by_start_of_node, f);
	for (size_t a = producers, b; a < n; a = b) {
		const struct track *t = &f->d->trace.tracks[v[a].track];

		for (b = a + 1; b < n && v[b].track == v[a].track; b++)
			;
		if (producers > 1 && b - a > 1) {
			qsort_r(from + a, b - a, sizeof *from, by_start_of_node, f);
			(f->d->trace.planes[t->plane].kind == PLANE_TPU ? join_in_turn : join_latest)(f, from,
			    producers, from + a, b - a);
			continue;
		}
		for (size_t p = 0; p < producers; p++)
			for (size_t q = a; q < b; q++)
				join(f, &v[p], &v[q]);
	}
	free(from);
}

VEC_ORDER(by_from, struct arrow, UP(from) UP(to));

/* Gives an ID to everything below a root that has none yet.  counted: mark it as in XProf's group, except for
 * what is reached only through a region of a thread pool. */
static void spread(struct forest *f, const size_t *first, uint32_t root, int64_t id, bool counted,
    uint32_t *queue)
{
	size_t head = 0, tail = 0;

	f->node[root].group = id;
	f->node[root].counted |= counted;
	queue[tail++] = root;
	while (head < tail) {
		uint32_t from = queue[head++];

		for (size_t k = first[from]; k < first[from + 1]; k++) {
			struct node *n = &f->node[f->arrow[k].to];

			if (n->group >= 0 || (counted && f->node[from].region && n->parent == from))
				continue;
			n->group = id;
			n->counted = counted;
			queue[tail++] = f->arrow[k].to;
		}
	}
}

/* Gives IDs to what is inside regions, thread by thread. */
static void spread_regions(struct forest *f, const size_t *first, uint32_t *queue)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->node[i].region && f->node[i].counted)
			spread(f, first, (uint32_t)i, f->node[i].group, false, queue);
}

static int by_rank(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a, *y = *(const struct node *const *)b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return (x > y) - (x < y);
}

static void add_group(struct groups *g, size_t *cap, const struct node *n, int64_t id)
{
	VEC_ADD(g->v, g->n, *cap,
	    (struct group){ .host = n->host,
		.id = id,
		.track = n->track,
		.event = n->event32,
		.has_number = n->has_number,
		.explicit_root = n->explicit_root,
		.number = n->has_number ? n->number : id });
}

static void number_roots(struct forest *f, struct groups *g)
{
	size_t nroots = 0, *first = xcalloc(f->n + 2, sizeof *first), cap = 0;
	const struct node **root = xcalloc(f->n + 1, sizeof *root);
	uint32_t *queue = xcalloc(f->n + 1, sizeof *queue);
	int64_t id = 0;

	VEC_SORT(f->arrow, f->narrows, by_from);
	for (size_t i = 0, k = 0; i <= f->n; i++) {
		while (k < f->narrows && f->arrow[k].from < i)
			k++;
		first[i] = k;
	}
	for (size_t i = 0; i < f->n; i++)
		if (f->node[i].level > 0)
			root[nroots++] = &f->node[i];
	VEC_SORT(root, nroots, by_rank);
	for (size_t i = 0; i < f->n; i++)
		if (f->node[i].captured && f->node[i].group < 0)
			spread(f, first, (uint32_t)i, TF_DATA, true, queue);
	for (size_t i = 0; i < nroots; i++) {
		if (i && root[i]->host != root[i - 1]->host)
			id = 0;
		if (root[i]->group >= 0)
			continue;
		spread(f, first, (uint32_t)(root[i] - f->node), id, true, queue);
		add_group(g, &cap, root[i], id++);
	}
	spread_regions(f, first, queue);
	for (size_t i = 0; i < f->n; i++)
		if (f->node[i].group == TF_DATA)
			f->node[i].group = -1;
	free(first);
	free(root);
	free(queue);
}

VEC_ORDER(by_id, struct group, UP(host) UP(id) UP(track) UP(event));

/* For a file with groups: its roots are the outermost events with _r, numbered by their group_id. */
static void known_roots(struct forest *f, struct groups *g)
{
	size_t cap = 0, n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->node[i].level > 0 && f->node[i].group >= 0)
			add_group(g, &cap, &f->node[i], f->node[i].group);
	VEC_SORT(g->v, g->n, by_id);
	for (size_t i = 0; i < g->n; i++)
		if (!n || g->v[n - 1].host != g->v[i].host || g->v[n - 1].id != g->v[i].id)
			g->v[n++] = g->v[i];
	g->n = n;
}

static void take_members(struct forest *f, struct groups *g)
{
	size_t cap = 0, covers_cap = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct node *n = &f->node[i];
		const struct track *t = &f->d->trace.tracks[n->track];
		enum track_role role = t->role;

		if (f->d->trace.planes[t->plane].kind == PLANE_HOST && n->group >= 0 && n->counted) {
			int64_t end = n->region ? n->start : n->end;

			VEC_ADD(g->cover, g->ncovers, covers_cap,
			    (struct group_cover){ n->track, n->start, end, n->group });
		}
		if (n->group < 0 || (role != TRACK_STEPS && role != TRACK_MODULES))
			continue;
		VEC_ADD(g->member, g->nmembers, cap, (struct group_member){ n->track, n->event32, n->group });
	}
}

static void walk_tracks(struct forest *f)
{
	const struct trace *tr = &f->d->trace;

	for (uint32_t i = 0; i < tr->ntracks; i++) {
		const struct track *t = &tr->tracks[i];
		enum plane_kind kind = tr->planes[t->plane].kind;

		if (t->file < 0 || !t->n)
			continue;
		if (kind == PLANE_HOST)
			walk_thread(f, i);
		else if (kind == PLANE_TPU && (t->role == TRACK_STEPS || t->role == TRACK_MODULES))
			walk_markers(f, i);
	}
	for (uint32_t p = 0; p < tr->nplanes; p++)
		if (tr->planes[p].kind == PLANE_HOST)
			dump_let_go(f->d, p);
}

void groups_find(const struct dump *d, struct groups *g)
{
	struct forest f = { .d = d };
	bool grouped = false;

	*g = (struct groups){ 0 };
	ties_names_init(&f.names, d);
	choose_kinds(&f);
	if (f.asked || (f.names.present & (1u << TIE_ROOT | 1u << TIE_GROUP))) {
		find_specials(&f);
		walk_tracks(&f);
		for (size_t i = 0; i < f.n && !grouped; i++)
			grouped = f.node[i].group >= 0;
		if (grouped) {
			known_roots(&f, g);
		} else {
			tie_ends_by_key(&f.ends, join_key, &f, NULL, NULL);
			number_roots(&f, g);
		}
		take_members(&f, g);
	}
	ties_names_free(&f.names);
	free(f.special);
	free(f.asked);
	free(f.node);
	free(f.ends.v);
	free(f.arrow);
}

void groups_free(struct groups *g)
{
	free(g->v);
	free(g->member);
	free(g->cover);
	*g = (struct groups){ 0 };
}

const struct group *groups_get(const struct groups *g, int host, int64_t id)
{
	size_t a;

	BISECT(a, g->n, g->v[a].host < host || (g->v[a].host == host && g->v[a].id < id));
	return a < g->n && g->v[a].host == host && g->v[a].id == id ? &g->v[a] : NULL;
}

bool groups_first(const struct groups *g, uint32_t track, size_t *event, int64_t *id)
{
	size_t a;

	BISECT(a, g->nmembers,
	    g->member[a].track < track || (g->member[a].track == track && g->member[a].event < *event));
	if (a == g->nmembers || g->member[a].track != track)
		return false;
	*event = g->member[a].event;
	*id = g->member[a].id;
	return true;
}

bool groups_of(const struct groups *g, uint32_t track, size_t event, int64_t *id)
{
	int64_t first;
	size_t at = event;

	if (!groups_first(g, track, &at, &first) || at != event)
		return false;
	*id = first;
	return true;
}

size_t groups_count(const struct groups *g, int host)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		n += g->v[i].host == host;
	return n;
}

size_t groups_name(const struct group *g, const struct dump *d, char *buf, size_t size)
{
	const struct track *t = &d->trace.tracks[g->track];
	strid name = d->trace.metas[track_meta(t, g->event)].name;
	int len = (int)strtab_len(&d->str, name);
	char number[24];
	int digits = snprintf(number, sizeof number, "%" PRId64, g->number);
	const char *s = strtab_str(&d->str, name);
	int n;

	/* The name ends with the number already, as in converted traces. */
	if (len > digits && !memcmp(s + len - digits, number, (size_t)digits) && s[len - digits - 1] == ' ')
		n = snprintf(buf, size, "%.*s", len, s);
	else
		n = snprintf(buf, size, "%.*s %s", len, s, number);
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}
