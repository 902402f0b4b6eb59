#include "config.h"
#include "analyze/framework/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/sort.h"

/* The begin or end of an op on a host thread.  `id` is the index of its event times two, because an event may
 * be one op by its name and another by its stat. */
struct act {
	int64_t time;
	uint64_t seq;
	uint32_t id, row;
	bool end;
};

#define ASKED 2          /* number of stats whose presence makes an event worth reading in full */
#define LOOK_EVERY 65536 /* events between two updates of the progress */

struct running {
	uint32_t id, row;
	int64_t begin, inner;
};

struct thread {
	const struct dump *dump;
	const struct framework_host_options *options;
	struct framework *all;
	struct framework_table *table;
	uint32_t track;
	uint32_t *seen; /* by row: number of the last track that ran it, plus 1 */
	size_t nseen;
	int32_t *row_of_meta; /* row + 1; 0: not looked at yet; -1: not an op */
	strid stage_id, stage_cat, tf_op, asked[ASKED];
	unsigned nasked;
	struct stat_ints ints;
	struct act *act;
	size_t n, cap;
	struct running *open;
	size_t depth, open_cap;
	int64_t enqueue; /* begin of the last infeed enqueue and how long it took; -1: none yet */
	int64_t enqueue_took;
	/* stats of the current event */
	bool has_stage;
	struct slice stage, op;
};

/* Keeps each text once, since many events have the same. */
static struct slice keep_text(struct strtab *text, const struct stat_value *v)
{
	return (struct slice){ strtab_str(text, strtab_add(text, v->s, v->n)), v->n };
}

static bool take_stat(void *ctx, const struct stat_value *v)
{
	struct thread *x = ctx;

	if (v->name_id == x->stage_id)
		x->has_stage = true;
	else if (v->name_id == x->stage_cat && v->type == STAT_STR)
		x->stage = keep_text(&x->all->text, v);
	else if (v->name_id == x->tf_op && v->type == STAT_STR && v->n)
		x->op = keep_text(&x->all->text, v);
	return true;
}

static void add_acts(struct thread *x, const struct track *t, uint32_t id, uint32_t row)
{
	for (int end = 0; end < 2; end++) {
		VEC_ADD(x->act, x->n, x->cap,
		    (struct act){ .time = end ? track_end(t, id / 2) : track_start(t, id / 2),
			.seq = track_args(t, id / 2) * 4 + (id & 1) * 2 + (uint64_t)end,
			.id = id,
			.row = row,
			.end = end });
	}
}

/* Returns the row of a kind that is an op by its name, or -1. */
static int32_t row_of_kind(struct thread *x, uint32_t meta)
{
	const struct evmeta *m = &x->dump->trace.metas[meta];
	struct slice full, name, type;

	if (x->row_of_meta[meta])
		return x->row_of_meta[meta];
	full = m->full ? (struct slice){ m->full, m->full_len } : dump_text(x->dump, m->name);
	x->row_of_meta[meta] = framework_parse(full, &name, &type) == FRAMEWORK_UNKNOWN
	    ? -1
	    : (int32_t)framework_row_of(x->table, name, type) + 1;
	return x->row_of_meta[meta];
}

static void add_event(struct thread *x, const struct track *t, size_t i)
{
	const uint32_t meta = track_meta(t, i), id = (uint32_t)i * 2;
	struct slice name, type;
	int64_t there[ASKED];
	int32_t row;

	x->has_stage = false;
	x->stage = x->op = (struct slice){ "", 0 };
	/* most events have none of these stats */
	if (stat_ints_read(&x->ints, i, there))
		stats_of_event(x->dump, t, i, take_stat, x);
	if (x->has_stage && x->stage.n)
		add_acts(x, t, id,
		    framework_row_of(x->table, dump_text(x->dump, x->dump->trace.metas[meta].name),
			x->stage));
	else if (!x->has_stage && (row = row_of_kind(x, meta)) > 0)
		add_acts(x, t, id, (uint32_t)row - 1);
	if (!x->op.n)
		return;
	framework_parse(x->op, &name, &type);
	add_acts(x, t, id + 1, framework_row_of(x->table, name, type));
}

VEC_ORDER(in_time, struct act, UP(time) UP(seq));

/* A thread that enqueues all the time is starving the device, so the time in enqueues is compared with the
 * time from one enqueue to the next. */
static void note_enqueue(struct thread *x, const struct running *r, int64_t dur)
{
	if (x->enqueue_took >= 0) {
		x->all->enqueue_time = add_clamped(x->all->enqueue_time, x->enqueue_took);
		x->all->enqueue_span = add_clamped(x->all->enqueue_span, sub_clamped(r->begin, x->enqueue));
	}
	x->enqueue = r->begin;
	x->enqueue_took = dur;
}

static void note_row(struct thread *x, uint32_t row)
{
	if (!x->options->ran)
		return;
	if (row >= x->nseen) {
		size_t n = x->table->n * 2;

		x->seen = xrealloc(x->seen, n, sizeof *x->seen);
		memset(x->seen + x->nseen, 0, (n - x->nseen) * sizeof *x->seen);
		x->nseen = n;
	}
	if (x->seen[row] == x->track + 1)
		return;
	x->seen[row] = x->track + 1;
	x->options->ran(x->options->ctx, x->track, &x->table->v[row]);
}

static void end_of(struct thread *x, const struct act *a)
{
	size_t k = x->depth;
	struct running r;
	struct opsum *s;
	int64_t dur, self;

	while (k && x->open[k - 1].id != a->id)
		k--;
	if (!k)
		return;
	r = x->open[--k];
	memmove(x->open + k, x->open + k + 1, (--x->depth - k) * sizeof *x->open);
	dur = a->time - r.begin;
	self = sub_clamped(dur, r.inner);
	s = &x->table->v[r.row].sum;
	s->occurrences++;
	s->time = add_clamped(s->time, dur);
	s->self = add_clamped(s->self, self);
	x->table->op_time = add_clamped(x->table->op_time, self);
	note_row(x, r.row);
	if (slice_begins(x->table->v[r.row].type, "InfeedEnqueue"))
		note_enqueue(x, &r, dur);
	if (x->depth)
		x->open[x->depth - 1].inner = add_clamped(x->open[x->depth - 1].inner, dur);
}

/* Returns false when canceled. */
static bool collect_event(struct thread *x, const struct track *t)
{
	stat_ints_open(&x->ints, x->dump, t, x->asked, x->nasked);
	for (size_t i = 0; i < t->n; i++) {
		add_event(x, t, i);
		if (i % LOOK_EVERY == LOOK_EVERY - 1) {
			progress_add(x->options->progress, LOOK_EVERY, 0);
			if (progress_canceled(x->options->progress))
				return false;
		}
	}
	progress_add(x->options->progress, t->n % LOOK_EVERY, 0);
	return !x->n || sort_items(x->act, x->n, sizeof *x->act, in_time, x->options->progress);
}

static bool run_thread(struct thread *x, const struct track *t)
{
	int64_t before = x->table->op_time, span;

	x->n = x->depth = 0;
	x->enqueue_took = -1;
	if (!collect_event(x, t))
		return false;
	if (!x->n) {
		if (!file_is_converted(&x->dump->files[t->file])) /* as in XProf; else nothing is known */
			framework_add_idle(x->table, 0);
		return true;
	}
	for (size_t i = 0; i < x->n; i++) {
		const struct act *a = &x->act[i];

		if (a->end) {
			end_of(x, a);
			continue;
		}
		VEC_ADD(x->open, x->depth, x->open_cap,
		    (struct running){ .id = a->id, .row = a->row, .begin = a->time });
	}
	span = sub_clamped(x->act[x->n - 1].time, x->act[0].time);
	x->table->total = add_clamped(x->table->total, span);
	framework_add_idle(x->table, sub_clamped(span, sub_clamped(x->table->op_time, before)));
	return true;
}

bool framework_host_track(const struct dump *d, const struct track *t, const char *host)
{
	const struct plane *p = &d->trace.planes[t->plane];

	return t->file >= 0 && slice_is(dump_text(d, p->name), "/host:CPU") &&
	    (!host || dump_host_is(d, p->host, host));
}

bool framework_host_rows(const struct dump *d, const struct framework_host_options *o, struct framework *f)
{
	struct thread x = { .dump = d,
		.options = o,
		.all = f,
		.table = &f->host,
		.row_of_meta = xcalloc(d->trace.nmetas + 1, sizeof *x.row_of_meta),
		.stage_id = strtab_find(&d->str, "_ipl_stage_id", 13),
		.stage_cat = strtab_find(&d->str, "_ipl_stage_cat", 14),
		.tf_op = strtab_find(&d->str, "tf_op", 5) };
	bool whole = true;

	if (x.stage_id != UINT32_MAX)
		x.asked[x.nasked++] = x.stage_id;
	if (x.tf_op != UINT32_MAX)
		x.asked[x.nasked++] = x.tf_op;
	for (x.track = 0; x.track < d->trace.ntracks && whole; x.track++)
		if (framework_host_track(d, &d->trace.tracks[x.track], o->host))
			whole = run_thread(&x, &d->trace.tracks[x.track]);
	free(x.row_of_meta);
	free(x.seen);
	free(x.act);
	free(x.open);
	return whole;
}
