#include "config.h"
#include "sql/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/mem.h"
#include "base/text/regex.h"
#include "model/stat.h"

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

enum { ORDER_NONE, ORDER_UP, ORDER_DOWN }; /* idxNum: by name */

struct events_table {
	sqlite3_vtab base;
	struct sql *q;
	enum table_kind kind;
};

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

static int connect(sqlite3 *db, void *session, int argc, const char *const *argv, sqlite3_vtab **out,
    char **why)
{
	struct events_table *t = xcalloc(1, sizeof *t);
	struct sql_session *s = session;
	char *text;
	int bad;

	(void)argc;
	(void)why;
	t->q = &s->side[strcmp(argv[1], s->side[0].schema) != 0];
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
	if (t->kind == SLICES && !(x->idxFlags & SQLITE_INDEX_SCAN_UNIQUE) && sql_can_order(t->q, x)) {
		x->orderByConsumed = 1;
		x->idxNum = x->aOrderBy[0].desc ? ORDER_DOWN : ORDER_UP;
	}
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
	free(c->order);
	c->order = NULL;
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

static void first_row(struct cursor *c)
{
	c->track = 0;
	c->i = SIZE_MAX;
	find_row(c);
}

static void next_in_tracks(struct cursor *c)
{
	c->i++;
	find_row(c);
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
		if (low && n > INT64_MIN && n - real > c->from)
			c->from = n - real;
		if (high && n < INT64_MAX && n + real < c->to)
			c->to = n + real;
	}
}

static int filter(sqlite3_vtab_cursor *base, int how, const char *text, int argc, sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)base;

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
	if (how != ORDER_NONE) {
		sql_order(c, how == ORDER_DOWN, first_row, next_in_tracks);
		sql_ordered_row(c);
	} else if (c->only == UINT64_MAX) {
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
	if (c->order) {
		sql_ordered_row(c);
		return SQLITE_OK;
	}
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

int sql_events_open_module(struct sql_session *s)
{
	return sqlite3_create_module(s->db, "events", &module, s);
}

int sql_events_open(struct sql *q)
{
	const struct trace *t = &q->d->trace;
	int bad = 0;

	q->first = xcalloc(t->ntracks + 1, sizeof *q->first);
	for (size_t k = 0; k < t->ntracks; k++)
		q->first[k + 1] = q->first[k] + t->tracks[k].n;
	q->kind = xcalloc(t->nmetas + 1, sizeof *q->kind);
	for (size_t i = 0; i < sizeof tables / sizeof *tables && !bad; i++) {
		char *text = xasprintf("CREATE VIRTUAL TABLE %s.%s USING events", q->schema, tables[i].name);

		bad = sqlite3_exec(q->s->db, text, NULL, NULL, NULL);
		free(text);
	}
	for (size_t i = 0; i < sizeof views / sizeof *views && !bad; i++) {
		char *text = xasprintf("CREATE VIEW %s.%s AS SELECT %s FROM slices WHERE %s", q->schema,
		    views[i].name, views[i].columns, views[i].where);

		bad = sqlite3_exec(q->s->db, text, NULL, NULL, NULL);
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
