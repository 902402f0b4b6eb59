#include "config.h"
#include "analyze/events/tracestat.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/events/query.h"
#include "base/bisect.h"
#include "base/clamp.h"

#define NOT_PASSED UINT32_MAX

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
struct total {
	const struct step *step;
	strid name;
	uint32_t track;
	uint64_t n;
	int64_t sum, self;
	size_t first; /* index of the first of its durations */
};

struct stat {
	const struct dump *d;
	const struct trace_pick *pick;
	enum trace_group by;
	uint32_t *group_of; /* by name, track or step row: group + 1, 0 = none yet */
	struct total *v;
	size_t n, cap;
	int64_t *dur;
};

static uint32_t group_of_event(struct stat *s, const struct trace_walk *w, uint32_t track, size_t i)
{
	strid name = s->d->trace.metas[track_meta(w->track, i)].name;
	size_t key = name;

	if (s->by == GROUP_TRACK)
		key = track;
	else if (s->by == GROUP_STEP)
		key = w->step ? (size_t)(w->step - s->pick->steps->v) + 1 : 0;

	if (!s->group_of[key]) {
		VEC_PUSH(s->v, s->n, s->cap);
		s->v[s->n] = (struct total){ .step = w->step, .name = name, .track = track };
		s->group_of[key] = (uint32_t)++s->n;
	}
	return s->group_of[key] - 1;
}

/* Tracks with the same host, plane and line name are one group, as are steps with one number. */
struct same {
	const char *a, *b;
	size_t na, nb;
	int host;
	uint32_t key;
};

static int by_sameness(const void *p, const void *q)
{
	const struct same *x = p, *y = q;
	int c;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (x->na != y->na || x->nb != y->nb)
		return x->na != y->na ? (x->na < y->na ? -1 : 1) : x->nb < y->nb ? -1 : 1;
	if ((c = memcmp(x->a, y->a, x->na)) || (c = memcmp(x->b, y->b, x->nb)))
		return c;
	return (x->key > y->key) - (x->key < y->key);
}

/* Assigns equal keys to one group in advance. */
static void unite_same(struct stat *s, struct same *v, size_t n)
{
	size_t a = 0;

	VEC_SORT(v, n, by_sameness);
	for (size_t i = 0; i < n; i++) {
		struct same x = v[i], y = v[a];

		x.key = y.key = 0;
		if (by_sameness(&x, &y) || i == a) {
			a = i;
			VEC_ADD(s->v, s->n, s->cap, (struct total){ .track = v[i].key });
			if (s->by == GROUP_STEP)
				s->v[s->n - 1].step = &s->pick->steps->v[v[i].key - 1];
		}
		s->group_of[v[i].key] = (uint32_t)s->n;
	}
}

static void prepare(struct stat *s)
{
	const struct trace *t = &s->d->trace;
	size_t nsteps = s->pick->steps ? s->pick->steps->n : 0, n = 0;
	size_t room = s->by == GROUP_NAME ? s->d->str.n : s->by == GROUP_TRACK ? t->ntracks : nsteps + 1;
	struct same *v;

	s->group_of = xcalloc(room + 1, sizeof *s->group_of);
	if (s->by == GROUP_NAME)
		return;
	v = xcalloc(room + 1, sizeof *v);
	for (uint32_t i = 0; s->by == GROUP_TRACK && i < t->ntracks; i++) {
		const struct plane *p = &t->planes[t->tracks[i].plane];

		v[n++] = (struct same){ strtab_str(&s->d->str, p->name),
			strtab_str(&s->d->str, t->tracks[i].name), strtab_len(&s->d->str, p->name),
			strtab_len(&s->d->str, t->tracks[i].name), p->host, i };
	}
	for (uint32_t i = 0; s->by == GROUP_STEP && i < nsteps; i++) {
		const char *number = s->pick->steps->v[i].number;

		v[n++] = (struct same){ .a = number, .b = "", .na = strlen(number), .key = i + 1 };
	}
	unite_same(s, v, n);
	free(v);
}

/* The part of an event inside [from, to), as the statistics of an interval count it. */
static int64_t part_inside(const struct trace_filter *f, const struct track *t, size_t i)
{
	int64_t start = track_start(t, i), dur = track_dur(t, i), end;

	if (f->from == INT64_MIN && f->to == INT64_MAX)
		return dur;
	end = start + dur < f->to ? start + dur : f->to;
	start = start > f->from ? start : f->from;
	return end > start ? end - start : 0;
}

/* First pass (fill false) counts; second pass (fill true) stores the durations by group. */
static void scan_tracks(struct stat *s, bool fill)
{
	uint32_t open[TRACK_ROWS_MAX + 1]; /* per row: group of the last event */
	struct trace_walk w;

	for (uint32_t k = 0; k < s->d->trace.ntracks; k++) {
		if (!tracestat_takes_track(s->pick->filter, s->d, k))
			continue;
		walk_open(&w, s->pick, k);
		for (size_t i = 0; i < w.track->n; i++) {
			int row = track_row(w.track, i);
			int64_t dur = part_inside(s->pick->filter, w.track, i);

			open[row] = passes_query(&w, i) ? group_of_event(s, &w, k, i) : NOT_PASSED;
			if (fill && w.track->depth[i] && open[row - 1] != NOT_PASSED)
				s->v[open[row - 1]].self = sub_clamped(s->v[open[row - 1]].self, dur);
			if (open[row] == NOT_PASSED)
				continue;
			struct total *g = &s->v[open[row]];

			if (fill) {
				s->dur[g->first + g->n] = dur;
				g->sum = add_clamped(g->sum, dur);
				g->self = add_clamped(g->self, dur);
			}
			g->n++;
		}
	}
}

static int64_t nth(int64_t *v, size_t n, size_t k) /* quickselect: v[k] of the sorted values */
{
	size_t a = 0, b = n;

	while (b - a > 1) {
		int64_t x = v[a], y = v[a + (b - a) / 2], z = v[b - 1];
		int64_t pivot = x < y ? (y < z ? y : x < z ? z : x) : (x < z ? x : y < z ? z : y);
		size_t low = a, i = a, high = b;

		while (i < high) {
			int64_t e = v[i];

			if (e < pivot) {
				v[i++] = v[low];
				v[low++] = e;
			} else if (e > pivot) {
				v[i] = v[--high];
				v[high] = e;
			} else {
				i++;
			}
		}
		if (k < low)
			b = low;
		else if (k >= high)
			a = high;
		else
			return pivot;
	}
	return v[a];
}

static size_t rank_of_percent(size_t n, unsigned percent) /* nearest rank, counted from 0 */
{
	size_t r = n / 100 * percent + (n % 100 * percent + 99) / 100;

	return r ? r - 1 : 0;
}

/* What a row is made from, in all three forms of the table. */
struct trace_total {
	const struct stat *stat;
	const struct total *total;
	int64_t min, max, p50, p99;
	double all;
};

static const struct plane *plane_of(const struct trace_total *r)
{
	const struct trace *t = &r->stat->d->trace;

	return &t->planes[t->tracks[r->total->track].plane];
}

static struct cell host_of(const struct trace_total *r)
{
	const struct dump *d = r->stat->d;
	int host = plane_of(r)->host;

	return host >= 0 ? cell_strid(&d->str, d->hosts[host].name) : cell_null();
}

static struct cell label_of(const struct trace_total *r)
{
	const struct step *s = r->total->step;

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

static void add_total(const struct stat *s, const struct total *g, double all, struct table *t)
{
	int64_t *v = s->dur + g->first;
	struct trace_total r = { .stat = s, .total = g, .min = v[0], .max = v[0], .all = all };

	for (size_t i = 1; i < g->n; i++) {
		r.min = v[i] < r.min ? v[i] : r.min;
		r.max = v[i] > r.max ? v[i] : r.max;
	}
	r.p50 = nth(v, g->n, rank_of_percent(g->n, 50));
	r.p99 = nth(v, g->n, rank_of_percent(g->n, 99));
	table_add(t, &r);
}

void tracestat(const struct dump *d, const struct steps *steps, const struct trace_filter *f,
    enum trace_group by, struct table *out, uint64_t *matched)
{
	struct trace_pick pick;
	struct stat s = { .d = d, .pick = &pick, .by = by };
	size_t n = 0;
	double all = 0;

	tracestat_pick_init(&pick, d, steps, f);
	prepare(&s);
	scan_tracks(&s, false);
	for (size_t i = 0; i < s.n; i++) {
		s.v[i].first = n;
		n += s.v[i].n;
		s.v[i].n = 0;
	}
	s.dur = xcalloc(n + 1, sizeof *s.dur);
	scan_tracks(&s, true);
	for (size_t i = 0; i < s.n; i++)
		all += (double)s.v[i].sum;
	table_begin(out, &tracestat_schema[by]);
	for (size_t i = 0; i < s.n; i++)
		if (s.v[i].n)
			add_total(&s, &s.v[i], all, out);
	if (out->nrows)
		table_sort(out, "total_ps", NULL);
	*matched = n;
	tracestat_pick_free(&pick);
	free(s.group_of);
	free(s.v);
	free(s.dur);
}
