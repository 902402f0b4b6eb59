#include "config.h"
#include "analyze/device/step_metric.h"

#include <string.h>

#include "analyze/device/role.h"
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

#define IS(text) \
	{ \
		text, sizeof text - 1 \
	}

static const struct {
	struct slice category;
	unsigned kind;
} categories[] = {
	{ IS("convolution"), METRIC_HIGH_FLOPS },
	{ IS("convolution base-dilated"), METRIC_HIGH_FLOPS },
	{ IS("convolution window-dilated"), METRIC_HIGH_FLOPS },
	{ IS("convolution fusion"), METRIC_HIGH_FLOPS },
	{ IS("output fusion"), METRIC_HIGH_FLOPS },
	{ IS("infeed"), METRIC_INFEED },
	{ IS("outfeed"), METRIC_OUTFEED },
	{ IS("all-reduce"), METRIC_COLLECTIVES | STEP_KIND_CRS | STEP_KIND_MEETS },
	{ IS("all-reduce fusion"), METRIC_COLLECTIVES | STEP_KIND_CRS | STEP_KIND_MEETS },
	{ IS("all-to-all"), METRIC_COLLECTIVES | STEP_KIND_CRS | STEP_KIND_MEETS },
	{ IS("megacore fusion"), METRIC_MEGACORE_WAIT },
	{ IS("sparsecorev0 infeed wait"), METRIC_SPARSECORE_WAIT },
	{ IS("async-done"), METRIC_LOW_FLOPS | STEP_KIND_ASYNC_DONE },
};

static unsigned of_transfer(struct op_role r)
{
	switch (r.kind) {
	case COMM_NONE:
	case COMM_ASYNC:
	case COMM_COPY:
		return METRIC_LOW_FLOPS;
	case COMM_SEND:
		return METRIC_SEND;
	case COMM_RECV:
		return METRIC_RECV;
	case COMM_HOST_SEND:
	case COMM_HOST_RECV:
		return METRIC_HOST_TRANSFER;
	default:
		return METRIC_COLLECTIVES | (r.part == PART_SYNC ? STEP_KIND_MEETS : 0);
	}
}

/* Asked for every kind of event. */
unsigned step_kind_of(const char *category, size_t len)
{
	const struct slice c = { category, len };

	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		if (slice_same(c, categories[i].category))
			return categories[i].kind;
	return len ? of_transfer(op_role_of((struct slice){ "", 0 }, c)) : METRIC_LOW_FLOPS;
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
