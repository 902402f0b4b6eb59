#include "config.h"
#include "analyze/events/chain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/kinds.h"
#include "analyze/events/meeting.h"
#include "analyze/trace/links.h"
#include "base/clamp.h"
#include "base/text/units.h"
#include "model/lod.h"

#define GAP_LEAST INT64_C(1000) /* ps; ops of a program follow each other in less */

enum {
	NAME_CUT = 60, /* bytes of a name in a line; longer names are cut in the middle */
	THREAD_CUT = 32,
	HOSTS_SHOWN = 3, /* threads listed per gap */
	HOPS = 4,        /* arrows followed back from a launch */
	AROUND = 3,      /* events around a launch that are named */
	ARRIVALS = 64,
	SMALL = 200, /* pieces of a step shorter than 1/SMALL of it are summed up */
	PIECES_MAX = 40
};

struct name {
	char s[NAME_CUT + 1];
	int n;
};

static const struct track *track_of(const struct dump *d, uint32_t i)
{
	return &d->trace.tracks[i];
}

/* Writes a moment the way the reader counts time. */
static char *exact(const struct chain_words *w, int64_t t, char *buf, size_t size)
{
	return w->moment ? w->moment(w->by, t, buf, size) : units_time_exact(buf, size, t, w->ascii);
}

/* Cuts a text of more than `most` bytes in the middle, keeping `kept` bytes at the end. */
static struct name name_cut(const char *s, size_t n, size_t most, size_t kept)
{
	struct name r = { .n = 0 };
	size_t tail = n - kept;

	if (n <= most) {
		memcpy(r.s, s, n);
		r.n = (int)n;
		return r;
	}
	while (tail < n && ((unsigned char)s[tail] & 0xc0) == 0x80) /* never cut inside a UTF-8 character */
		tail++;
	for (r.n = (int)(most - kept) - 2; r.n > 0 && ((unsigned char)s[r.n] & 0xc0) == 0x80;)
		r.n--;
	memcpy(r.s, s, (size_t)r.n);
	memcpy(r.s + r.n, "..", 2);
	memcpy(r.s + r.n + 2, s + tail, n - tail);
	r.n += 2 + (int)(n - tail);
	return r;
}

static struct name name_id(const struct dump *d, strid id)
{
	return name_cut(strtab_str(&d->str, id), strtab_len(&d->str, id), NAME_CUT, NAME_CUT / 2 - 1);
}

/* A long name of a thread keeps its number, as "/3117357" of "pjrt-tpu-tasks/3117357", which tells threads
 * apart. */
static struct name thread_of(const struct dump *d, strid id)
{
	const char *s = strtab_str(&d->str, id);
	size_t n = strtab_len(&d->str, id), kept = 0;

	for (size_t i = n; i > 0 && !kept; i--)
		if (s[i - 1] == '/')
			kept = n - i + 1;

	if (kept < THREAD_CUT / 2 || kept > THREAD_CUT - 4)
		kept = THREAD_CUT / 2;
	return name_cut(s, n, THREAD_CUT, kept);
}

static struct name name_of(const struct dump *d, uint32_t track, size_t event)
{
	const struct track *k = track_of(d, track);

	return name_id(d, d->trace.metas[track_meta(k, event)].name);
}

static struct chain_line *add_line(struct chain *c, enum chain_kind kind, int level, uint32_t track,
    size_t event, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

static struct chain_line *add_line(struct chain *c, enum chain_kind kind, int level, uint32_t track,
    size_t event, const char *fmt, ...)
{
	struct chain_line *l;
	char buf[480];
	va_list args;

	va_start(args, fmt);
	vsnprintf(buf, sizeof buf, fmt, args);
	va_end(args);
	VEC_PUSH(c->v, c->n, c->cap);
	l = &c->v[c->n++];
	*l = (struct chain_line){ .kind = kind, .level = level, .track = track, .event = event };
	l->text = arena_strndup(&c->text, buf, strlen(buf));
	return l;
}

void chain_free(struct chain *c)
{
	free(c->v);
	arena_free(&c->text);
	memset(c, 0, sizeof *c);
}

/* --- the gap --- */

bool chain_gap(const struct dump *d, uint32_t track, size_t event, struct chain_gap *g)
{
	const struct track *k = track_of(d, track);
	size_t parent = track_parent(k, event);
	int64_t start = track_start(k, event), floor = INT64_MIN;

	*g = (struct chain_gap){ start, start, SIZE_MAX };
	if (parent < k->n)
		floor = g->from = track_start(k, parent);
	for (size_t j = event, looked = 0; j-- > 0 && looked < CHAIN_LOOK; looked++) {
		int64_t end = track_end(k, j);

		if (j == parent)
			break;
		if (end <= start && end >= floor && (g->before == SIZE_MAX || end > g->from)) {
			g->before = j;
			g->from = end;
		}
		if (end > start && k->depth[j] < k->depth[event])
			continue; /* on another lane and still running */
		if (!k->lane && k->depth[j] == k->depth[event])
			break; /* all events before this one had ended before the gap began */
	}
	if (k->lane && g->before != SIZE_MAX) /* an event on another lane may cover the gap */
		for (size_t j = event, looked = 0; j-- > 0 && looked < CHAIN_LOOK; looked++)
			if (track_end(k, j) > start && j != parent && k->depth[j] >= k->depth[event] &&
			    track_start(k, j) < start) {
				g->before = j;
				g->from = start;
				break;
			}
	return g->before != SIZE_MAX || (parent < k->n && g->from < start);
}

/* --- the host meanwhile --- */

struct doing {
	uint32_t track;
	size_t event;
	int64_t part;
	bool wait, launches;
};

static void look_at(const struct track *k, size_t i, int64_t from, int64_t to, struct doing *best, bool *deep)
{
	int64_t a = track_start(k, i) > from ? track_start(k, i) : from, b = track_end(k, i);
	bool half;

	b = b < to ? b : to;
	if (b <= a)
		return;
	half = b - a >= (to - from) / 2;
	/* prefer the deepest event that covers half of the gap, else the longest */
	if (half ? !*deep || k->depth[i] >= k->depth[best->event] : !*deep && b - a > best->part) {
		best->event = i;
		best->part = b - a;
		*deep = half;
	}
}

static bool doing_of(const struct dump *d, uint32_t track, int64_t from, int64_t to, struct doing *best)
{
	const struct track *k = track_of(d, track);
	size_t first = track_lower(k, from), looked = 0;
	bool deep = false;

	*best = (struct doing){ .track = track };
	for (int r = 0; k->lod && r < k->rows; r++) {
		uint32_t open = lod_open(k, r, from);

		if (open)
			look_at(k, open - 1, from, to, best, &deep);
	}
	for (size_t i = first; i < k->n && track_start(k, i) < to && looked < CHAIN_LOOK; i++, looked++)
		look_at(k, i, from, to, best, &deep);
	if (!best->part)
		return false;
	best->wait =
	    d->trace.meta_class && META_CLASS(d->trace.meta_class[track_meta(k, best->event)]) == CLASS_WAIT;
	return true;
}

static bool is_main(const struct dump *d, uint32_t track)
{
	struct name n = name_id(d, track_of(d, track)->name);

	return n.n >= 4 && (!strncmp(n.s, "main", 4) || (n.n >= 6 && !strncmp(n.s, "python", 6)));
}

/* Orders threads: the one that launched, the main thread, then by work done, with waits last. */
static int by_weight(const struct dump *d, const struct doing *a, const struct doing *b)
{
	int ra = a->launches       ? 3
	    : is_main(d, a->track) ? 2
				   : !a->wait,
	    rb = b->launches       ? 3
	    : is_main(d, b->track) ? 2
				   : !b->wait;

	return ra != rb ? ra - rb : (a->part > b->part) - (a->part < b->part);
}

static void add_hosts(struct chain *c, const struct dump *d, int host, uint32_t launcher, int64_t from,
    int64_t to, int shown, int level, const struct chain_words *w)
{
	struct doing top[HOSTS_SHOWN];
	int n = 0, threads = 0;
	char until[64], part[48], all[48];

	for (uint32_t i = 0; i < d->trace.ntracks && threads < CHAIN_THREADS; i++) {
		const struct track *k = track_of(d, i);
		const struct plane *p = &d->trace.planes[k->plane];
		struct doing now;
		int at;

		if (k->file < 0 || !k->n || p->kind != PLANE_HOST || p->host != host)
			continue;
		threads++;
		if (!doing_of(d, i, from, to, &now))
			continue;
		now.launches = i == launcher;
		for (at = n; at > 0 && by_weight(d, &now, &top[at - 1]) > 0; at--)
			if (at < HOSTS_SHOWN)
				top[at] = top[at - 1];
		if (at < HOSTS_SHOWN)
			top[at] = now;
		n += n < HOSTS_SHOWN;
	}
	for (int i = 0; i < n && i < shown; i++) {
		const struct track *k = track_of(d, top[i].track);
		struct name thread = thread_of(d, k->name), what = name_of(d, top[i].track, top[i].event);
		int64_t end = track_end(k, top[i].event);
		struct chain_line *l = add_line(c, CHAIN_HOST, level, top[i].track, top[i].event,
		    "host thread %.*s in %.*s until %s (%s of %s)", thread.n, thread.s, what.n, what.s,
		    exact(w, end, until, sizeof until), units_time(part, sizeof part, top[i].part, w->ascii),
		    units_time(all, sizeof all, to - from, w->ascii));

		l->from = track_start(k, top[i].event);
		l->to = end;
	}
	if (!n)
		add_line(c, CHAIN_NOTE, level, CHAIN_NONE, 0, "no host thread has an event in this time");
}

/* --- what launched it --- */

/* Finds the module that an event of a device is in, or the event itself if it is a module. */
static bool module_of(const struct dump *d, uint32_t track, size_t event, uint32_t *mtrack, size_t *module)
{
	const struct track *k = track_of(d, track);
	int64_t at = track_start(k, event);

	*mtrack = track;
	*module = event;
	if (k->role == TRACK_MODULES)
		return true;
	if (d->trace.planes[k->plane].kind != PLANE_TPU)
		return false;
	for (uint32_t i = 0; i < d->trace.ntracks; i++) {
		const struct track *m = track_of(d, i);
		size_t n;

		if (m->plane != k->plane || m->role != TRACK_MODULES || m->file < 0)
			continue;
		for (n = track_lower(m, at + 1); n-- > 0 && track_end(m, n) <= at;)
			if (m->rows < 2)
				return false;
		if (n == SIZE_MAX)
			return false;
		*mtrack = i;
		*module = n;
		return true;
	}
	return false;
}

/* Returns the producer that came last before the event; host threads come before others. */
static const struct edge *producer_of(const struct dump *d, uint32_t track, size_t event)
{
	uint32_t in[ARRIVALS];
	size_t n = links_to(d, track, event, in, ARRIVALS);
	const struct edge *best = NULL;
	bool best_host = false;

	for (size_t i = 0; i < n && i < ARRIVALS; i++) {
		const struct edge *e = &d->trace.edges[in[i]];
		const struct track *k = track_of(d, e->src_track);
		bool host = d->trace.planes[k->plane].kind == PLANE_HOST;

		if (!best || host > best_host ||
		    (host == best_host &&
			track_start(k, e->src) > track_start(track_of(d, best->src_track), best->src))) {
			best = e;
			best_host = host;
		}
	}
	return best;
}

/* Writes what encloses a launch: ", in PjitFunction(f), in train". */
static void around_text(const struct dump *d, uint32_t track, size_t event, char *buf, size_t size)
{
	const struct track *k = track_of(d, track);
	size_t at = 0, p = event;

	*buf = '\0';
	for (int i = 0; i < AROUND && (p = track_parent(k, p)) < k->n; i++) {
		struct name n = name_of(d, track, p);
		int len = snprintf(buf + at, size - at, "%s %.*s", i ? "," : " in", n.n, n.s);

		if (len < 0 || at + (size_t)len >= size)
			break;
		at += (size_t)len;
	}
}

/* Adds lines for what launched an event and what caused that.  Returns the thread of the launch, or
 * CHAIN_NONE. */
static uint32_t add_launch(struct chain *c, const struct dump *d, uint32_t track, size_t event, int level,
    int hops, const struct chain_words *w)
{
	uint32_t launcher = CHAIN_NONE;
	const struct edge *e;

	for (int hop = 0; hop < hops && (e = producer_of(d, track, event)); hop++, level++) {
		const struct track *from = track_of(d, e->src_track);
		const struct track *to = track_of(d, track);
		struct name what = name_of(d, e->src_track, e->src), thread = thread_of(d, from->name);
		char at[64], lag[48], around[240];
		struct chain_line *l;

		around_text(d, e->src_track, e->src, around, sizeof around);
		l = add_line(c, CHAIN_LAUNCH, level, e->src_track, e->src, "%s %.*s at %s (%s%s) on %.*s%s",
		    hop ? "caused by" : "launched by", what.n, what.s,
		    exact(w, track_start(from, e->src), at, sizeof at),
		    track_start(to, event) >= track_start(from, e->src) ? "+" : "",
		    units_time(lag, sizeof lag, track_start(to, event) - track_start(from, e->src), w->ascii),
		    thread.n, thread.s, around);
		l->from = track_start(from, e->src);
		l->to = l->from + track_dur(from, e->src);
		if (!hop)
			launcher = e->src_track;
		track = e->src_track;
		event = e->src;
	}
	return launcher;
}

/* --- the cores of a collective --- */

/* Returns the name of a core, with its host if there are several. */
static struct name core_of(const struct dump *d, uint32_t track)
{
	const struct plane *p = &d->trace.planes[track_of(d, track)->plane];
	struct slice core =
	    plane_label((struct slice){ strtab_str(&d->str, p->name), strtab_len(&d->str, p->name) });
	char buf[160];

	if (d->nhosts < 2 || p->host < 0)
		return name_cut(core.s, core.n, NAME_CUT, NAME_CUT / 2 - 1);
	snprintf(buf, sizeof buf, "%.*s %.*s",
	    (int)(dump_host_short(d, p->host).n < 80 ? dump_host_short(d, p->host).n : 80),
	    dump_host_short(d, p->host).s, (int)(core.n < 60 ? core.n : 60), core.s);
	return name_cut(buf, strlen(buf), NAME_CUT, NAME_CUT / 2 - 1);
}

/* The run that began first waited longest. */
static const struct meeting_run *first_to_come(const struct dump *d, const struct meeting *m)
{
	const struct meeting_run *first = m->v;

	for (size_t i = 1; i < m->n; i++)
		if (track_start(track_of(d, m->v[i].track), m->v[i].event) <
		    track_start(track_of(d, first->track), first->event))
			first = &m->v[i];
	return first;
}

static void add_meeting(struct chain *c, const struct dump *d, uint32_t track, size_t event,
    const struct chain_words *w)
{
	const struct track *k = track_of(d, track), *other;
	const struct meeting_run *last, *first;
	char wait[48], all[48], at[64];
	struct chain_gap g;
	struct meeting m;
	struct name name;
	int64_t late;

	if (!meeting_of(d, track, event, &m))
		return;
	last = &m.v[m.last];
	first = m.last ? m.v : first_to_come(d, &m);
	other = track_of(d, last->track);
	late = track_start(other, last->event) - track_start(track_of(d, first->track), first->event);
	units_time(wait, sizeof wait, late, w->ascii);
	name = core_of(d, m.last ? last->track : first->track);
	if (m.last)
		add_line(c, CHAIN_MEETING, 0, last->track, last->event,
		    "waited %s of %s for %.*s, the last of %zu cores to begin, at %s", wait,
		    units_time(all, sizeof all, track_dur(k, event), w->ascii), name.n, name.s, m.n,
		    exact(w, track_start(other, last->event), at, sizeof at));
	else
		add_line(c, CHAIN_MEETING, 0, first->track, first->event,
		    "the last of %zu cores to begin: the first one, %.*s, waited %s for it", m.n, name.n,
		    name.s, wait);
	/* what it ran before may be why it was late if it took long enough */
	if (chain_gap(d, last->track, last->event, &g) && g.before != SIZE_MAX &&
	    track_dur(other, g.before) >= late / 2) {
		name = name_of(d, last->track, g.before);
		add_line(c, CHAIN_MEETING, 1, last->track, g.before, "%s ran %.*s for %s before it",
		    m.last ? "that core" : "this core", name.n, name.s,
		    units_time(all, sizeof all, track_dur(other, g.before), w->ascii));
	}
	meeting_free(&m);
}

/* --- an event --- */

static void add_gap(struct chain *c, const struct dump *d, uint32_t track, size_t event,
    const struct chain_gap *g, bool any, const struct chain_words *w)
{
	struct name n = name_of(d, track, event), b = { "", 0 };
	char len[48], from[64], to[64];
	struct chain_line *l;

	if (g->before != SIZE_MAX)
		b = name_of(d, track, g->before);
	if (!any)
		l = add_line(c, CHAIN_NOTE, 0, track, event, "nothing comes before %.*s on this track", n.n,
		    n.s);
	else if (g->to == g->from)
		l = add_line(c, CHAIN_NOTE, 0, track, event, "no gap before %.*s%s%.*s%s", n.n, n.s,
		    b.n ? ": " : "", b.n, b.s, b.n ? " ran until it began" : "");
	else
		l = add_line(c, CHAIN_GAP, 0, track, event, "gap %s before %.*s: %s to %s%s%.*s",
		    units_time(len, sizeof len, g->to - g->from, w->ascii), n.n, n.s,
		    exact(w, g->from, from, sizeof from), exact(w, g->to, to, sizeof to),
		    b.n ? ", after " : "", b.n, b.s);
	l->from = g->from;
	l->to = g->to;
}

void chain_of_event(const struct dump *d, uint32_t track, size_t event, const struct chain_words *w,
    struct chain *c)
{
	const struct track *k = track_of(d, track);
	const struct plane *p = &d->trace.planes[k->plane];
	uint32_t mtrack, launcher;
	struct chain_gap g;
	size_t module;
	bool any;

	memset(c, 0, sizeof *c);
	add_meeting(c, d, track, event, w);
	any = chain_gap(d, track, event, &g);
	if (g.to - g.from < GAP_LEAST)
		g.from = g.to;
	add_gap(c, d, track, event, &g, any, w);
	launcher = add_launch(c, d, track, event, 0, HOPS, w);
	if (launcher == CHAIN_NONE && module_of(d, track, event, &mtrack, &module) && mtrack != track) {
		const struct track *m = track_of(d, mtrack);
		struct name n = name_of(d, mtrack, module);
		char at[64], lag[48];
		bool inside = track_start(m, module) <= g.from;
		struct chain_line *l = add_line(c, CHAIN_MODULE, 0, mtrack, module,
		    "in module %.*s, started at %s%s%s%s", n.n, n.s,
		    exact(w, track_start(m, module), at, sizeof at),
		    any && g.to > g.from ? inside ? ": the gap lies inside it" : ": the device waited " : "",
		    inside || !(any && g.to > g.from) ? "" : "for it, ",
		    inside || !(any && g.to > g.from) ? ""
						      : units_time(lag, sizeof lag, g.to - g.from, w->ascii));

		l->from = track_start(m, module);
		l->to = l->from + track_dur(m, module);
		launcher = add_launch(c, d, mtrack, module, 1, HOPS, w);
		if (launcher == CHAIN_NONE)
			add_line(c, CHAIN_NOTE, 1, CHAIN_NONE, 0,
			    "the file has no arrow to this module: what launched it is unknown");
	}
	if (!any) /* the first module: show the wait since its launch */
		for (size_t i = 0; i < c->n && launcher != CHAIN_NONE; i++)
			if (c->v[i].kind == CHAIN_LAUNCH) {
				g.from = c->v[i].from;
				break;
			}
	if (p->kind != PLANE_HOST && g.to > g.from)
		add_hosts(c, d, p->host, launcher, g.from, g.to, HOSTS_SHOWN, 0, w);
}

/* --- a step --- */

struct small {
	size_t n;
	int64_t ps;
};

static void add_idle(struct chain *c, const struct dump *d, const struct step *s, uint32_t mtrack,
    size_t next, int64_t from, int64_t to, int64_t dur, const struct chain_words *w)
{
	char len[48], at[64];
	uint32_t launcher = CHAIN_NONE;
	struct chain_line *l = add_line(c, CHAIN_GAP, 0, mtrack, next, "idle %s (%.1f %%) from %s",
	    units_time(len, sizeof len, to - from, w->ascii), 100 * (double)(to - from) / (double)dur,
	    exact(w, from, at, sizeof at));

	l->from = from;
	l->to = to;
	if (mtrack != CHAIN_NONE && next != SIZE_MAX)
		launcher = add_launch(c, d, mtrack, next, 1, 1, w);
	add_hosts(c, d, s->host, launcher, from, to, 1, 1, w);
}

/* Adds what the time of a module was spent on, largest first: "ops: matmul 42.5 %, collective 28.8 %,
 * …". */
static void add_classes(struct chain *c, const struct dump *d, uint32_t plane, int64_t from, int64_t to)
{
	int64_t busy[CLASS_COUNT] = { 0 }, sum = 0;
	char text[240] = "ops:";

	for (uint32_t i = 0; i < d->trace.ntracks; i++) {
		const struct track *k = track_of(d, i);

		if (k->plane == plane && k->role == TRACK_OPS && k->lod && d->trace.meta_class) {
			lod_sum(k, d->trace.meta_class, from, to, busy);
			break;
		}
	}
	for (int i = 0; i < CLASS_COUNT; i++)
		sum = add_clamped(sum, busy[i]);
	if (!sum)
		return;
	for (int n = 0; n < CLASS_COUNT; n++) {
		int best = 0;

		for (int i = 1; i < CLASS_COUNT; i++)
			best = busy[i] > busy[best] ? i : best;
		if (busy[best] * 1000 < to - from)
			break;
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s %s %.1f %%", n ? "," : "",
		    class_info(best)->name, 100 * (double)busy[best] / (double)(to - from));
		busy[best] = 0;
	}
	if (to - from > sum && (to - from - sum) / ((to - from) / 1000 + 1))
		snprintf(text + strlen(text), sizeof text - strlen(text), ", none %.1f %%",
		    100 * (double)(to - from - sum) / (double)(to - from));
	add_line(c, CHAIN_NOTE, 1, CHAIN_NONE, 0, "%s", text);
}

static void add_piece(struct chain *c, const struct dump *d, uint32_t mtrack, size_t i, int64_t from,
    int64_t to, int64_t dur, const struct chain_words *w)
{
	struct name n = name_of(d, mtrack, i);
	char len[48], at[64];
	struct chain_line *l = add_line(c, CHAIN_MODULE, 0, mtrack, i, "%.*s %s (%.1f %%) from %s", n.n, n.s,
	    units_time(len, sizeof len, to - from, w->ascii), 100 * (double)(to - from) / (double)dur,
	    exact(w, from, at, sizeof at));

	l->from = from;
	l->to = to;
}

static uint32_t modules_of(const struct dump *d, uint32_t plane)
{
	for (uint32_t i = 0; i < d->trace.ntracks; i++)
		if (track_of(d, i)->plane == plane && track_of(d, i)->role == TRACK_MODULES &&
		    track_of(d, i)->n && track_of(d, i)->file >= 0)
			return i;
	return CHAIN_NONE;
}

void chain_of_step(const struct dump *d, const struct step *s, const struct chain_words *w, struct chain *c)
{
	int64_t from, to, now, dur;
	uint32_t mtrack = modules_of(d, s->plane);
	const struct track *m = mtrack == CHAIN_NONE ? NULL : track_of(d, mtrack);
	struct small small = { 0, 0 };
	size_t i = 0;
	char text[48];

	memset(c, 0, sizeof *c);
	steps_span(s, d, &from, &to);
	dur = to > from ? to - from : 1;
	if (!m) {
		add_line(c, CHAIN_NOTE, 0, CHAIN_NONE, 0,
		    "no XLA Modules line for this core: what bounds the step is unknown");
		return;
	}
	now = from;
	if (m->n && (i = track_lower(m, from)) && track_end(m, i - 1) > from)
		i--;
	for (; i <= m->n; i++) {
		bool last = i == m->n || track_start(m, i) >= to;
		int64_t begin = last          ? to
		    : track_start(m, i) > now ? track_start(m, i)
					      : now,
			end = last ? to : track_end(m, i);

		end = end < to ? end : to;
		if (begin > now && ((begin - now) < dur / SMALL || c->n >= PIECES_MAX))
			small = (struct small){ small.n + 1, small.ps + begin - now };
		else if (begin > now)
			add_idle(c, d, s, mtrack, last ? SIZE_MAX : i, now, begin, dur, w);
		if (last)
			break;
		if (end > begin && ((end - begin) < dur / SMALL || c->n >= PIECES_MAX))
			small = (struct small){ small.n + 1, small.ps + end - begin };
		else if (end > begin) {
			add_piece(c, d, mtrack, i, begin, end, dur, w);
			if (begin == track_start(m, i))
				add_launch(c, d, mtrack, i, 1, 2, w);
			add_classes(c, d, s->plane, begin, end);
		}
		now = end > now ? end : now;
	}
	if (small.n)
		add_line(c, CHAIN_NOTE, 0, CHAIN_NONE, 0, "%zu smaller %s: %s (%.1f %%)", small.n,
		    small.n == 1 ? "piece" : "pieces", units_time(text, sizeof text, small.ps, w->ascii),
		    100 * (double)small.ps / (double)dur);
}
