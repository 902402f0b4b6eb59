/* A pod of TPU v5e hosts for tests: each host has two cores with two steps of 1 ms.  Each step has a
 * convolution (300 us; 420 us on the straggler, host 1 core 1), an all-reduce that ends on all cores at 600
 * us, a permute around the ring of cores on channel 7, a fusion, and a gap.  Times of host h are late by h
 * ns, as clocks differ. */
#ifndef TESTS_MKPOD_H
#define TESTS_MKPOD_H

#include "mkspace.h"

#define POD_US 1000000LL

static inline void pod_op(struct mkspace *s, const char *name, int64_t start, int64_t dur)
{
	space_event(s, name, start, dur);
	space_pair(s, start, dur);
}

static const char *pod_groups = "[1,2]<=[2]"; /* of the all-reduce */

static inline void pod_kinds(struct mkspace *s, int cores)
{
	char reduce[400];
	const char *const v[][3] = {
		{ "conv", "convolution",
		    "%conv = f32[64,64]{1,0} convolution(f32[64,64] %a, f32[64,64] %b)" },
		{ "all-reduce.1", "all-reduce", reduce },
		{ "permute-start", "collective-permute-start", "" },
		{ "permute-done", "collective-permute-done",
		    "%permute-done = f32[256]{0} collective-permute-done((f32[256]{0}, "
		    "f32[256]{0}) %permute-start)" },
		{ "fusion", "loop fusion", "%fusion = f32[8]{0} fusion(f32[8] %y)" },
	};
	char ring[900] = "%permute-start = (f32[256]{0}, f32[256]{0}) collective-permute-start(f32[256]{0} "
			 "%y), channel_id=7, "
			 "source_target_pairs={";

	snprintf(reduce, sizeof reduce,
	    "%%all-reduce.1 = f32[1024]{0} all-reduce(f32[1024] %%x), channel_id=3, replica_groups=%s, "
	    "to_apply=%%add",
	    pod_groups);
	for (int i = 0; i < cores; i++)
		snprintf(ring + strlen(ring), sizeof ring - strlen(ring), "%s{%d,%d}", i ? "," : "", i,
		    (i + 1) % cores);
	strcat(ring, "}");
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		int id = space_kind(s, v[i][0]);
		struct pb *m = &s->meta_pb[id - 1];

		/* its own kind of event: HLO text, and the short name to show */
		pb_free(m);
		pb_u(m, 1, (uint64_t)id);
		pb_s(m, 2, *v[i][2] ? v[i][2] : ring);
		pb_s(m, 4, v[i][0]);
		space_op(s, v[i][0], v[i][1], 77, (int)i + 1);
		space_meta_int(s, v[i][0], "flops", 1000 * (int64_t)(i + 1));
		space_meta_int(s, v[i][0], "bytes_accessed", 4096);
	}
}

static const char *pod_chips = "TPU v5e"; /* NULL: not stated */

static inline void pod_core(struct mkspace *s, int host, int core, int cores)
{
	char name[32];
	int64_t late = INT64_C(1000) * host;

	snprintf(name, sizeof name, "/device:TPU:%d", core);
	space_plane(s, 2 + core, name);
	if (pod_chips)
		space_plane_str(s, "device_type_string", pod_chips);
	space_plane_double(s, "peak_teraflops_per_second", 197);
	pod_kinds(s, cores);
	space_line(s, 1, "Steps");
	for (int i = 0; i < 2; i++)
		space_event(s, "marker", late + 1000 * POD_US * i, 1000 * POD_US);
	space_line(s, 2, "XLA Modules");
	for (int i = 0; i < 2; i++)
		space_event(s, "jit_step(77)", late + 1000 * POD_US * i, 900 * POD_US);
	space_line(s, 3, "XLA Ops");
	for (int i = 0; i < 2; i++) {
		int64_t at = late + 1000 * POD_US * i, conv = (host == 1 && core == 1 ? 420 : 300) * POD_US;

		pod_op(s, "conv", at, conv);
		pod_op(s, "all-reduce.1", at + conv, 600 * POD_US - conv);
		space_int(s, "all_reduce_unique_id", 500 + i);
		pod_op(s, "permute-start", at + 610 * POD_US, 2 * POD_US);
		pod_op(s, "permute-done", at + 640 * POD_US, 10 * POD_US);
		pod_op(s, "fusion", at + 700 * POD_US, 100 * POD_US);
	}
}

/* hosts: at most 8 */
static inline void pod_hosts(struct mkspace *s, int hosts)
{
	for (int h = 0; h < hosts; h++) {
		char name[16];

		for (int core = 0; core < 2; core++)
			pod_core(&s[h], h, core, 2 * hosts);
		space_end(&s[h], 0);
		snprintf(name, sizeof name, "w-%d", h);
		pb_s(&s[h].space, 4, name);
	}
}

static inline struct dump *pod_load(int hosts)
{
	struct mkspace *s = calloc(8, sizeof *s);
	struct dump *d;

	pod_hosts(s, hosts);
	d = space_load(s, hosts);
	free(s);
	return d;
}

#endif
