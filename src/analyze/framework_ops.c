#include "config.h"
#include "analyze/framework_ops.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/clamp.h"
#include "analyze/clock.h"
#include "analyze/tracestat.h"

#define LETTERS_LOWER "abcdefghijklmnopqrstuvwxyz"
#define LETTERS_UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

static struct optext text_of(const char *s)
{
	return (struct optext){ s, strlen(s) };
}

/* One character of `first`, then any of `rest`: how many match. */
static size_t match(struct optext t, const char *first, const char *rest)
{
	size_t i = 0;

	if (!t.n || !t.s[0] || !strchr(first, t.s[0]))
		return 0;
	for (i = 1; i < t.n && t.s[i] && strchr(rest, t.s[i]);)
		i++;
	return i;
}

static enum framework_kind parse_memcpy(struct optext full, struct optext *name, struct optext *type)
{
	static const char *const kinds[] = { "MemcpyHToD", "MemcpyDToH", "MemcpyDToD", "MemcpyHToH" };

	*name = full;
	*type = text_of("");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (full.n < strlen(kinds[i]) || strncasecmp(full.s, kinds[i], strlen(kinds[i])))
			continue;
		*type = text_of(kinds[i]);
		return FRAMEWORK_MEMCPY;
	}
	return FRAMEWORK_UNKNOWN;
}

/* The last part of a path, without "_12" at its end. */
static struct optext type_of_path(struct optext path)
{
	const char *slash = path.n ? memrchr(path.s, '/', path.n) : NULL, *under;
	struct optext t = path, digits;

	if (slash)
		t = (struct optext){ slash + 1, path.n - (size_t)(slash + 1 - path.s) };
	under = t.n ? memrchr(t.s, '_', t.n) : NULL;
	if (!under)
		return t;
	digits = (struct optext){ under + 1, t.n - (size_t)(under + 1 - t.s) };
	if (digits.n > 1 && (*digits.s == '+' || *digits.s == '-')) {
		digits.s++;
		digits.n--;
	}
	if (digits.n && match(digits, DIGITS, DIGITS) == digits.n)
		t.n = (size_t)(under - t.s);
	return t;
}

enum framework_kind framework_parse(struct optext full, struct optext *name, struct optext *type)
{
	const char *colon = full.n ? memchr(full.s, ':', full.n) : NULL;
	struct optext head, tail, t;
	size_t n;

	if (!colon)
		return parse_memcpy(full, name, type);
	head = (struct optext){ full.s, (size_t)(colon - full.s) };
	tail = (struct optext){ colon + 1, full.n - head.n - 1 };
	*name = full;
	if (optext_is(head, "Iterator")) {
		*type = text_of("Dataset");
		return FRAMEWORK_DATA;
	}
	*name = head;
	*type = tail;
	n = match(head, LETTERS_LOWER LETTERS_UPPER DIGITS ".", LETTERS_LOWER LETTERS_UPPER DIGITS "_./>-");
	if (n && n == head.n && tail.n &&
	    match(tail, LETTERS_UPPER "_", LETTERS_LOWER LETTERS_UPPER DIGITS "_") == tail.n)
		return FRAMEWORK_TF;
	t = tail.n ? tail : type_of_path(head);
	n = match(t, LETTERS_LOWER "_", LETTERS_LOWER DIGITS "_");
	if (n && (n == t.n || (t.s[n] == '[' && t.s[t.n - 1] == ']'))) {
		*type = (struct optext){ t.s, n };
		return FRAMEWORK_JAX;
	}
	*type = t;
	if (!tail.n)
		return FRAMEWORK_TF;
	*name = full;
	*type = text_of("");
	return FRAMEWORK_UNKNOWN;
}

bool framework_is_idle(const struct framework_row *r)
{
	return optext_is(r->name, "IDLE");
}

static size_t place(const struct framework_table *t, struct optext name)
{
	size_t i = strtab_hash(name.s, name.n) & (t->nslots - 1);

	while (t->slot[i] &&
	       (t->v[t->slot[i] - 1].name.n != name.n || memcmp(t->v[t->slot[i] - 1].name.s, name.s, name.n)))
		i = (i + 1) & (t->nslots - 1);
	return i;
}

static uint32_t row_of(struct framework_table *t, struct optext name, struct optext type)
{
	if (t->n * 2 >= t->nslots) {
		free(t->slot);
		t->nslots = t->nslots ? t->nslots * 2 : 256;
		t->slot = xcalloc(t->nslots, sizeof *t->slot);
		for (size_t i = 0; i < t->n; i++)
			t->slot[place(t, t->v[i].name)] = (uint32_t)i + 1;
	}
	size_t i = place(t, name);

	if (!t->slot[i]) {
		VEC_PUSH(t->v, t->n, t->cap);
		t->v[t->n++] = (struct framework_row){ .name = name, .type = type };
		t->slot[i] = (uint32_t)t->n;
	}
	if (!t->v[t->slot[i] - 1].type.n)
		t->v[t->slot[i] - 1].type = type;
	return t->slot[i] - 1;
}

static void add_idle(struct framework_table *t, int64_t idle)
{
	uint32_t row = row_of(t, text_of("IDLE"), text_of("IDLE"));
	struct opsum *s = &t->v[row].sum;

	s->time = add_clamped(s->time, idle);
	s->self = add_clamped(s->self, idle);
}

static void group_device(const struct dump *d, const struct opdb *db, struct framework_table *t)
{
	for (size_t i = 0; i < db->n; i++) {
		const struct op *o = &db->v[i];
		struct optext name = op_text(d, o->name), type = text_of("");
		struct opsum sum = o->sum, *to;
		uint32_t row;

		if (o->sparse)
			continue;
		if (o->provenance.n)
			framework_parse(o->provenance, &name, &type);
		row = row_of(t, name, type.n ? type : text_of("Unknown"));
		to = &t->v[row].sum;
		sum.has_mem = false;
		memset(sum.mem, 0, sizeof sum.mem);
		sum.occurrences = sum.occurrences > to->occurrences ? sum.occurrences - to->occurrences : 0;
		opsum_add(to, &sum);
	}
	t->total = db->total;
	t->op_time = db->op_time;
	if (db->planes)
		add_idle(t, sub_clamped(db->total, db->op_time));
}

/* Begin or end of something on a host thread.  `id` is that of its event, twice: an event may be one op by
 * its name and another by its stat. */
struct act {
	int64_t time;
	uint64_t seq;
	uint32_t id, row;
	bool end;
};

struct running {
	uint32_t id, row;
	int64_t begin, inner;
};

struct thread {
	const struct dump *dump;
	struct framework *all;
	struct framework_table *table;
	int32_t *row_of_meta; /* row + 1, 0 not looked at, -1 no op */
	strid stage_id, stage_cat, tf_op;
	struct act *act;
	size_t n, cap;
	struct running *open;
	size_t depth, open_cap;
	/* stats of the event looked at */
	bool has_stage;
	struct optext stage, op;
};

static bool take_stat(void *ctx, const struct stat_value *v)
{
	struct thread *x = ctx;

	if (v->name_id == x->stage_id)
		x->has_stage = true;
	else if (v->name_id == x->stage_cat && v->type == STAT_STR)
		x->stage = (struct optext){ arena_strndup(&x->all->text, v->s, v->n), v->n };
	else if (v->name_id == x->tf_op && v->type == STAT_STR && v->n)
		x->op = (struct optext){ arena_strndup(&x->all->text, v->s, v->n), v->n };
	return true;
}

static void add_acts(struct thread *x, uint64_t seq, uint32_t id, uint32_t row, int64_t start, int64_t dur)
{
	for (int end = 0; end < 2; end++) {
		VEC_PUSH(x->act, x->n, x->cap);
		x->act[x->n++] = (struct act){ .time = end ? start + dur : start,
			.seq = seq * 4 + (id & 1) * 2 + (uint64_t)end,
			.id = id,
			.row = row,
			.end = end };
	}
}

/* The row of a kind that is an op by its name; -1: it is none. */
static int32_t row_of_kind(struct thread *x, uint32_t meta)
{
	struct optext full = op_text(x->dump, x->dump->trace.metas[meta].name), name, type;
	const struct evmeta *m = &x->dump->trace.metas[meta];

	if (x->row_of_meta[meta])
		return x->row_of_meta[meta];
	if (m->full)
		full = (struct optext){ m->full, m->full_len };
	x->row_of_meta[meta] = framework_parse(full, &name, &type) == FRAMEWORK_UNKNOWN
				   ? -1
				   : (int32_t)row_of(x->table, name, type) + 1;
	return x->row_of_meta[meta];
}

static void add_event(struct thread *x, const struct track *t, size_t i, int64_t start, int64_t dur)
{
	const struct evmeta *m = &x->dump->trace.metas[t->meta[i]];
	struct optext name, type;
	uint64_t seq = track_args(t, i);
	int32_t row;

	x->has_stage = false;
	x->stage = x->op = (struct optext){ "", 0 };
	if (x->stage_id != UINT32_MAX || x->tf_op != UINT32_MAX)
		stats_of_event(x->dump, t, i, take_stat, x);
	if (x->has_stage && x->stage.n)
		add_acts(x, seq, (uint32_t)i * 2, row_of(x->table, op_text(x->dump, m->name), x->stage),
		    start, dur);
	else if (!x->has_stage && (row = row_of_kind(x, t->meta[i])) > 0)
		add_acts(x, seq, (uint32_t)i * 2, (uint32_t)row - 1, start, dur);
	if (!x->op.n)
		return;
	framework_parse(x->op, &name, &type);
	add_acts(x, seq, (uint32_t)i * 2 + 1, row_of(x->table, name, type), start, dur);
}

static int in_time(const void *a, const void *b)
{
	const struct act *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
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
	if (x->depth)
		x->open[x->depth - 1].inner = add_clamped(x->open[x->depth - 1].inner, dur);
}

static void run_thread(struct thread *x, const struct track *t)
{
	int64_t before = x->table->op_time, span;

	x->n = x->depth = 0;
	for (size_t i = 0; i < t->n; i++)
		add_event(x, t, i, t->start[i], t->dur[i]);
	if (!x->n) {
		add_idle(x->table, 0);
		return;
	}
	qsort(x->act, x->n, sizeof *x->act, in_time);
	for (size_t i = 0; i < x->n; i++) {
		const struct act *a = &x->act[i];

		if (a->end) {
			end_of(x, a);
			continue;
		}
		VEC_PUSH(x->open, x->depth, x->open_cap);
		x->open[x->depth++] = (struct running){ .id = a->id, .row = a->row, .begin = a->time };
	}
	span = sub_clamped(x->act[x->n - 1].time, x->act[0].time);
	x->table->total = add_clamped(x->table->total, span);
	add_idle(x->table, sub_clamped(span, sub_clamped(x->table->op_time, before)));
}

static void group_host(const struct dump *d, const char *host, struct framework *f)
{
	struct thread x = { .dump = d,
		.all = f,
		.table = &f->host,
		.row_of_meta = xcalloc(d->trace.nmetas + 1, sizeof *x.row_of_meta),
		.stage_id = strtab_find(&d->str, "_ipl_stage_id", 13),
		.stage_cat = strtab_find(&d->str, "_ipl_stage_cat", 14),
		.tf_op = strtab_find(&d->str, "tf_op", 5) };

	for (size_t k = 0; k < d->trace.ntracks; k++) {
		const struct track *t = &d->trace.tracks[k];
		const struct plane *p = &d->trace.planes[t->plane];

		if (t->file < 0 || !optext_is(op_text(d, p->name), "/host:CPU") ||
		    (host && !trace_host_is(d, p->host, host)))
			continue;
		run_thread(&x, t);
	}
	free(x.row_of_meta);
	free(x.act);
	free(x.open);
}

static int by_self(const void *a, const void *b)
{
	const struct framework_row *x = a, *y = b;
	int c;

	if (x->sum.self != y->sum.self)
		return x->sum.self > y->sum.self ? -1 : 1;
	c = memcmp(x->name.s, y->name.s, x->name.n < y->name.n ? x->name.n : y->name.n);
	return c ? c : (x->name.n > y->name.n) - (x->name.n < y->name.n);
}

static void sort(struct framework_table *t)
{
	if (t->n)
		qsort(t->v, t->n, sizeof *t->v, by_self);
}

void framework_ops(const struct dump *d, const struct opdb *db, const char *host, struct framework *f)
{
	*f = (struct framework){ 0 };
	group_device(d, db, &f->device);
	group_host(d, host, f);
	sort(&f->device);
	sort(&f->host);
}

void framework_free(struct framework *f)
{
	free(f->device.v);
	free(f->device.slot);
	free(f->host.v);
	free(f->host.slot);
	arena_free(&f->text);
	*f = (struct framework){ 0 };
}
