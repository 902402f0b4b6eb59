#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/advice.h"
#include "analyze/overview.h"
#include "report/tool_part.h"

enum { TABLES = 5 };

static const char *const names[TABLES] = { "top_ops", "steps", "environment", "recommendations", "hosts" };

static struct table *table_of(struct overview *v, const char *name)
{
	struct table *tables[TABLES] = { &v->top_ops, &v->steps, &v->environment, &v->recommendations,
		&v->hosts };

	for (int i = 0; i < TABLES; i++)
		if (!strcmp(name, names[i]))
			return tables[i];
	return NULL;
}

#define GAUGE 20

/* "#######............." of a percentage, "" of anything else. */
static struct cell gauge(struct table *t, const char *id, const struct cell *v)
{
	char text[GAUGE];
	size_t n;

	if ((!strstr(id, "_percent") && !strstr(id, "_relative_to_")) || strstr(id, "deviation") ||
	    v->type != CELL_NUM)
		return cell_str("", 0);
	n = v->u.d > 0 ? v->u.d >= 100 ? GAUGE : (size_t)(v->u.d / 100 * GAUGE + 0.5) : 0;
	memset(text, '#', n);
	memset(text + n, '.', GAUGE - n);
	return cell_str(table_copy(t, text, GAUGE), GAUGE);
}

/* "infeed_percent_average" → "infeed average", "%" */
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

static struct cell value_of(struct table *t, const struct cell *v, const char *unit)
{
	char text[80];
	int n = 0;

	switch (v->type) {
	case CELL_STR:
		return *v;
	case CELL_NUM:
		n = snprintf(
		    text, sizeof text, "%.*f%s", *unit == ' ' && unit[1] == '%' ? 1 : 3, v->u.d, unit);
		break;
	case CELL_INT:
		n = snprintf(text, sizeof text, "%" PRId64, v->u.i);
		break;
	case CELL_BOOL:
		return v->u.b ? cell_str("yes", 3) : cell_str("no", 2);
	default:
		return cell_null();
	}
	return cell_str(table_copy(t, text, (size_t)n), (size_t)n);
}

/* For people: each number with a gauge and how it is computed; what XProf only calls 0 is not shown as a
 * number. */
static void put_gauges(struct report *r, const struct overview *v)
{
	static const struct column columns[] = {
		{ "name", "", "", COL_STRING },
		{ "value", "value", "", COL_STRING },
		{ "gauge", "", "", COL_STRING },
		{ "formula", "how it is computed", "", COL_STRING },
	};
	struct table t;

	table_init(&t, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < v->summary.n; i++) {
		const struct fact *f = &v->summary.v[i];
		const char *formula = overview_formula(f->id), *unit;
		struct cell *c = table_row(&t), known = overview_known(v, f->id) ? f->v : cell_null();
		char label[80];

		unit = label_of(f->id, label, sizeof label);
		c[0] = cell_str(table_copy(&t, label, strlen(label)), strlen(label));
		c[1] = value_of(&t, &known, unit);
		c[2] = gauge(&t, f->id, &known);
		c[3] = cell_str(formula, strlen(formula));
	}
	report_whole(r, "overview", &t);
	table_free(&t);
}

static int write_report(const struct dump *d, const struct report_options *o, FILE *f, struct overview *v,
    const struct toolfile *file, size_t more, struct err *e)
{
	struct report *r;

	/* --sort and --top are for the table asked for, else for the ops */
	if (report_order(o, table_of(v, o->table ? o->table : "top_ops"), e))
		return -1;
	r = report_begin(f, o->format, o->width, "overview", d);
	if (file)
		tool_warnings(r, d, file, more);
	else
		report_dump_warnings(r, d);
	report_warnings(r, &v->warnings);
	if (o->format == REPORT_TEXT)
		put_gauges(r, v);
	else
		report_facts(r, &v->summary);
	for (int i = 0; i < TABLES; i++) {
		const struct table *t = table_of(v, names[i]);

		if ((!o->table || !strcmp(o->table, names[i])) &&
		    (o->format != REPORT_TEXT || t->nrows || o->table))
			report_whole(r, names[i], t);
	}
	return report_end(r, e);
}

/* What the findings advise. */
static int recommend(const struct dump *d, const struct report_options *o, const struct steps *steps,
    const struct opdb *db, struct overview *v, struct err *e)
{
	struct findings f;

	if (report_make_findings(d, o, steps, db, v, &f, e))
		return -1;
	for (size_t i = 0; i < f.n; i++)
		advice_add(&v->recommendations, f.v[i].id, severity_name(f.v[i].severity), f.v[i].title,
		    f.v[i].evidence, f.v[i].advice);
	findings_free(&f);
	return 0;
}

int report_overview(struct dump *d, const struct report_options *o, FILE *f, struct err *e)
{
	struct steps steps;
	struct opdb_options ops = {
		.host = o->host, .core = o->core, .threads = o->threads, .steps = &steps
	};
	struct overview_options options = { .host = o->host, .core = o->core, .threads = o->threads };
	struct overview v;
	const struct toolfile *file;
	struct opdb db;
	size_t more;
	int bad;

	if (report_check_tables(o, "overview", TAKES_CORE, names, TABLES, e))
		return -1;
	if ((file = tool_instead(d, FILE_OVERVIEW, o, &more))) {
		overview_from_toolfile(file, &v);
		bad = write_report(d, o, f, &v, file, more, e);
		overview_free(&v);
		return bad ? -1 : EXIT_OK;
	}
	steps_find(d, &steps, false);
	opdb_build(d, &ops, &db);
	overview_build(d, &steps, &db, &options, &v);
	if (!(bad = recommend(d, o, &steps, &db, &v, e)))
		bad = write_report(d, o, f, &v, NULL, 0, e);
	overview_free(&v);
	opdb_free(&db);
	steps_free(&steps);
	return bad ? -1 : EXIT_OK;
}
