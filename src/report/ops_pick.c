#include "config.h"
#include "report/ops_pick.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/ops/roofline.h"

static int no_module(const struct report_options *o, struct err *e)
{
	return err_set(e, EXIT_USAGE, ERR_NOWHERE,
	    "no ops of module '%s'; give a name, name(id) or id from report op_profile", o->module);
}

int report_pick_ops(const struct dump *d, const struct report_options *o, struct ops_pick *p, struct err *e)
{
	size_t n;

	*p = (struct ops_pick){ .options = { .host = o->host, .core = o->core, .threads = o->threads },
		.total = -1 };
	if (o->module) {
		p->options.programs = p->programs = op_programs(d, o->module, &n);
		p->options.nprograms = n;
		if (!n)
			return no_module(o, e);
	}
	if (o->step && digest_count(d)) {
		report_pick_free(p);
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE,
		    "a digest has no ops per step; open the capture itself");
	}
	if (o->step) {
		p->options.windows = p->windows = roof_windows(d, &p->options, o->step, &n, &p->total);
		p->options.nwindows = n;
		if (!n) {
			report_pick_free(p);
			return err_set(e, EXIT_USAGE, ERR_NOWHERE,
			    "no core has a step '%s'; report steps lists them", o->step);
		}
	}
	return 0;
}

void report_pick_free(struct ops_pick *p)
{
	free(p->programs);
	free(p->windows);
}

int report_ops_build(const struct dump *d, const struct report_options *o, struct opdb *db, struct err *e)
{
	struct ops_pick p;

	if (report_pick_ops(d, o, &p, e))
		return -1;
	opdb_build(d, &p.options, db);
	if (o->step)
		db->total = p.total;
	report_pick_free(&p);
	if (o->module && !o->step && !db->n) {
		opdb_free(db);
		return no_module(o, e);
	}
	return 0;
}
