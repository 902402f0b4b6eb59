/* What data/chips.tsv says about a kind of TPU chip (tpuscope(7), PEAKS), looked up by the name that captures
 * use ("TPU v5 lite") or without "TPU" ("v5e"), in upper or lower case.  0 = not known.  Pure. */
#ifndef ANALYZE_DEVICE_CHIPS_H
#define ANALYZE_DEVICE_CHIPS_H

#include <stdbool.h>
#include <stddef.h>

struct chip {
	double tflops, gbps; /* per chip: dense bf16 TFLOP/s, HBM bandwidth in GB/s */
	double planes;       /* device planes per chip in a capture, that is cores */
	double hbm, usable;  /* GiB: HBM of a chip, and what programs can use of it on one core */
	double link, links;  /* GB/s of an ICI link in one direction; links of a chip */
	double inside;       /* GB/s between the cores of a chip */
};

/* A core, for what the compiler schedules on it; the name as XLA's flags have it: "v6e", "tpu7x". */
struct chip_core {
	char name[16];
	double ghz, gbps;  /* clock; its share of the chip's HBM bandwidth */
	int side, granule; /* of its matrix units; bytes of DMA */
	/* by these a dump tells its chip: slots of units, MiB of VMEM */
	int matmul, xlu, valu, vmem;
};

/* the i-th row of the table; false: there are no more.  ghz 0: that chip's cores are not known */
bool chip_core_at(size_t i, struct chip_core *);
bool chip_core_find(const char *name, struct chip_core *);
bool chip_find(const char *name, struct chip *);
const char *chip_name(size_t i, char *buf, size_t size); /* "v5e"; NULL after the last */

#endif
