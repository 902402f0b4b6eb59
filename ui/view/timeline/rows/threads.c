#include "config.h"

#include "view/timeline/rows/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/natural.h"
#include "model/lod.h"

enum {
	HOST_NAME_COLS = 12,  /* a host name longer than this is shown as "host" in a run of one host */
	UNITE_AT_ONCE = 50000 /* events of a process up to which its groups are united and sorted */
};

struct thread {
	uint32_t track;
	const char *name;
	size_t len;    /* "tfrt-queue/1234" */
	size_t prefix; /* bytes before the '/' */
	int64_t work, group_work;
	uint32_t group; /* first thread of its group */
};

/* busy time of a track, without waits */
static int64_t nodes_work(const struct track *t, const struct dump *d)
{
	int64_t busy[CLASS_COUNT], sum = 0;

	if (!t->n || !t->lod)
		return 0;
	lod_sum(t, d->trace.meta_class, t->first, t->last + 1, busy);
	for (int c = 0; c < CLASS_COUNT; c++)
		if (c != CLASS_WAIT)
			sum = add_clamped(sum, busy[c] > 0 ? busy[c] : 0);
	return sum;
}

static bool is_main(const struct thread *t)
{
	struct slice prefix = { t->name, t->prefix };

	return slice_is(prefix, "main") || slice_begins(prefix, "python");
}

static int by_prefix(const void *pa, const void *pb)
{
	const struct thread *a = pa, *b = pb;
	int c = natural_cmp(a->name, a->prefix, b->name, b->prefix);

	if (!c)
		c = a->work != b->work ? (a->work > b->work ? -1 : 1) : 0;
	if (!c)
		c = natural_cmp(a->name, a->len, b->name, b->len);
	return c ? c : a->track < b->track ? -1 : 1;
}

/* Main first, then the busiest; groups stay together. */
static int by_work(const void *pa, const void *pb)
{
	const struct thread *a = pa, *b = pb;

	if (a->group == b->group)
		return by_prefix(pa, pb);
	if (is_main(a) != is_main(b))
		return is_main(a) ? -1 : 1;
	if (a->group_work != b->group_work)
		return a->group_work > b->group_work ? -1 : 1;
	return a->group < b->group ? -1 : 1;
}

static uint64_t group_id(uint32_t plane, const struct thread *t)
{
	return nodes_id(NODE_GROUP, plane, strtab_hash(t->name, t->prefix));
}

/* Busy time of a group: that of the union of its threads if that is cheap, else the sum. */
static int64_t work_of_group(struct nodes *b, uint32_t plane, const struct thread *t, size_t n, bool unite)
{
	int64_t sum = 0;
	uint32_t *tracks, track;

	for (size_t i = 0; i < n; i++)
		sum = add_clamped(sum, t[i].work);
	if (!unite || n < 2)
		return sum;
	tracks = xcalloc(n, sizeof *tracks);
	for (size_t i = 0; i < n; i++)
		tracks[i] = t[i].track;
	track = nodes_unite(b->rows, b->cap, group_id(plane, t), tracks, n, t->name, t->prefix);
	free(tracks);
	return track == ROWS_NONE ? 0 : nodes_work(&b->cap->dump->trace.tracks[track], b->cap->dump);
}

static size_t collect_threads(const struct nodes *b, uint32_t plane, struct thread *out, size_t *events)
{
	const struct dump *d = b->cap->dump;
	size_t n = 0;

	*events = 0;
	for (uint32_t i = b->from[plane]; i < b->from[plane + 1]; i++) {
		const struct track *t = &d->trace.tracks[b->of_plane[i]];
		struct thread *h = &out[n];
		const char *slash;

		if (!nodes_has_rows(b, b->of_plane[i]))
			continue;
		h->track = b->of_plane[i];
		h->name = strtab_str(&d->str, t->name);
		h->len = strtab_len(&d->str, t->name);
		slash = h->len ? memchr(h->name, '/', h->len) : NULL;
		h->prefix = slash && slash > h->name ? (size_t)(slash - h->name) : h->len;
		h->work = nodes_work(t, d);
		*events += t->n;
		n++;
	}
	return n;
}

/* Groups threads by name, and sorts them. */
static size_t sorted_threads(struct nodes *b, uint32_t plane, struct thread *out)
{
	size_t events, n = collect_threads(b, plane, out, &events);

	qsort(out, n, sizeof *out, by_prefix);
	for (size_t i = 0, j; i < n; i = j) {
		int64_t work;

		for (j = i + 1; j < n && !natural_cmp(out[i].name, out[i].prefix, out[j].name, out[j].prefix);
		     j++)
			;
		work = work_of_group(b, plane, &out[i], j - i, events <= UNITE_AT_ONCE);
		for (size_t k = i; k < j; k++) {
			out[k].group = (uint32_t)i;
			out[k].group_work = work;
		}
	}
	qsort(out, n, sizeof *out, by_work);
	return n;
}

static uint32_t add_members(struct rows *r, const struct thread *t, size_t n)
{
	uint32_t first = (uint32_t)r->nmember;

	for (size_t i = 0; i < n; i++)
		VEC_ADD(r->member, r->nmember, r->member_cap, t[i].track);
	return first;
}

static void add_thread(struct nodes *b, const struct thread *t, uint32_t parent, bool alone)
{
	const char *name = t->name;
	size_t len = t->len;

	if (alone) {
		len = t->prefix;
	} else if (t->prefix + 1 < t->len) { /* the group has the rest of the name */
		name += t->prefix + 1;
		len -= t->prefix + 1;
	}
	if (!len) {
		name = "unnamed thread";
		len = strlen(name);
	}
	nodes_track(b, t->track, parent, name, len, true);
}

static void add_group(struct nodes *b, uint32_t plane, const struct thread *t, size_t n, uint32_t parent)
{
	struct rows_node v = {
		.kind = NODE_GROUP,
		.plane = plane,
		.steps = ROWS_NONE,
		.counter = -1,
		.foldable = true,
		.folded = true,
		.name = t->name,
		.len = (uint32_t)t->prefix,
		.members = (uint32_t)n,
		.id = group_id(plane, t),
	};
	uint32_t node;
	bool made;

	v.member = add_members(b->rows, t, n);
	v.track = nodes_union(b->rows, v.id, &made);
	node = nodes_add(b, &v, parent);
	for (size_t i = 0; i < n; i++)
		add_thread(b, &t[i], node, false);
	nodes_close(b, node);
}

static void name_section(const struct nodes *b, struct rows_node *v)
{
	const struct dump *d = b->cap->dump;
	const struct plane *p = &d->trace.planes[v->plane];
	struct slice name = dump_text(d, p->name);

	if (slice_is(name, "/host:CPU")) {
		strid host = p->host >= 0 && d->nhosts == 1 ? d->hosts[p->host].name : 0;
		size_t len = strtab_len(&d->str, host);

		v->name = len && len <= HOST_NAME_COLS ? strtab_str(&d->str, host) : "host";
		v->len = (uint32_t)(len && len <= HOST_NAME_COLS ? len : 4);
		return;
	}
	if (!slice_is(name, "/host:"))
		slice_cut(&name, "/host:");
	if (!name.n)
		name = slice_of("unnamed process");
	v->name = name.s;
	v->len = (uint32_t)name.n;
}

void nodes_threads(struct nodes *b, uint32_t plane, uint32_t parent, const char *name, size_t len,
    bool folded)
{
	struct thread *t = xcalloc(b->from[plane + 1] - b->from[plane] + 1, sizeof *t);
	size_t n = sorted_threads(b, plane, t);
	struct rows_node v = {
		.kind = NODE_THREADS,
		.plane = plane,
		.steps = ROWS_NONE,
		.counter = -1,
		.foldable = true,
		.folded = folded,
		.members = (uint32_t)n,
		.id = nodes_id(NODE_THREADS, plane, 0),
	};
	uint32_t node;
	bool made;

	name_section(b, &v);
	if (name && len) {
		v.name = name;
		v.len = (uint32_t)len;
	}
	v.member = add_members(b->rows, t, n);
	v.track = n == 1 ? t[0].track : nodes_union(b->rows, v.id, &made);
	node = nodes_add(b, &v, parent);
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && t[j].group == t[i].group; j++)
			;
		if (j - i > 1)
			add_group(b, plane, &t[i], j - i, node);
		else
			add_thread(b, &t[i], node, true);
	}
	nodes_counters(b, plane, node);
	nodes_close(b, node);
	free(t);
}
