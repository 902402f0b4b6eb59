#include "config.h"
#include "report/reports.h"

#include <string.h>

#include "analyze/account/account.h"
#include "analyze/communication/communication.h"
#include "analyze/diff/diff.h"
#include "analyze/events/tracestat.h"
#include "analyze/findings/findings.h"
#include "analyze/graph/tables.h"
#include "analyze/graph/waste.h"
#include "analyze/idle/idle.h"
#include "analyze/kernels/kernels.h"
#include "analyze/llo/llo.h"
#include "analyze/memory/dump.h"
#include "analyze/memory/tables.h"
#include "analyze/memprof/pprof.h"
#include "analyze/memprof/profile.h"
#include "analyze/overview/environment.h"
#include "analyze/overview/input_pipeline.h"
#include "analyze/overview/overview.h"
#include "analyze/pod/beside.h"
#include "analyze/pod/links.h"
#include "analyze/ptxla/tables/changes.h"
#include "analyze/ptxla/tables/tables.h"
#include "analyze/scopes/scopes.h"
#include "analyze/replay/replay.h"
#include "analyze/steps/steps.h"
#include "analyze/tables/ops.h"
#include "analyze/tables/roofline.h"
#include "analyze/tf/compat.h"
#include "analyze/triage/triage.h"
#include "base/text/roff.h"
#include "result/advice.h"
#include "result/facts.h"

static const struct {
	const char *tool, *name, *listed;
	const struct schema *schema;
} tables[] = {
#define TABLE(tool, name, listed, schema) { #tool, name, listed, schema },
#include "report/tables.def"
#undef TABLE
};

enum { TABLES = sizeof tables / sizeof *tables };

const char *report_table_name(const char *tool, size_t i)
{
	const char *last = "";

	for (size_t k = 0; k < TABLES; k++) {
		if (strcmp(tables[k].tool, tool) || !tables[k].name || !strcmp(tables[k].name, last))
			continue;
		last = tables[k].name;
		if (!i--)
			return last;
	}
	return NULL;
}

bool report_has_table(const char *tool, const char *table)
{
	size_t i = 0;

	while (report_table_name(tool, i) && strcmp(report_table_name(tool, i), table))
		i++;
	return report_table_name(tool, i);
}

bool report_table_at(size_t i, struct report_table *t)
{
	if (i >= TABLES)
		return false;
	*t = (struct report_table){ tables[i].tool, tables[i].name, tables[i].schema };
	for (size_t k = i; k > 0 && !t->schema; k--)
		t->schema = tables[k - 1].schema;
	return true;
}

/* Returns the i-th table that has columns of its own; TABLES: there are no more, and *i is how many there are less. */
static size_t reported(size_t *i)
{
	size_t k = 0;

	for (; k < TABLES; k++)
		if (tables[k].schema && !(*i)--)
			return k;
	return TABLES;
}

const struct schema *report_schema(size_t i)
{
	size_t k = reported(&i);

	return k < TABLES ? tables[k].schema : NULL;
}

/* The i-th of all tables: those of reports, then those of views. */
static bool table_of(report_more_tables *more, size_t i, struct report_table *t)
{
	size_t k = reported(&i);

	if (k == TABLES)
		return more && more(i, t);
	*t = (struct report_table){ tables[k].tool, tables[k].listed ? tables[k].listed : tables[k].name,
		tables[k].schema };
	return true;
}

static void list_item(FILE *f, bool man, const char *id, const char *unit, const char *meaning)
{
	if (!man) {
		fprintf(f, "  %-36s %-8s  %s\n", id, unit, meaning);
		return;
	}
	fprintf(f, ".TP 28\n\\fB%s\\fR%s%s\n", id, *unit ? "  " : "", unit);
	roff_text(f, meaning);
	fputc('\n', f);
}

/* The summary of a report, which is listed before its first table. */
static void list_facts(FILE *f, const char *of, const char *tool, bool man)
{
	const struct fact_info *x;
	size_t n = 0;

	for (size_t i = 0; (x = fact_info(i)); i++) {
		if (!fact_is_of(x, tool))
			continue;
		if (!n++)
			fprintf(f, man ? ".SS \"%s%s, summary\"\n.PD 0\n" : "%s%s: summary\n", of, tool);
		list_item(f, man, x->id, x->unit, x->meaning);
	}
	if (n)
		fputs(man ? ".PD\n" : "\n", f);
}

static void list_text(FILE *f, const struct schema *s)
{
	for (const struct column *c = s->columns; c < s->columns + s->n; c++)
		list_item(f, false, c->id, c->unit, c->meaning);
}

static void list_man(FILE *f, const struct schema *s)
{
	fputs(".PD 0\n", f);
	for (const struct column *c = s->columns; c < s->columns + s->n; c++)
		list_item(f, true, c->id, c->unit, c->meaning);
	fputs(".PD\n", f);
}

/* The first table with the columns of table i: i itself, unless an earlier one has them, too. */
static struct report_table same_columns(report_more_tables *more, size_t i)
{
	struct report_table t, of;

	table_of(more, i, &of);
	for (size_t k = 0; table_of(more, k, &t) && t.schema != of.schema;)
		k++;
	return t;
}

static bool is_same_table(const struct report_table *a, const struct report_table *b)
{
	return a->tool && !strcmp(a->tool, b->tool) && a->table && b->table && !strcmp(a->table, b->table);
}

static void list_table_for_man(FILE *f, const char *of, const struct report_table *t,
    const struct report_table *before, const struct report_table *first)
{
	if (is_same_table(before, t))
		fputs(".PP\nor, for another kind of input:\n", f);
	else
		fprintf(f, ".SS \"%s%s%s%s\"\n", of, t->tool, t->table ? ", " : "", t->table ? t->table : "");
	if (is_same_table(first, t) || !t->table)
		list_man(f, t->schema);
	else
		fprintf(f, "The columns of %s, %s.\n", first->tool, first->table);
}

static void list_table(FILE *f, const char *of, const struct report_table *t)
{
	fprintf(f, "%s%s%s%s\n", of, t->tool, t->table ? ": " : "", t->table ? t->table : "");
	list_text(f, t->schema);
}

/* The page is made of the tables alone: nobody keeps it. */
static const char page_head[] =
    ".TH TPUSCOPE-COLUMNS 7 2026-11-28 \"tpuscope " VERSION "\" \"Miscellaneous\"\n"
    ".SH NAME\n"
    "tpuscope\\-columns \\- the columns of all tables of tpuscope(1), with their units\n"
    ".SH DESCRIPTION\n"
    "The members of the summaries of reports, and the columns of their tables and of those on the screen, "
    "with "
    "their\nunits and what they mean.\n"
    ".B tpuscope \\-\\-list\\-columns\n"
    "prints the same, and\n"
    ".BR tpuscope (7)\n"
    "says how the numbers are made.\n"
    "Those of a view are in what\n"
    ".B E\n"
    "writes: of a table on the screen, the rows that its filter keeps, in its order.\n"
    ".SH COLUMNS\n";
static const char page_foot[] = ".SH SEE ALSO\n.BR tpuscope (1),\n.BR tpuscope (7)\n";

void report_list_columns(FILE *f, report_more_tables *more, bool man)
{
	struct report_table t, before = { .tool = NULL }, first;

	fputs(man ? page_head : "", f);
	for (size_t i = 0; table_of(more, i, &t); i++, before = t) {
		bool of_report = report_schema(i);
		const char *of = !of_report                                     ? "view "
		    : man && strcmp(t.tool, "triage") && strcmp(t.tool, "diff") ? "report "
										: "";

		if (!man && i)
			fputc('\n', f);
		if (of_report && (!before.tool || strcmp(before.tool, t.tool)))
			list_facts(f, of, t.tool, man);
		first = same_columns(more, i);
		if (man)
			list_table_for_man(f, of, &t, &before, &first);
		else
			list_table(f, of, &t);
	}
	fputs(man ? page_foot : "", f);
}

void report_columns_of(FILE *f, const char *tool)
{
	bool any = false;

	list_facts(f, "", tool, false);
	for (size_t i = 0; i < TABLES; i++) {
		struct report_table t;

		if (strcmp(tables[i].tool, tool) || !tables[i].schema || !report_table_at(i, &t))
			continue;
		if (any)
			fputc('\n', f);
		list_table(f, "", &t);
		any = true;
	}
}
