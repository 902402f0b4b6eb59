#include "config.h"
#include "analyze/diff/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/text/regex.h"
#include "base/text/words.h"

struct gate_row {
	const char *expr, *result, *capture;
	double value;
};

#define SCHEMA fail_if
#define SCHEMA_ROW struct gate_row
#define SCHEMA_DEF "analyze/diff/fail_if.def"
#include "result/schema_def.h"

const struct schema diff_fail_if_schema = { SCHEMA_COLUMNS(fail_if_columns) };

enum dimension { OF_TIME, OF_BYTES, OF_PERCENT, OF_COUNT };

/* steps: it has a value in each step, so an interval */
static const struct metric {
	const char *name;
	enum dimension dimension;
	bool steps;
	enum part_kind part; /* PARTS: no part */
} metrics[] = {
	{ "step_time", OF_TIME, true, PARTS },
	{ "step_time_p90", OF_TIME, false, PARTS },
	{ "compute", OF_TIME, true, PART_OP },
	{ "comm", OF_TIME, true, PART_COMM },
	{ "comm_wait", OF_TIME, true, PART_COMM_WAIT },
	{ "input", OF_TIME, true, PART_INPUT },
	{ "idle", OF_TIME, true, PART_IDLE },
	{ "mfu", OF_PERCENT, false, PARTS },
	{ "hbm", OF_PERCENT, false, PARTS },
	{ "memory_peak", OF_BYTES, false, PARTS },
	{ "findings_high", OF_COUNT, false, PARTS },
	{ "findings", OF_COUNT, false, PARTS },
	{ "op", OF_TIME, true, PARTS },
};
enum { METRICS = sizeof metrics / sizeof *metrics };

static const struct unit_of {
	const char *name;
	enum dimension dimension;
	double factor; /* to ps, bytes, percent; 0: of the base */
} units[] = {
	{ "%", OF_TIME, 0 },
	{ "%", OF_BYTES, 0 },
	{ "%", OF_COUNT, 0 },
	{ "%", OF_PERCENT, 0 },
	{ "pp", OF_PERCENT, 1 },
	{ "us", OF_TIME, 1e6 },
	{ "ms", OF_TIME, 1e9 },
	{ "s", OF_TIME, 1e12 },
	{ "B", OF_BYTES, 1 },
	{ "KiB", OF_BYTES, 1024 },
	{ "MiB", OF_BYTES, 1048576 },
	{ "GiB", OF_BYTES, 1073741824 },
	{ "", OF_COUNT, 1 },
	{ "", OF_PERCENT, 1 },
};

struct gate {
	const struct metric *metric;
	const struct unit_of *unit;
	struct regex *op;
	struct regex_scratch *scratch;
	bool alone, above, or_equal; /* alone: of the new capture; above: too much */
	double limit;
};

static int refuse_metric(struct slice name, struct err *err)
{
	char list[300] = "";

	for (size_t i = 0; i < METRICS; i++)
		words_add(list, sizeof list, ", ", i + 1 < METRICS ? metrics[i].name : "op[REGEX]");
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--fail-if: unknown metric '%.*s'; metrics: %s",
	    (int)(name.n < 40 ? name.n : 40), name.s, list);
}

/* "op[REGEX]" or a name; moves the text behind it. */
static int read_metric(struct slice *text, struct gate *g, struct err *err)
{
	size_t n = strcspn(text->s, "[<>");
	const char *end;
	char *pattern;

	for (size_t i = 0; i < METRICS; i++)
		if (strlen(metrics[i].name) == n && !strncmp(metrics[i].name, text->s, n))
			g->metric = &metrics[i];
	if (!g->metric || (text->s[n] == '[') != !strcmp(g->metric->name, "op"))
		return refuse_metric((struct slice){ text->s, n }, err);
	text->s += n;
	if (*text->s != '[')
		return 0;
	if (!(end = strrchr(text->s, ']')))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--fail-if: op[ needs a closing ]");
	pattern = xstrndup(text->s + 1, (size_t)(end - text->s - 1));
	g->op = regex_new(pattern, REGEX_AS_WRITTEN, err);
	g->scratch = g->op ? regex_scratch_new(g->op) : NULL;
	free(pattern);
	text->s = end + 1;
	return g->op ? 0 : -1;
}

static int read_limit(const char *text, const char *whole, struct gate *g, struct err *err)
{
	char *end;

	g->above = *text == '>';
	if (*text != '>' && *text != '<')
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--fail-if %.100s: write METRIC, one of > >= < <=, a number and its unit", whole);
	text++;
	g->or_equal = *text == '=';
	text += g->or_equal;
	g->limit = strtod(text, &end);
	for (size_t i = 0; i < sizeof units / sizeof *units && end != text; i++)
		if (!strcmp(units[i].name, end) && units[i].dimension == g->metric->dimension)
			g->unit = &units[i];
	if (end == text || !isfinite(g->limit) || !g->unit || (g->alone && !g->unit->factor))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--fail-if %.100s: needs a number with a unit that fits: %s us, ms, "
		    "s, B, "
		    "KiB, MiB or GiB",
		    whole, g->alone ? "" : "% (of the base), pp,");
	return 0;
}

static int read_gate(const char *expr, bool alone, struct gate *g, struct err *err)
{
	struct slice text = { expr, strlen(expr) };

	*g = (struct gate){ .metric = NULL };
	g->alone = slice_cut(&text, "new:") || alone;
	return read_metric(&text, g, err) ? -1 : read_limit(text.s, expr, g, err);
}

/* --- what a metric is --- */

static bool is_of(const struct gate *g, const struct side_op *op, bool *wait, bool *self)
{
	*self = g->op ? regex_match(g->op, g->scratch, op->name.s, op->name.n, NULL, NULL)
		      : op->kind == g->metric->part;
	*wait = g->op ? false : g->metric->part == PART_COMM_WAIT;
	return *self || (*wait && op->step_wait);
}

/* Values per step over all cores, of parts and of ops: of the steps of the series. */
static void add_values(const struct gate *g, const struct side *s, int64_t *v)
{
	for (size_t k = 0; g->metric->part == PART_IDLE && k < s->nseries; k++)
		v[k] = s->idle_step ? s->idle_step[k] : 0;
	for (size_t i = 0; i < s->nops; i++) {
		const struct side_op *op = &s->op[i];
		bool wait, self;

		if (!is_of(g, op, &wait, &self))
			continue;
		for (size_t k = 0; k < s->nseries; k++) {
			int64_t w = op->step_wait ? op->step_wait[k] : 0;

			v[k] += g->op ? op->step[k] : wait ? w : op->step[k] - w;
		}
	}
}

static double count_findings(const struct comparison *c, const struct side *s, bool high)
{
	double n = 0;

	for (size_t i = 0; i < s->nfindings; i++)
		n += finding_counts(c, &s->finding[i]) && (!high || !strcmp(s->finding[i].severity, "high"));
	return s->has_findings ? n : NAN;
}

static double percentile(const struct side *s)
{
	int64_t *v = xcalloc(s->nsteps + 1, sizeof *v);
	double p;

	for (size_t i = 0; i < s->nsteps; i++)
		v[i] = s->step[i];
	qsort(v, s->nsteps, sizeof *v, sort_by_int64);
	p = s->nsteps ? (double)v[(s->nsteps * 9 + 9) / 10 - 1] : NAN;
	free(v);
	return p;
}

/* One value of a capture: ps, bytes, percent or a count; NaN: not known. */
static double single_value(const struct comparison *c, const struct gate *g, const struct side *s)
{
	const char *name = g->metric->name;

	if (!strcmp(name, "step_time_p90"))
		return percentile(s);
	if (!strcmp(name, "mfu"))
		return s->mfu;
	if (!strcmp(name, "hbm"))
		return s->hbm;
	if (!strcmp(name, "memory_peak"))
		return s->memory_peak < 0 ? NAN : (double)s->memory_peak;
	return count_findings(c, s, !strcmp(name, "findings_high"));
}

struct measured {
	double base, new;
	struct interval interval; /* percent of the base */
	enum verdict verdict;
};

static void measure_steps(const struct comparison *c, const struct gate *g, struct measured *m)
{
	size_t all = c->n[BASE] + c->n[NEW], cores = c->v[0]->ncores ? c->v[0]->ncores : 1;
	struct series *s = xcalloc(all, sizeof *s);
	int64_t **v = xcalloc(all, sizeof *v);
	double sum[SIDES] = { 0 };

	for (size_t i = 0; i < all; i++) {
		const struct side *x = c->v[i];
		double mean = x->no_ops || !x->nseries ? NAN : 0; /* what is not known passes no gate */

		v[i] = xcalloc(x->nseries + 1, sizeof **v);
		add_values(g, x, v[i]);
		s[i] = (struct series){ v[i], x->nseries };
		for (size_t k = 0; k < x->nseries; k++)
			mean += (double)v[i][k] / (double)x->nseries / (double)cores;
		sum[i >= c->first[NEW]] += mean;
	}
	m->base = sum[BASE] / (double)c->n[BASE];
	m->new = sum[NEW] / (double)c->n[NEW];
	m->interval = interval_of_values(c, s, m->base);
	for (size_t i = 0; i < all; i++)
		free(v[i]);
	free(v);
	free(s);
}

static void measure_metric(const struct comparison *c, const struct gate *g, struct measured *m)
{
	double sum[SIDES] = { 0 };

	*m = (struct measured){ .base = c->value[BASE], .new = c->value[NEW], .interval = c->interval };
	if (!g->metric->steps) {
		for (size_t i = 0; i < c->n[BASE] + c->n[NEW]; i++)
			sum[i >= c->first[NEW]] += single_value(c, g, c->v[i]);
		m->base = sum[BASE] / (double)c->n[BASE];
		m->new = sum[NEW] / (double)c->n[NEW];
	} else if (strcmp(g->metric->name, "step_time")) {
		measure_steps(c, g, m);
	}
	m->verdict = verdict_of(&m->interval, c->d->margin);
}

/* --- judging --- */

static bool is_beyond(const struct gate *g, double value)
{
	return value == g->limit ? g->or_equal : g->above ? value > g->limit : value < g->limit;
}

/* A limit is in percent of the base where values per step are judged with their interval. */
static const char *judge_steps(const struct comparison *c, const struct gate *g, const struct measured *m,
    double value)
{
	double limit = g->unit->factor ? 100 * g->limit * g->unit->factor / m->base : g->limit;
	double near = g->above ? m->interval.low : -m->interval.high,
	       far = g->above ? m->interval.high : -m->interval.low;

	if (!m->interval.known)
		return "not_judged";
	if (is_beyond(g, value))
		return near >= c->d->margin ? "held" : "not_judged";
	return m->verdict != VERDICT_INCONCLUSIVE || far <= (g->above ? limit : -limit) ? "passed"
											: "not_judged";
}

static void judge_gate(struct comparison *c, const struct gate *g, const char *expr)
{
	struct gate_row row = { expr, "not_judged", c->v[c->first[NEW]]->path, NAN };
	struct measured m;

	if (!c->fatal || (g->alone && !g->metric->steps)) {
		measure_metric(c, g, &m);
		row.value = g->alone  ? m.new / g->unit->factor
		    : g->unit->factor ? (m.new - m.base) / g->unit->factor
				      : 100 * (m.new - m.base) / m.base;
		if (isnan(row.value) || isinf(row.value))
			row.value = NAN;
		else if (g->alone || !g->metric->steps)
			row.result = is_beyond(g, row.value) ? "held" : "passed";
		else
			row.result = judge_steps(c, g, &m, row.value);
	}
	c->d->held += !strcmp(row.result, "held");
	c->d->not_judged += !strcmp(row.result, "not_judged");
	table_add(&c->d->table[DIFF_FAIL_IF], &row);
}

/* Expressions are joined with commas; one in brackets is part of a pattern. */
static size_t expression_end(const char *s)
{
	size_t n = 0;

	for (int open = 0; s[n] && (s[n] != ',' || open); n++)
		open += s[n] == '[' ? 1 : s[n] == ']' && open ? -1 : 0;
	return n;
}

static int check_one(struct comparison *c, const char *expr, struct err *err)
{
	struct gate g;
	int bad = read_gate(expr, c->o->alone, &g, err);

	if (!bad)
		judge_gate(c, &g, expr);
	if (g.op) {
		regex_scratch_free(g.scratch);
		regex_free(g.op);
	}
	return bad;
}

int compare_gates(struct comparison *c, struct err *err)
{
	int bad = 0;

	for (size_t i = 0; i < c->o->ngates && !bad; i++)
		for (const char *s = c->o->gate[i]; *s && !bad; s += *s == ',') {
			size_t n = expression_end(s);
			char *expr = xstrndup(s, n);

			bad = check_one(c, expr, err);
			free(expr);
			s += n;
		}
	return bad;
}
