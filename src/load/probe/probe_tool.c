#include "config.h"

#include "load/probe/probe_tool.h"

#include <string.h>

#include "base/codec/wire.h"
#include "load/probe/tool_name.h"

#define FIELDS_LOOKED_AT 64

/* Returns the place after the string at p; if the head cuts it off, where its closing quote would be. */
static const uint8_t *string_end(const uint8_t *p, const uint8_t *end)
{
	for (p++; p < end && *p != '"'; p++)
		if (*p == '\\' && p + 1 < end)
			p++;
	return p;
}

static enum file_kind kind_of_key(const uint8_t *s, size_t n)
{
	static const struct {
		const char *key;
		enum file_kind kind;
	} keys[] = {
		{ "byCategory", FILE_OP_PROFILE },
		{ "byProgram", FILE_OP_PROFILE },
		{ "byProvenance", FILE_OP_PROFILE },
		{ "byCategoryExcludeIdle", FILE_OP_PROFILE },
		{ "byProgramExcludeIdle", FILE_OP_PROFILE },
		{ "byProvenanceExcludeIdle", FILE_OP_PROFILE },
		{ "hloModule", FILE_MEMORY_VIEWER },
		{ "bufferAssignment", FILE_MEMORY_VIEWER },
		{ "heapSizes", FILE_MEMORY_VIEWER },
		{ "maxHeap", FILE_MEMORY_VIEWER },
		{ "logicalBufferSpans", FILE_MEMORY_VIEWER },
		{ "entryComputationName", FILE_MEMORY_VIEWER },
		{ "podStatsSequence", FILE_POD_VIEWER },
		{ "stepBreakdownEvents", FILE_POD_VIEWER },
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (slice_is((struct slice){ (const char *)s, n }, keys[i].key))
			return keys[i].kind;
	return FILE_UNKNOWN;
}

/* Returns the kind of a JSON object by the names of its members. */
static enum file_kind kind_of_object(const uint8_t *p, const uint8_t *end)
{
	enum file_kind kind = FILE_UNKNOWN;
	size_t depth = 0;
	bool name = false;

	for (; p < end && kind == FILE_UNKNOWN; p++) {
		const uint8_t *from = p + 1;

		switch (*p) {
		case '{':
		case '[':
			name = !depth++;
			break;
		case '}':
		case ']':
			depth -= depth > 0;
			break;
		case ',':
			name = depth == 1;
			break;
		case '"':
			p = string_end(p, end);
			if (name && depth == 1 && p < end)
				kind = kind_of_key(from, (size_t)(p - from));
			name = false;
			break;
		default:
			break;
		}
	}
	return kind;
}

/* Google DataTables: "cols" and the ids of columns, in any place. */
static enum file_kind kind_of_tables(const uint8_t *p, size_t n)
{
	static const struct {
		const char *column;
		enum file_kind kind;
	} columns[] = {
		{ "\"host_or_device\"", FILE_FRAMEWORK_OPS },
		{ "\"selfTimePercent\"", FILE_OVERVIEW },
		{ "\"opName\"", FILE_INPUT_PIPELINE },
		{ "\"stepnum\"", FILE_INPUT_PIPELINE },
	};

	if (!memmem(p, n, "\"cols\"", 6))
		return FILE_UNKNOWN;
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (memmem(p, n, columns[i].column, strlen(columns[i].column)))
			return columns[i].kind;
	return FILE_UNKNOWN;
}

enum file_kind tool_json_kind(const uint8_t *p, size_t n)
{
	enum file_kind kind = *p == '{' ? kind_of_object(p, p + n) : FILE_UNKNOWN;

	return kind == FILE_UNKNOWN && !memmem(p, n, "\"traceEvents\"", 13) ? kind_of_tables(p, n) : kind;
}

/* Reads the next field, or the part of it that is before the end of the head. */
static bool peek(struct wire *w)
{
	return !w->bad && (wire_next(w) || (w->bad && w->s && w->n));
}

/* StepSummary: only two to four doubles. */
static bool is_summary(const struct wire *field)
{
	struct wire w = wire_open(field->s, field->n);
	int n = 0;

	for (; wire_next(&w); n++)
		if (w.type != 1 || w.field > 4)
			return false;
	return n > 0 && n <= 4 && !w.bad;
}

/* An Any with a message of the profiler */
static bool is_any(const struct wire *field)
{
	struct wire w = wire_open(field->s, field->n);

	return peek(&w) && w.field == 1 && w.type == 2 &&
	    slice_begins(wire_text(&w), "type.googleapis.com/tensorflow.profiler.");
}

static bool is_input_pipeline(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);

	for (int i = 0; i < FIELDS_LOOKED_AT && peek(&w); i++) {
		if (w.type == 2 && (w.field == 2 || w.field == 3) && is_summary(&w))
			return true;
		if (w.type == 2 && (w.field == 4 || w.field == 8) && is_any(&w))
			return true;
	}
	return false;
}

/* OverviewPage: contains the input pipeline, or a recommendation with an Any in field 4. */
static bool is_overview(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);

	for (int i = 0; i < FIELDS_LOOKED_AT && peek(&w); i++) {
		struct wire in;

		if (w.type != 2 || w.field > 10)
			return false;
		if (w.field == 2 && is_input_pipeline(w.s, w.n))
			return true;
		for (in = wire_open(w.s, w.n); w.field == 4 && peek(&in);)
			if (in.type == 2 && in.field == 6 && is_any(&in))
				return true;
	}
	return false;
}

/* TfStatsDatabase: a table in field 4 or 5 whose first record has a rank and "Device" or "Host". */
static bool is_framework_ops(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n), table, record;

	if (!peek(&w) || w.type != 2 || (w.field != 4 && w.field != 5))
		return false;
	table = wire_open(w.s, w.n);
	if (!peek(&table) || table.type != 2 || table.field != 1)
		return false;
	record = wire_open(table.s, table.n);
	for (int i = 0; i < 2 && peek(&record); i++)
		if (record.field == 2 && record.type == 2)
			return slice_is(wire_text(&record), "Device") || slice_is(wire_text(&record), "Host");
	return false;
}

/* PodStatsDatabase: records with a duration and a bottleneck or a breakdown. */
static bool is_pod_stats(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n), record;
	bool timed = false, rest = false;

	if (!peek(&w) || w.type != 2 || w.field != 1)
		return false;
	for (record = wire_open(w.s, w.n); peek(&record);) {
		bool varint = record.field >= 2 && record.field <= 4;

		if (varint ? record.type != 0 : record.field == 5 ? record.type != 1 : record.type != 2)
			return false;
		timed |= record.field == 5;
		rest |= record.field == 14 || record.field == 19;
		if (record.field > 5 && record.field != 14 && record.field != 19)
			return false;
	}
	return timed && rest;
}

enum file_kind tool_message_kind(const char *name, const uint8_t *s, size_t n)
{
	struct tool_name tool;

	if (is_framework_ops(s, n))
		return FILE_FRAMEWORK_OPS;
	if (is_pod_stats(s, n))
		return FILE_POD_VIEWER;
	if (is_overview(s, n))
		return FILE_OVERVIEW;
	if (is_input_pipeline(s, n))
		return FILE_INPUT_PIPELINE;
	if (tool_name(name, &tool) && tool.message) /* results that are almost empty */
		return tool.kind;
	return FILE_UNKNOWN;
}
