#include "config.h"
#include "analyze/device/step_metric.h"

#include <string.h>

#include "base/clamp.h"

const struct step_metric_info step_metric_info[METRIC_COUNT] = {
	[METRIC_HIGH_FLOPS] = { "high_flops_us", KIND_MATMUL },
	[METRIC_LOW_FLOPS] = { "low_flops_us", KIND_COMPUTE },
	[METRIC_INFEED] = { "infeed_us", KIND_IO },
	[METRIC_OUTFEED] = { "outfeed_us", KIND_IO },
	[METRIC_COLLECTIVES] = { "collectives_us", KIND_COLLECTIVE },
	[METRIC_SEND] = { "send_us", KIND_COLLECTIVE },
	[METRIC_RECV] = { "recv_us", KIND_COLLECTIVE },
	[METRIC_HOST_TRANSFER] = { "host_transfer_us", KIND_IO },
	[METRIC_IDLE] = { "idle_us", KIND_IDLE },
	[METRIC_SPARSECORE_WAIT] = { "sparsecore_wait_us", KIND_IO },
	[METRIC_MEGACORE_WAIT] = { "megacore_wait_us", KIND_COMPUTE },
};

/* prefix: the entry holds for every category that begins with it */
static const struct {
	const char *category;
	bool prefix;
	unsigned kind;
} categories[] = {
	{ "convolution", false, METRIC_HIGH_FLOPS },
	{ "convolution base-dilated", false, METRIC_HIGH_FLOPS },
	{ "convolution window-dilated", false, METRIC_HIGH_FLOPS },
	{ "convolution fusion", false, METRIC_HIGH_FLOPS },
	{ "output fusion", false, METRIC_HIGH_FLOPS },
	{ "infeed", false, METRIC_INFEED },
	{ "outfeed", false, METRIC_OUTFEED },
	{ "all-reduce", false, METRIC_COLLECTIVES | STEP_KIND_CRS },
	{ "all-reduce fusion", false, METRIC_COLLECTIVES | STEP_KIND_CRS },
	{ "all-to-all", false, METRIC_COLLECTIVES | STEP_KIND_CRS },
	{ "all-reduce", true, METRIC_COLLECTIVES },
	{ "all-gather", true, METRIC_COLLECTIVES },
	{ "all-to-all", true, METRIC_COLLECTIVES },
	{ "reduce-scatter", true, METRIC_COLLECTIVES },
	{ "collective-permute", true, METRIC_COLLECTIVES },
	{ "collective-broadcast", true, METRIC_COLLECTIVES },
	{ "ragged-all-to-all", true, METRIC_COLLECTIVES },
	{ "send", false, METRIC_SEND },
	{ "send-done", false, METRIC_SEND },
	{ "recv", false, METRIC_RECV },
	{ "recv-done", false, METRIC_RECV },
	{ "host send", false, METRIC_HOST_TRANSFER },
	{ "host send-done", false, METRIC_HOST_TRANSFER },
	{ "host recv", false, METRIC_HOST_TRANSFER },
	{ "host recv-done", false, METRIC_HOST_TRANSFER },
	{ "megacore fusion", false, METRIC_MEGACORE_WAIT },
	{ "sparsecorev0 infeed wait", false, METRIC_SPARSECORE_WAIT },
	{ "async-done", false, METRIC_LOW_FLOPS | STEP_KIND_ASYNC_DONE },
};

unsigned step_kind_of(const char *category, size_t len)
{
	struct slice text = { category, len };

	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
		const char *known = categories[i].category;

		if (slice_is(text, known) || (categories[i].prefix && slice_begins(text, known)))
			return categories[i].kind;
	}
	return METRIC_LOW_FLOPS;
}

enum step_metric step_metric_of(const char *category, size_t len)
{
	return (enum step_metric)(step_kind_of(category, len) & STEP_KIND_METRIC);
}

unsigned traffic_roles(struct slice c)
{
	unsigned roles = step_metric_of(c.s, c.n) == METRIC_COLLECTIVES ? TRAFFIC_COLLECTIVE : 0;

	if (slice_is(c, "send"))
		return TRAFFIC_BEGIN;
	if (slice_is(c, "recv-done"))
		return TRAFFIC_END;
	if (roles && slice_begins(c, "collective-permute"))
		roles |= slice_ends(c, "-start") ? TRAFFIC_BEGIN
		    : slice_ends(c, "-done")     ? TRAFFIC_END
						 : TRAFFIC_BEGIN | TRAFFIC_END;
	return roles;
}

void step_core_kinds(struct step_core *c)
{
	memset(c->kind, 0, sizeof c->kind);
	for (int m = 0; m < METRIC_COUNT; m++) {
		enum time_kind k = step_metric_info[m].kind;

		if (m != METRIC_IDLE)
			c->kind[k] = add_clamped(c->kind[k], c->ps[m]);
	}
}
