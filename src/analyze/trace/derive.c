#include "config.h"

#include "analyze/trace/derive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/internal.h"
#include "analyze/trace/step_program.h"
#include "base/mem.h"

#define LEVELS 64
#define TEXT 4096

/* --- tracks from ops --- */

/* The events that an op stands for, outermost first, as kinds of the derived track. */
struct path {
	int n;
	uint32_t meta[];
};

struct open {
	bool valid;
	uint32_t meta;
	size_t event;
};

struct from_ops {
	struct derived derived;
	const char *stat;
	struct path **path; /* by kind of op, from the first one on; NULL = not looked up yet */
	uint32_t first_kind;
	uint32_t *of_key; /* by strid of the whole text: kind of the derived track, plus 1 */
	size_t nkey;
	struct arena arena;
	struct open open[LEVELS];
	int nopen; /* one more than the deepest level that may be valid */
	bool full; /* no memory for more events */
};

/* Returns the kind of the derived track for a text, of which only a part is shown. */
static uint32_t kind_of(struct from_ops *f, const char *text, size_t len, const char *shown, size_t nshown)
{
	strid key = overlay_string(f->derived.o, text, len);

	if (key >= f->nkey) {
		size_t n = (size_t)key * 2 + 64;

		f->of_key = xrealloc(f->of_key, n, sizeof *f->of_key);
		memset(f->of_key + f->nkey, 0, (n - f->nkey) * sizeof *f->of_key);
		f->nkey = n;
	}
	if (!f->of_key[key])
		f->of_key[key] = derived_meta(&f->derived, shown, nshown, key) + 1;
	return f->of_key[key] - 1;
}

/* Returns the end of the path component that begins at i; slashes inside parentheses do not count:
 * "jit(f)/jvp(a/b)/dot". */
static size_t part_end(const char *s, size_t n, size_t i)
{
	int depth = 0;

	for (; i < n && (s[i] != '/' || depth > 0); i++)
		depth += (s[i] == '(') - (s[i] == ')');
	return i;
}

/* "a/b/dot_general:" has the scopes "a" and "a/b". */
static struct path *scopes_of(struct from_ops *f, const char *s, size_t n)
{
	const char *colon = memchr(s, ':', n);
	struct path *p = arena_alloc(&f->arena, sizeof *p + LEVELS * sizeof *p->meta);
	size_t from = 0, to;

	n = colon ? (size_t)(colon - s) : n;
	for (to = part_end(s, n, 0); to < n && p->n < LEVELS; to = part_end(s, n, from)) {
		if (to > from)
			p->meta[p->n++] = kind_of(f, s, to, s + from, to - from);
		from = to + 1;
	}
	return p;
}

static bool digits_from(const char *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (s[i] < '0' || s[i] > '9')
			return false;
	return from < to;
}

/* Shows the type after the colon or, without one, the last part of the path without parameters and number. */
static struct path *framework_of(struct from_ops *f, const char *s, size_t n)
{
	struct path *p = arena_alloc(&f->arena, sizeof *p + sizeof *p->meta);
	const char *colon = memchr(s, ':', n);
	size_t end = colon ? (size_t)(colon - s) : n, from = 0, cut;

	if (colon && end + 1 < n) {
		from = end + 1;
		end = n;
	} else {
		for (size_t to = part_end(s, end, 0); to < end; to = part_end(s, end, from))
			from = to + 1;
		for (cut = from; cut < end && s[cut] != '['; cut++)
			;
		end = cut;
		for (cut = end; cut > from && s[cut - 1] != '_'; cut--)
			;
		if (cut > from + 1 && digits_from(s, cut, end))
			end = cut - 1;
	}
	p->n = end > from;
	if (p->n)
		p->meta[0] = kind_of(f, s, n, s + from, end - from);
	return p;
}

/* "/home/user/model.py:12" is shown as "model.py:12". */
static struct path *source_of(struct from_ops *f, const char *s, size_t n)
{
	struct path *p = arena_alloc(&f->arena, sizeof *p + sizeof *p->meta);
	size_t from = n;

	while (from && s[from - 1] != '/')
		from--;
	if (from == n)
		from = 0;
	p->n = 1;
	p->meta[0] = kind_of(f, s, n, s + from, n - from);
	return p;
}

struct wanted_text {
	const char *stat;
	char *buf;
	bool found;
};

static bool take_text(void *ctx, const struct stat_value *v)
{
	struct wanted_text *t = ctx;
	size_t n = v->n < TEXT - 1 ? v->n : TEXT - 1;

	if (v->type != STAT_STR || !stat_is(v, t->stat))
		return true;
	memcpy(t->buf, v->s, n);
	t->buf[n] = '\0';
	t->found = true;
	return false;
}

/* Looks at the stats of the kind of op.  If kinds have no stats (JSON), the stats of the kind's first event
 * stand for all. */
static const struct path *path_of(struct from_ops *f, const struct track *ops, size_t i)
{
	uint32_t meta = track_meta(ops, i);
	struct path **path = &f->path[meta - f->first_kind];
	char buf[TEXT];
	struct wanted_text t = { f->stat, buf, false };

	if (*path)
		return *path;
	stats_of_meta(f->derived.o->now, meta, take_text, &t);
	if (!t.found)
		stats_of_event(f->derived.o->now, ops, i, take_text, &t);
	if (!t.found || !*buf)
		*path = arena_alloc(&f->arena, sizeof(struct path));
	else if (f->derived.t.role == TRACK_SCOPE)
		*path = scopes_of(f, buf, strlen(buf));
	else if (f->derived.t.role == TRACK_FRAMEWORK)
		*path = framework_of(f, buf, strlen(buf));
	else
		*path = source_of(f, buf, strlen(buf));
	return *path;
}

static void close_from(struct from_ops *f, int level)
{
	while (f->nopen > level)
		f->open[--f->nopen].valid = false;
}

/* Extends the event that is open at a level, or begins a new one there. */
static void place_event(struct from_ops *f, int level, uint32_t meta, int64_t start, int64_t end)
{
	struct open *o = &f->open[level];
	struct track *t = &f->derived.t;

	if (o->valid && o->meta == meta) {
		int64_t begin = track_start(t, o->event), dur = track_dur(t, o->event),
			gap = start - (begin + dur);

		if (gap - dur <= dur) {
			if (end - begin > dur)
				track_set_time(t, o->event, begin, end - begin);
			return;
		}
	}
	close_from(f, level);
	f->full = f->full || !derived_event(&f->derived, start, end - start, meta);
	if (f->full)
		return;
	*o = (struct open){ true, meta, t->n - 1 };
	f->nopen = level + 1;
}

static const struct track *line_of(const struct dump *d, uint32_t plane, enum track_role role)
{
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		if (t->role == role && t->file >= 0 && t->n)
			return t;
	}
	return NULL;
}

/* Scopes take all levels of the path, whatever the nesting of the ops.  The other tracks take one kind, at
 * the depth of the op. */
static void add_ops(struct from_ops *f, const struct track *ops, const struct track *modules)
{
	size_t run = 0, last = 0;

	for (size_t i = 0; i < ops->n && !f->full; i++) {
		const struct path *p = path_of(f, ops, i);
		int64_t start = track_start(ops, i), end = start + track_dur(ops, i);
		int base = f->derived.t.role == TRACK_SCOPE ? 0
		    : ops->depth[i] < LEVELS                ? ops->depth[i]
							    : LEVELS - 1;

		while (modules && run < modules->n && track_start(modules, run) <= start)
			run++;
		if (run != last)
			close_from(f, 0);
		last = run;
		for (int level = 0; level < p->n; level++)
			place_event(f, base + level, p->meta[level], start, end);
		if (p->n || f->derived.t.role != TRACK_SCOPE)
			close_from(f, base + (p->n ? p->n : 1));
	}
}

/* The kinds of a plane have nearly consecutive numbers, so an array from the first to the last is small. */
static struct path **paths_for(const struct track *ops, uint32_t *first)
{
	uint32_t last = 0;

	*first = UINT32_MAX;
	for (size_t i = 0; i < ops->n; i++) {
		*first = track_meta(ops, i) < *first ? track_meta(ops, i) : *first;
		last = track_meta(ops, i) > last ? track_meta(ops, i) : last;
	}
	return xcalloc((size_t)last - (ops->n ? *first : 0) + 1, sizeof(struct path *));
}

static uint32_t from_ops(struct overlay *o, uint32_t plane, enum track_role role, uint32_t at)
{
	static const struct {
		const char *stat, *name;
	} what[] = {
		[TRACK_SCOPE] = { "tf_op", "Framework Name Scope" },
		[TRACK_FRAMEWORK] = { "tf_op", "Framework Ops" },
		[TRACK_SOURCE] = { "source", "Source code" },
	};
	const struct track *ops = line_of(o->now, plane, TRACK_OPS);
	struct from_ops f = { .stat = what[role].stat };

	if (!ops)
		return UINT32_MAX;
	derived_begin(&f.derived, o, plane, role, what[role].name);
	f.derived.t.device_clock = ops->device_clock;
	f.path = paths_for(ops, &f.first_kind);
	add_ops(&f, ops, line_of(o->now, plane, TRACK_MODULES));
	free(f.path);
	free(f.of_key);
	arena_free(&f.arena);
	return derived_end(&f.derived, at, CLASS_OTHER);
}

/* --- steps from runs of a program --- */

static uint32_t from_modules(struct overlay *o, uint32_t plane, uint32_t at)
{
	const struct dump *d = o->now;
	const struct track *modules = line_of(d, plane, TRACK_MODULES);
	size_t runs = 0, nth = 0, *run = xcalloc(modules ? modules->n + 1 : 1, sizeof *run);
	struct step_programs programs;
	struct derived r;

	step_programs(d, d->trace.planes[plane].kind, &programs);
	for (size_t i = 0; modules && i < modules->n; i++)
		if (step_programs_have(&programs, d->trace.metas[track_meta(modules, i)].name))
			run[runs++] = i;
	if (runs < 2) { /* nothing repeats */
		free(run);
		return UINT32_MAX;
	}
	derived_begin(&r, o, plane, TRACK_STEPS, "Steps");
	r.t.device_clock = modules->device_clock;
	for (bool room = true; room && nth + 1 < runs; nth++) { /* where the last one ends is not known */
		int64_t from = track_start(modules, run[nth]),
			dur = track_start(modules, run[nth + 1]) - from;
		strid module = d->trace.metas[track_meta(modules, run[nth])].name;
		char number[24];

		snprintf(number, sizeof number, "%zu", nth);
		room = derived_event(&r, from, dur, derived_meta(&r, number, strlen(number), module));
	}
	free(run);
	return derived_end(&r, at, CLASS_OTHER);
}

/* --- any of them --- */

uint32_t derive_make(struct overlay *o, uint32_t plane, enum track_role role, uint32_t at)
{
	switch (role) {
	case TRACK_STEPS:
		return from_modules(o, plane, at);
	case TRACK_FRAMEWORK:
	case TRACK_SCOPE:
	case TRACK_SOURCE:
		return from_ops(o, plane, role, at);
	default:
		return UINT32_MAX;
	}
}

uint32_t derive_track(struct overlay *o, uint32_t plane, enum track_role role)
{
	const struct trace *t = &o->now->trace;
	uint32_t made;

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(t, plane, k)) < t->ntracks;)
		if (t->tracks[k].role == role && t->tracks[k].n)
			return k;
	made = derive_make(o, plane, role, UINT32_MAX);
	overlay_publish(o);
	return made;
}
