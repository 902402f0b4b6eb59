#include "config.h"
#include "report/reports.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "analyze/scopes/scopes.h"
#include "analyze/ops/opdb.h"
#include "capture/results.h"
#include "model/digest.h"
#include "model/topology.h"

const struct report_tool report_tools[] = {
#define TOOL(name, takes, results, help) { #name, help, takes, report_##name, results },
#include "report/tools.def"
#undef TOOL
	{ NULL, NULL, 0, NULL, 0 }
};

const struct report_tool *report_named(const char *name)
{
	const struct report_tool *t = report_tools;

	while (t->name && strcmp(t->name, name))
		t++;
	return t->name                               ? t
	    : !strcmp(name, report_triage_tool.name) ? &report_triage_tool
	    : !strcmp(name, report_diff_tool.name)   ? &report_diff_tool
						     : NULL;
}

static bool lacks_ops(const struct dump *d)
{
	return op_lack(d) && !d->ntools && !digest_count(d);
}

static bool lacks_modules(const struct dump *d)
{
	return !d->nmodules;
}

static bool lacks_gpus(const struct dump *d)
{
	return !trace_has_plane(&d->trace, PLANE_GPU) && !d->ntools;
}

/* What a report cannot answer anything without. */
static const struct {
	const char *tool;
	bool (*lacks)(const struct dump *);
	enum reason reason;
} lacks[] = {
	{ "hlo_stats", lacks_ops, REASON_no_ops },
	{ "op_profile", lacks_ops, REASON_no_ops },
	{ "roofline", lacks_ops, REASON_no_ops },
	{ "hlo_graph", lacks_modules, REASON_no_hlo },
	{ "kernels", lacks_gpus, REASON_no_device },
};

struct report *report_open(const struct report_options *o, FILE *f, const char *tool, const struct dump *d)
{
	struct report *r = report_begin(f, o->format, o->width, tool, d);

	report_rows_to(r, o->rows);
	for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
		if (d && !strcmp(lacks[i].tool, tool) && lacks[i].lacks(d))
			report_reason(r, lacks[i].reason, true);
	if (o->screen) {
		report_csv_table(r, o->screen->csv);
		report_more(r, o->screen->add, o->screen->ctx);
		if (o->screen->sum)
			o->screen->sum(o->screen->ctx, r);
		if (o->screen->filter && !o->screen->chosen)
			report_warning(r, "this is everything: the filter %s is not applied",
			    o->screen->filter);
	}
	return r;
}

static int host_of(const struct dump *d, const char *name)
{
	for (size_t i = 0; name && i < d->nhosts; i++)
		if (dump_host_is(d, (int)i, name))
			return (int)i;
	return -1;
}

static enum scope_tree scope_tree_of(const char *name)
{
	enum scope_tree t = SCOPES_FOLDED;

	while (name && scope_tree_name(t) && strcmp(scope_tree_name(t), name))
		t++;
	return t < SCOPES_TREES ? t : SCOPES_FOLDED;
}

/* Names in options are looked up in the capture where they are needed; only a mesh can be wrong by itself. */
int report_run(const struct report_tool *tool, struct capture *c, const struct report_options *o, FILE *f,
    struct err *e)
{
	int x, y, z;

	if (o->topology && topology_parse(o->topology, &x, &y, &z, e))
		return -1;
	capture_forget(c, UINT_MAX);
	c->scope = (struct capture_scope){ .host = host_of(c->base, o->host),
		.core = o->core,
		.module = o->module,
		.op_core = o->core,
		.op_module = o->module,
		.op_step = o->step,
		.scope_tree = scope_tree_of(o->tree),
		.ops_alone = (tool->takes & TAKES_OPS) == TAKES_OPS,
		.chip = o->chip,
		.tf_graph = -1,
		.beside_host = -1,
		.beside_core = -1 };
	snprintf(c->scope.topology, sizeof c->scope.topology, "%s", o->topology ? o->topology : "");
	return tool->run(c, o, f, e);
}
