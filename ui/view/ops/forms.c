#include "config.h"
#include "analyze/tables/ops.h"
#include "view/ops/tables.h"

static const struct op_field hlo_fields[] = {
	{ "self", "total_self_time", OP_TIME, false },
	{ "of all time", "total_self_time_percent", OP_PERCENT, false },
	{ "runs", "occurrences", OP_COUNT, false },
	{ "average", "avg_time", OP_TIME, false },
	{ "FLOPS", "normalized_flop_rate", OP_FLOPS, false },
	{ "HBM", "hbm_bw", OP_BANDWIDTH, false },
	{ "intensity", "operational_intensity", OP_NUMBER, false },
	{ "bound by", "bound_by", OP_WORD, false },
	{ "total", "total_time", OP_TIME, true },
	{ "avg. self", "avg_self_time", OP_TIME, true },
	{ "cumulative", "cumulative_total_self_time_percent", OP_PERCENT, true },
	{ "DMA stall", "dma_stall_percent", OP_FRACTION, true },
	{ "model FLOPS", "model_flop_rate", OP_FLOPS, true },
	{ "all memory", "measured_memory_bw", OP_BANDWIDTH, true },
	{ "CMEM read", "cmem_read_bw", OP_BANDWIDTH, true },
	{ "CMEM write", "cmem_write_bw", OP_BANDWIDTH, true },
	{ "rematerial.", "hlo_rematerialization", OP_WORD, true },
	{ "outside", "outside_compilation", OP_WORD, true },
	{ "core type", "core_type", OP_WORD, true },
	{ "energy", "vdd_energy", OP_COUNT, true },
	{ "cost from", "cost_source", OP_WORD, true },
	{ "ev. FLOPS", "event_flop_rate", OP_FLOPS, true },
	{ "ev. memory", "event_memory_bw", OP_BANDWIDTH, true },
};
static const struct op_text hlo_texts[] = {
	{ "category", "category", 0 },
	{ "from", "tf_op_name", 2 },
	{ "source", "source_info", 1 },
	{ "program", "program_id", 0 },
	{ "offloaded", "parent_op_name", 0 },
	{ "HLO", "hlo_op_expression", 2 },
	{ "stack", "source_stack", 0 },
};
const struct op_form op_form_hlo = { "hlo_op_name", "category", "program_id", &hlo_schema, hlo_fields,
	sizeof hlo_fields / sizeof *hlo_fields, hlo_texts, sizeof hlo_texts / sizeof *hlo_texts, false };

static const struct op_field framework_fields[] = {
	{ "self", "total_self_time", OP_TIME, false },
	{ "of device", "device_total_self_time_percent", OP_FRACTION, false },
	{ "of host", "host_total_self_time_percent", OP_FRACTION, false },
	{ "runs", "occurrences", OP_COUNT, false },
	{ "average", "avg_time", OP_TIME, false },
	{ "FLOPS", "measured_flop_rate", OP_FLOPS, false },
	{ "memory", "measured_memory_bw", OP_BANDWIDTH, false },
	{ "intensity", "operational_intensity", OP_NUMBER, false },
	{ "bound by", "bound_by", OP_WORD, false },
	{ "where", "host_or_device", OP_WORD, false },
	{ "total", "total_time", OP_TIME, true },
	{ "avg. self", "avg_self_time", OP_TIME, true },
	{ "model FLOPS", "model_flop_rate", OP_FLOPS, true },
};
static const struct op_text framework_texts[] = { { "operation", "operation", 4 }, { "type", "type", 1 } };
const struct op_form op_form_framework = { "operation", "type", NULL, &framework_schema, framework_fields,
	sizeof framework_fields / sizeof *framework_fields, framework_texts,
	sizeof framework_texts / sizeof *framework_texts, true };
