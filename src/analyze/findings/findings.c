#include "config.h"
#include "analyze/findings/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/findings/internal.h"

/* In the order in which they run: some rules depend on what an earlier one found. */
static const struct {
	const char *id;
	void (*run)(struct rule_work *);
} all_rules[] = {
	{ "input_bound", rule_input_bound },
	{ "output_bound", rule_output_bound },
	{ "host_overhead", rule_host_overhead },
	{ "module_gaps", rule_module_gaps },
	{ "straggler_core", rule_straggler_core },
	{ "straggler_host", rule_straggler_host },
	{ "imbalance", rule_imbalance },
	{ "collective_wait", rule_collective_wait },
	{ "collectives", rule_collectives },
	{ "hot_link", rule_hot_link },
	{ "memory_bound", rule_memory_bound },
	{ "matmul_low", rule_matmul_low },
	{ "elementwise", rule_elementwise },
	{ "padding", rule_padding },
	{ "batch", rule_batch },
	{ "host_copies", rule_host_copies },
	{ "data_formatting", rule_data_formatting },
	{ "copy_wait", rule_copy_wait },
	{ "tiny_ops", rule_tiny_ops },
	{ "custom_calls", rule_custom_calls },
	{ "outside_compilation", rule_outside_compilation },
	{ "eager", rule_eager },
	{ "sparsecore", rule_sparsecore },
	{ "kernel_launch", rule_kernel_launch },
	{ "all_others", rule_all_others },
	{ "compile", rule_compile },
	{ "recompiled", rule_recompiled },
	{ "step_varies", rule_step_varies },
	{ "warm_steps", rule_warm_steps },
	{ "memory_limit", rule_memory_limit },
	{ "memory_padding", rule_memory_padding },
	{ "padded_buffers", rule_padded_buffers },
	{ "parameter_padding", rule_parameter_padding },
	{ "fragmentation", rule_fragmentation },
	{ "donation", rule_donation },
	{ "activations", rule_activations },
	{ "hbm_empty", rule_hbm_empty },
	{ "allocator_peak", rule_allocator_peak },
	{ "no_device", rule_no_device },
	{ "partial_hosts", rule_partial_hosts },
	{ "missing_cores", rule_missing_cores },
	{ "hosts_apart", rule_hosts_apart },
	{ "damaged", rule_damaged },
	{ "incomplete_steps", rule_incomplete_steps },
	{ "assumed_peaks", rule_assumed_peaks },
	{ "no_hlo", rule_no_hlo },
	{ "clock_jump", rule_clock_jump },
};

#define NRULES (sizeof all_rules / sizeof *all_rules)

const char *severity_name(enum severity s)
{
	static const char *const names[] = { "high", "medium", "low" };

	return names[s];
}

static bool rule_known(const char *id)
{
	for (size_t i = 0; i < NRULES; i++)
		if (!strcmp(all_rules[i].id, id))
			return true;
	return false;
}

/* Costs in bytes are compared with costs in time by their share of the peak. */
static int by_rank(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	double cx = x->cost_kind == COST_BYTES ? x->of_total : x->cost;
	double cy = y->cost_kind == COST_BYTES ? y->of_total : y->cost;

	if (x->severity != y->severity)
		return x->severity < y->severity ? -1 : 1;
	cx = x->cost_kind == COST_NONE || isnan(cx) ? -1 : cx;
	cy = y->cost_kind == COST_NONE || isnan(cy) ? -1 : cy;
	if (cx < cy || cx > cy)
		return cx > cy ? -1 : 1;
	return strcmp(x->id, y->id);
}

int findings_build(const struct finding_input *in, struct findings *out, struct err *e)
{
	struct rule_work w = { .in = in, .out = out };
	struct rules rules;

	*out = (struct findings){ 0 };
	if (rules_read(&out->text, in->rules, rule_known, &rules, e)) {
		findings_free(out);
		return -1;
	}
	progress_what(in->progress, "looking for what is wrong");
	rule_sums(&w);
	for (size_t i = 0; i < NRULES && !rule_stopped(&w); i++)
		for (size_t k = 0; k < rules.n; k++)
			if (!strcmp(rules.v[k].id, all_rules[i].id)) {
				w.rule = &rules.v[k];
				all_rules[i].run(&w);
			}
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_rank);
	if (w.contents)
		contents_free(w.contents);
	free(w.step);
	free(rules.v);
	return 0;
}

void findings_free(struct findings *f)
{
	free(f->v);
	free(f->checked);
	free(f->missing);
	arena_free(&f->text);
	*f = (struct findings){ 0 };
}
