/* Which program makes the steps of a capture without step markers (tpuscope(7), STEPS): the one whose runs
 * take most of the time of all device planes of a kind, among those that ran more than once on one of them.
 * Programs that ran once are taken when all that repeats together is a small part of the time, like the
 * helpers around a single long run.  Where other programs that matter do not run once for each run of that one, like
 * the decoding after a prefill, the runs of all of them are the steps, each on its own.  The dump is only read; any
 * thread. */
#ifndef ANALYZE_TRACE_STEP_PROGRAM_H
#define ANALYZE_TRACE_STEP_PROGRAM_H

#include "model/dump.h"

#define STEP_PROGRAMS 20 /* at most, because each takes a twentieth of the time or more */

/* Names of the runs that are steps, the one with the most time first; n 0: nothing ran. */
struct step_programs {
	strid name[STEP_PROGRAMS];
	size_t n;
};

void step_programs(const struct dump *, enum plane_kind, struct step_programs *);
bool step_programs_have(const struct step_programs *, strid name);

#endif
