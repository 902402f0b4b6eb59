#include "config.h"
#include "capture/internal.h"

/* A result comes after those it is made from. */
const struct result_kind result_kinds[RESULT_COUNT] = {
	[RESULT_OPS] = { "summing op times", 0, result_make_ops, result_free_ops },
	[RESULT_TABLE_OPS] = { "summing op times", 1u << RESULT_OPS, result_make_table_ops,
	    result_free_table_ops },
	[RESULT_HLO_TABLE] = { "building the table", 1u << RESULT_TABLE_OPS, result_make_hlo_table,
	    result_free_hlo_table },
	[RESULT_FRAMEWORK] = { "summing framework ops", 1u << RESULT_TABLE_OPS, result_make_framework,
	    result_free_framework },
	[RESULT_OVERVIEW] = { "analyzing steps", 1u << RESULT_OPS, result_make_overview,
	    result_free_overview },
	[RESULT_ACCOUNT] = { "analyzing steps", 1u << RESULT_OVERVIEW, result_make_account,
	    result_free_account },
	[RESULT_INPUT] = { "analyzing input", 1u << RESULT_OVERVIEW, result_make_input, result_free_input },
	[RESULT_MODULES] = { "reading modules", 0, result_make_modules, result_free_modules },
	[RESULT_MEMORY_PROFILE] = { "reading memory events", 0, result_make_memory_profile,
	    result_free_memory_profile },
	[RESULT_TRIAGE] = { "reading the logs", 0, result_make_triage, result_free_triage },
	[RESULT_TF_GRAPH] = { "reading the graph", 0, result_make_tf_graph, result_free_tf_graph },
	[RESULT_TF_LINES] = { "listing the scopes", 1u << RESULT_TF_GRAPH, result_make_tf_lines,
	    result_free_tf_lines },
	[RESULT_PTXLA] = { "reading reports of PyTorch/XLA", 0, result_make_ptxla, result_free_ptxla },
	[RESULT_KERNELS] = { "reading kernels", 0, result_make_kernels, result_free_kernels },
	[RESULT_STEPS] = { "reading the ops of steps", 0, result_make_steps, result_free_steps },
	[RESULT_OP_STEPS] = { "summing op times of steps", 0, result_make_op_steps, result_free_op_steps },
	[RESULT_MEMORY] = { "reading modules", 1u << RESULT_OPS | 1u << RESULT_TRIAGE, result_make_memory,
	    result_free_memory },
	[RESULT_POD] = { "analyzing the pod", 0, result_make_pod, result_free_pod },
	[RESULT_FINDINGS] = { "checking for problems",
	    1u << RESULT_OPS | 1u << RESULT_OVERVIEW | 1u << RESULT_INPUT | 1u << RESULT_MEMORY_PROFILE |
		1u << RESULT_POD | 1u << RESULT_TRIAGE | 1u << RESULT_PTXLA | 1u << RESULT_MEMORY,
	    result_make_findings, result_free_findings },
};
