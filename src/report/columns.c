#include "config.h"
#include "report/reports.h"

#include <string.h>

#include "analyze/account/account.h"
#include "analyze/events/tracestat.h"
#include "analyze/findings/findings.h"
#include "analyze/graph/tables.h"
#include "analyze/graph/waste.h"
#include "analyze/kernels/kernels.h"
#include "analyze/memory/dump.h"
#include "analyze/memory/tables.h"
#include "analyze/memprof/pprof.h"
#include "analyze/memprof/profile.h"
#include "analyze/overview/environment.h"
#include "analyze/overview/input_pipeline.h"
#include "analyze/overview/overview.h"
#include "analyze/pod/links.h"
#include "analyze/ptxla/tables/changes.h"
#include "analyze/ptxla/tables/tables.h"
#include "analyze/steps/steps.h"
#include "analyze/tables/ops.h"
#include "analyze/tables/roofline.h"
#include "analyze/tf/compat.h"
#include "analyze/triage/triage.h"
#include "base/text/roff.h"
#include "result/advice.h"

/* A table has one schema for each kind of input.  table NULL: the only table of the tool. */
static const struct report_table tables[] = {
	{ "info", NULL, &info_schema },
	{ "findings", NULL, &findings_schema },
	{ "overview", "top_ops", &overview_top_schema },
	{ "overview", "steps", &overview_tpu_schema },
	{ "overview", "steps", &overview_generic_schema },
	{ "overview", "environment", &environment_schema },
	{ "overview", "recommendations", &advice_schema },
	{ "overview", "hosts", &overview_hosts_schema },
	{ "overview", "parts", &account_steps_schema },
	{ "overview", "cores", &account_cores_schema },
	{ "input_pipeline", "device", &overview_tpu_schema },
	{ "input_pipeline", "device", &overview_generic_schema },
	{ "input_pipeline", "max_infeed_core", &input_max_infeed_schema },
	{ "input_pipeline", "host_ops", &input_host_ops_schema },
	{ "input_pipeline", "breakdown", &input_breakdown_schema },
	{ "input_pipeline", "recommendations", &advice_schema },
	{ "memory", "heap", &memory_heap_schema },
	{ "memory", "buffers", &memory_buffers_schema },
	{ "memory", "spans", &memory_spans_schema },
	{ "memory", "modules", &memory_modules_schema },
	{ "memory", "by_op", &memory_by_op_schema },
	{ "memory", "donations", &memory_donations_schema },
	{ "memory_profile", "devices", &memprof_devices_schema },
	{ "memory_profile", "devices", &pprof_devices_schema },
	{ "memory_profile", "active", &memprof_active_schema },
	{ "memory_profile", "timeline", &memprof_timeline_schema },
	{ "memory_profile", "stacks", &pprof_stacks_schema },
	{ "memory_profile", "allocations", &memory_dump_schema[DUMP_ALLOCATIONS] },
	{ "memory_profile", "values", &memory_dump_schema[DUMP_VALUES] },
	{ "memory_profile", "spaces", &memory_dump_schema[DUMP_SPACES] },
	{ "memory_profile", "report", &memory_dump_schema[DUMP_REPORT] },
	{ "memory_profile", "live_ranges", &memory_dump_schema[DUMP_LIVE_RANGES] },
	{ "memory_profile", "peak", &memory_dump_schema[DUMP_PEAK] },
	{ "memory_profile", "instructions", &memory_dump_schema[DUMP_INSTRUCTIONS] },
	{ "pod", "cores", &pod_cores_schema },
	{ "pod", "channels", &pod_channels_schema },
	{ "pod", "collectives", &pod_collectives_schema },
	{ "pod", "steps", &pod_steps_schema },
	{ "trace", NULL, &trace_schema },
	{ "trace", "--by name", &tracestat_schema[GROUP_NAME] },
	{ "trace", "--by track", &tracestat_schema[GROUP_TRACK] },
	{ "trace", "--by step", &tracestat_schema[GROUP_STEP] },
	{ "steps", NULL, &account_rows_schema },
	{ "hlo_stats", NULL, &hlo_schema },
	{ "kernels", "--by kernel", &kernels_schema[KERNELS_BY_KERNEL] },
	{ "kernels", "--by op", &kernels_schema[KERNELS_BY_OP] },
	{ "kernels", "--by stream", &kernels_schema[KERNELS_BY_STREAM] },
	{ "kernels", "devices", &kernels_schema[KERNELS_DEVICES] },
	{ "hlo_graph", "modules", &graph_modules_schema },
	{ "hlo_graph", "computations", &graph_computations_schema },
	{ "hlo_graph", "instructions", &graph_instructions_schema },
	{ "hlo_graph", "waste", &graph_waste_schema },
	{ "hlo_graph", "neighbors", &graph_neighbors_schema },
	{ "framework_ops", "with_idle, without_idle", &framework_schema },
	{ "op_profile", NULL, &profile_schema },
	{ "roofline", "main", &roof_schema },
	{ "roofline", "diagnostics", &roof_note_schema },
	{ "compat", "incompatible", &tf_incompatible_schema },
	{ "compat", "ops, library_ops", &tf_ops_schema },
	{ "compat", "graphs", &tf_graphs_schema },
	{ "graph", NULL, &graph_schema },
	{ "metrics", "metrics", &ptxla_schema[PTXLA_METRICS] },
	{ "metrics", "percentiles", &ptxla_schema[PTXLA_PERCENTILES] },
	{ "metrics", "counters", &ptxla_schema[PTXLA_COUNTERS] },
	{ "metrics", "notices", &ptxla_schema[PTXLA_NOTICES] },
	{ "metrics", "findings", &ptxla_schema[PTXLA_FINDINGS] },
	{ "metrics", "changes", &ptxla_changes_schema },
	{ "ptxla_debug", "analyses", &ptxla_schema[PTXLA_ANALYSES] },
	{ "ptxla_debug", "by_cause", &ptxla_schema[PTXLA_BY_CAUSE] },
	{ "ptxla_debug", "by_frame", &ptxla_schema[PTXLA_BY_FRAME] },
	{ "ptxla_debug", "by_hash", &ptxla_schema[PTXLA_BY_HASH] },
	{ "ptxla_debug", "notices", &ptxla_schema[PTXLA_NOTICES] },
	{ "ptxla_debug", "findings", &ptxla_schema[PTXLA_FINDINGS] },
	{ "ptxla_debug", "unlowered", &ptxla_schema[PTXLA_UNLOWERED] },
	{ "ptxla_debug", "graphs", &ptxla_schema[PTXLA_GRAPHS] },
	{ "ptxla_debug", "launches", &ptxla_schema[PTXLA_LAUNCHES] },
	{ "ptxla_debug", "saved", &ptxla_schema[PTXLA_SAVED] },
	{ "triage", "findings", &triage_findings_schema },
	{ "triage", "errors", &triage_errors_schema },
	{ "triage", "buffers", &triage_buffers_schema },
	{ "triage", "requirement", &triage_requirement_schema },
	{ "triage", "spaces", &triage_spaces_schema },
	{ "triage", "report", &triage_report_schema },
	{ "triage", "logs", &triage_logs_schema },
};

enum { REPORTED = sizeof tables / sizeof *tables };

const struct schema *report_schema(size_t i)
{
	return i < REPORTED ? tables[i].schema : NULL;
}

/* The i-th of all tables: those of reports, then those of views. */
static bool table_of(report_more_tables *more, size_t i, struct report_table *t)
{
	if (i >= REPORTED)
		return more && more(i - REPORTED, t);
	*t = tables[i];
	return true;
}

static void list_text(FILE *f, const struct schema *s)
{
	for (const struct column *c = s->columns; c < s->columns + s->n; c++)
		fprintf(f, "  %-36s %-8s  %s\n", c->id, c->unit, c->meaning);
}

static void list_man(FILE *f, const struct schema *s)
{
	fputs(".PD 0\n", f);
	for (const struct column *c = s->columns; c < s->columns + s->n; c++) {
		fprintf(f, ".TP 28\n\\fB%s\\fR%s%s\n", c->id, *c->unit ? "  " : "", c->unit);
		roff_text(f, c->meaning);
		fputc('\n', f);
	}
	fputs(".PD\n", f);
}

/* The first table with the columns of table i: i itself, unless an earlier one has them, too. */
static struct report_table same_columns(report_more_tables *more, size_t i)
{
	struct report_table t, of;

	table_of(more, i, &of);
	for (size_t k = 0; table_of(more, k, &t) && t.schema != of.schema;)
		k++;
	return t;
}

static bool is_same_table(const struct report_table *a, const struct report_table *b)
{
	return a->tool && !strcmp(a->tool, b->tool) && a->table && b->table && !strcmp(a->table, b->table);
}

static void list_table_for_man(FILE *f, const char *of, const struct report_table *t,
    const struct report_table *before, const struct report_table *first)
{
	if (is_same_table(before, t))
		fputs(".PP\nor, for another kind of input:\n", f);
	else
		fprintf(f, ".SS \"%s%s%s%s\"\n", of, t->tool, t->table ? ", " : "", t->table ? t->table : "");
	if (is_same_table(first, t) || !t->table)
		list_man(f, t->schema);
	else
		fprintf(f, "The columns of %s, %s.\n", first->tool, first->table);
}

static void list_table(FILE *f, const char *of, const struct report_table *t)
{
	fprintf(f, "%s%s%s%s\n", of, t->tool, t->table ? ": " : "", t->table ? t->table : "");
	list_text(f, t->schema);
}

void report_list_columns(FILE *f, report_more_tables *more, bool man)
{
	struct report_table t, before = { .tool = NULL }, first;

	for (size_t i = 0; table_of(more, i, &t); i++, before = t) {
		const char *view = i < REPORTED ? "" : "view ";

		if (man) {
			first = same_columns(more, i);
			list_table_for_man(f, i < REPORTED && strcmp(t.tool, "triage") ? "report " : view, &t,
			    &before, &first);
			continue;
		}
		fputs(i ? "\n" : "", f);
		list_table(f, view, &t);
	}
}
