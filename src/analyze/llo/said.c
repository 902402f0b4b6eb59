#include "config.h"
#include "analyze/llo/llo.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text/units.h"

enum { UNIT_SHOWN = 40 }; /* bytes of a unit's name in a sentence: a file may have longer ones */

#define N(v) units_count((char[32]){ 0 }, 32, count_of((int64_t)(v)))
#define SIZE(v) units_bytes((char[32]){ 0 }, 32, (double)count_of(v))

static uint64_t count_of(int64_t v)
{
	return v < 0 ? 0 : (uint64_t)v;
}

/* "A chain of 692 of 692 cycles decides": 0.9 of them, as of more than all of them that is measured before packing */
static bool chain_decides(const struct llo_chain *c)
{
	return c && (double)c->length >= 0.9 * (double)c->cycles;
}

static void say_limit(const struct llo_kernel *k, char *buf, size_t size)
{
	const struct llo_chain *c = llo_main_chain(k);
	int n, unit = k->limit.n < UNIT_SHOWN ? (int)k->limit.n : UNIT_SHOWN;

	if (isnan(k->limit_percent))
		n = snprintf(buf, size,
		    "Not known which unit is used most: no utilization that fits the bundles.");
	else if (k->limit_percent < 50)
		n = snprintf(buf, size, "No unit is busy: %.*s %.1f %% of its %s at most.", unit, k->limit.s,
		    k->limit_percent, k->aligned ? "cycles" : "bundles");
	else
		n = snprintf(buf, size, "%.*s is busy in %.1f %% of the %s.", unit, k->limit.s,
		    k->limit_percent, k->aligned ? "cycles" : "bundles");
	if (chain_decides(c))
		snprintf(buf + n, size - (size_t)n, " A chain of %s of %s cycles decides.",
		    N(c->length < c->cycles ? c->length : c->cycles), N(c->cycles));
}

static void say_cycles(const struct llo_kernel *k, char *buf, size_t size)
{
	const char *least = k->trips_known ? "" : "at least ";
	int n;

	if (!k->aligned) {
		snprintf(buf, size,
		    "%s bundles, issued %s%s times; cycles are not known: packed-bundles-post-ra or "
		    "pre-delay is missing or of "
		    "another compile.",
		    N(k->bundles), least, N(k->issue_cycles));
		return;
	}
	n = snprintf(buf, size,
	    "%s bundles in %s cycles, %s of them stalls; %s%s with the trips of all loops", N(k->bundles),
	    N(k->cycles_once), N(k->stalls), least, N(k->cycles));
	if (k->chip)
		snprintf(buf + n, size - (size_t)n, ": %.2f us at %g GHz, a schedule and no measurement.",
		    k->time_us, k->chip->ghz);
	else
		snprintf(buf + n, size - (size_t)n, "; the chip is not known (--chip NAME).");
}

static void say_measured(const struct llo_kernel *k, char *buf, size_t size)
{
	double ratio = k->measured_us / k->time_us;

	if (k->other_compile)
		snprintf(buf, size,
		    "The capture has it of another compile: the shape of its result differs.");
	else if (isnan(k->measured_us))
		snprintf(buf, size, "No capture beside the dump has it.");
	else if (isnan(ratio))
		snprintf(buf, size, "%.2f us a run.", k->measured_us);
	else
		snprintf(buf, size, "%.2f us a run, %.2f times the schedule%s.", k->measured_us, ratio,
		    ratio > 1.2      ? ": waits for DMA, HBM or semaphores, which a schedule cannot know"
			: ratio < .8 ? ": branches that are not taken"
				     : "");
}

static void say_chain(const struct llo_kernel *k, char *buf, size_t size)
{
	const struct llo_chain *c = llo_main_chain(k);

	if (c)
		snprintf(buf, size,
		    "Longest in region %" PRIu32 ", from bundle 0x%" PRIx32 ": %s of %s cycles.", c->region,
		    c->first, N(c->length < c->cycles ? c->length : c->cycles), N(c->cycles));
	else
		snprintf(buf, size, "Not known.");
}

static void say_spills(const struct llo_kernel *k, char *buf, size_t size)
{
	if (k->instructions < 0)
		snprintf(buf, size, "Not known: there are no bundles.");
	else if (!k->spills[0] && !k->fills[0])
		snprintf(buf, size, "None of vector registers.");
	else
		snprintf(buf, size, "Stores and loads: %s and %s, %s and %s with all trips, in %s of VMEM.",
		    N(k->spills[0]), N(k->fills[0]), N(k->spills_run[0]), N(k->fills_run[0]),
		    SIZE(k->spill_bytes[0]));
}

static void say_dma(const struct llo_kernel *k, char *buf, size_t size)
{
	int64_t same = 0;

	for (size_t i = 0; i < k->ndma; i++)
		same += k->dma[i].wait == LLO_WAIT_SAME;
	if (!k->b.n)
		snprintf(buf, size, "Not known: there are no bundles.");
	else if (!k->ndma)
		snprintf(buf, size, "No transfers; waits: %s.", N(k->dma_waits));
	else if (k->chip)
		snprintf(buf, size,
		    "Transfers: %s, %s awaited in the same pass; %s%s to or from HBM, at least %.2f us.",
		    N(k->ndma), N(same), k->dma_unsized ? "at least " : "", SIZE(k->hbm_bytes), k->hbm_us);
	else
		snprintf(buf, size, "Transfers: %s, %s awaited in the same pass.", N(k->ndma), N(same));
}

static void say_lines(const struct llo_kernel *k, char *buf, size_t size)
{
	int n = 0;

	*buf = 0;
	for (size_t i = 0; i < k->nlines && i < 3 && (size_t)n < size; i++) {
		struct slice s =
		    k->line[i].source ? llo_string(k, k->line[i].source) : slice_of("(no source)");
		size_t cut = 0;

		for (size_t j = 0; j < s.n; j++)
			cut = s.s[j] == '/' ? j + 1 : cut;
		s = (struct slice){ s.s + cut, s.n - cut };
		n += snprintf(buf + n, size - (size_t)n, "%s%.*s %.1f %%", i ? ", " : "",
		    (int)(s.n < 60 ? s.n : 60), s.s,
		    llo_work(k) > 0 ? 100 * k->line[i].cycles / (double)llo_work(k) : 0);
	}
	if (!k->nlines)
		snprintf(buf, size, "Not known: there are no bundles.");
}

static void say_checks(const struct llo_kernel *k, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%zu of %zu hold", k->nchecks - k->failed, k->nchecks);

	for (size_t i = 0, first = 1; i < k->nchecks && (size_t)n < size; i++)
		if (!k->check[i].good) {
			n += snprintf(buf + n, size - (size_t)n, "%s%s", first ? "; not " : ", ",
			    k->check[i].name);
			first = 0;
		}
}

bool llo_said(const struct llo_kernel *k, size_t i, const char **about, char *buf, size_t size)
{
	static const struct {
		const char *about;
		void (*say)(const struct llo_kernel *, char *, size_t);
	} all[] = { { "limit", say_limit }, { "cycles", say_cycles }, { "measured", say_measured },
		{ "chain", say_chain }, { "spills", say_spills }, { "dma", say_dma }, { "lines", say_lines },
		{ "checks", say_checks } };

	if (i >= sizeof all / sizeof *all)
		return false;
	*about = all[i].about;
	all[i].say(k, buf, size);
	return true;
}
