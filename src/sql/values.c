#include "config.h"
#include "sql/rows.h"

#include <string.h>

#include "base/clamp.h"

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

/* Puts a stat that the event itself has, else that of its kind. */
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

void slice_column(struct cursor *c, sqlite3_context *x, int column)
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

void arg_column(struct cursor *c, sqlite3_context *x, int column)
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

void counter_column(struct cursor *c, sqlite3_context *x, int column)
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
	strid step;

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
	else if (column == E_hlo_module)
		put_strid(c->q, x, sql_walk_holder(c->q, &c->walk, c->track, SQL_MODULES, c->i));
	else if (column == E_step && (step = sql_walk_holder(c->q, &c->walk, c->track, SQL_STEPS, c->i)))
		put_joined(x, "step:", strtab_text(&c->q->d->str, step));
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

void event_column(struct cursor *c, sqlite3_context *x, int column)
{
	const struct track *t = track_here(c);
	const struct plane *p = &c->q->d->trace.planes[t->plane];
	int64_t start = add_clamped(c->q->d->origin_ns, track_start(t, c->i) / 1000);

	if (column == E_start_ns) {
		sqlite3_result_int64(x, start);
	} else if (column == E_end_ns) {
		sqlite3_result_int64(x, add_clamped(start, track_dur(t, c->i) / 1000));
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
