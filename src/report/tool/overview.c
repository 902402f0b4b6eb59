#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/findings/findings.h"
#include "analyze/overview/environment.h"
#include "base/text/units.h"
#include "capture/results.h"
#include "report/blocks.h"
#include "report/choose.h"
#include "report/warnings.h"
#include "result/advice.h"

/* in the order of report/tables.def; from RUNS on in text only if asked for; programs, if they are several */
enum { TOP_OPS, STEPS, ENVIRONMENT, ADVICE, HOSTS, PROGRAMS, RUNS, PARTS, CORES, TABLES };

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
	const char *formula = fact_meaning(r->fact->id);

	return cell_str(formula, strlen(formula));
}

#define SCHEMA gauge
#define SCHEMA_ROW struct gauge_row
#define SCHEMA_DEF "report/tool/gauges.def"
#include "result/schema_def.h"
static const struct schema gauges_schema = { SCHEMA_COLUMNS(gauge_columns) };

static void put_gauges(struct report *r, const struct facts *summary)
{
	struct table t;

	table_begin(&t, &gauges_schema);
	for (size_t i = 0; i < summary->n; i++) {
		const struct fact *f = &summary->v[i];
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

/* What the report shows: copies of the overview's tables, which --sort, labels and advice change. */
struct shown {
	struct facts summary;
	struct table t[TABLES];
	struct account account;
};

static void make_shown(const struct dump *d, const struct overview *v, const struct findings *advice,
    bool people, struct shown *s)
{
	const struct table *from[] = { [TOP_OPS] = &v->top_ops,
		[STEPS] = &v->steps,
		[ENVIRONMENT] = &v->environment,
		[ADVICE] = &v->recommendations,
		[HOSTS] = &v->hosts,
		[PROGRAMS] = &v->programs };

	facts_begin_like(&s->summary, &v->summary);
	for (size_t i = 0; i < RUNS; i++)
		table_begin_like(&s->t[i], from[i]);
	for (size_t i = 0; advice && i < advice->n; i++)
		advice_add(&s->t[ADVICE], advice->v[i].id, severity_name(advice->v[i].severity),
		    advice->v[i].title, advice->v[i].evidence, advice->v[i].advice);
	overview_account(v, -1, &s->account);
	account_steps_table(&s->account, &s->t[PARTS]);
	account_cores_table(&s->account, d, &s->t[CORES]);
	if (people)
		overview_label_steps(v, &s->t[STEPS]);
	else
		overview_xprof_facts(v, &s->summary);
	overview_program_runs(v, &s->t[STEPS], &s->t[RUNS]);
	if (!people && v->own_ids)
		s->t[STEPS].nrows = 0;
}

static void free_shown(struct shown *s)
{
	facts_free(&s->summary);
	for (int i = 0; i < TABLES; i++)
		table_free(&s->t[i]);
	account_free(&s->account);
}

static void put_table(struct report *r, const struct report_options *o, int i, const struct table *t)
{
	const char *name = report_table_name("overview", (size_t)i);

	if (o->format == REPORT_TEXT && i == ENVIRONMENT)
		put_environment(r, name, t);
	else if (o->format == REPORT_TEXT && i == ADVICE)
		report_blocks(r, name, t, 0);
	else
		report_whole(r, name, t);
}

static int write_report(const struct capture *c, const struct report_options *o, FILE *f,
    const struct overview *v, const struct findings *advice, struct shown *s, struct err *e)
{
	const struct dump *d = c->base;
	struct table *t[TABLES];
	struct report *r;

	for (int i = 0; i < TABLES; i++)
		t[i] = &s->t[i];
	if (report_order_tables(o, "overview", t, TABLES, 0, e))
		return -1;
	r = report_open(o, f, "overview", d);
	report_file_warnings(r, d, v->file, o->host);
	report_warnings(r, &v->warnings);
	if (advice && !advice->pieces)
		report_warning(r,
		    "more than %d million events, or %d tracks: the recommendations leave out overlap and "
		    "causes of idle time; report %s",
		    CAPTURE_LARGE / 1000000, CAPTURE_WIDE,
		    capture_is_huge(c) ? "communication and idle have them" : "findings has them");
	if (o->format == REPORT_TEXT)
		put_gauges(r, &s->summary);
	else
		report_facts(r, &s->summary);
	for (int i = 0; i < TABLES; i++)
		if (o->table ? report_is_table(o, "overview", (size_t)i)
			     : o->format != REPORT_TEXT || (t[i]->nrows > (i == PROGRAMS) && i < RUNS))
			put_table(r, o, i, t[i]);
	return report_end(r, e);
}

/* Without a capture there are no findings; the profiler's own advice stays. */
int report_overview(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const bool advises = !o->table || report_is_table(o, "overview", ADVICE);
	const struct overview *v;
	const struct findings *advice = NULL;
	struct shown s;
	int bad;

	if (report_check(c, o, e) || !(v = capture_get(c, RESULT_OVERVIEW, NULL, e)) ||
	    (advises && !v->file && !(advice = capture_has(c, RESULT_FINDINGS)) &&
		!(advice = capture_get(c, capture_soon_findings(c), NULL, e))))
		return -1;
	make_shown(c->base, v, advice, o->format == REPORT_TEXT, &s);
	bad = write_report(c, o, f, v, advice, &s, e);
	free_shown(&s);
	return bad ? -1 : EXIT_OK;
}
