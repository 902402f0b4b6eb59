#include "config.h"
#include "sql/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/mem.h"

enum { ROWS_BETWEEN_LOOKS = 1000, BYTES_MOST = 64 << 20 };

/* --- rows that are kept --- */

/* Returns the bytes of its texts. */
static size_t keep_row(struct sql_session *s, struct sql_answer *a)
{
	struct cell *c = table_row(&a->rows);
	size_t bytes = 0;

	for (int i = 0; i < (int)a->schema.n; i++) {
		c[i] = sql_cell(s->query, i);
		if (c[i].type != CELL_STR)
			continue;
		c[i].s = table_copy(&a->rows, c[i].s, c[i].n);
		bytes += c[i].n;
	}
	return bytes;
}

static int keep_rows(struct sql_session *s, struct sql_answer *a, struct err *err)
{
	int status = sqlite3_step(s->query);
	int64_t most = s->o->limit >= 0 ? s->o->limit : 1000;
	size_t bytes = 0;

	a->schema.n = (size_t)sqlite3_column_count(s->query);
	a->schema.columns = a->columns = sql_columns(s, status == SQLITE_ROW);
	table_begin(&a->rows, &a->schema);
	for (; status == SQLITE_ROW; status = sqlite3_step(s->query)) {
		if ((a->cut = (most && a->rows.nrows == (size_t)most) || bytes >= BYTES_MOST))
			return 0;
		bytes += keep_row(s, a);
		if (a->rows.nrows % ROWS_BETWEEN_LOOKS == 0)
			progress_add(s->o->progress, 0, ROWS_BETWEEN_LOOKS);
	}
	return status == SQLITE_DONE ? 0 : sql_say_error(s, sqlite3_errmsg(s->db), err);
}

struct sql_answer *sql_ask(struct capture *c, struct capture *base, const struct sql_options *o,
    struct err *err)
{
	struct sql_answer *a = xcalloc(1, sizeof *a);
	struct sql_session s;

	if (sql_open(&s, c, base, o, err) || keep_rows(&s, a, err)) {
		sql_answer_free(a);
		a = NULL;
	}
	sql_close(&s);
	return a;
}

void sql_answer_free(struct sql_answer *a)
{
	if (!a)
		return;
	if (a->columns) {
		table_free(&a->rows);
		sql_columns_free(a->columns, a->schema.n);
	}
	free(a);
}

/* --- where a row leads --- */

static int64_t whole(const struct sql_answer *a, size_t row, const char *column)
{
	const struct cell *c = table_get(&a->rows, row, column);

	return c && c->type == CELL_INT ? c->u.i : -1;
}

static struct slice text(const struct sql_answer *a, size_t row, const char *column)
{
	const struct cell *c = table_get(&a->rows, row, column);

	return c ? cell_text(c) : (struct slice){ NULL, 0 };
}

static bool has(const struct sql_answer *a, const char *column)
{
	return table_column(&a->rows, column) >= 0;
}

/* Does what the row says fit the event?  Ids of other things are small numbers, too. */
static bool says_event(const struct sql_answer *a, size_t row, const struct dump *d, const struct track *t,
    size_t i)
{
	struct slice name = text(a, row, "name");
	int64_t start = whole(a, row, "start_ps"), dur = whole(a, row, "duration_ps");

	return (!name.s || slice_same(name, dump_text(d, d->trace.metas[track_meta(t, i)].name))) &&
	    (start < 0 || start == track_start(t, i)) && (dur < 0 || dur == track_dur(t, i));
}

static struct sql_place event_of_id(const struct sql_answer *a, const struct dump *d, size_t row, int64_t id)
{
	uint64_t first = 0;

	for (uint32_t k = 0; id >= 0 && k < d->trace.ntracks; first += d->trace.tracks[k++].n)
		if ((uint64_t)id - first < d->trace.tracks[k].n) {
			struct sql_place p = { .kind = REF_EVENT,
				.track = k,
				.event = (size_t)((uint64_t)id - first) };

			return says_event(a, row, d, &d->trace.tracks[k], p.event) ? p
										   : (struct sql_place){ 0 };
		}
	return (struct sql_place){ 0 };
}

static bool is_core(const struct sql_answer *a, size_t row, const struct dump *d, const struct track *t)
{
	const struct plane *p = &d->trace.planes[t->plane];
	struct slice host = text(a, row, "host");
	int64_t core = whole(a, row, "core");

	return t->role == TRACK_OPS && t->file >= 0 && (core < 0 || core == p->core) &&
	    (!host.s || (p->host >= 0 && slice_same(host, strtab_text(&d->str, d->hosts[p->host].name))));
}

/* The event of that name at that time, or what the core does then. */
static struct sql_place at_time(const struct sql_answer *a, const struct dump *d, size_t row)
{
	int64_t start = whole(a, row, "start_ps");

	for (uint32_t k = 0; start >= 0 && k < d->trace.ntracks; k++) {
		const struct track *t = &d->trace.tracks[k];
		size_t i;

		if (!is_core(a, row, d, t))
			continue;
		BISECT(i, t->n, track_start(t, i) < start);
		for (; i < t->n && track_start(t, i) == start; i++)
			if (text(a, row, "name").s && says_event(a, row, d, t, i))
				return (struct sql_place){ .kind = REF_EVENT, .track = k, .event = i };
		if (whole(a, row, "core") >= 0)
			return (struct sql_place){ .kind = REF_TIME, .track = k, .time = start };
	}
	return (struct sql_place){ 0 };
}

static bool is_step(const struct sql_answer *a, size_t row, const struct step *step)
{
	struct slice said = text(a, row, "step");

	return said.s ? slice_is(said, step->number) : whole(a, row, "step") == step->id;
}

/* The first of that name in that step. */
static struct sql_place in_step(const struct sql_answer *a, const struct capture *c, size_t row)
{
	const struct dump *d = c->base;
	bool asked = text(a, row, "name").s && has(a, "step");

	for (size_t s = 0; asked && s < c->steps.n; s++) {
		const struct step *step = &c->steps.v[s];

		for (uint32_t k = 0; is_step(a, row, step) && k < d->trace.ntracks; k++) {
			const struct track *t = &d->trace.tracks[k];
			size_t i;

			if (t->plane != d->trace.tracks[step->track].plane || !is_core(a, row, d, t))
				continue;
			BISECT(i, t->n, track_start(t, i) < step->start);
			for (; i < t->n && track_start(t, i) < step->start + step->dur; i++)
				if (says_event(a, row, d, t, i))
					return (
					    struct sql_place){ .kind = REF_EVENT, .track = k, .event = i };
		}
	}
	return (struct sql_place){ 0 };
}

static struct sql_place named(const struct sql_answer *a, const struct dump *d, size_t row)
{
	static const char *const ops[] = { "hlo_op_name", "name", "hlo_op", "name_new", "instruction", "op" };
	struct sql_place p = { .module = text(a, row, "module") };

	for (size_t i = 0; i < sizeof ops / sizeof *ops && !p.name.s; i++)
		p.name = text(a, row, ops[i]);
	if (!p.name.s && text(a, row, "step_name").s)
		return (struct sql_place){ .kind = REF_STEP, .name = text(a, row, "step_name") };
	if (!p.name.s)
		return p;
	p.kind = has(a, "unpadded_bytes") || (has(a, "bytes") && has(a, "shape")) ? REF_BUFFER : REF_OP;
	if (p.kind == REF_OP && (has(a, "opcode") || has(a, "computation_name")))
		p.kind = REF_NODE;
	for (size_t i = 0; p.kind == REF_OP; i++) {
		if (i == d->trace.nmetas)
			return (struct sql_place){ 0 };
		if (slice_same(dump_text(d, d->trace.metas[i].name), p.name))
			break;
	}
	return p;
}

struct sql_place sql_place_of(const struct sql_answer *a, const struct capture *c, size_t row)
{
	struct sql_place p = event_of_id(a, c->base, row, whole(a, row, "slice_id"));

	if (!p.kind && !has(a, "opcode") && !has(a, "computation_name"))
		p = event_of_id(a, c->base, row, whole(a, row, "id"));
	if (!p.kind)
		p = at_time(a, c->base, row);
	if (!p.kind)
		p = in_step(a, c, row);
	return p.kind ? p : named(a, c->base, row);
}
