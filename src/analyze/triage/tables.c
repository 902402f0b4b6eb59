#include "config.h"
#include "analyze/triage/internal.h"

#include <math.h>
#include <string.h>

#include "result/sumtree.h"

static struct cell size_cell(int64_t v)
{
	return v == SIZE_NONE ? cell_null() : cell_int(v);
}

/* Without the layout, except of tuples. */
static struct cell dimensions(const struct triage_buffer *b, struct arena *text)
{
	const char *s = b->shape ? b->shape : "";
	size_t n = *s == '(' ? strlen(s) : strcspn(s, "{");

	return cell_copy(text, (struct slice){ n ? s : NULL, n });
}

static struct cell what_op(const struct triage_buffer *b, struct arena *text)
{
	const char *named = b->op_name && *b->op_name ? b->op_name : b->tag, *s = b->label, *end;
	size_t n;

	if (named && *named) {
		s = triage_op(named, &n);
	} else {
		end = s ? strstr(s, " = ") : NULL;
		n = end ? (size_t)(end - s) : s ? strlen(s) : 0;
	}
	return cell_copy(text, (struct slice){ n ? s : NULL, n });
}

struct error_row {
	int64_t index;
	const char *path;
	const struct triage_occurrence *o;
	const struct triage_kind *kind;
};
struct buffer_row {
	int64_t error;
	const char *list;
	const struct triage_buffer *b;
};
struct need_row {
	int64_t error;
	const struct triage_need *need;
};
struct space_row {
	int64_t error;
	const struct usage_space *space;
};
struct slot_row {
	int64_t error;
	const struct usage_space *space;
	const struct usage_slot *slot;
};
struct log_row {
	const struct triage_log *log;
	const char *format;
};

#define SCHEMA errors
#define SCHEMA_ROW struct error_row
#define SCHEMA_DEF "analyze/triage/errors.def"
#include "result/schema_def.h"

#define SCHEMA buffers
#define SCHEMA_ROW struct buffer_row
#define SCHEMA_DEF "analyze/triage/buffers.def"
#include "result/schema_def.h"

#define SCHEMA requirement
#define SCHEMA_ROW struct need_row
#define SCHEMA_DEF "analyze/triage/requirement.def"
#include "result/schema_def.h"

#define SCHEMA spaces
#define SCHEMA_ROW struct space_row
#define SCHEMA_DEF "analyze/triage/spaces.def"
#include "result/schema_def.h"

#define SCHEMA report
#define SCHEMA_ROW struct slot_row
#define SCHEMA_DEF "analyze/triage/report.def"
#include "result/schema_def.h"

#define SCHEMA logs
#define SCHEMA_ROW struct log_row
#define SCHEMA_DEF "analyze/triage/logs.def"
#include "result/schema_def.h"

#define SCHEMA findings
#define SCHEMA_ROW struct triage_finding
#define SCHEMA_DEF "analyze/triage/findings.def"
#include "result/schema_def.h"

const struct schema triage_errors_schema = {
	SCHEMA_COLUMNS(errors_columns),
	.text = "index file line count severity kind space needed_bytes limit_bytes module truncated",
};
const struct schema triage_buffers_schema = {
	SCHEMA_COLUMNS(buffers_columns),
	.view = "list rank size_bytes share cumulative_bytes expansion dimensions op -allocation_type "
		"-xla_label",
	.text = "error list rank size_bytes unpadded_bytes expansion shape op_name",
};
const struct schema triage_requirement_schema = {
	SCHEMA_COLUMNS(requirement_columns),
	.text = "error name size_bytes unpadded_bytes fragmentation_percent fragmentation_bytes",
};
const struct schema triage_spaces_schema = {
	SCHEMA_COLUMNS(spaces_columns),
	.text = "error label color total_bytes sections",
};
const struct schema triage_report_schema = {
	SCHEMA_COLUMNS(report_columns),
	.view = "section rank size_bytes cumulative_bytes values shapes",
	.text = "error label section rank size_bytes offset values shapes",
};
const struct schema triage_logs_schema = {
	SCHEMA_COLUMNS(logs_columns),
	.view = "file format lines records warning error fatal -host -first_time -last_time -build_label",
	.text = "file host format records warning error fatal first_time last_time",
};
const struct schema triage_findings_schema = {
	SCHEMA_COLUMNS(findings_columns),
};

void triage_tables_init(struct triage *t)
{
	table_begin(&t->errors, &triage_errors_schema);
	table_begin(&t->buffers, &triage_buffers_schema);
	table_begin(&t->requirement, &triage_requirement_schema);
	table_begin(&t->spaces, &triage_spaces_schema);
	table_begin(&t->report, &triage_report_schema);
	table_begin(&t->logs, &triage_logs_schema);
	table_begin(&t->findings, &triage_findings_schema);
}

static void add_error(struct triage_work *w, size_t i)
{
	const struct triage_occurrence *o = w->rows[i];

	table_add(&w->t->errors,
	    &(struct error_row){ (int64_t)i, w->logs[o->file].path, o, &w->kinds[o->kind] });
}

void triage_add_buffer(struct triage *t, size_t error, const struct triage_buffer *b)
{
	table_add(&t->buffers,
	    &(struct buffer_row){ (int64_t)error, b->arguments ? "arguments" : "program", b });
}

void triage_sum_buffers(struct triage *t, size_t from)
{
	const struct table *b = &t->buffers;
	int64_t sum = 0;
	double largest = 0;

	for (size_t i = from; i < b->nrows; i++)
		largest = fmax(largest, table_num(b, i, TRIAGE_BUFFERS_size_bytes));
	for (size_t i = from; i < b->nrows; i++) {
		struct cell *c = &b->cells[i * b->ncolumns];
		const struct cell *size = &c[TRIAGE_BUFFERS_size_bytes];

		if (size->type != CELL_INT)
			continue;
		sum = sum_bytes(sum, size->u.i);
		c[TRIAGE_BUFFERS_cumulative_bytes] = cell_int(sum);
		c[TRIAGE_BUFFERS_share] = cell_num(largest > 0 ? (double)size->u.i / largest : 0);
	}
}

void triage_add_finding(struct triage *t, const struct triage_finding *f)
{
	table_add(&t->findings, f);
}

void triage_note(struct triage *t, const char *id, const char *severity, const char *title,
    const char *evidence, const char *advice)
{
	triage_add_finding(t, &(struct triage_finding){ id, severity, title, evidence, advice, -1 });
}

/* Adds the rows of all lists of an error. */
static void add_lists(struct triage_work *w, size_t i)
{
	const struct triage_occurrence *o = w->rows[i]->lists;
	const struct usage_report *r = &o->report;
	struct triage *t = w->t;
	int64_t error = (int64_t)i;

	size_t from = t->buffers.nrows;

	for (size_t k = 0; k < o->nbuffers; k++)
		triage_add_buffer(t, i, &o->buffers[k]);
	triage_sum_buffers(t, from);
	for (size_t k = 0; k < o->nneeds; k++)
		table_add(&t->requirement, &(struct need_row){ error, &o->needs[k] });
	for (size_t k = 0; k < r->nspaces; k++)
		table_add(&t->spaces, &(struct space_row){ error, &r->spaces[k] });
	for (size_t k = 0; k < r->nslots; k++)
		table_add(&t->report,
		    &(struct slot_row){ error, &r->spaces[r->slots[k].space], &r->slots[k] });
}

static void add_log(struct triage_work *w, const struct triage_log *log)
{
	static const char *const formats[FORMATS] = { NULL, "glog", "glog0", "tf", "python" };
	int most = FORMAT_NONE;

	for (int i = FORMAT_GLOG; i < FORMATS; i++)
		if (log->formats[i] > log->formats[most])
			most = i;
	table_add(&w->t->logs, &(struct log_row){ log, formats[most] });
}

void triage_tables_fill(struct triage_work *w)
{
	int64_t errors = 0, warnings = 0, records = 0;

	for (size_t i = 0; i < w->nrows; i++) {
		bool warning = !strcmp(w->kinds[w->rows[i]->kind].severity, "warning");

		add_error(w, i);
		add_lists(w, i);
		warnings += warning;
		errors += !warning;
	}
	for (size_t i = 0; i < w->nlogs; i++) {
		add_log(w, &w->logs[i]);
		records += (int64_t)w->logs[i].records;
	}
	facts_int(&w->t->summary, "files", (int64_t)w->nlogs);
	facts_int(&w->t->summary, "errors", errors);
	facts_int(&w->t->summary, "warnings", warnings);
	facts_int(&w->t->summary, "buffers", (int64_t)w->t->buffers.nrows);
	facts_int(&w->t->summary, "records", records);
}
