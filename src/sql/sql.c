#include "config.h"
#include "sql/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/json.h"
#include "base/mem.h"
#include "base/now.h"

enum { TRIES = 64, ROWS_TEXT = 1000, ROWS_MOST = 100000, OPS_BETWEEN_LOOKS = 20000 };

static int is_allowed(void *ctx, int what, const char *a, const char *b, const char *db, const char *trigger)
{
	const struct sql *q = ctx;

	(void)b;
	(void)db;
	(void)trigger;
	if (q->making || what == SQLITE_SELECT || what == SQLITE_READ || what == SQLITE_RECURSIVE)
		return SQLITE_OK;
	return what == SQLITE_FUNCTION && (!b || sqlite3_stricmp(b, "load_extension")) && (a || !a)
	    ? SQLITE_OK
	    : SQLITE_DENY;
}

static int look_at_clock(void *ctx)
{
	struct sql *q = ctx;

	q->late = q->until_ms && now_ms() > q->until_ms;
	return q->late;
}

static int open_db(struct sql *q)
{
	sqlite3 *db;

	if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY,
		NULL))
		return -1;
	q->db = db;
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
	sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 200);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_exec(db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
	q->making = true;
	if (sql_functions(db) || sql_events_open(q))
		return -1;
	q->making = false;
	sqlite3_set_authorizer(db, is_allowed, q);
	sqlite3_progress_handler(db, OPS_BETWEEN_LOOKS, look_at_clock, q);
	return 0;
}

/* The table that SQLite did not find: "no such table: main.steps". */
static const char *missing_table(const char *message)
{
	static const char says[] = "no such table: ";
	const char *name = strstr(message, says), *dot;

	if (!name)
		return NULL;
	name += sizeof says - 1;
	dot = strchr(name, '.');
	return dot ? dot + 1 : name;
}

static int say_error(const struct sql *q, const char *why, struct err *err)
{
	int at = sqlite3_error_offset(q->db);

	if (q->late)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "the query takes more than %d s; --timeout gives it longer", q->o->timeout_s);
	if (strstr(why, "not authorized") || strstr(why, "prohibited"))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "a query can only SELECT: %s", why);
	if (at >= 0)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: %s at character %d: %.40s", why, at + 1,
		    q->o->text + at);
	if (missing_table(why))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: %s; tpuscope query .tables lists them",
		    why);
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: %s", why);
}

/* Prepares the query, and makes the tables that it names on the way. */
static sqlite3_stmt *prepare(struct sql *q, struct err *err)
{
	sqlite3_stmt *s = NULL;
	const char *rest = NULL;

	for (int i = 0; i < TRIES; i++) {
		char *why, *name;
		int made;

		if (!sqlite3_prepare_v2(q->db, q->o->text, -1, &s, &rest)) {
			while (*rest && (isspace((unsigned char)*rest) || *rest == ';'))
				rest++;
			if (!s)
				err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: the query is empty");
			else if (*rest)
				err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: one query at a time: %.40s",
				    rest);
			else
				return s;
			sqlite3_finalize(s);
			return NULL;
		}
		why = xstrdup(sqlite3_errmsg(q->db));
		name = missing_table(why) ? xstrdup(missing_table(why)) : NULL;
		made = name ? sql_make_table(q, name, err) : 1;
		if (made > 0)
			say_error(q, why, err);
		free(name);
		free(why);
		if (made)
			return NULL;
	}
	err_set(err, EXIT_USAGE, ERR_NOWHERE, "SQL: it names too many tables");
	return NULL;
}

static struct cell cell_of(sqlite3_stmt *s, int i)
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

/* The columns of the answer, as its first row says; the caller frees them with their ids. */
static struct column *columns_of(sqlite3_stmt *s, int n, bool row)
{
	struct column *c = xcalloc((size_t)n + 1, sizeof *c);

	for (int i = 0; i < n; i++) {
		int type = row ? sqlite3_column_type(s, i) : SQLITE_NULL;
		const char *declared = sqlite3_column_decltype(s, i);

		c[i] = (struct column){ .unit = "", .width = 12, .show = SHOW_PLAIN };
		c[i].id = c[i].label = xstrdup(sqlite3_column_name(s, i));
		c[i].type = type == SQLITE_INTEGER             ? COL_INTEGER
		    : type == SQLITE_FLOAT                     ? COL_NUMBER
		    : type != SQLITE_NULL                      ? COL_STRING
		    : declared && !strcmp(declared, "INTEGER") ? COL_INTEGER
		    : declared && !strcmp(declared, "REAL")    ? COL_NUMBER
							       : COL_STRING;
	}
	return c;
}

static int write_rows(struct sql *q, sqlite3_stmt *s, FILE *f, struct err *err)
{
	int64_t limit = q->o->limit >= 0  ? q->o->limit
	    : q->o->format == REPORT_TEXT ? ROWS_TEXT
					  : ROWS_MOST,
		rows = 0;
	int n = sqlite3_column_count(s), status = sqlite3_step(s);
	struct column *c = columns_of(s, n, status == SQLITE_ROW);
	const struct schema schema = { .columns = c, .n = (size_t)n };
	struct cell *cells = xcalloc((size_t)n + 1, sizeof *cells);
	struct report *r;
	struct json_out *json;
	struct table like;
	int bad = 0;

	table_begin(&like, &schema);
	if (status == SQLITE_ROW || status == SQLITE_DONE) {
		r = report_begin(f, q->o->format, q->o->width, "query", q->d);
		report_table_like(r, NULL, &like);
		for (; status == SQLITE_ROW && (!limit || rows < limit); status = sqlite3_step(s), rows++) {
			for (int i = 0; i < n; i++)
				cells[i] = cell_of(s, i);
			report_row(r, cells);
		}
		report_table_end(r);
		if ((json = report_json(r, "status"))) /* at the end, where it is known */
			json_strz(json, status == SQLITE_DONE ? "ok" : "partial");
		if (status == SQLITE_ROW && (json = report_json(r, "reason")))
			json_strz(json, reason_info(REASON_row_limit)->code);
		bad = report_end(r, err);
	}
	if (status != SQLITE_ROW && status != SQLITE_DONE)
		bad = say_error(q, sqlite3_errmsg(q->db), err);
	else if (status == SQLITE_ROW)
		fprintf(stderr, "tpuscope: only the first %lld rows; --limit 0 writes all\n",
		    (long long)rows);
	for (int i = 0; i < n; i++)
		free((char *)(uintptr_t)c[i].id);
	free(cells);
	free(c);
	table_free(&like);
	return bad ? -1 : EXIT_OK;
}

int sql_run(struct capture *c, const struct sql_options *o, FILE *f, struct err *err)
{
	struct sql q = { .c = c, .d = c->base, .o = o, .clock = clock_names_of(c->base) };
	sqlite3_stmt *s = NULL;
	int status = -1;

	capture_steps(c);
	if (open_db(&q))
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "SQLite: %s",
		    q.db ? sqlite3_errmsg(q.db) : "no memory");
	else if ((s = prepare(&q, err))) {
		q.until_ms = o->timeout_s ? now_ms() + (int64_t)o->timeout_s * 1000 : 0;
		status = write_rows(&q, s, f, err);
	}
	sqlite3_finalize(s);
	sqlite3_close(q.db);
	sql_events_close(&q);
	sql_waits_free(q.waits);
	sql_groups_free(&q);
	return status;
}

void sql_say_examples(FILE *f)
{
	static const char *const examples[] = {
		"the ops that take longest:\n"
		"SELECT name, category, count(*) AS n, sum(self_ps) AS ps FROM slices WHERE kind = 'ops' "
		"GROUP BY name ORDER BY ps "
		"DESC LIMIT 5",
		"one op in each step:\n"
		"SELECT step, count(*) AS n, sum(duration_ps) AS ps FROM slices WHERE name = 'fusion.1' "
		"GROUP BY step",
		"the longest gaps of the cores, and what is around them:\n"
		"SELECT core, step, before, after, us(duration_ps) AS us FROM gaps ORDER BY us DESC LIMIT 5",
		"how long each core waits for others:\n"
		"SELECT core, count(*) AS n, sum(wait_ps) AS wait_ps FROM collectives GROUP BY core",
		"median and ninth decile of the steps:\n"
		"SELECT core, median(duration_ps) AS median, quantile_cont(duration_ps, 0.9) AS p90 FROM "
		"steps GROUP BY core",
		"the args of one kind of event:\n"
		"SELECT a.key, count(*) AS n FROM args AS a JOIN slices AS s ON s.id = a.slice_id WHERE "
		"s.kind = 'modules' GROUP BY "
		"a.key",
		"who reads a buffer:\n"
		"SELECT u.name, u.opcode FROM edges AS e JOIN instructions AS p ON p.id = e.src_id JOIN "
		"instructions AS u ON u.id = "
		"e.dst_id WHERE p.name = 'param.1'",
		"what each kind of op costs:\n"
		"SELECT i.opcode, count(*) AS n, sum(s.self_ps) AS ps FROM slices AS s JOIN instructions AS "
		"i ON i.name = s.name "
		"WHERE s.kind = 'ops' GROUP BY i.opcode ORDER BY ps DESC",
	};

	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
		fprintf(f, "%s-- %s\n", i ? "\n" : "", examples[i]);
}

bool sql_built_in(void)
{
	return true;
}
