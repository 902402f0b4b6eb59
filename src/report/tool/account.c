#include "config.h"
#include "report/reports.h"

#include <math.h>

#include "analyze/replay/replay.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"

enum { PARTS_TABLE, CORES, STEPS, OPS, PATH, WHATIF, TABLES };

static double unknown_work(const struct replay *r)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < r->nsteps; i++)
		for (size_t k = 0; k < r->ncores && r->used[i]; k++) {
			const int64_t *p = replay_parts(r, k, i);

			sum += (double)p[SPENT_MATMUL_UNKNOWN] + (double)p[SPENT_OTHER_UNKNOWN] +
			    (double)p[SPENT_FORMAT_UNKNOWN];
			n++;
		}
	return n > 0 ? sum / n : NAN;
}

static void put_summary(struct report *w, const struct replay *r)
{
	const double step = replay_mean(r, r->step, r->used), core = replay_mean(r, r->core_time, r->used),
		     whole = replay_mean(r, r->step, r->whole);
	double median = replay_median(r);

	report_sum_num(w, "step_us", step / 1e6);
	report_sum_num(w, "median_us", median / 1e6);
	report_sum_num(w, "core_time_us", core / 1e6);
	report_sum_num(w, "spread_us", (step - core) / 1e6);
	report_sum_num(w, "typical_us", (median - step) / 1e6);
	report_sum_num(w, "whole_us", whole / 1e6);
	report_sum_num(w, "rare_us", (whole - step) / 1e6);
	report_sum_num(w, "light_us", replay_mean(r, r->light, r->used) / 1e6);
	report_sum_num(w, "unknown_us", unknown_work(r) / 1e6);
	report_sum_int(w, "steps", (int64_t)r->nsteps);
	report_sum_int(w, "steps_used", (int64_t)replay_count(r, r->used));
	report_sum_int(w, "steps_whole", (int64_t)replay_count(r, r->whole));
	report_sum_str(w, "launch_model", r->together ? "together" : "alone");
	report_sum_bool(w, "waits_known", r->waits_known);
	report_sum_int(w, "flights_guessed", (int64_t)r->guessed);
	report_sum_int(w, "unpaired", (int64_t)r->unpaired);
	report_sum_int(w, "turns", (int64_t)r->path.turns);
	report_sum_int(w, "meetings", (int64_t)r->path.syncs);
	report_sum_int(w, "near_ties", (int64_t)r->path.near_ties);
	report_sum_num(w, "model_error_percent", replay_error(r));
	report_sum_str(w, "reason", !r->nsteps ? "no steps" : r->stuck ? "order_differs" : NULL);
}

static void put_head(struct report *w, const struct replay *r, const struct steps *steps)
{
	report_dump_warnings(w, r->dump);
	report_steps_warnings(w, steps);
	if (!r->nsteps)
		report_warning(w, "no steps of TPU cores, so that nothing can be accounted for");
	if (r->stuck)
		report_warning(w,
		    "the order of collectives differs between cores: no replay, no savings, no path");
	if (r->nsteps && !r->waits_known)
		report_warning(w,
		    "waits are not known: not all cores that take part in collectives are in the capture");
	put_summary(w, r);
}

/* A prediction replays all nodes, so that nothing is predicted that is not printed. */
static int ask(const struct replay *r, const struct report_options *o, struct levers *l, struct err *e)
{
	int bad = 0;

	if (!o->table || report_is_table(o, "account", WHATIF))
		levers_standard(r, l);
	for (size_t i = 0; i < o->nwhatifs && r->nsteps && !bad; i++)
		bad = levers_add(r, "asked", o->whatif[i], l, e);
	if (!bad)
		levers_predict(r, 0, l);
	return bad;
}

static int write_tables(struct capture *c, const struct report_options *o, FILE *f, const struct replay *r,
    struct table *t, struct err *e)
{
	struct report *w;

	if (report_order_tables(o, "account", (struct table *[]){ t, t + 1, t + 2, t + 3, t + 4, t + 5 },
		TABLES, 0, e))
		return -1;
	w = report_open(o, f, "account", c->base);
	put_head(w, r, capture_steps(c));
	for (int i = 0; i < TABLES; i++)
		if (!o->table || report_is_table(o, "account", (size_t)i))
			report_whole(w, report_table_name("account", (size_t)i), &t[i]);
	return report_end(w, e);
}

int report_account(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	struct levers levers = { 0 };
	struct table t[TABLES];
	const struct replay *r;
	int bad;

	if (report_check(c, o, e) || !(r = capture_get(c, RESULT_REPLAY, NULL, e)))
		return -1;
	bad = ask(r, o, &levers, e);
	if (!bad) {
		replay_parts_table(r, false, &t[PARTS_TABLE]);
		replay_cores_table(r, o->core, &t[CORES]);
		replay_steps_table(r, o->step, &t[STEPS]);
		replay_ops_table(r, &t[OPS]);
		replay_path_table(r, &t[PATH]);
		replay_levers_table(&levers, &t[WHATIF]);
		bad = write_tables(c, o, f, r, t, e);
		for (int i = 0; i < TABLES; i++)
			table_free(&t[i]);
	}
	levers_free(&levers);
	return bad ? -1 : EXIT_OK;
}
