#include "config.h"
#include "analyze/tables/ops.h"
#include "view/ops/tables.h"

static const char hlo_fields[] =
    "total_self_time total_self_time_percent occurrences avg_time normalized_flop_rate "
    "hbm_bw hbm_operational_intensity bound_by -total_time -avg_self_time "
    "-cumulative_total_self_time_percent -dma_stall_percent -model_flop_rate "
    "-measured_memory_bw -operational_intensity -cmem_read_bw -cmem_write_bw -hlo_rematerialization "
    "-outside_compilation -core_type -vdd_energy -cost_source -event_flop_rate "
    "-event_memory_bw";
static const struct op_text hlo_texts[] = {
	{ "category", 0 },
	{ "tf_op_name", 2 },
	{ "source_info", 1 },
	{ "program_id", 0 },
	{ "parent_op_name", 0 },
	{ "hlo_op_expression", 2 },
	{ "source_stack", 0 },
};
const struct op_form op_form_hlo = { "hlo_op_name", "category", "program_id", &hlo_schema, hlo_fields,
	hlo_texts, sizeof hlo_texts / sizeof *hlo_texts, false };

static const char framework_fields[] =
    "total_self_time device_total_self_time_percent host_total_self_time_percent "
    "occurrences avg_time measured_flop_rate measured_memory_bw operational_intensity "
    "bound_by host_or_device -total_time -avg_self_time -model_flop_rate";
static const struct op_text framework_texts[] = { { "operation", 4 }, { "type", 1 } };
const struct op_form op_form_framework = { "operation", "type", NULL, &framework_schema, framework_fields,
	framework_texts, sizeof framework_texts / sizeof *framework_texts, true };
