#include "config.h"
#include "core/view.h"

#include "view/files/files.h"

extern const struct view_ops view_findings, view_framework_ops, view_graph, view_hlo_stats, view_op_profile;
extern const struct view_ops view_input, view_memory, view_kernels, view_memprof, view_overview, view_pod,
    view_ptxla, view_roofline, view_tf_graph, view_timeline, view_triage;

const struct view_ops *const view_list[] = { &view_findings, &view_overview, &view_timeline, &view_op_profile,
	&view_hlo_stats, &view_framework_ops, &view_roofline, &view_kernels, &view_input, &view_memory,
	&view_memprof, &view_pod, &view_graph, &view_tf_graph, &view_ptxla, &view_triage, &view_files, NULL };
