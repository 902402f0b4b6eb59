#include "config.h"
#include "analyze/events/tracestat.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/events/query.h"
#include "analyze/interval/window.h"
#include "base/bisect.h"
#include "base/mem.h"

static bool track_text_passes(const struct regex *r, const struct dump *d, const struct track *t)
{
	const struct plane *p = &d->trace.planes[t->plane];
	strid host = p->host >= 0 ? d->hosts[p->host].name : 0;
	char *text = xasprintf("%.*s %.*s %.*s", (int)strtab_len(&d->str, host), strtab_str(&d->str, host),
	    (int)strtab_len(&d->str, p->name), strtab_str(&d->str, p->name),
	    (int)strtab_len(&d->str, t->name), strtab_str(&d->str, t->name));
	struct regex_scratch *scratch = regex_scratch_new(r);
	bool passes = regex_match(r, scratch, text, strlen(text), NULL, NULL);

	regex_scratch_free(scratch);
	free(text);
	return passes;
}

bool tracestat_takes_track(const struct trace_filter *f, const struct dump *d, uint32_t track)
{
	const struct track *t = &d->trace.tracks[track];
	const struct plane *p = &d->trace.planes[t->plane];

	if (t->file < 0 || !t->n || t->first >= f->to || (t->last < f->from && t->last != t->first))
		return false;
	if (f->core >= 0 && (p->core != f->core || !plane_is_tpu_core(p->kind)))
		return false;
	if (f->host && !dump_host_is(d, p->host, f->host))
		return false;
	if (f->query && !query_track(f->query, track))
		return false;
	return !f->track || track_text_passes(f->track, d, t);
}

void tracestat_pick_init(struct trace_pick *p, const struct dump *d, const struct steps *s,
    const struct trace_filter *f)
{
	struct regex_scratch *scratch;

	*p = (struct trace_pick){ .dump = d, .steps = s, .filter = f };
	if (!f->name)
		return;
	scratch = regex_scratch_new(f->name);
	p->name_passes = xcalloc(d->trace.nmetas + 1, 1);
	for (size_t i = 0; i < d->trace.nmetas; i++) {
		strid name = d->trace.metas[i].name;

		p->name_passes[i] = regex_match(f->name, scratch, strtab_str(&d->str, name),
		    strtab_len(&d->str, name), NULL, NULL);
	}
	regex_scratch_free(scratch);
}

void tracestat_pick_free(struct trace_pick *p)
{
	free(p->name_passes);
	p->name_passes = NULL;
}

/* Passes over n steps, which have begun. */
static void begun_rows(struct trace_walk *w, size_t n)
{
	int64_t to;

	if (n) {
		w->row += n;
		w->nrows -= n;
		w->begun = w->row - 1;
		steps_span(w->begun, w->pick->dump, &w->from, &w->to);
	}
	if (w->nrows)
		steps_span(w->row, w->pick->dump, &w->next, &to);
}

/* As steps_at(), for times that come in order. */
static const struct step *step_of(struct trace_walk *w, int64_t start)
{
	const struct dump *d = w->pick->dump;
	int64_t from, to;
	size_t n;

	if (w->nrows && w->next <= start) {
		BISECT(n, w->nrows, (steps_span(w->row + n, d, &from, &to), from <= start));
		begun_rows(w, n);
	}
	return w->begun && (start < w->to || (start == w->to && w->from == w->to)) ? w->begun : NULL;
}

static bool step_passes(const struct step *s, const char *wanted)
{
	return s && steps_is(s, wanted);
}

/* Events must be passed in order. */
static bool passes_query(struct trace_walk *w, size_t i)
{
	const struct trace_filter *f = w->pick->filter;
	const struct track *t = w->track;
	int64_t start = track_start(t, i), end = start + track_dur(t, i);

	if (w->pick->name_passes && !w->pick->name_passes[track_meta(t, i)])
		return false;
	if (start >= f->to || (end <= f->from && start < f->from))
		return false;
	if (f->query && !query_event(f->query, (uint32_t)(t - w->pick->dump->trace.tracks), i))
		return false;
	w->step = step_of(w, start);
	return !f->step || step_passes(w->step, f->step);
}

static void walk_open(struct trace_walk *w, const struct trace_pick *p, uint32_t track)
{
	*w = (struct trace_walk){ .pick = p, .track = &p->dump->trace.tracks[track] };
	if (p->steps)
		w->nrows = steps_of_plane(p->steps, p->dump, w->track->plane, &w->row);
	begun_rows(w, 0);
}

static void walk_on(struct trace_walk *w)
{
	while (w->i < w->track->n && !passes_query(w, w->i))
		w->i++;
}

void tracestat_walk_begin(struct trace_walk *w, const struct trace_pick *p, uint32_t track)
{
	walk_open(w, p, track);
	walk_on(w);
}

void tracestat_walk_next(struct trace_walk *w)
{
	w->i++;
	walk_on(w);
}

uint64_t tracestat_pick_count(const struct trace_pick *p)
{
	const struct trace_filter *f = p->filter;
	struct trace_walk w;
	uint64_t n = 0;

	for (uint32_t i = 0; i < p->dump->trace.ntracks; i++) {
		if (!tracestat_takes_track(f, p->dump, i))
			continue;
		if (!f->name && !f->step && !f->query && f->from == INT64_MIN && f->to == INT64_MAX) {
			n += p->dump->trace.tracks[i].n;
			continue;
		}
		for (tracestat_walk_begin(&w, p, i); w.i < w.track->n; tracestat_walk_next(&w))
			n++;
	}
	return n;
}

/* --- totals --- */

struct stat {
	const struct dump *d;
	const struct trace_pick *pick;
	enum trace_group by;
	struct trace_walk *walk;
	uint32_t *row, *key; /* row of each key (a track; 0 or 1 + a step), and the first key of each row */
	size_t nrows;
};

/* As struct window_keys asks. */
static uint32_t key_of(const void *ctx, uint32_t track, size_t i)
{
	const struct stat *s = ctx;
	struct trace_walk *w = s->walk;
	const struct track *t = &s->d->trace.tracks[track];

	if (w->track != t || i < w->i)
		walk_open(w, s->pick, track);
	w->i = i;
	if (!passes_query(w, i))
		return WINDOW_OUT;
	if (s->by == GROUP_NAME)
		return track_meta(t, i);
	return s->by == GROUP_TRACK ? track : w->step ? (uint32_t)(w->step - s->pick->steps->v) + 1 : 0;
}

/* Tracks with the same host, plane and line name are one row, as are steps with one number. */
struct same {
	int host;
	struct slice a, b;
	uint32_t key;
};

static int by_name(const struct same *x, const struct same *y)
{
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (x->a.n != y->a.n || x->b.n != y->b.n)
		return x->a.n != y->a.n ? (x->a.n < y->a.n ? -1 : 1) : x->b.n < y->b.n ? -1 : 1;
	return slice_same(x->a, y->a) ? slice_order(x->b, y->b) : slice_order(x->a, y->a);
}

static int by_name_and_key(const void *p, const void *q)
{
	const struct same *x = p, *y = q;
	int c = by_name(x, y);

	return c ? c : (x->key > y->key) - (x->key < y->key);
}

static void unite_same(struct stat *s, struct same *v, size_t n)
{
	VEC_SORT(v, n, by_name_and_key);
	for (size_t i = 0; i < n; i++) {
		if (!i || by_name(&v[i - 1], &v[i]))
			s->key[s->nrows++] = v[i].key;
		s->row[v[i].key] = (uint32_t)s->nrows - 1;
	}
}

/* Chooses the rows of all tracks, or of all steps; events in none are the last row. */
static struct window_keys rows_of(struct stat *s)
{
	const struct trace *t = &s->d->trace;
	const struct steps *steps = s->pick->steps;
	size_t n = s->by == GROUP_TRACK ? t->ntracks : steps ? steps->n : 0, first = s->by == GROUP_STEP;
	struct same *v = xcalloc(n + 1, sizeof *v);

	for (uint32_t i = 0; i < n; i++) {
		const struct plane *p = s->by == GROUP_TRACK ? &t->planes[t->tracks[i].plane] : NULL;

		v[i] = p ? (struct same){ p->host, dump_text(s->d, p->name),
			dump_text(s->d, t->tracks[i].name), i }
			 : (struct same){ .a = slice_of(steps->v[i].number), .key = i + 1 };
	}
	s->row = xcalloc(n + 1, sizeof *s->row);
	s->key = xcalloc(n + 1, sizeof *s->key);
	unite_same(s, v, n);
	if (first)
		s->row[0] = (uint32_t)s->nrows++;
	free(v);
	return (struct window_keys){ .row = s->row, .n = n + first, .nrows = s->nrows };
}

/* What a row is made from, in all three forms of the table. */
struct trace_total {
	const struct stat *stat;
	const struct window_name *sums;
	double all;
};

static const struct track *track_of(const struct trace_total *r)
{
	return &r->stat->d->trace.tracks[r->stat->key[r->sums->name]];
}

static const struct plane *plane_of(const struct trace_total *r)
{
	const struct trace *t = &r->stat->d->trace;

	return &t->planes[track_of(r)->plane];
}

static struct cell host_of(const struct trace_total *r)
{
	const struct dump *d = r->stat->d;
	int host = plane_of(r)->host;

	return host >= 0 ? cell_strid(&d->str, d->hosts[host].name) : cell_null();
}

static struct cell label_of(const struct trace_total *r)
{
	uint32_t key = r->stat->key[r->sums->name];
	const struct step *s = key ? &r->stat->pick->steps->v[key - 1] : NULL;

	return s ? cell_strz(r->stat->pick->filter->labels ? s->label : s->number) : cell_null();
}

#define SCHEMA by_name
#define SCHEMA_ROW struct trace_total
#define SCHEMA_DEF "analyze/events/trace_by_name.def"
#include "result/schema_def.h"

#define SCHEMA by_track
#define SCHEMA_ROW struct trace_total
#define SCHEMA_DEF "analyze/events/trace_by_track.def"
#include "result/schema_def.h"

#define SCHEMA by_step
#define SCHEMA_ROW struct trace_total
#define SCHEMA_DEF "analyze/events/trace_by_step.def"
#include "result/schema_def.h"

const struct schema tracestat_schema[] = {
	[GROUP_NAME] = { SCHEMA_COLUMNS(by_name_columns) },
	[GROUP_TRACK] = { SCHEMA_COLUMNS(by_track_columns) },
	[GROUP_STEP] = { SCHEMA_COLUMNS(by_step_columns) },
};

VEC_ORDER(by_row, struct window_name, UP(name));
VEC_ORDER(by_meeting, struct window_name, UP(met));

static void add_rows(const struct stat *s, const struct window *w, struct table *t)
{
	struct trace_total r = { .stat = s };

	VEC_SORT(w->names, w->nnames, s->by == GROUP_NAME ? by_meeting : by_row);
	for (size_t i = 0; i < w->nnames; i++)
		r.all += (double)w->names[i].total;
	table_begin(t, &tracestat_schema[s->by]);
	for (size_t i = 0; i < w->nnames; i++) {
		r.sums = &w->names[i];
		table_add(t, &r);
	}
	if (t->nrows)
		table_sort(t, "total_ps", NULL);
}

void tracestat(const struct dump *d, const struct steps *steps, const struct trace_filter *f,
    enum trace_group by, struct table *out, uint64_t *matched)
{
	struct trace_pick pick;
	struct trace_walk walk = { 0 };
	struct stat s = { .d = d, .pick = &pick, .by = by, .walk = &walk };
	struct window w;
	uint32_t *tracks = xcalloc(d->trace.ntracks + 1, sizeof *tracks);
	size_t n = 0;

	for (uint32_t i = 0; i < d->trace.ntracks; i++)
		if (tracestat_takes_track(f, d, i))
			tracks[n++] = i;
	tracestat_pick_init(&pick, d, steps, f);
	window_begin(&w, d, tracks, n, f->from, f->to);
	w.ranks = true;
	if (by != GROUP_NAME)
		w.keys = rows_of(&s);
	if (by != GROUP_NAME || f->name || f->query || f->step) {
		w.keys.of = key_of;
		w.keys.ctx = &s;
		w.keys.in_order = true;
	}
	window_step(&w, -1);
	*matched = w.events;
	add_rows(&s, &w, out);
	window_free(&w);
	tracestat_pick_free(&pick);
	free(tracks);
	free(s.row);
	free(s.key);
}
