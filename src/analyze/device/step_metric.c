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

#define IS(text) { text, sizeof text - 1 }, false
#define BEGINS(text) { text, sizeof text - 1 }, true

static const struct {
	struct slice category;
	bool begins; /* holds for every category that begins with it */
	unsigned kind;
} categories[] = {
	{ IS("convolution"), METRIC_HIGH_FLOPS },
	{ IS("convolution base-dilated"), METRIC_HIGH_FLOPS },
	{ IS("convolution window-dilated"), METRIC_HIGH_FLOPS },
	{ IS("convolution fusion"), METRIC_HIGH_FLOPS },
	{ IS("output fusion"), METRIC_HIGH_FLOPS },
	{ IS("infeed"), METRIC_INFEED },
	{ IS("outfeed"), METRIC_OUTFEED },
	{ IS("all-reduce"), METRIC_COLLECTIVES | STEP_KIND_CRS },
	{ IS("all-reduce fusion"), METRIC_COLLECTIVES | STEP_KIND_CRS },
	{ IS("all-to-all"), METRIC_COLLECTIVES | STEP_KIND_CRS },
	{ BEGINS("all-reduce"), METRIC_COLLECTIVES },
	{ BEGINS("all-gather"), METRIC_COLLECTIVES },
	{ BEGINS("all-to-all"), METRIC_COLLECTIVES },
	{ BEGINS("reduce-scatter"), METRIC_COLLECTIVES },
	{ BEGINS("collective-permute"), METRIC_COLLECTIVES },
	{ BEGINS("collective-broadcast"), METRIC_COLLECTIVES },
	{ BEGINS("ragged-all-to-all"), METRIC_COLLECTIVES },
	{ IS("send"), METRIC_SEND },
	{ IS("send-done"), METRIC_SEND },
	{ IS("recv"), METRIC_RECV },
	{ IS("recv-done"), METRIC_RECV },
	{ IS("host send"), METRIC_HOST_TRANSFER },
	{ IS("host send-done"), METRIC_HOST_TRANSFER },
	{ IS("host recv"), METRIC_HOST_TRANSFER },
	{ IS("host recv-done"), METRIC_HOST_TRANSFER },
	{ IS("megacore fusion"), METRIC_MEGACORE_WAIT },
	{ IS("sparsecorev0 infeed wait"), METRIC_SPARSECORE_WAIT },
	{ IS("async-done"), METRIC_LOW_FLOPS | STEP_KIND_ASYNC_DONE },
};

/* Asked for every kind of event: the lengths tell most apart. */
unsigned step_kind_of(const char *category, size_t len)
{
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
		struct slice known = categories[i].category;

		if ((len == known.n || (categories[i].begins && len > known.n)) &&
		    !memcmp(category, known.s, known.n))
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
