#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/overview/environment.h"
#include "base/text/units.h"
#include "report/blocks.h"
#include "report/choose.h"
#include "report/measured.h"
#include "report/parts.h"
#include "report/tool_file.h"
#include "report/warnings.h"
#include "result/advice.h"

enum { RUNS = 5, TABLES = 8 }; /* from RUNS on: in text only if asked for */

#define GAUGE 10

/* Returns "#######............." for a percentage, "" for anything else. */
static struct cell gauge(struct arena *a, const char *id, const struct cell *v)
{
	char text[GAUGE];
	size_t n;

	if ((!strstr(id, "_percent") && !strstr(id, "_relative_to_")) || strstr(id, "deviation") ||
	    v->type != CELL_NUM)
		return cell_str("", 0);
	n = v->u.d > 0 ? v->u.d >= 100 ? GAUGE : (size_t)(v->u.d / 100 * GAUGE + 0.5) : 0;
	memset(text, '#', n);
	memset(text + n, '.', GAUGE - n);
	return cell_str(arena_strndup(a, text, GAUGE), GAUGE);
}

/* Splits "infeed_percent_average" into "infeed average" and "%". */
static const char *label_of(const char *id, char *label, size_t size)
{
	static const struct {
		const char *part, *unit;
	} units[] = { { "_percent", " %" }, { "_ms", " ms" } };

	snprintf(label, size, "%s", id);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		char *at = strstr(label, units[i].part);

		if (!at)
			continue;
		memmove(at, at + strlen(units[i].part), strlen(at + strlen(units[i].part)) + 1);
		for (char *s = label; *s; s++)
			*s = *s == '_' ? ' ' : *s;
		return units[i].unit;
	}
	for (char *s = label; *s; s++)
		*s = *s == '_' ? ' ' : *s;
	return strstr(id, "_relative_to_") ? " %" : "";
}

#define LARGE 1e15 /* of a gauge: more is written as a power of ten */

static struct cell value_of(struct arena *a, const struct cell *v, const char *unit)
{
	char text[80];
	int n = 0;

	switch (v->type) {
	case CELL_STR:
		return *v;
	case CELL_NUM:
		n = snprintf(text, sizeof text, fabs(v->u.d) < LARGE ? "%.*f%s" : "%.*g%s",
		    *unit == ' ' && unit[1] == '%' ? 1 : 3, v->u.d, unit);
		break;
	case CELL_INT:
		n = snprintf(text, sizeof text, "%" PRId64, v->u.i);
		break;
	case CELL_BOOL:
		return v->u.b ? cell_str("yes", 3) : cell_str("no", 2);
	default:
		return cell_null();
	}
	return cell_str(arena_strndup(a, text, (size_t)n), (size_t)n);
}

/* Text: each number with a gauge and its formula. */
struct gauge_row {
	const struct fact *fact;
	const char *label, *unit;
};

static struct cell formula_of(const struct gauge_row *r)
{
	const char *formula = overview_formula(r->fact->id);

	return cell_str(formula, strlen(formula));
}

#define SCHEMA gauge
#define SCHEMA_ROW struct gauge_row
#define SCHEMA_DEF "report/tool/gauges.def"
#include "result/schema_def.h"
static const struct schema gauges_schema = { SCHEMA_COLUMNS(gauge_columns) };

static void put_gauges(struct report *r, const struct overview *v)
{
	struct table t;

	table_begin(&t, &gauges_schema);
	for (size_t i = 0; i < v->summary.n; i++) {
		const struct fact *f = &v->summary.v[i];
		char label[80];

		table_add(&t,
		    &(struct gauge_row){ .fact = f,
			.unit = label_of(f->id, label, sizeof label),
			.label = label });
	}
	report_whole(r, "overview", &t);
	table_free(&t);
}

/* Text: times as dates, and names without underscores. */
static void put_environment(struct report *r, const char *name, const struct table *from)
{
	struct table t;

	table_begin_like(&t, from);
	for (size_t i = 0; i < from->nrows; i++) {
		struct cell *row = t.cells + i * t.ncolumns, *id = &row[ENVIRONMENT_name],
			    *value = &row[ENVIRONMENT_value];
		char *label = arena_strndup(&t.text, id->s, id->n), date[32];

		for (size_t k = 0; k < id->n; k++)
			label[k] = label[k] == '_' ? ' ' : label[k];
		id->s = label;
		if (!strncmp(label, "profile ", 8) && environment_date(cell_text(value), date, sizeof date)) {
			*value = table_text(&t, strcat(date, " UTC"));
		}
	}
	report_whole(r, name, &t);
	table_free(&t);
}

static void put_table(struct report *r, const struct report_options *o, const char *name,
    const struct table *t, const struct overview *v)
{
	if (o->format == REPORT_TEXT && t == &v->environment)
		put_environment(r, name, t);
	else if (o->format == REPORT_TEXT && t == &v->recommendations)
		report_blocks(r, name, t, 0);
	else
		report_whole(r, name, t);
}

static void free_tables(struct table *runs, struct table *parts, struct table *cores, struct account *a)
{
	table_free(runs);
	table_free(parts);
	table_free(cores);
	account_free(a);
}

static int write_report(const struct dump *d, const struct report_options *o, FILE *f, struct overview *v,
    const struct toolfile *file, size_t more, struct err *e)
{
	struct table runs, parts, cores;
	struct account account;
	struct table *t[TABLES] = { &v->top_ops, &v->steps, &v->environment, &v->recommendations, &v->hosts,
		&runs, &parts, &cores };
	struct report *r;

	overview_account(v, -1, &account);
	account_steps_table(&account, &parts);
	account_cores_table(&account, d, &cores);
	if (o->format == REPORT_TEXT)
		overview_label_steps(v, &v->steps);
	else
		overview_xprof_facts(v, &v->summary);
	overview_program_runs(v, &v->steps, &runs);
	if (o->format != REPORT_TEXT && v->own_ids)
		v->steps.nrows = 0;
	if (report_order_tables(o, "overview", t, TABLES, 0, e)) {
		free_tables(&runs, &parts, &cores, &account);
		return -1;
	}
	r = report_begin(f, o->format, o->width, "overview", d);
	if (file)
		report_tool_warnings(r, d, file, more);
	else
		report_dump_warnings(r, d);
	report_warnings(r, &v->warnings);
	if (o->format == REPORT_TEXT)
		put_gauges(r, v);
	else
		report_facts(r, &v->summary);
	for (int i = 0; i < TABLES; i++)
		if (o->table ? report_is_table(o, "overview", i)
			     : o->format != REPORT_TEXT || (t[i]->nrows && i < RUNS))
			put_table(r, o, report_table_name("overview", i), t[i], v);
	free_tables(&runs, &parts, &cores, &account);
	return report_end(r, e);
}

void report_step_rows(struct report *r, const char *name, const struct overview *o, const struct table *t)
{
	struct table called;

	if (!report_for_people(r)) {
		report_whole(r, name, t);
		return;
	}
	table_begin_like(&called, t);
	overview_label_steps(o, &called);
	report_whole(r, name, &called);
	table_free(&called);
}

/* Writes the recommendations: what the findings advise. */
static int recommend(const struct dump *d, const struct report_options *o, struct measured *m, struct err *e)
{
	struct findings f;

	if (measured_findings(d, o, m, &f, e))
		return -1;
	for (size_t i = 0; i < f.n; i++)
		advice_add(&m->overview.recommendations, f.v[i].id, severity_name(f.v[i].severity),
		    f.v[i].title, f.v[i].evidence, f.v[i].advice);
	findings_free(&f);
	return 0;
}

int report_overview(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->dump;
	struct measured m;
	const struct toolfile *file;
	size_t more;
	int bad;

	if (report_check(c, o, e))
		return -1;
	if ((file = report_instead(d, FILE_OVERVIEW, o, &more))) {
		overview_from_toolfile(file, &m.overview);
		bad = write_report(d, o, f, &m.overview, file, more, e);
		overview_free(&m.overview);
		return bad ? -1 : EXIT_OK;
	}
	measured_begin(d, o, false, &m);
	if (!(bad = recommend(d, o, &m, e)))
		bad = write_report(d, o, f, &m.overview, NULL, 0, e);
	measured_free(&m);
	return bad ? -1 : EXIT_OK;
}
