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

static bool has_results(const struct dump *d)
{
	return d->ntools || digest_count(d);
}

static bool lacks_ops(const struct dump *d)
{
	return op_lack(d) && !has_results(d);
}

static bool lacks_trace(const struct dump *d)
{
	return !d->trace.ntracks && !d->trace.ncounters && !has_results(d);
}

static bool lacks_device(const struct dump *d)
{
	return !lacks_trace(d) && !has_results(d) && !trace_has_plane(&d->trace, PLANE_TPU) &&
	    !trace_has_plane(&d->trace, PLANE_GPU);
}

static bool lacks_ops_of_device(const struct dump *d)
{
	return lacks_ops(d) && !lacks_device(d) && !lacks_trace(d);
}

static bool lacks_modules(const struct dump *d)
{
	return !d->nmodules;
}

static bool lacks_gpus(const struct dump *d)
{
	return !trace_has_plane(&d->trace, PLANE_GPU) && !d->ntools;
}

static bool lacks_schedules(const struct dump *d)
{
	for (size_t i = 0; i < d->nfiles; i++)
		if (file_kind_info[d->files[i].kind].family == FILES_LLO)
			return false;
	return true;
}

static bool is_damaged(const struct dump *d)
{
	return dump_status(d) == EXIT_DAMAGED;
}

/* What a report cannot answer anything without; tools are separated by blanks, and all are meant by "". */
static const struct {
	const char *tools;
	bool (*lacks)(const struct dump *);
	enum reason reason;
	bool nothing;
} lacks[] = {
	{ " hlo_stats op_profile roofline ", lacks_ops, REASON_no_ops, true },
	{ " overview input_pipeline pod communication scopes account idle framework_ops trace ", lacks_trace,
	    REASON_other_kind, true },
	{ " pod communication scopes account idle ", lacks_device, REASON_no_device, true },
	{ " overview input_pipeline ", lacks_device, REASON_no_device, false },
	{ " communication scopes account idle ", lacks_ops_of_device, REASON_no_ops, true },
	{ " hlo_graph ", lacks_modules, REASON_no_hlo, true },
	{ " kernels ", lacks_gpus, REASON_no_device, true },
	{ " llo ", lacks_schedules, REASON_other_kind, true },
	{ "", is_damaged, REASON_damaged, false },
};

static bool is_about(const char *tools, const char *tool)
{
	const char *at = strstr(tools, tool);
	size_t n = strlen(tool);

	return !*tools || (at && at > tools && at[-1] == ' ' && at[n] == ' ');
}

struct report *report_open(const struct report_options *o, FILE *f, const char *tool, const struct dump *d)
{
	struct report *r = report_begin(f, o->format, o->width, tool, d);

	report_rows_to(r, o->rows);
	for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
		if (d && is_about(lacks[i].tools, tool) && lacks[i].lacks(d))
			report_reason(r, lacks[i].reason, lacks[i].nothing);
	if (o->screen) {
		report_csv_table(r, o->screen->csv);
		report_command(r, o->screen->command);
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
