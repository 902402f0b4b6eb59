#include "config.h"
#include "analyze/memory/dump.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/sizes.h"
#include "analyze/hlo/usage_report.h"
#include "analyze/memory/usage_pb.h"
#include "base/clamp.h"
#include "base/text/digit.h"

static const char *const memory_dump_names[DUMP_TABLES] = { "allocations", "values", "spaces", "report",
	"live_ranges", "peak", "instructions" };

enum {
#define COLUMN(id, ...) ALLOCATIONS_##id,
#include "analyze/memory/dump_allocations.def"
#undef COLUMN
};

enum {
#define COLUMN(id, ...) SPACES_##id,
#include "analyze/memory/dump_spaces.def"
#undef COLUMN
};

enum {
#define COLUMN(id, ...) PEAK_##id,
#include "analyze/memory/dump_peak.def"
#undef COLUMN
};

/* PART_NAMED: the second list of allocations, with the values in them */
enum part { PART_NONE, PART_ALLOCATIONS, PART_NAMED, PART_INSTRUCTIONS, PART_RANGES, PART_PEAK };

struct parsing {
	struct memory_dump *m;
	const char *kind;
	enum part part;
	bool rounded;       /* the allocations come from a usage report, which rounds sizes: "1.5KiB" */
	int64_t allocation; /* index of the allocation whose values follow, or -1 */
	int64_t total, range_max, peak_at; /* SIZE_NONE: the text does not say */
	struct usage_report report;        /* rows of a TPU memory usage report */
	struct arena text;
	int64_t *section;
	size_t nsections, sections_cap; /* sections: allocation numbers of the tables in a CPU usage report */
};

static struct cell size_cell(int64_t v)
{
	return v == SIZE_NONE ? cell_null() : cell_int(v);
}

static struct cell slice_cell(struct slice s)
{
	return s.n ? cell_str(s.s, s.n) : cell_null();
}

/* Rows as the lines state them; SIZE_NONE: not said. */
struct dump_allocation {
	int64_t index, size, color, page, parameter, values;
	const char *class;
	struct slice shape, shape_index;
	bool live_out, thread_local;
};
struct dump_value {
	int64_t allocation, id, color, size, offset;
	struct slice name, shape_index, shape;
};
struct dump_usage {
	const struct usage_space *space;
	const struct usage_slot *slot;
	int64_t section;
};
struct dump_range {
	struct slice name, shape_index;
	int64_t start, end;
};
struct dump_alive {
	struct slice name, shape_index;
	int64_t bytes, cumulative;
};
struct dump_instruction {
	int64_t index;
	struct slice name;
};

#define SCHEMA allocations
#define SCHEMA_ROW struct dump_allocation
#define SCHEMA_DEF "analyze/memory/dump_allocations.def"
#include "result/schema_def.h"

#define SCHEMA values
#define SCHEMA_ROW struct dump_value
#define SCHEMA_DEF "analyze/memory/dump_values.def"
#include "result/schema_def.h"

#define SCHEMA spaces
#define SCHEMA_ROW struct usage_space
#define SCHEMA_DEF "analyze/memory/dump_spaces.def"
#include "result/schema_def.h"

#define SCHEMA report
#define SCHEMA_ROW struct dump_usage
#define SCHEMA_DEF "analyze/memory/dump_report.def"
#include "result/schema_def.h"

#define SCHEMA live_ranges
#define SCHEMA_ROW struct dump_range
#define SCHEMA_DEF "analyze/memory/dump_live_ranges.def"
#include "result/schema_def.h"

#define SCHEMA peak
#define SCHEMA_ROW struct dump_alive
#define SCHEMA_DEF "analyze/memory/dump_peak.def"
#include "result/schema_def.h"

#define SCHEMA instructions
#define SCHEMA_ROW struct dump_instruction
#define SCHEMA_DEF "analyze/memory/dump_instructions.def"
#include "result/schema_def.h"

const struct schema memory_dump_schema[DUMP_TABLES] = {
	[DUMP_ALLOCATIONS] = { SCHEMA_COLUMNS(allocations_columns) },
	[DUMP_VALUES] = { SCHEMA_COLUMNS(values_columns) },
	[DUMP_SPACES] = { SCHEMA_COLUMNS(spaces_columns) },
	[DUMP_REPORT] = { SCHEMA_COLUMNS(report_columns) },
	[DUMP_LIVE_RANGES] = { SCHEMA_COLUMNS(live_ranges_columns) },
	[DUMP_PEAK] = { SCHEMA_COLUMNS(peak_columns) },
	[DUMP_INSTRUCTIONS] = { SCHEMA_COLUMNS(instructions_columns) },
};

static struct slice from(struct slice s, const char *at)
{
	return (struct slice){ at, (size_t)(s.s + s.n - at) };
}

/* Reads the digits at the beginning, without a unit. */
static bool take_number(struct slice *s, int64_t *out)
{
	int64_t v = 0;
	size_t n = 0;

	for (; n < s->n && is_digit(s->s[n]); n++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, s->s[n] - '0', &v))
			return false;
	*out = v;
	*s = from(*s, s->s + n);
	return n > 0;
}

static int64_t number_after(struct slice s, const char *phrase)
{
	const char *at = slice_find(s, phrase);
	struct slice rest = at ? from(s, at + strlen(phrase)) : s;
	int64_t v;

	return at && take_number(&rest, &v) ? v : SIZE_NONE;
}

/* Splits "copy-start{0,1}" into the name and the index, which may be missing. */
static struct slice split_name(struct slice s, struct slice *index)
{
	const char *open = s.n && s.s[s.n - 1] == '}' ? memrchr(s.s, '{', s.n) : NULL;

	*index = (struct slice){ NULL, 0 };
	if (!open)
		return s;
	*index = from(s, open);
	return (struct slice){ s.s, (size_t)(open - s.s) };
}

/* --- allocations and their values --- */

static struct slice shape_in(struct slice s)
{
	const char *open = slice_find(s, "|"), *close;
	struct slice rest;

	if (!open)
		return (struct slice){ NULL, 0 };
	rest = from(s, open + 1);
	close = slice_find(rest, "|");
	return close ? (struct slice){ rest.s, (size_t)(close - rest.s) } : (struct slice){ NULL, 0 };
}

static struct slice index_in(struct slice s)
{
	const char *at = slice_find(s, "at ShapeIndex {"), *close;
	struct slice rest;

	if (!at)
		return (struct slice){ NULL, 0 };
	rest = from(s, at + 14);
	close = slice_find(rest, "}");
	return close ? (struct slice){ rest.s, (size_t)(close + 1 - rest.s) } : (struct slice){ NULL, 0 };
}

static const char *class_of(struct slice s)
{
	return slice_find(s, ", parameter ")    ? "parameter"
	    : slice_find(s, ", thread-local")   ? "thread_local"
	    : slice_find(s, ", constant")       ? "constant"
	    : slice_find(s, ", maybe-live-out") ? "output"
						: "temp";
}

/* Parses "allocation 1: size 25165824, page 0, parameter 0, shape |f32[6,512]| at ShapeIndex {},
 * maybe-live-out:". */
static bool allocation_line(struct parsing *p, struct slice s)
{
	struct dump_allocation row;
	int64_t index, size;

	if (!slice_cut(&s, "allocation ") || !take_number(&s, &index) || !slice_cut(&s, ": size "))
		return false;
	if (p->rounded ? !size_read(&s, &size) : !take_number(&s, &size))
		return false;
	p->allocation = index;
	if (p->part == PART_NAMED)
		return true;
	row = (struct dump_allocation){ .index = index,
		.size = size,
		.color = number_after(s, ", color "),
		.page = number_after(s, ", page "),
		.parameter = number_after(s, ", parameter "),
		.values = p->rounded ? SIZE_NONE : 0,
		.class = class_of(s),
		.shape = shape_in(s),
		.shape_index = index_in(s),
		.live_out = slice_find(s, ", maybe-live-out") != NULL,
		.thread_local = slice_find(s, ", thread-local") != NULL };
	if (row.color == SIZE_NONE && !p->rounded)
		row.color = 0;
	table_add(&p->m->table[DUMP_ALLOCATIONS], &row);
	return true;
}

/* Parses "value: <179 param.4{0} (phi) @0> (size=25165824,offset=0): f32[6,512,2048]{2,1,0:T(8,128)}". */
static bool value_line(struct parsing *p, struct slice s)
{
	struct table *t = &p->m->table[DUMP_ALLOCATIONS];
	struct slice head, name, index;
	struct dump_value row;
	const char *close, *at;
	int64_t id;

	if (p->allocation < 0 || !t->nrows || !slice_cut(&s, "value: <") || !take_number(&s, &id) ||
	    !slice_cut(&s, " ") || !(close = slice_find(s, "> (size=")))
		return false;
	head = (struct slice){ s.s, (size_t)(close - s.s) };
	at = memrchr(head.s, '@', head.n);
	name = slice_trim((struct slice){ head.s, at ? (size_t)(at - head.s) : head.n });
	if (slice_cut_end(&name, " (phi)"))
		name = slice_trim(name);
	name = split_name(name, &index);
	s = from(s, close);
	row = (struct dump_value){ .allocation = p->allocation,
		.id = id,
		.color = at ? number_after(from(head, at), "@") : SIZE_NONE,
		.size = number_after(s, "(size="),
		.offset = number_after(s, ",offset="),
		.name = name,
		.shape_index = index };
	if ((at = slice_find(s, "): ")))
		row.shape = slice_trim(from(s, at + 3));
	table_add(&p->m->table[DUMP_VALUES], &row);
	t->cells[(t->nrows - 1) * t->ncolumns + ALLOCATIONS_values].u.i++;
	return true;
}

/* --- live ranges --- */

/* Parses "3:copy.3". */
static bool instruction_line(struct parsing *p, struct slice s)
{
	int64_t index;

	if (!take_number(&s, &index) || !slice_cut(&s, ":"))
		return false;
	table_add(&p->m->table[DUMP_INSTRUCTIONS], &(struct dump_instruction){ index, s });
	return true;
}

/* Parses "copy-start{0}:1-5". */
static bool range_line(struct parsing *p, struct slice s)
{
	const char *colon = memrchr(s.s, ':', s.n);
	struct slice rest = colon ? from(s, colon + 1) : s, name, index;
	int64_t start, end;

	if (!colon || !take_number(&rest, &start) || !slice_cut(&rest, "-") || !take_number(&rest, &end))
		return false;
	name = split_name((struct slice){ s.s, (size_t)(colon - s.s) }, &index);
	table_add(&p->m->table[DUMP_LIVE_RANGES], &(struct dump_range){ name, index, start, end });
	return true;
}

/* Parses "copy.4{}: 64 bytes (cumulative: 128 bytes)"; the part in parentheses may be missing. */
static bool peak_line(struct parsing *p, struct slice s)
{
	const char *at = slice_find(s, ": ");
	struct slice rest = at ? from(s, at + 2) : s, name, index;
	int64_t bytes;

	if (!at || !take_number(&rest, &bytes) || !slice_cut(&rest, " bytes"))
		return false;
	name = split_name((struct slice){ s.s, (size_t)(at - s.s) }, &index);
	table_add(&p->m->table[DUMP_PEAK],
	    &(struct dump_alive){ name, index, bytes, number_after(rest, "(cumulative: ") });
	return true;
}

/* --- lines --- */

/* Recognizes the lines that begin a part.  Lines that belong to no part are skipped. */
static bool heading(struct parsing *p, struct slice s)
{
	static const struct {
		const char *text, *kind;
		enum part part;
	} parts[] = {
		{ "BufferAssignment:", "buffer_assignment", PART_ALLOCATIONS },
		{ "Memory Space: ", "memory_usage_report", PART_NONE },
		{ "Allocations sorted by size:", "memory_usage_report", PART_ALLOCATIONS },
		{ "Allocations sorted by size with their values:", "memory_usage_report", PART_NAMED },
		{ "HloLiveRange (max ", "live_range", PART_NONE },
		{ "InstructionSequence:", NULL, PART_INSTRUCTIONS },
		{ "BufferLiveRange:", NULL, PART_RANGES },
		{ "Live ranges at ", NULL, PART_PEAK },
		{ "Stack trace breakdown ", NULL, PART_NONE },
		{ "Used values:", NULL, PART_NONE },
	};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!slice_begins(s, parts[i].text))
			continue;
		p->part = parts[i].part;
		p->kind = p->kind ? p->kind : parts[i].kind;
		p->rounded |= i == 2 || i == 3;
		if (i == 4)
			p->range_max = number_after(s, "(max ");
		if (p->part == PART_PEAK)
			p->peak_at = number_after(s, "Live ranges at ");
		return i != 1;
	}
	return false;
}

static void note_section(struct parsing *p)
{
	VEC_ADD(p->section, p->nsections, p->sections_cap, p->allocation < 0 ? SIZE_NONE : p->allocation);
}

/* A CPU usage report prints its total before the lists and has no memory spaces: it becomes one space without
 * a name. */
static void total_line(struct parsing *p, struct slice s)
{
	struct usage_report *o = &p->report;

	p->total = number_after(s, "Total bytes used: ");
	if (p->kind)
		return;
	VEC_ADD(o->spaces, o->nspaces, o->spaces_cap,
	    (struct usage_space){ .color = SIZE_NONE, .total = p->total });
	o->open = true;
}

static void parse_line(struct parsing *p, struct slice s)
{
	s = slice_trim(s);
	if (!s.n || heading(p, s))
		return;
	if (slice_begins(s, "Total bytes used: ")) {
		total_line(p, s);
		return;
	}
	if (p->rounded && p->part == PART_ALLOCATIONS && !slice_begins(s, "allocation ")) {
		const char *at = slice_find(s, "; allocation ");

		if (at && allocation_line(p, from(s, at + 2)))
			return;
		if (slice_begins(s, "cumulative_size;") && slice_find(s, "; allocation"))
			return;
	}
	if (slice_begins(s, "cumulative_size;"))
		note_section(p);
	if (p->report.nspaces || slice_begins(s, "Memory Space: "))
		if (usage_report_line(&p->report, s, &p->text))
			return;
	switch (p->part) {
	case PART_ALLOCATIONS:
	case PART_NAMED:
		if (!allocation_line(p, s))
			value_line(p, s);
		break;
	case PART_INSTRUCTIONS:
		instruction_line(p, s);
		break;
	case PART_RANGES:
		range_line(p, s);
		break;
	case PART_PEAK:
		peak_line(p, s);
		break;
	default:
		break;
	}
}

/* --- results --- */

static void put_report(struct parsing *p)
{
	const struct usage_report *o = &p->report;
	struct table *spaces = &p->m->table[DUMP_SPACES], *rows = &p->m->table[DUMP_REPORT];

	for (size_t i = 0; i < o->nspaces; i++)
		table_add(spaces, &o->spaces[i]);
	for (size_t i = 0; i < o->nslots; i++) {
		const struct usage_slot *x = &o->slots[i];
		bool known = p->rounded && (size_t)x->section < p->nsections;

		table_add(rows,
		    &(struct dump_usage){ &o->spaces[x->space], x,
			known ? p->section[x->section] : x->section });
	}
}

static int64_t plus(int64_t sum, const struct cell *c)
{
	return c->type != CELL_INT ? sum : add_clamped(sum == SIZE_NONE ? 0 : sum, c->u.i);
}

static bool is_zero(const struct cell *c)
{
	return c->type == CELL_INT && !c->u.i;
}

static int64_t total_of(const struct parsing *p)
{
	const struct table *a = &p->m->table[DUMP_ALLOCATIONS], *s = &p->m->table[DUMP_SPACES];
	int64_t sum = p->total;

	for (size_t i = 0; i < s->nrows && p->total == SIZE_NONE; i++)
		if (is_zero(table_at(s, i, SPACES_color)))
			sum = plus(sum, table_at(s, i, SPACES_total_bytes));
	if (sum != SIZE_NONE)
		return sum;
	for (size_t i = 0; i < a->nrows; i++)
		if (!table_at(a, i, ALLOCATIONS_thread_local)->u.b &&
		    is_zero(table_at(a, i, ALLOCATIONS_color)))
			sum = plus(sum, table_at(a, i, ALLOCATIONS_size_bytes));
	return sum;
}

static int64_t peak_of(const struct parsing *p)
{
	const struct table *t = &p->m->table[DUMP_PEAK];
	const struct cell *last = table_at(t, t->nrows - 1, PEAK_cumulative_bytes);
	int64_t sum = SIZE_NONE;

	if (last->type == CELL_INT)
		return last->u.i;
	for (size_t i = 0; i < t->nrows; i++)
		sum = plus(sum, table_at(t, i, PEAK_bytes));
	return sum;
}

static void put_int(struct facts *f, const char *id, int64_t v)
{
	if (v == SIZE_NONE)
		facts_null(f, id);
	else
		facts_int(f, id, v);
}

static void put_summary(const struct parsing *p)
{
	struct facts *f = &p->m->summary;

	facts_str(f, "kind", p->kind);
	put_int(f, "total_bytes", total_of(p));
	for (int i = DUMP_ALLOCATIONS; i <= DUMP_SPACES; i++)
		facts_int(f, memory_dump_names[i], (int64_t)p->m->table[i].nrows);
	put_int(f, "live_range_max", p->range_max);
	put_int(f, "peak_at", p->peak_at);
	put_int(f, "peak_bytes", peak_of(p));
}

void memory_dump_tables(struct table t[DUMP_TABLES])
{
	for (int i = 0; i < DUMP_TABLES; i++)
		table_begin(&t[i], &memory_dump_schema[i]);
}

static bool has_rows(const struct memory_dump *m)
{
	for (int i = 0; i < DUMP_TABLES; i++)
		if (m->table[i].nrows)
			return true;
	return false;
}

int memory_dump_parse(const char *s, size_t n, struct memory_dump *m, struct err *e)
{
	struct parsing p = { .m = m,
		.allocation = -1,
		.total = SIZE_NONE,
		.range_max = SIZE_NONE,
		.peak_at = SIZE_NONE };
	char *plain = memory_usage_text(s, n, &n);
	const char *end, *next;

	s = plain ? plain : s;
	end = s + n;
	*m = (struct memory_dump){ .plain = plain };
	memory_dump_tables(m->table);
	for (; s < end; s = next + 1) {
		if (!(next = memchr(s, '\n', (size_t)(end - s))))
			next = end;
		n = (size_t)(next - s);
		parse_line(&p, (struct slice){ s, n && s[n - 1] == '\r' ? n - 1 : n });
		if (next == end)
			break;
	}
	put_report(&p);
	put_summary(&p);
	usage_report_free(&p.report);
	arena_free(&p.text);
	free(p.section);
	if (p.kind && has_rows(m))
		return 0;
	return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "no memory sizes found in it");
}

void memory_dump_free(struct memory_dump *m)
{
	for (int i = 0; i < DUMP_TABLES; i++)
		table_free(&m->table[i]);
	facts_free(&m->summary);
	free(m->plain);
}
