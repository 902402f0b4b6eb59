/* The best that a core can do: dense bf16 FLOP/s and HBM bandwidth in B/s.  The plane's own statistics come
 * first; if it has none, the table of chips by device_type_string is used (`assumed`).  What the user states
 * (struct dump) overrides both.  Pure. */
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
/* Parses "TFLOPS,GBPS" of a core, both above 0, to FLOP/s and B/s; returns -1 when the text is not of that
 * form. */
int peaks_parse(const char *text, double *flops, double *hbm);

#endif
