#include "config.h"
#include "report/measured.h"

#include "report/blocks.h"
#include "report/choose.h"
#include "report/parts.h"
#include "report/warnings.h"

static void put_notes(struct report *r, const char *name, const char *label, const struct finding_note *v,
    size_t n)
{
	const struct column note[] = {
		{ "what", label, "", COL_STRING },
		{ "text", "", "", COL_STRING },
	};

	if (!n)
		return;
	report_table(r, name, note, 2);
	for (size_t i = 0; i < n; i++)
		report_row(r, (struct cell[]){ cell_strz(v[i].title), cell_strz(v[i].text) });
	report_table_end(r);
}

void report_finding_rows(struct report *r, const struct dump *d, const struct findings *v,
    const struct overview *overview, const struct table *t, size_t more)
{
	int64_t n[3] = { 0 };

	if (overview && (d->trace.ntracks || d->trace.ncounters))
		report_warnings(r, &overview->warnings);
	for (size_t i = 0; i < v->n; i++)
		n[v->v[i].severity]++;
	report_sum_int(r, "findings", (int64_t)v->n);
	for (int i = 0; i < 3; i++)
		report_sum_int(r, severity_name((enum severity)i), n[i]);
	if (!report_for_people(r)) {
		report_whole(r, NULL, t);
		return;
	}
	report_blocks(r, "findings", t, more);
	put_notes(r, "checked", "checked, nothing to report", v->checked, v->nchecked);
	put_notes(r, "missing", "not in this capture", v->missing, v->nmissing);
}

static int write_report(const struct dump *d, const struct report_options *o, FILE *f,
    const struct findings *v, const struct overview *overview, struct err *e)
{
	struct report *r;
	struct table t;
	int bad;

	findings_table(v, NULL, v->n, &t);
	if (report_order(o, &t, e)) {
		table_free(&t);
		return -1;
	}
	r = report_begin(f, o->format, o->width, "findings", d);
	report_dump_warnings(r, d);
	report_finding_rows(r, d, v, overview, &t, v->n - t.nrows);
	bad = report_end(r, e);
	table_free(&t);
	return bad;
}

int report_findings(struct dump *d, const struct report_options *o, FILE *f, struct err *e)
{
	struct findings findings;
	struct measured m;
	int bad;

	if (report_check(d, o, e))
		return -1;
	measured_begin(d, o, true, &m);
	if (!(bad = measured_findings(d, o, &m, &findings, e))) {
		bad = write_report(d, o, f, &findings, &m.overview, e);
		findings_free(&findings);
	}
	measured_free(&m);
	return bad ? -1 : EXIT_OK;
}
