#include "config.h"
#include "analyze/device/peaks.h"

#include <stdlib.h>

#include "analyze/device/chips.h"

static bool assume(const char *device, struct peaks *p)
{
	struct chip c;

	if (!chip_find(device, &c) || !(c.planes > 0))
		return false;
	p->flops = p->flops > 0 ? p->flops : c.tflops * 1e12 / c.planes;
	p->hbm = p->hbm > 0 ? p->hbm : c.gbps * 1e9 / c.planes;
	p->assumed = true;
	return true;
}

int peaks_parse(const char *text, double *flops, double *hbm)
{
	char *end, *last;

	*flops = strtod(text, &end) * 1e12;
	*hbm = *end == ',' ? strtod(end + 1, &last) * 1e9 : 0;
	return *hbm > 0 && *hbm < 1e18 && *flops > 0 && *flops < 1e21 && !*last ? 0 : -1;
}

bool peaks_of_plane(const struct dump *d, uint32_t plane, struct peaks *p)
{
	double v;

	*p = (struct peaks){ 0 };
	stat_plane_str(d, plane, "device_type_string", p->device, sizeof p->device);
	if (d->peak_flops > 0 && d->peak_hbm > 0) {
		p->flops = d->peak_flops;
		p->hbm = d->peak_hbm;
		return true;
	}
	if (stat_plane_double(d, plane, "peak_teraflops_per_second", &v) && v > 0)
		p->flops = v * 1e12;
	if (stat_plane_double(d, plane, "peak_hbm_bw_gigabytes_per_second", &v) && v > 0)
		p->hbm = v * 1e9;
	if (p->flops > 0 && p->hbm > 0)
		return true;
	return (*p->device && assume(p->device, p)) || p->flops > 0 || p->hbm > 0;
}
