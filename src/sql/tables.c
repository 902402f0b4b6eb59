#include "config.h"
#include "sql/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "capture/compare.h"
#include "report/reports.h"

/* --- filling --- */

enum { ROWS_BETWEEN_LOOKS = 4096 };

struct sql_filler {
	struct sql_session *s;
	sqlite3_stmt *insert;
	size_t n, rows;
};

static const char *type_of(const struct column *c)
{
	return c->type == COL_INTEGER || c->type == COL_BOOLEAN ? "INTEGER"
	    : c->type == COL_NUMBER                             ? "REAL"
								: "TEXT";
}

/* CREATE TABLE of columns, whose ids are names of SQL when they are quoted; the caller frees. */
static char *statement(const char *schema, const char *name, const struct column *c, size_t n, bool insert)
{
	sqlite3_str *s = sqlite3_str_new(NULL);

	sqlite3_str_appendf(s, insert ? "INSERT INTO %s.\"%w\" VALUES(" : "CREATE TABLE %s.\"%w\"(", schema,
	    name);
	for (size_t i = 0; i < n; i++)
		if (insert)
			sqlite3_str_appendf(s, "%s?", i ? "," : "");
		else
			sqlite3_str_appendf(s, "%s\"%w\" %s", i ? "," : "", c[i].id, type_of(&c[i]));
	sqlite3_str_appendall(s, ")");
	return sqlite3_str_finish(s);
}

struct sql_filler *sql_fill(struct sql *q, const char *name, const struct column *c, size_t n)
{
	struct sql_filler *f = xcalloc(1, sizeof *f);
	char *create = statement(q->schema, name, c, n, false),
	     *insert = statement(q->schema, name, c, n, true);

	*f = (struct sql_filler){ .s = q->s, .n = n };
	q->s->making = true;
	if (!create || !insert || sqlite3_exec(q->s->db, create, NULL, NULL, NULL) ||
	    sqlite3_prepare_v2(q->s->db, insert, -1, &f->insert, NULL)) {
		q->s->making = false;
		free(f);
		f = NULL;
	}
	sqlite3_free(create);
	sqlite3_free(insert);
	return f;
}

void sql_fill_row(struct sql_filler *f, const struct cell *c)
{
	int status;

	if (f && ++f->rows % ROWS_BETWEEN_LOOKS == 0 && sql_ends(f->s))
		f->s->unfilled = SQLITE_INTERRUPT;
	if (!f || f->s->unfilled)
		return;
	for (int i = 0; i < (int)f->n; i++, c++)
		switch (c->type) {
		case CELL_INT:
			sqlite3_bind_int64(f->insert, i + 1, c->u.i);
			break;
		case CELL_BOOL:
			sqlite3_bind_int(f->insert, i + 1, c->u.b);
			break;
		case CELL_NUM:
			sqlite3_bind_double(f->insert, i + 1, c->u.d);
			break;
		case CELL_STR:
		case CELL_OBJ:
			sqlite3_bind_text(f->insert, i + 1, c->s, (int)c->n, SQLITE_TRANSIENT);
			break;
		default:
			sqlite3_bind_null(f->insert, i + 1);
		}
	status = sqlite3_step(f->insert);
	if (status != SQLITE_DONE)
		f->s->unfilled = status;
	sqlite3_reset(f->insert);
}

void sql_fill_end(struct sql_filler *f)
{
	if (!f)
		return;
	sqlite3_finalize(f->insert);
	f->s->making = false;
	free(f);
}

/* --- reports --- */

/* The tables of a tool, named TOOL or TOOL_TABLE; ops is hlo_stats, as people say it. */
static char *table_name(const char *tool, const char *name)
{
	tool = !strcmp(tool, "hlo_stats") ? "ops" : tool;
	return name ? xasprintf("%s_%s", tool, name) : xstrdup(tool);
}

struct taking {
	struct sql *q;
	const char *tool;
	struct sql_filler *to;
};

static void begin_table(void *ctx, const char *name, const struct column *c, size_t n)
{
	struct taking *t = ctx;
	char *full = table_name(t->tool, name);

	sql_fill_end(t->to);
	t->to = sql_fill(t->q, full, c, n);
	free(full);
}

static void take_row(void *ctx, const struct cell *c)
{
	sql_fill_row(((struct taking *)ctx)->to, c);
}

static bool is_made(const struct sql *q, const char *name)
{
	return !sqlite3_table_column_metadata(q->s->db, q->schema, name, NULL, NULL, NULL, NULL, NULL, NULL);
}

static void make_view(struct sql *q, const char *name, const char *table)
{
	char *text = xasprintf("CREATE VIEW %s.%s AS SELECT * FROM %s", q->schema, name, table);

	q->s->making = true;
	sqlite3_exec(q->s->db, text, NULL, NULL, NULL);
	q->s->making = false;
	free(text);
}

/* A table that this capture has no rows of; or another name of the one that has no name in the report. */
static void make_missing(struct sql *q, const struct report_tool *tool, const char *name)
{
	struct report_table t;
	bool main = is_made(q, tool->name);

	for (size_t i = 0; !is_made(q, name) && report_table_at(i, &t); i++) {
		char *full = table_name(t.tool, t.table);
		bool asked = !strcmp(t.tool, tool->name) && !sqlite3_stricmp(full, name);

		if (asked && main && t.table && !strcmp(t.table, t.tool))
			make_view(q, full, t.tool);
		else if (asked)
			sql_fill_end(sql_fill(q, full, t.schema->columns, t.schema->n));
		free(full);
	}
}

/* Makes all tables of a report, of which one is asked for. */
static int run_report(struct sql *q, const struct report_tool *tool, const char *name, struct err *err)
{
	struct taking t = { .q = q, .tool = tool->name };
	const struct report_rows rows = { begin_table, take_row, &t };
	const struct report_options o = { .format = REPORT_ROWS,
		.rows = &rows,
		.core = -1,
		.top = -1,
		.radius = 1,
		.threads = q->s->o->threads };
	char *nowhere = NULL;
	size_t n;
	FILE *f = open_memstream(&nowhere, &n);
	int status;

	if (!f)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no memory for the table");
	status = report_run(tool, q->c, &o, f, err);
	sql_fill_end(t.to);
	fclose(f);
	free(nowhere);
	if (status >= 0)
		make_missing(q, tool, name);
	return status < 0 ? -1 : 0;
}

/* --- tracks and gaps --- */

struct sql_track_row {
	const struct dump *d;
	const struct track *t;
	const struct plane *p;
	uint32_t track;
};

struct sql_gap_row {
	const struct dump *d;
	const struct plane *p;
	const struct step *step;
	int64_t start, dur;
	strid before, after; /* 0: none */
};

#define SCHEMA_FOLDER sql
#define SCHEMA tracks
#define SCHEMA_ROW struct sql_track_row
#include "result/schema_def.h"
#undef SCHEMA_ROW
#define SCHEMA gaps
#define SCHEMA_ROW struct sql_gap_row
#include "result/schema_def.h"
#undef SCHEMA_ROW

static const struct schema tracks_schema = { SCHEMA_COLUMNS(tracks_columns) },
			   gaps_schema = { SCHEMA_COLUMNS(gaps_columns) };

static void put_row(struct sql_filler *f, const struct schema *s, const void *row)
{
	struct cell cells[16];
	struct arena text = { 0 };

	table_cells(s->columns, s->n, row, &text, cells);
	sql_fill_row(f, cells);
	arena_free(&text);
}

static void make_tracks(struct sql *q, struct sql_filler *f)
{
	const struct trace *tr = &q->d->trace;

	for (uint32_t k = 0; k < tr->ntracks; k++)
		if (tr->tracks[k].file >= 0)
			put_row(f, &tracks_schema,
			    &(struct sql_track_row){ q->d, &tr->tracks[k], &tr->planes[tr->tracks[k].plane],
				k });
}

struct gaps {
	struct sql_filler *to;
	struct sql_gap_row row;
	int64_t from, plain; /* end of what ran, on the device's clock and as in slices */
	int64_t end;         /* of the step */
	bool paired;         /* the steps have the device's clock */
};

static void end_gap(struct gaps *g, int64_t at, strid after)
{
	if (!g->row.step || at <= g->from)
		return;
	g->row.after = after;
	g->row.start = g->plain;
	g->row.dur = at - g->from;
	put_row(g->to, &gaps_schema, &g->row);
}

/* Where the markers do not have the device's clock, a step begins with its first op. */
static void begin_step(const struct sql *q, struct gaps *g, const struct step *s, int64_t first)
{
	int64_t dur;

	end_gap(g, g->end, 0);
	g->row.step = s;
	g->row.before = 0;
	if (!s)
		return;
	sql_step_time(q, g->paired, &q->d->trace.tracks[s->track], s->event, &g->from, &dur);
	g->from = g->paired ? g->from : first;
	g->end = g->from + (s->to_next || s->last != s->event ? s->dur : dur);
	g->plain = s->start;
}

/* An op of a step, by the device's clock: there it may lie outside of one that is around it by the host's. */
struct gap_op {
	const struct step *step;
	int64_t start, end;
	uint32_t i;
};

VEC_ORDER(by_device, struct gap_op, UP(step) UP(start) DOWN(end) UP(i));

static struct gap_op *ops_by_device(struct sql *q, uint32_t track, size_t *n)
{
	const struct track *t = &q->d->trace.tracks[track];
	struct sql_walk w = { .track = UINT32_MAX };
	struct gap_op *v = xcalloc(t->n + 1, sizeof *v);

	*n = 0;
	sql_walk_steps(q, &w, track);
	for (size_t i = 0; i < t->n; i++)
		if (w.step[i]) {
			struct gap_op *o = &v[(*n)++];

			*o = (struct gap_op){ .step = w.step[i], .i = (uint32_t)i };
			sql_device_time(q, t, i, &o->start, &o->end);
			o->end += o->start;
		}
	sql_walk_free(&w);
	VEC_SORT(v, *n, by_device);
	return v;
}

/* The times of a core in which no op ran, within steps. */
static void make_gaps_of(struct sql *q, struct sql_filler *f, uint32_t track)
{
	const struct trace *tr = &q->d->trace;
	const struct track *t = &tr->tracks[track];
	struct gaps g = { .to = f, .row = { .d = q->d, .p = &tr->planes[t->plane] } };
	const struct step *rows;
	size_t nops, n = steps_of_plane(&q->c->steps, q->d, t->plane, &rows);
	struct gap_op *op = ops_by_device(q, track, &nops);

	g.paired = sql_steps_paired(q, rows, n);
	for (size_t k = 0; k < nops; k++) {
		strid name = tr->metas[track_meta(t, op[k].i)].name;

		if (op[k].step != g.row.step)
			begin_step(q, &g, op[k].step, op[k].start);
		end_gap(&g, op[k].start, name);
		if (op[k].end > g.from || !g.row.before) {
			g.row.before = name;
			g.plain = track_end(t, op[k].i);
		}
		g.from = op[k].end > g.from ? op[k].end : g.from;
	}
	begin_step(q, &g, NULL, 0);
	free(op);
}

static void make_gaps(struct sql *q, struct sql_filler *f)
{
	for (uint32_t k = 0; k < q->d->trace.ntracks; k++)
		if (!strcmp(sql_role_name(q->d, &q->d->trace.tracks[k]), "ops") &&
		    q->d->trace.tracks[k].file >= 0)
			make_gaps_of(q, f, k);
}

/* --- meta --- */

static const struct column meta_columns[] = {
	{ .id = "key", .label = "key", .unit = "", .type = COL_STRING },
	{ .id = "value", .label = "value", .unit = "", .type = COL_STRING },
};

static void put_meta(struct sql_filler *f, const char *key, const char *value)
{
	struct cell c[] = { cell_strz(key), cell_strz(value) };

	sql_fill_row(f, c);
}

static void make_meta(struct sql *q, struct sql_filler *f)
{
	const struct dump *d = q->d;
	bool damaged = dump_status(d) == EXIT_DAMAGED;
	char *n = xasprintf("%zu", d->nhosts);
	struct side *s =
	    capture_side(q->c, &(struct side_options){ .core = -1, .threads = q->s->o->threads }, NULL);

	put_meta(f, "version", PACKAGE_VERSION);
	put_meta(f, "run", d->nruns && d->run < d->nruns ? d->runs[d->run].name : NULL);
	put_meta(f, "hosts", n);
	put_meta(f, "chip", s ? s->chip : NULL);
	put_meta(f, "program", s ? s->program : NULL);
	put_meta(f, "simulated", d->simulated ? "1" : "0");
	put_meta(f, "status", damaged ? "partial" : "ok");
	put_meta(f, "reason", damaged ? reason_info(REASON_damaged)->code : NULL);
	for (size_t i = 0; i < d->nfiles; i++)
		put_meta(f, "file", d->files[i].path);
	capture_side_free(s);
	free(n);
}

/* --- by name --- */

static const struct {
	const char *name;
	const struct schema *schema;
	void (*make)(struct sql *, struct sql_filler *);
} own[] = {
	{ "tracks", &tracks_schema, make_tracks },
	{ "gaps", &gaps_schema, make_gaps },
	{ "meta", &(const struct schema){ SCHEMA_COLUMNS(meta_columns) }, make_meta },
};

/* The report has the buffers of one of its modules: the one whose peak they are. */
#define MODULE_OF_BUFFERS(column) \
	"(SELECT " column " FROM %s.memory_modules ORDER BY peakHeapMib IS NULL, abs(peakHeapMib - (SELECT " \
	"sum(logicalBufferSizeMib) FROM %s.memory_buffers)) LIMIT 1) AS " column ", "
static const char buffers[] = "CREATE VIEW %s.buffers AS SELECT " MODULE_OF_BUFFERS("module")
    MODULE_OF_BUFFERS("space") "instructionName AS name, "
			       "CAST(round(logicalBufferSizeMib * 1048576) AS INTEGER) AS "
			       "bytes, CAST(round(unpaddedShapeMib * 1048576) AS INTEGER) AS unpadded_bytes, "
			       "shapeString AS shape, opCode AS opcode, "
			       "tfOpName AS tf_op_name FROM memory_buffers WHERE logicalBufferId >= 0";

static bool names_table(const struct report_tool *tool, const char *name)
{
	char *full = table_name(tool->name, NULL);
	bool it = !sqlite3_stricmp(name, full);
	const char *table;

	free(full);
	for (size_t i = 0; !it && (table = report_table_name(tool->name, i)); i++) {
		full = table_name(tool->name, table);
		it = !sqlite3_stricmp(name, full);
		free(full);
	}
	return it;
}

int sql_make_table(struct sql *q, const char *name, struct err *err)
{
	int made = sql_make_graph(q, name);

	if (made != 1)
		return made;
	if (!sqlite3_stricmp(name, "buffers")) {
		char *text = xasprintf(buffers, q->schema, q->schema, q->schema, q->schema, q->schema);

		q->s->making = true;
		made = sqlite3_exec(q->s->db, text, NULL, NULL, NULL);
		q->s->making = false;
		free(text);
		return made ? -1 : 0;
	}
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (!sqlite3_stricmp(name, own[i].name)) {
			struct sql_filler *f =
			    sql_fill(q, own[i].name, own[i].schema->columns, own[i].schema->n);

			if (f)
				own[i].make(q, f);
			sql_fill_end(f);
			return 0;
		}
	for (const struct report_tool *t = report_tools; t->name; t++)
		if (names_table(t, name))
			return run_report(q, t, name, err);
	return 1;
}

/* --- what there is --- */

struct naming {
	void (*say)(void *ctx, const char *table, const char *columns);
	void *ctx;
};

static void name_table(const struct naming *to, const char *name, const struct schema *schema)
{
	sqlite3_str *s = sqlite3_str_new(NULL);
	char *text;

	for (size_t i = 0; i < schema->n; i++)
		sqlite3_str_appendf(s, "%s\"%w\" %s", i ? "," : "", schema->columns[i].id,
		    type_of(&schema->columns[i]));
	text = sqlite3_str_finish(s);
	to->say(to->ctx, name, text ? text : "");
	sqlite3_free(text);
}

/* Not those of triage and diff, which are about texts and about two captures. */
static bool is_report(const char *tool)
{
	const struct report_tool *t = report_tools;

	while (t->name && strcmp(t->name, tool))
		t++;
	return t->name;
}

void sql_names(void (*say)(void *ctx, const char *table, const char *columns), void *ctx)
{
	const struct naming to = { say, ctx };
	struct report_table t;
	const struct schema *s;
	const char *name;
	char last[80] = "";

	sql_events_about(say, ctx);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		name_table(&to, own[i].name, own[i].schema);
	for (size_t i = 0; (s = sql_graph_schema(i, &name)); i++)
		name_table(&to, name, s);
	say(ctx, "buffers",
	    "module TEXT,space INTEGER,name TEXT,bytes INTEGER,unpadded_bytes INTEGER,shape TEXT,opcode "
	    "TEXT,tf_op_name TEXT");
	/* of tables with several kinds of rows, a report without options has the first */
	for (size_t i = 0; report_table_at(i, &t); i++) {
		char *full = table_name(t.tool, t.table);

		if (strcmp(full, last) && is_report(t.tool))
			name_table(&to, full, t.schema);
		snprintf(last, sizeof last, "%s", full);
		free(full);
	}
}

struct about {
	FILE *f;
	const char *only; /* a table; NULL: all */
	bool columns, any;
};

static void print_table(void *ctx, const char *name, const char *columns)
{
	struct about *a = ctx;

	if (a->only && sqlite3_stricmp(a->only, name))
		return;
	a->any = true;
	if (a->columns)
		fprintf(a->f, "CREATE TABLE \"%s\"(%s);\n", name, columns);
	else
		fprintf(a->f, "%s\n", name);
}

int sql_about(FILE *f, const char *what, struct err *err)
{
	struct about a = { .f = f, .columns = !strncmp(what, ".schema", 7) };

	if (a.columns && what[7] == ' ' && what[8])
		a.only = what + 8;
	if (!strcmp(what, ".examples")) {
		sql_say_examples(f);
		return EXIT_OK;
	}
	if (strcmp(what, ".tables") && strcmp(what, ".schema") && !a.only)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "no such command: %.40s; there are .tables, .schema [TABLE] and .examples", what);
	sql_names(print_table, &a);
	return a.any ? EXIT_OK
		     : err_set(err, EXIT_USAGE, ERR_NOWHERE, "no table %.80s; .tables lists them", a.only);
}
