#include "config.h"
#include "analyze/device/op_peaks.h"

#include "analyze/device/peaks.h"

static const char *const stats[PEAK_COUNT] = {
	[PEAK_HBM] = "peak_hbm_bw_gigabytes_per_second",
	[PEAK_SRAM_RD] = "peak_sram_rd_bw_gigabytes_per_second",
	[PEAK_SRAM_WR] = "peak_sram_wr_bw_gigabytes_per_second",
	[PEAK_CMEM_RD] = "peak_cmem_rd_bw_gigabytes_per_second",
	[PEAK_CMEM_WR] = "peak_cmem_wr_bw_gigabytes_per_second",
	[PEAK_VMEM_RD] = "peak_vmem_rd_bw_gigabytes_per_second",
	[PEAK_VMEM_WR] = "peak_vmem_wr_bw_gigabytes_per_second",
};

/* What the user states comes first, then the file.  The table of chips only fills in the FLOP rate and
 * HBM. */
static void read_plane(const struct dump *d, uint32_t plane, struct op_peaks *p)
{
	struct peaks known;
	int64_t flag;
	double v;

	if (stat_plane_double(d, plane, "peak_teraflops_per_second", &v) && v > 0)
		p->tflops = v;
	for (size_t i = 0; i < PEAK_COUNT; i++)
		if (stat_plane_double(d, plane, stats[i], &v) && v > 0)
			p->bw[i] = v;
	p->megacore = stat_plane_int(d, plane, "has_megacore", &flag) && flag;
	p->merged_vmem = stat_plane_int(d, plane, "has_merged_vmem", &flag) && flag;
	stat_plane_str(d, plane, "device_type_string", p->device, sizeof p->device);
	if (d->peak_flops > 0 && d->peak_hbm > 0) {
		p->stated = true;
		p->tflops = d->peak_flops / 1e12;
		p->bw[PEAK_HBM] = d->peak_hbm / 1e9;
		return;
	}
	if ((p->tflops > 0 && p->bw[PEAK_HBM] > 0) || !peaks_of_plane(d, plane, &known) || !known.assumed)
		return;
	p->assumed = true;
	p->tflops = p->tflops > 0 ? p->tflops : known.flops / 1e12;
	p->bw[PEAK_HBM] = p->bw[PEAK_HBM] > 0 ? p->bw[PEAK_HBM] : known.hbm / 1e9;
}

void op_peaks_of(const struct dump *d, struct op_peaks *p)
{
	*p = (struct op_peaks){ 0 };
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		if (d->trace.planes[i].kind != PLANE_TPU)
			continue;
		read_plane(d, i, p);
		return;
	}
}
