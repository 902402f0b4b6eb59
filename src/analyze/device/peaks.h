/* What a core can do at best: dense bf16 FLOP/s and B/s of HBM.  The plane's own statistics come first; when it
 * has none, the table of chips by device_type_string (assumed).  What the user states (struct dump) goes over
 * both.  Pure. */
#ifndef ANALYZE_DEVICE_PEAKS_H
#define ANALYZE_DEVICE_PEAKS_H

#include <stdbool.h>

#include "model/dump.h"

struct peaks {
	double flops, hbm;
	bool assumed;
	char device[64];
};
bool peaks_of_plane(const struct dump *, uint32_t plane, struct peaks *);
/* "TFLOPS,GBPS" of a core, both above 0, as FLOP/s and B/s; -1 = it is not that */
int peaks_parse(const char *text, double *flops, double *hbm);

#endif
