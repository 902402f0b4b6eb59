#include "config.h"

#include "base/hash.h"
#include "load/chrome/chrome.h"

#include <stdio.h>

#define GPU_LAUNCH 9 /* XLA's context type of launches of GPUs */
#define DEVICES_MAX 65536

enum torch_kind chrome_torch_kind(struct slice category)
{
	static const struct {
		const char *category;
		enum torch_kind kind;
	} table[] = {
		{ "kernel", TORCH_GPU },
		{ "gpu_memcpy", TORCH_GPU },
		{ "gpu_memset", TORCH_GPU },
		{ "cuda_runtime", TORCH_LAUNCH },
		{ "cuda_driver", TORCH_LAUNCH },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (slice_is(category, table[i].category))
			return table[i].kind;
	return TORCH_NOTHING;
}

static bool whole_arg(const struct chrome_record *r, const char *name, int64_t *v)
{
	struct slice key, value;
	size_t at = 0;

	while ((r->has & HAS_ARGS) && scan_member(r->args, &at, &key, &value))
		if (slice_is(key, name))
			return scan_int(value.s, value.s + value.n + 1, v) != value.s;
	return false;
}

void chrome_torch(struct chrome *c, const struct chrome_record *r, uint32_t track, int64_t ts)
{
	int64_t correlation, device;

	if (c->torch == TORCH_LAUNCH)
		c->b.procs[build_proc(&c->b, r->pid)].launches = true;
	if (c->torch == TORCH_GPU && whole_arg(r, "device", &device) && device == r->pid)
		c->b.procs[build_proc(&c->b, r->pid)].gpu = true;
	if (!whole_arg(r, "correlation", &correlation) || !correlation)
		return;
	build_flow(&c->b,
	    &(struct build_flow){
		.key = hash_mix(6, (uint64_t)correlation),
		.ts = ts,
		.at = r->at,
		.track = track,
		.role = c->torch == TORCH_GPU ? FLOW_END : FLOW_START,
		.bind = FLOW_SELF,
		.category = GPU_LAUNCH,
		.implied = true,
	    });
}

bool chrome_torch_memory(struct chrome *c, const struct chrome_record *r)
{
	int64_t allocated, device = -1;
	uint32_t proc, track;
	char text[40];
	strid name;
	int64_t ts;

	if (!(r->has & HAS_NAME) || !(r->has & HAS_TS) || !slice_is(r->name, "[memory]") ||
	    !whole_arg(r, "Total Allocated", &allocated))
		return false;
	whole_arg(r, "Device Id", &device);
	if (device < 0 || device > DEVICES_MAX)
		snprintf(text, sizeof text, "allocated on the CPU");
	else
		snprintf(text, sizeof text, "allocated on GPU %lld", (long long)device);
	name = strtab_addz(&c->b.dump->str, text);
	proc = build_proc(&c->b, r->pid);
	track = build_lane(&c->b, proc, BUILD_COUNTER, hash_mix(7, name), name);
	ts = chrome_ps(c, &r->ts);
	build_event(&c->b, track, ts, 0, chrome_meta(c, r), r->at);
	build_sample(&c->b, build_counter(&c->b, track, 0, name, strtab_addz(&c->b.dump->str, "bytes")), ts,
	    (double)allocated);
	return true;
}
