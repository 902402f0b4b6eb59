/* Where a TPU core sits, according to its plane (stat core_details).  Numbers are -1 where the file does not
 * say.  Pure. */
#ifndef ANALYZE_DEVICE_CORE_DETAILS_H
#define ANALYZE_DEVICE_CORE_DETAILS_H

#include "model/dump.h"

struct core_details {
	bool known;
	int64_t local_chip, chip; /* local_chip: number on its host; chip: number in the whole pod */
	int core_on_chip;
};

struct core_details core_details_of(const struct dump *, uint32_t plane);

#endif
