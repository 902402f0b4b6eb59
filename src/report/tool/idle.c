#include "config.h"
#include "report/reports.h"

#include <math.h>

#include "analyze/idle/idle.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"

enum { CORES, STEPS, LAUNCHES, LONGEST, TABLES };

#define CAUSE(id, name, text) [IDLE_##id] = name "_us",
static const char *const sums[IDLE_CAUSES] = {
#include "analyze/idle/causes.def"
};
#undef CAUSE

static void put_head(struct report *r, const struct idle *v, const struct steps *steps)
{
	report_dump_warnings(r, v->dump);
	report_steps_warnings(r, steps);
	report_pieces_warnings(r, v->dump, v->ncores);
	report_sum_num(r, "idle_percent", idle_percent(&v->sum));
	report_sum_num(r, "idle_us", v->ncores ? (double)v->sum.idle / 1e6 : NAN);
	for (int i = 0; i < IDLE_CAUSES; i++)
		report_sum_num(r, sums[i], v->ncores ? (double)v->sum.cause[i] / 1e6 : NAN);
}

int report_idle(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct idle *v;
	struct table t[TABLES];
	struct report *r;
	int bad;

	if (report_check(c, o, e) || !(v = capture_get(c, RESULT_IDLE, NULL, e)))
		return -1;
	idle_cores_table(v, &t[CORES]);
	idle_steps_table(v, o->format == REPORT_TEXT, &t[STEPS]);
	idle_launches_table(v, &t[LAUNCHES]);
	idle_longest_table(v, &t[LONGEST]);
	bad = report_order_tables(o, "idle", (struct table *[]){ t, t + 1, t + 2, t + 3 }, TABLES, 0, e);
	if (!bad) {
		r = report_open(o, f, "idle", c->base);
		put_head(r, v, capture_steps(c));
		for (int i = 0; i < TABLES; i++)
			if (!o->table || report_is_table(o, "idle", (size_t)i))
				report_whole(r, report_table_name("idle", (size_t)i), &t[i]);
		bad = report_end(r, e);
	}
	for (int i = 0; i < TABLES; i++)
		table_free(&t[i]);
	return bad ? -1 : EXIT_OK;
}
