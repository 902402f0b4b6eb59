#include "config.h"
#include "report/reports.h"

#include "analyze/overview/input_pipeline.h"
#include "capture/results.h"
#include "report/blocks.h"
#include "report/choose.h"
#include "report/warnings.h"

/* in the order of report/tables.def; RUNS in text only if asked for */
enum { DEVICE, WORST_CORE, HOST_OPS, BREAKDOWN, ADVICE, RUNS, TABLES };

/* What the report shows: copies of the tables, which --sort and labels change. */
struct shown {
	struct facts summary;
	struct table t[TABLES];
};

static void make_shown(const struct overview *v, const struct input_pipeline *p, bool people, struct shown *s)
{
	const struct table *from[] = { [DEVICE] = p->file ? &p->device : &v->steps,
		[WORST_CORE] = &p->max_infeed_core,
		[HOST_OPS] = &p->host_ops,
		[BREAKDOWN] = &p->breakdown,
		[ADVICE] = &p->recommendations };

	facts_begin_like(&s->summary, &p->summary);
	for (size_t i = 0; i < RUNS; i++)
		table_begin_like(&s->t[i], from[i]);
	if (people && !p->file) {
		overview_label_steps(v, &s->t[DEVICE]);
		overview_label_steps(v, &s->t[WORST_CORE]);
	}
	overview_program_runs(v, &s->t[DEVICE], &s->t[RUNS]);
	if (people || p->file)
		return;
	overview_xprof_facts(v, &s->summary);
	if (v->own_ids)
		s->t[DEVICE].nrows = s->t[WORST_CORE].nrows = 0;
}

static void free_shown(struct shown *s)
{
	facts_free(&s->summary);
	for (int i = 0; i < TABLES; i++)
		table_free(&s->t[i]);
}

static int write_report(const struct dump *d, const struct report_options *o, FILE *f,
    const struct overview *v, const struct input_pipeline *p, struct shown *s, struct err *e)
{
	struct table *t[TABLES];
	struct report *r;

	for (int i = 0; i < TABLES; i++)
		t[i] = &s->t[i];
	if (report_order_tables(o, "input_pipeline", t, TABLES, HOST_OPS, e))
		return -1;
	r = report_open(o, f, "input_pipeline", d);
	report_file_warnings(r, d, p->file, o->host);
	if (!p->file)
		report_warnings(r, &v->warnings);
	report_warnings(r, &p->warnings);
	report_facts(r, &s->summary);
	for (int i = 0; i < TABLES; i++) {
		const char *name = report_table_name("input_pipeline", (size_t)i);

		if (o->table ? !report_is_table(o, "input_pipeline", (size_t)i)
			     : o->format == REPORT_TEXT && i == RUNS)
			continue;
		if (o->format == REPORT_TEXT && i == ADVICE)
			report_blocks(r, name, t[i], 0);
		else
			report_whole(r, name, t[i]);
	}
	return report_end(r, e);
}

int report_input_pipeline(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct overview *v;
	const struct input_pipeline *p;
	struct shown s;
	int bad;

	if (report_check(c, o, e) || !(v = capture_get(c, RESULT_OVERVIEW, NULL, e)) ||
	    !(p = capture_get(c, RESULT_INPUT, NULL, e)))
		return -1;
	make_shown(v, p, o->format == REPORT_TEXT, &s);
	bad = write_report(c->base, o, f, v, p, &s, e);
	free_shown(&s);
	return bad ? -1 : EXIT_OK;
}
