#include "config.h"
#include "report/reports.h"

#include <math.h>

#include "analyze/scopes/scopes.h"
#include "model/digest.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"

/* Without cores nothing is known. */
static double us(const struct scopes *s, int64_t ps)
{
	return s->cores ? (double)ps / 1e6 : NAN;
}

static void put_summary(struct report *r, const struct scopes *s)
{
	const struct scope_sum *x = &s->sum;

	report_sum_num(r, "time_us", us(s, x->time));
	report_sum_num(r, "forward_us", us(s, x->phase[PHASE_FORWARD]));
	report_sum_num(r, "backward_us", us(s, x->phase[PHASE_BACKWARD]));
	report_sum_num(r, "recompute_us", us(s, x->phase[PHASE_RECOMPUTE]));
	report_sum_num(r, "other_us", us(s, x->phase[PHASE_OTHER]));
	report_sum_num(r, "recompute_share",
	    x->time > 0 ? (double)x->phase[PHASE_RECOMPUTE] / (double)x->time : NAN);
	report_sum_num(r, "no_scope_us", us(s, s->no_scope));
	report_sum_int(r, "steps", (int64_t)s->steps);
	report_sum_int(r, "cores", (int64_t)s->cores);
}

int report_scopes(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const bool text = o->format == REPORT_TEXT;
	const struct scopes *s;
	struct table t;
	struct report *r;

	if (report_check(c, o, e) || !(s = capture_get(c, RESULT_SCOPES, NULL, e)))
		return -1;
	scopes_table(s, text, (size_t)o->depth, &t);
	if (report_order(o, &t, e)) {
		table_free(&t);
		return -1;
	}
	r = report_open(o, f, "scopes", c->base);
	report_dump_warnings(r, c->base);
	if (!s->cores && s->one_step && digest_count(c->base))
		report_warning(r, "a digest has the scopes of all steps together, not of one");
	else
		report_pieces_warnings(r, c->base, s->cores);
	if (s->cores && s->one_step)
		report_warning(r,
		    "of one step, only times are known: not how often ops ran, their rates, and the gaps "
		    "before them");
	put_summary(r, s);
	report_whole(r, "scopes", &t);
	table_free(&t);
	return report_end(r, e) ? -1 : EXIT_OK;
}
