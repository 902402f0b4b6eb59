#include "config.h"
#include "analyze/ptxla/tables/changes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/units.h"

#define EXPECTED_LEAST 3 /* first reports that say what is expected */
#define DEVIATIONS 2

enum { SAMPLES, SUM, MEAN, SLOWEST, VALUE, WHATS };
static const char *const what_names[WHATS] = { "samples", "sum", "mean", "99 %", "value" };

struct change_row {
	const char *name, *what, *unit, *mark;
	double base, now, low, high;
};

static struct cell shown(const struct change_row *r, double v, struct arena *text)
{
	char buf[48];

	if (isnan(v))
		return cell_null();
	if (r->unit && !strcmp(r->unit, "ps"))
		units_time_short(buf, sizeof buf, from_double(v), false);
	else if (r->unit && !strcmp(r->unit, "bytes"))
		units_bytes(buf, sizeof buf, v);
	else
		snprintf(buf, sizeof buf, "%.6g", v);
	return arena_cell(text, buf);
}

#define SCHEMA changes
#define SCHEMA_ROW struct change_row
#define SCHEMA_DEF "analyze/ptxla/tables/changes.def"
#include "result/schema_def.h"

const struct schema ptxla_changes_schema = { SCHEMA_COLUMNS(changes_columns),
	.text = "name what before after change_percent mark" };

/* --- the two sets --- */

/* The path without the number of the process. */
static struct slice set_of(const struct ptxla_file *f)
{
	struct slice s = slice_of(f->path);

	if (f->ordinal < 0)
		return s;
	if (!slice_cut_end(&s, ".gz"))
		slice_cut_end(&s, ".zst");
	while (s.n && s.s[s.n - 1] != '.')
		s.n--;
	return s;
}

/* Which set each report is of, 0 or 1; NULL: there are not two. */
static uint8_t *sets_of(const struct ptxla *x)
{
	uint8_t *v = xcalloc(x->nreports + 1, 1);
	struct slice set[2] = { { NULL, 0 }, { NULL, 0 } };
	int n = 0;

	for (size_t i = 0; i < x->nreports; i++) {
		struct slice s = set_of(&x->files[x->reports[i].file]);

		if (!x->reports[i].nmetrics && !x->reports[i].ncounters)
			continue;
		for (v[i] = 0; v[i] < n && !slice_same(set[v[i]], s);)
			v[i]++;
		if (v[i] == n && n == 2) {
			free(v);
			return NULL;
		}
		if (v[i] == n)
			set[n++] = s;
	}
	if (n == 2)
		return v;
	free(v);
	return NULL;
}

/* --- values --- */

/* One value of a name in both sets. */
struct pair {
	strid name;
	uint8_t what, unit;
	struct sums {
		double sum, squares;
		size_t n;
	} last[2]; /* over the last report of each process */
};

struct pairs {
	struct pair *v;
	size_t n, cap;
	size_t *first; /* by name: the first of its pairs, + 1 */
};

static void sums_add(struct sums *s, double v)
{
	s->sum += v;
	s->squares += v * v;
	s->n++;
}

static struct pair *pair_of(struct pairs *p, strid name, int what, int unit)
{
	if (!p->first[name * WHATS + (size_t)what]) {
		VEC_ADD(p->v, p->n, p->cap,
		    (struct pair){ .name = name, .what = (uint8_t)what, .unit = (uint8_t)unit });
		p->first[name * WHATS + (size_t)what] = p->n;
	}
	return &p->v[p->first[name * WHATS + (size_t)what] - 1];
}

static void value_add(struct pairs *p, strid name, int what, int unit, double v, int set)
{
	if (!isnan(v))
		sums_add(&pair_of(p, name, what, unit)->last[set], v);
}

static void report_add(struct pairs *p, const struct ptxla *x, size_t report, int set)
{
	const struct ptxla_report *r = &x->reports[report];

	for (size_t i = r->metric; i < r->metric + r->nmetrics; i++) {
		const struct ptxla_metric *m = &x->metrics[i];

		if (!m->name)
			continue;
		value_add(p, m->name, SAMPLES, PTXLA_COUNT, m->samples < 0 ? NAN : (double)m->samples, set);
		value_add(p, m->name, SUM, m->unit, ptxla_double(m->unit, m->accumulator), set);
		value_add(p, m->name, MEAN, m->unit, ptxla_mean(m), set);
		value_add(p, m->name, SLOWEST, m->unit, ptxla_percentile(x, m, 99), set);
	}
	for (size_t i = r->counter; i < r->counter + r->ncounters; i++)
		value_add(p, x->counters[i].name, VALUE, PTXLA_COUNT, (double)x->counters[i].value, set);
}

static double mean_of(const struct sums *s)
{
	return s->n ? s->sum / (double)s->n : NAN;
}

/* --- rows --- */

static int place_of(const struct change_row *r)
{
	if (!r->mark)
		return 2;
	return !strcmp(r->mark, "new_aten") ? 0 : !strcmp(r->mark, "outside") ? 1 : 3;
}

static double share_of(const struct change_row *r)
{
	return r->base > 0 && !isnan(r->now) ? fabs(r->now - r->base) / r->base : 0;
}

static int by_weight(const void *a, const void *b)
{
	const struct change_row *x = a, *y = b;
	double more = share_of(y) - share_of(x);

	if (place_of(x) != place_of(y))
		return place_of(x) - place_of(y);
	return more > 0 ? 1 : more < 0 ? -1 : strcmp(x->name, y->name);
}

static struct change_row row_of(const struct ptxla *x, const struct pair *p)
{
	static const char *const units[] = { NULL, "ps", "bytes", "count" };
	struct change_row r = { .name = strtab_str(&x->names, p->name),
		.what = what_names[p->what],
		.unit = units[p->unit],
		.base = mean_of(&p->last[0]),
		.now = mean_of(&p->last[1]),
		.low = NAN,
		.high = NAN };
	const struct sums *first = &p->last[0];
	double deviation;

	if (first->n >= EXPECTED_LEAST) {
		deviation = sqrt(fmax(0, first->squares / (double)first->n - r.base * r.base));
		r.low = r.base - DEVIATIONS * deviation;
		r.high = r.base + DEVIATIONS * deviation;
	}
	if (isnan(r.base))
		r.mark = slice_begins(slice_of(r.name), "aten::") ? "new_aten" : "new";
	else if (isnan(r.now))
		r.mark = "gone";
	else if (!isnan(r.low) && (r.now < r.low || r.now > r.high))
		r.mark = "outside";
	return r;
}

void ptxla_changes(const struct ptxla *x, struct table *t)
{
	uint8_t *set = sets_of(x);
	size_t n, *last = ptxla_last_reports(x, &n), nrows = 0;
	struct pairs p = { .first = xcalloc((size_t)x->names.n * WHATS + 1, sizeof *p.first) };
	struct change_row *rows;

	table_begin(t, &ptxla_changes_schema);
	for (size_t i = 0; set && i < n; i++)
		report_add(&p, x, last[i], set[last[i]]);
	rows = xcalloc(p.n + 1, sizeof *rows);
	for (size_t i = 0; i < p.n; i++) {
		rows[nrows] = row_of(x, &p.v[i]);
		nrows +=
		    isnan(rows[nrows].base) || isnan(rows[nrows].now) || rows[nrows].base != rows[nrows].now;
	}
	VEC_SORT(rows, nrows, by_weight);
	for (size_t i = 0; i < nrows; i++)
		table_add(t, &rows[i]);
	free(rows);
	free(p.first);
	free(p.v);
	free(last);
	free(set);
}
