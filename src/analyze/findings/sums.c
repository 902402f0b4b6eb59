#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/account/account.h"
#include "base/text/units.h"

/* Shares of the core time. */
static void sum_cores(struct rule_work *w, const struct step_cores *c)
{
	struct account a;

	account_of_cores(c, NULL, -1, &a);
	if (a.core_time > 0) {
		step_cores_shares(c, w->share);
		w->step_ps = a.core_time * (double)PS_PER_MS;
		w->share[METRIC_IDLE] = account_idle(&a);
		w->collective = a.ms[KIND_COLLECTIVE] / a.core_time;
		w->cores = c;
		w->whole = "the core time";
	}
	account_free(&a);
}

/* Without steps, shares are of the time from the first op of a core to its last. */
static void sum_ops(struct rule_work *w, const struct opdb *db)
{
	for (int m = 0; m < METRIC_COUNT; m++)
		w->share[m] = 0;
	for (size_t i = 0; i < db->n; i++)
		if (!db->v[i].sparse)
			w->share[step_metric_of(db->v[i].category.s, db->v[i].category.n)] +=
			    (double)db->v[i].sum.self / (double)db->total;
	w->share[METRIC_IDLE] = 1 - (double)(db->op_time + db->other) / (double)db->total;
	w->collective = w->share[METRIC_COLLECTIVES] + w->share[METRIC_SEND] + w->share[METRIC_RECV];
	w->whole = "the time traced";
}

/* Returns NaN unless all steps have the column. */
double rule_mean_of(const struct table *t, const char *column)
{
	int at = table_column(t, column);
	double sum = 0;

	for (size_t i = 0; at >= 0 && i < t->nrows; i++) {
		const struct cell *c = &t->cells[i * t->ncolumns + (size_t)at];

		sum += c->type == CELL_NUM ? c->u.d : NAN;
	}
	return at < 0 || !t->nrows ? NAN : sum / (double)t->nrows;
}

/* Takes the parts of the steps that a profiler left; parts it does not mention stay unknown.  Its own means
 * are rounded, so most are computed from its steps. */
static void sum_file(struct rule_work *w, const struct table *steps)
{
	double step = rule_mean_of(steps, "stepTimeMs");

	if (!(step > 0))
		return;
	w->share[METRIC_INFEED] = rule_fact(w, "infeed_percent_average") / 100;
	w->share[METRIC_OUTFEED] = rule_mean_of(steps, "tcOutfeedTimeMs") / step;
	w->share[METRIC_IDLE] = rule_mean_of(steps, "tcIdleTimeMs") / step;
	w->step_ps = step * (double)PS_PER_MS;
	w->whole = "the step time";
}

/* Steps of hosts have no ids: those of one label are one step. */
static int step_order(const struct step *x, const struct step *y)
{
	if (x->id != y->id)
		return (x->id > y->id) - (x->id < y->id);
	return x->core < 0 && y->core < 0 ? strcmp(x->label, y->label) : 0;
}

static int by_id(const void *a, const void *b)
{
	const struct step *x = *(const struct step *const *)a, *y = *(const struct step *const *)b;

	int c = step_order(x, y);

	return c ? c : (x->start > y->start) - (x->start < y->start);
}

VEC_ORDER(by_start, struct rule_step, UP(start));

/* Runs of several programs cannot be compared with each other: takes those of the program with the most runs. */
static size_t rows_to_compare(const struct steps *s, const struct step **row)
{
	strid of = 0;
	size_t n = 0, most = 0;

	for (size_t k = 0; k < s->programs.n; k++) {
		size_t runs = 0;

		for (size_t i = 0; i < s->n; i++)
			runs += s->v[i].program == s->programs.name[k];
		of = runs > most ? s->programs.name[k] : of;
		most = runs > most ? runs : most;
	}
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].program == of)
			row[n++] = &s->v[i];
	return n;
}

/* Steps with the same number on several cores are one step, represented by the longest. */
static void sum_steps(struct rule_work *w, const struct steps *s)
{
	const struct step **row = xcalloc(s->n + 1, sizeof *row);
	size_t n = rows_to_compare(s, row);

	VEC_SORT(row, n, by_id);
	w->step = xcalloc(n + 1, sizeof *w->step);
	for (size_t i = 0; i < n; i++) {
		struct rule_step *x = w->nsteps ? &w->step[w->nsteps - 1] : NULL;

		if (!x || step_order(x->longest, row[i])) {
			x = &w->step[w->nsteps++];
			*x = (struct rule_step){ row[i], row[i]->id, row[i]->start, row[i]->dur };
		} else if (row[i]->dur > x->dur) {
			x->longest = row[i];
			x->dur = row[i]->dur;
		}
	}
	free(row);
	VEC_SORT(w->step, w->nsteps, by_start);
}

/* Without a TPU the overview leaves out steps that may be cut off, or have no work. */
static void keep_steps_of(struct rule_work *w, const struct table *t)
{
	int name = table_column(t, "step_name");
	struct rule_step *kept = xcalloc(w->nsteps + 1, sizeof *kept);
	size_t n = 0;

	for (size_t i = 0; name >= 0 && i < w->nsteps && n < t->nrows; i++)
		if (slice_is(cell_text(&t->cells[n * t->ncolumns + (size_t)name]), w->step[i].longest->label))
			kept[n++] = w->step[i];
	if (n && n == t->nrows) {
		memcpy(w->step, kept, n * sizeof *kept);
		w->nsteps = n;
	}
	free(kept);
}

void rule_sums(struct rule_work *w)
{
	const struct overview *o = w->in->overview;

	w->whole = "";
	w->step_ps = w->collective = NAN;
	for (int m = 0; m < METRIC_COUNT; m++)
		w->share[m] = NAN;
	if (o && o->tpu && o->file)
		sum_file(w, &o->steps);
	else if (o && o->tpu)
		sum_cores(w, &o->cores);
	if (!w->cores && w->in->ops && w->in->ops->total > 0)
		sum_ops(w, w->in->ops);
	if (w->in->steps)
		sum_steps(w, w->in->steps);
	if (o && !o->tpu && !o->file)
		keep_steps_of(w, &o->steps);
}

double rule_op_share(const struct rule_work *w, double self)
{
	return w->in->ops && w->in->ops->op_time > 0 ? self / (double)w->in->ops->op_time : NAN;
}

double rule_step_share(const struct rule_work *w, double self)
{
	double idle = w->share[METRIC_IDLE];

	return rule_op_share(w, self) * (idle > 0 && idle < 1 ? 1 - idle : 1);
}
