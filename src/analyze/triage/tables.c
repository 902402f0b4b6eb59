#include "config.h"
#include "analyze/triage/internal.h"

#include <math.h>
#include <string.h>

#define INT(id, label, unit) \
	{ \
		id, label, unit, COL_INTEGER \
	}
#define STR(id, label) \
	{ \
		id, label, "", COL_STRING \
	}
#define NUM(id, label, unit) \
	{ \
		id, label, unit, COL_NUMBER \
	}

static const struct column error_columns[] = {
	INT("index", "#", ""),
	STR("file", "file"),
	INT("line", "line", ""),
	INT("count", "times", ""),
	STR("time", "time"),
	STR("severity", "severity"),
	STR("kind", "kind"),
	STR("code", "code"),
	STR("space", "space"),
	INT("needed_bytes", "needed", "B"),
	INT("limit_bytes", "limit", "B"),
	INT("exceeded_bytes", "too much", "B"),
	INT("used_bytes", "in use", "B"),
	INT("free_bytes", "free", "B"),
	INT("largest_free_bytes", "largest free", "B"),
	INT("total_bytes", "total", "B"),
	INT("reserved_bytes", "reserved", "B"),
	INT("program_bytes", "program", "B"),
	INT("arguments_bytes", "arguments", "B"),
	INT("output_bytes", "output", "B"),
	INT("shared_bytes", "shared", "B"),
	STR("device", "device"),
	STR("module", "module"),
	STR("op", "op"),
	INT("listed_buffers", "buffers", ""),
	{ "truncated", "truncated", "", COL_BOOLEAN },
	STR("message", "message"),
	STR("dump", "dump of the module"),
};
static const struct column buffer_columns[] = {
	INT("error", "error", ""),
	STR("list", "list"),
	INT("rank", "rank", ""),
	INT("size_bytes", "size", "B"),
	INT("unpadded_bytes", "unpadded", "B"),
	INT("padding_bytes", "padding", "B"),
	NUM("expansion", "expansion", ""),
	STR("shape", "shape"),
	STR("op_type", "op type"),
	STR("op_name", "op"),
	STR("source", "source"),
	STR("allocation_type", "allocation"),
	STR("tag", "tag"),
	STR("xla_label", "XLA label"),
};
static const struct column requirement_columns[] = {
	INT("error", "error", ""),
	STR("name", "name"),
	INT("size_bytes", "size", "B"),
	NUM("utilization_percent", "utilization", "percent"),
	INT("unpadded_bytes", "unpadded", "B"),
	INT("padded_bytes", "padded", "B"),
	NUM("fragmentation_percent", "fragmentation", "percent"),
	INT("fragmentation_bytes", "fragmentation", "B"),
};
static const struct column space_columns[] = {
	INT("error", "error", ""),
	STR("label", "space"),
	INT("color", "color", ""),
	INT("total_bytes", "total", "B"),
	INT("sections", "allocations", ""),
	INT("rows", "rows", ""),
};
static const struct column report_columns[] = {
	INT("error", "error", ""),
	STR("label", "space"),
	INT("color", "color", ""),
	INT("section", "allocation", ""),
	INT("rank", "rank", ""),
	INT("cumulative_bytes", "cumulative", "B"),
	INT("cumulative_percent", "cumulative", "percent"),
	INT("size_bytes", "size", "B"),
	INT("offset", "offset", "B"),
	INT("values", "values", ""),
	STR("shapes", "shapes"),
};
static const struct column log_columns[] = {
	STR("file", "file"),
	STR("host", "host"),
	STR("format", "format"),
	INT("lines", "lines", ""),
	INT("records", "records", ""),
	INT("debug", "debug", ""),
	INT("info", "info", ""),
	INT("warning", "warning", ""),
	INT("error", "error", ""),
	INT("fatal", "fatal", ""),
	STR("first_time", "first"),
	STR("last_time", "last"),
	STR("build_label", "build"),
	INT("pid", "pid", ""),
	INT("bytes", "bytes", "B"),
};
static const struct column finding_columns[] = {
	STR("id", "id"),
	STR("severity", "severity"),
	STR("title", "finding"),
	STR("evidence", "evidence"),
	STR("advice", "what to do"),
	INT("error", "error", ""),
};

#define TABLE(table, columns) table_init(&t->table, columns, sizeof columns / sizeof *columns)

void triage_tables_init(struct triage *t)
{
	TABLE(errors, error_columns);
	TABLE(buffers, buffer_columns);
	TABLE(requirement, requirement_columns);
	TABLE(spaces, space_columns);
	TABLE(report, report_columns);
	TABLE(logs, log_columns);
	TABLE(findings, finding_columns);
}

static struct cell integer(int64_t v)
{
	return v == SIZE_NONE ? cell_null() : cell_int(v);
}
static struct cell real(double v)
{
	return isnan(v) ? cell_null() : cell_num(v);
}
static void error_row(struct triage_work *w, size_t i)
{
	const struct triage_occurrence *o = w->rows[i];
	const struct triage_kind *k = &w->kinds[o->kind];
	struct table *t = &w->t->errors;
	struct cell *c = table_row(t);

	*c++ = cell_int((int64_t)i);
	*c++ = table_text(t, w->logs[o->file].path);
	*c++ = cell_int((int64_t)o->line);
	*c++ = cell_int((int64_t)o->count);
	*c++ = table_text(t, o->text[TEXT_TIME]);
	*c++ = table_text(t, k->severity);
	*c++ = table_text(t, k->name);
	*c++ = table_text(t, o->text[TEXT_CODE]);
	*c++ = table_text(t, o->text[TEXT_SPACE]);
	for (int n = 0; n < NUM_COUNT; n++)
		*c++ = integer(o->num[n]);
	*c++ = table_text(t, o->text[TEXT_DEVICE]);
	*c++ = table_text(t, o->text[TEXT_MODULE]);
	*c++ = table_text(t, o->text[TEXT_OP]);
	*c++ = cell_int((int64_t)o->lists->nbuffers);
	*c++ = cell_bool(o->truncated);
	*c++ = table_text(t, o->text[TEXT_MESSAGE]);
	*c = table_text(t, o->dump);
}

static void buffer_rows(struct triage_work *w, size_t i)
{
	const struct triage_occurrence *o = w->rows[i]->lists;
	struct table *t = &w->t->buffers;

	for (size_t k = 0; k < o->nbuffers; k++) {
		const struct triage_buffer *b = &o->buffers[k];
		struct cell *c = table_row(t);

		*c++ = cell_int((int64_t)i);
		*c++ = table_text(t, b->arguments ? "arguments" : "program");
		*c++ = integer(b->rank);
		*c++ = integer(b->size);
		*c++ = integer(b->unpadded);
		*c++ = integer(b->padding);
		*c++ = real(b->expansion);
		*c++ = table_text(t, b->shape);
		*c++ = table_text(t, b->op_type);
		*c++ = table_text(t, b->op_name);
		*c++ = table_text(t, b->source);
		*c++ = table_text(t, b->allocation);
		*c++ = table_text(t, b->tag);
		*c = table_text(t, b->label);
	}
}

static void other_rows(struct triage_work *w, size_t i)
{
	const struct triage_occurrence *o = w->rows[i]->lists;
	struct triage *t = w->t;

	for (size_t k = 0; k < o->nneeds; k++) {
		const struct triage_need *x = &o->needs[k];
		struct cell *c = table_row(&t->requirement);

		*c++ = cell_int((int64_t)i);
		*c++ = table_text(&t->requirement, x->name);
		*c++ = integer(x->size);
		*c++ = real(x->utilization);
		*c++ = integer(x->unpadded);
		*c++ = integer(x->padded);
		*c++ = real(x->fragmentation_percent);
		*c = integer(x->fragmentation);
	}
	for (size_t k = 0; k < o->report.nspaces; k++) {
		const struct usage_space *x = &o->report.spaces[k];
		struct cell *c = table_row(&t->spaces);

		*c++ = cell_int((int64_t)i);
		*c++ = table_text(&t->spaces, x->label);
		*c++ = integer(x->color);
		*c++ = integer(x->total);
		*c++ = cell_int(x->sections);
		*c = cell_int(x->rows);
	}
	for (size_t k = 0; k < o->report.nslots; k++) {
		const struct usage_slot *x = &o->report.slots[k];
		struct cell *c = table_row(&t->report);

		*c++ = cell_int((int64_t)i);
		*c++ = table_text(&t->report, o->report.spaces[x->space].label);
		*c++ = integer(o->report.spaces[x->space].color);
		*c++ = cell_int(x->section);
		*c++ = cell_int(x->rank);
		*c++ = integer(x->cumulative);
		*c++ = integer(x->percent);
		*c++ = integer(x->size);
		*c++ = integer(x->offset);
		*c++ = integer(x->values);
		*c = table_text(&t->report, x->shapes);
	}
}

static void log_row(struct triage_work *w, const struct triage_log *log)
{
	static const char *const formats[FORMATS] = { NULL, "glog", "glog0", "tf", "python" };
	struct table *t = &w->t->logs;
	struct cell *c = table_row(t);
	int most = FORMAT_NONE;

	for (int i = FORMAT_GLOG; i < FORMATS; i++)
		if (log->formats[i] > log->formats[most])
			most = i;
	*c++ = table_text(t, log->path);
	*c++ = table_text(t, log->host);
	*c++ = table_text(t, formats[most]);
	*c++ = cell_int((int64_t)log->lines);
	*c++ = cell_int((int64_t)log->records);
	for (int i = 0; i < 5; i++)
		*c++ = cell_int((int64_t)log->severities[i]);
	*c++ = table_text(t, log->first);
	*c++ = table_text(t, log->last);
	*c++ = table_text(t, log->build);
	*c++ = log->pid >= 0 ? cell_int(log->pid) : cell_null();
	*c = cell_int((int64_t)log->bytes);
}

void triage_tables_fill(struct triage_work *w)
{
	int64_t errors = 0, warnings = 0, records = 0;

	for (size_t i = 0; i < w->nrows; i++) {
		bool warning = !strcmp(w->kinds[w->rows[i]->kind].severity, "warning");

		error_row(w, i);
		buffer_rows(w, i);
		other_rows(w, i);
		warnings += warning;
		errors += !warning;
	}
	for (size_t i = 0; i < w->nlogs; i++) {
		log_row(w, &w->logs[i]);
		records += (int64_t)w->logs[i].records;
	}
	facts_int(&w->t->summary, "files", (int64_t)w->nlogs);
	facts_int(&w->t->summary, "errors", errors);
	facts_int(&w->t->summary, "warnings", warnings);
	facts_int(&w->t->summary, "buffers", (int64_t)w->t->buffers.nrows);
	facts_int(&w->t->summary, "records", records);
}
