#include "config.h"
#include "report/reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/communication/communication.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"

enum { OPS, GROUPS, COPIES, CORES, STEPS, TABLES };

static int check_by(const struct report_options *o, enum comm_by *by, struct err *e)
{
	*by = COMM_BY_OP;
	if (!o->by)
		return 0;
	while (comm_by_name(*by) && strcmp(comm_by_name(*by), o->by))
		++*by;
	return *by < COMM_BYS
	    ? 0
	    : err_set(e, EXIT_USAGE, ERR_NOWHERE,
		  "--by %s: report communication has rows by op, kind, axis, source or scope", o->by);
}

/* Without cores nothing is known. */
static double us(const struct communication *c, int64_t ps)
{
	return c->ncores && ps >= 0 ? (double)ps / 1e6 : NAN;
}

/* The ops that have most of them are named. */
static void say_unpaired(struct report *r, const struct communication *c)
{
	const struct comm_op *most[3] = { NULL };
	char text[300] = "";
	size_t n = 0;

	for (size_t i = 0; i < c->nops; i++) {
		const struct comm_op *o = &c->op[i];

		for (size_t k = 0; k < 3 && o && o->unpaired; k++)
			if (!most[k] || o->unpaired > most[k]->unpaired) {
				const struct comm_op *next = most[k];

				most[k] = o;
				o = next;
			}
	}
	for (size_t k = 0; k < 3 && most[k]; k++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s %lld", n ? ", " : "",
		    (int)(most[k]->name.n < 70 ? most[k]->name.n : 70), most[k]->name.s,
		    (long long)most[k]->unpaired);
	report_warning(r, "%lld starts or dones have no partner: their own time counts as their flight (%s)",
	    (long long)c->unpaired, text);
}

static void put_head(struct report *r, const struct communication *c, const struct steps *steps)
{
	report_dump_warnings(r, c->dump);
	report_steps_warnings(r, steps);
	report_pieces_warnings(r, c->dump, c->ncores);
	if (c->nops && c->sum.wait < 0)
		report_warning(r,
		    "waiting is not known: runs of a collective are not told apart, or not all cores that "
		    "take part "
		    "are in the capture");
	if (c->unpaired > 0)
		say_unpaired(r, c);
	if (c->mesh.x)
		report_warning(r, "peaks of links are of a mesh of %dx%dx%d chips%s", c->mesh.x, c->mesh.y,
		    c->mesh.z, c->mesh.assumed ? ", which is assumed (set it with --topology XxYxZ)" : "");
	report_sum_num(r, "inflight_us", us(c, c->sum.inflight));
	report_sum_num(r, "hidden_us", us(c, c->sum.hidden));
	report_sum_num(r, "exposed_us", us(c, c->sum.exposed));
	report_sum_num(r, "other_us", c->ncores ? (double)c->sum.other / 1e6 : NAN);
	report_sum_num(r, "wait_us", us(c, c->sum.wait));
	report_sum_num(r, "fused_us", c->fused < 0 ? NAN : us(c, c->fused));
	report_sum_num(r, "sparsecore_busy_us", us(c, c->sparse.busy));
	report_sum_num(r, "sparsecore_both_us", us(c, c->sparse.both));
	report_sum_num(r, "sparsecore_share", communication_sparse_share(c));
	report_sum_num(r, "save_us", c->steps ? us(c, c->save) / (double)c->steps : NAN);
	if (c->unpaired < 0)
		report_sum_str(r, "unpaired", NULL);
	else
		report_sum_int(r, "unpaired", c->unpaired);
	report_sum_int(r, "steps", (int64_t)c->steps);
	report_sum_int(r, "cores", (int64_t)c->ncores);
}

static bool is_shown(const struct report_options *o, int i, enum comm_by by)
{
	if (o->table)
		return report_is_table(o, "communication", (size_t)i);
	if (i == OPS || i == GROUPS)
		return (by == COMM_BY_OP) == (i == OPS);
	return true;
}

int report_communication(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct communication *v;
	struct table t[TABLES];
	enum comm_by by;
	struct report *r;
	int bad;

	if (report_check(c, o, e) || check_by(o, &by, e) ||
	    !(v = capture_get(c, RESULT_COMMUNICATION, NULL, e)))
		return -1;
	communication_ops_table(v, false, &t[OPS]);
	communication_groups_table(v, by, &t[GROUPS]);
	communication_ops_table(v, true, &t[COPIES]);
	communication_cores_table(v, &t[CORES]);
	communication_steps_table(v, o->format == REPORT_TEXT, &t[STEPS]);
	bad = report_order_tables(o, "communication",
	    (struct table *[]){ is_shown(o, OPS, by) ? &t[OPS] : NULL,
		is_shown(o, GROUPS, by) ? &t[GROUPS] : NULL, &t[COPIES], &t[CORES], &t[STEPS] },
	    TABLES, by == COMM_BY_OP ? OPS : GROUPS, e);
	if (!bad) {
		r = report_open(o, f, "communication", c->base);
		put_head(r, v, capture_steps(c));
		for (int i = 0; i < TABLES; i++)
			if (is_shown(o, i, by))
				report_whole(r, report_table_name("communication", (size_t)i), &t[i]);
		bad = report_end(r, e);
	}
	for (int i = 0; i < TABLES; i++)
		table_free(&t[i]);
	return bad ? -1 : EXIT_OK;
}
