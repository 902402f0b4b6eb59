#include "config.h"
#include "sql/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/regex.h"
#include "model/stat.h"

/* --- tables --- */

enum table_kind { SLICES, ARGS, COUNTERS, EVENTS };

/* clang-format off */
#define SLICE_COLUMNS \
	C(id, INTEGER) C(track_id, INTEGER) C(host, TEXT) C(plane, TEXT) C(line, TEXT) C(kind, TEXT) \
	C(core, INTEGER) C(name, TEXT) C(start_ps, INTEGER) C(duration_ps, INTEGER) C(self_ps, INTEGER) \
	C(depth, INTEGER) C(parent_id, INTEGER) C(step, INTEGER) C(category, TEXT) C(tf_op_name, TEXT) \
	C(source_info, TEXT) C(flops, INTEGER) C(bytes_accessed, INTEGER) C(program_id, INTEGER) \
	C(wait_ps, INTEGER)
/* those of XProf's own table, and the host */
#define EVENT_COLUMNS \
	C(device, TEXT) C(stream_id, INTEGER) C(thread_id, INTEGER) C(thread_name, TEXT) \
	C(kernel_name, TEXT) C(tf_op_name, TEXT) C(tf_op_type, TEXT) C(hlo_op, TEXT) C(hlo_module, TEXT) \
	C(start_ns, INTEGER) C(end_ns, INTEGER) C(self_time_ns, INTEGER) C(step, TEXT) C(category, TEXT) \
	C(flops, INTEGER) C(memory_accessed, INTEGER) C(source_line, TEXT) C(kernel_details, TEXT) \
	C(input_tensors, TEXT) C(output_tensors, TEXT) C(trace_args, TEXT) C(hlo_fingerprint, INTEGER) \
	C(flow, INTEGER) C(correlation_id, INTEGER) C(host, TEXT)
/* clang-format on */

#define C(name, type) S_##name,
enum { SLICE_COLUMNS S_COLUMNS };
#undef C
#define C(name, type) E_##name,
enum { EVENT_COLUMNS E_COLUMNS };
#undef C
enum { A_slice_id, A_key, A_value };
enum { N_track_id, N_name, N_time_ps, N_value };

#define C(name, type) "," #name " " #type
static const struct {
	const char *name, *columns; /* after a comma */
} tables[] = {
	[SLICES] = { "slices", SLICE_COLUMNS },
	[ARGS] = { "args", ",slice_id INTEGER,key TEXT,value" },
	[COUNTERS] = { "counters", ",track_id INTEGER,name TEXT,time_ps INTEGER,value REAL" },
	[EVENTS] = { "Events", EVENT_COLUMNS },
};
#undef C

/* What is often asked of slices. */
static const struct {
	const char *name, *columns, *where;
} views[] = {
	{ "collectives", "id AS slice_id, host, core, step, name, category, start_ps, duration_ps, wait_ps",
	    "kind = 'ops' AND (wait_ps IS NOT NULL OR category GLOB 'all-*' OR category GLOB "
	    "'reduce-scatter*' OR "
	    "category GLOB 'collective-*' OR category GLOB 'ragged-all-*')" },
	{ "modules", "id AS slice_id, host, core, name, start_ps, duration_ps", "kind = 'modules'" },
};

struct events_table {
	sqlite3_vtab base;
	struct sql *q;
	enum table_kind kind;
};

/* A condition that is pushed down. */
struct condition {
	int column, op;
	sqlite3_value *v;
};

struct arg {
	char *key, *text; /* text NULL: a number */
	size_t n;
	bool whole;
	int64_t i;
	double d;
};

struct cursor {
	sqlite3_vtab_cursor base;
	struct sql *q;
	uint32_t track; /* of counters: the counter */
	size_t i, end;  /* in the track */
	uint64_t only;  /* one event; UINT64_MAX: all */
	struct condition *condition;
	int nconditions;
	uint8_t *named;   /* by meta: 1 = its name fits, 2 = it does not; NULL: no condition */
	int64_t from, to; /* bounds of the starts */
	struct sql_walk walk;
	struct arg *arg;
	size_t nargs, args_cap, at_arg;
};

static const struct track *track_here(const struct cursor *c)
{
	return &c->q->d->trace.tracks[c->track];
}

uint32_t sql_track_of(const struct sql *q, uint64_t id, size_t *i)
{
	uint32_t k;

	BISECT(k, q->d->trace.ntracks, q->first[k + 1] <= id);
	*i = k < q->d->trace.ntracks ? (size_t)(id - q->first[k]) : 0;
	return k < q->d->trace.ntracks ? k : UINT32_MAX;
}

const char *sql_role_name(const struct dump *d, const struct track *t)
{
	const struct plane *p = &d->trace.planes[t->plane];

	if (p->kind == PLANE_HOST)
		return "host";
	if (p->kind != PLANE_TPU)
		return "other";
	return t->role == TRACK_STEPS  ? "steps"
	    : t->role == TRACK_MODULES ? "modules"
	    : t->role == TRACK_OPS     ? "ops"
	    : t->role == TRACK_ASYNC   ? "async"
				       : "other";
}

static bool read_stat(void *ctx, const struct stat_value *v)
{
	struct sql_kind *k = ctx;

	if (stat_is(v, "tf_op") && v->type == STAT_STR && !k->tf_op)
		k->tf_op = xstrndup(v->s, v->n);
	else if (stat_is(v, "source") && v->type == STAT_STR && !k->source)
		k->source = xstrndup(v->s, v->n);
	else if (stat_is(v, "flops"))
		k->has_flops = stat_whole(v, &k->flops) || k->has_flops;
	else if (stat_is(v, "bytes_accessed"))
		k->has_bytes = stat_whole(v, &k->bytes) || k->has_bytes;
	else if (stat_is(v, "program_id"))
		k->has_program = stat_whole(v, &k->program) || k->has_program;
	return true;
}

const struct sql_kind *sql_kind_of(struct sql *q, uint32_t meta)
{
	struct sql_kind *k = &q->kind[meta];

	if (!k->read)
		stats_of_meta(q->d, meta, read_stat, k);
	k->read = true;
	return k;
}

/* --- opening --- */

static int connect(sqlite3 *db, void *q, int argc, const char *const *argv, sqlite3_vtab **out, char **why)
{
	struct events_table *t = xcalloc(1, sizeof *t);
	char *text;
	int bad;

	(void)argc;
	(void)why;
	t->q = q;
	while (strcmp(tables[t->kind].name, argv[2]))
		t->kind++;
	text = xasprintf("CREATE TABLE x(%s)", tables[t->kind].columns + 1);
	bad = sqlite3_declare_vtab(db, text);
	free(text);
	*out = &t->base;
	if (bad)
		free(t);
	return bad;
}

static int disconnect(sqlite3_vtab *t)
{
	free(t);
	return SQLITE_OK;
}

static bool is_pushed(enum table_kind kind, const struct sqlite3_index_constraint *x)
{
	bool equal = x->op == SQLITE_INDEX_CONSTRAINT_EQ;

	switch (kind) {
	case SLICES:
		switch (x->iColumn) {
		case S_id:
		case S_track_id:
		case S_host:
		case S_plane:
		case S_line:
		case S_kind:
		case S_core:
			return equal;
		case S_name:
			return equal || x->op == SQLITE_INDEX_CONSTRAINT_GLOB ||
			    x->op == SQLITE_INDEX_CONSTRAINT_LIKE || x->op == SQLITE_INDEX_CONSTRAINT_REGEXP;
		case S_start_ps:
			return equal || x->op == SQLITE_INDEX_CONSTRAINT_GE ||
			    x->op == SQLITE_INDEX_CONSTRAINT_GT || x->op == SQLITE_INDEX_CONSTRAINT_LE ||
			    x->op == SQLITE_INDEX_CONSTRAINT_LT;
		default:
			return false;
		}
	case ARGS:
		return x->iColumn == A_slice_id && equal;
	case COUNTERS:
		return x->iColumn == N_track_id && equal;
	default:
		return false;
	}
}

/* idxStr: "column op" of each condition, in the order of the values. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *x)
{
	struct events_table *t = (struct events_table *)base;
	double rows = (double)t->q->d->trace.events + 1;
	char *text = sqlite3_mprintf("");
	int n = 0;

	for (int i = 0; i < x->nConstraint && text; i++) {
		const struct sqlite3_index_constraint *k = &x->aConstraint[i];

		if (!k->usable || !is_pushed(t->kind, k))
			continue;
		x->aConstraintUsage[i].argvIndex = ++n;
		text = sqlite3_mprintf("%z%d %d ", text, k->iColumn, (int)k->op);
		if ((t->kind == SLICES && k->iColumn == S_id) ||
		    (t->kind == ARGS && k->iColumn == A_slice_id)) {
			rows = t->kind == ARGS ? 8 : 1;
			x->idxFlags |= t->kind == SLICES ? SQLITE_INDEX_SCAN_UNIQUE : 0;
		} else {
			rows = rows / 8 + 1;
		}
	}
	if (!text)
		return SQLITE_NOMEM;
	x->idxStr = text;
	x->needToFreeIdxStr = 1;
	x->estimatedRows = (sqlite3_int64)rows;
	x->estimatedCost = rows * (t->kind == ARGS ? 20 : 1);
	return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	struct cursor *c = xcalloc(1, sizeof *c);

	c->q = ((struct events_table *)t)->q;
	c->walk.track = UINT32_MAX;
	*out = &c->base;
	return SQLITE_OK;
}

static enum table_kind kind_of(const struct cursor *c)
{
	return ((struct events_table *)c->base.pVtab)->kind;
}

static void forget_args(struct cursor *c)
{
	while (c->nargs) {
		struct arg *a = &c->arg[--c->nargs];

		free(a->key);
		free(a->text);
	}
	c->at_arg = 0;
}

static void forget_conditions(struct cursor *c)
{
	while (c->nconditions)
		sqlite3_value_free(c->condition[--c->nconditions].v);
	free(c->condition);
	free(c->named);
	c->condition = NULL;
	c->named = NULL;
	forget_args(c);
}

static int cursor_close(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	forget_conditions(c);
	sql_walk_free(&c->walk);
	free(c->arg);
	free(c);
	return SQLITE_OK;
}

/* --- which rows --- */

static bool is_text(sqlite3_value *v, struct slice s)
{
	return sqlite3_value_type(v) != SQLITE_NULL && sqlite3_value_text(v) &&
	    slice_same(s,
		(struct slice){ (const char *)sqlite3_value_text(v), (size_t)sqlite3_value_bytes(v) });
}

static struct slice host_of(const struct sql *q, const struct plane *p)
{
	return p->host >= 0 ? strtab_text(&q->d->str, q->d->hosts[p->host].name) : (struct slice){ NULL, 0 };
}

static bool track_fits(const struct cursor *c)
{
	const struct track *t = track_here(c);
	const struct plane *p = &c->q->d->trace.planes[t->plane];

	if (t->file < 0)
		return false;
	if (kind_of(c) == EVENTS)
		return p->kind == PLANE_HOST ? slice_is(strtab_text(&c->q->d->str, p->name), "/host:CPU")
					     : p->kind == PLANE_TPU && t->id >= 1 && t->id <= 3;
	for (int i = 0; i < c->nconditions && kind_of(c) == SLICES; i++) {
		sqlite3_value *v = c->condition[i].v;
		bool fits = true;

		switch (c->condition[i].column) {
		case S_track_id:
			fits = sqlite3_value_int64(v) == (int64_t)c->track;
			break;
		case S_core:
			fits = p->core >= 0 && sqlite3_value_double(v) == p->core;
			break;
		case S_host:
			fits = is_text(v, host_of(c->q, p));
			break;
		case S_plane:
			fits = is_text(v, strtab_text(&c->q->d->str, p->name));
			break;
		case S_line:
			fits = is_text(v, strtab_text(&c->q->d->str, t->name));
			break;
		case S_kind:
			fits = is_text(v, slice_of(sql_role_name(c->q->d, t)));
			break;
		default:
			break;
		}
		if (!fits)
			return false;
	}
	return true;
}

/* Asks the conditions about a name; SQLite asks regexp() itself. */
static bool is_named(const struct cursor *c, struct slice s)
{
	char *name = xstrndup(s.s, s.n);
	bool fits = true;

	for (int i = 0; i < c->nconditions && fits; i++) {
		const struct condition *k = &c->condition[i];
		const char *text = k->column == S_name ? (const char *)sqlite3_value_text(k->v) : NULL;

		if (k->column != S_name)
			continue;
		fits = text && (k->op != SQLITE_INDEX_CONSTRAINT_EQ || is_text(k->v, s)) &&
		    (k->op != SQLITE_INDEX_CONSTRAINT_GLOB || !sqlite3_strglob(text, name)) &&
		    (k->op != SQLITE_INDEX_CONSTRAINT_LIKE || !sqlite3_strlike(text, name, 0));
	}
	free(name);
	return fits;
}

static bool name_fits(struct cursor *c, uint32_t meta)
{
	if (!c->named)
		return true;
	if (!c->named[meta])
		c->named[meta] =
		    is_named(c, strtab_text(&c->q->d->str, c->q->d->trace.metas[meta].name)) ? 1 : 2;
	return c->named[meta] == 1;
}

static void enter_track(struct cursor *c)
{
	const struct track *t = track_here(c);

	c->i = 0;
	c->end = t->n;
	if (c->from > INT64_MIN)
		BISECT(c->i, t->n, track_start(t, c->i) < c->from);
	if (c->to < INT64_MAX)
		BISECT(c->end, t->n, track_start(t, c->end) <= c->to);
}

/* Goes on to a row that fits, from the one that c->i names. */
static void find_row(struct cursor *c)
{
	const struct trace *tr = &c->q->d->trace;

	for (; c->track < tr->ntracks; c->track++, c->i = SIZE_MAX) {
		if (c->i == SIZE_MAX) {
			if (!track_fits(c))
				continue;
			enter_track(c);
		}
		while (c->i < c->end && !name_fits(c, track_meta(track_here(c), c->i)))
			c->i++;
		if (c->i < c->end)
			return;
	}
}

static bool keep_arg(void *ctx, const struct stat_value *v)
{
	struct cursor *c = ctx;
	struct arg *a;

	if (v->type == STAT_BYTES)
		return true;
	VEC_PUSH(c->arg, c->nargs, c->args_cap);
	a = &c->arg[c->nargs++];
	*a = (struct arg){ .key = xstrndup(v->name, v->name_len), .d = v->d, .i = v->i };
	a->whole = v->type == STAT_INT || (v->type == STAT_UINT && v->u <= INT64_MAX);
	if (v->type == STAT_STR || v->type == STAT_JSON)
		a->text = xstrndup(v->s, a->n = v->n);
	else if (v->type == STAT_UINT && v->u > INT64_MAX) /* no number of SQLite */
		a->n = strlen(a->text = xasprintf("%" PRIu64, v->u));
	return true;
}

/* The next arg, of this event or of the next that has any. */
static void find_arg(struct cursor *c)
{
	while (c->track < c->q->d->trace.ntracks && c->at_arg == c->nargs) {
		forget_args(c);
		stats_of_event(c->q->d, track_here(c), c->i, keep_arg, c);
		if (c->nargs)
			return;
		if (c->only != UINT64_MAX) {
			c->track = (uint32_t)c->q->d->trace.ntracks;
			return;
		}
		c->i++;
		find_row(c);
	}
}

static void find_sample(struct cursor *c)
{
	const struct trace *t = &c->q->d->trace;

	while (c->track < t->ncounters && c->i >= t->counters[c->track].n) {
		c->track++;
		c->i = 0;
	}
}

static void take_condition(struct cursor *c, const struct condition *k)
{
	enum table_kind kind = kind_of(c);
	int64_t n = sqlite3_value_int64(k->v);
	bool real = sqlite3_value_type(k->v) == SQLITE_FLOAT;

	if ((kind == SLICES && k->column == S_id) || (kind == ARGS && k->column == A_slice_id)) {
		c->only = n < 0 ? UINT64_MAX - 1 : (uint64_t)n;
	} else if (kind == SLICES && k->column == S_name && !c->named) {
		c->named = xcalloc(c->q->d->trace.nmetas + 1, 1);
	} else if (kind == SLICES && k->column == S_start_ps &&
	    sqlite3_value_numeric_type(k->v) != SQLITE_TEXT) {
		bool low = k->op != SQLITE_INDEX_CONSTRAINT_LE && k->op != SQLITE_INDEX_CONSTRAINT_LT,
		     high = k->op != SQLITE_INDEX_CONSTRAINT_GE && k->op != SQLITE_INDEX_CONSTRAINT_GT;

		/* SQLite checks again, so the bound need not be exact */
		if (low && n - real > c->from && n > INT64_MIN)
			c->from = n - real;
		if (high && n < INT64_MAX && n + real < c->to)
			c->to = n + real;
	}
}

static int filter(sqlite3_vtab_cursor *base, int how, const char *text, int argc, sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)base;

	(void)how;
	forget_conditions(c);
	c->condition = xcalloc((size_t)argc + 1, sizeof *c->condition);
	c->from = INT64_MIN;
	c->to = INT64_MAX;
	c->only = UINT64_MAX;
	c->track = 0;
	c->i = SIZE_MAX;
	for (int i = 0; i < argc; i++) {
		struct condition *k = &c->condition[c->nconditions];
		char *end;

		k->column = (int)strtol(text, &end, 10);
		k->op = (int)strtol(end, &end, 10);
		text = end;
		if (!(k->v = sqlite3_value_dup(argv[i])))
			return SQLITE_NOMEM;
		c->nconditions++;
		take_condition(c, k);
	}
	if (kind_of(c) == COUNTERS) {
		c->i = 0;
		find_sample(c);
		return SQLITE_OK;
	}
	if (c->only == UINT64_MAX) {
		find_row(c);
	} else if ((c->track = sql_track_of(c->q, c->only, &c->i)) == UINT32_MAX) {
		c->track = (uint32_t)c->q->d->trace.ntracks;
	} else {
		c->end = c->i + 1;
	}
	if (kind_of(c) == ARGS)
		find_arg(c);
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	if (kind_of(c) == ARGS && ++c->at_arg < c->nargs)
		return SQLITE_OK;
	c->i++;
	if (kind_of(c) == COUNTERS)
		find_sample(c);
	else if (c->only != UINT64_MAX)
		c->track = (uint32_t)c->q->d->trace.ntracks;
	else
		find_row(c);
	if (kind_of(c) == ARGS)
		find_arg(c);
	return SQLITE_OK;
}

static int eof(sqlite3_vtab_cursor *base)
{
	const struct cursor *c = (const struct cursor *)base;
	const struct trace *t = &c->q->d->trace;

	return c->track >= (kind_of(c) == COUNTERS ? t->ncounters : t->ntracks);
}

/* --- values --- */

static void put_text(sqlite3_context *x, struct slice s)
{
	if (s.s)
		sqlite3_result_text64(x, s.s, s.n, SQLITE_TRANSIENT, SQLITE_UTF8);
	else
		sqlite3_result_null(x);
}

static void put_strid(const struct sql *q, sqlite3_context *x, strid id)
{
	if (id)
		sqlite3_result_text(x, strtab_str(&q->d->str, id), (int)strtab_len(&q->d->str, id),
		    SQLITE_STATIC);
	else
		sqlite3_result_null(x);
}

static void put_known(sqlite3_context *x, bool known, int64_t v)
{
	if (known)
		sqlite3_result_int64(x, v);
	else
		sqlite3_result_null(x);
}

/* Of the event itself, else of its kind. */
static void put_own(struct cursor *c, sqlite3_context *x, const char *name, bool has, int64_t v)
{
	strid id = strtab_find(&c->q->d->str, name, strlen(name));
	int64_t own;
	bool it = id != UINT32_MAX && (stats_event_ints(c->q->d, track_here(c), c->i, &id, 1, &own) & 1);

	put_known(x, it || has, it ? own : v);
}

static void put_step(struct cursor *c, sqlite3_context *x)
{
	const struct step *s;

	if (strcmp(sql_role_name(c->q->d, track_here(c)), "ops")) {
		sqlite3_result_null(x);
		return;
	}
	sql_walk_steps(c->q, &c->walk, c->track);
	s = c->walk.step[c->i];
	put_known(x, s != NULL, s ? s->id : 0);
}

static void slice_column(struct cursor *c, sqlite3_context *x, int column)
{
	struct sql *q = c->q;
	const struct track *t = track_here(c);
	const struct plane *p = &q->d->trace.planes[t->plane];
	uint32_t meta = track_meta(t, c->i);
	const struct sql_kind *k;
	int64_t wait;

	switch (column) {
	case S_id:
		sqlite3_result_int64(x, (int64_t)(q->first[c->track] + c->i));
		return;
	case S_track_id:
		sqlite3_result_int64(x, c->track);
		return;
	case S_host:
		put_text(x, host_of(q, p));
		return;
	case S_plane:
		put_strid(q, x, p->name);
		return;
	case S_line:
		put_strid(q, x, t->name);
		return;
	case S_kind:
		sqlite3_result_text(x, sql_role_name(q->d, t), -1, SQLITE_STATIC);
		return;
	case S_core:
		put_known(x, p->core >= 0, p->core);
		return;
	case S_name:
		put_strid(q, x, q->d->trace.metas[meta].name);
		return;
	case S_start_ps:
		sqlite3_result_int64(x, track_start(t, c->i));
		return;
	case S_duration_ps:
		sqlite3_result_int64(x, track_dur(t, c->i));
		return;
	case S_self_ps:
		sql_walk_self(q, &c->walk, c->track);
		sqlite3_result_int64(x, c->walk.self[c->i]);
		return;
	case S_depth:
		sql_walk_self(q, &c->walk, c->track);
		sqlite3_result_int64(x, c->walk.depth[c->i]);
		return;
	case S_parent_id:
		sql_walk_self(q, &c->walk, c->track);
		put_known(x, c->walk.parent[c->i] != UINT32_MAX,
		    (int64_t)(q->first[c->track] + c->walk.parent[c->i]));
		return;
	case S_step:
		put_step(c, x);
		return;
	case S_category:
		put_strid(q, x, q->d->trace.metas[meta].category);
		return;
	case S_wait_ps:
		wait = strcmp(sql_role_name(q->d, t), "ops") ? -1 : sql_wait(q, c->track, c->i);
		put_known(x, wait >= 0, wait);
		return;
	default:
		break;
	}
	k = sql_kind_of(q, meta);
	if (column == S_tf_op_name || column == S_source_info)
		put_text(x, slice_of(column == S_source_info ? k->source : k->tf_op));
	else if (column == S_flops)
		put_own(c, x, "flops", k->has_flops, k->flops);
	else if (column == S_bytes_accessed)
		put_own(c, x, "bytes_accessed", k->has_bytes, k->bytes);
	else
		put_own(c, x, "program_id", k->has_program, k->program);
}

static void arg_column(struct cursor *c, sqlite3_context *x, int column)
{
	const struct arg *a = &c->arg[c->at_arg];

	if (column == A_slice_id)
		sqlite3_result_int64(x, (int64_t)(c->q->first[c->track] + c->i));
	else if (column == A_key)
		sqlite3_result_text(x, a->key, -1, SQLITE_TRANSIENT);
	else if (a->text)
		put_text(x, (struct slice){ a->text, a->n });
	else if (a->whole)
		sqlite3_result_int64(x, a->i);
	else
		sqlite3_result_double(x, a->d);
}

static void counter_column(struct cursor *c, sqlite3_context *x, int column)
{
	const struct counter *n = &c->q->d->trace.counters[c->track];

	if (column == N_track_id)
		put_known(x, n->track >= 0, n->track);
	else if (column == N_name)
		put_strid(c->q, x, n->name);
	else if (column == N_time_ps)
		sqlite3_result_int64(x, n->t[c->i]);
	else
		sqlite3_result_double(x, n->v[c->i]);
}

/* The event of another line of the plane that holds this one. */
static bool holder_of(struct cursor *c, int64_t line, struct slice *name)
{
	const struct trace *tr = &c->q->d->trace;
	const struct track *t = track_here(c);

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(tr, t->plane, k)) < tr->ntracks;)
		if (tr->tracks[k].id == line && tr->tracks[k].file >= 0) {
			size_t i = sql_holder(&tr->tracks[k], track_start(t, c->i), track_end(t, c->i));

			if (i == SIZE_MAX)
				return false;
			*name = strtab_text(&c->q->d->str, tr->metas[track_meta(&tr->tracks[k], i)].name);
			return true;
		}
	return false;
}

static void put_joined(sqlite3_context *x, const char *first, struct slice second)
{
	char *text = sqlite3_mprintf("%s%.*s", first, (int)second.n, second.s ? second.s : "");

	sqlite3_result_text(x, text, -1, sqlite3_free);
}

/* XProf cuts a tf_op at its last colon; without a type, the last part of the path is one. */
static void put_tf_op(sqlite3_context *x, const char *op, bool type)
{
	const char *colon = op ? strrchr(op, ':') : NULL, *slash;

	if (!op) {
		sqlite3_result_null(x);
		return;
	}
	if (!colon) { /* as Python's rpartition: all of it is the type */
		sqlite3_result_text(x, type ? op : "", -1, SQLITE_TRANSIENT);
		return;
	}
	if (!type) {
		sqlite3_result_text(x, op, (int)(colon - op), SQLITE_TRANSIENT);
		return;
	}
	if (colon[1]) {
		sqlite3_result_text(x, colon + 1, -1, SQLITE_TRANSIENT);
		return;
	}
	slash = colon;
	while (slash > op && slash[-1] != '/')
		slash--;
	sqlite3_result_text(x, slash, (int)(colon - slash), SQLITE_TRANSIENT);
}

static bool is_word(char ch)
{
	return ch == '_' || (ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

/* NAME:TYPE, as TensorFlow names the events of its ops; returns the colon. */
static const char *typed_name(struct slice s)
{
	const char *colon = s.n ? memchr(s.s, ':', s.n) : NULL, *end = s.s + s.n, *p;

	if (!colon || colon == s.s || !(is_word(*s.s) || *s.s == '.') || *s.s == '_')
		return NULL;
	for (p = s.s + 1; p < colon; p++)
		if (!is_word(*p) && !strchr("./>-", *p))
			return NULL;
	for (p = colon + 1; p < end && *p == '_'; p++)
		;
	if (p == end || !is_word(*p) || (*p >= '0' && *p <= '9'))
		return NULL;
	for (; p < end; p++)
		if (!is_word(*p))
			return NULL;
	return colon;
}

/* The name in the file, where the one that is shown is another. */
static struct slice full_name(const struct cursor *c)
{
	const struct evmeta *m = &c->q->d->trace.metas[track_meta(track_here(c), c->i)];

	return m->full ? (struct slice){ m->full, m->full_len } : strtab_text(&c->q->d->str, m->name);
}

static void host_event_column(struct cursor *c, sqlite3_context *x, int column)
{
	const struct track *t = track_here(c);
	struct slice name = full_name(c);
	const char *colon = column == E_tf_op_name || column == E_tf_op_type ? typed_name(name) : NULL, *step;

	switch (column) {
	case E_device:
		sqlite3_result_text(x, "cpu:0", -1, SQLITE_STATIC);
		return;
	case E_thread_id:
		sqlite3_result_int64(x, (int64_t)((uint64_t)t->id & 0xffffffff));
		return;
	case E_thread_name:
		put_strid(c->q, x, t->name);
		return;
	case E_kernel_name:
		put_text(x, name);
		return;
	case E_category:
		sqlite3_result_text(x, "host", -1, SQLITE_STATIC);
		return;
	case E_tf_op_name:
		put_text(x,
		    colon ? (struct slice){ name.s, (size_t)(colon - name.s) } : (struct slice){ NULL, 0 });
		return;
	case E_tf_op_type:
		put_text(x,
		    colon ? (struct slice){ colon + 1, (size_t)(name.s + name.n - colon - 1) }
			  : (struct slice){ NULL, 0 });
		return;
	case E_self_time_ns:
		sqlite3_result_int64(x, track_dur(t, c->i) / 1000);
		return;
	case E_step:
		step = sql_group(c->q, c->track, c->i);
		if (step)
			sqlite3_result_text(x, step, -1, SQLITE_TRANSIENT);
		else
			sqlite3_result_null(x);
		return;
	default:
		sqlite3_result_null(x);
	}
}

static void op_event_column(struct cursor *c, sqlite3_context *x, int column)
{
	const struct track *t = track_here(c);
	const struct evmeta *m = &c->q->d->trace.metas[track_meta(t, c->i)];
	const struct sql_kind *k = sql_kind_of(c->q, track_meta(t, c->i));
	struct slice name = strtab_text(&c->q->d->str, m->name), in;
	bool op = t->id == 3;

	switch (column) {
	case E_device:
		in = strtab_text(&c->q->d->str, c->q->d->trace.planes[t->plane].name);
		slice_cut(&in, "/device:TPU:");
		put_joined(x, "TPU:", in);
		return;
	case E_stream_id:
		sqlite3_result_int64(x, t->id);
		return;
	case E_kernel_name:
		put_joined(x, t->id == 1 ? "step:" : t->id == 2 ? "HLO Module:" : "", full_name(c));
		return;
	case E_category:
		put_strid(c->q, x, t->name);
		return;
	case E_self_time_ns:
		sql_walk_self_ns(c->q, &c->walk, c->track);
		sqlite3_result_int64(x, c->walk.self_ns[c->i]);
		return;
	default:
		break;
	}
	sqlite3_result_null(x);
	if (!op)
		return;
	if (column == E_hlo_op)
		put_text(x, name);
	else if (column == E_hlo_module && holder_of(c, 2, &in))
		put_text(x, in);
	else if (column == E_step && holder_of(c, 1, &in))
		put_joined(x, "step:", in);
	else if (column == E_tf_op_name || column == E_tf_op_type)
		put_tf_op(x, k->tf_op, column == E_tf_op_type);
	else if (column == E_flops)
		put_own(c, x, "flops", k->has_flops, k->flops);
	else if (column == E_memory_accessed)
		put_own(c, x, "bytes_accessed", k->has_bytes, k->bytes);
}

static bool take_source(void *ctx, const struct stat_value *v)
{
	sqlite3_context *x = ctx;

	if (!stat_is(v, "source") || v->type != STAT_STR)
		return true;
	sqlite3_result_text64(x, v->s, v->n, SQLITE_TRANSIENT, SQLITE_UTF8);
	return false;
}

static void event_column(struct cursor *c, sqlite3_context *x, int column)
{
	const struct track *t = track_here(c);
	const struct plane *p = &c->q->d->trace.planes[t->plane];
	int64_t start = add_clamped(c->q->d->origin_ns, track_start(t, c->i) / 1000);

	if (column == E_start_ns) {
		sqlite3_result_int64(x, start);
	} else if (column == E_end_ns) {
		sqlite3_result_int64(x, start + track_dur(t, c->i) / 1000);
	} else if (column == E_host) {
		put_text(x, host_of(c->q, p));
	} else if (column == E_source_line) {
		sqlite3_result_null(x);
		if (p->kind != PLANE_HOST && t->id == 3)
			put_text(x, slice_of(sql_kind_of(c->q, track_meta(t, c->i))->source));
		if (p->kind == PLANE_HOST || t->id == 3)
			stats_of_event(c->q->d, t, c->i, take_source, x);
	} else if (p->kind == PLANE_HOST) {
		host_event_column(c, x, column);
	} else {
		op_event_column(c, x, column);
	}
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *x, int i)
{
	static void (*const put[])(struct cursor *, sqlite3_context *, int) = {
		[SLICES] = slice_column,
		[ARGS] = arg_column,
		[COUNTERS] = counter_column,
		[EVENTS] = event_column,
	};
	struct cursor *c = (struct cursor *)base;

	put[kind_of(c)](c, x, i);
	return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
	const struct cursor *c = (const struct cursor *)base;

	*id = kind_of(c) == COUNTERS ? (int64_t)c->i : (int64_t)(c->q->first[c->track] + c->i);
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.iVersion = 1,
	.xCreate = connect,
	.xConnect = connect,
	.xBestIndex = best_index,
	.xDisconnect = disconnect,
	.xDestroy = disconnect,
	.xOpen = cursor_open,
	.xClose = cursor_close,
	.xFilter = filter,
	.xNext = next_row,
	.xEof = eof,
	.xColumn = column,
	.xRowid = rowid,
};

int sql_events_open(struct sql *q)
{
	const struct trace *t = &q->d->trace;
	int bad = sqlite3_create_module(q->db, "events", &module, q);

	q->first = xcalloc(t->ntracks + 1, sizeof *q->first);
	for (size_t k = 0; k < t->ntracks; k++)
		q->first[k + 1] = q->first[k] + t->tracks[k].n;
	q->kind = xcalloc(t->nmetas + 1, sizeof *q->kind);
	for (size_t i = 0; i < sizeof tables / sizeof *tables && !bad; i++) {
		char *text = xasprintf("CREATE VIRTUAL TABLE %s USING events", tables[i].name);

		bad = sqlite3_exec(q->db, text, NULL, NULL, NULL);
		free(text);
	}
	for (size_t i = 0; i < sizeof views / sizeof *views && !bad; i++) {
		char *text = xasprintf("CREATE VIEW %s AS SELECT %s FROM slices WHERE %s", views[i].name,
		    views[i].columns, views[i].where);

		bad = sqlite3_exec(q->db, text, NULL, NULL, NULL);
		free(text);
	}
	return bad;
}

void sql_events_about(void (*say)(void *ctx, const char *name, const char *columns), void *ctx)
{
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		say(ctx, tables[i].name, tables[i].columns + 1);
	for (size_t i = 0; i < sizeof views / sizeof *views; i++)
		say(ctx, views[i].name, views[i].columns);
}

void sql_events_close(struct sql *q)
{
	for (size_t i = 0; q->kind && i < q->d->trace.nmetas; i++) {
		free(q->kind[i].tf_op);
		free(q->kind[i].source);
	}
	free(q->kind);
	free(q->first);
}
