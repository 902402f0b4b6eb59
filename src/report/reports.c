#include "config.h"
#include "report/reports.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "capture/results.h"
#include "model/topology.h"

const struct report_tool report_tools[] = {
	{ "info", "what each file is; tracks of a capture: planes, lines, events, times", 0, report_info, 0 },
	{ "findings", "what is wrong, ranked by cost, with evidence and advice",
	    TAKES_CORE | TAKES_MODULE | READS_TEXTS, report_findings,
	    1u << RESULT_FINDINGS | 1u << RESULT_OVERVIEW },
	{ "overview", "the run in numbers: step times, idle time, duty cycle, utilization, top ops",
	    TAKES_CORE | TAKES_TABLE, report_overview, 1u << RESULT_OVERVIEW | 1u << RESULT_FINDINGS },
	{ "input_pipeline", "how long the device waits for its input, and what the host does meanwhile",
	    TAKES_CORE | TAKES_TABLE, report_input_pipeline, 1u << RESULT_OVERVIEW | 1u << RESULT_INPUT },
	{ "memory", "where the memory of a compiled program goes: heap, buffers at the peak, lifetimes",
	    TAKES_MODULE | TAKES_SPACE | TAKES_TABLE | READS_TEXTS, report_memory, 1u << RESULT_TRIAGE },
	{ "memory_profile", "memory in use over time by device; contents of memory.prof and XLA's text dumps",
	    TAKES_TABLE, report_memory_profile, 1u << RESULT_MEMORY_PROFILE },
	{ "pod", "all cores of all hosts: what takes their time, links, collectives, stragglers",
	    TAKES_CORE | TAKES_STEP | TAKES_POD | TAKES_TABLE, report_pod, 1u << RESULT_POD },
	{ "trace", "events in order of time, or totals with --by name|track|step",
	    TAKES_CORE | TAKES_STEP | TAKES_EVENTS, report_trace, 0 },
	{ "steps", "step times, infeed, idle, compute, outliers", TAKES_CORE | TAKES_STEP, report_steps,
	    1u << RESULT_STEPS },
	{ "hlo_stats", "HLO ops: self time, FLOP and memory rates, what bounds them", TAKES_OPS,
	    report_hlo_stats, 1u << RESULT_TABLE_OPS },
	{ "kernels", "kernels of GPUs: times, launch shapes, ops, streams",
	    TAKES_CORE | TAKES_TABLE | TAKES_KERNELS, report_kernels, 1u << RESULT_KERNELS },
	{ "hlo_graph", "an HLO module as a graph: computations, instructions, what is near one of them",
	    TAKES_MODULE | TAKES_TABLE | TAKES_HLO, report_hlo_graph, 1u << RESULT_OPS },
	{ "framework_ops", "time by framework op, on devices and host threads", TAKES_OPS | TAKES_TABLE,
	    report_framework_ops, 1u << RESULT_TABLE_OPS | 1u << RESULT_FRAMEWORK },
	{ "op_profile", "where time goes, as a tree by program, category or provenance",
	    TAKES_OPS | TAKES_GROUP, report_op_profile, 1u << RESULT_TABLE_OPS },
	{ "roofline", "ops and steps against the roofs of the chip", TAKES_OPS | TAKES_TABLE, report_roofline,
	    1u << RESULT_TABLE_OPS | 1u << RESULT_OP_STEPS },
	{ "compat", "which ops of a TensorFlow graph a TPU can run", TAKES_GRAPH | TAKES_TABLE, report_compat,
	    0 },
	{ "graph", "a TensorFlow graph as a tree of name scopes; of HLO modules, what hlo_graph prints",
	    TAKES_GRAPH | TAKES_MODULE | TAKES_HLO, report_graph, 0 },
	{ "metrics", "metrics reports of PyTorch/XLA: times, data, counters, and what is wrong",
	    TAKES_TABLE | READS_TEXTS, report_metrics, 1u << RESULT_PTXLA },
	{ "ptxla_debug", "what PT_XLA_DEBUG prints: compilations and executions by cause, line and graph",
	    TAKES_TABLE | READS_TEXTS, report_ptxla_debug, 1u << RESULT_PTXLA },
	{ NULL, NULL, 0, NULL, 0 }
};

const struct report_tool *report_named(const char *name)
{
	const struct report_tool *t = report_tools;

	while (t->name && strcmp(t->name, name))
		t++;
	return t->name ? t : !strcmp(name, report_triage_tool.name) ? &report_triage_tool : NULL;
}

struct report *report_open(const struct report_options *o, FILE *f, const char *tool, const struct dump *d)
{
	struct report *r = report_begin(f, o->format, o->width, tool, d);

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
		.ops_alone = (tool->takes & TAKES_OPS) == TAKES_OPS,
		.tf_graph = -1 };
	snprintf(c->scope.topology, sizeof c->scope.topology, "%s", o->topology ? o->topology : "");
	return tool->run(c, o, f, e);
}
