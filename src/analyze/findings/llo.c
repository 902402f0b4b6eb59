#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analyze/llo/llo.h"
#include "base/text/units.h"

#define N(v) units_count((char[32]){ 0 }, 32, (uint64_t)((v) < 0 ? 0 : (v)))

/* What a rule measures of one kernel: in the unit of its thresholds (NaN: not known, or the rule is not about
 * it), and the share of the kernel's cycles. */
struct measured {
	double measure, cost;
	const char *evidence, *key;
	bool at_most_low;
};

typedef struct measured measure_of(struct rule_work *, const struct llo_kernel *);
static const struct measured nothing = { .measure = NAN };

static int level_of(const struct rule_work *w, const struct measured *m)
{
	int level = rule_level(w->rule, m->measure);

	return level < SEVERITY_LOW && m->at_most_low ? SEVERITY_LOW : level;
}

/* A rule raises one finding: of the kernel that it costs most, with the number of the others.  The schedules of XLA
 * are not the user's: never above low. */
static void judge_kernels(struct rule_work *w, measure_of *measure)
{
	const struct llo *l = w->in->llo;
	const struct llo_kernel *worst = NULL;
	struct measured most = nothing;
	size_t reached = 0;
	struct finding *f;

	for (size_t i = 0; l && i < l->n && !rule_stopped(w); i++) {
		const struct llo_kernel *k = &l->v[i];
		struct measured m = k->kind == LLO_INFRASTRUCTURE || k->dump ? nothing : measure(w, k);

		if (isnan(m.measure))
			continue;
		if (k->kind == LLO_XLA) {
			m.at_most_low = true;
			m.key = "xla";
		}
		reached += level_of(w, &m) < RULE_LEVELS;
		if (!worst || level_of(w, &m) < level_of(w, &most) ||
		    (level_of(w, &m) == level_of(w, &most) && m.measure > most.measure)) {
			worst = k;
			most = m;
		}
	}
	if (!worst)
		return;
	f = rule_raise(w, most.measure, most.cost, most.key);
	if (!f) {
		rule_checked(w, "%.*s: %s", (int)worst->name.n, worst->name.s, most.evidence);
		return;
	}
	f->severity = (enum severity)level_of(w, &most);
	f->evidence = rule_say(w, "%.*s: %s", (int)worst->name.n, worst->name.s, most.evidence);
	if (reached > 1)
		f->evidence = rule_say(w, "%.1900s; and %zu more kernel%s", f->evidence, reached - 1,
		    reached > 2 ? "s" : "");
	rule_at_kernel(w, f, worst->name);
}

/* --- the rules (tpuscope(7), FINDINGS) --- */

static struct slice line_of(const struct llo_kernel *k, strid source)
{
	struct slice s = llo_string(k, source);
	size_t cut = 0;

	for (size_t i = 0; i < s.n; i++)
		cut = s.s[i] == '/' ? i + 1 : cut;
	return (struct slice){ s.s + cut, s.n - cut };
}

/* The cycles that a transfer needs at the bandwidth of HBM, beyond those between its start and its wait. */
static double short_by(const struct llo_kernel *k, const struct llo_dma *d)
{
	double need = (double)d->bytes / k->chip->gbps * k->chip->ghz;

	return need > (double)d->gap ? need - (double)d->gap : 0;
}

static struct measured dma_wait(struct rule_work *w, const struct llo_kernel *k)
{
	const struct llo_dma *longest = NULL;
	double wait = 0;
	const char *at = "";
	struct slice line;

	if (!k->chip || !k->aligned)
		return nothing;
	for (size_t i = 0; i < k->ndma; i++) {
		const struct llo_dma *d = &k->dma[i];

		if (d->wait != LLO_WAIT_SAME || d->gap < 0 ||
		    d->bytes < (int64_t)rule_limit(w->rule, "bytes"))
			continue;
		wait += short_by(k, d) * (double)d->runs;
		if (!longest ||
		    short_by(k, d) * (double)d->runs > short_by(k, longest) * (double)longest->runs)
			longest = d;
	}
	if (!longest)
		return nothing;
	line = line_of(k, longest->source);
	if (longest->source)
		at = rule_say(w, " at %.*s", (int)line.n, line.s);
	return (struct measured){ .measure = 100 * wait / ((double)k->cycles + wait),
		.cost = wait / ((double)k->cycles + wait),
		.key = k->inner[longest->address] == LLO_NONE ? "once" : "loop",
		.evidence = rule_say(w, "%s %.*s → %.*s%s is awaited %s cycles later; it needs %.0f",
		    rule_bytes(w, (double)longest->bytes), (int)longest->from.n, longest->from.s,
		    (int)longest->to.n, longest->to.s, at, N(longest->gap),
		    (double)longest->bytes / k->chip->gbps * k->chip->ghz) };
}

static struct measured memory(struct rule_work *w, const struct llo_kernel *k)
{
	if (!(k->time_us > 0) || !(k->hbm_us >= 0))
		return nothing;
	return (struct measured){ .measure = 100 * k->hbm_us / k->time_us,
		.cost = k->hbm_us > k->time_us ? 1 - k->time_us / k->hbm_us : NAN,
		.evidence = rule_say(w, "%s at %.0f GB/s need %.2f µs, the schedule %.2f",
		    rule_bytes(w, (double)k->hbm_bytes), k->chip->gbps, k->hbm_us, k->time_us) };
}

static struct measured latency(struct rule_work *w, const struct llo_kernel *k)
{
	const struct llo_chain *c = llo_main_chain(k);
	int64_t length = c && c->length < c->cycles ? c->length : c ? c->cycles : 0;
	double stalls = (double)k->stalls / (double)k->cycles_once;

	if (!k->aligned || !c || isnan(k->limit_percent))
		return nothing;
	return (struct measured){ .measure = k->limit_percent < rule_limit(w->rule, "unit") &&
			100.0 * (double)length >= rule_limit(w->rule, "chain") * (double)c->cycles
		    ? 100 * stalls
		    : 0,
		.cost = stalls,
		.evidence = rule_say(w, "in %s of %s cycles nothing is issued; a chain of %s of %s",
		    N(k->stalls), N(k->cycles_once), N(length), N(c->cycles)) };
}

static double percent_of_unit(const struct llo_kernel *k, const char *name)
{
	for (size_t i = 0; i < k->nunits; i++)
		if (slice_is(k->unit[i].name, name))
			return k->unit[i].percent;
	return 0;
}

/* A store and a load a cycle are free beside other work: of weight where their units are busy, or cycles were added. */
static struct measured spills(struct rule_work *w, const struct llo_kernel *k)
{
	double busy = rule_limit(w->rule, "unit"), run = (double)k->spills_run[0] + (double)k->fills_run[0];
	bool added = k->ra_cycles != INT64_MIN &&
	    100.0 * (double)k->ra_cycles >= rule_limit(w->rule, "cycles") * (double)k->cycles_once;

	if (!k->aligned || k->instructions < 0)
		return nothing;
	return (struct measured){ .measure = 100 * run / (double)k->cycles,
		.cost =
		    k->ra_cycles != INT64_MIN ? fmax(0, (double)k->ra_cycles / (double)k->cycles_once) : NAN,
		.at_most_low =
		    !added && percent_of_unit(k, "VLOAD") < busy && percent_of_unit(k, "VSTORE") < busy,
		.evidence = rule_say(w, "spills %s, fills %s of vector registers per pass; %s of VMEM",
		    N(k->spills[0]), N(k->fills[0]), rule_bytes(w, (double)k->spill_bytes[0])) };
}

static struct measured mxu_idle(struct rule_work *w, const struct llo_kernel *k)
{
	const struct llo_loop *l = llo_main_loop(k);

	if (!k->aligned || !l || k->matmuls <= 0 || isnan(l->matmul_percent))
		return nothing;
	return (struct measured){ .measure = 100 - l->matmul_percent,
		.cost = NAN,
		.evidence = rule_say(w, "the matrix units work in %s %% of the cycles of the main loop",
		    units_percent((char[16]){ 0 }, 16, l->matmul_percent / 100)) };
}

static struct measured unit_busy(struct rule_work *w, const struct llo_kernel *k)
{
	if (!k->aligned || isnan(k->limit_percent))
		return nothing;
	return (struct measured){ .measure = k->limit_percent,
		.cost = NAN,
		.key = slice_is(k->limit, "VALU") ? "VALU"
		    : slice_is(k->limit, "XLU")   ? "XLU"
		    : slice_is(k->limit, "EUP")   ? "EUP"
						  : NULL,
		.evidence = rule_say(w, "%.*s is busy in %s %% of the cycles", (int)k->limit.n, k->limit.s,
		    units_percent((char[16]){ 0 }, 16, k->limit_percent / 100)) };
}

/* Cycles of instructions without a line, in the loops over the grid. */
static struct measured step_overhead(struct rule_work *w, const struct llo_kernel *k)
{
	const struct llo_loop *pipeline = NULL;
	double cycles = 0;

	if (!k->aligned || !k->nlines || (k->nlines == 1 && !k->line[0].source))
		return nothing;
	for (size_t i = 0; i < k->b.n; i++) {
		const struct llo_bundle *b = &k->b.v[i];
		const struct llo_loop *l = k->inner[i] == LLO_NONE ? NULL : &k->loop[k->inner[i]];
		uint32_t without = 0;

		if (!l || !l->pipeline || !b->real)
			continue;
		pipeline = pipeline && pipeline->trips > l->trips ? pipeline : l;
		for (uint32_t j = b->first; j < b->first + b->n; j++)
			without += k->b.ins[j].real && !k->b.ins[j].source;
		cycles += (double)k->cost[i] * (double)k->runs[i] * without / b->real;
	}
	if (!pipeline || k->cycles <= 0)
		return nothing;
	return (struct measured){ .measure = 100 * cycles / (double)k->cycles,
		.cost = cycles / (double)k->cycles,
		.evidence = rule_say(w, "%s of %s cycles are code of the loop and the pipeline, in %s steps",
		    N((int64_t)cycles), N(k->cycles), N(pipeline->trips)) };
}

static struct measured vmem(struct rule_work *w, const struct llo_kernel *k)
{
	double bytes = 0;

	if (k->vmem_capacity <= 0 || !k->nmemory)
		return nothing;
	for (size_t i = 0; i < k->nmemory; i++)
		bytes += slice_is(k->memory[i].space, "vmem") ? (double)k->memory[i].bytes : 0;
	return (struct measured){ .measure = 100 * bytes / (double)k->vmem_capacity,
		.cost = NAN,
		.evidence = rule_say(w, "%s of %s of VMEM", rule_bytes(w, bytes),
		    rule_bytes(w, (double)k->vmem_capacity)) };
}

#define KERNEL_RULE(id, measure) \
	void rule_llo_##id(struct rule_work *w) \
	{ \
		judge_kernels(w, measure); \
	}
KERNEL_RULE(dma_wait, dma_wait)
KERNEL_RULE(memory, memory)
KERNEL_RULE(latency, latency)
KERNEL_RULE(spills, spills)
KERNEL_RULE(mxu_idle, mxu_idle)
KERNEL_RULE(unit, unit_busy)
KERNEL_RULE(step_overhead, step_overhead)
KERNEL_RULE(vmem, vmem)
