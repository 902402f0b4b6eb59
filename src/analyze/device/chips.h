/* What data/chips.tsv knows of a kind of TPU chip (tpuscope(7), PEAKS), by the name that captures give it
 * ("TPU v5 lite") or without "TPU" ("v5e"); letters of either case.  0 = not known.  Pure. */
#ifndef ANALYZE_DEVICE_CHIPS_H
#define ANALYZE_DEVICE_CHIPS_H

#include <stdbool.h>
#include <stddef.h>

struct chip {
	double tflops, gbps; /* of a chip: dense bf16, HBM */
	double planes;       /* of a capture, per chip: its cores */
	double hbm, usable;  /* GiB: of a chip, and of a core for programs */
};

bool chip_find(const char *name, struct chip *);
const char *chip_name(size_t i, char *buf, size_t size); /* "v5e"; NULL behind the last */

#endif
