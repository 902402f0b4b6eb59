#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/memory/rank.h"
#include "analyze/memory/tables.h"
#include "analyze/triage/triage.h"
#include "base/text/units.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"

#define HEAP_MAX 200 /* rows in text without --top */

enum { HEAP, BUFFERS, SPANS, MODULES, BY_OP, DONATIONS, TABLES };

struct work {
	struct capture *capture;
	const struct dump *dump;
	const struct report_options *o;
	struct memory memory;
	const struct hlo_module *module;
	int space;
	const struct triage *said; /* NULL: no texts were opened with the dump */
	int64_t *limit;            /* of each module: triage_limits() */
	struct table table[TABLES];
};

static int choose_module(struct work *w, struct err *e)
{
	const struct dump *d = w->dump;
	int found;

	if (!d->nmodules)
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "%s",
		    hlo_modules_why(d)
			? hlo_modules_why(d)
			: "no HLO modules found; name a run folder with *.hlo_proto.pb, "
			  "a folder of --xla_dump_to with --xla_dump_hlo_as_proto, one of their files, or an "
			  "XSpace captured with enable_hlo_proto");
	if (!w->o->module) {
		if ((found = w->said ? triage_module(w->said, d) : -1) < 0)
			found = memory_first(d, NULL);
		if (found < 0)
			found = memory_first(d, capture_get(w->capture, RESULT_MODULES, NULL, NULL));
		w->module = &d->modules[found];
		return 0;
	}
	found = hlo_module_find(d, w->o->module);
	if (found < 0)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "no module '%s'; give a name, name(id) or id from report memory without --module",
		    w->o->module);
	w->module = &d->modules[found];
	return 0;
}

/* Whether the file's own problem says already that the module is cut off. */
static bool is_told(const struct dump *d, const struct hlo_module *m)
{
	return m->origin == HLO_FILE && d->files[m->file].partial;
}

static void tell_damage(struct work *w, size_t module, const struct err *damaged)
{
	const struct hlo_module *m = &w->dump->modules[module];

	if (damaged->status && !is_told(w->dump, m))
		report_damage(w->dump, m->file, damaged->at, damaged->msg);
}

static struct cell peak_of(const struct memory *m)
{
	const struct cell *c = facts_get(&m->summary, "peakHeapMib");

	return c ? *c : cell_null();
}

/* A program and its use of the memory space asked for */
struct module_peak {
	const struct hlo_module *module;
	const struct memory *memory;
	struct cell peak;
};

static struct cell program_id(const struct hlo_module *h, struct arena *text)
{
	char id[24];

	snprintf(id, sizeof id, "%" PRIu64, h->program);
	return h->program ? cell_str(arena_strndup(text, id, strlen(id)), strlen(id)) : cell_null();
}

#define SCHEMA modules
#define SCHEMA_ROW struct module_peak
#define SCHEMA_DEF "report/tool/memory_modules.def"
#include "result/schema_def.h"
#include "model/hlo.h"

const struct schema memory_modules_schema = { SCHEMA_COLUMNS(modules_columns) };

/* Adds one module and frees its message before the next is read, because messages are large. */
static void add_module(struct work *w, size_t i)
{
	struct memory m;
	struct module_peak row = { &w->dump->modules[i], &m, cell_null() };
	struct arena arena = { 0 };
	struct err err;

	if (!memory_make(w->dump, i, w->space, w->limit[i], &arena, &m, &err))
		row.peak = peak_of(&m);
	tell_damage(w, i, &err);
	table_add(&w->table[MODULES], &row);
	memory_free(&m);
	arena_free(&arena);
}

static bool is_list(const struct work *w)
{
	return !w->o->module && w->dump->nmodules > 1;
}

static void add_modules(struct work *w)
{
	table_add(&w->table[MODULES], &(struct module_peak){ w->module, &w->memory, peak_of(&w->memory) });
	for (size_t i = 0; i < w->dump->nmodules && is_list(w); i++)
		if (&w->dump->modules[i] != w->module)
			add_module(w, i);
	table_sort(&w->table[MODULES], "peakHeapMib:desc", NULL);
}

static void build_tables(struct work *w)
{
	size_t module = (size_t)(w->module - w->dump->modules);
	struct err err;

	memory_make(w->dump, module, w->space, w->limit[module], NULL, &w->memory, &err);
	tell_damage(w, module, &err);
}

static bool is_printed(const struct work *w, int i)
{
	size_t rows = w->table[i].nrows;

	if (w->o->table)
		return report_is_table(w->o, "memory", i);
	if (w->o->format != REPORT_TEXT || i == BUFFERS)
		return true;
	return i != SPANS && rows && (i != HEAP || rows <= HEAP_MAX);
}

static int order_tables(struct work *w, struct err *e)
{
	struct table *printed[TABLES];

	for (int i = 0; i < TABLES; i++)
		printed[i] = is_printed(w, i) ? &w->table[i] : NULL;
	return report_order_tables(w->o, "memory", printed, TABLES, is_list(w) ? MODULES : BUFFERS, e);
}

static int put_tables(struct work *w, FILE *f, struct err *e)
{
	struct report *r;
	char title[HLO_TITLE];

	if (order_tables(w, e))
		return -1;
	hlo_module_title(w->dump, (size_t)(w->module - w->dump->modules), title, sizeof title);
	r = report_open(w->o, f, "memory", w->dump);
	report_dump_warnings(r, w->dump);
	report_module_warning(r, w->dump, w->o->module, w->module);
	report_memory_warnings(r, w->dump, w->module, &w->memory, w->space);
	if (!w->o->module && triage_missing(w->said, w->dump))
		report_warning(r, "the message is about %s, which is not here: showing %s",
		    triage_missing(w->said, w->dump), title);
	if (is_list(w))
		report_warning(r, "%zu modules; showing %s, which %s; choose another with --module",
		    w->dump->nmodules, title,
		    triage_module_why(w->said, w->dump, (size_t)(w->module - w->dump->modules)));
	report_facts(r, &w->memory.summary);
	for (int i = 0; i < TABLES; i++)
		if (is_printed(w, i))
			report_whole(r, report_table_name("memory", i), &w->table[i]);
	return report_end(r, e);
}

/* Messages may say which program is meant, and how much memory there is. */
static void read_texts(struct work *w)
{
	if (triage_has_texts(w->dump))
		w->said = capture_get(w->capture, RESULT_TRIAGE, NULL, NULL);
	w->limit = triage_limits(w->said, w->dump);
}

int report_memory(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->base;
	struct work w = { .capture = c, .dump = d, .o = o, .space = o->space > 0 ? o->space : 0 };
	const struct memory *m = &w.memory;
	int bad;

	read_texts(&w);
	if (choose_module(&w, e)) {
		free(w.limit);
		return -1;
	}
	build_tables(&w);
	if (w.module->damaged && !is_told(d, w.module))
		report_damage(d, w.module->file, ERR_NOWHERE, w.module->damage);
	memory_heap_table(m, &w.table[HEAP]);
	memory_buffers_table(m, &w.table[BUFFERS]);
	memory_spans_table(m, &w.table[SPANS]);
	memory_by_op_table(m, &w.table[BY_OP]);
	memory_donations_table(m, &w.table[DONATIONS]);
	table_begin(&w.table[MODULES], &memory_modules_schema);
	add_modules(&w);
	bad = put_tables(&w, f, e);
	for (int i = 0; i < TABLES; i++)
		table_free(&w.table[i]);
	memory_free(&w.memory);
	free(w.limit);
	return bad ? -1 : EXIT_OK;
}
