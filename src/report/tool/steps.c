#include "config.h"
#include "report/reports.h"

#include <string.h>

#include "analyze/account/account.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"
#include "result/table.h"

static bool step_is_wanted(const struct dump *d, const struct step *s, const struct report_options *o)
{
	if (o->host && !dump_host_is(d, s->host, o->host))
		return false;
	if (o->core >= 0 && s->core != o->core)
		return false;
	return !o->step || steps_is(s, o->step);
}

int report_steps(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->base;
	const struct step_parts *parts;
	const struct steps *steps;
	struct table t;
	struct report *r;
	size_t n = 0;

	if (report_check(c, o, e) || !(parts = capture_get(c, RESULT_STEPS, NULL, e)))
		return -1;
	steps = &parts->steps;
	account_rows_table(d, steps, parts->row, parts->median, parts->why, o->format == REPORT_TEXT, &t);
	for (size_t i = 0; i < steps->n; i++)
		if (step_is_wanted(d, &steps->v[i], o))
			memmove(t.cells + n++ * t.ncolumns, t.cells + i * t.ncolumns,
			    t.ncolumns * sizeof *t.cells);
	t.nrows = n;
	if (report_order(o, &t, e)) {
		table_free(&t);
		return -1;
	}
	r = report_open(o, f, "steps", d);
	if (!steps->n)
		report_reason(r, REASON_no_steps, true);
	report_dump_warnings(r, d);
	report_steps_warnings(r, steps);
	report_clock_warnings(r, d);
	report_sum_int(r, "steps", (int64_t)steps->distinct);
	report_sum_str(r, "source", steps_source_name(steps->source));
	report_sum_num(r, "steptime_ms_average", steps->avg_ms);
	report_sum_num(r, "steptime_ms_standard_deviation", steps->sd_ms);
	report_sum_num(r, "steptime_ms_minimum", steps->min_ms);
	report_sum_num(r, "steptime_ms_maximum", steps->max_ms);
	report_whole(r, NULL, &t);
	table_free(&t);
	return report_end(r, e) ? -1 : EXIT_OK;
}
