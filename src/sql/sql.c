#include "config.h"
#include "sql/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/json.h"
#include "base/mem.h"
#include "base/now.h"
#include "base/text/utf8.h"
#include "base/text/words.h"
#include "report/reports.h"

enum {
	TRIES = 64,
	ROWS_TEXT = 1000,
	ROWS_MOST = 100000,
	OPS_BETWEEN_LOOKS = 20000,
	MS_BETWEEN_FLUSHES = 100,
	VALUE_BYTES = 64 << 20, /* the longest text */
	HEAP_BYTES = 768 << 20, /* all that SQLite may have */
};

static int is_allowed(void *ctx, int what, const char *a, const char *b, const char *db, const char *trigger)
{
	const struct sql_session *s = ctx;

	(void)a;
	(void)db;
	(void)trigger;
	if (s->making || what == SQLITE_SELECT || what == SQLITE_READ || what == SQLITE_RECURSIVE)
		return SQLITE_OK;
	return what == SQLITE_FUNCTION && (!b || sqlite3_stricmp(b, "load_extension")) ? SQLITE_OK
										       : SQLITE_DENY;
}

int sql_ends(void *ctx)
{
	struct sql_session *s = ctx;

	int64_t now = now_ms();

	s->late = s->until_ms && now > s->until_ms;
	if (s->out && now - s->flushed_ms >= MS_BETWEEN_FLUSHES) {
		report_flush(s->out);
		s->flushed_ms = now;
	}
	return s->late || progress_canceled(s->o->progress);
}

static int open_side(struct sql_session *s, const char *schema, struct capture *c)
{
	struct sql *q = &s->side[s->n++];

	*q = (struct sql){ .s = s, .schema = schema, .c = c, .d = c->base };
	q->clock = clock_names_of(c->base);
	capture_steps(c);
	return sql_events_open(q);
}

static int open_db(struct sql_session *s, struct capture *c, struct capture *base)
{
	if (sqlite3_open_v2("", &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL))
		return -1;
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, NULL);
	sqlite3_limit(s->db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
	sqlite3_limit(s->db, SQLITE_LIMIT_EXPR_DEPTH, 200);
	sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, VALUE_BYTES);
	sqlite3_hard_heap_limit64(HEAP_BYTES);
	/* sorts and tables of reports keep no more than the cache in memory, in KiB, and the rest in files of $TMPDIR
	 * that have no name */
	sqlite3_exec(s->db, "PRAGMA temp_store = FILE; PRAGMA cache_size = -131072", NULL, NULL, NULL);
	s->making = true;
	if ((base &&
		sqlite3_exec(s->db, "ATTACH '' AS base; PRAGMA base.cache_size = -131072", NULL, NULL,
		    NULL)) ||
	    sql_functions(s->db) || sql_events_open_module(s) || open_side(s, "main", c) ||
	    (base && open_side(s, "base", base)))
		return -1;
	/* tables that SQLite makes when they are first asked, which the authorizer would refuse */
	sqlite3_exec(s->db, "SELECT 1 FROM json_each('[]'), json_tree('[]')", NULL, NULL, NULL);
	s->making = false;
	sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_set_authorizer(s->db, is_allowed, s);
	sqlite3_progress_handler(s->db, OPS_BETWEEN_LOOKS, sql_ends, s);
	return 0;
}

/* The table that SQLite did not find: "no such table: main.steps". */
static const char *missing_table(const struct sql_session *s, const char *message, struct sql **side)
{
	static const char says[] = "no such table: ";
	const char *name = strstr(message, says), *dot;

	if (!name)
		return NULL;
	name += sizeof says - 1;
	dot = strchr(name, '.');
	*side = (struct sql *)(uintptr_t)&s->side[0];
	if (s->n > 1 && dot && (size_t)(dot - name) == 4 && !sqlite3_strnicmp(name, s->side[1].schema, 4))
		++*side;
	return dot ? dot + 1 : name;
}

struct near_table {
	const char *asked;
	char table[80]; /* one with almost that name; empty: there is none */
};

static void look_near(void *ctx, const char *table, const char *columns)
{
	struct near_table *n = ctx;

	(void)columns;
	if (word_is_typo(n->asked, strlen(n->asked), table))
		snprintf(n->table, sizeof n->table, "%s", table);
}

int sql_say_error(const struct sql_session *s, const char *why, struct err *err)
{
	int at = sqlite3_error_offset(s->db), rest;
	struct sql *side;

	if (s->late)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    s->o->format == REPORT_ROWS
			? "the query takes more than %d s; tpuscope query --timeout gives it longer"
			: "the query takes more than %d s; --timeout gives it longer",
		    s->o->timeout_s);
	if (progress_canceled(s->o->progress))
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "canceled");
	if (sqlite3_errcode(s->db) == SQLITE_TOOBIG || sqlite3_errcode(s->db) == SQLITE_NOMEM)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "the query needs more memory than it may have; ask for fewer or shorter values");
	if (strstr(why, "not authorized") || strstr(why, "prohibited") || strstr(why, "may not be modified"))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "a query can only SELECT: %s", why);
	if (at < 0 && !strcmp(why, "incomplete input"))
		at = (int)strlen(s->o->text);
	rest = at >= 0 ? (int)strcspn(s->o->text + at, "\r\n") : 0;
	if (at >= 0)
		return err_set(err, EXIT_USAGE, (uint64_t)at, "SQL: %s at character %d%s%.*s", why, at + 1,
		    rest ? ": " : "", rest < 40 ? rest : 40, s->o->text + at);
	if (missing_table(s, why, &side)) {
		struct near_table near = { .asked = missing_table(s, why, &side) };

		sql_names(look_near, &near);
		return *near.table
		    ? err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: %s; did you mean %s?", why, near.table)
		    : err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: %s; tpuscope query .tables lists them",
			  why);
	}
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: %s", why);
}

static int bind_values(struct sql_session *s)
{
	for (size_t i = 0; i < s->o->nvalues; i++) {
		int at = sqlite3_bind_parameter_index(s->query, s->o->value[i].name);

		if (at)
			sqlite3_bind_int64(s->query, at, s->o->value[i].v);
	}
	return 0;
}

/* Prepares the query, and makes the tables that it names on the way. */
static int prepare(struct sql_session *s, struct err *err)
{
	const char *rest = NULL;

	for (int i = 0; i < TRIES; i++) {
		char *why, *name;
		struct sql *side;
		int made;

		if (!sqlite3_prepare_v2(s->db, s->o->text, -1, &s->query, &rest)) {
			while (*rest && (isspace((unsigned char)*rest) || *rest == ';'))
				rest++;
			if (!s->query)
				return err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: the query is empty");
			if (!sqlite3_column_count(s->query))
				return sql_say_error(s, "not authorized", err);
			return !*rest
			    ? bind_values(s)
			    : err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: one query at a time: %.40s", rest);
		}
		why = xstrdup(sqlite3_errmsg(s->db));
		name = missing_table(s, why, &side) ? xstrdup(missing_table(s, why, &side)) : NULL;
		made = name ? sql_make_table(side, name, err) : 1;
		if (!made && s->unfilled)
			made = sql_say_error(s, sqlite3_errstr(s->unfilled), err);
		if (made > 0)
			sql_say_error(s, why, err);
		free(name);
		free(why);
		if (made)
			return -1;
	}
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: it names too many tables");
}

int sql_open(struct sql_session *s, struct capture *c, struct capture *base, const struct sql_options *o,
    struct err *err)
{
	*s = (struct sql_session){ .o = o };
	if (open_db(s, c, base))
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "SQLite: %s",
		    s->db ? sqlite3_errmsg(s->db) : "no memory");
	s->until_ms = o->timeout_s ? now_ms() + (int64_t)o->timeout_s * 1000 : 0;
	if (prepare(s, err))
		return -1;
	s->until_ms = o->timeout_s ? now_ms() + (int64_t)o->timeout_s * 1000 : 0;
	return 0;
}

void sql_close(struct sql_session *s)
{
	sqlite3_finalize(s->query);
	sqlite3_close(s->db);
	for (size_t i = 0; i < s->n; i++) {
		sql_events_close(&s->side[i]);
		sql_waits_free(s->side[i].waits);
		sql_groups_free(&s->side[i]);
	}
}

struct cell sql_cell(sqlite3_stmt *s, int i)
{
	switch (sqlite3_column_type(s, i)) {
	case SQLITE_INTEGER:
		return cell_int(sqlite3_column_int64(s, i));
	case SQLITE_FLOAT:
		return cell_num(sqlite3_column_double(s, i));
	case SQLITE_NULL:
		return cell_null();
	default:
		return cell_str((const char *)sqlite3_column_text(s, i), (size_t)sqlite3_column_bytes(s, i));
	}
}

/* A name is any text; what is written above a column is one line that fits. */
static char *label_of(const char *name)
{
	char text[64];

	return xstrdup(utf8_clean_text(text, sizeof text, name));
}

/* The columns of the answer, as its first row says. */
struct column *sql_columns(const struct sql_session *s, bool row)
{
	int n = sqlite3_column_count(s->query);
	struct column *c = xcalloc((size_t)n + 1, sizeof *c);

	for (int i = 0; i < n; i++) {
		int type = row ? sqlite3_column_type(s->query, i) : SQLITE_NULL;
		const char *declared = sqlite3_column_decltype(s->query, i);

		c[i] = (struct column){ .unit = "", .width = 12, .show = SHOW_PLAIN };
		c[i].id = xstrdup(sqlite3_column_name(s->query, i));
		c[i].label = label_of(c[i].id);
		c[i].type = type == SQLITE_INTEGER             ? COL_INTEGER
		    : type == SQLITE_FLOAT                     ? COL_NUMBER
		    : type != SQLITE_NULL                      ? COL_STRING
		    : declared && !strcmp(declared, "INTEGER") ? COL_INTEGER
		    : declared && !strcmp(declared, "REAL")    ? COL_NUMBER
							       : COL_STRING;
	}
	return c;
}

void sql_columns_free(struct column *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free((char *)(uintptr_t)c[i].id);
		free((char *)(uintptr_t)c[i].label);
	}
	free(c);
}

/* --- written --- */

static int64_t most_rows(const struct sql_options *o)
{
	return o->limit >= 0 ? o->limit : o->format == REPORT_TEXT ? ROWS_TEXT : ROWS_MOST;
}

/* Writes the rows that are asked for as they come; returns how many there are. */
static int64_t write_rows(struct sql_session *s, struct report *r, int *status)
{
	int n = sqlite3_column_count(s->query);
	struct cell *cells = xcalloc((size_t)n + 1, sizeof *cells);
	int64_t limit = most_rows(s->o), rows = 0;

	s->out = r;
	for (; *status == SQLITE_ROW && (!limit || rows < limit); *status = sqlite3_step(s->query), rows++) {
		for (int i = 0; i < n; i++)
			cells[i] = sql_cell(s->query, i);
		report_row(r, cells);
		if (!rows)
			report_flush(r);
	}
	free(cells);
	report_table_end(r);
	report_flush(r);
	return rows;
}

/* How many rows there are, with those that are left out; -1 where counting takes too long. */
static int64_t count_rows(struct sql_session *s, int64_t rows)
{
	int status = SQLITE_ROW;

	for (; status == SQLITE_ROW; rows++)
		status = sqlite3_step(s->query);
	return status == SQLITE_DONE ? rows : -1;
}

static void write_total(struct report *r, int64_t rows)
{
	struct json_out *json = report_json(r, "total");

	if (json && rows < 0)
		json_null(json);
	else if (json)
		json_int(json, rows);
}

static void say_cut(int64_t rows, int64_t limit)
{
	if (rows < 0)
		fprintf(stderr, "tpuscope: only the first %lld rows; --limit 0 writes all\n",
		    (long long)limit);
	else
		fprintf(stderr, "tpuscope: only the first %lld of %lld rows; --limit 0 writes all\n",
		    (long long)limit, (long long)rows);
}

/* Why there are no more rows than those that came; REASONS: there are no more, or nobody asked for them. */
static enum reason ended_by(const struct sql_session *s, int status)
{
	return status == SQLITE_ROW || status == SQLITE_DONE    ? REASONS
	    : s->late                                           ? REASON_timeout
	    : status == SQLITE_TOOBIG || status == SQLITE_NOMEM ? REASON_byte_limit
								: REASON_query_error;
}

/* The document, with the rows that came before the query ended. */
static int write_document(struct sql_session *s, const struct table *like, int *status, FILE *f,
    struct err *err)
{
	const struct report_options o = { .format = s->o->format, .width = s->o->width };
	struct report *r = report_open(&o, f, "query", s->side[0].d);
	int64_t rows;
	bool cut;

	report_status_last(r);
	report_reason(r, ended_by(s, *status), true);
	report_table_like(r, NULL, like);
	rows = write_rows(s, r, status);
	if ((cut = *status == SQLITE_ROW))
		rows = count_rows(s, rows);
	s->out = NULL;
	report_reason(r, cut ? REASON_row_limit : ended_by(s, *status), false);
	write_total(r, cut || ended_by(s, *status) == REASONS ? rows : -1);
	if (cut)
		say_cut(rows, most_rows(s->o));
	return report_end(r, err);
}

static int write_answer(struct sql_session *s, FILE *f, struct err *err)
{
	int n = sqlite3_column_count(s->query), status = sqlite3_step(s->query), bad = 0;
	struct column *c = sql_columns(s, status == SQLITE_ROW);
	const struct schema schema = { .columns = c, .n = (size_t)n };
	struct table like;

	table_begin(&like, &schema);
	if (ended_by(s, status) != REASON_query_error)
		bad = write_document(s, &like, &status, f, err);
	if (!bad && ended_by(s, status) != REASONS)
		bad = sql_say_error(s, sqlite3_errmsg(s->db), err);
	sql_columns_free(c, (size_t)n);
	table_free(&like);
	return bad ? -1 : EXIT_OK;
}

/* The tables that it names took too long. */
static void write_late(const struct sql_session *s, FILE *f)
{
	const struct report_options o = { .format = s->o->format, .width = s->o->width };
	struct report *r = report_open(&o, f, "query", s->side[0].d);

	report_reason(r, REASON_timeout, true);
	report_end(r, NULL);
}

int sql_run(struct capture *c, struct capture *base, const struct sql_options *o, FILE *f, struct err *err)
{
	struct sql_session s;
	int status = sql_open(&s, c, base, o, err);

	if (!status)
		status = write_answer(&s, f, err);
	else if (s.late)
		write_late(&s, f);
	sql_close(&s);
	return status;
}

bool sql_built_in(void)
{
	return true;
}
