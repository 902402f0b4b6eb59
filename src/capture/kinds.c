#include "config.h"
#include "capture/internal.h"

#define FIRST_FINDINGS_NEED \
	(1u << RESULT_OPS | 1u << RESULT_OVERVIEW | 1u << RESULT_INPUT | 1u << RESULT_MEMORY_PROFILE | \
	    1u << RESULT_POD | 1u << RESULT_TRIAGE | 1u << RESULT_PTXLA | 1u << RESULT_MEMORY | \
	    1u << RESULT_LLO)

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
	[RESULT_MEMORY_BESIDE] = { "reading modules", 1u << RESULT_MEMORY_PROFILE, result_make_memory_beside,
	    result_free_memory_beside },
	[RESULT_TRIAGE] = { "reading the logs", 0, result_make_triage, result_free_triage },
	[RESULT_TF_GRAPH] = { "reading the graph", 0, result_make_tf_graph, result_free_tf_graph },
	[RESULT_TF_LINES] = { "listing the scopes", 1u << RESULT_TF_GRAPH, result_make_tf_lines,
	    result_free_tf_lines },
	[RESULT_PTXLA] = { "reading reports of PyTorch/XLA", 0, result_make_ptxla, result_free_ptxla },
	[RESULT_KERNELS] = { "reading kernels", 0, result_make_kernels, result_free_kernels },
	[RESULT_LLO] = { "reading schedules of kernels", 1u << RESULT_OPS, result_make_llo, result_free_llo },
	[RESULT_STEPS] = { "reading the ops of steps", 0, result_make_steps, result_free_steps },
	[RESULT_OP_STEPS] = { "summing op times of steps", 0, result_make_op_steps, result_free_op_steps },
	[RESULT_CORE_TIMES] = { "cutting the time of the cores", 0, result_make_core_times,
	    result_free_core_times },
	[RESULT_COMMUNICATION] = { "summing communication", 1u << RESULT_CORE_TIMES,
	    result_make_communication, result_free_communication },
	[RESULT_SCOPES] = { "summing scopes", 1u << RESULT_CORE_TIMES, result_make_scopes,
	    result_free_scopes },
	[RESULT_IDLE] = { "looking for causes of idle time", 1u << RESULT_CORE_TIMES, result_make_idle,
	    result_free_idle },
	[RESULT_REPLAY] = { "accounting for the steps", 0, result_make_replay, result_free_replay },
	[RESULT_LEVERS] = { "replaying the steps", 1u << RESULT_REPLAY, result_make_levers,
	    result_free_levers },
	[RESULT_MEMORY] = { "reading modules", 1u << RESULT_OPS | 1u << RESULT_TRIAGE, result_make_memory,
	    result_free_memory },
	[RESULT_POD] = { "analyzing the pod", 0, result_make_pod, result_free_pod },
	[RESULT_POD_BESIDE] = { "comparing the ops of two cores", 1u << RESULT_POD, result_make_pod_beside,
	    result_free_pod_beside },
	[RESULT_FIRST_FINDINGS] = { "checking for problems", FIRST_FINDINGS_NEED, result_make_first_findings,
	    result_free_findings },
	[RESULT_FINDINGS] = { "checking for problems", FIRST_FINDINGS_NEED | RESULT_PIECES,
	    result_make_findings, result_free_findings },
	[RESULT_DIFF] = { "comparing with the base", FINDINGS_EITHER, result_make_diff, result_free_diff },
	[RESULT_DELTAS] = { "comparing with the base",
	    1u << RESULT_DIFF | 1u << RESULT_TABLE_OPS | 1u << RESULT_FRAMEWORK, result_make_deltas,
	    result_free_deltas },
	[RESULT_MENDED] = { "replaying the steps", 1u << RESULT_FINDINGS | 1u << RESULT_REPLAY,
	    result_make_mended, result_free_findings },
};

const unsigned result_singles = 1u << RESULT_INPUT | 1u << RESULT_MEMORY_PROFILE | 1u << RESULT_POD |
    1u << RESULT_TRIAGE | 1u << RESULT_PTXLA;
