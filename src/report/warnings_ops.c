#include "config.h"
#include "report/warnings.h"

#include <inttypes.h>

#include "analyze/ops/opdb.h"

static void warn_stats(struct report *r, const struct opdb *db)
{
	const char *zero = db->converted ? "" : " (0 in JSON and CSV, as in XProf)";
	const char *advice = db->converted
	    ? "the XSpace (*.xplane.pb) of the same run may have them"
	    : "capture with a profiler that adds the compiler's costs to XLA ops";
	size_t events = 0;

	if (db->n && db->no_flops == db->n)
		report_warning(r, "no op has the stat flops: FLOP rates are unknown%s; %s", zero, advice);
	if (db->n && db->no_bytes == db->n)
		report_warning(r, "no op has the stat bytes_accessed: memory rates are unknown%s; %s", zero,
		    advice);
	else if (db->n && db->no_mem)
		report_warning(r,
		    "%" PRIu32 " of %zu ops have no memory_access_breakdown: all their bytes count as HBM%s",
		    db->no_mem, db->n,
		    db->converted ? ", so HBM rates are upper bounds, and what bounds an op is unknown" : "");
	if (db->dropped)
		report_warning(r,
		    "%" PRIu64
		    " op events without program_id or symbol_id are left out, as in XProf; capture "
		    "with HLO protos on",
		    db->dropped);
	if (db->absurd)
		report_warning(r,
		    "%" PRIu64
		    " events have an impossible device_offset_ps or device_duration_ps; their offset_ps "
		    "and duration_ps are used",
		    db->absurd);
	if (db->unlinked)
		report_warning(r,
		    "%" PRIu64 " runs on SparseCores are left out: no traced TensorCore op has their "
		    "offload_core_id and tc_offload_start_id",
		    db->unlinked);
	for (size_t i = 0; i < db->n; i++)
		events += db->v[i].event_flops > 0 || db->v[i].event_bytes > 0;
	if (events)
		report_warning(r,
		    "%zu custom calls state FLOPs or bytes only in their events: XProf counts them as 0, "
		    "hlo_stats shows them in event_flop_rate and event_memory_bw",
		    events);
	if (db->overlap)
		report_warning(r,
		    "the ops of a core add up to more than the time traced: times overlap or are damaged");
}

static void warn_peaks(struct report *r, const struct op_peaks *p)
{
	if (p->assumed)
		report_warning(r,
		    "the capture does not state the peaks of %s: assuming %.1f TFLOP/s and %.1f GB/s of HBM",
		    p->device, p->tflops, p->bw[PEAK_HBM]);
	else if (!(p->tflops > 0) || !(p->bw[PEAK_HBM] > 0))
		report_warning(r,
		    "the peaks of the chip, and so all utilizations, are unknown (no plane stats "
		    "peak_teraflops_per_second and peak_hbm_bw_gigabytes_per_second, and device_type_string "
		    "names no known chip); set them with --peaks, or capture with libtpu's profiler");
}

void report_op_warnings(struct report *r, const struct dump *d, const struct opdb *db)
{
	const char *lack = op_lack(d);
	bool tpu = trace_has_plane(&d->trace, PLANE_TPU);

	report_dump_warnings(r, d);
	if (lack)
		report_warning(r, "%s", lack);
	warn_stats(r, db);
	if (tpu)
		warn_peaks(r, &db->peaks);
}

void report_custom_warning(struct report *r, double percent)
{
	if (percent >= 10)
		report_warning(r,
		    "custom calls take %.1f %% of op time, but XLA counts no FLOPs in them: read FLOP rates "
		    "as lower bounds",
		    percent);
}
