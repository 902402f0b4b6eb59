#include "config.h"
#include "report/tool/ptxla.h"

#include <string.h>

#include "analyze/findings/findings.h"
#include "analyze/ptxla/tables/changes.h"
#include "capture/results.h"
#include "report/blocks.h"
#include "report/choose.h"
#include "report/warnings.h"

static bool is_of_reports(enum ptxla_table which)
{
	return which == PTXLA_METRICS || which == PTXLA_PERCENTILES || which == PTXLA_COUNTERS;
}

static void make_findings(const struct ptxla *x, struct table *t)
{
	struct findings f;

	findings_of_ptxla(x, PTXLA_EACH_PLACE, &f);
	ptxla_findings_table(&f, t);
	findings_free(&f);
}

static void make_table(const struct ptxla *x, enum ptxla_table which, struct table *t)
{
	if (which == PTXLA_FINDINGS)
		make_findings(x, t);
	else if (which == PTXLA_CHANGES)
		ptxla_changes(x, t);
	else
		ptxla_table(x, which, SIZE_MAX, t);
}

static void put_row(void *ctx, const struct cell *cells)
{
	report_row(ctx, cells);
}

/* Rows of reports, of which there may be millions, are written one by one. */
static void put_table(struct report *r, const struct ptxla *x, enum ptxla_table which)
{
	struct table t;

	if (is_of_reports(which)) {
		table_begin(&t, &ptxla_schema[which]);
		report_table_like(r, ptxla_table_name[which], &t);
		ptxla_each(x, which, put_row, r);
		report_table_end(r);
	} else {
		make_table(x, which, &t);
		report_whole(r, ptxla_table_name[which], &t);
	}
	table_free(&t);
}

void report_ptxla_findings(struct report *r, const struct ptxla *x)
{
	struct table t;

	make_table(x, PTXLA_FINDINGS, &t);
	if (t.nrows)
		report_blocks(r, "findings", &t, 0);
	table_free(&t);
}

/* CSV has one table. */
static bool table_is_wanted(const struct report_options *o, const struct ptxla_form *form,
    enum ptxla_table which)
{
	if (o->table)
		return !strcmp(o->table, ptxla_table_name[which]);
	return o->format != REPORT_CSV || which == form->most;
}

/* --sort, --top, --table: the tables are made as a whole, before anything is written. */
struct chosen {
	struct table t[PTXLA_PRINTED_MOST], *printed[PTXLA_PRINTED_MOST];
};

static int make_chosen(struct chosen *c, const struct ptxla *x, const struct report_options *o,
    const struct ptxla_form *form, struct err *e)
{
	struct report_options options = *o;
	size_t most = 0;

	*c = (struct chosen){ .printed = { NULL } };
	for (size_t i = 0; i < form->n; i++) {
		c->printed[i] = table_is_wanted(o, form, form->tables[i]) ? &c->t[i] : NULL;
		if (c->printed[i])
			make_table(x, form->tables[i], &c->t[i]);
		most = form->tables[i] == form->most ? i : most;
	}
	if (o->format == REPORT_CSV && !o->table)
		options.table = ptxla_table_name[form->most];
	return report_order_tables(&options, form->tool, c->printed, form->n, most, e);
}

static void put_chosen(struct report *r, const struct chosen *c, const struct report_options *o,
    const struct ptxla_form *form)
{
	for (size_t i = 0; i < form->n; i++)
		if (c->printed[i] && (c->t[i].nrows || o->table || o->format != REPORT_TEXT))
			report_whole(r, report_table_name(form->tool, i), &c->t[i]);
}

static void put_all(struct report *r, const struct ptxla *x, const struct report_options *o,
    const struct ptxla_form *form)
{
	if (o->format == REPORT_TEXT && form->people) {
		form->people(r, x);
		return;
	}
	for (size_t i = 0; i < form->n; i++)
		if (table_is_wanted(o, form, form->tables[i]))
			put_table(r, x, form->tables[i]);
}

static void warn(struct report *r, const struct dump *d, const struct ptxla *x)
{
	report_dump_warnings(r, d);
	if (x->damaged)
		report_warning(r,
		    "%zu of %zu texts have bytes that are not text; lines around them may be missing",
		    x->damaged, x->nfiles);
}

static int put_report(const struct dump *d, const struct report_options *o, FILE *out,
    const struct ptxla_form *form, const struct ptxla *x, const struct chosen *c, struct err *e)
{
	struct facts summary = { .v = NULL };
	struct report *r = report_open(o, out, form->tool, d);

	report_csv_table(r, o->table ? o->table : ptxla_table_name[form->most]);
	warn(r, d, x);
	form->summary(x, o->format == REPORT_TEXT, &summary);
	report_facts(r, &summary);
	if (c)
		put_chosen(r, c, o, form);
	else
		put_all(r, x, o, form);
	facts_free(&summary);
	return report_end(r, e);
}

int report_ptxla(struct capture *c, const struct report_options *o, FILE *out, const struct ptxla_form *form,
    struct err *e)
{
	bool choose = o->sort || o->table || o->top >= 0;
	struct chosen chosen = { .printed = { NULL } };
	const struct ptxla *x = capture_get(c, RESULT_PTXLA, NULL, e);
	int bad;

	if (!x)
		return -1;
	if (!form->has(x))
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "%s", form->nothing);
	bad = choose ? make_chosen(&chosen, x, o, form, e) : 0;
	if (!bad)
		bad = put_report(c->base, o, out, form, x, choose ? &chosen : NULL, e);
	for (size_t i = 0; i < form->n; i++)
		table_free(&chosen.t[i]);
	return bad ? -1 : EXIT_OK;
}

void report_ptxla_others(struct report *r, const struct ptxla *x, const char *tool)
{
	for (int i = 0; i < PTXLA_TABLES; i++)
		if (!report_has_table(tool, ptxla_table_name[i]))
			put_table(r, x, (enum ptxla_table)i);
}
