#include "config.h"
#include "report/reports.h"

#include <string.h>

#include "analyze/input_pipeline.h"
#include "report/tool_part.h"

enum { TABLES = 5 };

static const char *const names[TABLES] = { "device", "max_infeed_core", "host_ops", "breakdown",
	"recommendations" };

static struct table *table_of(struct input_pipeline *p, const char *name)
{
	struct table *tables[TABLES] = { &p->device, &p->max_infeed_core, &p->host_ops, &p->breakdown,
		&p->recommendations };

	for (int i = 0; i < TABLES; i++)
		if (!strcmp(name, names[i]))
			return tables[i];
	return NULL;
}

/* Of measurements, `warnings` are those of their overview; of a file, it is the file that is said. */
static int write_report(const struct dump *d, const struct report_options *o, FILE *f,
    struct input_pipeline *p, const struct table *warnings, const struct toolfile *file, size_t more,
    struct err *e)
{
	struct report *r;

	/* --sort and --top are for the table asked for, else for the ops of the host */
	if (report_order(o, table_of(p, o->table ? o->table : "host_ops"), e))
		return -1;
	r = report_begin(f, o->format, o->width, "input_pipeline", d);
	if (file)
		tool_warnings(r, d, file, more);
	else
		report_dump_warnings(r, d);
	if (warnings)
		report_warnings(r, warnings);
	report_warnings(r, &p->warnings);
	report_facts(r, &p->summary);
	for (int i = 0; i < TABLES; i++)
		if (!o->table || !strcmp(o->table, names[i]))
			report_whole(r, names[i], table_of(p, names[i]));
	return report_end(r, e);
}

int report_input_pipeline(struct dump *d, const struct report_options *o, FILE *f, struct err *e)
{
	struct steps steps;
	struct opdb_options ops = {
		.host = o->host, .core = o->core, .threads = o->threads, .steps = &steps
	};
	struct overview_options options = { .host = o->host, .core = o->core, .threads = o->threads };
	struct input_pipeline p;
	struct overview v;
	const struct toolfile *file;
	struct opdb db;
	size_t more;
	int bad;

	if (report_check_tables(o, "input_pipeline", TAKES_CORE, names, TABLES, e))
		return -1;
	if ((file = input_toolfile(d, o->host, &more))) {
		input_from_toolfile(file, &p);
		bad = write_report(d, o, f, &p, NULL, file, more, e);
		input_pipeline_free(&p);
		return bad ? -1 : EXIT_OK;
	}
	steps_find(d, &steps, false);
	opdb_build(d, &ops, &db);
	overview_build(d, &steps, &db, &options, &v);
	input_pipeline_build(d, &steps, &v, &options, &p);
	for (size_t i = 0; i < p.summary.n && o->format == REPORT_TEXT; i++)
		if (!overview_known(&v, p.summary.v[i].id))
			p.summary.v[i].v = cell_null();
	bad = write_report(d, o, f, &p, &v.warnings, NULL, 0, e);
	input_pipeline_free(&p);
	overview_free(&v);
	opdb_free(&db);
	steps_free(&steps);
	return bad ? -1 : EXIT_OK;
}
