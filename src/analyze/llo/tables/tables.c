#include "config.h"
#include "analyze/llo/llo.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct llo_row {
	const struct llo_kernel *k;
	int64_t id; /* row of the kernel */
	const struct llo_unit_sum *unit;
	const struct llo_loop *loop;
	const struct llo_dma *dma;
	const struct llo_line *line;
	const struct llo_op *op;
	const struct llo_chain *chain;
	const struct llo_memory *memory;
	const struct llo_pair *pair;
	const char *about, *said;
	uint32_t at, region; /* of a bundle */
};

#define k r->k

static struct cell text_cell(struct slice s)
{
	return s.s ? cell_str(s.s, s.n) : cell_null();
}

static struct cell ns_cell(int64_t ns, struct arena *text)
{
	char buf[24];

	snprintf(buf, sizeof buf, "%" PRId64, ns);
	return arena_cell(text, ns < 0 ? NULL : buf);
}

static const char *wait_name(enum llo_wait w)
{
	static const char *const names[] = { "same", "later", "none" };

	return names[w];
}

#define NO_SOURCE "(no source)"

static struct cell source_cell(const struct llo_kernel *of, strid source)
{
	return source ? text_cell(llo_string(of, source)) : cell_strz(NO_SOURCE);
}

static struct slice text_of_ins(const struct llo_kernel *of, const struct llo_ins *x)
{
	(void)of;
	return (struct slice){ x->text, x->n };
}

/* Instructions that are not real have no opcode. */
static struct slice opcode_of_ins(const struct llo_kernel *of, const struct llo_ins *x)
{
	return x->real ? llo_string(of, x->op) : (struct slice){ NULL, 0 };
}

/* "vmatmul ; vld": a text of each instruction that has one */
static struct cell ins_cell(const struct llo_row *r, struct arena *text,
    struct slice (*text_of)(const struct llo_kernel *, const struct llo_ins *))
{
	const struct llo_bundle *b = k->b.n ? &k->b.v[r->at] : NULL;
	size_t n = 0, at = 0;
	char *s;

	if (!b)
		return cell_null();
	for (uint32_t i = 0; i < b->n; i++)
		n += text_of(k, &k->b.ins[b->first + i]).n + 3;
	s = arena_alloc(text, n + 1);
	for (uint32_t i = 0; i < b->n; i++) {
		struct slice one = text_of(k, &k->b.ins[b->first + i]);

		if (!one.n)
			continue;
		if (at) {
			memcpy(s + at, " ; ", 3);
			at += 3;
		}
		memcpy(s + at, one.s, one.n);
		at += one.n;
	}
	return cell_str(s, at);
}

static struct cell bundle_source(const struct llo_row *r, struct arena *text)
{
	const struct llo_bundle *b = k->b.n ? &k->b.v[r->at] : NULL;

	(void)text;
	for (uint32_t i = 0; b && i < b->n; i++)
		if (k->b.ins[b->first + i].source)
			return text_cell(llo_string(k, k->b.ins[b->first + i].source));
	return cell_null();
}

/* clang-format off */
#define SCHEMA_FOLDER analyze/llo/tables
/* clang-format on */
#define SCHEMA_ROW struct llo_row
#define SCHEMA kernels
#include "result/schema_def.h"
#define SCHEMA about
#include "result/schema_def.h"
#define SCHEMA slots
#include "result/schema_def.h"
#define SCHEMA loops
#include "result/schema_def.h"
#define SCHEMA dma
#include "result/schema_def.h"
#define SCHEMA lines
#include "result/schema_def.h"
#define SCHEMA opcodes
#include "result/schema_def.h"
#define SCHEMA critical
#include "result/schema_def.h"
#define SCHEMA memory
#include "result/schema_def.h"
#define SCHEMA compare
#include "result/schema_def.h"
#undef k
#define SCHEMA bundles
#include "result/schema_def.h"

#define KERNELS_SHOWN \
	"name kind cycles time_us measured_us measured_ratio stall_cycles limit limit_percent " \
	"vmem_spills_run vmem_fills_run " \
	"hbm_bytes hbm_us " \
	"checks_failed"

const struct schema llo_schema[LLO_TABLES] = {
	[LLO_KERNELS] = { SCHEMA_COLUMNS(kernels_columns), .view = KERNELS_SHOWN, .text = KERNELS_SHOWN },
	[LLO_ABOUT] = { SCHEMA_COLUMNS(about_columns), .text = "name about text" },
	[LLO_SLOTS] = { SCHEMA_COLUMNS(slots_columns),
	    .view = "unit capacity used executed percent busy_bundles full_bundles" },
	[LLO_LOOPS] = { SCHEMA_COLUMNS(loops_columns),
	    .view =
		"first last depth trips pipeline cycles_once cycles own_cycles share limit limit_percent" },
	[LLO_DMA] = { SCHEMA_COLUMNS(dma_columns),
	    .view =
		"address source_space target_space bytes runs predicated semaphore wait gap_cycles source" },
	[LLO_LINES] = { SCHEMA_COLUMNS(lines_columns), .view = "source instructions cycles" },
	[LLO_OPCODES] = { SCHEMA_COLUMNS(opcodes_columns), .view = "opcode count executed" },
	[LLO_CRITICAL] = { SCHEMA_COLUMNS(critical_columns), .view = "region length first cycles" },
	[LLO_MEMORY] = { SCHEMA_COLUMNS(memory_columns), .view = "space kind bytes" },
	[LLO_COMPARE] = { SCHEMA_COLUMNS(compare_columns) },
};
const struct schema llo_bundles_schema = { SCHEMA_COLUMNS(bundles_columns) };

const char *const llo_table_name[LLO_TABLES] = { "kernels", "about", "slots", "loops", "dma", "lines",
	"opcodes", "critical", "memory", "compare" };

static void add_said(const struct llo_kernel *k, int64_t id, struct table *t)
{
	struct llo_row r = { .k = k, .id = id };
	char buf[400];

	for (size_t i = 0; llo_said(k, i, &r.about, buf, sizeof buf); i++) {
		r.said = buf;
		table_add(t, &r);
	}
}

/* Adds the rows of a kernel, of which table_add() takes what the row points to. */
static void add_rows(const struct llo_kernel *k, enum llo_table which, int64_t id, struct table *t)
{
	const size_t n[LLO_TABLES] = { [LLO_KERNELS] = 1,
		[LLO_SLOTS] = k->nunits,
		[LLO_LOOPS] = k->nloops,
		[LLO_DMA] = k->ndma,
		[LLO_LINES] = k->nlines,
		[LLO_OPCODES] = k->nops,
		[LLO_CRITICAL] = k->nchains,
		[LLO_MEMORY] = k->nmemory };

	for (size_t i = 0; i < n[which]; i++) {
		struct llo_row r = { .k = k, .id = id };

		r.unit = which == LLO_SLOTS ? &k->unit[i] : NULL;
		r.loop = which == LLO_LOOPS ? &k->loop[i] : NULL;
		r.dma = which == LLO_DMA ? &k->dma[i] : NULL;
		r.line = which == LLO_LINES ? &k->line[i] : NULL;
		r.op = which == LLO_OPCODES ? &k->op[i] : NULL;
		r.chain = which == LLO_CRITICAL ? &k->chain[i] : NULL;
		r.memory = which == LLO_MEMORY ? &k->memory[i] : NULL;
		table_add(t, &r);
	}
}

static void compare_table(const struct llo *l, struct table *t)
{
	struct llo_pair *v;
	size_t n = 0;

	v = llo_pairs(l, &n);
	for (size_t i = 0; i < n; i++)
		table_add(t, &(struct llo_row){ .pair = &v[i] });
	free(v);
}

void llo_table(const struct llo *l, enum llo_table which, size_t only, bool all, struct table *t)
{
	table_begin(t, &llo_schema[which]);
	if (which == LLO_COMPARE) {
		compare_table(l, t);
		return;
	}
	for (size_t i = 0, id = 0; i < l->n; i++) {
		const struct llo_kernel *k = &l->v[i];

		if ((!all && k->kind == LLO_INFRASTRUCTURE) || (l->against && k->dump))
			continue;
		if (only == SIZE_MAX || only == i)
			which == LLO_ABOUT ? add_said(k, (int64_t)id, t) : add_rows(k, which, (int64_t)id, t);
		id++;
	}
}

/* A region that ends is closed with those in it that do not; how many are open then. */
static uint32_t close_region(const uint32_t *open, uint32_t n, uint32_t number)
{
	enum { UNENDED_MOST = 64 };

	for (uint32_t i = n; i && n - i < UNENDED_MOST; i--)
		if (open[i - 1] == number)
			return i - 1;
	return n;
}

/* The region that encloses each bundle, or LLO_NONE; the caller frees. */
static uint32_t *regions_of(const struct llo_kernel *k)
{
	uint32_t *v = xcalloc((size_t)k->bundles + 1, sizeof *v),
		 *open = xcalloc(k->b.nregions + 1, sizeof *open), n = 0;
	size_t at = 0;

	for (uint32_t i = 0; i < (uint32_t)k->bundles; i++) {
		size_t end = at;

		for (; end < k->b.nregions && k->b.region[end].bundle == i; end++)
			if (k->b.region[end].mark == LLO_START)
				open[n++] = k->b.region[end].number;
		v[i] = n ? open[n - 1] : LLO_NONE;
		for (; at < end; at++)
			if (k->b.region[at].mark == LLO_END)
				n = close_region(open, n, k->b.region[at].number);
	}
	free(open);
	return v;
}

const char *llo_unit_letter(const struct llo_kernel *k, size_t unit)
{
	static const char *const known[][2] = { { "MATMUL", "M" }, { "MXU", "M" }, { "MATPUSH", "P" },
		{ "XLU", "X" }, { "VALU", "A" }, { "VPOP", "O" }, { "EUP", "E" }, { "VLOAD", "L" },
		{ "VSTORE", "S" }, { "SALU", "s" } };
	static const char digits[][2] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (slice_is(k->unit[unit].name, known[i][0]))
			return known[i][1];
	return digits[unit % 10];
}

void llo_bundles_table(const struct llo_kernel *k, struct table *t)
{
	enum {
		COLUMNS = sizeof bundles_columns / sizeof *bundles_columns,
		BEHIND = 3,
		BEFORE = COLUMNS - BEHIND
	};
	uint32_t *regions = regions_of(k);
	struct column *columns;
	struct cell cells[COLUMNS];

	table_begin(t, &llo_bundles_schema);
	columns = arena_alloc(&t->text, (COLUMNS + k->nunits) * sizeof *columns);
	memcpy(columns, bundles_columns, BEFORE * sizeof *columns);
	for (size_t u = 0; u < k->nunits; u++) {
		const char *name = arena_strndup(&t->text, k->unit[u].name.s, k->unit[u].name.n);

		columns[BEFORE + u] = (struct column){ .id = name,
			.label = name,
			.unit = "",
			.type = COL_INTEGER,
			.title = llo_unit_letter(k, u),
			.width = 1,
			.show = SHOW_SLOTS,
			.meaning = "Slots of that unit that are used" };
	}
	memcpy(columns + BEFORE + k->nunits, bundles_columns + BEFORE, BEHIND * sizeof *columns);
	t->columns = columns;
	t->ncolumns = COLUMNS + k->nunits;
	for (uint32_t i = 0; i < (uint32_t)k->bundles; i++) {
		struct llo_row r = { .k = k, .at = i, .region = regions[i] };
		struct cell *to = table_row(t);

		table_cells(bundles_columns, COLUMNS, &r, &t->text, cells);
		memcpy(to, cells, BEFORE * sizeof *to);
		for (size_t u = 0; u < k->nunits; u++)
			to[BEFORE + u] = cell_int(llo_slots(k, i, u));
		memcpy(to + BEFORE + k->nunits, cells + BEFORE, BEHIND * sizeof *to);
	}
	free(regions);
}
