/* The peaks of the first TPU plane, for rooflines: what the user states, else the stats of the plane, else FLOPs
 * and HBM from the table of chips (peaks.h).  Owns nothing; only reads the dump; any thread. */
#ifndef ANALYZE_DEVICE_OP_PEAKS_H
#define ANALYZE_DEVICE_OP_PEAKS_H

#include "model/dump.h"

enum op_peak {
	PEAK_HBM,
	PEAK_SRAM_RD,
	PEAK_SRAM_WR,
	PEAK_CMEM_RD,
	PEAK_CMEM_WR,
	PEAK_VMEM_RD,
	PEAK_VMEM_WR,
	PEAK_COUNT
};

struct op_peaks {                                    /* of the first device plane; 0 = not known */
	double tflops, bw[PEAK_COUNT];               /* TFLOP/s and GB/s */
	bool megacore, merged_vmem, assumed, stated; /* stated: by the user */
	char device[64];
};

void op_peaks_of(const struct dump *, struct op_peaks *);

#endif
