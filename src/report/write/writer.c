#include "config.h"
#include "report/write/writer.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/json.h"
#include "base/text/utf8.h"
#include "report/write/rows.h"
#include "report/write/text.h"
#include "result/cell_text.h"

#define REPORT_SCHEMA 1 /* rises when an id is removed */

enum sum_type { SUM_INT, SUM_NUM, SUM_STR, SUM_BOOL };

struct sum {
	const char *id;
	enum sum_type type;
	int64_t i;
	double d;
	char *s;
};

struct report {
	FILE *f;
	enum report_format format;
	const char *tool;
	const struct dump *dump;
	char **warning;
	size_t nwarnings, warnings_cap;
	const char *command; /* NULL: none */
	struct sum *sum;
	size_t nsums, sums_cap;
	struct json_out *json;
	struct text *text;
	const struct column *columns;
	size_t ncolumns;
	struct { /* text: the columns of the schema's form for text, if it has one */
		size_t n, *from;
		struct column *columns;
		struct cell *cells;
	} form;
	bool begun, tables,
	    main_table; /* which parts of the envelope are written; tables: "tables" is open */
	unsigned ntables;
	const char *name; /* of the table that is written */
	const char *csv;  /* CSV: the table to write, NULL = the first */
	bool skip;        /* CSV: this table is not the one to write */
	const struct report_rows *rows;
	void (*add)(void *ctx, struct report *);
	void *add_ctx;
	struct report_head head;  /* json NULL: it is about the dump */
	enum reason reason, said; /* said: in the head */
	bool nothing;
	bool status_last, terse;
};

struct report *report_begin(FILE *f, enum report_format format, int width, const char *tool,
    const struct dump *d)
{
	struct report *r = xcalloc(1, sizeof *r);

	r->f = f;
	r->format = format;
	r->tool = tool;
	r->dump = d;
	r->reason = REASONS;
	if (format == REPORT_JSON)
		r->json = json_out_file(f);
	else if (format == REPORT_TEXT)
		r->text = text_new(f, width);
	return r;
}

void report_about(struct report *r, const struct report_head *head)
{
	r->head = *head;
}

void report_reason(struct report *r, enum reason reason, bool nothing)
{
	r->reason = reason < r->reason ? reason : r->reason;
	r->nothing |= nothing && reason < REASONS;
}

void report_terse(struct report *r)
{
	r->terse = true;
}

void report_command(struct report *r, const char *command)
{
	r->command = command;
}

void report_status_last(struct report *r)
{
	r->status_last = true;
}

void report_rows_to(struct report *r, const struct report_rows *rows)
{
	r->rows = rows;
}

void report_csv_table(struct report *r, const char *name)
{
	r->csv = name;
}

void report_more(struct report *r, void (*add)(void *ctx, struct report *), void *ctx)
{
	r->add = add;
	r->add_ctx = ctx;
}

void report_warning(struct report *r, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	VEC_ADD(r->warning, r->nwarnings, r->warnings_cap, xstrdup(text));
}

void report_warnings(struct report *r, const struct table *t)
{
	for (size_t i = 0; i < t->nrows; i++)
		report_warning(r, "%.*s", (int)t->cells[i].n, t->cells[i].s);
}

static struct sum *add_sum(struct report *r, const char *id, enum sum_type type)
{
	VEC_PUSH(r->sum, r->nsums, r->sums_cap);
	r->sum[r->nsums] = (struct sum){ .id = id, .type = type };
	return &r->sum[r->nsums++];
}

void report_sum_int(struct report *r, const char *id, int64_t v)
{
	add_sum(r, id, SUM_INT)->i = v;
}

void report_sum_num(struct report *r, const char *id, double v)
{
	add_sum(r, id, SUM_NUM)->d = v;
}

void report_sum_bool(struct report *r, const char *id, bool v)
{
	add_sum(r, id, SUM_BOOL)->i = v;
}

void report_sum_str(struct report *r, const char *id, const char *s)
{
	add_sum(r, id, SUM_STR)->s = s ? xstrdup(s) : NULL;
}

static const char *host_name(const struct dump *d, int host, size_t *n)
{
	*n = 0;
	if (host < 0 || (size_t)host >= d->nhosts)
		return NULL;
	*n = strtab_len(&d->str, d->hosts[host].name);
	return strtab_str(&d->str, d->hosts[host].name);
}

static const char *run_name(const struct dump *d)
{
	return d->nruns && d->run < d->nruns ? d->runs[d->run].name : NULL;
}

static void json_capture(struct report *r)
{
	const struct dump *d = r->dump;
	const char *host, *run = run_name(d);
	size_t n;

	json_key(r->json, "capture");
	json_obj(r->json);
	json_key(r->json, "run");
	if (run)
		json_strz(r->json, run);
	else
		json_null(r->json);
	json_key(r->json, "runs");
	json_uint(r->json, d->nruns);
	json_key(r->json, "files");
	json_arr(r->json);
	for (size_t i = 0; i < d->nfiles; i++) {
		json_obj(r->json);
		json_key(r->json, "path");
		json_strz(r->json, d->files[i].path);
		json_key(r->json, "kind");
		json_strz(r->json, file_kind_of(&d->files[i]));
		json_key(r->json, "bytes");
		json_uint(r->json, d->files[i].bytes);
		json_key(r->json, "host");
		if ((host = host_name(d, d->files[i].host, &n)))
			json_str(r->json, host, n);
		else
			json_null(r->json);
		json_end(r->json);
	}
	json_end(r->json);
	json_key(r->json, "hosts");
	json_arr(r->json);
	for (size_t i = 0; i < d->nhosts; i++) {
		host = host_name(d, (int)i, &n);
		json_str(r->json, host, n);
	}
	json_end(r->json);
	json_key(r->json, "warnings");
	json_arr(r->json);
	for (size_t i = 0; i < r->nwarnings; i++)
		json_strz(r->json, r->warning[i]);
	json_end(r->json);
	json_end(r->json);
}

/* A number that would be the answer is null where there is none; what a document that is not about one dump says of
 * itself stays. */
static bool is_unanswered(const struct report *r, const struct sum *s)
{
	return s->type == SUM_NUM && r->nothing && !r->head.json;
}

static void json_summary(struct report *r)
{
	json_key(r->json, "summary");
	json_obj(r->json);
	for (size_t i = 0; i < r->nsums; i++) {
		const struct sum *s = &r->sum[i];

		json_key(r->json, s->id);
		if (s->type == SUM_INT)
			json_int(r->json, s->i);
		else if (s->type == SUM_NUM)
			json_double(r->json, is_unanswered(r, s) ? NAN : s->d);
		else if (s->type == SUM_BOOL)
			json_bool(r->json, s->i != 0);
		else if (s->s)
			json_strz(r->json, s->s);
		else
			json_null(r->json);
	}
	json_end(r->json);
}

/* "eval/2026_05_03_09_00_00, newest of 3" */
static char *run_among(const struct dump *d)
{
	const char *name = run_name(d);

	if (!name || d->nruns == 1)
		return name ? xstrdup(name) : NULL;
	return d->run ? xasprintf("%s, %zu of %zu", name, d->run + 1, d->nruns)
		      : xasprintf("%s, newest of %zu", name, d->nruns);
}

static void text_files(struct report *r)
{
	const struct dump *d = r->dump;
	size_t captures = dump_captures(d); /* captures come first */
	uint64_t bytes = 0;
	char *run = run_among(d);

	for (size_t i = 0; i < captures; i++)
		bytes += d->files[i].bytes;
	text_title(r->text, r->tool, run, captures == 1 ? d->files[0].base : NULL, captures, bytes);
	free(run);
	for (size_t i = 0; i < d->nhosts && d->nhosts > 1; i++) {
		size_t n;
		const char *host = host_name(d, (int)i, &n);

		text_host(r->text, host, n, i);
	}
	text_end_hosts(r->text);
}

static struct cell cell_of_sum(const struct report *r, const struct sum *s)
{
	return is_unanswered(r, s) ? cell_null()
	    : s->type == SUM_INT   ? cell_int(s->i)
	    : s->type == SUM_NUM   ? cell_num(s->d)
	    : s->type == SUM_BOOL  ? cell_bool(s->i != 0)
	    : s->s                 ? cell_str(s->s, strlen(s->s))
				   : cell_null();
}

static const char *status_of(const struct report *r)
{
	return r->reason >= REASONS ? "ok" : r->nothing ? "cannot_answer" : "partial";
}

/* For people; NULL: everything is answered.  The caller frees. */
static char *status_line(const struct report *r)
{
	const struct reason_info *why = reason_info(r->reason);

	return why ? xasprintf("%s (%s): %s; %s", r->nothing ? "no answer" : "partial", why->code,
			 why->meaning, why->remedy)
		   : NULL;
}

static void markdown_head(struct report *r)
{
	char text[80],
	    *title = r->head.title ? xasprintf("%s: %s", r->tool, r->head.title) : xstrdup(r->tool);

	markdown_line(r->f, "## ", title, strlen(title));
	free(title);
	if ((title = status_line(r))) {
		markdown_line(r->f, "> ", title, strlen(title));
		free(title);
	}
	for (size_t i = 0; i < r->nwarnings; i++)
		markdown_line(r->f, "> ", r->warning[i], strlen(r->warning[i]));
	for (size_t i = 0; i < r->nsums; i++) {
		struct cell c = cell_of_sum(r, &r->sum[i]);
		struct slice value = cell_text(&c);

		if (!value.s)
			value = slice_of(cell_people(text, sizeof text, &c, NULL));
		fprintf(r->f, "**%s** ", r->sum[i].id);
		markdown_line(r->f, "", value.s, value.n);
	}
}

static void text_head(struct report *r)
{
	char *status = status_line(r);

	if (r->head.json)
		text_heading(r->text, r->tool, r->head.title);
	else
		text_files(r);
	if (status) {
		text_warning(r->text, status);
		free(status);
	}
	for (size_t i = 0; i < r->nwarnings; i++)
		text_warning(r->text, r->warning[i]);
	if (r->command) {
		struct cell command = cell_str(r->command, strlen(r->command));

		text_summary(r->text, "command", &command);
	}
	for (size_t i = 0; i < r->nsums; i++) {
		struct cell c = cell_of_sum(r, &r->sum[i]);

		text_summary(r->text, r->sum[i].id, &c);
	}
	text_end_summary(r->text);
}

static void json_text_or_null(struct json_out *j, const char *key, const char *text)
{
	json_key(j, key);
	if (text)
		json_strz(j, text);
	else
		json_null(j);
}

static void json_status(struct report *r)
{
	const struct reason_info *why = reason_info(r->reason);

	json_key(r->json, "schema");
	json_int(r->json, REPORT_SCHEMA);
	json_text_or_null(r->json, "status", status_of(r));
	json_text_or_null(r->json, "reason", why ? why->code : NULL);
	json_text_or_null(r->json, "remedy", why ? why->remedy : NULL);
}

/* Writes everything before the first table. */
static void begin_output(struct report *r)
{
	if (r->begun)
		return;
	r->begun = true;
	r->said = r->reason;
	if (r->format == REPORT_TEXT)
		text_head(r);
	if (r->format == REPORT_MARKDOWN)
		markdown_head(r);
	if (r->format != REPORT_JSON)
		return;
	json_obj(r->json);
	json_key(r->json, "tool");
	json_strz(r->json, r->tool);
	json_key(r->json, "version");
	json_strz(r->json, PACKAGE_VERSION);
	json_newline(r->json);
	if (!r->status_last) {
		json_status(r);
		json_newline(r->json);
	}
	if (r->command) {
		json_text_or_null(r->json, "command", r->command);
		json_newline(r->json);
	}
	if (r->head.json)
		r->head.json(r->head.ctx, r->json);
	else
		json_capture(r);
	json_newline(r->json);
	json_summary(r);
}

static void json_columns(struct report *r)
{
	static const char *const types[] = {
		[COL_INTEGER] = "integer",
		[COL_NUMBER] = "number",
		[COL_STRING] = "string",
		[COL_BOOLEAN] = "boolean",
		[COL_OBJECT] = "object",
	};

	json_newline(r->json);
	json_key(r->json, "columns");
	json_arr(r->json);
	for (size_t i = 0; i < r->ncolumns; i++) {
		json_obj(r->json);
		json_key(r->json, "id");
		json_strz(r->json, r->columns[i].id);
		if (r->terse) {
			json_end(r->json);
			continue;
		}
		json_key(r->json, "label");
		json_strz(r->json, r->columns[i].label);
		json_key(r->json, "type");
		json_strz(r->json, types[r->columns[i].type]);
		json_key(r->json, "unit");
		json_strz(r->json, r->columns[i].unit);
		json_end(r->json);
	}
	json_end(r->json);
	json_newline(r->json);
	json_key(r->json, "rows");
	json_arr(r->json);
}

/* A sign alone begins names of standard input and dates, too: behind it, a formula calls, compares or refers. */
static bool is_formula(struct slice text)
{
	if (text.n < 2 || !memchr("=+-@\t\r", text.s[0], 6))
		return false;
	for (size_t i = 1; i < text.n; i++)
		if (memchr("(|!=+*", text.s[i], 6))
			return true;
	return !memchr("+-", text.s[0], 2);
}

/* Writes a CSV cell: quoted if needed, control characters made visible, line breaks kept.  What a spreadsheet would
 * take for a formula gets an apostrophe before it. */
static void csv_text(FILE *f, const char *s, size_t n)
{
	const char *end = s + n;
	bool quote = n && (s[0] == ' ' || end[-1] == ' ');

	for (size_t i = 0; i < n && !quote; i++)
		quote = s[i] == '"' || s[i] == ',' || s[i] == '\n' || s[i] == '\r';
	if (quote)
		putc('"', f);
	if (is_formula((struct slice){ s, n }))
		putc('\'', f);
	while (s < end) {
		char out[8];
		uint32_t c = utf8_next(&s, end);
		int bytes = utf8_put(out, c == '\n' || c == '\t' ? c : utf8_safe(c));

		if (c == '"')
			putc('"', f);
		fwrite(out, 1, (size_t)bytes, f);
	}
	if (quote)
		putc('"', f);
}

static void csv_row(struct report *r, const struct cell *c)
{
	for (size_t i = 0; i < r->ncolumns; i++, c++) {
		if (i)
			putc(',', r->f);
		if (c->type == CELL_STR || c->type == CELL_OBJ)
			csv_text(r->f, c->s, c->n);
		else
			cell_file(r->f, c, 17);
	}
	fputs("\r\n", r->f);
}

/* The columns of the schema's form for text, if it has one. */
static void people_table(struct report *r)
{
	const struct column *columns = r->form.n ? r->form.columns : r->columns;
	size_t n = r->form.n ? r->form.n : r->ncolumns;

	if (r->format == REPORT_TEXT)
		text_table(r->text, r->name, columns, n);
	else
		markdown_table(r->f, r->name, columns, n);
}

static void begin_table(struct report *r, const char *name, const struct column *columns, size_t n)
{
	begin_output(r);
	r->columns = columns;
	r->ncolumns = n;
	r->skip = r->format == REPORT_CSV && (r->csv ? !name || strcmp(name, r->csv) : r->ntables > 0);
	r->ntables++;
	r->name = name;
	if (r->format == REPORT_JSON) {
		if (name && !r->tables) {
			json_newline(r->json);
			json_key(r->json, "tables");
			json_obj(r->json);
			r->tables = true;
		}
		if (name) {
			json_newline(r->json);
			json_key(r->json, name);
			json_obj(r->json);
		}
		json_columns(r);
		r->main_table = !name;
	} else if (r->format == REPORT_TEXT || r->format == REPORT_MARKDOWN) {
		people_table(r);
	} else if (r->format == REPORT_ROWS) {
		r->rows->table(r->rows->ctx, name, columns, n);
	} else if (r->format == REPORT_CSV && !r->skip) {
		for (size_t i = 0; i < n; i++) {
			if (i)
				putc(',', r->f);
			csv_text(r->f, columns[i].id, strlen(columns[i].id));
		}
		fputs("\r\n", r->f);
	}
}

static void json_row(struct report *r, const struct cell *c)
{
	json_newline(r->json);
	json_arr(r->json);
	for (size_t i = 0; i < r->ncolumns; i++, c++) {
		switch (c->type) {
		case CELL_NULL:
			json_null(r->json);
			break;
		case CELL_INT:
			json_int(r->json, c->u.i);
			break;
		case CELL_NUM:
			json_double(r->json, c->u.d);
			break;
		case CELL_BOOL:
			json_bool(r->json, c->u.b);
			break;
		case CELL_STR:
			json_str(r->json, c->s, c->n);
			break;
		case CELL_OBJ:
			json_raw(r->json, c->s, c->n);
			break;
		}
	}
	json_end(r->json);
}

static const struct cell *form_row(struct report *r, const struct cell *c)
{
	for (size_t i = 0; i < r->form.n; i++)
		r->form.cells[i] = c[r->form.from[i]];
	return r->form.n ? r->form.cells : c;
}

void report_row(struct report *r, const struct cell *c)
{
	if (r->skip)
		return;
	if (r->format == REPORT_JSON)
		json_row(r, c);
	else if (r->format == REPORT_TEXT)
		text_row(r->text, form_row(r, c));
	else if (r->format == REPORT_MARKDOWN)
		markdown_row(r->f, r->form.n ? r->form.columns : r->columns,
		    r->form.n ? r->form.n : r->ncolumns, form_row(r, c));
	else if (r->format == REPORT_JSONL)
		jsonl_row(r->f, r->name, r->columns, r->ncolumns, c);
	else if (r->format == REPORT_ROWS)
		r->rows->row(r->rows->ctx, c);
	else
		csv_row(r, c);
}

void report_flush(struct report *r)
{
	struct pollfd pipe = { .fd = fileno(r->f) };

	if (r->json)
		json_out_flush(r->json);
	else
		fflush(r->f);
	if (poll(&pipe, 1, 0) > 0 && pipe.revents & POLLERR)
		raise(SIGPIPE);
}

void report_table_end(struct report *r)
{
	if (r->format == REPORT_TEXT)
		text_table_end(r->text);
	if (r->format == REPORT_MARKDOWN)
		putc('\n', r->f);
	r->form.n = 0;
	if (r->format != REPORT_JSON)
		return;
	json_newline(r->json);
	json_end(r->json);
	if (!r->main_table)
		json_end(r->json);
	r->main_table = false;
}

void report_table_like(struct report *r, const char *name, const struct table *t)
{
	bool people = r->format == REPORT_TEXT || r->format == REPORT_MARKDOWN;
	const char *form = people ? t->schema->text : NULL;

	if (form) {
		r->form.from = xrealloc(r->form.from, t->schema->n, sizeof *r->form.from);
		r->form.columns = xrealloc(r->form.columns, t->schema->n, sizeof *r->form.columns);
		r->form.cells = xrealloc(r->form.cells, t->schema->n, sizeof *r->form.cells);
		r->form.n = schema_form(t->schema, form, r->form.from);
	}
	for (size_t i = 0; i < r->form.n; i++)
		r->form.columns[i] = t->columns[r->form.from[i]];
	begin_table(r, name, t->columns, t->ncolumns);
}

void report_whole(struct report *r, const char *name, const struct table *t)
{
	report_table_like(r, name, t);
	for (size_t i = 0; i < t->nrows; i++)
		report_row(r, t->cells + i * t->ncolumns);
	report_table_end(r);
}

bool report_for_people(const struct report *r)
{
	return r->format == REPORT_TEXT;
}

struct json_out *report_json(struct report *r, const char *key)
{
	begin_output(r);
	if (!r->json)
		return NULL;
	if (r->tables)
		json_end(r->json);
	r->tables = false;
	json_newline(r->json);
	json_key(r->json, key);
	return r->json;
}

static void status_at_end(struct report *r)
{
	char *status = r->reason == r->said ? NULL : status_line(r);

	if (r->json) {
		json_newline(r->json);
		json_status(r);
	} else if (status && r->text) {
		text_warning(r->text, status);
	} else if (status && r->format == REPORT_MARKDOWN) {
		markdown_line(r->f, "> ", status, strlen(status));
	}
	free(status);
}

int report_end(struct report *r, struct err *e)
{
	bool failed = false;

	if (r->add)
		r->add(r->add_ctx, r);
	begin_output(r);
	if (r->status_last)
		status_at_end(r);
	if (r->json)
		failed = json_out_end(r->json, NULL, NULL) != 0;
	text_free(r->text);
	failed = fflush(r->f) != 0 || ferror(r->f) || failed;
	for (size_t i = 0; i < r->nwarnings; i++)
		free(r->warning[i]);
	for (size_t i = 0; i < r->nsums; i++)
		free(r->sum[i].s);
	free(r->warning);
	free(r->sum);
	free(r->form.from);
	free(r->form.columns);
	free(r->form.cells);
	free(r);
	if (!failed)
		return 0;
	return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "cannot write the report: %s",
	    errno ? strerror(errno) : "output closed");
}

void report_facts(struct report *r, const struct facts *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct cell *c = &f->v[i].v;

		if (c->type == CELL_INT)
			report_sum_int(r, f->v[i].id, c->u.i);
		else if (c->type == CELL_BOOL)
			report_sum_bool(r, f->v[i].id, c->u.b);
		else if (c->type == CELL_STR)
			report_sum_str(r, f->v[i].id, c->s);
		else
			report_sum_num(r, f->v[i].id, c->type == CELL_NUM ? c->u.d : NAN);
	}
}
