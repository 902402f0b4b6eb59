#include "config.h"
#include "analyze/detail.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/embedded.h"

/* One line of data/chips.tsv: name, TFLOP/s, HBM GB/s, planes per chip. */
static bool take_line(char *line, const char *device, struct peaks *p)
{
	char *field[4], *rest = line;
	double planes;

	for (int i = 0; i < 4; i++)
		if (!(field[i] = strsep(&rest, "\t")))
			return false;
	if (strcasecmp(field[0], device) || !((planes = strtod(field[3], NULL)) > 0))
		return false;
	p->flops = strtod(field[1], NULL) * 1e12 / planes;
	p->hbm = strtod(field[2], NULL) * 1e9 / planes;
	return true;
}

static bool assume(const char *device, struct peaks *p)
{
	const struct embedded *e = embedded_find("chips.tsv");
	const char *s = e ? (const char *)e->bytes : NULL, *end = e ? s + e->size : NULL;
	struct peaks known = { 0 };
	bool found = false;

	while (s < end && !found) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((stop ? stop : end) - s);
		char line[160];

		if (n < sizeof line && *s != '#') {
			memcpy(line, s, n);
			line[n] = 0;
			found = take_line(line, device, &known);
		}
		s += n + 1;
	}
	if (!found)
		return false;
	p->flops = p->flops > 0 ? p->flops : known.flops;
	p->hbm = p->hbm > 0 ? p->hbm : known.hbm;
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
