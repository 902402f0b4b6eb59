#include "config.h"
#include "report/reports.h"

const struct report_tool report_tools[] = {
	{ "info", "tracks of a capture: files, planes, lines, events, times", 0, NULL, report_info },
	{ "findings", "what is wrong, ranked by cost, with evidence and advice", TAKES_CORE | TAKES_MODULE,
	    NULL, report_findings },
	{ "overview", "the run in numbers: step times, idle time, duty cycle, utilization, top ops",
	    TAKES_CORE | TAKES_TABLE, overview_table_names, report_overview },
	{ "input_pipeline", "how long the device waits for its input, and what the host does meanwhile",
	    TAKES_CORE | TAKES_TABLE, input_table_names, report_input_pipeline },
	{ "memory", "where the memory of a compiled program goes: heap, buffers at the peak, lifetimes",
	    TAKES_MODULE | TAKES_SPACE | TAKES_TABLE, memory_table_names, report_memory },
	{ "memory_profile", "memory in use over time by device; contents of memory.prof and XLA's text dumps",
	    TAKES_TABLE, memprof_table_names, report_memory_profile },
	{ "pod", "all cores of all hosts: what takes their time, links, collectives, stragglers",
	    TAKES_CORE | TAKES_STEP | TAKES_POD | TAKES_TABLE, pod_table_names, report_pod },
	{ "trace", "events in order of time, or totals with --by name|track|step",
	    TAKES_CORE | TAKES_STEP | TAKES_EVENTS, NULL, report_trace },
	{ "steps", "step times, infeed, idle, compute, outliers", TAKES_CORE | TAKES_STEP, NULL,
	    report_steps },
	{ "hlo_stats", "HLO ops: self time, FLOP and memory rates, what bounds them", TAKES_OPS, NULL,
	    report_hlo_stats },
	{ "framework_ops", "time by framework op, on devices and host threads", TAKES_OPS | TAKES_TABLE,
	    framework_table_names, report_framework_ops },
	{ "op_profile", "where time goes, as a tree by program, category or provenance",
	    TAKES_OPS | TAKES_GROUP, NULL, report_op_profile },
	{ "roofline", "ops and steps against the roofs of the chip", TAKES_OPS | TAKES_TABLE,
	    roofline_table_names, report_roofline },
	{ "compat", "which ops of a TensorFlow graph a TPU can run", TAKES_GRAPH | TAKES_TABLE,
	    compat_table_names, report_compat },
	{ "graph", "a TensorFlow graph as a tree of name scopes", TAKES_GRAPH, NULL, report_graph },
	{ NULL, NULL, 0, NULL, NULL }
};
