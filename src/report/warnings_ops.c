#include "config.h"
#include "report/warnings.h"

#include <inttypes.h>

#include "analyze/ops/opdb.h"

static void warn_stats(struct report *r, const struct opdb *db)
{
	const char *zero = db->converted ? "" : ", 0 in JSON and CSV as in XProf";
	const char *advice = db->converted
	    ? "the XSpace (*.xplane.pb) of the same run may state them"
	    : "capture with a profiler that adds the compiler's cost to XLA ops";
	size_t events = 0;

	if (db->n && db->no_flops == db->n)
		report_warning(r, "no op has the stat flops: FLOP rates are not known%s — %s", zero, advice);
	if (db->n && db->no_bytes == db->n)
		report_warning(r, "no op has the stat bytes_accessed: memory rates are not known%s — %s",
		    zero, advice);
	else if (db->n && db->no_mem)
		report_warning(r, "%" PRIu32 " of %zu ops have no memory_access_breakdown: %s", db->no_mem,
		    db->n,
		    db->converted ? "which of their bytes are in HBM is not known"
				  : "all their bytes are taken for HBM");
	if (db->dropped)
		report_warning(r,
		    "%" PRIu64
		    " op events without program_id or symbol_id are left out, as in XProf — capture "
		    "with the trace of the compiler's HLO on",
		    db->dropped);
	if (db->absurd)
		report_warning(r,
		    "%" PRIu64
		    " events with impossible device_offset_ps or device_duration_ps: their offset_ps and "
		    "duration_ps count",
		    db->absurd);
	if (db->unlinked)
		report_warning(r,
		    "%" PRIu64 " runs on SparseCores are left out: no traced op of the TensorCore has their "
		    "offload_core_id and tc_offload_start_id",
		    db->unlinked);
	for (size_t i = 0; i < db->n; i++)
		events += db->v[i].event_flops > 0 || db->v[i].event_bytes > 0;
	if (events)
		report_warning(r,
		    "%zu custom calls state FLOPs or bytes in their events only: XProf takes them for 0, "
		    "hlo_stats has "
		    "them in event_flop_rate and event_memory_bw",
		    events);
	if (db->overlap)
		report_warning(r,
		    "ops of a core took longer than the core was traced: overlapping or damaged times");
}

static void warn_peaks(struct report *r, const struct op_peaks *p)
{
	if (p->assumed)
		report_warning(r,
		    "the capture does not state the peaks of %s: %.1f TFLOP/s and %.1f GB/s of HBM are "
		    "assumed",
		    p->device, p->tflops, p->bw[PEAK_HBM]);
	else if (!(p->tflops > 0) || !(p->bw[PEAK_HBM] > 0))
		report_warning(r,
		    "peaks are not known (plane stats peak_teraflops_per_second and "
		    "peak_hbm_bw_gigabytes_per_second are missing, device_type_string names no known chip): "
		    "nothing is said about utilization — "
		    "capture with the profiler of libtpu, which states them");
}

void report_op_warnings(struct report *r, const struct dump *d, const struct opdb *db)
{
	const char *lack = op_lack(d);
	bool tpu = false;

	for (size_t i = 0; i < d->trace.nplanes; i++)
		tpu |= d->trace.planes[i].kind == PLANE_TPU;
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
		    "custom calls take %.1f %% of op time: XLA counts no FLOPs in them, FLOP rates are at "
		    "least what is shown",
		    percent);
}
