#include "config.h"
#include "analyze/device/target.h"

#include <string.h>

#include "model/toolfile.h"
#include "pprof.pb-c.h"

bool target_ran_on_cpu(const struct dump *d)
{
	for (size_t i = 0; d && i < d->trace.ntracks; i++) {
		struct slice name = dump_text(d, d->trace.tracks[i].name);

		if (d->trace.tracks[i].n && slice_find(name, "PjRtCpuClient"))
			return true;
	}
	return false;
}

/* Ops of PyTorch have this category in JSON. */
static bool has_torch_ops(const struct dump *d)
{
	static const char op[] = "cpu_op";

	return strtab_find(&d->str, op, sizeof op - 1) != UINT32_MAX;
}

bool target_is_pytorch(const struct dump *d)
{
	bool json = false;

	for (size_t i = 0; d && i < d->nfiles; i++) {
		if (d->files[i].kind == FILE_XSPACE || d->files[i].kind == FILE_RIEGELI)
			return false;
		json |= d->files[i].kind == FILE_CHROME_JSON;
	}
	return json && (trace_has_plane(&d->trace, PLANE_GPU) || has_torch_ops(d));
}

/* XLA calls its dumps "module_0001.jit_f.sm_9.0_gpu_after_optimizations.hlo.pb". */
static bool has_dump(const struct dump *d, const char *pass)
{
	for (size_t i = 0; i < d->nfiles; i++)
		if (strstr(d->files[i].base, pass))
			return true;
	return false;
}

/* A device memory profile names devices: "cuda:0", "rocm:1". */
static bool has_gpu_profile(const struct dump *d)
{
	const struct toolfile *t = toolfile_find(d, FILE_PPROF, NULL, NULL);
	const Pb__Profile *m = t ? toolfile_message(t, &pb__profile__descriptor) : NULL;

	for (size_t i = 0; m && i < m->n_string_table; i++) {
		struct slice s = slice_of(m->string_table[i] ? m->string_table[i] : "");

		if (slice_begins(s, "cuda:") || slice_begins(s, "rocm:"))
			return true;
	}
	return false;
}

enum target target_of(const struct dump *d)
{
	if (!d || trace_has_plane(&d->trace, PLANE_TPU))
		return TARGET_TPU;
	if (trace_has_plane(&d->trace, PLANE_GPU) || has_dump(d, "gpu_after_optimizations") ||
	    has_gpu_profile(d))
		return TARGET_GPU;
	if (target_ran_on_cpu(d) || has_dump(d, ".cpu_after_optimizations") || target_is_pytorch(d))
		return TARGET_CPU;
	return TARGET_TPU;
}

const char *target_words(const struct dump *d)
{
	static const char *const words[][2] = { { "tpu xla", "tpu xla" }, { "gpu xla", "gpu pytorch" },
		{ "cpu xla", "cpu pytorch" } };

	return words[target_of(d)][d && target_is_pytorch(d)];
}
