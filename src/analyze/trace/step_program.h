/* Which program makes the steps of a capture without step markers (tpuscope(7), STEPS): the one whose runs
 * take most of the time of all device planes of a kind, among those that ran more than once on one of them.
 * Programs that ran once are taken when all that repeats together is a small part of the time, like the
 * helpers around a single long run.  The dump is only read; any thread. */
#ifndef ANALYZE_TRACE_STEP_PROGRAM_H
#define ANALYZE_TRACE_STEP_PROGRAM_H

#include "model/dump.h"

strid step_program(const struct dump *, enum plane_kind); /* the name of its runs; 0: nothing ran */

#endif
