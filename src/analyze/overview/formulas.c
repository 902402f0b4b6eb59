#include "config.h"
#include "analyze/overview/overview.h"

#include <string.h>

static const struct {
	const char *id, *text;
} formulas[] = {
	{ "device_duty_cycle_percent",
	    "time in which a chip ran ops that are not waits or transfers ÷ first "
	    "to last op or module, summed over chips" },
	{ "device_idle_time_percent", "100 × (1 − self time of all ops ÷ traced time of all cores)" },
	{ "host_idle_time_percent",
	    "100 × (1 − self time of framework ops ÷ traced time of the threads that have them)" },
	{ "input_known",
	    "false: it is unknown whether steps wait for input; a wait would be idle time or time without "
	    "events" },
	{ "host_idle_known",
	    "false: the host's threads have no TensorFlow or tf.data ops, or no device was traced, so their "
	    "idle time is meaningless" },
	{ "device_tf_op_percent", "runs of framework ops on devices ÷ runs on devices and hosts" },
	{ "host_tf_op_percent", "runs of framework ops on hosts ÷ runs on devices and hosts" },
	{ "device_op_time_eager_percent", "self time of eager ops on devices ÷ self time of all their ops" },
	{ "host_op_time_eager_percent", "self time of eager ops on hosts ÷ self time of all their ops" },
	{ "mxu_utilization_percent",
	    "as the profiler measured it (matrix_unit_utilization_percent), mean of the hosts" },
	{ "hbm_utilization_percent",
	    "as the profiler measured it (hbm_utilization_percent), mean of the hosts" },
	{ "flop_rate_utilization_relative_to_roofline",
	    "XProf's property, which it never fills for a TPU: see flops_utilization_percent" },
	{ "memory_bw_utilization_relative_to_hw_limit",
	    "XProf's property, which it never fills for a TPU: see hbm_bandwidth_utilization_percent" },
	{ "steptime_ms_average", "mean over the steps of the longest core of each" },
	{ "steptime_ms_standard_deviation", "of a sample: √(Σ (step − mean)² ÷ (steps − 1))" },
	{ "steptime_ms_minimum", "shortest step, by its longest core" },
	{ "steptime_ms_maximum", "longest step, by its longest core" },
	{ "mfu_percent", "model FLOPs of all ops ÷ (traced time of all cores × peak of a core)" },
	{ "flops_utilization_percent", "FLOPs of all ops ÷ (traced time of all cores × peak of a core)" },
	{ "hbm_bandwidth_utilization_percent",
	    "HBM bytes of all ops ÷ (traced time of all cores × peak bandwidth of a core)" },
	{ "roofline_efficiency_percent", "largest utilization among FLOP rate and memory bandwidths" },
	{ "step_source",
	    "what marks the steps: Steps, XLA Modules (runs of a program) or host (its own step events)" },
	{ "core_time_ms_average",
	    "mean over the steps of the mean of the cores' own markers: step time less spread" },
	{ "step_idle_percent", "100 × time of the steps in which no op runs ÷ their time, of all cores" },
	{ "device_core_count", "device planes of all hosts" },
	{ "host_count", "hosts of the run" },
	{ "task_count", "one task per host" },
	{ "device_type", "device_type_string of the first device plane" },
	{ "active_steptime_ms_average", "as tc_active_ms_average" },
	{ "tc_active_ms_average",
	    "step less idle, infeed, outfeed, host transfer, megacore waits and "
	    "async-done: mean of the cores, then of the steps" },
	{ "tc_compute_ms_average",
	    "step less idle, infeed, outfeed and host transfer on the core that has "
	    "least of it, mean of the steps" },
	{ "tc_idle_ms_average",
	    "shortest step of a host less compute, infeed and outfeed, mean of the steps" },
	{ "tc_infeed_ms_average", "self time of infeed on the core that waited longest, mean of the steps" },
	{ "tc_outfeed_ms_average", "self time of outfeed, mean of the cores, then of the steps" },
	{ "host_transfer_ms_average",
	    "self time of sends to and receives from the host on the core that has most, mean of the steps" },
	{ "scv0_compute_ms_average", "SparseCore V0 compute: no capture states it" },
	{ "scv0_infeed_ms_average", "SparseCore V0 infeed: no capture states it" },
	{ "infeed_percent_average",
	    "100 × infeed ÷ step on the core that waited longest, mean of the steps" },
	{ "infeed_percent_standard_deviation", "of infeed_percent over the steps, of a sample" },
	{ "infeed_percent_minimum", "smallest of the steps, by the core that waited longest" },
	{ "infeed_percent_maximum", "largest of the steps, by the core that waited longest" },
	{ "device_compute_time_ms_avg", "time of a step in which a GPU computed, mean of the steps" },
	{ "device_to_device_time_ms_avg",
	    "time of a step spent on copies between devices, mean of the steps" },
	{ "device_collectives_time_ms_avg", "time of a step spent in collectives, mean of the steps" },
	{ "host_compute_time_ms_avg",
	    "time of a step in which the host computed and nothing more important ran, mean of the steps" },
	{ "kernel_launch_time_ms_avg",
	    "time of a step in which the host prepared work of a device, mean of the steps" },
	{ "infeed_time_ms_avg",
	    "time of a step spent waiting for input or copying it to a device, mean of the steps" },
	{ "outfeed_time_ms_avg", "time of a step spent copying results to the host, mean of the steps" },
	{ "compile_time_ms_avg", "time of a step spent compiling, mean of the steps" },
	{ "other_time_ms_avg", "time of a step that no traced event explains, mean of the steps" },
};

/* Without a TPU, each part has a mean and a standard deviation. */
#define DEVIATION "_time_ms_sdv"

const char *overview_formula(const char *id)
{
	if (slice_ends(slice_of(id), DEVIATION))
		return "deviation of that part of the steps, of a sample";
	for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
		if (!strcmp(formulas[i].id, id))
			return formulas[i].text;
	return "";
}
