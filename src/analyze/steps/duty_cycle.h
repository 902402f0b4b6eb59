/* How much of the time the chips had something to do (tpuscope(7), DUTY CYCLE; as in XProf): busy ÷ span,
 * each summed over the chips.  Busy is the union over the cores of a chip of the spans of "XLA Ops" on the
 * plain clock whose category is on duty.  Within one core, the span that starts later wins, so that a wait
 * inside a while is off duty.  The span of a chip goes from its first op or module to its last.  ps.  The
 * dump is only read; the caller frees (duty_free).  When canceled, the numbers are meaningless. */
#ifndef ANALYZE_STEPS_DUTY_CYCLE_H
#define ANALYZE_STEPS_DUTY_CYCLE_H

#include "base/progress.h"
#include "model/dump.h"

struct duty {
	int64_t busy, span;
};

struct duty_cycle {
	struct duty all, *host; /* host: dump.nhosts entries */
};

/* host NULL = all; core -1 = all */
void duty_cycle(const struct dump *, const char *host, int core, int threads, struct progress *,
    struct duty_cycle *);
void duty_free(struct duty_cycle *);
/* Duty cycles of single cores.  chip_busy is for all cores of the chip together and is set only for the first
 * core of a chip, else -1.  The caller frees. */
struct duty_core {
	uint32_t plane;
	int64_t first, last, busy, chip_busy;
};
struct duty_core *duty_cores(const struct dump *, int threads, size_t *n);
double duty_percent(const struct duty *); /* NaN: nothing ran */

#endif
