#include "config.h"
#include "report/reports.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/classify.h"
#include "analyze/device/part_kinds.h"
#include "analyze/events/query.h"
#include "analyze/events/tracestat.h"
#include "base/text/units.h"
#include "report/args.h"
#include "report/choose.h"
#include "report/warnings.h"

/* Merges the events of all tracks by time: a heap of tracks, with the track whose next event is earliest on
 * top. */
struct stream {
	struct trace_walk walk;
	int64_t start, dur; /* of its current event */
	size_t rank;        /* position in the file, breaks ties */
	struct cell host, plane, line;
};

struct merger {
	struct stream *v;
	size_t n;
	struct stream **heap;
	size_t live;
};

struct place {
	const struct stream *stream;
	const struct step *step;
	size_t i;
};

/* Rows whose args are read together: few at first, so that the first rows appear at once. */
#define ROWS_FIRST 64
#define ROWS_MAX 262144
#define ROWS_BYTES ((size_t)32 << 20) /* of args, roughly */

struct rows {
	struct place *v;
	struct args_event *events;
	struct cell *args;
	size_t n, cap, limit;
};

struct tool {
	struct capture *c;
	const struct dump *d;
	const struct report_options *o;
	struct trace_filter filter;
	struct regex *name, *track;
	struct query *query;
	const struct steps *steps;
	struct trace_pick pick;
	struct args *args;
	struct rows rows;
};

static bool before(const struct stream *a, const struct stream *b)
{
	int order = trace_time_order(a->start, a->dur, b->start, b->dur);

	return order ? order < 0 : a->rank < b->rank;
}

static void sift_down(struct merger *m, size_t i)
{
	struct stream *s = m->heap[i];

	for (size_t child; (child = 2 * i + 1) < m->live; i = child) {
		if (child + 1 < m->live && before(m->heap[child + 1], m->heap[child]))
			child++;
		if (!before(m->heap[child], s))
			break;
		m->heap[i] = m->heap[child];
	}
	m->heap[i] = s;
}

static void stand(struct stream *s)
{
	s->start = track_start(s->walk.track, s->walk.i);
	s->dur = track_dur(s->walk.track, s->walk.i);
}

static struct stream *merger_top(const struct merger *m)
{
	return m->live ? m->heap[0] : NULL;
}

static void merger_next(struct merger *m)
{
	struct stream *s = m->heap[0];

	tracestat_walk_next(&s->walk);
	if (s->walk.i < s->walk.track->n)
		stand(s);
	else if (--m->live)
		m->heap[0] = m->heap[m->live];
	if (m->live)
		sift_down(m, 0);
}

static int by_file_order(const void *a, const void *b)
{
	const struct stream *x = a, *y = b;
	const struct track *s = x->walk.track, *t = y->walk.track;

	if (s->file != t->file)
		return s->file < t->file ? -1 : 1;
	if (s->plane != t->plane)
		return s->plane < t->plane ? -1 : 1;
	return (s > t) - (s < t);
}

static void merger_init(struct merger *m, const struct tool *t)
{
	const struct trace *tr = &t->d->trace;

	*m = (struct merger){ .v = xcalloc(tr->ntracks + 1, sizeof *m->v),
		.heap = xcalloc(tr->ntracks + 1, sizeof *m->heap) };
	for (uint32_t i = 0; i < tr->ntracks; i++) {
		const struct plane *p = &tr->planes[tr->tracks[i].plane];
		struct stream *s = &m->v[m->n];

		if (!tracestat_takes_track(&t->filter, t->d, i))
			continue;
		tracestat_walk_begin(&s->walk, &t->pick, i);
		if (s->walk.i == s->walk.track->n)
			continue;
		stand(s);
		s->host = p->host >= 0 ? cell_strid(&t->d->str, t->d->hosts[p->host].name) : cell_null();
		s->plane = cell_strid(&t->d->str, p->name);
		s->line = cell_strid(&t->d->str, tr->tracks[i].name);
		m->n++;
	}
	qsort(m->v, m->n, sizeof *m->v, by_file_order);
	for (size_t i = 0; i < m->n; i++) {
		m->v[i].rank = i;
		m->heap[m->live++] = &m->v[i];
	}
	for (size_t i = m->live / 2; i-- > 0;)
		sift_down(m, i);
}

static void merger_free(struct merger *m)
{
	free(m->v);
	free(m->heap);
}

struct event_row {
	const struct dump *dump;
	const struct track *track;
	const struct place *place;
	bool labels;
	struct cell args;
};

static struct cell step_of(const struct event_row *r)
{
	const struct step *s = r->place->step;

	return s ? cell_strz(r->labels ? s->label : s->number) : cell_null();
}

#define SCHEMA trace
#define SCHEMA_ROW struct event_row
#define SCHEMA_DEF "report/tool/trace.def"
#include "result/schema_def.h"

const struct schema trace_schema = { SCHEMA_COLUMNS(trace_columns) };

enum { NCOLUMNS = sizeof trace_columns / sizeof *trace_columns, WITHOUT_ARGS = NCOLUMNS - 1 };

static struct event_row row_of(const struct tool *t, const struct place *p)
{
	return (struct event_row){ t->d, p->stream->walk.track, p, t->filter.labels, cell_null() };
}

/* Texts of events belong to the dump, so the arena stays empty. */
static void put_event(const struct tool *t, struct report *r, const struct place *p, struct cell args)
{
	struct event_row row = row_of(t, p);
	struct cell cells[NCOLUMNS];
	struct arena none = { 0 };

	row.args = args;
	table_cells(trace_columns, t->args ? NCOLUMNS : WITHOUT_ARGS, &row, &none, cells);
	report_row(r, cells);
}

static void write_rows(struct tool *t, struct report *r)
{
	struct rows *w = &t->rows;
	size_t bytes;

	for (size_t k = 0; k < w->n; k++)
		w->events[k] = (struct args_event){ w->v[k].stream->walk.track, w->v[k].i };
	bytes = args_read(t->args, w->events, w->n, w->args);
	for (size_t k = 0; k < w->n; k++)
		put_event(t, r, &w->v[k], w->args[k]);
	w->n = 0;
	if (bytes > ROWS_BYTES)
		w->limit /= 2;
	else if (bytes < ROWS_BYTES / 2 && w->limit < ROWS_MAX)
		w->limit *= 2;
}

static void write_row(struct tool *t, struct report *r, struct place p)
{
	struct rows *w = &t->rows;

	if (!t->args) {
		put_event(t, r, &p, cell_null());
		return;
	}
	if (w->cap < w->limit) {
		w->cap = w->limit;
		w->v = xrealloc(w->v, w->cap, sizeof *w->v);
		w->events = xrealloc(w->events, w->cap, sizeof *w->events);
		w->args = xrealloc(w->args, w->cap, sizeof *w->args);
	}
	w->v[w->n++] = p;
	if (w->n >= w->limit)
		write_rows(t, r);
}

static void write_in_time(struct tool *t, struct report *r)
{
	struct merger m;
	struct stream *s;
	uint64_t left = t->o->top < 0 ? UINT64_MAX : (uint64_t)t->o->top;

	merger_init(&m, t);
	for (; left && (s = merger_top(&m)); merger_next(&m), left--)
		write_row(t, r, (struct place){ s, s->walk.step, s->walk.i });
	if (t->rows.n)
		write_rows(t, r);
	merger_free(&m);
}

/* --sort: keeps only the key and the position of each event, not its row. */
static void write_sorted(struct tool *t, struct report *r)
{
	struct schema key = { .n = 1 };
	struct place *place = NULL;
	size_t n = 0, cap = 0, column = 0, most, *order;
	bool down = false;
	struct merger m;
	struct stream *s;
	struct table keys;

	table_sort_spec(trace_columns, WITHOUT_ARGS, t->o->sort, &column, &down, NULL);
	key.columns = &trace_columns[column];
	table_begin(&keys, &key);
	merger_init(&m, t);
	for (; (s = merger_top(&m)); merger_next(&m)) {
		struct event_row row;

		VEC_PUSH(place, n, cap);
		place[n] = (struct place){ s, s->walk.step, s->walk.i };
		row = row_of(t, &place[n++]);
		table_add(&keys, &row);
	}
	order = table_order(&keys, 0, down);
	most = t->o->top >= 0 && (size_t)t->o->top < n ? (size_t)t->o->top : n;
	for (size_t i = 0; i < most; i++)
		write_row(t, r, place[order[i]]);
	if (t->rows.n)
		write_rows(t, r);
	free(order);
	free(place);
	table_free(&keys);
	merger_free(&m);
}

static void free_rows(struct rows *w)
{
	free(w->v);
	free(w->events);
	free(w->args);
}

static void head(struct tool *t, struct report *r, uint64_t matched)
{
	report_dump_warnings(r, t->d);
	report_clock_warnings(r, t->d);
	if (t->steps && t->steps->source == STEPS_MODULES)
		report_steps_warnings(r, t->steps);
	report_sum_int(r, "events", (int64_t)t->d->trace.events);
	report_sum_int(r, "matched", (int64_t)matched);
}

static int list_events(struct tool *t, FILE *f, struct err *e)
{
	const struct report_options *o = t->o;
	struct table columns;
	size_t column;
	bool down;

	if (o->sort && table_sort_spec(trace_columns, WITHOUT_ARGS, o->sort, &column, &down, e))
		return -1;
	struct report *r = report_open(o, f, "trace", t->d);

	tracestat_pick_init(&t->pick, t->d, t->steps, &t->filter);
	head(t, r, tracestat_pick_count(&t->pick));
	t->args = o->args ? args_new(t->d, o->format == REPORT_TEXT) : NULL;
	t->rows.limit = ROWS_FIRST;
	table_begin_some(&columns, &trace_schema, o->args ? NCOLUMNS : WITHOUT_ARGS);
	report_table_like(r, NULL, &columns);
	if (o->sort)
		write_sorted(t, r);
	else
		write_in_time(t, r);
	report_table_end(r);
	args_free(t->args);
	free_rows(&t->rows);
	tracestat_pick_free(&t->pick);
	return report_end(r, e) ? -1 : EXIT_OK;
}

static int list_totals(struct tool *t, FILE *f, struct err *e)
{
	const struct report_options *o = t->o;
	enum trace_group by = *o->by == 'n' ? GROUP_NAME : *o->by == 't' ? GROUP_TRACK : GROUP_STEP;
	uint64_t matched;
	struct table table;

	if (o->args)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "--args shows single events and cannot be combined with --by");
	tracestat(t->d, t->steps, &t->filter, by, &table, &matched);
	if (report_order(o, &table, e)) {
		table_free(&table);
		return -1;
	}
	struct report *r = report_open(o, f, "trace", t->d);

	head(t, r, matched);
	report_whole(r, NULL, &table);
	table_free(&table);
	return report_end(r, e) ? -1 : EXIT_OK;
}

static int parse_time(const char *option, const char *text_, int64_t *out, struct err *e)
{
	if (text_ && units_parse_time(text_, out))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "--%s %s: must be a time, for example 1.5ms, 20us, 300ns, 2s", option, text_);
	return 0;
}

static int parse_pattern(const char *option, const char *pattern, struct regex **out, struct err *e)
{
	struct err inner = { 0 };

	if (pattern && !(*out = regex_new(pattern, REGEX_AS_WRITTEN, &inner)))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE, "--%s: %.400s", option, inner.msg);
	return 0;
}

static int parse(struct tool *t, struct err *e)
{
	const struct report_options *o = t->o;
	struct err inner = { 0 };

	if (o->by && strcmp(o->by, "name") && strcmp(o->by, "track") && strcmp(o->by, "step"))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "--by %s: report trace has totals by name, track or step", o->by);
	t->filter = (struct trace_filter){ .from = INT64_MIN,
		.to = INT64_MAX,
		.host = o->host,
		.step = o->step,
		.core = o->core,
		.labels = o->format == REPORT_TEXT };
	if (report_check(t->c, o, e) || parse_time("from", o->from, &t->filter.from, e) ||
	    parse_time("to", o->to, &t->filter.to, e) || parse_pattern("name", o->name, &t->name, e) ||
	    parse_pattern("track", o->track, &t->track, e))
		return -1;
	if (t->filter.from > t->filter.to)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE, "--from %s is after --to %s", o->from, o->to);
	if (o->query && !(t->query = query_new(o->query, &inner)))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE, "--query: %.400s", inner.msg);
	t->filter.name = t->name;
	t->filter.track = t->track;
	return 0;
}

/* Matches the patterns with all names and tracks before anything is printed. */
static int try_patterns(const struct tool *t, struct err *e)
{
	struct trace_pick pick;

	if (!t->name && !t->track)
		return 0;
	tracestat_pick_init(&pick, t->d, NULL, &t->filter);
	tracestat_pick_free(&pick);
	for (uint32_t k = 0; t->track && k < t->d->trace.ntracks; k++)
		(void)tracestat_takes_track(&t->filter, t->d, k);
	return regex_too_expensive(t->name, e) || regex_too_expensive(t->track, e) ? -1 : 0;
}

int report_trace(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->base;
	struct tool t = { .c = c, .d = d, .o = o };
	int status = parse(&t, e);

	if (!status) {
		if (!o->by || o->step || *o->by == 's' || (t.query && query_wants_steps(t.query)))
			t.steps = capture_steps(c);
		if (t.query && !d->trace.meta_class) {
			kinds_part(c->base);
			classify(c->base);
		}
		if (t.query)
			t.filter.query = query_bind(t.query, d, t.steps);
		status = try_patterns(&t, e);
		if (!status)
			status = o->by ? list_totals(&t, f, e) : list_events(&t, f, e);
		if (status >= 0 && query_too_expensive(t.query, e))
			status = -1;
	}
	regex_free(t.name);
	regex_free(t.track);
	query_unbind(t.filter.query);
	query_free(t.query);
	return status;
}
