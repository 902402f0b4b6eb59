#include "config.h"
#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "analyze/overview/input_pipeline.h"
#include "report/blocks.h"
#include "report/choose.h"
#include "report/measured.h"
#include "report/tool_file.h"
#include "report/warnings.h"

enum { HOST_OPS = 2, TABLES = 6 };

/* v: of a capture, whose steps and warnings are written; NULL: the numbers are a file's, and a warning names
 * it. */
static int write_report(const struct dump *d, const struct report_options *o, FILE *f,
    struct input_pipeline *p, struct table *runs, struct overview *v, const struct toolfile *file,
    size_t more, struct err *e)
{
	struct table *t[TABLES] = { v ? &v->steps : &p->device, &p->max_infeed_core, &p->host_ops,
		&p->breakdown, &p->recommendations, runs };
	struct report *r;

	if (report_order_tables(o, "input_pipeline", t, TABLES, HOST_OPS, e))
		return -1;
	r = report_begin(f, o->format, o->width, "input_pipeline", d);
	if (file)
		report_tool_warnings(r, d, file, more);
	else
		report_dump_warnings(r, d);
	if (v)
		report_warnings(r, &v->warnings);
	report_warnings(r, &p->warnings);
	report_facts(r, &p->summary);
	for (int i = 0; i < TABLES; i++)
		if (o->table ? !report_is_table(o, "input_pipeline", i)
			     : o->format == REPORT_TEXT && t[i] == runs)
			continue;
		else if (o->format == REPORT_TEXT && t[i] == &p->recommendations)
			report_blocks(r, report_table_name("input_pipeline", i), t[i], 0);
		else
			report_whole(r, report_table_name("input_pipeline", i), t[i]);
	return report_end(r, e);
}

int report_input_pipeline(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->dump;
	struct input_pipeline p;
	struct measured m;
	struct table runs;
	const struct toolfile *file;
	size_t more;
	int bad;

	if (report_check(c, o, e))
		return -1;
	if ((file = input_toolfile(d, o->host, &more))) {
		input_from_toolfile(file, &p);
		overview_program_runs(&(struct overview){ .file = file }, &p.device, &runs);
		bad = write_report(d, o, f, &p, &runs, NULL, file, more, e);
		table_free(&runs);
		input_pipeline_free(&p);
		return bad ? -1 : EXIT_OK;
	}
	measured_begin(d, o, false, &m);
	input_pipeline_build(d, &m.steps, &m.overview, &m.options, &p);
	if (o->format == REPORT_TEXT) {
		overview_label_steps(&m.overview, &m.overview.steps);
		overview_label_steps(&m.overview, &p.max_infeed_core);
	}
	overview_program_runs(&m.overview, &m.overview.steps, &runs);
	if (o->format != REPORT_TEXT) {
		overview_xprof_facts(&m.overview, &p.summary);
		if (m.overview.own_ids)
			m.overview.steps.nrows = p.max_infeed_core.nrows = 0;
	}
	bad = write_report(d, o, f, &p, &runs, &m.overview, NULL, 0, e);
	table_free(&runs);
	input_pipeline_free(&p);
	measured_free(&m);
	return bad ? -1 : EXIT_OK;
}
